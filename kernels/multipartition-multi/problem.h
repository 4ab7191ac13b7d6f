/* A point's data on its ranks, and what is true of it whatever computes the partition. */
#ifndef GB_MULTIPARTITION_MULTI_PROBLEM_H
#define GB_MULTIPARTITION_MULTI_PROBLEM_H

#include "common/comm/comm.h"
#include "kernels/multipartition-multi/multi.h"
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/problem.h"

/* Bytes before and behind each rank's output that nobody may write; they keep its alignment. */
enum { MPM_GUARD = 256 };

/* What a local rank has. Arrays are device memory of it. */
typedef struct mpm_rank {
    uint64_t begin, n; /* its stretch of the input */
    uint64_t out_n;    /* elements that it has at the end */
    uint32_t *keys_in, *payload_in;
    /* Written by every variant: where each bin begins, were all bins behind each other (bins + 1);
     * the first bin of each rank (size + 1, the last is bins). */
    uint64_t *offsets, *firsts;
    mp_hash input;       /* of its stretch */
    mp_hash *sums;       /* one fingerprint */
    uint64_t *misplaced; /* two numbers: the first defects that check.cu looks for */
} mpm_rank;

/* gb_problem of this primitive (mpm_problem_of). Rank r's output begins MPM_GUARD bytes behind
 * keys.at[r], and payload.at[r]; it has room for what it will hold. Bin b begins there at element
 * offsets[b] - offsets[firsts[r]]. */
typedef struct mpm_problem {
    mpm_shape shape;
    uint64_t seed;
    gb_dist dist;
    const char *dist_name;
    mp_bin_data bin;
    gb_comm *comm;
    mpm_rank *ranks; /* [comm->locals] */
    gb_window keys, payload;
    uint64_t *offsets, *firsts; /* host: what they have to be */
    mp_hash all;                /* of the input of all ranks; `ordered` means nothing */
} mpm_problem;

static inline mpm_problem *mpm_problem_of(const gb_job *job)
{
    return reinterpret_cast<mpm_problem *>(job->problem);
}

/* The outputs themselves. */
static inline gb_window mpm_inside(const mpm_problem *p, const gb_window &window)
{
    gb_window inside = window;
    for (unsigned r = 0; r < p->comm->size; r++)
        if (inside.at[r]) inside.at[r] += MPM_GUARD;
    return inside;
}

static inline void *mpm_keys_of(const mpm_problem *p, unsigned rank)
{
    return p->keys.at[rank] + MPM_GUARD;
}
static inline uint32_t *mpm_payload_of(const mpm_problem *p, unsigned rank)
{
    return p->shape.all.payload_bytes
               ? reinterpret_cast<uint32_t *>(p->payload.at[rank] + MPM_GUARD)
               : NULL;
}

/* Writes the input of a local rank again. Queued on its stream. */
gb_status mpm_generate(mpm_problem *p, unsigned i, gb_error *error);
/* Queues the fingerprint of n elements of a local rank, the first of which is number `from`. */
gb_status mpm_queue_fingerprint(mpm_problem *p, unsigned i, const void *keys,
                                const uint32_t *payload, uint64_t n, uint64_t from,
                                gb_error *error);

#endif
