/* Results of other tools in memory: what they timed, under the names that their files have. What of
 * each format is taken: docs/other-tools.md. */
#ifndef GB_FOREIGN_FOREIGN_H
#define GB_FOREIGN_FOREIGN_H

#include "bench/foreign/map.h"
#include "common/gpubench.h"
#include "common/text/csv.h"

typedef struct gb_foreign_axis {
    const char *name, *value;
} gb_foreign_axis;

/* Something that was timed, once or many times. Texts are printable lines and never NULL, but for
 * those that say so and for model. */
typedef struct gb_foreign_entry {
    const char *where;                  /* in the file: "benchmarks[2].states[0]" */
    const char *experiment, *primitive; /* NULL: the file does not say */
    const char *variant, *backend, *device, *cache, *scope;
    const char *under; /* conditions of the device (common/protocol/under.h), or "" */
    const char *model; /* in an export: the device, whose name has its conditions, without them */
    gb_status status;
    const char *reason, *unit, *limit_kind;
    gb_foreign_axis *axes; /* at most GB_MAX_AXES once the entry is settled */
    unsigned axis_count;
    double items;      /* that a run works on, of that unit; 0: not said */
    double limit_rate; /* items/s that what limit_kind names allows; 0: not said */
    double sm_clock_mhz;
    const double *times; /* s, in the order they were taken, count of them; NULL: not kept */
    size_t count;        /* of the samples, kept or not; 0: not said */
    double mean, sd;     /* s; of what kept no samples; sd 0: not said */
} gb_foreign_entry;

typedef struct gb_foreign {
    const char *tool; /* "NVBench", "google/benchmark", "hyperfine", "CSV" */
    const char *keep; /* how to have it keep samples, a sentence's part; NULL: it always does */
    gb_foreign_entry *entries;
    size_t count, capacity;
} gb_foreign;

/* Whether a text begins as JSON does, which none of our result files do. */
bool gb_foreign_is_json(const char *text, size_t size);

/* Reads JSON of one of the tools: size bytes and a NUL. Files of samples that it names are read,
 * too, beside path. map: what to take for what (may be NULL; one of a table's columns, whose time
 * is neither real_time nor cpu_time, is passed over). Everything lives in the arena. False and
 * *error with file, line and what is allowed, also where the file holds no result or is of no known
 * tool. Start from {0}. */
bool gb_foreign_read_json(gb_arena *arena, const char *path, const char *text, size_t size,
                          const gb_foreign_map *map, gb_foreign *file, gb_error *error);

/* Reads a table whose columns the map names; rows that agree in all but their time are samples of
 * one entry. */
bool gb_foreign_read_table(gb_arena *arena, const char *path, const gb_csv *csv,
                           const gb_foreign_map *map, gb_foreign *file, gb_error *error);

#endif
