/* Numbers as the cells of tables say them. */
#ifndef GB_TABLE_NUMBERS_H
#define GB_TABLE_NUMBERS_H

#include "bench/util/arena.h"

/* value with this many significant digits and no exponent: 3 digits of 98.04 are "98.0". */
const char *gb_significant(gb_arena *arena, double value, int digits);
/* A ratio with the digits that tell it from 1: three, near 1 four; "" for 0 and below. */
const char *gb_ratio_text(gb_arena *arena, double ratio);

#endif
