/* Variants burtscher-pingali-as-published and octreebuild-lf-as-published: insertion with locks and
 * without, line by line as their texts have it (Cordeiro and Zola's slides, "Construção Paralela
 * Lock-Free de Octrees Esparsas em GPU", 2024, of which Algorithm 1 is Burtscher and Pingali's; for
 * what it leaves open: Burtscher and Pingali, "An Efficient CUDA Implementation of the Tree-Based
 * Barnes Hut n-Body Algorithm", 2011). No other source was read.
 *
 * What the texts leave open is done in the same way in both:
 * - the launch: blocks of 256 threads, as many as a multiprocessor has room for of either kernel;
 * - a thread's bodies are those of its number in the grid, and every grid's threads beyond;
 * - cells come from one counter, to which each thread adds for itself, and are written whole;
 * - slots are read past the L1 (volatile), and a fence stands before a cell's address is published;
 * - who tries again goes on from the slot where it stands, for what was a cell is one for ever;
 * - bodies that coincide share a leaf, a pool that is too small is said: insert.cuh. */
#include "kernels/octree/insert/insert.cuh"

enum { THREADS = 256 };

/* Where a thread stands in the tree. */
struct oc_stand {
    uint32_t *slot;
    oc_place place; /* of its body */
    int depth;      /* of the slot's cell */
};

static __device__ __forceinline__ oc_stand oc_root(const oc_insert &t, uint32_t body)
{
    const oc_place place = oc_place_of(t, __ldg(&t.bodies[body]));
    return {oc_slot(t, 0, place, 0), place, 0};
}

static __device__ __forceinline__ uint32_t oc_volatile(const uint32_t *slot)
{
#if defined(__CUDACC__)
    return *static_cast<const volatile uint32_t *>(slot);
#else
    return oc_now(slot);
#endif
}

/* Walks on down to a slot that holds no cell; what it holds. */
static __device__ __forceinline__ uint32_t oc_walk(const oc_insert &t, oc_stand *stand)
{
    uint32_t held = oc_volatile(stand->slot);
    while (oc_is_cell(held)) {
        stand->slot = oc_slot(t, held & ~OC_CELL, stand->place, ++stand->depth);
        held = oc_volatile(stand->slot);
    }
    return held;
}

static __device__ __forceinline__ uint32_t oc_take_cell(const oc_insert &t)
{
    return atomicAdd(&t.words->cells, 1u);
}

/* ---- Burtscher and Pingali: locks ------------------------------------------------------------ */

static __device__ __forceinline__ void oc_unlock(uint32_t *slot, uint32_t value)
{
    __threadfence();
#if defined(__CUDACC__) || defined(GB_SIMT_HOOKS)
    *static_cast<volatile uint32_t *>(slot) = value;
#else
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
#endif
}

/* Lines 15 to 18 for a slot that this thread has locked. False: there are not enough cells; the
 * slot is unlocked as it was. */
static __device__ __forceinline__ bool oc_divide(const oc_insert &t, const oc_stand &stand,
                                                 uint32_t body, uint32_t held, oc_place other)
{
    const uint32_t first = oc_take_cell(t);
    uint32_t cell = first;
    int depth = stand.depth + 1;
    while (cell < t.pool && oc_digit(stand.place, depth) == oc_digit(other, depth)) {
        const uint32_t below = oc_take_cell(t);
        oc_write_cell(t, cell, oc_digit(other, depth), OC_CELL | below, OC_SLOTS, 0);
        cell = below;
        depth++;
    }
    if (cell >= t.pool) {
        oc_unlock(stand.slot, held);
        oc_pool_is_empty(t);
        return false;
    }
    oc_write_cell(t, cell, oc_digit(stand.place, depth), body, oc_digit(other, depth), held);
    oc_unlock(stand.slot, OC_CELL | first);
    return true;
}

/* Algorithm 1; the numbers are its lines. CUDA defines no barrier that some threads of a block do
 * not come to, so those without bodies stay, and the barrier tells when there are none left. */
static __global__ void __launch_bounds__(THREADS) oc_bp_as_published(oc_insert t)
{
    gb_wait_for_previous();
    uint32_t next = (uint32_t)gb_first(), body = 0;
    oc_stand stand = {};
    bool inserted = true; /* 1 */
    /* 2, 23 */
    while (__syncthreads_or(!inserted || next < t.n)) {
        if (inserted) { /* 3 */
            if (next >= t.n) continue;
            body = next; /* 4 */
            next += (uint32_t)gb_stride();
            stand = oc_root(t, body);
            inserted = false; /* 5 */
        }
        /* 7, 8 */
        const uint32_t held = oc_walk(t, &stand);
        if (held == OC_EMPTY) { /* 9 to 12 */
            inserted = atomicCAS(stand.slot, OC_EMPTY, body) == OC_EMPTY;
        } else if (held != OC_LOCKED) { /* 13 */
            const oc_place other = oc_place_of(t, __ldg(&t.bodies[held]));
            if (oc_common_depth(stand.place, other) == OC_DEPTH) {
                oc_join(t, held, body);
                inserted = true;
            } else if (atomicCAS(stand.slot, held, OC_LOCKED) == held) { /* 14 to 20 */
                if (!oc_divide(t, stand, body, held, other)) next = t.n;
                inserted = true;
            }
        }
    }
}

/* ---- OctreeBuild-LF: none -------------------------------------------------------------------- */

static __global__ void __launch_bounds__(THREADS) oc_lf_as_published(oc_insert t)
{
    gb_wait_for_previous();
    uint32_t cell = oc_take_cell(t); /* the preallocated node */
    for (uint64_t body = gb_first(); body < t.n; body += gb_stride()) {
        oc_stand stand = oc_root(t, (uint32_t)body);
        for (;;) {
            const uint32_t held = oc_walk(t, &stand);
            if (held == OC_EMPTY) {
                if (atomicCAS(stand.slot, OC_EMPTY, (uint32_t)body) == OC_EMPTY) break;
                continue;
            }
            const oc_place other = oc_place_of(t, __ldg(&t.bodies[held]));
            if (oc_common_depth(stand.place, other) == OC_DEPTH) {
                oc_join(t, held, (uint32_t)body);
                break;
            }
            if (cell >= t.pool) {
                oc_pool_is_empty(t);
                return;
            }
            oc_write_cell(t, cell, oc_digit(other, stand.depth + 1), held, OC_SLOTS, 0);
            __threadfence();
            if (atomicCAS(stand.slot, held, OC_CELL | cell) == held) cell = oc_take_cell(t);
        }
    }
}

/* ---- the variants ---------------------------------------------------------------------------- */

static oc_insert_plan plan_of(void (*kernel)(oc_insert), void (*other)(oc_insert), unsigned stock)
{
    oc_insert_plan plan = {};
    plan.kernel = kernel;
    plan.beside = other;
    plan.threads = THREADS;
    plan.stock = stock;
    return plan;
}

static gb_status prepare_bp(gb_job *job)
{
    return oc_insert_prepare(job, plan_of(oc_bp_as_published, oc_lf_as_published, 0));
}

static gb_status prepare_lf(gb_job *job)
{
    return oc_insert_prepare(job, plan_of(oc_lf_as_published, oc_bp_as_published, 1));
}

extern "C" {
const gb_variant oc_burtscher_pingali_as_published = {
    "burtscher-pingali-as-published",
    "Algorithm 1 line by line: an occupied slot is locked, divided until the bodies part, "
    "unlocked; "
    "a barrier of the block in every turn",
    "Burtscher and Pingali 2011; OctreeBuild-LF, Algorithm 1",
    0,
    oc_one_body,
    prepare_bp,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "bodies that coincide share a leaf, where the text divides for ever; the barrier also tells "
    "the block when its last body is in; launch, order of the bodies and where cells come from "
    "are not said, and as in octreebuild-lf-as-published",
    NULL,
};
const gb_variant oc_octreebuild_lf_as_published = {
    "octreebuild-lf-as-published",
    "the slides step by step: each thread holds a node, swaps it in for the body that it meets, "
    "preallocates another and tries again",
    "OctreeBuild-LF",
    0,
    oc_one_body,
    prepare_lf,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "bodies that coincide share a leaf, where the text divides for ever; a fence stands before "
    "each swap of a node; launch, order of the bodies and where cells come from are not said, and "
    "as in burtscher-pingali-as-published",
    NULL,
};
}
