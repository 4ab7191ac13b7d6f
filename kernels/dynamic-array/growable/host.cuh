/* What the host's side of growable arrays shares: a pool as its arrays see it. */
#ifndef GB_GROWABLE_HOST_CUH
#define GB_GROWABLE_HOST_CUH

#include "growable.h"

#include "growable_bulk.cuh"
#include "memory.h"

struct gb_growable_pool {
    gb_mapping *memory;
    gb_growable_pool_control *control; /* device */
    unsigned *order, *links;           /* device: a word a granule each */
    unsigned granule_log2;             /* bytes */
    size_t granules;
    cudaStream_t stream; /* for what must not wait for the caller's kernels */
};

/* A pool in memory that there is: `bytes` of device memory from `memory` on (aligned to 256), which
 * stays the caller's and has to live as long. It is for arrays in memory that other GPUs can reach;
 * all of it is mapped, and no more can be. */
cudaError_t gb_growable_pool_over(gb_growable_pool **out, void *memory, size_t bytes,
                                  size_t granule_bytes);

enum { GB_GROWABLE_THREADS = 256 }; /* of a block that works on tables of granules */

/* For a power of two. */
static inline unsigned gb_growable_log2(size_t power)
{
    unsigned log2 = 0;
    while ((size_t)1 << log2 < power)
        log2++;
    return log2;
}

/* Device memory, zeroed. */
template <class T> static inline cudaError_t gb_growable_zeroed(T **out, size_t bytes)
{
    cudaError_t code = cudaMalloc(reinterpret_cast<void **>(out), bytes ? bytes : 1);
    return code == cudaSuccess ? cudaMemset(*out, 0, bytes) : code;
}

#endif
