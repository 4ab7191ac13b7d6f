/* The checker's kernels. An item is what a leaf is made of: a body where leaves are lists of
 * bodies, a place in curve order where they are ranges of it. Each kernel relies on what those
 * before it have shown, and none follows a link that was not shown to lead somewhere. */
#ifndef GB_OCTREE_CHECK_CUH
#define GB_OCTREE_CHECK_CUH

#include "common/cuda/grid.cuh"
#include "kernels/octree/bodies.h"

static const unsigned long long NOWHERE = ~0ull;

/* What can be wrong, in the order in which it is reported. */
enum defect {
    INPUT,    /* the body was changed */
    LOCK,     /* the slot was left locked */
    NO_CELL,  /* the slot leads to a cell that was not handed out */
    NO_ITEM,  /* the slot holds an item that does not exist */
    DEPTH,    /* the slot's cell has cells below it that no digit is left for */
    LINKED,   /* the slot leads to a cell that another leads to */
    NO_START, /* the slot holds a place at which no range begins */
    SLOTS,    /* the slot holds an item that another holds */
    NO_BODY,  /* what follows the item, or stands there in the order, is no body */
    TWICE,    /* the body is in the lists or in the order twice */
    LOST,     /* the body is in no list, in no slot */
    FIRST,    /* no range begins at the first place */
    CYCLE,    /* the item belongs to no leaf */
    STRANGER, /* the item is not where the first of its list is */
    WALK,     /* walking to the item's body ends elsewhere */
    ORDER,    /* the item's range comes before the one before it */
    OVERFULL, /* the leaf that begins with the item holds too many */
    SPARE,    /* the cell has no more bodies below it than a leaf may hold */
    POINT,    /* the cell's bodies all coincide */
    DEFECTS
};

/* The first of each kind: an item, a body, a cell or 8 * cell + slot; NOWHERE: there is none. */
typedef struct findings {
    unsigned long long at[DEFECTS];
    unsigned long long reached;          /* cells */
    unsigned long long leaves[OC_DEPTH]; /* by depth */
    unsigned long long bodies[OC_DEPTH]; /* by depth */
    unsigned changed;                    /* items that a round has moved */
} findings;

/* A view whose arrays lie on the device, and what the checker notes beside it. */
typedef struct judged {
    const float4 *bodies;
    oc_box box;
    uint64_t n, cells;
    unsigned leaf;
    const uint32_t *slot, *next, *order, *first;
    uint32_t *reached; /* the cells from the root on, depth by depth */
    uint32_t *linked;  /* a bit a cell */
    uint8_t *below;    /* a cell: how many bodies, at most leaf + 1, and ALL_ONE */
    uint32_t *starts;  /* a bit an item: a slot holds it */
    uint32_t *seen;    /* a bit a body: it is in a list or in the order */
    uint32_t *mixed;   /* a bit an item: not all of the leaf that begins there coincide */
    uint32_t *head;    /* an item: another of its leaf, in the end the first one */
    uint32_t *length;  /* an item: of the leaf that begins there; before that room for head */
    findings *found;
} judged;

enum { ALL_ONE = 0x80 }; /* the bodies below the cell all coincide */

static __device__ void note(const judged &t, defect kind, uint64_t at)
{
    atomicMin(&t.found->at[kind], (unsigned long long)at);
}

/* Whether the bit was set before. */
static __device__ bool mark(uint32_t *bits, uint32_t i)
{
    return atomicOr(&bits[i / 32], 1u << i % 32) >> i % 32 & 1u;
}

static __device__ bool marked(const uint32_t *bits, uint32_t i)
{
    return bits[i / 32] >> i % 32 & 1u;
}

static __device__ oc_place place_of(const judged &t, uint32_t item)
{
    const float4 b = t.bodies[t.order ? t.order[item] : item];
    return oc_place_at(t.box, b.x, b.y, b.z);
}

static __global__ void judge_bodies(oc_bodies made, const float4 *bodies, findings *found)
{
    for (uint64_t i = gb_first(); i < made.n; i += gb_stride()) {
        const oc_body b = oc_make_body(&made, i);
        const float4 is = bodies[i];
        if (__float_as_uint(is.x) != __float_as_uint(b.x) ||
            __float_as_uint(is.y) != __float_as_uint(b.y) ||
            __float_as_uint(is.z) != __float_as_uint(b.z) ||
            __float_as_uint(is.w) != __float_as_uint(b.mass))
            atomicMin(&found->at[INPUT], (unsigned long long)i);
    }
}

/* A sum that changes, but for one chance in 2^64, when a body does. */
static __global__ void hash_bodies(const float4 *bodies, uint64_t n, unsigned long long *sum)
{
    unsigned long long mine = 0;
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const float4 b = bodies[i];
        const uint64_t low = (uint64_t)__float_as_uint(b.y) << 32 | __float_as_uint(b.x);
        const uint64_t high = (uint64_t)__float_as_uint(b.w) << 32 | __float_as_uint(b.z);
        mine += gb_mix64(low ^ gb_mix64(high ^ gb_mix64(i + 1)));
    }
    atomicAdd(sum, mine);
}

/* ---- cells and slots ------------------------------------------------------------------------- */

/* One thread a slot of the cells reached[begin ... end), which are all at that depth: the cells
 * below them join the list. */
static __global__ void judge_slots(judged t, uint64_t begin, uint64_t end, int depth)
{
    unsigned leaves = 0;
    for (uint64_t i = gb_first(); i < (end - begin) * OC_SLOTS; i += gb_stride()) {
        const uint64_t at = (uint64_t)t.reached[begin + i / OC_SLOTS] * OC_SLOTS + i % OC_SLOTS;
        const uint32_t value = t.slot[at];
        if (value == OC_EMPTY) continue;
        if (value == OC_LOCKED) {
            note(t, LOCK, at);
        } else if (oc_is_leaf(value)) {
            leaves++;
            if (value >= t.n)
                note(t, NO_ITEM, at);
            else if (t.first && !marked(t.first, value))
                note(t, NO_START, at);
            else if (mark(t.starts, value))
                note(t, SLOTS, at);
        } else {
            const uint32_t cell = value & ~OC_CELL;
            if (cell >= t.cells)
                note(t, NO_CELL, at);
            else if (depth == OC_DEPTH - 1)
                note(t, DEPTH, at);
            else if (mark(t.linked, cell))
                note(t, LINKED, at);
            else
                t.reached[atomicAdd(&t.found->reached, 1ull)] = cell;
        }
    }
    if (leaves) atomicAdd(&t.found->leaves[depth], (unsigned long long)leaves);
}

/* ---- which leaf an item belongs to ------------------------------------------------------------
 */

/* head: the body itself where a slot holds it, else the one whose next it is. All bits of head are
 * set before: a body that nothing leads to keeps them. */
static __global__ void judge_lists(judged t)
{
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride()) {
        const uint32_t body = (uint32_t)i, next = t.next[i];
        if (marked(t.starts, body)) {
            if (mark(t.seen, body))
                note(t, TWICE, body);
            else
                t.head[body] = body;
        }
        if (next == OC_EMPTY) continue;
        if (next >= t.n)
            note(t, NO_BODY, i);
        else if (mark(t.seen, next))
            note(t, TWICE, next);
        else
            t.head[next] = body;
    }
}

static __global__ void judge_lost(judged t)
{
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride())
        if (!marked(t.seen, (uint32_t)i)) note(t, LOST, i);
}

/* head: the nearest place in the same word of `first` at which a range begins, or the last one of
 * the word before. */
static __global__ void judge_order(judged t)
{
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride()) {
        const uint32_t body = t.order[i];
        if (body >= t.n)
            note(t, NO_BODY, i);
        else if (mark(t.seen, body))
            note(t, TWICE, body);
        const uint32_t up_to = t.first[i / 32] & (0xFFFFFFFFu >> (31 - i % 32));
        if (up_to)
            t.head[i] = (uint32_t)(i / 32 * 32) + 31 - (uint32_t)__clz((int)up_to);
        else if (i >= 32)
            t.head[i] = (uint32_t)(i / 32 * 32) - 1;
        else
            note(t, FIRST, 0);
    }
}

/* Pointer jumping (Wyllie 1979): after k rounds an item knows one 2^k steps nearer to the first. */
static __global__ void jump(judged t)
{
    unsigned changed = 0;
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride()) {
        const uint32_t up = t.head[i], further = t.head[up];
        t.length[i] = further;
        changed += further != up;
    }
    if (changed) atomicAdd(&t.found->changed, changed);
}

/* ---- bodies ------------------------------------------------------------------------------------
 */

/* What stands in the slot to which the digits lead. */
static __device__ uint32_t walk(const judged &t, oc_place place, int *depth)
{
    uint32_t value = OC_CELL;
    for (*depth = -1; oc_is_cell(value) && *depth + 1 < OC_DEPTH;) {
        ++*depth;
        value = t.slot[(uint64_t)(value & ~OC_CELL) * OC_SLOTS + oc_digit(place, *depth)];
    }
    return value;
}

/* Whether a lies before b on the curve. */
static __device__ bool before(oc_place a, oc_place b)
{
    const int depth = oc_common_depth(a, b);
    return depth < OC_DEPTH && oc_digit(a, depth) < oc_digit(b, depth);
}

static __global__ void judge_items(judged t)
{
    __shared__ unsigned bodies[OC_DEPTH];
    for (unsigned d = threadIdx.x; d < OC_DEPTH; d += blockDim.x)
        bodies[d] = 0;
    __syncthreads();
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride()) {
        const uint32_t item = (uint32_t)i, head = t.head[i];
        const oc_place place = place_of(t, item);
        int depth;
        if (!marked(t.starts, head)) note(t, t.next ? CYCLE : WALK, i);
        if (walk(t, place, &depth) != head) note(t, WALK, i);
        atomicAdd(&bodies[depth], 1u);
        atomicAdd(&t.length[head], 1u);
        if (head != item) {
            if (oc_common_depth(place, place_of(t, head)) == OC_DEPTH) continue;
            if (t.next)
                note(t, STRANGER, i);
            else
                (void)mark(t.mixed, head);
        } else if (t.order && item > 0 && !before(place_of(t, item - 1), place)) {
            note(t, ORDER, i);
        }
    }
    __syncthreads();
    for (unsigned d = threadIdx.x; d < OC_DEPTH; d += blockDim.x)
        if (bodies[d]) atomicAdd(&t.found->bodies[d], (unsigned long long)bodies[d]);
}

/* ---- how many bodies a leaf and a cell have ----------------------------------------------------
 */

static __global__ void judge_leaves(judged t)
{
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride())
        if (t.head[i] == i && t.length[i] > t.leaf && marked(t.mixed, (uint32_t)i))
            note(t, OVERFULL, i);
}

/* The cells reached[begin ... end), after those below them: bodies are counted up to one more than
 * a leaf may hold, so that the numbers stay small. */
static __global__ void judge_cells(judged t, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin + gb_first(); i < end; i += gb_stride()) {
        const uint32_t cell = t.reached[i];
        unsigned bodies = 0, used = 0;
        bool one = true;
        for (int s = 0; s < OC_SLOTS; s++) {
            const uint32_t value = t.slot[(uint64_t)cell * OC_SLOTS + s];
            if (value == OC_EMPTY) continue;
            used++;
            if (oc_is_leaf(value)) {
                bodies += t.length[value] < t.leaf + 1 ? t.length[value] : t.leaf + 1;
                one = one && !marked(t.mixed, value);
            } else {
                bodies += t.below[value & ~OC_CELL] & (ALL_ONE - 1u);
                one = one && t.below[value & ~OC_CELL] & ALL_ONE;
            }
        }
        one = one && used == 1;
        if (bodies > t.leaf + 1) bodies = t.leaf + 1;
        t.below[cell] = (uint8_t)(bodies | (one ? ALL_ONE : 0));
        if (cell == 0) continue;
        if (bodies <= t.leaf)
            note(t, SPARE, cell);
        else if (one)
            note(t, POINT, cell);
    }
}

#endif
