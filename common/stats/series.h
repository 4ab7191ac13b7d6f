/* What the order of samples in time says: drift, and samples that hang on those before. Parts of
 * gb_stats_of. */
#ifndef GB_STATS_SERIES_H
#define GB_STATS_SERIES_H

#include "common/stats/stats.h"

/* A trend or an outlier smaller than this part of the median is of no interest to anybody. */
#define GB_SMALLEST_EFFECT 0.01
/* An interval that should be less than so many times as wide is left alone. */
#define GB_SMALLEST_WIDENING 1.25

/* samples: in the order they were taken, count >= 1; sorted: the same in ascending order; scratch:
 * room for count. */

/* Fills sorted from samples and returns true if they trend with their index (Mann-Kendall, alpha
 * 0.001), however little. */
bool gb_series_trends(const double *samples, size_t count, double *sorted, double *scratch);
/* How far the median of the last third lies from that of the first. */
double gb_series_shift(const double *samples, size_t count, double *scratch);
/* By how much an interval of the mean that takes the samples for independent has to widen, if it is
 * sure (alpha 0.001) that neighbours resemble each other; else 1. */
double gb_series_widening(const double *samples, const double *sorted, size_t count,
                          double *scratch);

#endif
