/* Statistics of two groups of samples: is there a difference, and how large is it? */
#ifndef GB_STATS_TWO_H
#define GB_STATS_TWO_H

#include <stdbool.h>
#include <stddef.h>

/* A mean and how sure it is: the variance of the mean itself (not of the samples) and its degrees
 * of freedom, 0 where the variance is known or a bound. */
typedef struct gb_mean {
    double value, variance;
    double df;
} gb_mean;

/* A ratio of two means with its 95 % interval; lo and hi are 0 where there is none. unstable: there
 * is none because it would reach 0, or have no end. */
typedef struct gb_ratio {
    double value, lo, hi;
    bool unstable;
} gb_ratio;

/* above / below with the interval after Fieller (1954), t with the degrees of freedom of Welch and
 * Satterthwaite at the ratio that was found. No interval where below is not sure to differ from 0.
 * above, below: values above 0, of independent groups. */
gb_ratio gb_ratio_of_means(const gb_mean *above, const gb_mean *below);
/* The same with an interval that leaves out the part `tail` on both sides together (0.05 above). */
gb_ratio gb_ratio_of_means_at(const gb_mean *above, const gb_mean *below, double tail);
/* (a / b) / (c / d), whose interval is that of its logarithm (the variances of logarithms by the
 * delta method, t as above). means: a, b, c, d. */
gb_ratio gb_ratio_of_ratios_at(const gb_mean means[4], double tail);

/* Two-sided p of the rank test of Mann and Whitney (1947): could both groups be draws of one
 * distribution? Exact for groups of at most GB_EXACT_RANKS together without ties, else by the
 * normal approximation with corrections for ties and continuity. 1 where a group is empty or all
 * values are equal. scratch: room for count_a + count_b numbers. */
enum { GB_EXACT_RANKS = 40 };
double gb_mann_whitney(const double *a, size_t count_a, const double *b, size_t count_b,
                       double *scratch);

/* The smallest p that the test can give for groups of these sizes: below it nothing is ever found.
 */
double gb_mann_whitney_least(size_t count_a, size_t count_b);

/* Adjusts p values of one family so that the chance of any false alarm is at most the level that
 * they are held against (Holm 1979). p: in any order, adjusted in place; order: room for count. */
void gb_holm(double *p, size_t count, size_t *order);

#endif
