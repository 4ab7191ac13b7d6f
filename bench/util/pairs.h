/* All-pairs covering: few cases in which every two values of any two axes meet. */
#ifndef GB_UTIL_PAIRS_H
#define GB_UTIL_PAIRS_H

#include "common/text/error.h"

#include <stddef.h>
#include <stdint.h>

/* Makes cases over `axes` axes of counts[a] >= 1 values each, so that for any two axes every pair
 * of their values occurs in a case (for one axis: every value). Greedy, one case at a time, in the
 * manner of AETG (Cohen, Dalal, Fredman, Patton 1997); ties are broken by the seed, so that the
 * same seed always makes the same cases. Returns *count cases of `axes` value indexes each, which
 * the caller frees; NULL without memory. */
unsigned *gb_all_pairs(const unsigned *counts, unsigned axes, uint64_t seed, size_t *count);

#endif
