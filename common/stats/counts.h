/* Statistics of counts: how many of so many, and how many pairs in order. */
#ifndef GB_STATS_COUNTS_H
#define GB_STATS_COUNTS_H

#include <stddef.h>

/* The interval of a share of which `count` in `of` were met (0 <= count <= of, of >= 1), which
 * leaves out the part `tail` on both sides together (Clopper and Pearson 1934): it holds the true
 * share at least that often. */
void gb_share_interval(size_t count, size_t of, double tail, double *lo, double *hi);

/* Kendall's S of n values in the order of another variable is how many pairs are in order less how
 * many are not. How probable an S of at least s is where the order says nothing (Kendall 1938),
 * ties counted as neither; exact up to GB_EXACT_TREND values, else normal with the correction for
 * continuity. */
enum { GB_EXACT_TREND = 100 };
double gb_trend_tail(size_t n, double s);

#endif
