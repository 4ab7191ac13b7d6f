/* The top of the tree: the cells that hold bodies of more than one rank, and the root where bodies
 * of several are. Every rank makes all of them, alike.
 *
 * Rank r has the bodies from border r to border r + 1 of the curve. A cell holds bodies of two
 * ranks only where a border lies inside it, so all such cells are on the borders' paths from the
 * root down: at most OC_CODE_DIGITS a border, as many as the border has digits. Of the cells on the
 * paths of its two borders each rank tells the others what it has in each octant (om_tell). Octants
 * without a border inside are one rank's: their slots lead to what that rank's tree has there.
 *
 * A rank's own tree is one of its bodies alone, from a root of its own: where a border lies inside
 * a cell it may have a leaf of what in the whole tree are several, or none where there is a cell.
 * So the top has leaves, too: ranges of bodies in curve order that may go on from rank to rank. */
#ifndef GB_OCTREE_MULTI_TOP_CUH
#define GB_OCTREE_MULTI_TOP_CUH

#include "common/cuda/warp.cuh"
#include "kernels/octree-multi/borders.cuh"
#include "kernels/octree/morton/builder.h"

enum {
    OM_TELL_THREADS = 2 * GB_WARP,
    OM_TOP_THREADS = 1024,
    OM_COUNTED = 32 /* bodies of a leaf that are counted, at most: leaves of more coincide */
};

/* ---- telling --------------------------------------------------------------------------------- */

/* What a rank's tree has at a cell of a path, the same in all lanes of a warp: the cell itself, or
 * bodies [begin, begin + count) in curve order; count 0: more than are counted, which coincide. */
typedef struct om_found {
    enum { NOTHING, CELL, BODIES } kind;
    uint32_t cell, begin, count;
} om_found;

/* A rank's tree and its bodies; passed to kernels by value. */
typedef struct om_tree {
    mo_tree tree;
    const float4 *bodies;
    uint32_t n;           /* with `told` at most */
    const unsigned *told; /* NULL, or a word with their number */
    oc_box box;
} om_tree;

static __device__ __forceinline__ unsigned om_digit_at(const om_tree &t, uint32_t place, int depth)
{
    const float4 b = t.bodies[t.tree.order[place]];
    return oc_digit(oc_place_at(t.box, b.x, b.y, b.z), depth);
}

/* How many bodies the leaf has that begins at a place, or 0: more than OM_COUNTED. By a full warp,
 * place the same in all lanes. */
static __device__ __forceinline__ uint32_t om_leaf_count(const om_tree &t, uint32_t place)
{
    const uint32_t next = place + 1 + gb_lane();
    const bool ends = next >= t.n || (t.tree.first[next / 32] >> next % 32 & 1u);
    const unsigned all = __ballot_sync(GB_FULL_MASK, ends);
    return all ? (uint32_t)__ffs((int)all) : 0;
}

/* What the tree has in the lane's octant, lane % 8, of a cell of that depth. By a full warp. */
static __device__ __forceinline__ om_entry om_look(const om_tree &t, const om_found &found,
                                                   int depth)
{
    const unsigned lane = gb_lane(), octant = lane % OC_SLOTS;
    om_entry mine = {OC_EMPTY, 0};
    if (found.kind == om_found::CELL) {
        const uint32_t value = t.tree.slot[(uint64_t)found.cell * OC_SLOTS + octant];
        mine.value = value;
        for (unsigned o = 0; o < OC_SLOTS; o++) {
            const uint32_t of_octant = __shfl_sync(GB_FULL_MASK, value, o);
            if (!oc_is_leaf(of_octant)) continue;
            const uint32_t count = om_leaf_count(t, of_octant);
            if (o == octant) mine.count = count;
        }
    } else if (found.kind == om_found::BODIES) {
        const bool all = found.count == 0; /* these have one digit */
        const bool ok = all || lane < found.count;
        const unsigned digit = ok ? om_digit_at(t, found.begin + (all ? 0 : lane), depth) : 0;
        for (unsigned o = 0; o < OC_SLOTS; o++) {
            const unsigned lanes = __ballot_sync(GB_FULL_MASK, ok && digit == o);
            if (o != octant || !lanes) continue;
            mine.value = found.begin + (all ? 0u : (uint32_t)__ffs((int)lanes) - 1);
            mine.count = all ? 0 : (uint32_t)__popc(lanes);
        }
    }
    return mine;
}

/* What the tree has in an octant, of what its lane has seen. */
static __device__ __forceinline__ om_found om_descend(om_entry mine, unsigned octant)
{
    const uint32_t value = __shfl_sync(GB_FULL_MASK, mine.value, octant);
    const uint32_t count = __shfl_sync(GB_FULL_MASK, mine.count, octant);
    om_found found = {om_found::NOTHING, 0, 0, 0};
    if (oc_is_cell(value)) {
        found.kind = om_found::CELL;
        found.cell = value & ~OC_CELL;
    } else if (oc_is_leaf(value)) {
        found.kind = om_found::BODIES;
        found.begin = value;
        found.count = count;
    }
    return found;
}

/* One block of OM_TELL_THREADS, a warp a border: tells all ranks what this one, `me`, has on the
 * paths of its borders. A tree that is incomplete is not walked. */
static __global__ void __launch_bounds__(OM_TELL_THREADS)
    om_tell(om_tree t, const om_bounds *bounds, unsigned ranks, unsigned me, om_ears ears)
{
    const unsigned side = threadIdx.x / GB_WARP, border = me + side;
    t.n = mo_told(t.told, t.n);
    const bool whole = *t.tree.trouble == 0;
    const bool inner = border > 0 && border < ranks;
    const om_code code = inner ? om_border(bounds[border]) : 0;
    const int digits = om_digits(code);
    om_found found = {om_found::CELL, 0, 0, 0};
    if (!whole || t.n == 0) found.kind = om_found::NOTHING;
    for (int depth = 0; depth < digits; depth++) {
        const om_entry mine = om_look(t, found, depth);
        for (unsigned r = 0; r < ranks; r++)
            if (gb_lane() < OC_SLOTS && ears.at[r]) ears.at[r]->at[side][depth][gb_lane()] = mine;
        found = om_descend(mine, om_code_digit(code, depth));
    }
    for (unsigned r = threadIdx.x; r < ranks; r += OM_TELL_THREADS)
        if (ears.at[r]) ears.at[r]->bodies = t.n;
}

/* ---- the top --------------------------------------------------------------------------------- */

/* What some ranks have in an octant, or one rank in some octants, together. */
typedef struct om_sum {
    unsigned ranks;  /* things added; in an octant as many as ranks have bodies in it */
    unsigned bodies; /* a cell, and what is not counted, is more than a leaf may hold */
    unsigned first;  /* the first rank */
    om_entry entry;  /* what it has */
} om_sum;

static __device__ __forceinline__ void om_add(om_sum *sum, unsigned rank, om_entry entry,
                                              unsigned leaf)
{
    if (entry.value == OC_EMPTY) return;
    if (sum->ranks++ == 0) {
        sum->first = rank;
        sum->entry = entry;
    }
    sum->bodies += oc_is_cell(entry.value) || entry.count == 0 ? leaf + 1 : entry.count;
}

/* The codes of all borders, their digits, and what all ranks have told. */
typedef struct om_heard {
    const om_code *code; /* ranks: [0] is none */
    const int *digits;
    const om_told *told;
    unsigned ranks, leaf;
} om_heard;

/* Whether a border lies inside the cell of that depth on the path of border k. */
static __device__ __forceinline__ bool om_inside(const om_heard &h, unsigned k, unsigned other,
                                                 int depth)
{
    return other > 0 && other < h.ranks && depth < h.digits[other] &&
           om_prefix(h.code[other], depth) == om_prefix(h.code[k], depth);
}

/* What rank r tells of the octant of that cell, where border k is the first inside it. */
static __device__ __forceinline__ om_entry om_entry_of(const om_heard &h, unsigned k, unsigned r,
                                                       int depth, unsigned octant)
{
    return h.told[r].at[r < k ? 1 : 0][depth][octant];
}

/* The octant of the cell of that depth on the path of border k, the first border inside it. */
static __device__ __forceinline__ om_sum om_sum_octant(const om_heard &h, unsigned k, int depth,
                                                       unsigned octant)
{
    om_sum sum = {0, 0, 0, {OC_EMPTY, 0}};
    for (unsigned r = k - 1; r < h.ranks && (r < k || om_inside(h, k, r, depth)); r++)
        om_add(&sum, r, om_entry_of(h, k, r, depth, octant), h.leaf);
    return sum;
}

/* Whether that cell is one of the top. */
static __device__ __forceinline__ bool om_is_top(const om_heard &h, unsigned k, int depth)
{
    unsigned ranks = 0, bodies = 0;
    if (depth >= h.digits[k] || om_inside(h, k, k - 1, depth)) return false;
    for (unsigned r = k - 1; r < h.ranks && (r < k || om_inside(h, k, r, depth)); r++) {
        om_sum sum = {0, 0, 0, {OC_EMPTY, 0}};
        for (unsigned octant = 0; octant < OC_SLOTS; octant++)
            om_add(&sum, r, om_entry_of(h, k, r, depth, octant), h.leaf);
        ranks += sum.bodies > 0;
        bodies += sum.bodies;
    }
    return ranks > 1 && (depth == 0 || bodies > h.leaf);
}

/* The slot of an octant of a cell of the top. number: the cells of the top by border and depth. */
static __device__ __forceinline__ om_slot om_slot_of(const om_heard &h, const uint16_t *number,
                                                     unsigned k, int depth, unsigned octant)
{
    const om_sum sum = om_sum_octant(h, k, depth, octant);
    if (sum.ranks == 0) return om_slot{OM_NOBODY, OC_EMPTY, 0, 0};
    if (sum.ranks == 1) return om_slot{sum.first, sum.entry.value, sum.entry.count, 0};
    if (sum.bodies <= h.leaf) return om_slot{sum.first, sum.entry.value, sum.bodies, 0};
    /* the first border inside the octant: there is one where several have bodies */
    for (unsigned j = k; j < h.ranks && om_inside(h, k, j, depth); j++)
        if (depth + 1 < h.digits[j] && om_code_digit(h.code[j], depth) == octant)
            return om_slot{OM_TOP, OC_CELL | number[(j - 1) * OC_CODE_DIGITS + depth + 1], 0, 0};
    return om_slot{OM_NOBODY, OC_EMPTY, 0, 0};
}

/* One block of OM_TOP_THREADS: the top, of what all ranks have told, told[0, ranks). */
static __global__ void __launch_bounds__(OM_TOP_THREADS)
    om_make_top(const om_bounds *bounds, const om_told *told, unsigned ranks, unsigned leaf,
                om_top *top)
{
    enum { EACH = (OM_MOST_TOP + OM_TOP_THREADS - 1) / OM_TOP_THREADS };
    __shared__ om_code code[GB_MOST_RANKS];
    __shared__ int digits[GB_MOST_RANKS];
    __shared__ uint16_t number[OM_MOST_TOP];
    __shared__ unsigned sums[GB_WARP + 1];
    const om_heard h = {code, digits, told, ranks, leaf};
    for (unsigned k = threadIdx.x; k < ranks; k += OM_TOP_THREADS) {
        code[k] = k ? om_border(bounds[k]) : 0;
        digits[k] = om_digits(code[k]);
    }
    __syncthreads();
    /* cells by border and depth; neighbours to a thread, so that all ranks number them alike */
    const unsigned most = (ranks - 1) * OC_CODE_DIGITS;
    unsigned mine = 0, total;
    bool is_top[EACH];
    for (unsigned i = 0; i < (unsigned)EACH; i++) {
        const unsigned at = threadIdx.x * EACH + i;
        is_top[i] = at < most && om_is_top(h, at / OC_CODE_DIGITS + 1, (int)(at % OC_CODE_DIGITS));
        mine += is_top[i];
    }
    mine = gb_block_exclusive_sum<OM_TOP_THREADS>(mine, sums, &total);
    for (unsigned i = 0; i < (unsigned)EACH; i++) {
        const unsigned at = threadIdx.x * EACH + i;
        if (at < most) number[at] = (uint16_t)(is_top[i] ? mine++ : (unsigned)OM_MOST_TOP);
    }
    __syncthreads();
    for (unsigned at = threadIdx.x; at < OC_SLOTS * most; at += OM_TOP_THREADS) {
        const unsigned cell = at / OC_SLOTS, octant = at % OC_SLOTS;
        if (number[cell] >= OM_MOST_TOP) continue;
        top->slot[OC_SLOTS * number[cell] + octant] =
            om_slot_of(h, number, cell / OC_CODE_DIGITS + 1, (int)(cell % OC_CODE_DIGITS), octant);
    }
    if (threadIdx.x > 0) return;
    unsigned only = 0, having = 0;
    for (unsigned r = 0; r < ranks; r++) {
        if (told[r].bodies == 0) continue;
        if (having++ == 0) only = r;
    }
    top->cells = total;
    /* the root is the first of all, for all others are below it */
    top->root = having > 1 ? om_slot{OM_TOP, OC_CELL, 0, 0} : om_slot{only, OC_CELL, 0, 0};
    top->zero[0] = top->zero[1] = top->zero[2] = 0;
}

#endif
