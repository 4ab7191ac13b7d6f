/* What is compared: result files as sides, a device each, with what is known of the runs behind
 * their rows. */
#ifndef GB_ROWS_SIDES_H
#define GB_ROWS_SIDES_H

#include "bench/rows/gpus.h"
#include "bench/rows/places.h"
#include "bench/rows/run_facts.h"
#include "bench/rows/samples.h"

/* A run behind rows. */
typedef struct gb_known_run {
    gb_run_facts facts;
    gb_samples_file *samples; /* NULL until they are asked for */
    bool told;                /* that it keeps no samples */
} gb_known_run;

/* The rows of one device in one operand. */
typedef struct gb_side {
    const char *path;   /* the operand */
    const char *device; /* as its rows name it (bench/rows/places.h) */
    const char *model;  /* as its files do */
    const char *under;  /* the conditions of its rows; "" */
    const char *label;  /* for people: short, and no two alike */
    const gb_results *results;
    bool published; /* has published rows only */
    bool elsewhere; /* has rows printed elsewhere only */
} gb_side;

typedef struct gb_sides {
    gb_arena arena;
    const gb_foreign_map *map; /* of the files of other tools; NULL: as they say */
    gb_results *operands;
    const char **named; /* what each of them was named */
    size_t operand_count;
    gb_files_seen seen;
    gb_side *items;
    size_t count, capacity;
    gb_known_run *runs;
    size_t run_count, run_capacity;
    gb_gpus gpus;
} gb_sides;

/* Reads the operands: result files, files of other tools, folders of them, or "published" for
 * results/published, with what others printed (its folder elsewhere/) as an operand behind it. Each
 * device of each is a side, in the order of the operands; what is named twice is read once, which
 * is said on stderr. False and *error if one cannot be read. Start from {0}, free in any case. */
bool gb_sides_load(gb_sides *sides, char **paths, size_t count, gb_error *error);
void gb_sides_free(gb_sides *sides);

/* What is known of the run behind a measured row. */
const gb_run_facts *gb_side_run(gb_sides *sides, const gb_result_row *row);
/* The samples of a measured row (row->samples of them); NULL if there are none, not all, or the
 * file is damaged, which is said on stderr once. */
const double *gb_side_samples(gb_sides *sides, const gb_result_set *set, const gb_result_row *row);

#endif
