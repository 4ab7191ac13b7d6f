/* Statistics of timing samples. */
#ifndef GB_STATS_STATS_H
#define GB_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gb_stats {
    size_t count;
    double mean, sd;         /* sd: n-1 in the denominator; 0 for one sample */
    double ci95_lo, ci95_hi; /* of the mean, Student's t; equal to the mean for one sample, which
                                has none */
    double median, median_lo, median_hi; /* interval from order statistics, >= 95 % coverage; the
                                            extremes where there are too few samples */
    double min, max;
    size_t outliers; /* outside fences 3 + 20/count interquartile ranges (at least 1 %) out */
    bool drift;      /* the samples trend with their index (Mann-Kendall, alpha 0.001) by > 1 % */
    bool autocorrelated; /* neighbours resemble each other (rank serial correlation, alpha 0.001) so
                            much that the mean's interval is too narrow by 1.25 or more */
    double widening;     /* so many times as wide it should be, >= 1; 1 where nothing is sure */
} gb_stats;

/* samples: finite, in the order they were taken; count >= 1; not modified. Every field is finite
 * but, for samples near the largest number there is, ends of an interval. Takes O(count log count).
 * Without memory for three copies the result's count is 0. */
gb_stats gb_stats_of(const double *samples, size_t count);
/* Half width of the mean's interval, as wide as it should be (widening), over the mean; infinite
 * for one sample. */
double gb_stats_rel_ci(const gb_stats *stats);
/* Quantile 0.975 of Student's t with df >= 1 degrees of freedom, to 1e-6. */
double gb_student_t975(size_t df);
/* The t beyond which, on both sides together, lies the part `tail` (above 0, below 1) of Student's
 * distribution with df > 0 degrees of freedom, any number, INFINITY being the normal one. */
double gb_student_quantile(double tail, double df);
/* Regularised incomplete beta function I_x(a, b), a and b above 0, x from 0 to 1. */
double gb_incomplete_beta(double a, double b, double x);

#endif
