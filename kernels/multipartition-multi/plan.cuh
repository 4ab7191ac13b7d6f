/* From how many elements of each bin every rank has to where each rank's go: on the device, by all
 * ranks for themselves, without the host. */
#ifndef GB_MULTIPARTITION_MULTI_PLAN_CUH
#define GB_MULTIPARTITION_MULTI_PLAN_CUH

#include "kernels/multipartition-multi/problem.h"

/* Where a rank's elements of a bin go: places [low, high) of the output of the rank that has it. A
 * sector or two, so that bins do not share any. */
typedef struct __align__(64) mpm_place
{
    uint64_t low, high;
    uint64_t keys, payload;  /* addresses of that output's first key and payload (0: none) */
    unsigned long long next; /* whole groups that blocks have reserved, in elements */
    unsigned left;           /* elements that came to no whole group, placed so far */
}
mpm_place;

/* What ranks tell each other, and what follows. */
typedef struct mpm_plan {
    gb_window counts;                 /* of every rank: size rows of bins numbers, a row a rank */
    mpm_place *places[GB_MOST_RANKS]; /* of local rank i: bins */
} mpm_plan;

gb_status mpm_plan_open(mpm_problem *p, mpm_plan *plan, gb_error *error);
void mpm_plan_close(mpm_problem *p, mpm_plan *plan);

/* Queues: how many elements of each bin local rank i has becomes known to all ranks, after the next
 * barrier. counts: bins of them, which are 0 afterwards; or offsets: bins + 1, where they begin in
 * an array. The other one is NULL. The rank is entered. */
gb_status mpm_queue_telling(mpm_problem *p, const mpm_plan *plan, unsigned i,
                            unsigned long long *counts, const uint64_t *offsets, gb_error *error);

/* Queues, on a stream of the device that is entered: from what all ranks have told (size rows) to
 * the result's offsets and firsts of local rank i and, unless that is NULL, places. */
gb_status mpm_queue_planning(const mpm_problem *p, unsigned i, const uint64_t *counts,
                             mpm_place *places, cudaStream_t stream, gb_error *error);

#endif
