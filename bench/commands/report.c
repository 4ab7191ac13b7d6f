/* gpubench report: one HTML page that needs nothing beside it. */
#include "bench/commands/commands.h"
#include "bench/commands/report_draw.h"
#include "bench/commands/report_generations.h"
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
        "nothing beside it. RESULTS are files that `gpubench run` wrote, folders of them, or\n"
        "files of other tools (NVBench, google/benchmark, hyperfine, CSV with --map).\n",
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

/* What our variants are held against. That no worker says which are ours is said on the page. */
static bool load_standings(gb_report *report, gb_error *error)
{
    gb_arena *arena = &report->sides.arena;
    gb_error none;
    if (!gb_contests_load(arena, &report->contests, error) ||
        !gb_peers_load(arena, &report->peers, error))
        return false;
    if (!gb_owners_ask(&report->owners, report->contests.ours, &none))
        report->no_owners = gb_arena_strdup(arena, none.text);
    return true;
}

/* The figures in the order of their names. */
static void take_figures(gb_report *report, const gb_report_drawings *drawings)
{
    gb_arena *arena = &report->sides.arena;
    char **paths = gb_folder_list(arena, drawings->wide, "", ".svg");
    while (paths[report->figure_count])
        report->figure_count++;
    report->figures = gb_arena_alloc(arena, (report->figure_count + 1) * sizeof *report->figures);
    for (size_t i = 0; i < report->figure_count; i++) {
        const char *file = strrchr(paths[i], '/') + 1;
        const char *name = gb_arena_strndup(arena, file, strlen(file) - strlen(".svg"));
        const char *narrow = gb_arena_printf(arena, "%s/%s-column.svg", drawings->narrow, name);
        report->figures[i] =
            (gb_report_figure){.name = name,
                               .wide = paths[i],
                               .narrow = access(narrow, F_OK) == 0 ? narrow : NULL,
                               .data = gb_arena_printf(arena, "%s/%s.data", drawings->wide, name)};
    }
}

/* Whether some row has a value, which a figure could draw; of what all failed there is none. */
static bool has_values(const gb_report *report)
{
    for (size_t i = 0; i < report->sides.operand_count; i++) {
        const gb_results *results = &report->sides.operands[i];
        for (size_t s = 0; s < results->set_count; s++)
            for (size_t r = 0; r < results->sets[s].row_count; r++)
                if (results->sets[s].rows[r].status == GB_OK) return true;
    }
    return false;
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
        !gb_papers_load(arena, &report->papers, error) || !gb_report_choose(report, error) ||
        !load_standings(report, error) || !gb_report_find_generations(report, error))
        return false;
    gb_report_drawings drawings = {.map = report->sides.map};
    figures = figures && has_values(report);
    bool good = !figures || gb_report_draw(arena, paths, count, &drawings, error);
    if (good && figures) take_figures(report, &drawings);
    good = good && write_page(report, out, error);
    gb_report_remove_drawings(&drawings);
    return good;
}

int gb_command_report(int argc, char **argv)
{
    gb_report report = {0};
    gb_error error = {GB_OK, ""};
    const char *out = NULL;
    bool no_figures = false;
    int status;
    gb_foreign_map map = {0};
    gb_foreign_mapper mapper = {&report.sides.arena, &map};
    report.sides.map = &map;
    const gb_option options[] = {
        gb_option_text("out", "FILE",
                       "the page (default: report.html in the folder of the first RESULTS)", &out),
        gb_option_flag("no-figures", "tables alone: gnuplot is not needed", &no_figures),
        gb_foreign_map_option(&mapper),
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
    gb_owners_free(&report.owners);
    gb_results_free(&report.printed);
    gb_sides_free(&report.sides);
    return status;
}
