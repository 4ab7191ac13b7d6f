/* The kernels over buckets: a block a bucket; what does not fit goes on to the next size. And what
 * is mended at last. */
#ifndef GB_OCTREE_MORTON_BUCKETS_CUH
#define GB_OCTREE_MORTON_BUCKETS_CUH

#include "kernels/octree/morton/link.cuh"

typedef mo_room<576, 13> mo_small_room;
typedef mo_room<1024, 12> mo_large_room;

enum { MO_CELLS_A_BUCKET = 0xFFFF, MO_MEND_THREADS = 256 };

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

template <bool ONE>
static __global__ void __launch_bounds__(mo_small_room::THREADS, 2) mo_buckets(mo_build b)
{
    __shared__ unsigned sums[GB_WARP + 2];
    const mo_bucket k = mo_bucket_of(b, blockIdx.x);
    if (k.count == 0) return;
    const bool fits = k.slots <= MO_BUCKET_SLOTS;
    if (fits && k.count > mo_small_room::BODIES && k.count <= mo_large_room::BODIES)
        mo_pass_on(&b.words->large, b.large, blockIdx.x);
    else if (!fits || k.count > mo_small_room::BODIES ||
             !mo_build_bucket<ONE, mo_small_room>(b, k, sums))
        mo_pass_on(&b.words->crowded, b.crowded, blockIdx.x);
}

template <bool ONE>
static __global__ void __launch_bounds__(mo_large_room::THREADS) mo_large(mo_build b)
{
    __shared__ unsigned sums[GB_WARP + 2];
    for (unsigned i = blockIdx.x; i < b.words->large; i += gridDim.x) {
        const mo_bucket k = mo_bucket_of(b, b.large[i]);
        if (!mo_build_bucket<ONE, mo_large_room>(b, k, sums))
            mo_pass_on(&b.words->crowded, b.crowded, b.large[i]);
        __syncthreads();
    }
}

/* ---- mending --------------------------------------------------------------------------------- */

/* Whether a cell of the sample's tree is none of the bodies' tree: it has too few, or all coincide.
 */
static __device__ __forceinline__ bool mo_is_none(const mo_build &b, unsigned cell)
{
    if (cell == 0) return false;
    const mo_span span = b.spans[cell];
    const unsigned begin = b.counts[span.first], end = b.counts[span.first + span.count];
    if (end - begin <= b.leaf) return true;
    return oc_common_depth(mo_place(b, b.bodies[b.order[begin]]),
                           mo_place(b, b.bodies[b.order[end - 1]])) == OC_DEPTH;
}

/* The highest ones of them become leaves. The sample's bodies are in a cell each more than once, so
 * none is empty. */
static __global__ void __launch_bounds__(MO_MEND_THREADS) mo_mend(mo_build b)
{
    const unsigned cell = blockIdx.x * MO_MEND_THREADS + threadIdx.x;
    if (cell >= b.words->coarse || b.words->trouble || !mo_is_none(b, cell)) return;
    const unsigned at = b.parent[cell];
    if (mo_is_none(b, at / 8)) return;
    const mo_span span = b.spans[cell];
    const unsigned begin = b.counts[span.first], end = b.counts[span.first + span.count];
    b.slot[at] = begin;
    for (unsigned p = begin + 1; p < end && end - begin <= b.leaf; p++)
        atomicAnd(&b.first[p / 32], ~(1u << p % 32));
}

#endif
