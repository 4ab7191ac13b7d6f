/* Where the ranks' ranges of the curve begin. Every rank lends a sorted sample of its bodies' codes
 * (oc_code: the first OC_CODE_DIGITS digits), as many as its share of the bodies, and all ranks
 * find the same borders from all lists: the code of the place that parts the samples, rounded to as
 * few digits as few samples allow, so that few cells have a border inside.
 *
 * As a border is one of codes, bodies that coincide are all on one side of it. */
#ifndef GB_OCTREE_MULTI_BORDERS_CUH
#define GB_OCTREE_MULTI_BORDERS_CUH

#include "common/cuda/grid.cuh"
#include "common/distributions.h"
#include "kernels/octree-multi/types.cuh"

enum {
    OM_SAMPLE_THREADS = 1024,
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

/* Sorts keys in shared memory: a merge network (Batcher 1968) whose comparators all point upwards,
 * so that any count will do. All threads of a block of OM_SAMPLE_THREADS. */
static __device__ __forceinline__ void om_sort(om_code *code, unsigned count)
{
    for (unsigned size = 2; size / 2 < count; size *= 2) {
        for (unsigned step = size / 2; step > 0; step /= 2) {
            const unsigned turn =
                step == size / 2 ? size - 1 : step; /* at first the mirrored one */
            for (unsigned p = threadIdx.x; p < count; p += OM_SAMPLE_THREADS) {
                const unsigned q = p ^ turn;
                if (q <= p || q >= count) continue;
                const om_code one = code[p], other = code[q];
                if (one <= other) continue;
                code[p] = other;
                code[q] = one;
            }
            __syncthreads();
        }
    }
}

/* One block with 8 * count bytes of shared memory: so many codes of a rank's bodies, one anywhere
 * in each of equal shares of them, sorted, for all ranks. */
static __global__ void __launch_bounds__(OM_SAMPLE_THREADS)
    om_sample(const float4 *bodies, uint64_t n, unsigned count, oc_box box, om_lists lists)
{
    GB_DYNAMIC_SHARED();
    om_code *code = reinterpret_cast<om_code *>(gb_shared_memory);
#pragma unroll 8
    for (unsigned j = threadIdx.x; j < count; j += OM_SAMPLE_THREADS) {
        const uint64_t begin = j * n / count, end = (j + 1) * n / count;
        code[j] = om_code_of(box, bodies[begin + gb_scatter32(j) % (uint32_t)(end - begin)]);
    }
    __syncthreads();
    om_sort(code, count);
    for (unsigned r = 0; r < GB_MOST_RANKS; r++)
        for (unsigned j = threadIdx.x; j < count && lists.at[r]; j += OM_SAMPLE_THREADS)
            lists.at[r][j] = code[j];
}

/* ---- borders --------------------------------------------------------------------------------- */

/* How many of a sorted list are less than a code, or `equal` to it as well. */
static __device__ __forceinline__ unsigned om_count_below(const om_code *list, unsigned count,
                                                          om_code code, bool equal)
{
    unsigned low = 0, high = count;
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (list[middle] < code || (equal && list[middle] == code))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* lists: OM_LIST codes a rank. A thread a code, from thread 0 on: those that bound a border tell
 * so; bounds[1 ... ranks - 1] are written, each half of them once. */
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
        uint64_t rank = j; /* equal ones are ordered by their lists */
        for (unsigned r = 0; r < s.ranks; r++)
            if (r != mine)
                rank += om_count_below(lists + (uint64_t)r * OM_LIST, s.count[r], code, r < mine);
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
