/* gpubench plot: figures of results, drawn by gnuplot from the scripts in plots/. */
#include "bench/commands/commands.h"
#include "bench/plot/default.h"
#include "bench/plot/draw.h"
#include "bench/plot/dump.h"
#include "bench/plot/formats.h"
#include "bench/plot/names.h"
#include "bench/rows/published.h"
#include "bench/table/axes.h"
#include "bench/table/build.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/share.h"
#include "bench/util/shell.h"
#include "bench/util/terminal.h"
#include "common/text/text.h"

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
                "  gpubench plot results/nvidia-h200 --paper-width column --out /tmp/figures\n"};

/* A figure: of a slice of measured rows, with a paper's beside, or of a dump. */
typedef struct figure {
    const gb_plot_script *script;
    const char *shown; /* the script's name, for messages */
    const char *name;  /* of the file, without folder and ending */
    const gb_result_set *set, *paper;
    const gb_slice *slice;
    const gb_dump_file *dump; /* NULL: of rows */
    size_t source;            /* which of the results' sets and dumps it is of */
    bool fallback;            /* drawn only where nothing else is of that set */
    bool drawn;               /* or could be, in a file */
} figure;

typedef struct plot_command {
    gb_arena arena;
    const gb_option *options; /* its own, without those of axes */
    gb_results results;
    gb_results **papers; /* what stands beside some figure */
    size_t paper_count, paper_capacity;
    gb_choices chosen;
    const char *out, *figure, *published_file, *common;
    const char **scripts; /* the names of those there are, drawn or not; no two alike */
    size_t script_count, script_capacity;
    figure *figures;
    size_t figure_count, figure_capacity;
    size_t source;                /* of the figures that are being planned */
    bool wanted[GB_PLOT_FORMATS]; /* by gb_plot_format_names */
    const gb_plot_width *width;   /* NULL: for the screen */
    bool formats_named, terminal, keep_data, no_published, no_title;
    bool tried; /* to draw a figure */
    bool unfit; /* the last one is too large for the screen */
    size_t shown_lines;
    int argc; /* as it was called */
    char **argv;
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

static bool is_file(const char *name)
{
    return name[0] != '.';
}

/* "series-12.dat", as a figure of fewer or other series would leave it. */
static bool is_table(const char *name)
{
    static const char *const kinds[] = {"series-", "limit-", "table-"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0 && gb_text_ends(name, ".dat"))
            return true;
    return false;
}

static void remove_from(plot_command *c, const char *path, bool (*wanted)(const char *name))
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (wanted(entry->d_name)) unlink(gb_arena_printf(&c->arena, "%s/%s", path, entry->d_name));
    if (folder) closedir(folder);
}

/* Removes a folder of plain files. */
static void remove_folder(plot_command *c, const char *path)
{
    remove_from(c, path, is_file);
    rmdir(path);
}

/* A screen: of the terminal that stdout is, or that stderr is where stdout is a pager's; else as
 * terminals were. The last line is the shell's. */
static gb_plot_target terminal_target(const plot_command *c)
{
    enum { COLUMNS = 80, LINES = 24, MOST_COLUMNS = 160, MOST_LINES = 42, OWN = 1 };
    unsigned columns = gb_terminal_columns(stdout), lines = gb_terminal_lines(stdout);
    if (columns == 0) columns = gb_terminal_columns(stderr);
    if (lines == 0) lines = gb_terminal_lines(stderr);
    if (columns == 0) columns = COLUMNS;
    if (lines <= OWN) lines = LINES;
    return (gb_plot_target){
        .format = "dumb",
        .common = c->common,
        .columns = columns < MOST_COLUMNS ? (int)columns : MOST_COLUMNS,
        .lines = (int)(lines < MOST_LINES ? lines : MOST_LINES) - OWN,
        .colour = gb_use_colour(stdout),
        .untitled = c->no_title,
    };
}

static bool has_screen(plot_command *c)
{
    enum { LEAST_COLUMNS = 50, LEAST_LINES = 15 };
    const gb_plot_target target = terminal_target(c);
    if (target.columns >= LEAST_COLUMNS && target.lines >= LEAST_LINES) return true;
    gb_fail(&c->error, GB_WRONG,
            "--terminal: a figure needs %d columns and %d lines at least, and this screen has %d "
            "and %d; without --terminal it goes into a file",
            LEAST_COLUMNS, LEAST_LINES + 1, target.columns, target.lines + 1);
    return false;
}

static bool draw_target(plot_command *c, const figure *f, const char *folder,
                        const gb_plot_target *target)
{
    const bool written =
        f->dump ? gb_plot_dump_write(&c->arena, folder, f->script, f->dump, target, &c->error)
                : gb_plot_data_write(&c->arena, folder, f->script, f->set, f->slice, f->paper,
                                     target, &c->error);
    if (!written) return false;
    if (!gb_plot_draw(&c->arena, folder, f->script->path, target, &c->error)) {
        c->unfit = c->error.status == GB_UNSUPPORTED;
        return false;
    }
    c->drawn++;
    if (!c->terminal) printf("%s\n", target->output);
    return true;
}

/* Copies a drawing in characters to stdout: of its pages, which begin with form feeds, the lines
 * from the first to the last that are not blank, without blanks at their ends, and one between. */
static bool show(plot_command *c, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        gb_fail(&c->error, GB_CRASHED, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t size = 0, blank = 0;
    while (getline(&line, &size, file) >= 0) {
        char *text = line + strspn(line, "\f");
        size_t length = strcspn(text, "\r\n");
        while (length > 0 && text[length - 1] == ' ')
            length--;
        blank += length == 0;
        if (text != line && c->shown_lines > 0) blank = 1;
        if (length == 0) continue;
        for (; blank > 0; blank--)
            if (c->shown_lines > 0) putchar('\n');
        printf("%.*s\n", (int)length, text);
        c->shown_lines++;
    }
    free(line);
    fclose(file);
    return true;
}

static bool draw(plot_command *c, const figure *f)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = gb_arena_printf(&c->arena, "%s/gpubench-plot-XXXXXX",
                                   temporary && *temporary ? temporary : "/tmp");
    if (c->keep_data) {
        folder = gb_arena_printf(&c->arena, "%s/%s.data", c->out, f->name);
        if (!make_folder(c, folder)) return false;
        remove_from(c, folder, is_table);
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
        gb_plot_target target = {.format = format, .common = c->common, .untitled = c->no_title};
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

/* ---- which figures there are ------------------------------------------------------------------
 */

static figure *add_figure(plot_command *c, const gb_plot_script *script, const char *shown)
{
    c->figures = gb_arena_grow(&c->arena, c->figures, c->figure_count, &c->figure_capacity,
                               sizeof *c->figures);
    figure *added = &c->figures[c->figure_count++];
    *added = (figure){.script = script,
                      .shown = shown,
                      .source = c->source,
                      .fallback = script->generic && !c->figure};
    return added;
}

/* An experiment's figures carry its name, so that two of one primitive do not collide. */
static void add_slice(plot_command *c, const gb_plot_script *script, const char *shown,
                      const gb_result_set *set, const gb_slice *slice, const gb_result_set *paper)
{
    const char *stem = set->published ? set->primitive : set->experiment;
    figure *added = add_figure(c, script, shown);
    added->name = gb_arena_printf(&c->arena, "%s%s%s%s", stem, script->what,
                                  *slice->suffix ? "-" : "", slice->suffix);
    added->set = set;
    added->slice = slice;
    added->paper = paper;
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

/* The published numbers to draw beside a set. */
static bool find_paper(plot_command *c, const gb_plot_script *script, const gb_result_set *set,
                       const gb_result_set **paper)
{
    *paper = NULL;
    if (c->no_published) return true;
    c->papers =
        gb_arena_grow(&c->arena, c->papers, c->paper_count, &c->paper_capacity, sizeof *c->papers);
    gb_results *read = gb_arena_alloc(&c->arena, sizeof *read);
    *read = (gb_results){0};
    c->papers[c->paper_count++] = read;
    return gb_published_pair(&c->results, set, c->published_file, script->layout.paper, read, paper,
                             &c->error);
}

static bool plan_rows(plot_command *c, gb_plot_script *script, const char *shown,
                      const gb_result_set *set)
{
    if (script->dump || script->profile != set->profile) return true; /* it draws another kind */
    c->tried = true;
    if (script->only && !c->figure && !lists(script->only, set->experiment)) {
        gb_fail(&c->error, GB_UNSUPPORTED,
                "it is made for experiment %s, not for '%s'; --figure names it to draw it all the "
                "same",
                script->only, set->experiment);
        return false;
    }
    if (script->generic) set = gb_plot_default_fill(&c->arena, set, &c->chosen, script);
    prefer_largest(c, script, set);
    const gb_result_set *paper;
    if (!find_paper(c, script, set, &paper)) return false;
    bool drawn[GB_MAX_AXES] = {false};
    const char *const axes[] = {script->x, script->panels};
    for (size_t i = 0; i < 2; i++) {
        int axis = axes[i] ? gb_result_axis(set, axes[i]) : -1;
        if (axis >= 0) drawn[axis] = true;
    }
    gb_slices slices;
    if (!gb_table_derive(&c->arena, &script->layout, drawn, &set, &paper, &c->error) ||
        !gb_results_slice(&c->arena, set, drawn, &script->layout.where, &c->chosen, &slices,
                          &c->error))
        return false;
    if (script->generic && slices.hidden)
        script->remark = gb_arena_printf(&c->arena, "%s%sNot drawn: %s.", script->remark,
                                         *script->remark ? " " : "", slices.hidden);
    for (size_t i = 0; i < slices.count; i++)
        add_slice(c, script, shown, set, &slices.items[i], paper);
    return true;
}

static bool plan_dump(plot_command *c, const gb_plot_script *script, const char *shown,
                      const gb_dump_file *dump)
{
    if (!script->dump || strcmp(script->dump, dump->dump) != 0) return true;
    c->tried = true;
    figure *added = add_figure(c, script, shown);
    added->name = dump->name;
    added->dump = dump;
    return true;
}

static void know_script(plot_command *c, const char *name)
{
    for (size_t i = 0; i < c->script_count; i++)
        if (strcmp(c->scripts[i], name) == 0) return;
    c->scripts = gb_arena_grow(&c->arena, c->scripts, c->script_count, &c->script_capacity,
                               sizeof *c->scripts);
    c->scripts[c->script_count++] = name;
}

/* What was left out for a choice that one of several experiments or figures cannot meet; false:
 * something else is wrong. */
static bool leave_out(const plot_command *c, const char *shown)
{
    if (c->error.status != GB_UNSUPPORTED) return false;
    fprintf(stderr, "gpubench plot: left out %s: %s\n", shown, c->error.text);
    return true;
}

/* All figures of a set or of a dump of this primitive: plots/<primitive>.gp and
 * plots/<primitive>-*.gp, or the one asked for. */
static bool plan_all_of(plot_command *c, const char *primitive, const gb_result_set *set,
                        const gb_dump_file *dump)
{
    char **paths = gb_share_list(&c->arena, "plots", primitive, ".gp");
    for (; *paths; paths++) {
        const char *name = strrchr(*paths, '/') + 1, *what = name + strlen(primitive);
        if (*what != '-' && *what != '.') continue; /* another primitive's */
        char *stem = gb_arena_strndup(&c->arena, name, strlen(name) - strlen(".gp"));
        know_script(c, stem);
        if (c->figure && strcmp(c->figure, stem) != 0) continue;
        gb_plot_script *script = gb_arena_alloc(&c->arena, sizeof *script);
        if (!gb_plot_script_load(&c->arena, *paths, stem + strlen(primitive), script, &c->error))
            return false;
        if (script->generic) continue; /* of a primitive that is called so */
        const bool good = set ? plan_rows(c, script, stem, set) : plan_dump(c, script, stem, dump);
        if (!good && !leave_out(c, stem)) return false;
    }
    return true;
}

/* The figure that any rows have, plots/default.gp: where it is asked for, and to fall back on. */
static bool plan_default(plot_command *c, const gb_result_set *set)
{
    static const char name[] = "default";
    const char *path = gb_share_find(&c->arena, "plots/default.gp");
    if (!path || set->profile) return true;
    know_script(c, name);
    if (c->figure && strcmp(c->figure, name) != 0) return true;
    gb_plot_script *script = gb_arena_alloc(&c->arena, sizeof *script);
    if (!gb_plot_script_load(&c->arena, path, "-default", script, &c->error)) return false;
    const bool alone = c->figure_count == 0 || c->figures[c->figure_count - 1].source != c->source;
    if (plan_rows(c, script, name, set)) return true;
    /* beside other figures it was not to be drawn */
    return alone ? leave_out(c, name) : c->error.status == GB_UNSUPPORTED;
}

static bool plan(plot_command *c)
{
    for (size_t i = 0; i < c->results.set_count; i++, c->source++) {
        const gb_result_set *set = &c->results.sets[i];
        if (!gb_published_serves(&c->results, set) &&
            (!plan_all_of(c, set->primitive, set, NULL) || !plan_default(c, set)))
            return false;
    }
    for (size_t i = 0; i < c->results.dump_count; i++, c->source++)
        if (!plan_all_of(c, c->results.dumps[i].primitive, NULL, &c->results.dumps[i]))
            return false;
    return true;
}

/* ---- their names ------------------------------------------------------------------------------
 */

/* Adds a device to a text, once. */
static void add_device(plot_command *c, const char **text, const char *device)
{
    if (!strstr(*text, device))
        *text = gb_arena_printf(&c->arena, "%s%s%s", *text, **text ? " " : "", device);
}

static const char *devices_of(plot_command *c, const figure *f)
{
    const char *text = "";
    if (f->dump ? f->dump->simt : f->set->simt) return "simt";
    for (size_t i = 0; f->dump && i < f->dump->table_count; i++)
        add_device(c, &text, f->dump->tables[i].device);
    for (size_t i = 0; f->slice && i < f->slice->device_count; i++)
        add_device(c, &text, f->slice->devices[i]);
    return text;
}

/* Figures of experiments on the simt device and on a GPU, or of dumps in two folders, would replace
 * one another. */
static void name_figures(plot_command *c)
{
    gb_plot_name *names = gb_arena_alloc(&c->arena, (c->figure_count + 1) * sizeof *names);
    for (size_t i = 0; i < c->figure_count; i++) {
        const figure *f = &c->figures[i];
        names[i] =
            (gb_plot_name){.name = f->name,
                           .apart = {[GB_PLOT_OF_DEVICES] = devices_of(c, f),
                                     [GB_PLOT_OF_PLACE] = f->dump ? f->dump->folder : f->set->scope,
                                     [GB_PLOT_OF_SCRIPT] = f->shown}};
    }
    gb_plot_names_tell_apart(&c->arena, names, c->figure_count);
    for (size_t i = 0; i < c->figure_count; i++)
        c->figures[i].name = names[i].name;
}

/* ---- the command ------------------------------------------------------------------------------
 */

/* Whether another figure of the same results was drawn. */
static bool is_needless(const plot_command *c, const figure *f)
{
    for (size_t i = 0; f->fallback && i < c->figure_count; i++)
        if (c->figures[i].source == f->source && !c->figures[i].fallback && c->figures[i].drawn)
            return true;
    return false;
}

/* How to draw into a file what does not fit on the screen: the same command without --terminal. */
static void say_file(const plot_command *c, const figure *f)
{
    enum { ADDED = 5 };
    const char **words = calloc((size_t)c->argc + ADDED, sizeof *words);
    size_t count = 0;
    if (!words) return;
    words[count++] = "gpubench";
    words[count++] = "plot";
    for (int i = 1; i < c->argc; i++)
        if (strcmp(c->argv[i], "--terminal") != 0) words[count++] = c->argv[i];
    if (!c->figure) words[count++] = "--figure";
    if (!c->figure) words[count++] = f->shown;
    char *line = gb_shell_line(words, count);
    if (line) fprintf(stderr, "gpubench plot: in a file: %s\n", line);
    free(line);
    free(words);
}

static bool draw_figures(plot_command *c)
{
    name_figures(c);
    for (size_t i = 0; i < c->figure_count; i++) {
        figure *f = &c->figures[i];
        if (is_needless(c, f)) continue;
        f->drawn = draw(c, f);
        if (f->drawn) continue;
        if (!leave_out(c, f->shown)) return false;
        if (!c->unfit) continue;
        say_file(c, f);
        f->drawn = true; /* in a file it can be: nothing else is to stand for it */
        c->unfit = false;
    }
    return true;
}

/* Why nothing was drawn. */
static void say_nothing_drawn(plot_command *c)
{
    if (c->tried)
        gb_fail(&c->error, GB_WRONG, "there is nothing to draw: every figure was left out");
    else if (c->figure && c->script_count > 0)
        gb_fail(&c->error, GB_WRONG,
                "--figure %s: no script plots/%s.gp draws these results; there is: %s", c->figure,
                c->figure, gb_arena_listed(&c->arena, c->scripts, c->script_count));
    else
        gb_fail(&c->error, GB_WRONG,
                "no script plots/%s*.gp draws these results (`gpubench table` prints them); looked "
                "in: %s",
                c->results.set_count ? c->results.sets[0].primitive : c->results.dumps[0].primitive,
                gb_share_places(&c->arena));
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
    if (c->terminal && !has_screen(c)) goto failed;
    if (!plan(c) || !draw_figures(c)) goto failed;
    if (c->drawn > 0) return GB_EXIT_OK;
    say_nothing_drawn(c);
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

/* --paper-width */
static bool take_width(void *to, const char *option, const char *argument, gb_error *error)
{
    plot_command *c = to;
    c->width = gb_plot_parse_width(option, argument, error);
    return c->width != NULL;
}

int gb_command_plot(int argc, char **argv)
{
    plot_command c = {.wanted = {[GB_PLOT_SVG] = true, [GB_PLOT_PDF] = true, [GB_PLOT_PNG] = true},
                      .argc = argc,
                      .argv = argv};
    gb_chooser chooser = {&c.arena, &c.chosen};
    int status;
    const gb_option own[] = {
        gb_option_text("out", "DIR",
                       "where the figures go (default: the folder of the first RESULTS)", &c.out),
        gb_option_special("format", "svg|pdf|png|eps,...",
                          "separated by commas (default: svg, pdf and png)", take_formats, &c),
        gb_option_special("paper-width", "column|page",
                          "to print so wide in a paper: 3.33 or 7 inches, 8 pt, as PDF, without a "
                          "title",
                          take_width, &c),
        gb_option_special("paper", "column|page", "the former name of --paper-width", take_width,
                          &c),
        gb_option_flag("no-title", "leave title and subtitle to a caption", &c.no_title),
        gb_option_flag("terminal", "draw here, in characters, and write no file", &c.terminal),
        gb_option_text("figure", "NAME",
                       "only this one: plots/NAME.gp (default: all plots/<primitive>*.gp)",
                       &c.figure),
        gb_option_flag("keep-data", "leave the data tables in DIR/<figure>.data", &c.keep_data),
        gb_option_text("published", "FILE",
                       "published numbers to draw beside (default: the script's)",
                       &c.published_file),
        gb_option_flag("no-published", "measured numbers only", &c.no_published),
        gb_choice_cache(&chooser),
        gb_choice_scope(&chooser),
        gb_choice_variant(&chooser),
        {0}};
    c.options = own;
    gb_interrupt_install();
    if (!gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv), &status))
        goto done;
    status = plot(&c, argc, argv);
done:
    gb_results_free(&c.results);
    for (size_t i = 0; i < c.paper_count; i++)
        gb_results_free(c.papers[i]);
    gb_arena_free(&c.arena);
    return status;
}
