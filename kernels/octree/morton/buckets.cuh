/* The kernels over buckets: a block a bucket; what does not fit goes on to the next size. */
#ifndef GB_OCTREE_MORTON_BUCKETS_CUH
#define GB_OCTREE_MORTON_BUCKETS_CUH

#include "kernels/octree/morton/link.cuh"
#include "kernels/octree/morton/rooms.h"

enum { MO_CELLS_A_BUCKET = 0xFFFF };

/* Cells from the pool; all threads get the first one. False, for all, where there are not so many;
 * then that is noted. */
static __device__ __forceinline__ bool mo_take_cells(const mo_build &b, unsigned cells,
                                                     unsigned *shared, unsigned *base)
{
    if (threadIdx.x == 0) *shared = atomicAdd(&b.words->cells, cells);
    __syncthreads();
    *base = *shared;
    __syncthreads();
    if ((uint64_t)*base + cells <= b.pool) return true;
    if (threadIdx.x == 0) atomicOr(&b.words->trouble, (unsigned)OC_POOL_EMPTY);
    return false;
}

/* Puts a bucket on a list. */
static __device__ __forceinline__ void mo_pass_on(unsigned *count, unsigned *list, unsigned bucket)
{
    if (threadIdx.x == 0) list[atomicAdd(count, 1u)] = bucket;
}

/* Makes the cells that the heads of a bucket begin. False, for all threads, where they are too many
 * to be numbered. */
template <class Room, class Heads>
static __device__ __forceinline__ bool mo_make_cells(const mo_codec &codec, const Room &room,
                                                     const mo_bucket &k, const Heads &heads,
                                                     unsigned *sums)
{
    const unsigned cells = mo_number_cells(room, heads, sums);
    if (cells > MO_CELLS_A_BUCKET) return false;
    unsigned base;
    if (mo_take_cells(codec.b, cells, sums + GB_WARP + 1, &base))
        mo_write_cells(codec, room, k, heads, base, cells);
    return true;
}

/* One bucket by one block; sums: 34 words. False, for all threads, where it is too crowded. ONE: a
 * leaf has one body. */
template <bool ONE, class Room>
static __device__ __forceinline__ bool mo_build_bucket(const mo_build &b, const mo_bucket &k,
                                                       unsigned *sums)
{
    GB_DYNAMIC_SHARED();
    Room room(gb_shared_memory);
    const mo_codec codec = {b, k.slot};
    const bool ordered = mo_is_ordered(b);
    if (ordered)
        mo_take(codec, room, k);
    else if (mo_gather(b, room, k, sums))
        mo_arrange(room, k.count);
    else
        mo_sort(codec, room, k);
    mo_compare<ONE>(codec, room, k.count, ordered);
    return ONE ? mo_make_cells(codec, room, k, mo_each{k.count}, sums)
               : mo_make_cells(codec, room, k, mo_list_heads(codec, room, k, sums), sums);
}

template <bool ONE, class Small, class Large>
static __global__ void __launch_bounds__(Small::THREADS, 2) mo_buckets(mo_build b)
{
    if (mo_yields(b)) return;
    __shared__ unsigned sums[GB_WARP + 2];
    const mo_bucket k = mo_bucket_of(b, blockIdx.x);
    if (k.count == 0) return;
    const bool fits = k.slots <= MO_BUCKET_SLOTS;
    if (fits && k.count > Small::BODIES && k.count <= Large::BODIES)
        mo_pass_on(&b.words->large, b.large, blockIdx.x);
    else if (!fits || k.count > Small::BODIES || !mo_build_bucket<ONE, Small>(b, k, sums))
        mo_pass_on(&b.words->crowded, b.crowded, blockIdx.x);
}

template <bool ONE, class Large>
static __global__ void __launch_bounds__(Large::THREADS) mo_large(mo_build b)
{
    if (mo_yields(b)) return;
    __shared__ unsigned sums[GB_WARP + 2];
    for (unsigned i = blockIdx.x; i < b.words->large; i += gridDim.x) {
        const mo_bucket k = mo_bucket_of(b, b.large[i]);
        if (!mo_build_bucket<ONE, Large>(b, k, sums))
            mo_pass_on(&b.words->crowded, b.crowded, b.large[i]);
        __syncthreads();
    }
}

/* The kernels over buckets of two sizes, as rooms.h has them. */
template <class Small, class Large> static mo_rooms mo_rooms_of()
{
    static_assert(Small::BODIES < 1 << 16, "places have 16 bits");
    mo_rooms rooms;
    rooms.small = {{mo_buckets<false, Small, Large>, mo_buckets<true, Small, Large>},
                   Small::THREADS,
                   Small::BYTES,
                   Small::BODIES};
    rooms.large = {{mo_large<false, Large>, mo_large<true, Large>},
                   Large::THREADS,
                   Large::BYTES,
                   Large::BODIES};
    return rooms;
}

#endif
