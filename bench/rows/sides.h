/* What is compared: result files as sides, a device each, with what is known of the runs behind
 * their rows. */
#ifndef GB_ROWS_SIDES_H
#define GB_ROWS_SIDES_H

#include "bench/rows/gpus.h"
#include "bench/rows/rows.h"
#include "bench/rows/samples.h"

/* What the files beside a result file say of the run that wrote it. */
typedef struct gb_run_facts {
    const char *csv; /* the result file */
    /* "" where the meta file is missing or does not say */
    const char *toolkit, *driver;
    const char *title, *version, *host;     /* the config's; git's; processor and system */
    double sms, l2_bytes, copy_bytes_per_s; /* 0: unknown */
    gb_samples_file *samples;               /* NULL until they are asked for */
} gb_run_facts;

/* The rows of one device in one operand. */
typedef struct gb_side {
    const char *path; /* the operand */
    const char *device;
    const char *label; /* for people: short, and no two alike */
    const gb_results *results;
    bool published; /* has published rows only */
} gb_side;

typedef struct gb_sides {
    gb_arena arena;
    gb_results *operands;
    size_t operand_count;
    gb_side *items;
    size_t count, capacity;
    gb_run_facts *runs;
    size_t run_count, run_capacity;
    gb_gpus gpus;
} gb_sides;

/* Reads the operands: result files, folders of them, or "published" for results/published. Each
 * device of each is a side, in the order of the operands. False and *error if one cannot be read.
 * Start from {0}, free in any case. */
bool gb_sides_load(gb_sides *sides, char **paths, size_t count, gb_error *error);
void gb_sides_free(gb_sides *sides);

/* What is known of the run behind a measured row. */
const gb_run_facts *gb_side_run(gb_sides *sides, const gb_result_row *row);
/* The samples of a measured row (row->samples of them); NULL if there are none, not all, or the
 * file is damaged, which is said on stderr once. */
const double *gb_side_samples(gb_sides *sides, const gb_result_set *set, const gb_result_row *row);

#endif
