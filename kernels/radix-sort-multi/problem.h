/* A point's data, which problem.cu makes, check.cu judges and the variants work on. */
#ifndef GB_RADIX_SORT_MULTI_PROBLEM_H
#define GB_RADIX_SORT_MULTI_PROBLEM_H

#include "common/comm/comm.h"
#include "kernels/radix-sort-multi/radix_sort_multi.h"
#include "kernels/radix-sort/keys.h"

/* What the output's arrays hold before a run, and behind a run's end after it. */
enum { MS_GARBAGE = 0xA5 };
/* Elements behind a rank's room, which nobody may write. */
enum { MS_GUARD = 64 };

/* What a local rank has, in its memory, aligned to 256 bytes. Payloads are NULL without. */
typedef struct ms_arrays {
    void *keys_in, *keys_out; /* ms_share elements and 16 bytes of slack; ms_room and MS_GUARD */
    uint32_t *payload_in, *payload_out;
    void *findings; /* check.cu's */
    void *gathered; /* check.cu's: those of all ranks */
} ms_arrays;

/* The first member is what radix sort's functions take for a problem; of it shape, seed, device and
 * dist are set. Key i depends on the seed and on i alone, payload i is i; the share of rank r are
 * the elements from ms_begin(r) on. */
typedef struct ms_problem {
    struct gb_problem sort;
    ms_shape shape;
    gb_comm *comm;
    ms_arrays *local; /* [comm->locals] */
    /* [size]: elements of each rank's run, in every process: set by every run */
    uint64_t length[GB_MOST_RANKS];
    rs_hash truth; /* of the input, from the generator alone */
} ms_problem;

static inline ms_problem *ms_problem_of(gb_problem *problem)
{
    return (ms_problem *)problem;
}

/* check.cu: fingerprints the input as the generator defines it. */
gb_status ms_checker_open(ms_problem *problem, gb_error *error);

/* Makes a share's elements anew. */
gb_status ms_generate(ms_problem *problem, gb_error *error);

#endif
