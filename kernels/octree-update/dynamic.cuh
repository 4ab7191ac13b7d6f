/* A tree that is kept: bodies leave the slots that they no longer lie in, cells that then have one
 * body or none are taken out, and the bodies are put in anew.
 *
 * Beside the tree each body has a note of its slot, how deep that is and the digits that it was put
 * in with; each cell of the slot that it is in. So a body looks at its own note alone to see
 * whether it stays: 32 bytes a body are all that is read where nothing changes.
 *
 *   leave     whose digits to its slot have changed goes on the list of movers, its slot is emptied
 *   collapse  from these slots up: a cell with nothing is taken out, one with a single leaf gives
 * that to the slot above. Whoever swaps that slot has done it; so each cell is taken out once. What
 * is in a cell only becomes less here, and who made it less looks at it after. enter     movers go
 * down from the root. An empty slot is swapped for the body; one with a body is locked, divided
 * until both part, and unlocked (Burtscher and Pingali 2011); its body gets a new note from whoever
 * holds the lock. settle    cells that were taken out and not put in again wait in a stock for the
 * next time
 *
 * Bodies that coincide are a list, of which the first one's note alone is kept; each has a bit that
 * says so, and the first one of a list walks from the root and decides for all: either none has
 * moved in any digit, or all are movers. */
#ifndef GB_OCTREE_UPDATE_DYNAMIC_CUH
#define GB_OCTREE_UPDATE_DYNAMIC_CUH

#include "kernels/octree/insert/insert.cuh"

enum { OU_LEAVE_TURNS = 8 };

/* Each word that many threads change has a line of its own. */
typedef struct ou_words {
    unsigned movers;
    unsigned fill0[31];
    unsigned out; /* cells taken out */
    unsigned fill1[31];
    unsigned in; /* cells put in */
    unsigned fill2[31];
    unsigned stock; /* cells of the stock */
    unsigned cells; /* handed out before */
    unsigned fill3[30];
} ou_words;

/* A body's note: from the top its slot's depth (that of the cell, 8 bits), 15 bits of nothing,
 * digits 21 to 23 (9 bits), its slot: so that of two notes of a body the one that is nearer to the
 * root is less. */
typedef unsigned long long ou_note;

/* Passed to kernels by value. */
typedef struct ou_tree {
    oc_insert t;
    ou_note *note;            /* n */
    unsigned long long *code; /* n: digits 0 to 20 */
    uint32_t *listed;         /* a bit a body */
    uint32_t *above;          /* pool: the slot that a cell is in */
    uint32_t *stock;          /* pool: cells that may be taken, words->stock of them */
    uint32_t *movers;         /* n */
    uint32_t *left; /* n: the slot that a mover has left; OC_EMPTY: the first one of its list has */
    ou_words *words;
} ou_tree;

/* ---- notes ----------------------------------------------------------------------------------- */

static __device__ __forceinline__ unsigned ou_last_digits(oc_place place)
{
    return oc_digit(place, 21) << 6 | oc_digit(place, 22) << 3 | oc_digit(place, 23);
}

static __device__ __forceinline__ ou_note ou_note_of(int depth, unsigned last_digits, uint32_t slot)
{
    return (ou_note)depth << 56 | (ou_note)last_digits << 32 | slot;
}
static __device__ __forceinline__ int ou_depth(ou_note note)
{
    return (int)(note >> 56);
}
static __device__ __forceinline__ unsigned ou_last_digits(ou_note note)
{
    return (unsigned)(note >> 32) & 511u;
}
static __device__ __forceinline__ uint32_t ou_slot(ou_note note)
{
    return (uint32_t)note;
}

/* The octant of the cell of that depth in which a body was. */
static __device__ __forceinline__ unsigned ou_old_digit(unsigned long long code, unsigned last,
                                                        int depth)
{
    return (unsigned)(depth < OC_CODE_DIGITS ? code >> (60 - 3 * depth)
                                             : last >> (69 - 3 * depth)) &
           7u;
}

/* Whether the first digits, as many as lead to a slot of a cell of that depth, are the same. */
static __device__ __forceinline__ bool ou_same_slot(unsigned long long code, unsigned last,
                                                    oc_place place, int depth)
{
    const unsigned long long differ = code ^ oc_code(place);
    if (depth < OC_CODE_DIGITS) return differ >> (60 - 3 * depth) == 0;
    return differ == 0 && (last ^ ou_last_digits(place)) >> (69 - 3 * depth) == 0;
}

static __device__ __forceinline__ bool ou_is_listed(const ou_tree &u, uint32_t body)
{
    return u.listed[body / 32] >> body % 32 & 1u;
}
static __device__ __forceinline__ void ou_list(const ou_tree &u, uint32_t body)
{
    atomicOr(&u.listed[body / 32], 1u << body % 32);
}

/* A note that others may lower meanwhile: its last digits stay. */
static __device__ __forceinline__ ou_note ou_glance_at(const ou_note *note)
{
#if defined(__CUDACC__)
    return *static_cast<const volatile ou_note *>(note);
#else
    return __atomic_load_n(note, __ATOMIC_RELAXED);
#endif
}

/* ---- leave ----------------------------------------------------------------------------------- */

static __device__ __forceinline__ oc_place ou_place_of(const ou_tree &u, uint32_t body)
{
    return oc_place_of(u.t, u.t.bodies[body]);
}

/* A body's note is of a slot that its digits no longer lead to: the slot is emptied. */
static __device__ __forceinline__ bool ou_leaves(const ou_tree &u, uint32_t body)
{
    const ou_note note = u.note[body];
    const unsigned long long code = u.code[body];
    if (ou_same_slot(code, ou_last_digits(note), ou_place_of(u, body), ou_depth(note)))
        return false;
    u.t.slot[ou_slot(note)] = OC_EMPTY;
    return true;
}

/* A body of a list: nothing, unless it is the first, which decides for all. */
static __device__ GB_CALLED void ou_leave_list(ou_tree u, uint32_t body)
{
    const unsigned long long code = u.code[body];
    const unsigned last = ou_last_digits(u.note[body]);
    uint32_t slot = ou_old_digit(code, last, 0);
    uint32_t holds = oc_now(&u.t.slot[slot]);
    int depth = 0;
    while (oc_is_cell(holds) && ++depth < OC_DEPTH) {
        slot = (holds & ~OC_CELL) * OC_SLOTS + ou_old_digit(code, last, depth);
        holds = oc_now(&u.t.slot[slot]);
    }
    if (holds != body) return;
    bool stay = true;
    for (uint32_t b = body; b != OC_EMPTY && stay; b = u.t.next[b])
        stay = ou_same_slot(code, last, ou_place_of(u, b), OC_DEPTH - 1);
    if (stay) return;
    (void)atomicExch(&u.t.slot[slot], OC_EMPTY); /* others of the list may look at it */
    u.note[body] = ou_note_of(depth, last, slot);
    for (uint32_t b = body, next; b != OC_EMPTY; b = next) {
        const unsigned at = atomicAdd(&u.words->movers, 1u);
        next = u.t.next[b];
        u.t.next[b] = OC_EMPTY;
        u.movers[at] = b;
        u.left[at] = b == body ? slot : OC_EMPTY;
    }
}

/* A warp OU_LEAVE_TURNS bodies a lane: places on the list are taken for all of them at once. */
static __global__ void ou_leave(ou_tree u)
{
    for (uint64_t from = (gb_first() - gb_lane()) * OU_LEAVE_TURNS; from < u.t.n;
         from += gb_stride() * OU_LEAVE_TURNS) {
        unsigned leaving = 0; /* a bit a turn */
        for (unsigned k = 0; k < OU_LEAVE_TURNS; k++) {
            const uint64_t i = from + k * GB_WARP + gb_lane();
            if (i >= u.t.n) break;
            if (ou_is_listed(u, (uint32_t)i))
                ou_leave_list(u, (uint32_t)i);
            else if (ou_leaves(u, (uint32_t)i))
                leaving |= 1u << k;
        }
        __syncwarp();
        const unsigned mine = (unsigned)__popc(leaving);
        const unsigned upto = gb_warp_inclusive_sum(mine);
        if (!__any_sync(GB_FULL_MASK, leaving)) continue;
        unsigned at = 0;
        if (gb_lane() == GB_WARP - 1) at = atomicAdd(&u.words->movers, upto);
        at = __shfl_sync(GB_FULL_MASK, at, GB_WARP - 1) + upto - mine;
        for (; leaving; leaving &= leaving - 1) {
            const unsigned k = (unsigned)__ffs((int)leaving) - 1;
            const uint32_t body = (uint32_t)from + k * GB_WARP + gb_lane();
            u.movers[at] = body;
            u.left[at++] = ou_slot(u.note[body]);
        }
    }
}

/* ---- collapse -------------------------------------------------------------------------------- */

/* What may take the place of a cell: OC_EMPTY, its one leaf, or OC_CELL: nothing, it stays. */
static __device__ __forceinline__ uint32_t ou_instead_of(const ou_tree &u, uint32_t cell)
{
    uint32_t only = OC_EMPTY;
    for (int d = 0; d < OC_SLOTS; d++) {
        const uint32_t holds = oc_now(&u.t.slot[(uint64_t)cell * OC_SLOTS + (unsigned)d]);
        if (holds == OC_EMPTY) continue;
        if (only != OC_EMPTY || oc_is_cell(holds)) return OC_CELL;
        only = holds;
    }
    return only;
}

/* A thread a slot that was left, whose cell is of that depth. */
static __device__ __forceinline__ void ou_go_up(const ou_tree &u, uint32_t slot, int depth)
{
    for (uint32_t cell = slot / OC_SLOTS; cell; cell = slot / OC_SLOTS) {
        const uint32_t instead = ou_instead_of(u, cell);
        if (instead == OC_CELL) return;
        slot = u.above[cell];
        depth--;
        if (atomicCAS(&u.t.slot[slot], OC_CELL | cell, instead) != (OC_CELL | cell)) return;
        u.stock[u.words->stock + atomicAdd(&u.words->out, 1u)] = cell;
        if (oc_is_leaf(instead)) {
            /* its digits stay; who moves it further up may have been faster */
            const unsigned last = ou_last_digits(ou_glance_at(&u.note[instead]));
            atomicMin(&u.note[instead], ou_note_of(depth, last, slot));
        }
        __threadfence();
    }
}

static __global__ void ou_collapse(ou_tree u)
{
    for (uint64_t k = gb_first(); k < u.words->movers; k += gb_stride())
        if (u.left[k] != OC_EMPTY) ou_go_up(u, u.left[k], ou_depth(u.note[u.movers[k]]));
}

/* ---- enter ----------------------------------------------------------------------------------- */

/* A cell of the stock, or a new one; the pool's size or more: there is none. */
static __device__ __forceinline__ uint32_t ou_take_cell(const ou_tree &u)
{
    const unsigned k = atomicAdd(&u.words->in, 1u), stock = u.words->stock + u.words->out;
    if (k < stock) return u.stock[stock - 1 - k];
    const uint64_t cell = (uint64_t)u.words->cells + (k - stock);
    return cell < u.t.pool ? (uint32_t)cell : u.t.pool;
}

static __device__ __forceinline__ void ou_write_note(const ou_tree &u, uint32_t body,
                                                     oc_place place, int depth, uint32_t slot)
{
    u.code[body] = oc_code(place);
    u.note[body] = ou_note_of(depth, ou_last_digits(place), slot);
}

/* Divides a locked slot of a cell of that depth, where the body `held` was, until it and the mover
 * part at depth `common`; unlocks it. */
static __device__ __forceinline__ void ou_divide(const ou_tree &u, uint32_t slot, int depth,
                                                 int common, uint32_t body, oc_place place,
                                                 uint32_t held, oc_place other)
{
    const uint32_t first = ou_take_cell(u);
    uint32_t cell = first, above = slot;
    for (int d = depth + 1; d < common && cell < u.t.pool; d++) {
        const uint32_t below = ou_take_cell(u);
        oc_write_cell(u.t, cell, oc_digit(place, d), OC_CELL | below, OC_SLOTS, 0);
        u.above[cell] = above;
        above = cell * OC_SLOTS + oc_digit(place, d);
        cell = below;
    }
    if (cell >= u.t.pool) {
        oc_set_release(&u.t.slot[slot], held);
        oc_pool_is_empty(u.t);
        return;
    }
    const uint32_t at = oc_digit(place, common), at_other = oc_digit(other, common);
    oc_write_cell(u.t, cell, at, body, at_other, held);
    u.above[cell] = above;
    ou_write_note(u, body, place, common, cell * OC_SLOTS + at);
    ou_write_note(u, held, other, common, cell * OC_SLOTS + at_other);
    oc_set_release(&u.t.slot[slot], OC_CELL | first);
}

/* A mover at a slot that held a body or nothing when it was looked at. True: it is in, or there are
 * not enough cells. */
static __device__ __forceinline__ bool ou_try(const ou_tree &u, uint32_t body, oc_place place,
                                              uint32_t slot, int depth, uint32_t held)
{
    if (held == OC_EMPTY) {
        /* who sees the body there may write it a new note */
        ou_write_note(u, body, place, depth, slot);
        return oc_swap_release(&u.t.slot[slot], OC_EMPTY, body) == OC_EMPTY;
    }
    const oc_place other = ou_place_of(u, held);
    const int common = oc_common_depth(place, other);
    if (common == OC_DEPTH) {
        ou_write_note(u, body, place, depth, slot);
        ou_list(u, body);
        ou_list(u, held);
        oc_join(u.t, held, body);
        return true;
    }
    if (atomicCAS(&u.t.slot[slot], held, OC_LOCKED) != held) return false;
    ou_divide(u, slot, depth, common, body, place, held, other);
    return true;
}

/* A thread a mover. Whoever holds a lock gives it back in the same turn. */
static __global__ void ou_enter(ou_tree u)
{
    for (uint64_t k = gb_first(); k < u.words->movers; k += gb_stride()) {
        const uint32_t body = u.movers[k];
        const oc_place place = ou_place_of(u, body);
        uint32_t slot = oc_digit(place, 0);
        int depth = 0;
        bool in = false;
        while (!in) {
            const uint32_t holds = oc_now(&u.t.slot[slot]);
            if (oc_is_cell(holds))
                slot = (holds & ~OC_CELL) * OC_SLOTS + oc_digit(place, ++depth);
            else if (holds == OC_LOCKED)
                gb_ask_again();
            else
                in = ou_try(u, body, place, slot, depth, holds);
        }
    }
}

/* ---- before and after ------------------------------------------------------------------------ */

/* Movers are in no list, until they join one. */
static __global__ void ou_unlist(ou_tree u)
{
    for (uint64_t k = gb_first(); k < u.words->movers; k += gb_stride()) {
        const uint32_t body = u.movers[k];
        if (ou_is_listed(u, body)) atomicAnd(&u.listed[body / 32], ~(1u << body % 32));
    }
}

/* One thread. */
static __global__ void ou_settle(ou_tree u)
{
    ou_words *w = u.words;
    const unsigned stock = w->stock + w->out;
    w->stock = w->in < stock ? stock - w->in : 0;
    w->cells += w->in > stock ? w->in - stock : 0;
    u.t.words->cells = w->cells;
}

/* No tree yet: all bodies are movers into an empty root. */
static __global__ void ou_begin(ou_tree u)
{
    for (uint64_t i = gb_first(); i < u.t.n; i += gb_stride()) {
        u.movers[i] = (uint32_t)i;
        u.t.next[i] = OC_EMPTY;
        if (i % 32 == 0) u.listed[i / 32] = 0;
    }
    if (gb_first() < OC_SLOTS) u.t.slot[gb_first()] = OC_EMPTY;
    if (gb_first() != OC_SLOTS) return;
    *u.words = ou_words{};
    u.words->movers = u.t.n;
    u.words->cells = 1;
    u.t.words->cells = 1;
    u.t.words->trouble = 0;
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* The next piece of the memory; where there is none yet, its size is added up alone. */
template <class T> static void ou_take(char *memory, uint64_t *used, uint64_t count, T **out)
{
    *out = memory ? reinterpret_cast<T *>(memory + *used) : NULL;
    *used += (count * sizeof(T) + 255) / 256 * 256;
}

/* Where a tree of u->t.n bodies and u->t.pool cells lies in its memory, but for movers and what
 * they have left; gives how much that is. */
static uint64_t ou_lay_out(ou_tree *u, char *memory)
{
    const uint64_t n = u->t.n, pool = u->t.pool;
    uint64_t used = 0;
    ou_take(memory, &used, pool * OC_SLOTS, &u->t.slot);
    ou_take(memory, &used, 1, &u->t.words);
    ou_take(memory, &used, 1, &u->words);
    ou_take(memory, &used, n, &u->t.next);
    ou_take(memory, &used, n, &u->note);
    ou_take(memory, &used, n, &u->code);
    ou_take(memory, &used, n / 32 + 1, &u->listed);
    ou_take(memory, &used, pool, &u->above);
    ou_take(memory, &used, pool, &u->stock);
    return used;
}

static gb_status ou_queue_enter(const ou_tree &u, const gb_device *device, cudaStream_t stream,
                                gb_error *error)
{
    const dim3 grid = gb_grid(device, u.t.n), block(GB_GRID_THREADS);
    GB_TRY(launch(ou_enter, grid, block, 0, stream, u), error);
    GB_TRY(launch(ou_settle, dim3(1), dim3(1), 0, stream, u), error);
    return GB_OK;
}

/* The tree of the bodies, from none. */
static gb_status ou_queue_build(const ou_tree &u, const gb_device *device, cudaStream_t stream,
                                gb_error *error)
{
    GB_TRY(launch(ou_begin, gb_grid(device, u.t.n), dim3(GB_GRID_THREADS), 0, stream, u), error);
    return ou_queue_enter(u, device, stream, error);
}

/* From that of where they were before. */
static gb_status ou_queue_update(const ou_tree &u, const gb_device *device, cudaStream_t stream,
                                 gb_error *error)
{
    const dim3 grid = gb_grid(device, u.t.n), block(GB_GRID_THREADS);
    GB_TRY(cudaMemsetAsync(u.words, 0, offsetof(ou_words, stock), stream), error);
    GB_TRY(launch(ou_leave, grid, block, 0, stream, u), error);
    GB_TRY(launch(ou_collapse, grid, block, 0, stream, u), error);
    GB_TRY(launch(ou_unlist, grid, block, 0, stream, u), error);
    return ou_queue_enter(u, device, stream, error);
}

#endif
