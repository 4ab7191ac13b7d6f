/* Statistics of counts. Formulas, sources and what simulation says of them: docs/statistics.md. */
#include "common/stats/counts.h"

#include "common/stats/stats.h"

#include <math.h>
#include <stdlib.h>

/* The x for which the beta distribution of a and b has the part p below it. */
static double beta_quantile(double p, double a, double b)
{
    double lo = 0, hi = 1;
    for (;;) {
        const double x = (lo + hi) / 2;
        if (!(x > lo && x < hi)) return x;
        if (gb_incomplete_beta(a, b, x) < p)
            lo = x;
        else
            hi = x;
    }
}

void gb_share_interval(size_t count, size_t of, double tail, double *lo, double *hi)
{
    const double k = (double)count, n = (double)of;
    *lo = count == 0 ? 0 : beta_quantile(tail / 2, k, n - k + 1);
    *hi = count == of ? 1 : beta_quantile(1 - tail / 2, k + 1, n - k);
}

/* The part of the orders of n values that have at most so many pairs out of order: the largest
 * value may stand in any of n places, each of which puts it before one value more. -1 without
 * memory. */
static double exact_tail(size_t n, size_t most)
{
    const size_t pairs = n * (n - 1) / 2;
    double *memory = calloc(2 * (pairs + 1), sizeof *memory), sum = 0;
    if (!memory) return -1;
    double *part = memory, *next = memory + pairs + 1;
    part[0] = 1;
    for (size_t values = 2, known = 0; values <= n; values++) {
        const size_t now = known + values - 1;
        double window = 0;
        for (size_t k = 0; k <= now; k++) {
            window += k <= known ? part[k] : 0;
            window -= k >= values ? part[k - values] : 0;
            next[k] = window / (double)values;
        }
        double *swapped = part;
        part = next;
        next = swapped;
        known = now;
    }
    for (size_t k = 0; k <= most && k <= pairs; k++)
        sum += part[k];
    free(memory);
    return sum < 1 ? sum : 1;
}

double gb_trend_tail(size_t n, double s)
{
    const double pairs = (double)n * ((double)n - 1) / 2;
    if (n < 2 || s <= -pairs) return 1;
    if (s > pairs) return 0;
    if (n <= GB_EXACT_TREND) {
        const double tail = exact_tail(n, (size_t)floor((pairs - s) / 2));
        if (tail >= 0) return tail;
    }
    const double variance = (double)n * ((double)n - 1) * (2 * (double)n + 5) / 18;
    return 0.5 * erfc((s - 1) / sqrt(2 * variance));
}
