/* gpubench plot: figures of results, drawn by gnuplot from the scripts in plots/. */
#include "bench/commands/commands.h"
#include "bench/plot/draw.h"
#include "bench/plot/dump.h"
#include "bench/plot/formats.h"
#include "bench/rows/published.h"
#include "bench/table/axes.h"
#include "bench/table/build.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/share.h"
#include "bench/util/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const gb_command_help help = {
    .usage = "plot RESULTS... [options]",
    .summary =
        "Draws results with gnuplot, the papers' numbers beside. RESULTS are files that\n"
        "`gpubench run` or `gpubench dump` wrote or folders of them. --AXIS VALUE[,VALUE...] "
        "(--dist\n"
        "binomial) chooses the values of any axis; all is every value.\n",
    .examples = "  gpubench plot results/nvidia-h200\n"
                "  gpubench plot results/nvidia-h200 --figure multipartition-bins --terminal\n"
                "  gpubench plot results/nvidia-h200 --format svg --out /tmp/figures\n"
                "  gpubench plot results/nvidia-h200 --paper column --out /tmp/figures\n"};

typedef struct plot_command {
    gb_arena arena;
    const gb_option *options; /* its own, without those of axes */
    gb_results results, published;
    gb_choices chosen;
    const char *out, *figure, *published_file, *common;
    const char *figures; /* the names of those there are, drawn or not */
    const char **names;  /* of the files that were drawn, without ending */
    size_t name_count, name_capacity;
    bool wanted[GB_PLOT_FORMATS]; /* by gb_plot_format_names */
    const gb_plot_width *width;   /* NULL: for the screen */
    bool formats_named, terminal, keep_data, no_published;
    bool tried; /* to draw a figure */
    size_t drawn;
    gb_error error;
} plot_command;

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static char *without_last_slashes(gb_arena *arena, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return gb_arena_strndup(arena, path, length);
}

/* Creates a folder and those above it. */
static bool make_folder(plot_command *c, const char *path)
{
    char *copy = gb_arena_strdup(&c->arena, path);
    for (char *at = copy + 1;; at++) {
        if (*at != '/' && *at != '\0') continue;
        char end = *at;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && !(errno == EEXIST && is_folder(copy))) {
            gb_fail(&c->error, GB_WRONG, "cannot create the folder %s: %s", copy, strerror(errno));
            return false;
        }
        *at = end;
        if (end == '\0') return true;
    }
}

/* Removes a folder of plain files. */
static void remove_folder(plot_command *c, const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            unlink(gb_arena_printf(&c->arena, "%s/%s", path, entry->d_name));
    if (folder) closedir(folder);
    rmdir(path);
}

static gb_plot_target terminal_target(const plot_command *c)
{
    gb_plot_target target = {.format = "dumb",
                             .common = c->common,
                             .columns = 100,
                             .lines = 34,
                             .colour = gb_use_colour(stdout)};
    const unsigned columns = gb_terminal_columns(stdout), lines = gb_terminal_lines(stdout);
    if (columns >= 40 && lines >= 12) {
        target.columns = columns < 160 ? columns : 160;
        target.lines = lines < 42 ? lines - 2 : 40;
    }
    return target;
}

/* A figure: of a slice of measured rows, with a paper's beside, or of a dump. */
typedef struct figure {
    const gb_plot_script *script;
    const char *name; /* of the file, without folder and ending */
    const gb_result_set *set, *paper;
    const gb_slice *slice;
    const gb_dump_file *dump; /* NULL: of rows */
} figure;

static bool draw_target(plot_command *c, const figure *f, const char *folder,
                        const gb_plot_target *target)
{
    const bool written =
        f->dump ? gb_plot_dump_write(&c->arena, folder, f->script, f->dump, target, &c->error)
                : gb_plot_data_write(&c->arena, folder, f->script, f->set, f->slice, f->paper,
                                     target, &c->error);
    if (!written || !gb_plot_draw(&c->arena, folder, f->script->path, target, &c->error))
        return false;
    c->drawn++;
    if (!c->terminal) printf("%s\n", target->output);
    return true;
}

/* Copies a drawing in characters to stdout, without the form feeds that gnuplot puts before it. */
static bool show(plot_command *c, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        gb_fail(&c->error, GB_CRASHED, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    for (int character; (character = getc(file)) != EOF;)
        if (character != '\f') putchar(character);
    fclose(file);
    return true;
}

static bool is_drawn(const plot_command *c, const char *name)
{
    for (size_t i = 0; i < c->name_count; i++)
        if (strcmp(c->names[i], name) == 0) return true;
    return false;
}

/* The name of a figure's files, numbered where another figure of this call has it: of an
 * experiment on the simt device and on a GPU, of dumps in two folders. */
static const char *own_name(plot_command *c, const char *name)
{
    const char *own = name;
    for (unsigned number = 2; is_drawn(c, own); number++)
        own = gb_arena_printf(&c->arena, "%s-%u", name, number);
    c->names =
        gb_arena_grow(&c->arena, c->names, c->name_count, &c->name_capacity, sizeof *c->names);
    return c->names[c->name_count++] = own;
}

static bool draw(plot_command *c, figure *f)
{
    f->name = own_name(c, f->name);
    const char *temporary = getenv("TMPDIR");
    char *folder = gb_arena_printf(&c->arena, "%s/gpubench-plot-XXXXXX",
                                   temporary && *temporary ? temporary : "/tmp");
    if (c->keep_data) {
        folder = gb_arena_printf(&c->arena, "%s/%s.data", c->out, f->name);
        if (!make_folder(c, folder)) return false;
    } else if (!mkdtemp(folder)) {
        gb_fail(&c->error, GB_WRONG, "cannot create %s: %s (TMPDIR names another place)", folder,
                strerror(errno));
        return false;
    }
    bool ok = true;
    if (c->terminal) {
        gb_plot_target target = terminal_target(c);
        target.output = gb_arena_printf(&c->arena, "%s/terminal.txt", folder);
        ok = draw_target(c, f, folder, &target) && show(c, target.output);
    }
    for (size_t k = 0; k < GB_PLOT_FORMATS && ok && !c->terminal; k++) {
        if (!c->wanted[k]) continue;
        const char *format = gb_plot_format_names[k];
        gb_plot_target target = {.format = format, .common = c->common};
        if (c->width) target.print_wide = c->width->points;
        target.output =
            gb_arena_printf(&c->arena, "%s/%s%s%s.%s", c->out, f->name, c->width ? "-" : "",
                            c->width ? c->width->name : "", format);
        ok = draw_target(c, f, folder, &target);
    }
    if (!c->keep_data) remove_folder(c, folder);
    return ok;
}

/* Holds an axis at its largest value unless it was chosen. */
static void prefer_largest(plot_command *c, gb_plot_script *script, const gb_result_set *set)
{
    int axis = script->largest ? gb_result_axis(set, script->largest) : -1;
    const char *largest = NULL;
    for (size_t i = 0; axis >= 0 && i < set->row_count; i++)
        if (!largest || gb_axis_compare(set->rows[i].axis[axis], largest) > 0)
            largest = set->rows[i].axis[axis];
    if (largest) gb_choices_add(&c->arena, &script->layout.where, script->largest, largest);
}

/* An experiment's figures carry its name, so that two of one primitive do not collide. */
static bool draw_slice(plot_command *c, const gb_plot_script *script, const gb_result_set *set,
                       const gb_slice *slice, const gb_result_set *paper)
{
    const char *stem = set->published ? set->primitive : set->experiment;
    figure of_slice = {.script = script,
                       .name = gb_arena_printf(&c->arena, "%s%s%s%s", stem, script->what,
                                               *slice->suffix ? "-" : "", slice->suffix),
                       .set = set,
                       .slice = slice,
                       .paper = paper};
    return draw(c, &of_slice);
}

/* Whether a word stands in a list that is separated by blanks. */
static bool lists(const char *list, const char *word)
{
    for (size_t length = strlen(word); *list;) {
        const size_t this = strcspn(list, " ");
        if (this == length && strncmp(list, word, length) == 0) return true;
        list += this + strspn(list + this, " ");
    }
    return false;
}

static bool draw_figure(plot_command *c, const gb_result_set *set, const char *path,
                        const char *what)
{
    gb_plot_script script;
    if (!gb_plot_script_load(&c->arena, path, what, &script, &c->error)) return false;
    if (script.dump || script.profile != set->profile) return true; /* it draws another kind */
    c->tried = true;
    if (script.only && !c->figure && !lists(script.only, set->experiment)) {
        gb_fail(&c->error, GB_UNSUPPORTED,
                "it is made for experiment %s, not for '%s'; --figure names it to draw it all the "
                "same",
                script.only, set->experiment);
        return false;
    }
    prefer_largest(c, &script, set);
    const gb_result_set *paper = NULL;
    gb_results_free(&c->published);
    if (!c->no_published &&
        !gb_published_pair(&c->results, set, c->published_file, script.layout.paper, &c->published,
                           &paper, &c->error))
        return false;
    bool drawn[GB_MAX_AXES] = {false};
    const char *const axes[] = {script.x, script.panels};
    for (size_t i = 0; i < 2; i++) {
        int axis = axes[i] ? gb_result_axis(set, axes[i]) : -1;
        if (axis >= 0) drawn[axis] = true;
    }
    gb_slices slices;
    if (!gb_table_derive(&c->arena, &script.layout, drawn, &set, &paper, &c->error) ||
        !gb_results_slice(&c->arena, set, drawn, &script.layout.where, &c->chosen, &slices,
                          &c->error))
        return false;
    for (size_t i = 0; i < slices.count; i++)
        if (!draw_slice(c, &script, set, &slices.items[i], paper)) return false;
    return true;
}

static bool draw_dump(plot_command *c, const gb_dump_file *dump, const char *path, const char *what)
{
    gb_plot_script script;
    if (!gb_plot_script_load(&c->arena, path, what, &script, &c->error)) return false;
    if (!script.dump || strcmp(script.dump, dump->dump) != 0) return true;
    c->tried = true;
    figure of_dump = {.script = &script, .name = dump->name, .dump = dump};
    return draw(c, &of_dump);
}

/* All figures of a set or of a dump of this primitive: plots/<primitive>.gp and
 * plots/<primitive>-*.gp, or the one asked for. */
static bool draw_all_of(plot_command *c, const char *primitive, const gb_result_set *set,
                        const gb_dump_file *dump)
{
    char **paths = gb_share_list(&c->arena, "plots", primitive, ".gp");
    for (; *paths; paths++) {
        const char *name = strrchr(*paths, '/') + 1, *what = name + strlen(primitive);
        if (*what != '-' && *what != '.') continue; /* another primitive's */
        char *stem = gb_arena_strndup(&c->arena, name, strlen(name) - strlen(".gp"));
        what = stem + strlen(primitive);
        c->figures = c->figures ? gb_arena_printf(&c->arena, "%s, %s", c->figures, stem) : stem;
        if (c->figure && strcmp(c->figure, stem) != 0) continue;
        if (set ? draw_figure(c, set, *paths, what) : draw_dump(c, dump, *paths, what)) continue;
        /* A choice that one of several experiments or figures cannot meet leaves that one out. */
        if (c->error.status != GB_UNSUPPORTED) return false;
        fprintf(stderr, "gpubench plot: left out %s: %s\n", stem, c->error.text);
    }
    return true;
}

static int draw_all(plot_command *c, int argc, char **argv)
{
    for (int i = optind; i < argc; i++)
        if (!gb_results_add(&c->results, argv[i], &c->error)) goto failed;
    if (c->results.set_count == 0 && c->results.dump_count == 0) {
        gb_fail(&c->error, GB_WRONG, "there is nothing to draw: the results hold no row yet");
        goto failed;
    }
    if (!gb_choices_check(&c->chosen, &c->results, c->options, &c->error)) goto failed;
    c->common = gb_share_find(&c->arena, "plots/common.gp");
    if (!c->common) {
        gb_fail(&c->error, GB_WRONG,
                "there is no plots/common.gp in any of: %s; GPUBENCH_SHARE names the folder that "
                "holds plots/",
                gb_share_places(&c->arena));
        goto failed;
    }
    c->out = c->out ? without_last_slashes(&c->arena, c->out)
                    : gb_result_folder(&c->arena, argv[optind]);
    if (!c->terminal && !make_folder(c, c->out)) goto failed;
    for (size_t i = 0; i < c->results.set_count; i++)
        if (!gb_published_serves(&c->results, &c->results.sets[i]) &&
            !draw_all_of(c, c->results.sets[i].primitive, &c->results.sets[i], NULL))
            goto failed;
    for (size_t i = 0; i < c->results.dump_count; i++)
        if (!draw_all_of(c, c->results.dumps[i].primitive, NULL, &c->results.dumps[i])) goto failed;
    if (c->drawn > 0) return GB_EXIT_OK;
    if (c->tried)
        gb_fail(&c->error, GB_WRONG, "there is nothing to draw: every figure was left out");
    else if (c->figures)
        gb_fail(&c->error, GB_WRONG,
                "--figure %s: no script plots/%s.gp draws these results; there is: %s", c->figure,
                c->figure, c->figures);
    else
        gb_fail(&c->error, GB_WRONG,
                "no script plots/%s*.gp draws these results (`gpubench table` prints them); looked "
                "in: %s",
                c->results.set_count ? c->results.sets[0].primitive : c->results.dumps[0].primitive,
                gb_share_places(&c->arena));
failed:
    if (gb_interrupted) return GB_EXIT_INTERRUPTED;
    fprintf(stderr, "gpubench plot: %s\n", c->error.text);
    return GB_EXIT_USAGE;
}

static int plot(plot_command *c, int argc, char **argv)
{
    if (c->width && !c->formats_named)
        for (int k = 0; k < GB_PLOT_FORMATS; k++)
            c->wanted[k] = k == GB_PLOT_PDF;
    if (c->out && !*c->out) {
        fprintf(stderr, "gpubench plot: --out: name a folder, such as /tmp/figures\n");
        return GB_EXIT_USAGE;
    }
    if (optind < argc) return draw_all(c, argc, argv);
    fprintf(stderr, "gpubench plot: name at least one result file or folder, such as "
                    "results/nvidia-h200; --help says more\n");
    return GB_EXIT_USAGE;
}

/* --format */
static bool take_formats(void *to, const char *option, const char *argument, gb_error *error)
{
    plot_command *c = to;
    c->formats_named = true;
    return gb_plot_parse_formats(option, argument, c->wanted, error);
}

/* --paper */
static bool take_width(void *to, const char *option, const char *argument, gb_error *error)
{
    plot_command *c = to;
    c->width = gb_plot_parse_width(option, argument, error);
    return c->width != NULL;
}

int gb_command_plot(int argc, char **argv)
{
    plot_command c = {.wanted = {[GB_PLOT_SVG] = true, [GB_PLOT_PDF] = true, [GB_PLOT_PNG] = true}};
    gb_chooser chooser = {&c.arena, &c.chosen};
    int status;
    const gb_option own[] = {
        gb_option_text("out", "DIR",
                       "where the figures go (default: the folder of the first RESULTS)", &c.out),
        gb_option_special("format", "svg|pdf|png|eps,...",
                          "separated by commas (default: svg, pdf and png)", take_formats, &c),
        gb_option_special("paper", "column|page",
                          "to print so wide in a paper: 3.33 or 7 inches, 8 pt, as PDF", take_width,
                          &c),
        gb_option_flag("terminal", "draw here, in characters, and write no file", &c.terminal),
        gb_option_text("figure", "NAME",
                       "only this one: plots/NAME.gp (default: plots/<primitive>*.gp)", &c.figure),
        gb_option_flag("keep-data", "leave the data tables in DIR/<figure>.data", &c.keep_data),
        gb_option_text("published", "FILE",
                       "published numbers to draw beside (default: the script's)",
                       &c.published_file),
        gb_option_flag("no-published", "measured numbers only", &c.no_published),
        gb_choice_cache(&chooser),
        gb_choice_scope(&chooser),
        {0}};
    c.options = own;
    gb_interrupt_install();
    if (!gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv), &status))
        goto done;
    status = plot(&c, argc, argv);
done:
    gb_results_free(&c.results);
    gb_results_free(&c.published);
    gb_arena_free(&c.arena);
    return status;
}
