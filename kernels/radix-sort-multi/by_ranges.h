/* The sort by ranges (by_ranges.cu), as the variants use it. */
#ifndef GB_RADIX_SORT_MULTI_BY_RANGES_H
#define GB_RADIX_SORT_MULTI_BY_RANGES_H

#include "kernels/radix-sort-multi/problem.h"

/* How pieces come to the ranks that they belong to. */
typedef enum ms_way {
    MS_BY_KERNELS, /* a kernel of few blocks stores them there */
    MS_BY_COPIES   /* copies, which no multiprocessor works for */
} ms_way;

typedef struct ms_ranges ms_ranges; /* by_ranges.cu's own */

/* Allocates what a run needs. *out is NULL after a failure. With more than one rank the problem's
 * ranks need GB_NEEDS_PEERS. */
gb_status ms_ranges_open(ms_problem *problem, ms_way way, ms_ranges **out, gb_error *error);
void ms_ranges_close(ms_ranges *ranges);

/* Sorts the problem's input; the host waits once, for how many keys there are of each cell. */
gb_status ms_ranges_run(ms_ranges *ranges, gb_stream stream, gb_error *error);

/* Whether the last run sampled anew, since its first samples had misled it. */
bool ms_ranges_redone(const ms_ranges *ranges);

#endif
