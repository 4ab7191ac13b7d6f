/* Sums of every cell, from the leaves up: mass, centre of mass, and how near a body may be for
 * which the cell is a point.
 *
 * Each cell tells the cells below it that it is above them, and notes how many they are. Cells
 * without any are summed by a thread each, which goes on to the cell above if no other cell below
 * that one is still missing (Burtscher and Pingali 2011 sum from the leaves up as well, and poll
 * for those that are missing). A cell's sum is always that of its slots in their order, whoever
 * makes it. How deep a cell is, is seen where its bodies part, and is one less for each cell above.
 */
#ifndef GB_OCTREE_NBODY_SUMS_CUH
#define GB_OCTREE_NBODY_SUMS_CUH

#include "common/cuda/warp.cuh"
#include "kernels/octree-nbody/nbody.cuh"
#include "kernels/octree/ranges.cuh"

#define NB_NONE 0xFFFFFFFFu

/* A tree on the device, whose build is queued before. */
typedef struct nb_tree {
    const float4 *bodies;
    uint32_t n;
    uint32_t pool; /* cells, at most */
    oc_box box;
    const uint32_t *slot;
    const unsigned *cells; /* handed out; one that is not in the tree leads to none that is */
    const unsigned *trouble;
    const uint32_t *order; /* n: bodies along the curve; NULL where they are in lists */
} nb_tree;

/* What is noted of cells meanwhile. */
typedef struct nb_notes {
    uint32_t *above;   /* the cell above; NB_NONE: the root, or a cell that is not in the tree */
    unsigned *missing; /* cells below that have no sums yet */
} nb_notes;

static __device__ __forceinline__ uint32_t nb_cells_of(const nb_tree &t)
{
    if (*t.trouble) return 0;
    return *t.cells < t.pool ? *t.cells : t.pool;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Leaves of bodies that lie in the order of the curve. */
typedef struct nb_ranges {
    const float4 *sorted;
    const uint32_t *first;
    uint32_t n;

    /* A leaf's first body. */
    __device__ __forceinline__ float4 body(uint32_t leaf) const { return sorted[leaf]; }
    template <class Each> __device__ __forceinline__ void each(uint32_t leaf, Each &&do_it) const
    {
        const uint32_t end = oc_range_end(first, n, leaf);
        for (uint32_t p = leaf; p < end; p++)
            do_it(sorted[p]);
    }
} nb_ranges;

/* Leaves that are lists of bodies which coincide. */
typedef struct nb_lists {
    const float4 *bodies;
    const uint32_t *next;

    __device__ __forceinline__ float4 body(uint32_t leaf) const { return bodies[leaf]; }
    template <class Each> __device__ __forceinline__ void each(uint32_t leaf, Each &&do_it) const
    {
        for (uint32_t b = leaf; b != OC_EMPTY; b = next[b])
            do_it(bodies[b]);
    }
} nb_lists;

/* Bodies in the order of the curve. */
static __global__ void nb_gather(nb_tree t, float4 *sorted)
{
    if (*t.trouble) return;
    for (uint64_t p = gb_first(); p < t.n; p += gb_stride())
        sorted[p] = t.bodies[t.order[p]];
}

/* ---- what is above what ---------------------------------------------------------------------- */

/* No cell has one above it yet, or bodies. */
static __global__ void nb_begin(nb_tree t, nb_sums sums, nb_notes notes)
{
    const uint32_t cells = nb_cells_of(t);
    for (uint64_t c = gb_first(); c < cells; c += gb_stride()) {
        notes.above[c] = NB_NONE;
        if (sums.count) sums.count[c] = 0;
    }
}

/* A thread a slot. */
static __global__ void nb_tell(nb_tree t, nb_notes notes)
{
    const uint64_t slots = (uint64_t)nb_cells_of(t) * OC_SLOTS;
    for (uint64_t from = gb_first() - gb_lane(); from < slots; from += gb_stride()) {
        const uint64_t i = from + gb_lane();
        const uint32_t holds = i < slots ? t.slot[i] : OC_EMPTY;
        const unsigned below = __ballot_sync(GB_FULL_MASK, oc_is_cell(holds));
        if (oc_is_cell(holds)) notes.above[holds & ~OC_CELL] = (uint32_t)(i / OC_SLOTS);
        if (i < slots && i % OC_SLOTS == 0)
            notes.missing[i / OC_SLOTS] = (unsigned)__popc(below >> gb_lane() & 0xFFu);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* A cell on the way up. */
typedef struct nb_climb {
    uint32_t cell;
    int depth;      /* of the cell */
    oc_place place; /* of one of its bodies */
} nb_climb;

static __device__ __forceinline__ void nb_load_slots(const nb_tree &t, uint32_t cell,
                                                     uint32_t (&slot)[OC_SLOTS])
{
    const uint4 *from = reinterpret_cast<const uint4 *>(t.slot + (uint64_t)cell * OC_SLOTS);
    const uint4 low = from[0], high = from[1];
    slot[0] = low.x, slot[1] = low.y, slot[2] = low.z, slot[3] = low.w;
    slot[4] = high.x, slot[5] = high.y, slot[6] = high.z, slot[7] = high.w;
}

/* Starts at a cell without cells below it; false: there are some, or no bodies. */
template <class Leaves>
static __device__ __forceinline__ bool nb_starts(const nb_tree &t, const Leaves &leaves,
                                                 uint32_t cell, nb_climb *climb)
{
    uint32_t slot[OC_SLOTS];
    nb_load_slots(t, cell, slot);
    uint32_t a = OC_EMPTY, b = OC_EMPTY; /* its first leaf, its last one */
#pragma unroll
    for (int d = 0; d < OC_SLOTS; d++) {
        if (oc_is_cell(slot[d])) return false;
        if (slot[d] == OC_EMPTY) continue;
        if (a == OC_EMPTY) a = slot[d];
        b = slot[d];
    }
    if (a == OC_EMPTY) return false;
    const float4 first = leaves.body(a), last = leaves.body(b);
    climb->cell = cell;
    climb->place = oc_place_at(t.box, first.x, first.y, first.z);
    climb->depth =
        cell ? oc_common_depth(climb->place, oc_place_at(t.box, last.x, last.y, last.z)) : 0;
    return true;
}

/* What is summed up: places from the first one on, so that bodies near each other keep their bits.
 */
typedef struct nb_total {
    float4 from, sum; /* sum.w: mass */
    unsigned count;

    __device__ __forceinline__ void add(float4 at, unsigned bodies)
    {
        if (count == 0) from = at;
        sum.x += at.w * (at.x - from.x);
        sum.y += at.w * (at.y - from.y);
        sum.z += at.w * (at.z - from.z);
        sum.w += at.w;
        count += bodies;
    }
    __device__ __forceinline__ float4 centre() const
    {
        const float by = sum.w > 0 ? 1.0f / sum.w : 0.0f;
        return make_float4(from.x + sum.x * by, from.y + sum.y * by, from.z + sum.z * by, sum.w);
    }
} nb_total;

/* A cell's sums, of which all below are there. They were written by other blocks: loads past the
 * first-level cache. */
template <class Leaves>
static __device__ __forceinline__ float4 nb_sum_cell(const nb_tree &t, const Leaves &leaves,
                                                     const nb_sums &sums, uint32_t cell)
{
    uint32_t slot[OC_SLOTS];
    nb_total total = {};
    nb_load_slots(t, cell, slot);
#pragma unroll
    for (int d = 0; d < OC_SLOTS; d++) {
        const uint32_t holds = slot[d], below = holds & ~OC_CELL;
        if (oc_is_leaf(holds))
            leaves.each(holds, [&](float4 body) { total.add(body, 1); });
        else if (oc_is_cell(holds))
            total.add(__ldcg(&sums.sum[below]), sums.count ? __ldcg(&sums.count[below]) : 1);
    }
    if (sums.count) sums.count[cell] = total.count;
    return total.centre();
}

template <class Leaves>
static __device__ __forceinline__ void nb_go_up(const nb_tree &t, const Leaves &leaves,
                                                const nb_sums &sums, const nb_notes &notes,
                                                nb_climb at, float by_theta, nb_rule rule)
{
    for (;;) {
        const float4 sum = nb_sum_cell(t, leaves, sums, at.cell);
        sums.sum[at.cell] = sum;
        sums.reach2[at.cell] = nb_reach2(t.box, at.place, at.depth, sum, by_theta, rule);
        const uint32_t above = notes.above[at.cell];
        if (above == NB_NONE) return;
        __threadfence();
        if (atomicSub(&notes.missing[above], 1u) != 1) return;
        __threadfence();
        at.cell = above;
        at.depth--;
    }
}

/* A thread a cell. The sums of a root without bodies are 0. */
template <class Leaves>
static __global__ void nb_sum(nb_tree t, Leaves leaves, nb_sums sums, nb_notes notes,
                              float by_theta, nb_rule rule)
{
    const uint32_t cells = nb_cells_of(t);
    if (t.n == 0 && gb_first() == 0) {
        sums.sum[0] = make_float4(0, 0, 0, 0);
        sums.reach2[0] = 0;
        if (sums.count) sums.count[0] = 0;
    }
    for (uint64_t c = gb_first(); c < cells; c += gb_stride()) {
        nb_climb at;
        if (nb_starts(t, leaves, (uint32_t)c, &at))
            nb_go_up(t, leaves, sums, notes, at, by_theta, rule);
    }
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* Memory for the sums of `pool` cells, and for what is noted meanwhile; one piece. */
typedef struct nb_summing {
    nb_sums sums;
    nb_notes notes;
    char *memory;
    uint64_t bytes; /* of sums, which lie first; notes lie behind */
} nb_summing;

static inline gb_status nb_summing_open(uint64_t pool, bool counts, nb_summing *s, gb_error *error)
{
    s->bytes = pool * (sizeof(float4) + sizeof(float) + (counts ? sizeof(unsigned) : 0));
    const gb_status status =
        gb_cuda_malloc((void **)&s->memory, s->bytes + 8 * pool, "the cells' sums", error);
    if (status != GB_OK) return status;
    s->sums.sum = reinterpret_cast<float4 *>(s->memory);
    s->sums.reach2 = reinterpret_cast<float *>(s->sums.sum + pool);
    if (counts) s->sums.count = reinterpret_cast<unsigned *>(s->sums.reach2 + pool);
    s->notes.above = reinterpret_cast<uint32_t *>(s->memory + s->bytes);
    s->notes.missing = s->notes.above + pool;
    return GB_OK;
}

/* Bodies into the order of the curve; queued. sorted: n. */
static inline gb_status nb_queue_gather(const nb_tree &t, float4 *sorted, const gb_device *device,
                                        cudaStream_t stream, gb_error *error)
{
    GB_TRY(launch(nb_gather, gb_grid(device, t.n), dim3(GB_GRID_THREADS), 0, stream, t, sorted),
           error);
    return GB_OK;
}

/* Sums of all cells of a tree; queued. by_theta: nb_by_theta. */
template <class Leaves>
static gb_status nb_queue_sums(const nb_tree &t, const Leaves &leaves, const nb_summing &s,
                               float by_theta, nb_rule rule, const gb_device *device,
                               cudaStream_t stream, gb_error *error)
{
    const dim3 block(GB_GRID_THREADS);
    GB_TRY(launch(nb_begin, gb_grid(device, t.pool), block, 0, stream, t, s.sums, s.notes), error);
    GB_TRY(
        launch(nb_tell, gb_grid(device, (uint64_t)t.pool * OC_SLOTS), block, 0, stream, t, s.notes),
        error);
    GB_TRY(launch(nb_sum<Leaves>, gb_grid(device, t.pool), block, 0, stream, t, leaves, s.sums,
                  s.notes, by_theta, rule),
           error);
    return GB_OK;
}

#endif
