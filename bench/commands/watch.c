/* gpubench watch: a figure of results that another gpubench is writing. */
#include "bench/commands/commands.h"
#include "bench/plot/apart.h"
#include "bench/plot/screen.h"
#include "bench/record/files.h"
#include "bench/rows/run_facts.h"
#include "bench/util/block.h"
#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/share.h"
#include "common/text/text.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const gb_command_help help = {
    .usage = "watch RESULTS [options]",
    .summary =
        "Follows a run from another terminal: draws its first figure anew as rows come, and\n"
        "ends when the run does, or at Ctrl-C, which leaves the run alone. RESULTS is a\n"
        "result file, or a folder, of which the file counts that was written last.\n",
    .examples = "  gpubench watch results/nvidia-h200\n"
                "  gpubench watch my-results/multipartition.csv --figure multipartition-parts\n"};

static const double look_every_s = 0.25, draw_every_s = 1;

typedef struct watch_command {
    const char *figure, *csv;
    gb_arena arena;
    gb_plot_target screen;
    gb_block block;
    struct timespec drawn_of; /* when the rows that were drawn were written */
    double drawn_at;
} watch_command;

/* ---- which file ------------------------------------------------------------------------------ */

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Of a folder's runs the one whose file was written last; NULL: there is none. */
static const char *newest_in(gb_arena *arena, const char *folder)
{
    const char *newest = NULL;
    struct timespec when = {0};
    for (char **meta = gb_folder_list(arena, folder, "", ".meta.json"); *meta; meta++) {
        struct stat info;
        const size_t stem = strlen(*meta) - strlen(".meta.json");
        const char *csv = gb_arena_printf(arena, "%.*s.csv", (int)stem, *meta);
        if (stat(csv, &info) != 0 || (newest && !is_later(&info.st_mtim, &when))) continue;
        newest = csv;
        when = info.st_mtim;
    }
    return newest;
}

static bool find_file(watch_command *c, const char *path, gb_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        gb_fail(error, GB_WRONG, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    c->csv = S_ISDIR(info.st_mode) ? newest_in(&c->arena, path) : path;
    if (!c->csv)
        gb_fail(error, GB_WRONG, "the folder %s holds no run: `gpubench run` writes NAME.csv",
                path);
    return c->csv != NULL;
}

/* ---- watching -------------------------------------------------------------------------------- */

/* Why there is no figure stands in its place: no row yet, or no gnuplot. */
static char *draw(watch_command *c)
{
    gb_error error = {GB_OK, ""};
    char *text = gb_plot_apart(c->csv, c->figure, &c->screen, &error), *line = NULL;
    if (text) return text;
    const int length = asprintf(&line, "no figure: %s\n", gb_text_cut(error.text, 400));
    return length < 0 ? NULL : line;
}

static void put_state(const watch_command *c, const gb_run_facts *run)
{
    char line[512];
    snprintf(line, sizeof line, "%s: %s; Ctrl-C ends this, not the run", c->csv,
             *run->state ? run->state : "no meta file");
    gb_text_cut(line, (size_t)c->screen.columns - 1);
    printf("\r%s\033[K", line);
    fflush(stdout);
}

static void paint(watch_command *c, const gb_run_facts *run, bool last)
{
    struct stat info;
    const bool there = stat(c->csv, &info) == 0;
    const bool news = there && (is_later(&info.st_mtim, &c->drawn_of) || !c->block.text);
    if (news && (last || gb_now() - c->drawn_at >= draw_every_s)) {
        gb_error error;
        char *text =
            gb_plot_screen_live(&c->screen, stdout, "gpubench watch", &error) ? draw(c) : NULL;
        if (gb_interrupted) return;
        gb_block_hide(&c->block, stdout);
        gb_block_take(&c->block, text);
        c->drawn_of = info.st_mtim;
        c->drawn_at = gb_now();
    }
    gb_block_show(&c->block, stdout);
    put_state(c, run);
}

/* Until the run ends, or somebody ends this. */
static int follow(watch_command *c)
{
    for (;;) {
        gb_arena arena = {0};
        /* the lock goes behind the last word of the meta file, which therefore is read later */
        const bool written = gb_files_written_now(c->csv);
        const gb_run_facts run = gb_run_facts_read(&arena, c->csv);
        const bool going = strcmp(run.state, "running") == 0 || (written && !*run.state);
        const bool gone = going && !written;
        paint(c, &run, !going || gone);
        if (gb_interrupted || !going || gone) {
            const char *end = gone ? "the run is gone; --resume goes on with it" : run.state;
            printf("\r\033[K%s: %s\n", c->csv, gb_interrupted ? "no longer watched" : end);
            gb_arena_free(&arena);
            return gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_OK;
        }
        gb_arena_free(&arena);
        poll(NULL, 0, (int)(1000 * look_every_s));
    }
}

static int watch(watch_command *c, int argc, char **argv)
{
    gb_error error = {GB_OK, ""};
    if (optind + 1 != argc)
        gb_fail(&error, GB_WRONG,
                "name one result file or folder, such as results/nvidia-h200; "
                "--help says more");
    else if (gb_plot_screen_live(&c->screen, stdout, "gpubench watch", &error) &&
             find_file(c, argv[optind], &error))
        return follow(c);
    fprintf(stderr, "gpubench watch: %s\n", error.text);
    return GB_EXIT_USAGE;
}

int gb_command_watch(int argc, char **argv)
{
    watch_command c = {0};
    int status;
    const gb_option options[] = {
        gb_option_text("figure", "NAME", "this one: plots/NAME.gp (default: the first there is)",
                       &c.figure),
        {0}};
    gb_interrupt_install();
    if (gb_options_parse(argc, argv, &help, options, &status)) status = watch(&c, argc, argv);
    gb_block_free(&c.block);
    gb_arena_free(&c.arena);
    return status;
}
