/* How the rates of two rows stand to one another, and how sure that is. docs/statistics.md has the
 * formulas. */
#ifndef GB_ROWS_RATIO_H
#define GB_ROWS_RATIO_H

#include "bench/rows/noise.h"
#include "bench/rows/rows.h"
#include "common/stats/two.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* Room for numbers, kept from one pair to the next. Start from {0}, free at the end. */
typedef struct gb_room {
    double *numbers;
    size_t count;
} gb_room;

/* Room for count numbers; NULL without memory. */
double *gb_room_of(gb_room *room, size_t count);
void gb_room_free(gb_room *room);

/* Rate of b over rate of a. samples: of a measured row, row->samples of them; NULL for either: the
 * intervals that the rows have will do. lo and hi are 0 where nothing is known of the scatter, or
 * where it is so large that the ratio is unstable. */
gb_ratio gb_ratio_of_rows(gb_room *room, const gb_result_row *a, const double *samples_a,
                          const gb_result_row *b, const double *samples_b);

/* Rate of a measured row over a rate that somebody prints with so many digits (0: unknown), which
 * is at least as unsure as the last of them. */
gb_ratio gb_ratio_to_printed(const gb_result_row *row, double printed, int digits);

/* For programs: the ratio and its interval, as fields that are blank, or as members ratio,
 * ratio_ci95_lo and ratio_ci95_hi that are not there, where they are not known. */
void gb_ratio_put_csv(FILE *file, const gb_ratio *ratio);
void gb_ratio_add_json(cJSON *object, const gb_ratio *ratio);

/* Half the width of a row's 95 % interval over its value: of the mean time and, to first order, of
 * its rate and of the logarithm of either. INFINITY: the interval reaches 0, so that nothing can be
 * said; 0: the row has none, as of one sample. */
double gb_row_spread(const gb_result_row *row);

/* Seconds an item, 1 / rate, of a row that has a rate, its variance from the row's interval, of a
 * printed one from its last digit at least; that of a row flagged autocorrelated, whose interval is
 * too narrow, is taken to be twice as wide. For rates of different points, whose times are not of
 * the same work. False if nothing is known of the scatter, as of one sample: the variance is 0
 * then. */
bool gb_cost_of_row(const gb_result_row *row, gb_mean *cost);

/* Whether a row's blocks begin as fast as the device can begin any: what they do takes no longer.
 * false: there is no row. */
bool gb_row_begins_blocks(const gb_result_row *row);

/* What the noise of a measured row hangs on. */
gb_noise_row gb_noise_row_of(const gb_result_set *set, const gb_result_row *row);

#endif
