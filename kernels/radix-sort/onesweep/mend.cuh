/* After a sort by the upper digits alone (shorten.cuh): keys that agree in them lie together, in
 * the order of the input. A run of up to OS_MEND_RUN of them that the digits left out would order
 * otherwise is put in order, stably; a longer one is left, and a word says that all digits have to
 * be sorted by. Runs that are in order already, equal keys above all, cost nothing, however long.
 *
 * Bytes a key: its width, once, and what is moved. */
#ifndef GB_RADIX_SORT_ONESWEEP_MEND_CUH
#define GB_RADIX_SORT_ONESWEEP_MEND_CUH

#include "kernels/radix-sort/onesweep/count.cuh"

enum {
    OS_MEND_THREADS = 256,
    OS_MEND_ITEMS = 8,
    OS_MEND_KEYS = OS_MEND_THREADS * OS_MEND_ITEMS,
    OS_MEND_RUN = GB_WARP, /* keys of a run, at most: what a word has bits for */
    OS_MEND_WINDOW = OS_MEND_KEYS + 2 * OS_MEND_RUN,
    OS_MEND_ROWS = OS_MEND_WINDOW / GB_WARP
};

/* A key that another block may be moving within its run: what is read of it is either key, and both
 * have the upper digits that decide whose run it is. */
__device__ __forceinline__ unsigned long long os_glance(const unsigned long long *at)
{
#if defined(__CUDACC__)
    return *static_cast<const volatile unsigned long long *>(at);
#else
    return __atomic_load_n(at, __ATOMIC_RELAXED);
#endif
}
__device__ __forceinline__ void os_replace(unsigned long long *at, unsigned long long key)
{
#if defined(__CUDACC__)
    *at = key;
#else
    __atomic_store_n(at, key, __ATOMIC_RELAXED);
#endif
}

/* Of a window's keys: the images, and for each row of 32 a bit a key. */
struct os_window {
    unsigned long long *image;
    unsigned *alike;     /* it agrees with the next key in the upper digits */
    unsigned *unordered; /* ... and belongs behind it */

    /* Whether keys of a row may belong to an unordered run: a run that crosses the row's borders
     * may be unordered beyond them. */
    __device__ __forceinline__ bool concerns(unsigned row) const
    {
        return unordered[row] || (alike[row - 1] >> 31 && unordered[row - 1]) ||
               (alike[row] >> 31 && unordered[row + 1]);
    }
};

/* The run of the key in lane `lane` of row `row`, which is not the first row nor the last. */
struct os_run {
    unsigned before, behind; /* keys of it; OS_MEND_RUN: so many or more */
    bool unordered;          /* where it is no longer than OS_MEND_RUN */

    __device__ __forceinline__ os_run(const os_window &window, unsigned row, unsigned lane)
    {
        const unsigned *alike = window.alike + row, *bad = window.unordered + row;
        const unsigned lower = __funnelshift_r(alike[-1], alike[0], lane);
        const unsigned upper = __funnelshift_r(alike[0], alike[1], lane);
        before = ~lower ? (unsigned)__clz((int)~lower) : (unsigned)OS_MEND_RUN;
        behind = ~upper ? (unsigned)__ffs((int)~upper) - 1 : (unsigned)OS_MEND_RUN;
        unordered = false;
        if (is_long()) return;
        const unsigned bad_before = __funnelshift_r(bad[-1], bad[0], lane);
        const unsigned bad_behind = __funnelshift_r(bad[0], bad[1], lane);
        unordered = (before && bad_before >> (GB_WARP - before)) ||
                    (bad_behind & ((1u << behind) - 1)) != 0;
    }
    __device__ __forceinline__ bool is_long() const
    {
        return before + behind + 1 > (unsigned)OS_MEND_RUN;
    }
};

/* Reads the block's window, its tile and OS_MEND_RUN keys more at both ends, and compares
 * neighbours. Returns whether any are unordered: nothing is to be done if not. */
static __device__ __forceinline__ bool os_read_window(const os_window &window,
                                                      const unsigned long long *keys, uint64_t n,
                                                      uint64_t first, const rs_codec &codec,
                                                      const os_field &field, unsigned low_bits)
{
    enum { LOADS = (OS_MEND_WINDOW + OS_MEND_THREADS - 1) / OS_MEND_THREADS };
    unsigned long long key[LOADS];
    /* first may be below 0: as a large number it is no key's */
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        const unsigned w = i * OS_MEND_THREADS + threadIdx.x;
        key[i] = w < OS_MEND_WINDOW && first + w < n ? os_glance(&keys[first + w]) : 0;
    }
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        const unsigned w = i * OS_MEND_THREADS + threadIdx.x;
        if (w < OS_MEND_WINDOW) window.image[w] = rs_encode(codec, key[i]);
    }
    __syncthreads();
    unsigned any = 0;
    /* and one row more, of which nothing is known */
    for (unsigned row = threadIdx.x / GB_WARP; row <= OS_MEND_ROWS;
         row += OS_MEND_THREADS / GB_WARP) {
        const unsigned w = row * GB_WARP + gb_lane();
        bool alike = false, bad = false;
        if (w + 1 < OS_MEND_WINDOW && first + w < n && first + w + 1 < n) {
            const unsigned long long a = field(rs_order(codec, window.image[w]));
            const unsigned long long b = field(rs_order(codec, window.image[w + 1]));
            alike = a >> low_bits == b >> low_bits;
            bad = alike && a > b;
        }
        const unsigned row_alike = __ballot_sync(GB_FULL_MASK, alike);
        const unsigned row_bad = __ballot_sync(GB_FULL_MASK, bad);
        if (gb_lane() == 0) {
            window.alike[row] = row_alike;
            window.unordered[row] = row_bad;
        }
        any |= row_bad;
    }
    return __syncthreads_or(any != 0);
}

/* Where key w of an unordered run belongs. */
static __device__ __forceinline__ unsigned os_place_in_run(const os_window &window,
                                                           const rs_codec &codec,
                                                           const os_field &field, unsigned w,
                                                           const os_run &run)
{
    const unsigned long long mine = field(rs_order(codec, window.image[w]));
    const unsigned begin = w - run.before, end = w + run.behind + 1;
    unsigned place = begin;
    for (unsigned other = begin; other < end; other++) {
        const unsigned long long its = field(rs_order(codec, window.image[other]));
        place += its < mine || (its == mine && other < w);
    }
    return place;
}

/* Mends the output of a sort whose plan left digits out. A block has OS_MEND_KEYS keys and the runs
 * that begin among them; what it reads beyond only tells where these end. */
template <bool PAYLOAD>
__global__ void __launch_bounds__(OS_MEND_THREADS)
    os_mend(unsigned long long *keys, uint32_t *payload, uint64_t n, rs_codec codec,
            unsigned begin_bit, unsigned end_bit, const unsigned *only_if, os_plan *plan)
{
    __shared__ unsigned long long image[OS_MEND_WINDOW];
    __shared__ unsigned alike[OS_MEND_ROWS + 1], unordered[OS_MEND_ROWS + 1];
    __shared__ uint32_t moved[PAYLOAD ? OS_MEND_WINDOW : 1];
    __shared__ unsigned short places[PAYLOAD ? OS_MEND_WINDOW : 1];
    if (only_if && !*only_if) return;
    const unsigned low_bits = plan->left_out * OS_BITS;
    if (!low_bits || gb_glance(&plan->again)) return;
    const os_window window = {image, alike, unordered};
    const os_field field(64, begin_bit, end_bit);
    const uint64_t first = (uint64_t)blockIdx.x * OS_MEND_KEYS - OS_MEND_RUN;
    if (!os_read_window(window, keys, n, first, codec, field, low_bits)) return;
    /* the tile's rows, and the row behind it */
    for (unsigned row = 1 + threadIdx.x / GB_WARP; row < OS_MEND_ROWS;
         row += OS_MEND_THREADS / GB_WARP) {
        const unsigned w = row * GB_WARP + gb_lane();
        if (PAYLOAD) places[w] = (unsigned short)w;
        if (!window.concerns(row)) continue;
        const os_run run(window, row, gb_lane());
        if (run.is_long()) {
            const bool bad = unordered[row] >> gb_lane() & 1;
            if (bad && w < OS_MEND_RUN + OS_MEND_KEYS) atomicOr(&plan->again, 1u);
            continue;
        }
        const unsigned begin = w - run.before;
        if (!run.unordered || begin < OS_MEND_RUN || begin >= OS_MEND_RUN + OS_MEND_KEYS) continue;
        const unsigned place = os_place_in_run(window, codec, field, w, run);
        if (place == w) continue;
        os_replace(&keys[first + place], rs_decode(codec, image[w]));
        if (!PAYLOAD) continue;
        places[w] = (unsigned short)place;
        moved[w] = payload[first + w];
    }
    if (!PAYLOAD) return;
    __syncthreads(); /* all that moves has been read */
    for (unsigned w = OS_MEND_RUN + threadIdx.x; w < OS_MEND_WINDOW; w += OS_MEND_THREADS)
        if (places[w] != w) payload[first + places[w]] = moved[w];
}

#endif
