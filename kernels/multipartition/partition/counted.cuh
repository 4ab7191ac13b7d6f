/* Exact regions: all bins are counted, by one read of the keys, before any is moved; for one pass,
 * or for both passes where two share the work. */
#ifndef GB_MULTIPARTITION_COUNTED_CUH
#define GB_MULTIPARTITION_COUNTED_CUH

#include "common/distributions.h"
#include "kernels/multipartition/counts.cuh"
#include "kernels/multipartition/partition/runs.cuh"

enum { MP_COUNT_BINS_THREADS = 1024, MP_COUNT_BINS_ITEMS = 16 };

/* Device memory. */
typedef struct mp_counted {
    unsigned bins, counted; /* the caller's; as many as two digits can tell apart, or the same */
    unsigned *ticket;       /* 0 at the start */
    unsigned long long *begins; /* of bins, counted + 1; */
    unsigned long long *counts; /* of them, 0 at the start; may be begins */
    unsigned long long *next;   /* the bins' cursors (mp_cursor_at) */
    uint64_t *offsets;          /* the caller's, bins + 1; or NULL */
    const unsigned *only_if;    /* a word that mp_is_anew asks, or NULL */
    /* to look for runs, both 0 at the start; in_runs becomes MP_IN_RUNS; salt: of which tiles are
     * looked at, 0: the clock */
    mp_likeness *likeness;
    unsigned *in_runs;
    uint32_t salt;
    bool ragged; /* cursors begin where regions do, else at whole sectors */
    /* of the first of two passes, whose digits are a bin's bits from `shift` on; or NULL */
    unsigned shift;
    uint64_t *upper_begins;
    unsigned long long *upper_next;
} mp_counted;

/* Where the bins' regions begin; one block. A thread has four neighbours at a time, which are read
 * once, and whose cursors are a sector. */
static __device__ __forceinline__ void mp_open_counted(const mp_counted &c)
{
    enum { THREADS = MP_COUNT_BINS_THREADS, EACH = 4 };
    __shared__ unsigned long long sums[GB_WARP + 1];
    unsigned long long before = 0, all;
    for (unsigned first = 0; first <= c.counted; first += THREADS * EACH) {
        const unsigned mine = first + EACH * threadIdx.x;
        const bool four = mine + EACH <= c.counted;
        __align__(16) unsigned long long count[EACH] = {0, 0, 0, 0}, begin[EACH], next[EACH];
        if (four) {
            mp_load_four<true>(count, c.counts + mine);
        } else {
#pragma unroll
            for (unsigned k = 0; k < EACH; k++)
                if (mine + k < c.counted) count[k] = __ldcg(c.counts + mine + k);
        }
        const unsigned long long sum = count[0] + count[1] + count[2] + count[3];
        begin[0] = before + gb_block_exclusive_sum<THREADS>(sum, sums, &all);
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            if (k > 0) begin[k] = begin[k - 1] + count[k - 1];
            next[k] = c.ragged ? begin[k] : mp_next_sector(begin[k]);
            const unsigned bin = mine + k;
            if (c.upper_begins && bin <= c.counted && !(bin & ((1u << c.shift) - 1))) {
                c.upper_begins[bin >> c.shift] = begin[k];
                c.upper_next[mp_cursor_at(bin >> c.shift)] = next[k];
            }
        }
        if (four) {
            mp_copy_four(c.begins + mine, begin);
            mp_copy_four(c.next + mp_cursor_at(mine), next);
        }
        const bool offsets = four && c.offsets && mine + EACH <= c.bins;
        if (offsets) mp_copy_four((unsigned long long *)c.offsets + mine, begin);
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            const unsigned bin = mine + k;
            if (!four && bin <= c.counted) {
                c.begins[bin] = begin[k];
                c.next[mp_cursor_at(bin)] = next[k];
            }
            if (!offsets && c.offsets && bin <= c.bins) c.offsets[bin] = begin[k];
        }
        before += all;
    }
}

/* Tiles are read from the last to the first: what of them is still in the L2 afterwards is what the
 * pass that follows begins with. Dynamic shared memory: counted x copies words. RUNS: looks for
 * them. */
template <class Key, bool RUNS, class Digit>
__global__ void __launch_bounds__(MP_COUNT_BINS_THREADS)
    mp_count_bins(mp_elements<Key, 0> in, uint64_t n, Digit digit, unsigned copies,
                  mp_counted counted)
{
    gb_wait_for_previous();
    if (counted.only_if && !mp_is_anew(counted.only_if)) return;
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const int THREADS = MP_COUNT_BINS_THREADS,
              ITEMS = mp_items_of<Digit, MP_COUNT_BINS_ITEMS>::value;
    const uint64_t tile = THREADS * ITEMS, tiles = (n + tile - 1) / tile;
    const uint32_t salt = RUNS ? mp_salt(counted.salt) : 0;
    mp_my_likeness mine = {};
    mp_prepare(digit);
    mp_clear_counters<THREADS>(counters, copies, digit.digits);
    for (uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        const uint64_t low = (tiles - 1 - t) * tile, high = low + tile < n ? low + tile : n;
        /* to look at some tiles is enough, as long as nobody knows at which */
        if (RUNS && gb_scatter32((uint32_t)t ^ salt) % 4 == 0)
            mp_count_stretch<THREADS, ITEMS, true>(in, low, high, digit, counters, copies, &mine);
        else
            mp_count_stretch<THREADS, ITEMS>(in, low, high, digit, counters, copies);
    }
    if constexpr (RUNS) mp_add_likeness(mine, counted.likeness);
    __syncthreads();
    mp_add_counts<THREADS>(counters, copies, digit.digits, counted.counts);
    if (!gb_is_last_block(counted.ticket)) return;
    mp_open_counted(counted);
    if (RUNS && threadIdx.x == 0 && mp_are_runs(counted.likeness)) *counted.in_runs = MP_IN_RUNS;
}

/* The same from counts that a pass has made in passing, unless it is done anew. One block. */
static __global__ void __launch_bounds__(MP_COUNT_BINS_THREADS)
    mp_open_seen(mp_counted counted, const unsigned *failed)
{
    gb_wait_for_previous();
    if (!mp_is_anew(failed)) mp_open_counted(counted);
}

#endif
