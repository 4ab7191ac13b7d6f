/* gpubench audit: rows that must be alike and are not. */
#include "bench/audit/audit.h"
#include "bench/commands/commands.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"

#include <getopt.h>
#include <stdio.h>

static const gb_command_help help = {
    .usage = "audit RESULTS... [options]",
    .summary =
        "Looks for rows that are slower than others that they must equal: ascending and\n"
        "descending, u32 and i32, warm and cold beyond the L2, the same point in two\n"
        "experiments, neighbours along an axis. plots/audit.json has the rules; what\n"
        "audit-known.csv beside the results explains does not count. RESULTS are files that\n"
        "`gpubench run` wrote or folders of them. Exit status 1: something is unexplained.\n",
    .examples = "  gpubench audit results/nvidia-h200\n"
                "  gpubench audit results/nvidia-h200/radix-sort-modern.csv --rows\n"};

static bool audit_all(gb_audit *audit, char **paths, size_t count, gb_error *error)
{
    static gb_audit_rules rules;
    static gb_audit_knowns knowns;
    static gb_noise noise;
    gb_arena *arena = &audit->sides->arena;
    audit->rules = &rules;
    audit->knowns = &knowns;
    audit->noise = &noise;
    if (!gb_audit_rules_load(arena, &rules, error) ||
        !gb_sides_load(audit->sides, paths, count, error) ||
        !gb_noise_load_beside(arena, paths, count, &noise, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!gb_audit_known_load(arena, paths[i], &rules, &knowns, error)) return false;
    gb_audit_find(audit);
    if (audit->rows || audit->simt) return true;
    gb_fail(error, GB_WRONG, "the results hold no measured row%s%s",
            audit->device ? " of a device whose name has this in it: " : "",
            audit->device ? audit->device : "");
    return false;
}

int gb_command_audit(int argc, char **argv)
{
    gb_sides sides = {0};
    gb_audit audit = {.sides = &sides};
    gb_error error = {GB_OK, ""};
    gb_audit_output output = {.file = stdout};
    unsigned format = 0;
    int status;
    const gb_option options[] = {
        gb_option_text("device", "NAME", "only devices whose name has this in it, such as H200",
                       &audit.device),
        gb_option_flag("rows", "show differences, too, whose cause is known", &output.rows),
        gb_exporter_option("how to write it (default: text)", gb_audit_exporters, &format),
        gb_option_no_pager(),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    if (optind >= argc) {
        fprintf(stderr, "gpubench audit: name at least one result file or folder, such as "
                        "results/nvidia-h200; --help says more\n");
        return GB_EXIT_USAGE;
    }
    status = GB_EXIT_USAGE;
    if (!audit_all(&audit, argv + optind, (size_t)(argc - optind), &error)) {
        fprintf(stderr, "gpubench audit: %s\n", error.text);
    } else {
        const gb_exporter *exporter = &gb_audit_exporters[format];
        gb_exporter_begin(exporter, &output);
        exporter->item(&output, &audit);
        gb_exporter_end(exporter, &output);
        status = audit.open || audit.stale ? GB_EXIT_FAILED : GB_EXIT_OK;
    }
    gb_sides_free(&sides);
    return status;
}
