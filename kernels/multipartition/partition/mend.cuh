/* After a pass into foreseen regions: the true sizes are known now, and what lies outside its
 * digit's true range is moved there, through memory aside. Elements that are right stay. */
#ifndef GB_MULTIPARTITION_MEND_CUH
#define GB_MULTIPARTITION_MEND_CUH

#include "common/cuda/grid.cuh"
#include "common/cuda/search.cuh"
#include "kernels/multipartition/partition/unordered.cuh"

enum { MP_MEND_THREADS = 256, MP_PLAN_THREADS = 1024 };

/* A digit's elements: its true range is [first, last) of the output, of which [low, high) is in
 * place; the others come from [begin, begin + kept_before) and [high, end) of the output (they are
 * misplaced, and go aside first), from notes, and from the blocks' ends. */
typedef struct mp_truth {
    uint64_t first, last;
    uint64_t begin, end;                    /* where groups were written, in its region */
    uint64_t low, high;                     /* of those, what is in place; low = high: nothing */
    uint64_t noted;                         /* elements in notes */
    uint64_t misplaced_before, left_before; /* of the digits before this one */
    uint64_t misplaced, left;
    unsigned left_own, twins_list; /* of `left`, those that no twin had; the list of the others */
} mp_truth;

typedef struct mp_mending {
    mp_truth *truth;   /* of each digit, and one more whose misplaced_before and left_before are the
                          sums */
    uint64_t *offsets; /* where each digit begins, digits + 1, for the caller */
    unsigned digits;
    uint64_t n;
} mp_mending;

/* One block. */
static __global__ void __launch_bounds__(MP_PLAN_THREADS)
    mp_plan_mending(mp_mending mending, mp_regions regions)
{
    gb_wait_for_previous();
    const unsigned found = gb_glance(regions.failed);
    if (found == MP_IN_RUNS || found == MP_UNCOUNTED) return;
    __shared__ unsigned long long sums[GB_WARP + 1];
    unsigned long long begun = 0, misplaced = 0, left = 0, all;
    for (unsigned d = 0; d < mending.digits; d += MP_PLAN_THREADS) {
        const unsigned mine = d + threadIdx.x;
        const bool real = mine < mending.digits;
        mp_truth t = {};
        if (real) {
            const uint64_t region = regions.begins[mine], stop = regions.begins[mine + 1];
            const uint64_t reserved = regions.next[mp_cursor_at(mine)] - region;
            const bool down = regions.two_ended && mine == 1;
            const uint64_t room = stop - region;
            uint64_t inside = regions.two_ended || reserved < room ? reserved : room;
            const uint64_t written = regions.written_to[mine];
            if (written != ~(uint64_t)0) inside = written - region;
            t.begin = down ? stop - inside : region;
            t.end = t.begin + inside;
            t.noted = reserved - inside;
            t.left = t.left_own = regions.left[mine];
            for (unsigned i = 0; i < 2; i++)
                if (regions.crowd[i] == mine + 1) {
                    t.twins_list = mending.digits + i;
                    t.left += regions.left[t.twins_list];
                }
            t.last = reserved + t.left;
        }
        t.first =
            begun + gb_block_exclusive_sum<MP_PLAN_THREADS>((unsigned long long)t.last, sums, &all);
        begun += all;
        t.last += t.first;
        t.low = t.begin > t.first ? t.begin : t.first;
        t.high = t.end < t.last ? t.end : t.last;
        if (t.high <= t.low) t.low = t.high = t.end;
        t.misplaced = (t.end - t.begin) - (t.high - t.low);
        t.misplaced_before = misplaced + gb_block_exclusive_sum<MP_PLAN_THREADS>(
                                             (unsigned long long)t.misplaced, sums, &all);
        misplaced += all;
        t.left_before =
            left + gb_block_exclusive_sum<MP_PLAN_THREADS>((unsigned long long)t.left, sums, &all);
        left += all;
        if (real) {
            mending.truth[mine] = t;
            if (mending.offsets) mending.offsets[mine] = t.first;
        }
    }
    if (threadIdx.x == 0) {
        mp_truth end = {};
        end.misplaced_before = misplaced;
        end.left_before = left;
        mending.truth[mending.digits] = end;
        if (mending.offsets) mending.offsets[mending.digits] = mending.n;
        /* what is misplaced goes aside behind what is there already */
        if (regions.aside[0] + misplaced > regions.aside_room)
            atomicExch(regions.failed, (unsigned)MP_FAILED);
    }
}

enum { MP_MEND_EACH = 4, MP_MOST_DIGITS = 1024 }; /* elements that a thread has on their way */

/* Moves elements i below sums[digits]: place(digit, i, &from, &to) says which and where, the digit
 * being the one whose stretch of the running sums holds i. All threads of all blocks; sums in
 * shared memory. */
template <class Key, int WORDS, class Place>
__device__ __forceinline__ void
mp_move_stretches(const mp_elements<Key, WORDS> &out, const mp_elements<Key, WORDS> &in,
                  const unsigned long long *sums, unsigned digits, Place place)
{
    const unsigned chunk = MP_MEND_EACH * GB_WARP;
    const uint64_t all = sums[digits], warps = gb_stride() / GB_WARP;
    for (uint64_t first = gb_first() / GB_WARP * chunk; first < all; first += warps * chunk) {
        unsigned low = gb_stretch_holding(sums, digits, first);
        uint64_t from[MP_MEND_EACH] = {}, to[MP_MEND_EACH] = {};
        Key key[MP_MEND_EACH];
        typename mp_elements<Key, WORDS>::payload_type payload[MP_MEND_EACH];
#pragma unroll
        for (int k = 0; k < MP_MEND_EACH; k++) {
            const uint64_t i = first + k * GB_WARP + gb_lane();
            if (i >= all) break;
            while (sums[low + 1] <= i)
                low++;
            place(low, i, &from[k], &to[k]);
        }
#pragma unroll
        for (int k = 0; k < MP_MEND_EACH; k++) {
            if (first + k * GB_WARP + gb_lane() >= all) break;
            key[k] = in.keys[from[k]];
            if constexpr (WORDS > 0) payload[k] = in.payload[from[k]];
        }
#pragma unroll
        for (int k = 0; k < MP_MEND_EACH; k++) {
            if (first + k * GB_WARP + gb_lane() >= all) break;
            out.keys[to[k]] = key[k];
            if constexpr (WORDS > 0) out.payload[to[k]] = payload[k];
        }
    }
}

/* The digits' running sums to shared memory. */
template <class Sum>
__device__ __forceinline__ void mp_copy_sums(unsigned long long *sums, unsigned digits, Sum sum)
{
    for (unsigned d = threadIdx.x; d <= digits; d += blockDim.x)
        sums[d] = sum(d);
    __syncthreads();
}

/* Where the i-th of the elements that a digit's true range lacks goes. */
__device__ __forceinline__ uint64_t mp_vacancy(const mp_truth &t, uint64_t i)
{
    if (t.low == t.high) return t.first + i;
    const uint64_t before = t.low - t.first;
    return i < before ? t.first + i : t.high + (i - before);
}

/* What is misplaced goes aside. */
template <class Key, int WORDS>
__global__ void __launch_bounds__(MP_MEND_THREADS)
    mp_take_misplaced(mp_elements<Key, WORDS> out, mp_elements<Key, WORDS> aside,
                      mp_mending mending, mp_regions regions)
{
    gb_wait_for_previous();
    if (gb_glance(regions.failed)) return;
    __shared__ unsigned long long sums[MP_MOST_DIGITS + 1];
    mp_copy_sums(sums, mending.digits,
                 [&](unsigned d) { return mending.truth[d].misplaced_before; });
    const uint64_t to = regions.aside[0];
    mp_move_stretches(aside, out, sums, mending.digits,
                      [&](unsigned d, uint64_t i, uint64_t *from, uint64_t *place) {
                          const mp_truth &t = mending.truth[d];
                          const uint64_t k = i - t.misplaced_before, before = t.low - t.begin;
                          *from =
                              t.low == t.high || k < before ? t.begin + k : t.high + (k - before);
                          *place = to + i;
                      });
}

/* All that lies aside goes to its digit's vacancies. */
template <class Key, int WORDS>
__global__ void __launch_bounds__(MP_MEND_THREADS)
    mp_put_aside(mp_elements<Key, WORDS> out, mp_elements<Key, WORDS> aside,
                 mp_elements<Key, WORDS> left_over, mp_mending mending, mp_regions regions)
{
    gb_wait_for_previous();
    if (gb_glance(regions.failed)) return;
    __shared__ unsigned long long sums[MP_MOST_DIGITS + 1];
    const uint64_t taken = regions.aside[0], notes = regions.aside[1];
    mp_copy_sums(sums, mending.digits,
                 [&](unsigned d) { return mending.truth[d].misplaced_before; });
    mp_move_stretches(out, aside, sums, mending.digits,
                      [&](unsigned d, uint64_t i, uint64_t *from, uint64_t *to) {
                          const mp_truth &t = mending.truth[d];
                          *from = taken + i;
                          *to = mp_vacancy(t, i - t.misplaced_before);
                      });
    __syncthreads();
    mp_copy_sums(sums, mending.digits, [&](unsigned d) { return mending.truth[d].left_before; });
    mp_move_stretches(out, left_over, sums, mending.digits,
                      [&](unsigned d, uint64_t i, uint64_t *from, uint64_t *to) {
                          const mp_truth &t = mending.truth[d];
                          const uint64_t k = i - t.left_before;
                          *from = k < t.left_own
                                      ? mp_left_list(regions, mending.digits, d) + k
                                      : mp_left_list(regions, mending.digits, t.twins_list) +
                                            (k - t.left_own);
                          *to = mp_vacancy(t, t.misplaced + t.noted + k);
                      });
    /* few notes are long, and share the warps; of many a warp has 32 on their way */
    const uint64_t warps = gb_stride() / GB_WARP, warp = gb_first() / GB_WARP;
    if (notes < 8 * warps) {
        const uint64_t share = notes && notes < warps ? warps / notes : 1;
        for (uint64_t w = warp / share; w < notes; w += warps / share) {
            const mp_note note = regions.notes[w];
            const mp_truth t = mending.truth[note.digit];
            for (unsigned i = (unsigned)(warp % share) * GB_WARP + gb_lane(); i < note.count;
                 i += (unsigned)share * GB_WARP)
                mp_copy_one(out, mp_vacancy(t, t.misplaced + note.first + i), aside, note.at + i);
        }
        return;
    }
    for (uint64_t first = warp * GB_WARP; first < notes; first += warps * GB_WARP) {
        mp_note mine = {0, 0, 0, 0};
        mp_truth t = {};
        if (first + gb_lane() < notes) {
            mine = regions.notes[first + gb_lane()];
            t = mending.truth[mine.digit];
        }
        /* vacancies from the first one's place on, but for what lies behind the first `before` */
        const uint64_t k = t.misplaced + mine.first, head = t.low - t.first;
        const uint64_t place = mp_vacancy(t, k), behind = t.high;
        const uint64_t before = t.low != t.high && k < head ? head - k : ~(uint64_t)0;
        for (int j = 0; j < GB_WARP; j++) {
            const unsigned count = __shfl_sync(GB_FULL_MASK, mine.count, j);
            const uint64_t from = __shfl_sync(GB_FULL_MASK, mine.at, j);
            const uint64_t to = __shfl_sync(GB_FULL_MASK, place, j);
            const uint64_t there = __shfl_sync(GB_FULL_MASK, before, j);
            const uint64_t further = __shfl_sync(GB_FULL_MASK, behind, j);
            for (unsigned i = gb_lane(); i < count; i += GB_WARP)
                mp_copy_one(out, i < there ? to + i : further + (i - there), aside, from + i);
        }
    }
}

#endif
