/* Statistics of timing samples. */
#ifndef GB_STATS_H
#define GB_STATS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gb_stats {
    size_t count;
    double mean, sd;         /* sd: n-1 in the denominator; 0 for one sample */
    double ci95_lo, ci95_hi; /* of the mean, Student's t; equal to the mean for one sample */
    double median, median_lo, median_hi; /* interval from order statistics, >= 95 % coverage; the
                                            extremes where there are too few samples */
    double min, max;
    size_t outliers; /* outside Tukey's fences, 3 interquartile ranges (at least 1 %) out */
    bool drift;      /* the samples trend with their index (Mann-Kendall, alpha 0.001) by > 1 % */
} gb_stats;

/* samples in the order they were taken; count >= 1; not modified. Without memory for a copy, all
 * that needs an order (median, extremes) is NaN. */
gb_stats gb_stats_of(const double *samples, size_t count);
/* Half width of the mean's interval over the mean; 0 for one sample. */
double gb_stats_rel_ci(const gb_stats *stats);
/* The same straight from count >= 1 samples, in one go of O(count). */
double gb_stats_rel_ci_of(const double *samples, size_t count);
/* Quantile 0.975 of Student's t with df >= 1 degrees of freedom, to 1e-6. */
double gb_student_t975(size_t df);

#endif
