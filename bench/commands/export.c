/* gpubench export: results in the formats of other tools. */
#include "bench/commands/commands.h"
#include "bench/commands/run_export.h"
#include "bench/rows/foreign_of.h"
#include "bench/util/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const gb_command_help help = {
    .usage = "export RESULTS [options]",
    .summary =
        "Writes results with their samples as NVBench or google/benchmark would have, for\n"
        "scripts and dashboards that read those: RESULTS.nvbench.json (its samples beside,\n"
        "in binary files) or RESULTS.google-benchmark.json. RESULTS is a file that\n"
        "`gpubench run` wrote, or a folder of them. docs/other-tools.md says what becomes of\n"
        "what; `gpubench compare` and the like read them as they read the results.\n",
    .examples =
        "  gpubench export results/nvidia-h200/octree.csv --format nvbench\n"
        "  gpubench export results/nvidia-h200 --format google-benchmark --out h200.json\n"};

static bool check_operand(const char *path, const char *out, gb_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        gb_fail(error, GB_WRONG, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISDIR(info.st_mode) || out) return true;
    gb_fail(error, GB_WRONG,
            "%s is a folder, all of whose results go into one file: --out names it", path);
    return false;
}

int gb_command_export(int argc, char **argv)
{
    const char *out = NULL;
    unsigned format = GB_EXPORT_NVBENCH;
    int status;
    gb_error error = {GB_OK, ""};
    gb_arena arena = {0};
    const gb_option options[] = {
        gb_option_word("format", NULL, "whose format (default: nvbench)", &format, gb_export_names),
        gb_option_text("out", "FILE", "where to (default: beside RESULTS)", &out),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    if (optind + 1 != argc) {
        fprintf(stderr, "gpubench export: name one result file or folder, such as "
                        "results/nvidia-h200/octree.csv; --help says more\n");
        return GB_EXIT_USAGE;
    }
    const char *results = argv[optind];
    bool good = check_operand(results, out, &error);
    if (!out) out = gb_export_beside(&arena, results, (gb_export_format)format);
    static const char *const command[] = {"gpubench", "export"};
    good = good && gb_results_export(results, (gb_export_format)format, out, command, 2, &error);
    if (good)
        printf("%s\n", out);
    else
        fprintf(stderr, "gpubench export: %s\n", error.text);
    gb_arena_free(&arena);
    return good ? GB_EXIT_OK : GB_EXIT_USAGE;
}
