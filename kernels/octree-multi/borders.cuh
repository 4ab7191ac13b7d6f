/* Where the ranks' ranges of the curve begin. Every rank lends a sample of its bodies' codes
 * (oc_code: the first OC_CODE_DIGITS digits), as many as its share of the bodies, in sorted runs,
 * and all ranks find the same borders from all runs: the code of the place that parts the samples,
 * rounded to as few digits as few samples allow, so that few cells have a border inside. More codes
 * that ranks lend are for the trees: each rank takes those of its range (builder.h).
 *
 * As a border is one of codes, bodies that coincide are all on one side of it. */
#ifndef GB_OCTREE_MULTI_BORDERS_CUH
#define GB_OCTREE_MULTI_BORDERS_CUH

#include "common/cuda/grid.cuh"
#include "common/cuda/warp.cuh"
#include "common/distributions.h"
#include "kernels/octree-multi/types.cuh"
#include "kernels/octree/sampled.h"

enum {
    OM_SAMPLE_THREADS = OM_RUN,
    OM_TOGETHER = 8,   /* runs that are searched at the same time */
    OM_TOLERANCE = 256 /* a border may be off by a share's samples divided by this */
};

/* ---- codes ----------------------------------------------------------------------------------- */

static __device__ __forceinline__ unsigned om_code_digit(om_code code, int depth)
{
    return (unsigned)(code >> 3 * (OC_CODE_DIGITS - 1 - depth)) & 7u;
}

/* A code's digits above that depth; the cell of that depth that it lies in. */
static __device__ __forceinline__ om_code om_prefix(om_code code, int depth)
{
    return code >> 3 * (OC_CODE_DIGITS - depth);
}

/* How many digits a code has up to the last that is not 0. */
static __device__ __forceinline__ int om_digits(om_code code)
{
    int digits = OC_CODE_DIGITS;
    while (digits > 0 && om_code_digit(code, digits - 1) == 0)
        digits--;
    return digits;
}

/* The code of fewest digits behind low, but not behind high. */
static __device__ __forceinline__ om_code om_border(om_bounds bounds)
{
    if (bounds.low >= bounds.high) return bounds.high;
    int depth = 0;
    while (om_code_digit(bounds.low, depth) == om_code_digit(bounds.high, depth))
        depth++;
    const int rest = 3 * (OC_CODE_DIGITS - 1 - depth);
    return bounds.high >> rest << rest;
}

static __device__ __forceinline__ om_code om_code_of(oc_box box, float4 body)
{
    return oc_code(oc_place_at(box, body.x, body.y, body.z));
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* Sorts OM_RUN codes or fewer in shared memory: a merge network (Batcher 1968) whose comparators
 * all point upwards, so that any count will do. All threads of a block of OM_SAMPLE_THREADS. */
static __device__ __forceinline__ void om_sort(om_code *code, unsigned count)
{
    for (unsigned size = 2; size / 2 < count; size *= 2) {
        for (unsigned step = size / 2; step > 0; step /= 2) {
            const unsigned turn =
                step == size / 2 ? size - 1 : step; /* at first the mirrored one */
            const unsigned p = threadIdx.x, q = p ^ turn;
            if (q > p && q < count) {
                const om_code one = code[p], other = code[q];
                if (one > other) {
                    code[p] = other;
                    code[q] = one;
                }
            }
            __syncthreads();
        }
    }
}

/* A code of one body anywhere in the j-th of `count` equal shares of n bodies. */
static __device__ __forceinline__ om_code om_draw(const float4 *bodies, uint64_t n, oc_box box,
                                                  unsigned count, unsigned j)
{
    return om_code_of(box, bodies[oc_sampled(n, count, j)]);
}

static inline unsigned om_runs(unsigned count)
{
    return (count + OM_RUN - 1) / OM_RUN;
}

/* The first `runs` blocks: `count` codes of a rank's bodies, in runs of OM_RUN that are sorted, to
 * all lists. The others: `drawn` codes more, to all draws. */
static __global__ void __launch_bounds__(OM_SAMPLE_THREADS)
    om_sample(const float4 *bodies, uint64_t n, oc_box box, unsigned runs, unsigned count,
              om_lists lists, unsigned drawn, om_lists draws)
{
    __shared__ om_code code[OM_RUN];
    if (blockIdx.x >= runs) {
        const unsigned j = (blockIdx.x - runs) * OM_RUN + threadIdx.x;
        if (j >= drawn) return;
        const om_code mine = om_draw(bodies, n, box, drawn, j);
        for (unsigned r = 0; r < GB_MOST_RANKS; r++)
            if (draws.at[r]) draws.at[r][j] = mine;
        return;
    }
    const unsigned first = blockIdx.x * OM_RUN, j = first + threadIdx.x;
    if (j < count) code[threadIdx.x] = om_draw(bodies, n, box, count, j);
    __syncthreads();
    om_sort(code, count - first < OM_RUN ? count - first : (unsigned)OM_RUN);
    for (unsigned r = 0; r < GB_MOST_RANKS; r++)
        if (lists.at[r] && j < count) lists.at[r][j] = code[threadIdx.x];
}

/* Those of all ranks' draws, OM_DRAWN a rank, that lie in a rank's range, are lent to its tree. */
static __global__ void om_lend(const om_code *draws, om_sampling s, const om_bounds *bounds,
                               unsigned me, mo_lent lent)
{
    const om_code low = me ? om_border(bounds[me]) : 0;
    const bool last = me + 1 == s.ranks;
    const om_code high = last ? 0 : om_border(bounds[me + 1]);
    const uint64_t all = (uint64_t)s.ranks * OM_DRAWN; /* a multiple of what warps take */
    for (uint64_t t = gb_first(); t < all; t += gb_stride()) {
        const bool drawn = t % OM_DRAWN < s.drawn[t / OM_DRAWN];
        const om_code code = drawn ? draws[t] : 0;
        const bool mine = drawn && code >= low && (last || code < high);
        const unsigned lanes = __ballot_sync(GB_FULL_MASK, mine);
        unsigned at = 0;
        if (gb_lane() == 0 && lanes) at = atomicAdd(lent.count, (unsigned)__popc(lanes));
        at = __shfl_sync(GB_FULL_MASK, at, 0) + (unsigned)__popc(lanes & gb_lanes_below());
        if (mine && at < lent.most) lent.codes[at] = code;
    }
}

/* ---- borders --------------------------------------------------------------------------------- */

/* How many of a rank's codes are less than a code, or equal to it in runs before `runs`; those of
 * run `but` are not counted. Runs are searched at the same time, for each step waits for memory. */
static __device__ __forceinline__ unsigned om_count_below(const om_code *list, unsigned count,
                                                          om_code code, unsigned runs, unsigned but)
{
    unsigned sum = 0;
    for (unsigned first = 0; first * OM_RUN < count; first += OM_TOGETHER) {
        unsigned below[OM_TOGETHER] = {};
        for (unsigned step = OM_RUN; step; step /= 2) {
#pragma unroll
            for (unsigned q = 0; q < OM_TOGETHER; q++) {
                const unsigned next = below[q] + step, at = (first + q) * OM_RUN + next - 1;
                if (next > OM_RUN || at >= count || first + q == but) continue;
                if (list[at] < code || (first + q < runs && list[at] == code)) below[q] = next;
            }
        }
#pragma unroll
        for (unsigned q = 0; q < OM_TOGETHER; q++)
            sum += below[q];
    }
    return sum;
}

/* lists: OM_LIST codes a rank, in runs. A thread a code, from thread 0 on: those that bound a
 * border tell so; bounds[1 ... ranks - 1] are written, each half of them once. */
static __global__ void om_find_borders(const om_code *lists, om_sampling s, om_bounds *bounds)
{
    const unsigned total = s.total, off = total / s.ranks / OM_TOLERANCE;
    for (uint64_t t = gb_first(); t < s.ranks; t += gb_stride()) {
        const uint64_t parts = t * total / s.ranks;
        if (parts < off + 1ull) bounds[t] = om_bounds{0, 0}; /* nothing lies before */
    }
    for (uint64_t t = gb_first(); t < (uint64_t)s.ranks * OM_LIST; t += gb_stride()) {
        const unsigned mine = (unsigned)(t / OM_LIST), j = (unsigned)(t % OM_LIST);
        if (j >= s.count[mine]) continue;
        const om_code code = lists[t];
        /* equal ones are ordered by their runs, and in their own by their places */
        uint64_t rank = j % OM_RUN;
        for (unsigned r = 0; r < s.ranks; r++) {
            const unsigned runs = OM_LIST / OM_RUN, own = r == mine ? j / OM_RUN : runs;
            rank += om_count_below(lists + (uint64_t)r * OM_LIST, s.count[r], code,
                                   r <= mine ? own : 0, own);
        }
        for (unsigned k = 1; k < s.ranks; k++) {
            const uint64_t parts = (uint64_t)k * total / s.ranks;
            if (parts < off + 1ull) continue;
            const uint64_t most = parts + off < total ? parts + off : total - 1;
            if (rank == parts - off - 1) bounds[k].low = code;
            if (rank == most) bounds[k].high = code;
        }
    }
}

#endif
