/* Least squares of few terms, none of which may be negative. */
#ifndef GB_STATS_LEAST_H
#define GB_STATS_LEAST_H

#include <stdbool.h>
#include <stddef.h>

enum { GB_LEAST_TERMS = 4 };

/* A row of a problem: what the terms are there, and what their sum should be. */
typedef struct gb_least_row {
    double term[GB_LEAST_TERMS], wanted;
} gb_least_row;

/* The coefficients with which the terms of `chosen` (bit i: term i) come nearest to what is wanted
 * in the sum of squares; those of the others are 0. False if these terms cannot be told apart by
 * the rows (one is the sum of others but for an angle of half a degree), or if one would have a
 * coefficient of 0 or less. Trying all 15 sets finds the least squares with no coefficient below 0
 * (Lawson and Hanson 1974): that is the plain solution of the terms that it uses. */
bool gb_least_squares(const gb_least_row *rows, size_t count, unsigned chosen,
                      double coefficient[GB_LEAST_TERMS]);

#endif
