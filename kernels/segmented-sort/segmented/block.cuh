/* Segments of up to 8192 keys: a block sorts one in shared memory, digit by digit from the lowest
 * one on, ranked as in a tile of onesweep. A key is read once and written once. */
#ifndef GB_SEGMENTED_SORT_SEGMENTED_BLOCK_CUH
#define GB_SEGMENTED_SORT_SEGMENTED_BLOCK_CUH

#include "common/cuda/copy_async.cuh"
#include "kernels/radix-sort/onesweep/tile.cuh"
#include "kernels/segmented-sort/segmented/warp.cuh"

template <class Key, bool PAYLOAD, int THREADS, int ITEMS> struct sg_block_shape {
    static const int WARPS = THREADS / GB_WARP, MOST = THREADS * ITEMS;
    static const int SLOTS = MOST + MOST / GB_WARP;
    static const int PAYLOAD_SLOTS = PAYLOAD ? SLOTS : 0;
    static const int BYTES =
        SLOTS * (int)sizeof(Key) + PAYLOAD_SLOTS * 4 + WARPS * OS_DIGITS * (int)sizeof(os_counter);
};

/* Counts of each (warp, digit) become where its keys go. All threads of the block call it. */
template <int THREADS>
__device__ __forceinline__ void sg_begins_of(os_counter *counts, unsigned *sums)
{
    enum { WARPS = THREADS / GB_WARP };
    static_assert(THREADS >= OS_DIGITS, "a thread has a digit");
    unsigned all, count = 0;
    __syncthreads();
    if (threadIdx.x < OS_DIGITS) {
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            count += counts[w * OS_DIGITS + threadIdx.x];
    }
    unsigned running = gb_block_exclusive_sum_once<THREADS>(count, sums, &all);
    if (threadIdx.x < OS_DIGITS) {
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            const unsigned own = counts[w * OS_DIGITS + threadIdx.x];
            counts[w * OS_DIGITS + threadIdx.x] = (os_counter)running;
            running += own;
        }
    }
    __syncthreads();
}

/* The bytes of the block's keys that are not the same in all of them, a bit each. differ: bits of
 * the thread's that do; shared: 2 words. */
template <class Key>
__device__ __forceinline__ unsigned sg_bytes_that_differ(Key differ, unsigned *shared)
{
    unsigned bytes = 0;
#pragma unroll
    for (unsigned b = 0; b < sizeof(Key); b++)
        bytes |= (differ >> 8 * b & 0xff) ? 1u << b : 0u;
    if (threadIdx.x == 0) *shared = 0;
    __syncthreads();
#pragma unroll
    for (int d = GB_WARP / 2; d; d /= 2)
        bytes |= __shfl_xor_sync(GB_FULL_MASK, bytes, d);
    if (gb_lane() == 0 && bytes) atomicOr(shared, bytes);
    __syncthreads();
    return *shared;
}

/* One list of segments of up to THREADS * ITEMS keys. Of a segment's rows of 32 keys each warp has
 * consecutive ones, as many as any other. */
template <class Key, bool PAYLOAD, int THREADS, int ITEMS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sg_sort_by_blocks(sg_arrays<Key> arrays, const sg_segment *__restrict__ list,
                      const unsigned *listed)
{
    typedef sg_block_shape<Key, PAYLOAD, THREADS, ITEMS> shape;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    __shared__ unsigned differing;
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory);
    uint32_t *payloads = reinterpret_cast<uint32_t *>(keys + shape::SLOTS);
    os_counter *counts = reinterpret_cast<os_counter *>(payloads + shape::PAYLOAD_SLOTS);
    os_counter *own = counts + threadIdx.x / GB_WARP * OS_DIGITS;
    const auto slot = [](unsigned at) { return at + at / GB_WARP; };

    for (unsigned s = blockIdx.x; s < *listed; s += gridDim.x) {
        const sg_segment segment = list[s];
        const unsigned count = segment.count();
        const Key *from = arrays.keys_of(segment);
        const unsigned rows = ((count + GB_WARP - 1) / GB_WARP + shape::WARPS - 1) /
                              shape::WARPS; /* a warp's, at most ITEMS */
        const unsigned row = threadIdx.x / GB_WARP * GB_WARP * rows + gb_lane();
        const Key first = arrays.image_of(segment, *from);
        Key key[ITEMS], differ = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const unsigned at = row + i * GB_WARP;
            key[i] = ~(Key)0; /* past the end: behind all others */
            if ((unsigned)i < rows && at < count) {
                key[i] = from[at];
                if constexpr (PAYLOAD)
                    gb_copy_async_word(payloads + slot(at), arrays.payload_of(segment) + at);
            }
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if ((unsigned)i >= rows || row + i * GB_WARP >= count) continue;
            key[i] = arrays.image_of(segment, key[i]);
            differ |= key[i] ^ first;
        }
        const unsigned bytes = sg_bytes_that_differ(differ, &differing);
        /* where all keys are the same they keep their places in a pass over any byte */
        for (unsigned left = bytes ? bytes : 1u; left; left &= left - 1) {
            const unsigned byte = __ffs(left) - 1;
            const os_digit<Key, OS_AS_BYTE> digit_of(0, 8 * sizeof(Key), byte, arrays.codec);
            rs_halves<ITEMS> ranks;
#pragma unroll
            for (int d = 0; d < OS_DIGITS / 2; d += GB_WARP)
                reinterpret_cast<unsigned *>(own)[d + gb_lane()] = 0;
            __syncwarp();
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                unsigned rank = 0;
                if ((unsigned)i < rows) {
                    const unsigned digit = digit_of(key[i]);
                    const unsigned peers = gb_peers<OS_BITS>(digit);
                    const unsigned before = own[digit];
                    rank = before + __popc(peers & gb_lanes_below());
                    __syncwarp();
                    if (peers >> gb_lane() == 1) own[digit] = (os_counter)(rank + 1);
                    __syncwarp();
                }
                ranks.set(i, rank);
            }
            uint32_t payload[PAYLOAD ? ITEMS : 1]; /* its place is another's from now on */
            if constexpr (PAYLOAD) {
                gb_copy_async_wait();
#pragma unroll
                for (int i = 0; i < ITEMS; i++)
                    if ((unsigned)i < rows) payload[i] = payloads[slot(row + i * GB_WARP)];
            }
            sg_begins_of<THREADS>(counts, sums);
            const os_digit<Key, OS_AS_BYTE> again = digit_of.forgotten();
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                if ((unsigned)i >= rows) continue;
                const unsigned place = slot(own[again(key[i])] + ranks.get(i));
                keys[place] = key[i];
                if constexpr (PAYLOAD) payloads[place] = payload[i];
            }
            __syncthreads();
            if (!(left & (left - 1))) break;
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                if ((unsigned)i < rows) key[i] = keys[slot(row + i * GB_WARP)];
            }
        }
        for (unsigned at = threadIdx.x; at < count; at += THREADS) {
            arrays.keys_out[segment.begin + at] = rs_decode(arrays.codec, keys[slot(at)]);
            if constexpr (PAYLOAD) arrays.payload_out[segment.begin + at] = payloads[slot(at)];
        }
        if constexpr (PAYLOAD) __syncthreads(); /* the next segment's come to where these lie */
    }
}

#endif
