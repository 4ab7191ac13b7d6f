/* Statistics of two groups of samples. Formulas, sources and what simulation says of them:
 * docs/statistics.md. */
#include "common/stats/two.h"

#include "common/stats/sort.h"
#include "common/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the ratio of two means ------------------------------------------------------------------ */

/* Without an interval that cannot be: of values above 0 none reaches 0. */
static gb_ratio checked(gb_ratio ratio)
{
    if (ratio.lo > 0 && isfinite(ratio.hi)) return ratio;
    return (gb_ratio){.value = ratio.value, .unstable = true};
}

/* The t of an interval that leaves out `tail`; 0 degrees of freedom: both variances are known.
 * Rounded down to a whole number, which is wider. */
static double t_of(double tail, double df)
{
    if (df <= 0) return gb_student_quantile(tail, INFINITY);
    df *= 1 + 1e-12; /* 58 may come as 57.999999999999993 */
    if (tail == 0.05) return gb_student_t975(df < 1 ? 1 : df > 1e9 ? (size_t)1e9 : (size_t)df);
    return gb_student_quantile(tail, df < 1 ? 1 : floor(df));
}

/* Degrees of freedom of a sum of variances, each with its own (Satterthwaite 1946); 0: all are
 * known. In parts of the sum, whose squares are not too large or small for a number. */
static double df_of(const double *variances, const double *df, size_t count)
{
    double sum = 0, parts = 0;
    for (size_t i = 0; i < count; i++)
        sum += variances[i];
    for (size_t i = 0; i < count && sum > 0; i++)
        if (df[i] > 0) parts += variances[i] / sum * (variances[i] / sum) / df[i];
    return parts > 0 ? 1 / parts : 0;
}

gb_ratio gb_ratio_of_means_at(const gb_mean *above, const gb_mean *below, double tail)
{
    const double ratio = above->value / below->value;
    gb_ratio result = {.value = ratio};
    const double variances[] = {above->variance, ratio * ratio * below->variance};
    const double df[] = {above->df, below->df};
    const double t = t_of(tail, df_of(variances, df, 2));
    const double g = t * t * below->variance / (below->value * below->value);
    if (!(g < 1)) return checked(result);
    const double root = t / below->value * sqrt(variances[0] + variances[1] - g * variances[0]);
    result.lo = (ratio - root) / (1 - g);
    result.hi = (ratio + root) / (1 - g);
    return checked(result);
}

gb_ratio gb_ratio_of_means(const gb_mean *above, const gb_mean *below)
{
    return gb_ratio_of_means_at(above, below, 0.05);
}

gb_ratio gb_ratio_of_ratios_at(const gb_mean means[4], double tail)
{
    gb_ratio result = {.value =
                           means[0].value / means[1].value / (means[2].value / means[3].value)};
    double variances[4], df[4], sum = 0;
    for (int i = 0; i < 4; i++) {
        variances[i] = means[i].variance / (means[i].value * means[i].value);
        df[i] = means[i].df;
        sum += variances[i];
    }
    const double factor = exp(t_of(tail, df_of(variances, df, 4)) * sqrt(sum));
    result.lo = result.value / factor;
    result.hi = result.value * factor;
    return checked(result);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* P(U <= u) of groups of two sizes without ties, kept for the next test of the same sizes. */
typedef struct tails {
    size_t a, b;
    double below[GB_EXACT_RANKS * GB_EXACT_RANKS / 4 + 1];
} tails;

/* P(U <= u) for groups of a and b without ties: of the arrangements of both groups in a row, the
 * part in which so many pairs stand the wrong way round. Counted by the recurrence of Mann and
 * Whitney: the largest value is of either group. False without memory. */
static bool make_tails(tails *made, size_t a, size_t b)
{
    const size_t pairs = a * b;
    double *counts = calloc((b + 1) * (pairs + 1), sizeof *counts);
    if (!counts) return false;
    /* counts[j * (pairs + 1) + v]: arrangements of i of the one and j of the other with U = v */
    for (size_t j = 0; j <= b; j++)
        counts[j * (pairs + 1)] = 1; /* i = 0 */
    for (size_t i = 1; i <= a; i++) {
        for (size_t j = 1; j <= b; j++) {
            double *of = counts + j * (pairs + 1);
            const double *fewer = of - (pairs + 1);
            for (size_t v = pairs + 1; v-- > 0;) /* the largest is of the one: j pairs more */
                of[v] = (v >= j ? of[v - j] : 0) + fewer[v];
        }
    }
    const double *of = counts + b * (pairs + 1);
    double all = 0, below = 0;
    for (size_t v = 0; v <= pairs; v++)
        all += of[v];
    for (size_t v = 0; v <= pairs; v++)
        made->below[v] = (below += of[v]) / all;
    free(counts);
    made->a = a;
    made->b = b;
    return true;
}

/* -1 without memory. a + b: at most GB_EXACT_RANKS. */
static double exact_tail(size_t a, size_t b, size_t u)
{
    static _Thread_local tails last;
    if ((last.a != a || last.b != b) && !make_tails(&last, a, b)) return -1;
    return last.below[u];
}

/* How many of sorted are below value, and how many equal it. */
static void count_below(const double *sorted, size_t count, double value, size_t *below,
                        size_t *equal)
{
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (sorted[mid] < value)
            lo = mid + 1;
        else
            hi = mid;
    }
    *below = lo;
    for (*equal = 0; lo + *equal < count && sorted[lo + *equal] == value;)
        ++*equal;
}

double gb_mann_whitney(const double *a, size_t count_a, const double *b, size_t count_b,
                       double *scratch)
{
    if (count_a == 0 || count_b == 0) return 1;
    const size_t count = count_a + count_b;
    memcpy(scratch, b, count_b * sizeof *b);
    gb_sort_values(scratch, count_b);
    double u = 0; /* pairs in which b is the smaller, ties by half */
    for (size_t i = 0; i < count_a; i++) {
        size_t below, equal;
        count_below(scratch, count_b, a[i], &below, &equal);
        u += (double)below + (double)equal / 2;
    }
    memcpy(scratch + count_b, a, count_a * sizeof *a);
    gb_sort_values(scratch, count);
    double ties = 0; /* sum of t^3 - t over groups of t equal values */
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && scratch[end] == scratch[i])
            end++;
        const double t = (double)(end - i);
        ties += t * t * t - t;
        i = end;
    }
    const double m = (double)count_a, n = (double)count_b, both = m + n;
    const double smaller = u < m * n - u ? u : m * n - u;
    if (ties == 0 && count <= GB_EXACT_RANKS) {
        const double tail = exact_tail(count_a, count_b, (size_t)smaller);
        if (tail >= 0) return 2 * tail < 1 ? 2 * tail : 1;
    }
    const double variance = m * n / 12 * (both + 1 - ties / (both * (both - 1)));
    if (!(variance > 0)) return 1; /* all are equal */
    const double z = (fabs(u - m * n / 2) - 0.5) / sqrt(variance);
    return z <= 0 ? 1 : erfc(z / sqrt(2));
}

double gb_mann_whitney_least(size_t count_a, size_t count_b)
{
    if (count_a == 0 || count_b == 0) return 1;
    const double m = (double)count_a, n = (double)count_b;
    /* 2 / C(m + n, m) */
    const double least = 2 * exp(lgamma(m + 1) + lgamma(n + 1) - lgamma(m + n + 1));
    return least < 1 ? least : 1;
}

/* ---- many tests ------------------------------------------------------------------------------ */

static int by_p(const void *x, const void *y, void *context)
{
    const double *p = context;
    double a = p[*(const size_t *)x], b = p[*(const size_t *)y];
    return (a > b) - (a < b);
}

void gb_holm(double *p, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, by_p, p);
    double least = 0; /* adjusted values ascend as the plain ones do */
    for (size_t i = 0; i < count; i++) {
        double adjusted = p[order[i]] * (double)(count - i);
        if (adjusted > 1) adjusted = 1;
        if (adjusted < least) adjusted = least;
        p[order[i]] = least = adjusted;
    }
}
