/* Insertion with locks and without, at the best that was found for both: the warp is what inserts.
 *
 * - The lanes of a warp take their bodies together, 32 that lie side by side, and go down together,
 *   so that they ask for the same sectors at once; cells come from a stock of the warp, so that the
 *   counter that all share is met once in OC_STOCK cells.
 * - Lanes that stand at one slot put their bodies in with one swap, as far as one cell parts them.
 * - A new cell holds the body that was there and the new one at once, if it parts them.
 *
 * With locks a new cell has a further use: its slots are locked from when the warp takes it, so
 * that its address may be published before its contents are seen. Who looks too early finds a lock.
 * That saves a fence a cell; without locks nobody may wait, so the fence stays. */
#ifndef GB_OCTREE_INSERT_WARP_CUH
#define GB_OCTREE_INSERT_WARP_CUH

#include "kernels/octree/insert/insert.cuh"

enum { OC_STOCK = 64 };

/* A lane and the body that it inserts. */
struct oc_lane {
    uint32_t body;
    uint32_t held;  /* what the slot held when it was looked at */
    uint32_t cell;  /* its own, not in the tree yet; OC_EMPTY: it has none */
    uint32_t *slot; /* where the body has come to */
    oc_place place;
    int depth; /* of the slot's cell */
    bool busy; /* the body is not in yet */
    bool lost; /* there are no cells */
};

/* The octant below its slot in which the lane's body lies. Bodies at a slot of the last level all
 * coincide. */
static __device__ __forceinline__ uint32_t oc_below(const oc_lane &lane)
{
    return lane.depth + 1 < OC_DEPTH ? oc_digit(lane.place, lane.depth + 1) : 0;
}

static __device__ __forceinline__ void oc_lose(const oc_insert &t, oc_lane *lane)
{
    oc_pool_is_empty(t);
    lane->lost = true;
    lane->busy = false;
}

/* ---- the warp's stock of cells --------------------------------------------------------------- */

/* Gives a cell of the stock [*next, *end), which is the same in all lanes, to each lane that is
 * busy and has none. May be beyond the pool. */
template <bool LOCKS>
static __device__ __forceinline__ void oc_stock_up(const oc_insert &t, oc_lane *lane,
                                                   uint32_t *next, uint32_t *end)
{
    const bool wants = lane->busy && lane->cell == OC_EMPTY;
    const unsigned all = __ballot_sync(GB_FULL_MASK, wants);
    const uint32_t many = __popc(all), rank = __popc(all & gb_lanes_below()), rest = *end - *next;
    if (many <= rest) {
        if (wants) lane->cell = *next + rank;
        *next += many;
        return;
    }
    uint32_t first = 0;
    if (gb_lane() == 0) first = atomicAdd(&t.words->cells, (unsigned)OC_STOCK);
    first = __shfl_sync(GB_FULL_MASK, first, 0);
    if (LOCKS) {
        uint4 *cells = reinterpret_cast<uint4 *>(t.slot + (uint64_t)first * OC_SLOTS);
        for (uint32_t k = gb_lane(); k < 2 * OC_STOCK; k += GB_WARP)
            if (first + k / 2 < t.pool)
                cells[k] = make_uint4(OC_LOCKED, OC_LOCKED, OC_LOCKED, OC_LOCKED);
        oc_settle(t);
    }
    if (wants) lane->cell = rank < rest ? *next + rank : first + (rank - rest);
    *next = first + (many - rest);
    *end = first + OC_STOCK;
}

/* ---- one lane alone -------------------------------------------------------------------------- */

/* Without locks: the lane's cell comes in the place of what its slot holds. */
template <bool COUNT>
static __device__ __forceinline__ void oc_swap_in(const oc_insert &t, oc_lane *lane, oc_place other,
                                                  int common, oc_tally<COUNT> tally)
{
    const bool parts = common == lane->depth + 1;
    const uint32_t cell = lane->cell, held = lane->held;
    oc_write_cell(t, cell, oc_digit(other, lane->depth + 1), held,
                  parts ? oc_below(*lane) : (uint32_t)OC_SLOTS, lane->body);
    const uint32_t before = oc_swap_release(lane->slot, held, OC_CELL | cell);
    tally.tried(lane->depth, before != held);
    if (before != held) {
        lane->held = before;
        return;
    }
    tally.add(OC_USED, 0);
    lane->cell = OC_EMPTY;
    lane->busy = !parts;
    lane->slot = oc_slot(t, cell, lane->place, ++lane->depth);
}

/* With locks: cells until both bodies part come in the place of what the lane's slot holds. */
template <bool COUNT>
static __device__ __forceinline__ void oc_lock_and_divide(const oc_insert &t, oc_lane *lane,
                                                          oc_place other, int common,
                                                          oc_tally<COUNT> tally)
{
    const uint32_t held = lane->held, first = lane->cell;
    const uint32_t before = atomicCAS(lane->slot, held, OC_LOCKED);
    tally.tried(lane->depth, before != held);
    if (before != held) {
        lane->held = before;
        return;
    }
    uint32_t last = first;
    for (int d = lane->depth + 2; d <= common && last < t.pool; d++) {
        const uint32_t below = atomicAdd(&t.words->cells, 1u);
        oc_write_cell(t, last, oc_digit(lane->place, d - 1), OC_CELL | below, OC_SLOTS, 0);
        tally.add(OC_USED, 0);
        last = below;
    }
    if (last >= t.pool) {
        oc_set_release(lane->slot, held);
        oc_lose(t, lane);
        return;
    }
    oc_write_cell(t, last, oc_digit(lane->place, common), lane->body, oc_digit(other, common),
                  held);
    if (last == first)
        oc_set_marked(lane->slot, OC_CELL | first);
    else
        oc_set_release(lane->slot, OC_CELL | first);
    tally.add(OC_USED, 0);
    lane->cell = OC_EMPTY;
    lane->busy = false;
}

template <bool LOCKS, bool COUNT>
static __device__ __forceinline__ void oc_try_alone(const oc_insert &t, oc_lane *lane,
                                                    oc_tally<COUNT> tally)
{
    if (lane->held == OC_EMPTY) {
        const uint32_t before = atomicCAS(lane->slot, OC_EMPTY, lane->body);
        tally.tried(lane->depth, before != OC_EMPTY);
        lane->busy = before != OC_EMPTY;
        lane->held = before;
        return;
    }
    const oc_place other = oc_place_of(t, __ldg(&t.bodies[lane->held]));
    const int common = oc_common_depth(lane->place, other);
    if (common == OC_DEPTH) {
        oc_join(t, lane->held, lane->body);
        lane->busy = false;
    } else if (lane->cell >= t.pool) {
        oc_lose(t, lane);
    } else if (LOCKS) {
        oc_lock_and_divide<COUNT>(t, lane, other, common, tally);
    } else {
        oc_swap_in<COUNT>(t, lane, other, common, tally);
    }
}

/* ---- lanes that meet ------------------------------------------------------------------------- */

/* The lanes whose slot is the caller's; lanes that do not try are by themselves. */
static __device__ __forceinline__ unsigned oc_peers(const oc_insert &t, const oc_lane &lane,
                                                    bool tries)
{
#if defined(__CUDACC__) ? (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700) : GB_ARCH >= 700
    /* no slot has one of the last 32 numbers */
    const uint64_t at = (uint64_t)(lane.slot - t.slot);
    if (t.pool < 1u << 29) return __match_any_sync(GB_FULL_MASK, tries ? (uint32_t)at : ~gb_lane());
    return __match_any_sync(GB_FULL_MASK, tries ? (unsigned long long)at : ~0ull - gb_lane());
#else
    (void)t, (void)lane, (void)tries;
    return 1u << gb_lane();
#endif
}

/* The first of the lanes that meet swaps `word` into their slot, as its cell, or only its body.
 * Returns what the slot held; *put becomes what it holds if that is lane->held, OC_LOCKED if the
 * lane's cell does not exist. */
template <bool LOCKS, bool COUNT>
static __device__ __forceinline__ uint32_t oc_put(const oc_insert &t, oc_lane *lane,
                                                  const uint32_t (&word)[OC_SLOTS], bool divides,
                                                  uint32_t *put, oc_tally<COUNT> tally)
{
    const uint32_t held = lane->held;
    uint32_t before;
    if (!divides) {
        *put = lane->body;
        before = atomicCAS(lane->slot, held, lane->body);
    } else if (lane->cell >= t.pool) {
        *put = OC_LOCKED;
        return held;
    } else if (LOCKS) {
        *put = OC_CELL | lane->cell;
        before = atomicCAS(lane->slot, held, OC_LOCKED);
        if (before == held) {
            oc_write_slots(t, lane->cell, word);
            oc_set_marked(lane->slot, *put);
        }
    } else {
        *put = OC_CELL | lane->cell;
        oc_write_slots(t, lane->cell, word);
        before = oc_swap_release(lane->slot, held, *put);
    }
    tally.tried(lane->depth, before != held);
    if (divides && before == held) {
        tally.add(OC_USED, 0);
        lane->cell = OC_EMPTY;
    }
    return before;
}

/* Every lane of the warp calls this. Lanes that try and meet others divide their slot with one cell
 * that holds what was there and the first of their bodies in each octant; if they meet at an empty
 * slot in one octant, the first puts its body there. */
template <bool LOCKS, bool COUNT>
static __device__ __forceinline__ void oc_try_together(const oc_insert &t, oc_lane *lane,
                                                       bool tries, unsigned peers,
                                                       oc_tally<COUNT> tally)
{
    /* they may have seen different things: what the first one saw counts */
    const uint32_t seen = __shfl_sync(GB_FULL_MASK, lane->held, __ffs((int)peers) - 1);
    uint32_t at_held = OC_SLOTS;
    if (tries) {
        lane->held = seen;
        if (seen != OC_EMPTY) {
            const oc_place other = oc_place_of(t, __ldg(&t.bodies[seen]));
            if (oc_common_depth(lane->place, other) == OC_DEPTH) {
                oc_join(t, seen, lane->body);
                lane->busy = tries = false;
            } else {
                at_held = oc_digit(other, lane->depth + 1);
            }
        }
    }
    const unsigned in = __ballot_sync(GB_FULL_MASK, tries) & peers;
    const uint32_t mine = tries ? oc_below(*lane) : 0;
    uint32_t word[OC_SLOTS], there = OC_EMPTY;
    int octants = 0;
#pragma unroll
    for (uint32_t d = 0; d < OC_SLOTS; d++) {
        const unsigned lanes = __ballot_sync(GB_FULL_MASK, mine == d) & in;
        /* a warp's bodies lie side by side */
        const uint32_t first = lane->body + ((uint32_t)__ffs((int)lanes) - 1 - gb_lane());
        word[d] = d == at_held ? seen : lanes ? first : OC_EMPTY;
        octants += lanes != 0;
        if (d == mine) there = word[d];
    }
    const bool divides = seen != OC_EMPTY || octants > 1;
    uint32_t before = seen, put = OC_EMPTY;
    if (tries && !(in & gb_lanes_below()))
        before = oc_put<LOCKS, COUNT>(t, lane, word, divides, &put, tally);
    const int leader = in ? __ffs((int)in) - 1 : 0;
    __syncwarp(); /* what it wrote comes before what the others do there */
    before = __shfl_sync(GB_FULL_MASK, before, leader);
    put = __shfl_sync(GB_FULL_MASK, put, leader);
    if (!tries) return;
    if (put == OC_LOCKED) {
        oc_lose(t, lane);
    } else if (before != seen) {
        lane->held = before;
    } else {
        lane->held = divides ? there : put;
        lane->busy = lane->held != lane->body;
        if (divides) lane->slot = oc_slot(t, put & ~OC_CELL, lane->place, ++lane->depth);
    }
}

/* ---- the build ------------------------------------------------------------------------------- */

/* SOME: of the bodies those whose bit is set in t.only, unless all are meant. */
template <bool LOCKS, bool COUNT, bool SOME>
static __device__ __forceinline__ void oc_warp_insert(const oc_insert &t, oc_tally<COUNT> tally)
{
    oc_lane lane = {};
    lane.cell = OC_EMPTY;
    uint32_t next = (uint32_t)gb_first(), stock = 0, stock_end = 0;
    const bool all = SOME && *t.all_if;
    for (;;) {
        if (!__any_sync(GB_FULL_MASK, lane.busy)) {
            if (next - gb_lane() >= t.n || __any_sync(GB_FULL_MASK, lane.lost)) return;
            lane.body = next;
            next += (uint32_t)gb_stride();
            lane.busy = lane.body < t.n &&
                        (!SOME || all || t.only[lane.body / GB_WARP] >> lane.body % GB_WARP & 1u);
            if (lane.busy) {
                lane.place = oc_place_of(t, __ldg(&t.bodies[lane.body]));
                lane.depth = 0;
                lane.slot = oc_slot(t, 0, lane.place, 0);
                lane.held = oc_glimpse(lane.slot);
            }
        }
        oc_stock_up<LOCKS>(t, &lane, &stock, &stock_end);
        if (LOCKS && lane.busy && lane.held == OC_LOCKED) lane.held = oc_now(lane.slot);
        while (lane.busy && oc_is_cell(lane.held)) {
            lane.slot = oc_slot(t, lane.held & ~OC_CELL, lane.place, ++lane.depth);
            lane.held = oc_glimpse(lane.slot);
        }
        bool tries = lane.busy;
        if (LOCKS && lane.busy && lane.held == OC_LOCKED) {
            tally.add(OC_WAITS, lane.depth);
            tries = false;
        }
        const unsigned peers = oc_peers(t, lane, tries);
        if (__any_sync(GB_FULL_MASK, tries && (peers & (peers - 1))))
            oc_try_together<LOCKS, COUNT>(t, &lane, tries, peers, tally);
        else if (tries)
            oc_try_alone<LOCKS, COUNT>(t, &lane, tally);
    }
}

/* Turing holds 1024 threads a multiprocessor. */
template <bool LOCKS, bool COUNT, bool SOME, int THREADS, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, GB_ARCH == 750 ? 1024 / THREADS : BLOCKS)
    oc_warp_build(oc_insert t)
{
    __shared__ unsigned counts[COUNT ? OC_TALLIES * (OC_DEPTH + 1) : 1];
    oc_tally<COUNT> tally;
    gb_wait_for_previous();
    if (t.only_if && !*t.only_if) return;
    tally.begin(counts);
    oc_warp_insert<LOCKS, COUNT, SOME>(t, tally);
    tally.end(t);
}

/* Six blocks of 256 a multiprocessor: more threads than that have fewer than 40 registers. */
template <bool LOCKS, bool SOME = false> static inline oc_insert_plan oc_warp_plan()
{
    enum { THREADS = 256, BLOCKS = 6 };
    oc_insert_plan plan = {};
    plan.kernel = oc_warp_build<LOCKS, false, SOME, THREADS, BLOCKS>;
    if (!SOME) plan.counting = oc_warp_build<LOCKS, true, SOME, THREADS, BLOCKS>;
    plan.threads = THREADS;
    plan.stock = OC_STOCK / GB_WARP + 1;
    return plan;
}

#endif
