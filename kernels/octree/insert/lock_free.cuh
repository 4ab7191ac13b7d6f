/* OctreeBuild-LF, insertion without locks: the paper's algorithm, well made.
 *
 * A thread always holds a cell that it took beforehand. Where its body meets another one it puts
 * that one into its cell and swaps the cell for it, so that every division is seen at once, and
 * goes on from there; a swap that fails tells what is there now. Every failure means that another
 * thread has put a body or a cell in, so some thread always gets on. */
#ifndef GB_OCTREE_INSERT_LF_CUH
#define GB_OCTREE_INSERT_LF_CUH

#include "kernels/octree/insert/insert.cuh"

/* One try to get body i in at a slot of that depth, of which it is known what it held. What it
 * holds now, or OC_DONE: the body is in. *cell becomes OC_EMPTY when it was put into the tree, and
 * OC_LOCKED when it does not exist: the pool is too small. */
#define OC_DONE OC_LOCKED

template <bool COUNT>
static __device__ __forceinline__ uint32_t oc_lf_try(const oc_insert &t, uint32_t i, oc_place place,
                                                     uint32_t *slot, int depth, uint32_t held,
                                                     uint32_t *cell, oc_tally<COUNT> tally)
{
    if (held == OC_EMPTY) {
        const uint32_t before = atomicCAS(slot, OC_EMPTY, i);
        tally.tried(depth, before != OC_EMPTY);
        return before == OC_EMPTY ? OC_DONE : before;
    }
    const oc_place other = oc_place_of(t, __ldg(&t.bodies[held]));
    if (oc_common_depth(place, other) == OC_DEPTH) {
        oc_join(t, held, i);
        return OC_DONE;
    }
    if (*cell >= t.pool) {
        oc_pool_is_empty(t);
        *cell = OC_LOCKED;
        return OC_DONE;
    }
    oc_write_cell(t, *cell, oc_digit(other, depth + 1), held, OC_SLOTS, 0);
    const uint32_t before = oc_swap_release(slot, held, OC_CELL | *cell);
    tally.tried(depth, before != held);
    if (before != held) return before;
    const uint32_t now = OC_CELL | *cell;
    *cell = OC_EMPTY;
    tally.add(OC_USED, 0);
    return now;
}

/* The cells of depth LEVELS that threads of a block came by, in its shared memory: later bodies
 * begin there. A cell that was read is one for ever. LEVELS 0: there is no such table. */
template <int LEVELS> struct oc_top {
    uint32_t *cell; /* 8^LEVELS; 0: nobody came by yet */

    __device__ __forceinline__ void begin(uint32_t *shared)
    {
        cell = shared;
        if (LEVELS) {
            for (unsigned k = threadIdx.x; k < 1u << 3 * LEVELS; k += blockDim.x)
                cell[k] = 0;
            __syncthreads();
        }
    }
    static __device__ __forceinline__ uint32_t at(oc_place place)
    {
        const int shift = OC_DEPTH - LEVELS;
        return (place.x >> shift) << 2 * LEVELS | (place.y >> shift) << LEVELS | place.z >> shift;
    }
    /* OC_CELL | the cell in which the place lies, or OC_EMPTY. */
    __device__ __forceinline__ uint32_t find(oc_place place) const
    {
        if (LEVELS == 0) return OC_EMPTY;
        const uint32_t known = atomicOr(&cell[at(place)], 0u);
        return known ? OC_CELL | known : OC_EMPTY;
    }
    __device__ __forceinline__ void note(oc_place place, int depth, uint32_t held)
    {
        if (LEVELS == 0 || depth != LEVELS) return;
        atomicExch(&cell[at(place)], held & ~OC_CELL);
    }
};

/* The lanes of a warp look together: none waits for another to get on, but memory is asked for by
 * the warp. A lane whose body is in takes its next one while others try again. */
template <int LEVELS, bool COUNT>
static __device__ __forceinline__ void oc_lf_insert(const oc_insert &t, oc_top<LEVELS> top,
                                                    oc_tally<COUNT> tally)
{
    uint32_t next = (uint32_t)gb_first();
    uint32_t i = 0, held = OC_DONE, cell = OC_EMPTY;
    uint32_t *slot = t.slot;
    oc_place place = {0, 0, 0};
    int depth = 0;
    for (;;) {
        const bool more = held != OC_DONE || next < t.n;
        if (!__any_sync(GB_FULL_MASK, more)) return;
        if (!more) continue;
        if (cell == OC_EMPTY) cell = atomicAdd(&t.words->cells, 1u);
        if (held == OC_DONE) {
            i = next;
            next += (uint32_t)gb_stride();
            place = oc_place_of(t, __ldg(&t.bodies[i]));
            depth = LEVELS - 1;
            held = top.find(place);
            if (held == OC_EMPTY) {
                depth = 0;
                slot = oc_slot(t, 0, place, 0);
                held = oc_glimpse(slot);
            }
        }
        while (oc_is_cell(held)) {
            slot = oc_slot(t, held & ~OC_CELL, place, ++depth);
            top.note(place, depth, held);
            held = oc_glimpse(slot);
        }
        held = oc_lf_try<COUNT>(t, i, place, slot, depth, held, &cell, tally);
        if (cell == OC_LOCKED) next = t.n;
    }
}

template <int LEVELS, bool COUNT, int THREADS>
static __global__ void __launch_bounds__(THREADS) oc_lf_build(oc_insert t)
{
    __shared__ unsigned counts[COUNT ? OC_TALLIES * (OC_DEPTH + 1) : 1];
    __shared__ uint32_t cells[LEVELS ? 1u << 3 * LEVELS : 1];
    oc_tally<COUNT> tally;
    oc_top<LEVELS> top;
    top.begin(cells);
    gb_wait_for_previous();
    tally.begin(counts);
    oc_lf_insert<LEVELS, COUNT>(t, top, tally);
    tally.end(t);
}

#endif
