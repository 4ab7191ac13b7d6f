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
    OM_RUNS = OM_LIST / OM_RUN,
    OM_TOGETHER = 2,   /* runs that a lane searches at the same time */
    OM_COARSE = 32,    /* of so many codes of a run one says roughly where borders are */
    OM_SCANNED = 8,    /* codes that a warp looks at */
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

/* The place of a code among all codes of all lists: that of `own`, a run numbered over all ranks,
 * with j % OM_RUN of its own before it. Equal ones are ordered by their runs. A warp together, a
 * lane a run, of which some are searched at the same time, for each step waits for memory. */
static __device__ __forceinline__ unsigned
om_place_among(const om_code *lists, const om_sampling &s, om_code code, unsigned own, unsigned j)
{
    const unsigned all = s.ranks * OM_RUNS;
    unsigned sum = 0;
    for (unsigned first = gb_lane(); first < all; first += OM_TOGETHER * GB_WARP) {
        unsigned below[OM_TOGETHER] = {};
        for (unsigned step = OM_RUN; step; step /= 2) {
#pragma unroll
            for (unsigned q = 0; q < OM_TOGETHER; q++) {
                const unsigned run = first + q * GB_WARP, next = below[q] + step;
                if (run >= all || run == own || next > OM_RUN) continue;
                if (run % OM_RUNS * OM_RUN + next > s.count[run / OM_RUNS]) continue;
                const om_code other = lists[(uint64_t)run * OM_RUN + next - 1];
                if (other < code || (run < own && other == code)) below[q] = next;
            }
        }
#pragma unroll
        for (unsigned q = 0; q < OM_TOGETHER; q++)
            sum += below[q];
    }
    return gb_warp_sum(sum) + j % OM_RUN;
}

/* The two places that bound border k, if anything lies before it. */
struct om_wanted {
    bool any;
    unsigned low, high;
};
static __device__ __forceinline__ om_wanted om_wanted_of(const om_sampling &s, unsigned k)
{
    const unsigned off = s.total / s.ranks / OM_TOLERANCE;
    const uint64_t place = (uint64_t)k * s.total / s.ranks;
    if (place < off + 1ull) return om_wanted{false, 0, 0};
    const uint64_t most = place + off < s.total ? place + off : s.total - 1;
    return om_wanted{true, (unsigned)place - off - 1, (unsigned)most};
}

/* lists: OM_LIST codes a rank, in runs. Between which codes those lie that bound borders: a warp an
 * OM_COARSE-th code of a run. brackets[1 ... ranks - 1] are 0 before. */
static __global__ void om_bracket_borders(const om_code *lists, om_sampling s, om_bracket *brackets)
{
    /* between two such codes there are fewer of each run than that */
    const unsigned gap = s.ranks * OM_RUNS * OM_COARSE, coarse = s.ranks * OM_LIST / OM_COARSE;
    for (uint64_t w = gb_first() / GB_WARP; w < coarse; w += gb_stride() / GB_WARP) {
        const unsigned t = (unsigned)w * OM_COARSE, j = t % OM_LIST;
        if (j >= s.count[t / OM_LIST]) continue;
        const om_code code = lists[t];
        const unsigned place = om_place_among(lists, s, code, t / OM_RUN, j);
        for (unsigned k = 1 + gb_lane(); k < s.ranks; k += GB_WARP) {
            const om_wanted wanted = om_wanted_of(s, k);
            const unsigned at[2] = {wanted.low, wanted.high};
            for (unsigned e = 0; wanted.any && e < 2; e++) {
                if (place <= at[e] && at[e] - place < gap) atomicMax(&brackets[k].from[e], code);
                if (place >= at[e] && place - at[e] < gap) atomicMax(&brackets[k].but_to[e], ~code);
            }
        }
    }
}

/* Codes that are within a bracket find their places: those that bound a border tell so.
 * bounds[1 ... ranks - 1] are written, each half of them once. A warp looks at OM_SCANNED codes
 * that lie far from each other, in their runs too: those in a bracket are neighbours there, and a
 * warp places one after the other. */
static __global__ void om_find_borders(const om_code *lists, om_sampling s,
                                       const om_bracket *brackets, om_bounds *bounds)
{
    __shared__ om_bracket within[GB_MOST_RANKS];
    for (unsigned k = threadIdx.x; k < s.ranks; k += blockDim.x) {
        within[k] = brackets[k];
        if (blockIdx.x == 0 && !om_wanted_of(s, k).any) bounds[k] = om_bounds{0, 0};
    }
    __syncthreads();
    const unsigned warps = s.ranks * OM_LIST / OM_SCANNED;
    for (uint64_t w = gb_first() / GB_WARP; w < warps; w += gb_stride() / GB_WARP) {
        const unsigned lane = gb_lane() % OM_SCANNED, t = (unsigned)w + lane * warps;
        const unsigned run = t / OM_RUN, j = (t + lane * (OM_RUN / OM_SCANNED)) % OM_RUN;
        const bool there =
            gb_lane() < OM_SCANNED && run % OM_RUNS * OM_RUN + j < s.count[run / OM_RUNS];
        const om_code code = there ? lists[(uint64_t)run * OM_RUN + j] : 0;
        bool near = false;
        for (unsigned k = 1; there && k < s.ranks; k++)
            for (unsigned e = 0; e < 2; e++)
                near = near || (code >= within[k].from[e] && code <= ~within[k].but_to[e]);
        for (unsigned lanes = __ballot_sync(GB_FULL_MASK, near); lanes; lanes &= lanes - 1) {
            const int from = __ffs((int)lanes) - 1;
            const om_code one = __shfl_sync(GB_FULL_MASK, code, from);
            const unsigned place =
                om_place_among(lists, s, one, __shfl_sync(GB_FULL_MASK, run, from),
                               __shfl_sync(GB_FULL_MASK, j, from));
            for (unsigned k = 1 + gb_lane(); k < s.ranks; k += GB_WARP) {
                const om_wanted wanted = om_wanted_of(s, k);
                if (wanted.any && place == wanted.low) bounds[k].low = one;
                if (wanted.any && place == wanted.high) bounds[k].high = one;
            }
        }
    }
}

#endif
