/* Bodies go to their buckets: a tile is ordered by bucket in shared memory, so that what goes to
 * the same bucket is written together. The order inside a bucket is whatever it happens to be. */
#ifndef GB_OCTREE_MORTON_MOVE_CUH
#define GB_OCTREE_MORTON_MOVE_CUH

#include "kernels/octree/morton_sample.cuh"

enum {
    MO_MOVE_THREADS = 512,
    MO_MOVE_ITEMS = 16,
    MO_MOVE_TILE = MO_MOVE_THREADS * MO_MOVE_ITEMS,
    MO_MOST_BUCKETS = 8192
};

static inline size_t mo_move_bytes(unsigned buckets)
{
    return 8 * (size_t)MO_MOVE_TILE + 8 * (size_t)buckets;
}

static __global__ void __launch_bounds__(MO_MOVE_THREADS, 2) mo_move(mo_build b)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    uint2 *staged = reinterpret_cast<uint2 *>(gb_shared_memory);
    unsigned *count = reinterpret_cast<unsigned *>(staged + MO_MOVE_TILE);
    unsigned *to = count + b.buckets;
    if (b.words->ordered || b.words->verdict) return;
    const unsigned first = blockIdx.x * MO_MOVE_TILE;
    const unsigned valid = b.n - first < MO_MOVE_TILE ? b.n - first : (unsigned)MO_MOVE_TILE;
    for (unsigned k = threadIdx.x; k < b.buckets; k += MO_MOVE_THREADS)
        count[k] = 0;
    unsigned key[MO_MOVE_ITEMS], place[MO_MOVE_ITEMS]; /* bucket << 16 | rank */
#pragma unroll
    for (int k = 0; k < MO_MOVE_ITEMS; k++) {
        const unsigned i = threadIdx.x + k * MO_MOVE_THREADS;
        key[k] = i < valid ? b.keys[first + i] : ~0u;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < MO_MOVE_ITEMS; k++) {
        if (threadIdx.x + k * MO_MOVE_THREADS >= valid) break;
        const unsigned bucket = b.bucket_of[key[k] >> MO_SUB];
        place[k] = bucket << 16 | atomicAdd(&count[bucket], 1u);
    }
    __syncthreads();
    const unsigned each = ((b.buckets + MO_MOVE_THREADS - 1) / MO_MOVE_THREADS) | 1u;
    const unsigned begin = threadIdx.x * each < b.buckets ? threadIdx.x * each : b.buckets;
    const unsigned end = begin + each < b.buckets ? begin + each : b.buckets;
    unsigned sum = 0, total;
    for (unsigned k = begin; k < end; k++)
        sum += count[k];
    sum = gb_block_exclusive_sum<MO_MOVE_THREADS>(sum, sums, &total);
    for (unsigned k = begin; k < end; k++) {
        const unsigned mine = count[k];
        count[k] = sum;
        to[k] = mine;
        sum += mine;
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < b.buckets; k += MO_MOVE_THREADS)
        if (to[k]) to[k] = atomicAdd(&b.bucket_fill[k], to[k]) - count[k];
#pragma unroll
    for (int k = 0; k < MO_MOVE_ITEMS; k++) {
        const unsigned i = threadIdx.x + k * MO_MOVE_THREADS;
        if (i >= valid) break;
        staged[count[place[k] >> 16] + (place[k] & 0xFFFFu)] = make_uint2(key[k], first + i);
    }
    __syncthreads();
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < valid; i += MO_MOVE_THREADS) {
        const uint2 record = staged[i];
        b.records[to[b.bucket_of[record.x >> MO_SUB]] + i] = record;
    }
}

#endif
