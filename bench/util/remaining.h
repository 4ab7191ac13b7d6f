/* How long the rest of something takes: the plan's seconds, corrected by what was measured. A run's
 * rows are of variants, each with a speed of its own. */
#ifndef GB_UTIL_REMAINING_H
#define GB_UTIL_REMAINING_H

#include <stdbool.h>
#include <stddef.h>

/* Rows of one variant: how many are left with how many planned seconds, and sums over those that
 * are done. */
typedef struct gb_remaining_variant {
    double left, left_s;            /* rows, and their planned seconds */
    double all_s, largest_s;        /* planned seconds of all its rows, and of the largest */
    double done, planned_s, took_s; /* of the rows that are done: how many, planned, measured */
    double squares, products;       /* of these, the sums of planned^2 and planned * measured */
} gb_remaining_variant;

typedef struct gb_remaining {
    gb_remaining_variant *variants;
    size_t count;
    bool known; /* planned seconds are seconds; else only their ratios mean something */
} gb_remaining;

/* For so many variants, numbered from 0. False without memory; free it in any case. */
bool gb_remaining_begin(gb_remaining *r, size_t variants, bool known);
void gb_remaining_free(gb_remaining *r);
/* There are so many rows of the variant to come, of planned_s each. */
void gb_remaining_plan(gb_remaining *r, size_t variant, double rows, double planned_s);
/* So many are done, after took_s together. */
void gb_remaining_done(gb_remaining *r, size_t variant, double rows, double planned_s,
                       double took_s);

/* Seconds that a row of the variant is now expected to take; negative: there is nothing to go by.
 *
 * A row costs something whatever its size, and something for its size: took = fixed + slope *
 * planned, fitted for each variant by least squares to its rows and, with little weight, to the
 * plan (fixed 0, slope 1). So small rows, whose time is all overhead, do not foretell that of large
 * ones, nor one variant's slowness that of another. */
double gb_remaining_row_s(const gb_remaining *r, size_t variant, double planned_s);
/* Seconds of all rows that are left, likewise. */
double gb_remaining_s(const gb_remaining *r);

/* Seconds that are left of what was expected to take expected_s, after elapsed_s, when the part
 * (0 to 1) is done: the expectation at first, at last what the part tells. */
double gb_remaining_within(double expected_s, double elapsed_s, double part);

#endif
