/* Bodies go to their buckets: a tile is ordered by bucket in shared memory, so that what goes to
 * the same bucket is written together. The order inside a bucket is whatever it happens to be.
 * Blocks stay, for each keeps the table of slots' buckets, and fetch the next tile's keys while
 * they write one. */
#ifndef GB_OCTREE_MORTON_MOVE_CUH
#define GB_OCTREE_MORTON_MOVE_CUH

#include "kernels/octree/morton_sample.cuh"

enum {
    MO_MOVE_THREADS = 1024,
    MO_MOVE_ITEMS = 12,
    MO_MOVE_TILE = MO_MOVE_THREADS * MO_MOVE_ITEMS,
    MO_MOST_BUCKETS = 4608
};

/* The table takes what a tree of so many cells needs. */
static inline size_t mo_move_bytes(unsigned buckets, unsigned coarse)
{
    return 8 * (size_t)MO_MOVE_TILE + 8 * (size_t)buckets + 2 * (7 * (size_t)coarse + 1);
}

static __device__ __forceinline__ void mo_load_tile(const mo_build &b, uint64_t first,
                                                    unsigned (&key)[MO_MOVE_ITEMS])
{
#pragma unroll
    for (int k = 0; k < MO_MOVE_ITEMS; k++) {
        const uint64_t i = first + threadIdx.x + k * MO_MOVE_THREADS;
        key[k] = i < b.n ? __ldcs(&b.keys[i]) : 0;
    }
}

static __global__ void __launch_bounds__(MO_MOVE_THREADS, 1) mo_move(mo_build b)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    uint2 *staged = reinterpret_cast<uint2 *>(gb_shared_memory);
    unsigned *count = reinterpret_cast<unsigned *>(staged + MO_MOVE_TILE);
    unsigned *to = count + b.buckets;
    uint16_t *bucket_of = reinterpret_cast<uint16_t *>(to + b.buckets);
    if (b.words->ordered && !b.words->disorder) return;
    const unsigned slots = 7 * b.words->coarse + 1;
    for (unsigned g = threadIdx.x; g < slots; g += MO_MOVE_THREADS)
        bucket_of[g] = b.bucket_of[g];
    for (unsigned k = threadIdx.x; k < b.buckets; k += MO_MOVE_THREADS)
        count[k] = 0;
    const unsigned each = ((b.buckets + MO_MOVE_THREADS - 1) / MO_MOVE_THREADS) | 1u;
    const unsigned begin = threadIdx.x * each < b.buckets ? threadIdx.x * each : b.buckets;
    const unsigned end = begin + each < b.buckets ? begin + each : b.buckets;
    uint64_t first = (uint64_t)blockIdx.x * MO_MOVE_TILE;
    unsigned key[MO_MOVE_ITEMS], place[MO_MOVE_ITEMS]; /* bucket << 16 | rank */
    if (first < b.n) mo_load_tile(b, first, key);
    __syncthreads();
    while (first < b.n) {
        const unsigned valid =
            b.n - first < MO_MOVE_TILE ? (unsigned)(b.n - first) : (unsigned)MO_MOVE_TILE;
#pragma unroll
        for (int k = 0; k < MO_MOVE_ITEMS; k++) {
            if (threadIdx.x + k * MO_MOVE_THREADS >= valid) break;
            const unsigned bucket = bucket_of[key[k] >> MO_SUB];
            place[k] = bucket << 16 | atomicAdd(&count[bucket], 1u);
        }
        __syncthreads();
        unsigned sum = 0, total;
        for (unsigned k = begin; k < end; k++)
            sum += count[k];
        sum = gb_block_exclusive_sum<MO_MOVE_THREADS>(sum, sums, &total);
        for (unsigned k = begin; k < end; k++) {
            const unsigned mine = count[k];
            count[k] = sum;
            to[k] = mine ? atomicAdd(&b.bucket_fill[k], mine) - sum : 0;
            sum += mine;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < MO_MOVE_ITEMS; k++) {
            const unsigned i = threadIdx.x + k * MO_MOVE_THREADS;
            if (i >= valid) break;
            staged[count[place[k] >> 16] + (place[k] & 0xFFFFu)] =
                make_uint2(key[k], (unsigned)first + i);
        }
        first += (uint64_t)gridDim.x * MO_MOVE_TILE;
        if (first < b.n) mo_load_tile(b, first, key);
        __syncthreads();
        for (unsigned k = threadIdx.x; k < b.buckets; k += MO_MOVE_THREADS)
            count[k] = 0;
#pragma unroll
        for (int k = 0; k < MO_MOVE_ITEMS; k++) {
            const unsigned i = threadIdx.x + k * MO_MOVE_THREADS;
            if (i >= valid) break;
            const uint2 record = staged[i];
            b.records[to[bucket_of[record.x >> MO_SUB]] + i] = record;
        }
        __syncthreads();
    }
}

#endif
