/* Values in order, and what stands at a place of theirs. */
#ifndef GB_STATS_SORT_H
#define GB_STATS_SORT_H

#include <stddef.h>

/* Ascending; NaN has no place among them. values may be NULL where count is 0. */
void gb_sort_values(double *values, size_t count);

/* Of count > 0 ascending values the smallest that at least this part of them do not exceed. */
double gb_sorted_quantile(const double *sorted, size_t count, double part);
/* The middle one of count > 0 ascending values, or the mean of the two in the middle. */
double gb_sorted_median(const double *sorted, size_t count);

#endif
