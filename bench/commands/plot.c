/* gpubench plot: figures of results, drawn by gnuplot from the scripts in plots/. */
#include "bench/commands/commands.h"
#include "bench/plot/draw.h"
#include "bench/plot/figures.h"
#include "bench/plot/formats.h"
#include "bench/plot/make.h"
#include "bench/plot/screen.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"
#include "bench/util/share.h"
#include "bench/util/shell.h"
#include "bench/util/temporary.h"
#include "common/text/text.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const gb_command_help help = {
    .usage = "plot RESULTS... [options]",
    .summary = "Draws results with gnuplot, the papers' numbers beside. RESULTS are files that\n"
               "`gpubench run` or `gpubench dump` wrote, folders of them, or files of other tools\n"
               "(NVBench, google/benchmark, hyperfine, CSV with --map). --AXIS VALUE[,VALUE...]\n"
               "(--dist binomial) chooses the values of any axis; all is every value.\n",
    .examples = "  gpubench plot results/nvidia-h200\n"
                "  gpubench plot results/nvidia-h200 --figure multipartition-bins --terminal\n"
                "  gpubench plot results/nvidia-h200 --format svg --out /tmp/figures\n"
                "  gpubench plot results/nvidia-h200 --paper-width column --out /tmp/figures\n"};

typedef struct plot_command {
    gb_arena arena;
    const gb_option *options; /* its own, without those of axes */
    gb_results results;
    gb_choices chosen;
    gb_foreign_map map;
    const char *out, *common;
    gb_plot_figures figures;      /* its wishes come from options, too */
    bool wanted[GB_PLOT_FORMATS]; /* by gb_plot_format_names */
    const gb_plot_width *width;   /* NULL: for the screen */
    bool formats_named, terminal, keep_data, no_title, no_pager;
    bool unfit;            /* the last one is too large for the screen */
    gb_plot_target screen; /* with --terminal */
    size_t shown_lines;    /* on it */
    int argc;              /* as it was called */
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

/* "series-12.dat", as a figure of fewer or other series would leave it. */
static bool is_table(const char *name)
{
    static const char *const kinds[] = {"series-", "limit-", "table-"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0 && gb_text_ends(name, ".dat"))
            return true;
    return false;
}

static bool draw_target(plot_command *c, const gb_plot_figure *f, const char *folder,
                        const gb_plot_target *target)
{
    if (!gb_plot_write(&c->arena, folder, f, target, &c->error)) return false;
    if (!gb_plot_draw(&c->arena, folder, f->script->path, target, &c->error)) {
        c->unfit = c->error.status == GB_UNSUPPORTED;
        return false;
    }
    c->drawn++;
    if (!c->terminal) printf("%s\n", target->output);
    return true;
}

static bool draw(plot_command *c, const gb_plot_figure *f)
{
    const char *folder;
    if (c->keep_data) {
        folder = gb_arena_printf(&c->arena, "%s/%s.data", c->out, f->name);
        if (!make_folder(c, folder)) return false;
        gb_plot_remove_files(&c->arena, folder, is_table);
    } else if (!(folder = gb_temporary_folder(&c->arena, "plot", &c->error))) {
        return false;
    }
    bool ok = true;
    if (c->terminal) {
        gb_plot_target target = c->screen;
        target.output = gb_arena_printf(&c->arena, "%s/terminal.txt", folder);
        ok = draw_target(c, f, folder, &target) &&
             gb_plot_show(target.output, stdout, &c->shown_lines, &c->error);
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
    if (!c->keep_data) gb_plot_remove_folder(&c->arena, folder);
    return ok;
}

/* How to draw into a file what does not fit on the screen: the same command without --terminal. */
static void say_file(const plot_command *c, const gb_plot_figure *f)
{
    enum { ADDED = 5 };
    const char **words = calloc((size_t)c->argc + ADDED, sizeof *words);
    size_t count = 0;
    if (!words) return;
    words[count++] = "gpubench";
    words[count++] = "plot";
    for (int i = 1; i < c->argc; i++)
        if (strcmp(c->argv[i], "--terminal") != 0) words[count++] = c->argv[i];
    if (!c->figures.only) words[count++] = "--figure";
    if (!c->figures.only) words[count++] = f->shown;
    char *line = gb_shell_line(words, count);
    if (line) fprintf(stderr, "gpubench plot: in a file: %s\n", line);
    free(line);
    free(words);
}

static bool draw_figures(plot_command *c)
{
    for (size_t i = 0; i < c->figures.count; i++) {
        gb_plot_figure *f = &c->figures.items[i];
        if (gb_plot_is_needless(&c->figures, f)) continue;
        f->drawn = draw(c, f);
        if (f->drawn) continue;
        if (!gb_plot_leave_out(&c->figures, f->shown, &c->error)) return false;
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
    if (c->figures.tried)
        gb_fail(&c->error, GB_WRONG, "there is nothing to draw: every figure was left out");
    else if (c->figures.only && c->figures.script_count > 0)
        gb_fail(&c->error, GB_WRONG,
                "--figure %s: no script plots/%s.gp draws these results; there is: %s",
                c->figures.only, c->figures.only,
                gb_arena_listed(&c->arena, c->figures.scripts, c->figures.script_count));
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
    if (!gb_plot_common(&c->arena, &c->common, &c->error)) goto failed;
    c->out = c->out ? without_last_slashes(&c->arena, c->out)
                    : gb_result_folder(&c->arena, argv[optind]);
    if (!c->terminal && !make_folder(c, c->out)) goto failed;
    c->screen = (gb_plot_target){.common = c->common, .untitled = c->no_title};
    if (c->terminal && !gb_plot_screen(&c->screen, &c->error)) goto failed;
    if (c->terminal && !c->no_pager) gb_pager_begin();
    if (!gb_plot_figures_find(&c->figures, &c->error) || !draw_figures(c)) goto failed;
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
    c.figures = (gb_plot_figures){.arena = &c.arena, .results = &c.results, .chosen = &c.chosen};
    gb_chooser chooser = {&c.arena, &c.chosen};
    gb_foreign_mapper mapper = {&c.arena, &c.map};
    c.results.map = &c.map;
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
        gb_option_flag("no-pager", "with --terminal: not in a pager (see GPUBENCH_PAGER)",
                       &c.no_pager),
        gb_option_text("figure", "NAME",
                       "only this one: plots/NAME.gp (default: all plots/<primitive>*.gp)",
                       &c.figures.only),
        gb_option_flag("keep-data", "leave the data tables in DIR/<figure>.data", &c.keep_data),
        gb_option_text("published", "FILE",
                       "published numbers to draw beside (default: the script's)",
                       &c.figures.published_file),
        gb_option_flag("no-published", "measured numbers only", &c.figures.no_published),
        gb_choice_cache(&chooser),
        gb_choice_scope(&chooser),
        gb_choice_variant(&chooser),
        gb_foreign_map_option(&mapper),
        {0}};
    c.options = own;
    gb_interrupt_install();
    if (!gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv), &status))
        goto done;
    status = plot(&c, argc, argv);
done:
    gb_results_free(&c.results);
    gb_plot_figures_free(&c.figures);
    gb_arena_free(&c.arena);
    return status;
}
