/* gpubench run --export: the same results in the formats of other tools. */
#ifndef GB_COMMANDS_RUN_EXPORT_H
#define GB_COMMANDS_RUN_EXPORT_H

#include "bench/foreign/export.h"
#include "bench/util/options.h"

typedef struct gb_run_exports {
    struct {
        gb_export_format format;
        const char *file; /* NULL: beside the results */
    } items[GB_EXPORT_FORMATS];
    size_t count;
} gb_run_exports;

gb_option gb_run_export_option(gb_run_exports *exports);

/* Whether what was asked for can be done with so many configs, run once, or (runs, "the three runs
 * of
 * --aa") several times; says why not on stderr. */
bool gb_run_exports_fit(const gb_run_exports *exports, size_t configs, const char *runs);

/* Whether the files can be written, as far as that can be seen before anything was measured; says
 * why not on stderr. */
bool gb_run_exports_check(const gb_run_exports *exports);

/* Writes the results of a config that was run (NAME.csv) and says where; false, with the reason on
 * stderr, where one cannot be written. */
bool gb_run_exports_write(const gb_run_exports *exports, const char *csv, int argc, char **argv);

/* NAME.csv -> NAME.nvbench.json, NAME.google-benchmark.json */
char *gb_export_beside(gb_arena *arena, const char *csv, gb_export_format format);

#endif
