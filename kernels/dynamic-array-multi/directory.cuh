/* One index over arrays on several GPUs. Every rank has a whole directory in its own memory, so
 * that to look an element up costs one access to wherever it lies, and none before that to another
 * GPU. */
#ifndef GB_DYNAMIC_ARRAY_MULTI_DIRECTORY_CUH
#define GB_DYNAMIC_ARRAY_MULTI_DIRECTORY_CUH

#include "common/comm/comm.h"
#include "common/cuda/search.cuh"

/* What a rank tells all others of its array: how many elements it has, and where granule g of it
 * lies, in bytes from the beginning of the rank's memory that all can reach (arena). */
typedef struct dm_told {
    uint64_t size;
    uint64_t granule[1]; /* as many as there may be; DM_NOWHERE behind the last one in use */
} dm_told;
static const uint64_t DM_NOWHERE = ~(uint64_t)0;

/* A rank's copy; passed to kernels by value, read by them alone. */
typedef struct dm_directory {
    const unsigned char *told; /* of each rank a dm_told, `stride` bytes apart */
    uint64_t stride;
    const uint64_t *begins; /* index of each rank's first element; size + 1, the last is all */
    unsigned size;          /* ranks */
    unsigned granule_log2;  /* elements of a granule */
    gb_window arena;
} dm_directory;

static __host__ __device__ __forceinline__ const dm_told *dm_told_by(const dm_directory &d,
                                                                     unsigned rank)
{
    return reinterpret_cast<const dm_told *>(d.told + rank * d.stride);
}

/* Where element i of all is: which rank has it, and under which index of its own. */
static __device__ __forceinline__ unsigned dm_rank_of(const dm_directory &d, uint64_t i,
                                                      uint64_t *local)
{
    const unsigned rank = gb_stretch_holding(d.begins, d.size, i);
    *local = i - d.begins[rank];
    return rank;
}

/* Element i of all, i < begins[size], on whichever GPU it lies. */
static __device__ __forceinline__ uint32_t *dm_at(const dm_directory &d, uint64_t i)
{
    uint64_t local;
    const unsigned rank = dm_rank_of(d, i, &local);
    const uint64_t granule = dm_told_by(d, rank)->granule[local >> d.granule_log2];
    const uint64_t within = local & (((uint64_t)1 << d.granule_log2) - 1);
    return reinterpret_cast<uint32_t *>(d.arena.at[rank] + granule) + within;
}

#endif
