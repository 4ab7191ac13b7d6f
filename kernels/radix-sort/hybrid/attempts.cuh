/* What the sample makes hybrid try instead of its stages, in the launches that the stages have
 * anyway: keys that seem to be in order already are copied or reversed (ordered.cuh), few values
 * are counted (few.cuh). An attempt looks at every key; one that fails costs what it did until
 * then, and the stages go on. Or uneven keys are counted by cells, for the stages (cells.cuh).
 *
 * The first partition's launch has twice as many blocks as partition. Where something is tried, the
 * first half of them tries it, and the others wait for the outcome; else these have nothing to do.
 * Which half a block belongs to is told by a ticket, so that those it waits for are running. */
#ifndef GB_RADIX_SORT_HYBRID_ATTEMPTS_CUH
#define GB_RADIX_SORT_HYBRID_ATTEMPTS_CUH

#include "kernels/radix-sort/hybrid/pages.cuh"

/* The word behind the verdict. */
enum hy_attempt {
    HY_BY_COUNT = 1,      /* there are at most 127 values: they are counted */
    HY_BY_COUNT_MANY = 2, /* some thousands */
    HY_ASCENDS = 4,       /* the images ascend */
    HY_DESCENDS = 8,
    HY_COUNTS = HY_BY_COUNT | HY_BY_COUNT_MANY,
    HY_ATTEMPTS = HY_COUNTS | HY_ASCENDS | HY_DESCENDS,
    HY_UNEVEN = 16,  /* if the attempt fails, the stages are refused */
    HY_FAILED = 32,  /* a key was not as the sample made believe */
    HY_BY_PLACE = 64 /* no attempt: the stages go by places (cells.cuh), which are made first */
};

/* Words of device memory, aligned to 16 bytes; all 0 at the start. */
typedef struct hy_state {
    unsigned verdict; /* hy_verdict */
    unsigned attempt; /* hy_attempt */
    unsigned tickets; /* of the first partition's launch, where something is tried */
    unsigned tried;   /* blocks that have done their part of it, and one more for the places */
    unsigned turn;    /* by places: so many upper bits of the images are equal in the sample */
    unsigned common;  /* what they are, in an image that is turned: its lowest bits */
} hy_state;

/* A block's part of an attempt. */
typedef struct hy_trial {
    unsigned block, blocks; /* which of how many */
    hy_state *state;

    __device__ __forceinline__ bool failed() const
    {
        return gb_glance(&state->attempt) & HY_FAILED;
    }
    /* One thread. */
    __device__ __forceinline__ void fail() const
    {
        if (atomicOr(&state->attempt, (unsigned)HY_FAILED) & HY_UNEVEN)
            atomicOr(&state->verdict, (unsigned)HY_REFUSED);
    }
} hy_trial;

/* The ticket of a block, as its part of an attempt. All threads call it. */
static __device__ __forceinline__ hy_trial hy_next_trial(hy_state *state, unsigned blocks)
{
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) ticket = atomicAdd(&state->tickets, 1u);
    __syncthreads();
    return hy_trial{ticket, blocks, state};
}

/* The block has done its part, and what it wrote is seen by whoever waits; whether all others have
 * done theirs. All threads call it. */
static __device__ __forceinline__ bool hy_end_trial(const hy_trial &trial)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&trial.state->tried, 1u) == trial.blocks - 1;
    __syncthreads();
    if (last) __threadfence();
    return last;
}

/* Waits for the parts of all, and for the places if these are made; whether the stages are to go
 * on. All threads of a block that has no part call it. */
static __device__ __forceinline__ bool hy_wait_for_trials(const hy_trial &trial, unsigned attempt)
{
    __shared__ unsigned outcome;
    if (threadIdx.x == 0) {
        const unsigned parts = trial.blocks + (attempt & HY_BY_PLACE ? 1 : 0);
        while (gb_glance(&trial.state->tried) < parts)
            gb_ask_again();
        __threadfence();
        outcome = gb_glance(&trial.state->attempt);
    }
    __syncthreads();
    return (outcome & (HY_FAILED | HY_UNEVEN)) == HY_FAILED || (outcome & HY_BY_PLACE);
}

#endif
