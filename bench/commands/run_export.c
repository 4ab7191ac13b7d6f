/* Exports of finished runs. */
#include "bench/commands/run_export.h"

#include "bench/rows/foreign_of.h"
#include "bench/rows/run_facts.h"
#include "bench/util/destination.h"

#include <stdio.h>
#include <string.h>

char *gb_export_beside(gb_arena *arena, const char *csv, gb_export_format format)
{
    return gb_beside_result(arena, csv,
                            gb_arena_printf(arena, ".%s.json", gb_export_names[format]));
}

/* --export FORMAT[=FILE] */
static bool take_export(void *to, const char *option, const char *argument, gb_error *error)
{
    gb_run_exports *exports = to;
    const size_t length = strcspn(argument, "=");
    const char *file = argument[length] ? argument + length + 1 : NULL;
    unsigned format = 0;
    while (format < GB_EXPORT_FORMATS && (strlen(gb_export_names[format]) != length ||
                                          strncmp(gb_export_names[format], argument, length) != 0))
        format++;
    if (format == GB_EXPORT_FORMATS) {
        gb_fail(error, GB_WRONG,
                "--%s %.60s: the formats are nvbench and google-benchmark; =FILE behind one names "
                "the file",
                option, argument);
        return false;
    }
    for (size_t i = 0; i < exports->count; i++)
        if (exports->items[i].format == format) {
            gb_fail(error, GB_WRONG, "--%s %s is given twice", option, gb_export_names[format]);
            return false;
        }
    if (file && !*file) {
        gb_fail(error, GB_WRONG, "--%s %s: no file is named behind '='", option, argument);
        return false;
    }
    exports->items[exports->count].format = (gb_export_format)format;
    exports->items[exports->count++].file = file;
    return true;
}

gb_option gb_run_export_option(gb_run_exports *exports)
{
    return gb_option_special("export", "nvbench|google-benchmark[=FILE]",
                             "also so, for those tools' scripts (default: NAME.FORMAT.json beside)",
                             take_export, exports);
}

bool gb_run_exports_fit(const gb_run_exports *exports, size_t configs, const char *runs)
{
    for (size_t i = 0; i < exports->count; i++) {
        if (!exports->items[i].file || (configs == 1 && !runs)) continue;
        fprintf(stderr,
                "gpubench run: --export %s=%s: one file cannot hold %s: leave =FILE out, and each "
                "has its own beside its results\n",
                gb_export_names[exports->items[i].format], exports->items[i].file,
                runs ? runs : "several configs");
        return false;
    }
    return true;
}

bool gb_run_exports_check(const gb_run_exports *exports)
{
    gb_error error;
    for (size_t i = 0; i < exports->count; i++) {
        if (!exports->items[i].file || gb_destination_check(exports->items[i].file, &error))
            continue;
        fprintf(stderr, "gpubench run: --export: %s\n", error.text);
        return false;
    }
    return true;
}

bool gb_run_exports_write(const gb_run_exports *exports, const char *csv, int argc, char **argv)
{
    bool good = true;
    for (size_t i = 0; i < exports->count; i++) {
        gb_arena arena = {0};
        gb_error error = {GB_OK, ""};
        const gb_export_format format = exports->items[i].format;
        const char *file = exports->items[i].file;
        if (!file) file = gb_export_beside(&arena, csv, format);
        if (gb_results_export(csv, format, file, (const char *const *)argv, (size_t)argc, &error)) {
            printf("export:  %s\n", file);
        } else {
            fprintf(stderr, "gpubench run: --export %s: %s\n", gb_export_names[format], error.text);
            good = false;
        }
        gb_arena_free(&arena);
    }
    fflush(stdout);
    return good;
}
