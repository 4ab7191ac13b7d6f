/* Values in order. */
#ifndef GB_STATS_SORT_H
#define GB_STATS_SORT_H

#include <stddef.h>

/* Ascending; NaN has no place among them. values may be NULL where count is 0. */
void gb_sort_values(double *values, size_t count);

#endif
