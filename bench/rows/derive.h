/* Rows that follow from those of a set: rates in another unit, and the best over an axis. */
#ifndef GB_ROWS_DERIVE_H
#define GB_ROWS_DERIVE_H

#include "bench/rows/rows.h"

/* Turns items/s into another unit by a factor that hangs on an axis: a cell of a stencil of radius
 * 2 takes 25 flops. */
typedef struct gb_scale_by {
    const char *unit, *axis;
    const char **values; /* of the axis */
    double *factors;     /* units an item, above 0 */
    size_t count;
} gb_scale_by;

/* What to derive; {0}: a mere copy. */
typedef struct gb_derivation {
    const gb_scale_by *scale; /* NULL: none */
    const char *const *best;  /* axes */
    size_t best_count;
    bool no_cache_resident;
} gb_derivation;

/* A copy of a set in *derived (rows in the arena, texts those of the set):
 *
 * - With no_cache_resident the rows that are flagged cache-resident are left out. Those of the simt
 *   device, which has no GPU's cache, stay.
 * - Rates, and the limits of rates, are multiplied by scale's factor for their row (NULL: none).
 *   Rows whose unit is scale's already are left alone: a paper may print it. Times stay.
 * - For each axis of best[] in turn further rows are added, whose value on that axis is gb_best:
 *   of the rows that differ in that axis alone, that of the highest rate (printed without a rate:
 *   of the lowest time), or, if none of them is ok, the first that failed, else the first. Its
 *   `best` says which one it was.
 *
 * False and *error if the set lacks an axis, if a value of scale's axis has no factor, or if no
 * row with a rate is left. */
bool gb_results_derive(gb_arena *arena, const gb_result_set *set, const gb_derivation *what,
                       gb_result_set *derived, gb_error *error);

#endif
