/* Partition by bins on several GPUs: what the C files and the kernels of this folder share.
 *
 * Keys lie on ranks, one a GPU, each of which has a stretch of the input. At the end bins are dealt
 * to ranks in order, in contiguous ranges: rank r has its bins behind each other, each of them
 * whole. Which range, follows from the bins' sizes (mpm_owner). */
#ifndef GB_MULTIPARTITION_MULTI_H
#define GB_MULTIPARTITION_MULTI_H

#include "common/comm/ranks.h"
#include "kernels/multipartition/experiment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum {
    MPM_GPUS,
    MPM_N,
    MPM_BINS,
    MPM_DIST,
    MPM_TYPE,
    MPM_PAYLOAD,
    MPM_SHARE,
    MPM_SCALING,
    MPM_AXES
};

/* A point of the experiment in C types. */
typedef struct mpm_shape {
    mp_shape all;  /* of all ranks together; function MP_RANGE */
    unsigned gpus; /* ranks */
    bool uneven;   /* how the input lies over them at first (gb_share_begin) */
} mpm_shape;

mpm_shape mpm_shape_of(const gb_params *params);

/* The rank that has a bin: that in whose part of n elements, of `size` equal ones, the bin's middle
 * lies. begin, end: of the bin, were all bins behind each other. It never falls from a bin to the
 * next. */
#if defined(__CUDACC__)
__host__ __device__ __forceinline__
#else
static inline
#endif
    unsigned
    mpm_owner(uint64_t begin, uint64_t end, uint64_t n, unsigned size)
{
    const uint64_t rank = n ? (begin + end) * size / (2 * n) : 0;
    return rank < size ? (unsigned)rank : size - 1;
}

/* problem.cu. A gb_problem is an mpm_problem (problem.h) here. */
gb_status mpm_open(const gb_params *params, uint64_t seed, const gb_device *device,
                   struct gb_problem **out, gb_error *error);
void mpm_close(struct gb_problem *problem);
gb_status mpm_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status mpm_check(gb_job *job, gb_stream stream);
/* local.cu */
gb_status mpm_redone(gb_job *job, bool *redone);

extern const gb_variant mpm_single, mpm_nccl, mpm_peers, mpm_copies;

#ifdef __cplusplus
}
#endif
#endif
