/* Samples as a series in time: a trend, and how much each resembles the one before. Sources, and
 * what simulation says of both tests: docs/statistics.md. */
#include "common/stats/series.h"

#include "common/stats/sort.h"

#include <math.h>
#include <string.h>

/* Quantile 0.9995 of the normal distribution: two-sided alpha of 0.001. */
static const double normal_9995 = 3.290526731491926;
/* Quantile 0.999: one-sided. */
static const double normal_999 = 3.090232306167813;

/* ---- drift ---------------------------------------------------------------------------------- */

/* Sorts values by merging and returns the number of pairs that were in descending order. */
static double sort_counting(double *values, double *scratch, size_t count)
{
    if (count < 2) return 0;
    size_t half = count / 2, left = 0, right = half, out = 0;
    double inversions =
        sort_counting(values, scratch, half) + sort_counting(values + half, scratch, count - half);
    while (left < half && right < count) {
        if (values[right] < values[left]) {
            inversions += (double)(half - left);
            scratch[out++] = values[right++];
        } else {
            scratch[out++] = values[left++];
        }
    }
    memcpy(scratch + out, values + left, (half - left) * sizeof *values);
    memcpy(values, scratch, (out + half - left) * sizeof *values);
    return inversions;
}

/* The test of Mann (1945) and Kendall (1975) for a monotonic trend, with the variance corrected for
 * ties; its pairs are counted by merging as in Knight (1966). */
bool gb_series_trends(const double *samples, size_t count, double *sorted, double *scratch)
{
    memcpy(sorted, samples, count * sizeof *sorted);
    double n = (double)count, inversions = sort_counting(sorted, scratch, count);
    double tied = 0, variance = n * (n - 1) * (2 * n + 5);
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i + 1; j < count && !(sorted[j] > sorted[i]); j++) {
        }
        double t = (double)(j - i);
        tied += t * (t - 1) / 2;
        variance -= t * (t - 1) * (2 * t + 5);
    }
    double score = fabs(n * (n - 1) / 2 - tied - 2 * inversions);
    return variance > 0 && score > 1 && (score - 1) / sqrt(variance / 18) > normal_9995;
}

static double median_of(const double *samples, size_t count, double *scratch)
{
    memcpy(scratch, samples, count * sizeof *samples);
    gb_sort_values(scratch, count);
    return gb_sorted_median(scratch, count);
}

double gb_series_shift(const double *samples, size_t count, double *scratch)
{
    size_t third = (count + 2) / 3;
    double first = median_of(samples, third, scratch);
    return fabs(median_of(samples + count - third, third, scratch) - first);
}

/* ---- autocorrelation ------------------------------------------------------------------------ */

/* Where the elements equal to one of an ascending list begin and end. */
static void find_equal(const double *sorted, size_t count, double value, size_t *begin, size_t *end)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    *begin = low;
    /* Mostly there is one, else very many: by growing steps, then by halving. */
    size_t step = 1;
    while (low + step < count && !(sorted[low + step] > value)) {
        low += step;
        step *= 2;
    }
    high = low + step < count ? low + step : count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] > value)
            high = middle;
        else
            low = middle;
    }
    *end = high;
}

/* Mean and variance, over all permutations of count scores whose mean is 0, of the sum of products
 * of neighbours at lags 1 to LAGS: after Wald and Wolfowitz (1943), "An exact test for randomness
 * in the non-parametric case based on serial correlation", without pairing the last with the first.
 * s2, s4: sums of the scores' second and fourth powers. count > 2 * LAGS. */
enum { LAGS = 3 };
static double permuted_mean(double n, double s2)
{
    return -s2 / (n * (n - 1)) * (LAGS * n - LAGS * (LAGS + 1) / 2.0);
}

static double permuted_variance(double n, double s2, double s4)
{
    /* Expected products of different scores: a a b b, a a b c, a b c d. */
    double twice_two = (s2 * s2 - s4) / (n * (n - 1));
    double one_twice = (2 * s4 - s2 * s2) / (n * (n - 1) * (n - 2));
    double apart = (3 * s2 * s2 - 6 * s4) / (n * (n - 1) * (n - 2) * (n - 3));
    double square = 0;
    for (int j = 1; j <= LAGS; j++) {
        for (int k = 1; k <= LAGS; k++) {
            /* Of (n - j)(n - k) pairs of products, so many are equal or have one score in common.
             */
            double equal = j == k ? n - j : 0;
            double share = 2 * (n - j - k) + (j == k ? 0 : 2 * (n - (j > k ? j : k)));
            square +=
                equal * twice_two + share * one_twice + ((n - j) * (n - k) - equal - share) * apart;
        }
    }
    double mean = permuted_mean(n, s2);
    return square - mean * mean;
}

/* True if samples resemble the few before them: serial correlation of their ranks (Bartels 1982,
 * "The rank version of von Neumann's ratio test for randomness", here for three lags, which finds
 * turns of samples that share a state better than one), one-sided, alpha 0.001. Ranks, because one
 * outlier or a long tail would drown a correlation of the values; moments of these very ranks,
 * because a coarse clock makes ties. Neighbours that repel each other make an interval too wide:
 * that harms nobody. */
static bool neighbours_agree(const double *samples, const double *sorted, size_t count,
                             double *ranks)
{
    /* Where nearly all are equal, the few others stand side by side by chance too often. */
    enum { FEWEST_APART = 5 };
    double n = (double)count, s2 = 0, s4 = 0, products = 0;
    size_t commonest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t below, up_to;
        find_equal(sorted, count, samples[i], &below, &up_to);
        if (up_to - below > commonest) commonest = up_to - below;
        ranks[i] = (double)(below + up_to) / (2 * n) - 0.5; /* midranks about their mean */
        s2 += ranks[i] * ranks[i];
        s4 += ranks[i] * ranks[i] * ranks[i] * ranks[i];
        for (size_t lag = 1; lag <= LAGS && lag <= i; lag++)
            products += ranks[i] * ranks[i - lag];
    }
    if (count <= 2 * LAGS || count - commonest < FEWEST_APART) return false;
    /* The sum is skewed, by 18 n / (3 n)^1.5 for independent normal scores: its quantile is that of
     * Cornish and Fisher (1938). */
    double skewness = 18 * n / pow(3 * n, 1.5);
    double critical = normal_999 + (normal_999 * normal_999 - 1) / 6 * skewness;
    double variance = permuted_variance(n, s2, s4);
    return variance > 0 && products - permuted_mean(n, s2) > critical * sqrt(variance);
}

/* Sum of squares of count values about their mean. */
static double spread(double *values, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    for (size_t i = 0; i < count; i++) {
        values[i] -= sum / (double)count;
        squares += values[i] * values[i];
    }
    return squares;
}

/* The variance of the mean over what it would be if the values were independent: 1 plus twice the
 * autocorrelations of all lags, summed pair by pair as long as a pair is positive and none above
 * the pair before (initial monotone sequence: Geyer 1992, "Practical Markov chain Monte
 * Carlo", 3.3). values: about their mean. */
static double inefficiency(const double *values, size_t count, double squares)
{
    double sum = -1, before = 2;
    for (size_t lag = 0; lag + 1 < count / 2; lag += 2) {
        double pair = 0;
        for (size_t i = lag; i < count; i++)
            pair += values[i] * (values[i - lag] + (i > lag ? values[i - lag - 1] : 0));
        pair = fmin(pair / squares, before);
        if (pair <= 0) break;
        sum += 2 * pair;
        before = pair;
    }
    return sum;
}

double gb_series_widening(const double *samples, const double *sorted, size_t count,
                          double *scratch)
{
    if (!neighbours_agree(samples, sorted, count, scratch)) return 1;
    /* Long series as means of batches, which keeps this linear in their length. */
    enum { MOST_BATCHES = 2048 };
    size_t size = (count + MOST_BATCHES - 1) / MOST_BATCHES, batches = count / size;
    memcpy(scratch, samples, count * sizeof *scratch);
    double squares = spread(scratch, count), single = squares / (double)count;
    for (size_t i = 0; size > 1 && i < batches; i++) {
        double sum = 0;
        for (size_t k = 0; k < size; k++)
            sum += scratch[i * size + k];
        scratch[i] = sum / (double)size;
    }
    if (size > 1) squares = spread(scratch, batches);
    if (!(squares > 0)) return 1;
    double batched = squares / (double)batches * (double)size / single;
    return fmax(sqrt(batched * inefficiency(scratch, batches, squares)), 1);
}
