/* Values in order. */
#include "common/stats/sort.h"

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
