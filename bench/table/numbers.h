/* Numbers as the cells of tables say them. */
#ifndef GB_TABLE_NUMBERS_H
#define GB_TABLE_NUMBERS_H

#include "bench/util/arena.h"
#include "common/stats/two.h"

/* value with this many significant digits and no exponent: 3 digits of 98.04 are "98.0". */
const char *gb_significant(gb_arena *arena, double value, int digits);
/* A ratio with its 95 % interval, which decides how many digits both have: one of the half width,
 * two where they are 10 to 35 (the rule of the Particle Data Group), and of the ratio four at most,
 * below 0.9 three. The half width holds both ends and is rounded up: "1.471 ±0.002". Where it is a
 * fifth of the ratio or more, the ends: "1.8 (1.2 to 2.9)". "1.8 unstable" where the interval would
 * reach 0; two digits alone where nothing is known of the scatter; "" for 0 and below. */
const char *gb_ratio_text(gb_arena *arena, const gb_ratio *ratio);
/* The same in two cells: "1.471" and "1.469 to 1.473", "unstable" or "none". */
const char *gb_ratio_value_text(gb_arena *arena, const gb_ratio *ratio);
const char *gb_ratio_interval_text(gb_arena *arena, const gb_ratio *ratio);
/* What stands for an interval that cannot be. */
extern const char gb_unstable[];

#endif
