/* Statistics of timing samples: mean and median with their 95 % intervals, outliers. What depends
 * on the samples' order in time is in stats_series.c. Formulas, sources and what simulation says of
 * them: docs/statistics.md. */
#include "common/stats/stats.h"

#include "common/stats/series.h"

#include <math.h>
#include <stdlib.h>

/* Quantile 0.975 of the normal distribution. */
static const double normal_975 = 1.959963984540054;

/* ---- Student's t ---------------------------------------------------------------------------- */

/* Regularised incomplete beta function I_x(a, b) by its continued fraction (NIST DLMF 8.17.22),
 * evaluated by Lentz's algorithm as modified by Thompson and Barnett (1986). */
double gb_incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1) return x >= 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - gb_incomplete_beta(b, a, 1 - x);
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a;
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m <= 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        for (int half = 0; half < 2; half++) {
            double term = half ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            if (fabs(d) < tiny) d = tiny;
            if (fabs(c) < tiny) c = tiny;
            d = 1 / d;
            change = c * d;
            value *= change;
        }
        if (fabs(change - 1) < 1e-15) break;
    }
    return front * value;
}

/* Quantile 0.975 by the Cornish-Fisher expansion about the normal distribution (Abramowitz and
 * Stegun 1964, 26.7.5): good to 1e-12 beyond 1000 degrees of freedom. */
static double student_expansion(double df)
{
    double x = normal_975, x2 = x * x;
    double g1 = x * (x2 + 1) / 4;
    double g2 = x * ((5 * x2 + 16) * x2 + 3) / 96;
    double g3 = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384;
    double g4 = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160;
    return x + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df;
}

double gb_student_t975(size_t df)
{
    double nu = (double)df;
    if (df == 0) return INFINITY;
    if (df == 1) return tan(0.475 * 3.14159265358979323846); /* a Cauchy distribution */
    if (df > 1000) return student_expansion(nu);
    /* Newton's method on the two-sided tail, I_{nu/(nu+t^2)}(nu/2, 1/2) (Abramowitz and Stegun
     * 26.7.1), which is convex in t > 0: from the second step on it converges from below. */
    double log_scale = lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * log(nu * acos(-1));
    double t = student_expansion(nu);
    for (int i = 0; i < 50; i++) {
        double tail = gb_incomplete_beta(nu / 2, 0.5, nu / (nu + t * t));
        double density = exp(log_scale - (nu + 1) / 2 * log1p(t * t / nu));
        double step = (tail - 0.05) / (2 * density);
        t += step;
        if (fabs(step) < 1e-13 * t) break;
    }
    return t;
}

/* The part of the distribution beyond t on both sides. */
static double student_beyond(double t, double df)
{
    if (!(df < 1e7)) return erfc(t / sqrt(2));
    return gb_incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

double gb_student_quantile(double tail, double df)
{
    double lo = 0, hi = 1;
    while (student_beyond(hi, df) > tail && hi < 1e150) {
        lo = hi;
        hi *= 2;
    }
    for (;;) {
        const double t = (lo + hi) / 2;
        if (!(t > lo && t < hi)) return hi;
        if (student_beyond(t, df) > tail)
            lo = t;
        else
            hi = t;
    }
}

/* ---- the mean ------------------------------------------------------------------------------- */

/* Two passes, the second with the correction of Chan, Golub and LeVeque (1983), so that samples
 * which agree in many digits keep their variance. */
static void mean_of(const double *samples, size_t count, gb_stats *stats)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    double mean = sum / (double)count, squares = 0, rest = 0;
    for (size_t i = 0; i < count; i++) {
        double delta = samples[i] - mean;
        rest += delta;
        squares += delta * delta;
    }
    squares -= rest * rest / (double)count;
    stats->count = count;
    stats->mean = mean + rest / (double)count;
    stats->sd = count > 1 && squares > 0 ? sqrt(squares / (double)(count - 1)) : 0;
    double half = stats->sd > 0 ? gb_student_t975(count - 1) * stats->sd / sqrt((double)count) : 0;
    stats->ci95_lo = stats->mean - half;
    stats->ci95_hi = stats->mean + half;
}

double gb_stats_rel_ci(const gb_stats *stats)
{
    if (stats->count < 2) return INFINITY;
    double half = (stats->ci95_hi - stats->ci95_lo) / 2 * stats->widening;
    return half > 0 ? half / fabs(stats->mean) : 0;
}

/* ---- order statistics ----------------------------------------------------------------------- */

/* Quantile by linear interpolation between order statistics (definition 7 of Hyndman and Fan,
 * "Sample quantiles in statistical packages", 1996). */
static double quantile(const double *sorted, size_t count, double p)
{
    double at = p * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* The largest k for which the k-th smallest and k-th largest sample enclose the median with at
 * least 95 % coverage: P(Binomial(n, 1/2) <= k - 1) <= 0.025 (David and Nagaraja, "Order
 * Statistics", 2003, 7.1). 0 if n < 6, where even the extremes do not. The tail is followed from
 * the middle outwards, which takes about sqrt(n) steps. */
static size_t median_rank(size_t count)
{
    double n = (double)count;
    size_t j = count / 2;
    double m = (double)j;
    double mass = exp(lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1) - n * log(2));
    double tail = count % 2 ? 0.5 : 0.5 + mass / 2; /* P(X <= j) */
    while (tail > 0.025) {
        tail -= mass;
        if (j == 0) return 0;
        mass *= (double)j / (double)(count - j + 1);
        j--;
    }
    return j + 1;
}

static size_t count_outliers(const double *sorted, size_t count, double median)
{
    double q1 = quantile(sorted, count, 0.25), q3 = quantile(sorted, count, 0.75);
    /* Tukey's outer fences (Exploratory Data Analysis, 1977, 2D), further out where few samples
     * leave the quartiles uncertain (as Hoaglin and Iglewicz, "Fine-tuning some resistant rules for
     * outlier labeling", 1987, do): with 20/n, found by simulation, one row in a hundred of ten
     * clean normal samples is flagged, and fewer of more. Where a coarse clock makes the quartiles
     * equal, a tick to either side is no outlier. */
    double fence = (3 + 20 / (double)count) * (q3 - q1);
    double reach = fmax(fence, GB_SMALLEST_EFFECT * fabs(median));
    size_t outliers = 0;
    for (size_t i = 0; i < count; i++)
        outliers += sorted[i] < q1 - reach || sorted[i] > q3 + reach;
    return outliers;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* All of it for samples of which none is above 1. */
static void describe(const double *samples, size_t count, double *sorted, double *scratch,
                     gb_stats *stats)
{
    mean_of(samples, count, stats);
    bool trend = gb_series_trends(samples, count, sorted, scratch);
    stats->min = sorted[0];
    stats->max = sorted[count - 1];
    stats->median = quantile(sorted, count, 0.5);
    size_t rank = median_rank(count);
    stats->median_lo = sorted[rank ? rank - 1 : 0];
    stats->median_hi = sorted[rank ? count - rank : count - 1];
    stats->outliers = count_outliers(sorted, count, stats->median);
    stats->drift = trend && gb_series_shift(samples, count, scratch) >
                                GB_SMALLEST_EFFECT * fabs(stats->median);
    stats->widening = gb_series_widening(samples, sorted, count, scratch);
    stats->autocorrelated = stats->widening >= GB_SMALLEST_WIDENING;
}

gb_stats gb_stats_of(const double *samples, size_t count)
{
    gb_stats stats = {0};
    double *scaled = calloc(count, 3 * sizeof *scaled);
    if (!scaled) return stats;
    /* By a power of two, which loses nothing, so that neither sums overflow nor squares underflow.
     */
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(samples[i]));
    int exponent;
    frexp(largest, &exponent);
    if (exponent < -1000) exponent = -1000;
    double factor = ldexp(1, -exponent);
    for (size_t i = 0; i < count; i++)
        scaled[i] = samples[i] * factor;
    describe(scaled, count, scaled + count, scaled + 2 * count, &stats);
    free(scaled);
    double *const times[] = {&stats.mean,      &stats.sd,     &stats.ci95_lo,
                             &stats.ci95_hi,   &stats.median, &stats.median_lo,
                             &stats.median_hi, &stats.min,    &stats.max};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *times[i] = ldexp(*times[i], exponent);
    return stats;
}
