/* The checker's kernels: bodies, which may lie anywhere, are compared as those of cells of depth
 * OM_BIN_DIGITS; and every body walks down the top. */
#ifndef GB_OCTREE_MULTI_CHECK_CUH
#define GB_OCTREE_MULTI_CHECK_CUH

#include "common/cuda/grid.cuh"
#include "common/cuda/warp.cuh"
#include "kernels/octree-multi/types.cuh"
#include "kernels/octree/bodies.h"

enum { OM_BIN_DIGITS = 3, OM_BINS = 1 << 3 * OM_BIN_DIGITS, OM_BIN_THREADS = 256 };

/* The bodies of a cell: how many, and a sum that changes, but for one chance in 2^64, when one of
 * them does. */
typedef struct om_bins {
    unsigned long long count[OM_BINS], sum[OM_BINS];
} om_bins;

/* What can be wrong with a body, in the order in which it is reported. */
enum om_defect {
    OM_INPUT,   /* it was changed where it lay at first */
    OM_ORDER,   /* it comes behind the next one, or is none */
    OM_LOST,    /* its walk ends in an empty slot */
    OM_AWAY,    /* its walk leads to another rank */
    OM_NO_CELL, /* the top leads to another cell than that which the rank's tree has there */
    OM_NO_LEAF, /* the top leads to a leaf in which it is not */
    OM_CROWD,   /* it is in a leaf of too many, with which it does not coincide */
    OM_DEFECTS
};

static const unsigned long long OM_NOWHERE = ~0ull;

/* The first of each kind: a body's place in the order, or its number among those that lay there at
 * first; OM_NOWHERE: there is none. */
typedef struct om_findings {
    unsigned long long at[OM_DEFECTS];
} om_findings;

static __device__ __forceinline__ void om_note(om_findings *found, om_defect kind, uint64_t at)
{
    atomicMin(&found->at[kind], (unsigned long long)at);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Adds a body to the bins of a block, in shared memory. */
static __device__ __forceinline__ void om_put(om_bins *bins, oc_box box, float4 b)
{
    const oc_place place = oc_place_at(box, b.x, b.y, b.z);
    const uint64_t low = (uint64_t)__float_as_uint(b.y) << 32 | __float_as_uint(b.x);
    const uint64_t high = (uint64_t)__float_as_uint(b.w) << 32 | __float_as_uint(b.z);
    unsigned bin = 0;
    for (int depth = 0; depth < OM_BIN_DIGITS; depth++)
        bin = bin << 3 | oc_digit(place, depth);
    atomicAdd(&bins->count[bin], 1ull);
    atomicAdd(&bins->sum[bin], (unsigned long long)gb_mix64(low ^ gb_mix64(high ^ gb_mix64(1))));
}

static __device__ __forceinline__ void om_clear(om_bins *bins)
{
    for (unsigned k = threadIdx.x; k < OM_BINS; k += OM_BIN_THREADS)
        bins->count[k] = bins->sum[k] = 0;
    __syncthreads();
}

static __device__ __forceinline__ void om_add_up(const om_bins *bins, om_bins *all)
{
    __syncthreads();
    for (unsigned k = threadIdx.x; k < OM_BINS; k += OM_BIN_THREADS) {
        if (bins->count[k] == 0) continue;
        atomicAdd(&all->count[k], bins->count[k]);
        atomicAdd(&all->sum[k], bins->sum[k]);
    }
}

/* Blocks of OM_BIN_THREADS. Bodies [first, first + count) of all, where they lay at first: whether
 * they are what they were; the bins take what they should be. */
static __global__ void __launch_bounds__(OM_BIN_THREADS)
    om_judge_input(oc_bodies made, uint64_t first, uint64_t count, oc_box box, const float4 *bodies,
                   om_bins *all, om_findings *found)
{
    __shared__ om_bins bins;
    om_clear(&bins);
    for (uint64_t i = gb_first(); i < count; i += gb_stride()) {
        const oc_body b = oc_make_body(&made, first + i);
        const float4 is = bodies[i];
        om_put(&bins, box, make_float4(b.x, b.y, b.z, b.mass));
        if (__float_as_uint(is.x) != __float_as_uint(b.x) ||
            __float_as_uint(is.y) != __float_as_uint(b.y) ||
            __float_as_uint(is.z) != __float_as_uint(b.z) ||
            __float_as_uint(is.w) != __float_as_uint(b.mass))
            om_note(found, OM_INPUT, i);
    }
    om_add_up(&bins, all);
}

/* The same of bodies that have come. */
static __global__ void __launch_bounds__(OM_BIN_THREADS)
    om_bin_bodies(const float4 *bodies, uint64_t count, oc_box box, om_bins *all)
{
    __shared__ om_bins bins;
    om_clear(&bins);
    for (uint64_t i = gb_first(); i < count; i += gb_stride())
        om_put(&bins, box, bodies[i]);
    om_add_up(&bins, all);
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* A rank's part, what the host has passed of the top (no slot leads out of it, none in a circle),
 * and where the parts of all ranks begin in the order of all bodies. */
typedef struct om_walked {
    const float4 *bodies;
    const uint32_t *order, *slot;
    uint32_t n;
    oc_box box;
    unsigned me, leaf;
    om_slot root;
    const om_slot *top;
    unsigned long long begin[GB_MOST_RANKS];
    unsigned *ended; /* of each slot of the top: bodies whose walk leaves the top there */
    om_findings *found;
} om_walked;

static __device__ __forceinline__ oc_place om_place_of(const om_walked &w, uint32_t i)
{
    const float4 b = w.bodies[w.order[i]];
    return oc_place_at(w.box, b.x, b.y, b.z);
}

/* What the rank's own tree has where the digits lead, at that depth or at a leaf above. */
static __device__ __forceinline__ uint32_t om_own_at(const om_walked &w, oc_place place, int depth)
{
    uint32_t value = OC_CELL;
    for (int d = 0; d < depth && oc_is_cell(value); d++)
        value = w.slot[(uint64_t)(value & ~OC_CELL) * OC_SLOTS + oc_digit(place, d)];
    return value;
}

/* Judges where a walk has left the top: the body is place i of the rank's order. From a cell of the
 * rank's own tree on that tree has been judged. */
static __device__ __forceinline__ void om_judge_end(const om_walked &w, uint32_t i, oc_place place,
                                                    om_slot link, int depth)
{
    if (link.rank == OM_NOBODY) {
        om_note(w.found, OM_LOST, i);
    } else if (oc_is_cell(link.value)) {
        if (link.rank != w.me)
            om_note(w.found, OM_AWAY, i);
        else if (om_own_at(w, place, depth) != link.value)
            om_note(w.found, OM_NO_CELL, i);
    } else if (link.count) {
        const unsigned long long first = w.begin[link.rank] + link.value, at = w.begin[w.me] + i;
        if (at < first || at - first >= link.count)
            om_note(w.found, OM_NO_LEAF, i);
        else if (link.count > w.leaf &&
                 (link.rank != w.me ||
                  oc_common_depth(place, om_place_of(w, link.value)) != OC_DEPTH))
            om_note(w.found, OM_CROWD, i);
    } else if (link.rank != w.me) {
        om_note(w.found, OM_AWAY, i);
    } else if (om_own_at(w, place, depth) != link.value) {
        om_note(w.found, OM_NO_LEAF, i);
    }
}

/* Whether a lies behind b on the curve. */
static __device__ __forceinline__ bool om_is_behind(oc_place a, oc_place b)
{
    const int depth = oc_common_depth(a, b);
    return depth < OC_DEPTH && oc_digit(a, depth) > oc_digit(b, depth);
}

/* By full warps. */
static __global__ void __launch_bounds__(OM_BIN_THREADS) om_walk(om_walked w)
{
    for (uint64_t i = gb_first(); i - gb_lane() < w.n; i += gb_stride()) {
        unsigned slot = ~0u;
        if (i < w.n) {
            const oc_place place = om_place_of(w, (uint32_t)i);
            om_slot link = w.root;
            int depth = 0;
            if (i > 0 && om_is_behind(om_place_of(w, (uint32_t)i - 1), place))
                om_note(w.found, OM_ORDER, i - 1);
            for (; link.rank == OM_TOP && depth < OC_DEPTH; depth++) {
                slot = (link.value & ~OC_CELL) * OC_SLOTS + oc_digit(place, depth);
                link = w.top[slot];
            }
            om_judge_end(w, (uint32_t)i, place, link, depth);
        }
        /* neighbours mostly end together */
        const bool ends = slot != ~0u;
        const unsigned first = __shfl_sync(GB_FULL_MASK, slot, 0);
        const unsigned same = __ballot_sync(GB_FULL_MASK, ends && slot == first);
        if (ends && slot != first) atomicAdd(&w.ended[slot], 1u);
        if (gb_lane() == 0 && same) atomicAdd(&w.ended[first], (unsigned)__popc(same));
    }
}

#endif
