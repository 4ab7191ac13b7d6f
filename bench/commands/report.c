/* gpubench report: one HTML page that needs nothing beside it. */
#include "bench/commands/commands.h"
#include "bench/report/page.h"
#include "bench/util/destination.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/replace.h"
#include "bench/util/share.h"
#include "common/text/file.h"
#include "common/text/limits.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const gb_command_help help = {
    .usage = "report RESULTS... [options]",
    .summary =
        "Writes one HTML page of results: the papers' tables and figures beside what was\n"
        "measured, which claims hold, the devices, the raw rows. It needs no network and\n"
        "nothing beside it. RESULTS are files that `gpubench run` wrote or folders of them.\n",
    .examples = "  gpubench report results/nvidia-h200\n"
                "  gpubench report results/nvidia-h200 results/nvidia-h100 --out both.html\n"};

enum { MOST_ASSET = 1 << 20 };

/* Text of a file that comes along. */
static bool load_asset(gb_report *report, const char *name, const char **text, gb_error *error)
{
    size_t length;
    const char *path = gb_share_find(&report->sides.arena, name);
    if (!path) {
        gb_fail(error, GB_WRONG, "there is no %s in any of: %s", name,
                gb_share_places(&report->sides.arena));
        return false;
    }
    char *read = gb_file_read(path, "text", MOST_ASSET, &length, GB_WRONG, error);
    if (!read) return false;
    *text = gb_arena_strdup(&report->sides.arena, read);
    free(read);
    return true;
}

/* Copies what a process said to stderr. */
static void show(const char *path)
{
    FILE *said = fopen(path, "r");
    for (int character; said && (character = getc(said)) != EOF;)
        putc(character, stderr);
    if (said) fclose(said);
}

/* Lets `gpubench plot` draw into a folder. Which figures do not fit which experiment it says, too,
 * which is of no interest here unless it fails. */
static bool draw(gb_arena *arena, char **paths, size_t count, const char *folder, gb_error *error)
{
    const char *log = gb_arena_printf(arena, "%s/log", folder);
    const char **argv = gb_arena_alloc(arena, (count + 7) * sizeof *argv);
    size_t at = 0;
    argv[at++] = program_invocation_name;
    argv[at++] = "plot";
    for (size_t i = 0; i < count; i++)
        argv[at++] = paths[i];
    argv[at++] = "--format";
    argv[at++] = "svg";
    argv[at++] = "--out";
    argv[at++] = folder;
    const pid_t child = fork();
    if (child < 0) {
        char limit[GB_LIMIT_TEXT];
        const int reason = errno;
        gb_fail(error, GB_CRASHED,
                "no process to draw the figures: %s%s (--no-figures does without)",
                strerror(reason), gb_limit_behind(reason, limit));
        return false;
    }
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen(log, "w", stderr)) _exit(127);
        execv("/proc/self/exe", (char *const *)argv);
        _exit(127);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (gb_interrupted) kill(child, SIGTERM);
    if (gb_interrupted) {
        gb_fail(error, GB_CRASHED, "interrupted");
    } else if (status != 0) {
        show(log);
        gb_fail(error, GB_WRONG,
                "the figures could not be drawn (see above; --no-figures does without)");
    }
    unlink(log);
    return status == 0 && !gb_interrupted;
}

static void remove_figures(const gb_report *report, const char *folder)
{
    for (size_t i = 0; i < report->figure_count; i++)
        unlink(report->figures[i]);
    rmdir(folder);
}

static bool write_page(gb_report *report, const char *out, gb_error *error)
{
    char *text = NULL;
    size_t size;
    report->file = open_memstream(&text, &size);
    report->error = error;
    if (!report->file) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return false;
    }
    bool good = gb_report_write(report);
    good = fclose(report->file) == 0 && good && gb_files_replace(out, text, size, error);
    free(text);
    return good;
}

static bool make(gb_report *report, char **paths, size_t count, const char *out, bool figures,
                 gb_error *error)
{
    gb_arena *arena = &report->sides.arena;
    if (!gb_sides_load(&report->sides, paths, count, error)) return false;
    if (!gb_destination_check(out, error)) return false;
    bool measured = false;
    for (size_t i = 0; i < report->sides.count; i++)
        measured |= !report->sides.items[i].published;
    if (!measured) {
        gb_fail(error, GB_WRONG, "the results hold no measured row");
        return false;
    }
    if (!gb_claims_load_all(arena, &report->claims, error) ||
        !gb_noise_load_beside(arena, paths, count, &report->noise, error) ||
        !load_asset(report, "plots/report.css", &report->style, error) ||
        !load_asset(report, "plots/report.js", &report->script, error) ||
        !gb_papers_load(arena, &report->papers, error))
        return false;
    const char *temporary = getenv("TMPDIR");
    char *folder = gb_arena_printf(arena, "%s/gpubench-report-XXXXXX",
                                   temporary && *temporary ? temporary : "/tmp");
    if (figures && !mkdtemp(folder)) {
        gb_fail(error, GB_WRONG, "cannot create %s: %s (TMPDIR names another place)", folder,
                strerror(errno));
        return false;
    }
    bool good = !figures || draw(arena, paths, count, folder, error);
    if (figures) report->figures = gb_folder_list(arena, folder, "", ".svg");
    while (figures && report->figures[report->figure_count])
        report->figure_count++;
    good = good && write_page(report, out, error);
    if (figures) remove_figures(report, folder);
    return good;
}

int gb_command_report(int argc, char **argv)
{
    gb_report report = {0};
    gb_error error = {GB_OK, ""};
    const char *out = NULL;
    bool no_figures = false;
    int status;
    const gb_option options[] = {
        gb_option_text("out", "FILE",
                       "the page (default: report.html in the folder of the first RESULTS)", &out),
        gb_option_flag("no-figures", "tables alone: gnuplot is not needed", &no_figures),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    if (optind >= argc) {
        fprintf(stderr, "gpubench report: name at least one result file or folder, such as "
                        "results/nvidia-h200; --help says more\n");
        return GB_EXIT_USAGE;
    }
    gb_arena *arena = &report.sides.arena;
    if (!out) out = gb_arena_printf(arena, "%s/report.html", gb_result_folder(arena, argv[optind]));
    gb_interrupt_install();
    const bool good =
        make(&report, argv + optind, (size_t)(argc - optind), out, !no_figures, &error);
    status = good ? GB_EXIT_OK : gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_USAGE;
    if (good)
        printf("%s\n", out);
    else if (status != GB_EXIT_INTERRUPTED)
        fprintf(stderr, "gpubench report: %s\n", error.text);
    gb_sides_free(&report.sides);
    return status;
}
