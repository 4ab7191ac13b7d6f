/* Burtscher and Pingali's insertion with locks ("An Efficient CUDA Implementation of the Tree-Based
 * Barnes Hut n-Body Algorithm", 2011), well made.
 *
 * A slot that holds a body is locked, divided in private until that body and the new one part, and
 * unlocked by the swap of the first new cell into it. Who finds a lock looks again after a barrier
 * of its block, which calms the polling and lets those that hold locks get on; a lock is held only
 * inside one turn of the loop, so it is given back before its thread waits for anybody.
 *
 * What became visible and when, thread by thread: the cells are written before the store that
 * releases their address (oc_set_release), and nobody has another way to them. So who reads the
 * address reads written cells: in the L2 because they are there already, in its L1 because that
 * has no sector of a cell that nobody could ask for. What the L1 remembers of a slot may be old.
 * If it is a cell it is true for ever; if a lock or a body or empty, the turn ends with a swap that
 * fails or with nothing, and the next turn looks past the L1. */
#ifndef GB_OCTREE_INSERT_LOCKED_CUH
#define GB_OCTREE_INSERT_LOCKED_CUH

#include "kernels/octree/insert/insert.cuh"

/* Divides a slot of that depth that this thread has locked, where the body `held` was, until body i
 * and that one part at depth `common`; this unlocks it. *cell: the thread's cell; OC_EMPTY where it
 * was used, OC_LOCKED where there are not enough: then the slot is unlocked as it was. */
template <bool COUNT>
static __device__ __forceinline__ void
oc_bp_divide(const oc_insert &t, uint32_t *slot, int depth, int common, uint32_t i, oc_place place,
             uint32_t held, oc_place other, uint32_t *cell, oc_tally<COUNT> tally)
{
    const uint32_t first = *cell;
    uint32_t last = first;
    for (int d = depth + 2; d <= common && last < t.pool; d++) {
        const uint32_t below = atomicAdd(&t.words->cells, 1u);
        oc_write_cell(t, last, oc_digit(place, d - 1), OC_CELL | below, OC_SLOTS, 0);
        tally.add(OC_USED, 0);
        last = below;
    }
    if (last >= t.pool) {
        oc_set_release(slot, held);
        oc_pool_is_empty(t);
        *cell = OC_LOCKED;
        return;
    }
    oc_write_cell(t, last, oc_digit(place, common), i, oc_digit(other, common), held);
    oc_set_release(slot, OC_CELL | first);
    tally.add(OC_USED, 0);
    *cell = OC_EMPTY;
}

/* Body i at a slot that held a body or nothing when it was looked at. True: it is in. */
template <bool COUNT>
static __device__ __forceinline__ bool oc_bp_try(const oc_insert &t, uint32_t i, oc_place place,
                                                 uint32_t *slot, int depth, uint32_t held,
                                                 uint32_t *cell, oc_tally<COUNT> tally)
{
    if (held == OC_EMPTY) {
        const bool done = atomicCAS(slot, OC_EMPTY, i) == OC_EMPTY;
        tally.tried(depth, !done);
        return done;
    }
    const oc_place other = oc_place_of(t, __ldg(&t.bodies[held]));
    const int common = oc_common_depth(place, other);
    if (common == OC_DEPTH) {
        oc_join(t, held, i);
        return true;
    }
    const bool locked = atomicCAS(slot, held, OC_LOCKED) == held;
    tally.tried(depth, !locked);
    if (locked) oc_bp_divide<COUNT>(t, slot, depth, common, i, place, held, other, cell, tally);
    return locked;
}

template <bool COUNT>
static __device__ __forceinline__ void oc_bp_insert(const oc_insert &t, oc_tally<COUNT> tally)
{
    uint32_t next = (uint32_t)gb_first();
    uint32_t i = 0, cell = OC_EMPTY;
    uint32_t *slot = t.slot;
    oc_place place = {0, 0, 0};
    int depth = 0;
    bool again = false; /* body i was tried and is not in */
    for (;;) {
        const bool more = again || next < t.n;
        if (!__syncthreads_or(more)) return;
        if (!more) continue;
        /* where the warp is together, so that the lanes' additions become one */
        if (cell == OC_EMPTY) cell = atomicAdd(&t.words->cells, 1u);
        uint32_t held;
        if (again) {
            held = oc_now(slot);
        } else {
            i = next;
            next += (uint32_t)gb_stride();
            place = oc_place_of(t, __ldg(&t.bodies[i]));
            depth = 0;
            slot = oc_slot(t, 0, place, 0);
            held = oc_glimpse(slot);
        }
        while (oc_is_cell(held)) {
            slot = oc_slot(t, held & ~OC_CELL, place, ++depth);
            held = oc_glimpse(slot);
        }
        if (held == OC_LOCKED) {
            tally.add(OC_WAITS, depth);
            again = true;
            continue;
        }
        again = !oc_bp_try<COUNT>(t, i, place, slot, depth, held, &cell, tally);
        if (cell == OC_LOCKED) next = t.n;
    }
}

template <bool COUNT, int THREADS>
static __global__ void __launch_bounds__(THREADS) oc_bp_build(oc_insert t)
{
    __shared__ unsigned counts[COUNT ? OC_TALLIES * (OC_DEPTH + 1) : 1];
    oc_tally<COUNT> tally;
    gb_wait_for_previous();
    tally.begin(counts);
    oc_bp_insert<COUNT>(t, tally);
    tally.end(t);
}

#endif
