/* Values in order, and what stands at a place of theirs. */
#include "common/stats/sort.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void gb_sort_values(double *values, size_t count)
{
    if (count > 0) qsort(values, count, sizeof *values, ascending);
}

double gb_sorted_quantile(const double *sorted, size_t count, double part)
{
    const size_t rank = (size_t)ceil(part * (double)count);
    return sorted[rank > 0 ? rank - 1 : 0];
}

double gb_sorted_median(const double *sorted, size_t count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}
