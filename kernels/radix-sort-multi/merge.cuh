/* Merging two sorted runs: merge path (Green, McColl, Bader 2012). A first kernel finds where the
 * tiles of the output begin in both runs, a second one merges a tile a block, in shared memory; of
 * equal keys those of the first run come first. */
#ifndef GB_RADIX_SORT_MULTI_MERGE_CUH
#define GB_RADIX_SORT_MULTI_MERGE_CUH

#include "common/cuda/device.cuh"

enum { MS_MERGE_THREADS = 256 };

/* Elements a thread merges: a tile has 16 KiB of keys. */
template <class Key> constexpr unsigned ms_merge_items = 64 / sizeof(Key);
template <class Key> constexpr unsigned ms_merge_tile = MS_MERGE_THREADS *ms_merge_items<Key>;

/* Two runs and where they become one; payloads are NULL without. */
template <class Key> struct ms_merge {
    const Key *a, *b;
    const uint32_t *payload_a, *payload_b;
    uint64_t in_a, in_b;
    Key *out;
    uint32_t *payload_out;
    uint64_t *begins; /* tiles + 1: how many of a are before each tile */
};

/* How many of a's elements are among the first `place` of both. */
template <class Key, class Count>
__device__ static Count ms_merge_path(const Key *a, Count in_a, const Key *b, Count in_b,
                                      Count place)
{
    Count low = place > in_b ? place - in_b : 0, high = place < in_a ? place : in_a;
    while (low < high) {
        const Count middle = low + (high - low) / 2;
        if (a[middle] <= b[place - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <class Key> static __global__ void ms_merge_begins(ms_merge<Key> m, uint64_t tiles)
{
    const uint64_t all = m.in_a + m.in_b;
    const uint64_t t = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (t > tiles) return;
    const uint64_t place = t * ms_merge_tile<Key> < all ? t * ms_merge_tile<Key> : all;
    m.begins[t] = ms_merge_path(m.a, m.in_a, m.b, m.in_b, place);
}

template <class Key>
static __global__ void __launch_bounds__(MS_MERGE_THREADS) ms_merge_tiles(ms_merge<Key> m)
{
    constexpr unsigned ITEMS = ms_merge_items<Key>, TILE = ms_merge_tile<Key>;
    __shared__ Key keys[TILE];
    __shared__ unsigned short sources[TILE];
    const uint64_t all = m.in_a + m.in_b, begin = (uint64_t)blockIdx.x * TILE;
    const unsigned count = (unsigned)(all - begin < TILE ? all - begin : TILE);
    const uint64_t a0 = m.begins[blockIdx.x], b0 = begin - a0;
    const unsigned in_a = (unsigned)(m.begins[blockIdx.x + 1] - a0), in_b = count - in_a;
    for (unsigned i = threadIdx.x; i < count; i += MS_MERGE_THREADS)
        keys[i] = i < in_a ? m.a[a0 + i] : m.b[b0 + (i - in_a)];
    __syncthreads();
    const unsigned first = threadIdx.x * ITEMS < count ? threadIdx.x * ITEMS : count;
    unsigned i = ms_merge_path<Key, unsigned>(keys, in_a, keys + in_a, in_b, first);
    unsigned j = first - i;
    Key merged[ITEMS];
    unsigned short from[ITEMS];
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        if (first + k >= count) break;
        const bool take_a = j >= in_b || (i < in_a && keys[i] <= keys[in_a + j]);
        from[k] = (unsigned short)(take_a ? i : in_a + j);
        merged[k] = keys[from[k]];
        i += take_a;
        j += !take_a;
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        if (first + k >= count) break;
        keys[first + k] = merged[k];
        sources[first + k] = from[k];
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < count; k += MS_MERGE_THREADS) {
        m.out[begin + k] = keys[k];
        if (!m.payload_out) continue;
        const unsigned s = sources[k];
        m.payload_out[begin + k] = s < in_a ? m.payload_a[a0 + s] : m.payload_b[b0 + (s - in_a)];
    }
}

/* Tiles that a merge of so many elements has, and numbers in `begins`. */
template <class Key> static inline uint64_t ms_merge_tiles_of(uint64_t n)
{
    return (n + ms_merge_tile<Key> - 1) / ms_merge_tile<Key>;
}

/* Queues a merge. */
template <class Key>
static gb_status ms_queue_merge(const ms_merge<Key> *m, cudaStream_t stream, gb_error *error)
{
    const uint64_t tiles = ms_merge_tiles_of<Key>(m->in_a + m->in_b);
    if (tiles == 0) return GB_OK;
    GB_TRY(launch(ms_merge_begins<Key>, dim3((unsigned)(tiles / 128 + 1)), dim3(128), 0, stream, *m,
                  tiles),
           error);
    GB_TRY(
        launch(ms_merge_tiles<Key>, dim3((unsigned)tiles), dim3(MS_MERGE_THREADS), 0, stream, *m),
        error);
    return GB_OK;
}

#endif
