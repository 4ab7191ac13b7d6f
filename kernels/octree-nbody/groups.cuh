/* The force on all bodies: neighbours go through the tree together, a warp for a group of them
 * (Barnes 1990, "A modified tree code: don't laugh, it runs"). A cell is opened if that is
 * necessary for any point of the group's box. So no lane waits for another's way, what all take for
 * points is a list, and that is read by all lanes at once.
 *
 * A group lies in a cell of NB_CROWD bodies or fewer below one that has more: neighbours on the
 * curve alone may lie as far apart as the bodies do, and then all cells between would be opened for
 * them. Such a cell has its bodies side by side on the curve, which is cut after every NB_GROUP.
 *
 * The warp looks at the slots of four cells at a time (a sector each), as the stack has them. A
 * cell that is far enough goes on the list, one that is not on the stack; bodies of leaves go on
 * the list. Whenever it is full, each lane adds up its pull on the lane's own bodies (Bedorf,
 * Gaburov, Portegies Zwart 2012 have such lists as well, and go through the tree level by level).
 */
#ifndef GB_OCTREE_NBODY_GROUPS_CUH
#define GB_OCTREE_NBODY_GROUPS_CUH

#include "kernels/octree-nbody/sums.cuh"

enum {
    NB_CROWD = 512,
    NB_ITEMS = 2, /* bodies of a lane, at most */
    NB_GROUP = NB_ITEMS * GB_WARP,
    NB_GROUP_THREADS = 128,
    NB_GROUP_BLOCKS = 8,             /* a multiprocessor */
    NB_AT_ONCE = GB_WARP / OC_SLOTS, /* cells looked at together */
    /* Four cells leave the stack before 32 may come, and that goes 24 levels down. */
    NB_STACK = OC_DEPTH * (GB_WARP - NB_AT_ONCE) + GB_WARP,
    NB_LIST = 128
};

/* A warp's part of the block's shared memory. */
typedef struct nb_walk {
    float4 list[NB_LIST]; /* points; w: mass */
    uint32_t stack[NB_STACK];
} nb_walk;

/* Where bodies are. */
typedef struct nb_box {
    float3 low, high;
} nb_box;

/* The box around the lanes' ITEMS bodies. */
template <int ITEMS> static __device__ __forceinline__ nb_box nb_box_of(const float3 (&body)[ITEMS])
{
    float3 low = body[0], high = body[0];
#pragma unroll
    for (int i = 1; i < ITEMS; i++) {
        low =
            make_float3(fminf(low.x, body[i].x), fminf(low.y, body[i].y), fminf(low.z, body[i].z));
        high = make_float3(fmaxf(high.x, body[i].x), fmaxf(high.y, body[i].y),
                           fmaxf(high.z, body[i].z));
    }
    nb_box box;
    box.low = make_float3(gb_warp_min(low.x), gb_warp_min(low.y), gb_warp_min(low.z));
    box.high = make_float3(-gb_warp_min(-high.x), -gb_warp_min(-high.y), -gb_warp_min(-high.z));
    return box;
}

/* The square of the distance of a point from a box; 0: it is inside. */
static __device__ __forceinline__ float nb_distance2(const nb_box &box, float4 at)
{
    const float dx = fmaxf(fmaxf(box.low.x - at.x, at.x - box.high.x), 0.0f);
    const float dy = fmaxf(fmaxf(box.low.y - at.y, at.y - box.high.y), 0.0f);
    const float dz = fmaxf(fmaxf(box.low.z - at.z, at.z - box.high.z), 0.0f);
    return dx * dx + dy * dy + dz * dz;
}

/* Adds the pull of the list's first `count` points; the list is then free. */
template <int ITEMS>
static __device__ __forceinline__ void nb_add_list(const nb_walk &walk, unsigned count, float eps2,
                                                   const float3 (&body)[ITEMS],
                                                   float4 (&force)[ITEMS])
{
    __syncwarp();
    float4 sum[ITEMS]; /* of this list alone: fewer bits are lost than if each went to all */
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        sum[i] = make_float4(0, 0, 0, 0);
    for (unsigned k = 0; k < count; k++) {
        const float4 at = walk.list[k];
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            nb_pull(at, body[i], eps2, &sum[i]);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        nb_add(&force[i], sum[i]);
    __syncwarp();
}

/* The lanes with a point put it on the list, behind `count`. */
static __device__ __forceinline__ unsigned nb_put(nb_walk &walk, unsigned count, bool has,
                                                  float4 at)
{
    const unsigned lanes = __ballot_sync(GB_FULL_MASK, has);
    if (has) walk.list[count + (unsigned)__popc(lanes & gb_lanes_below())] = at;
    return count + (unsigned)__popc(lanes);
}

/* Goes through the tree for a group. */
template <int ITEMS>
static __device__ __forceinline__ void
nb_walk_tree(const nb_tree &t, const nb_ranges &leaves, const nb_sums &sums, float eps2,
             nb_walk &walk, const float3 (&body)[ITEMS], float4 (&force)[ITEMS])
{
    const nb_box box = nb_box_of(body);
    const unsigned lane = gb_lane();
    unsigned height = 1, count = 0;
    if (lane == 0) walk.stack[0] = 0;
    __syncwarp();
    while (height) {
        const unsigned cells = height < NB_AT_ONCE ? height : (unsigned)NB_AT_ONCE;
        const unsigned which = lane / OC_SLOTS;
        uint32_t holds = OC_EMPTY;
        if (which < cells)
            holds = t.slot[(uint64_t)walk.stack[height - 1 - which] * OC_SLOTS + lane % OC_SLOTS];
        __syncwarp(); /* read before it is written over */
        height -= cells;
        const bool is_cell = oc_is_cell(holds), is_leaf = oc_is_leaf(holds);
        const uint32_t cell = holds & ~OC_CELL;
        float4 sum = make_float4(0, 0, 0, 0);
        bool far = false;
        if (is_cell) {
            sum = sums.sum[cell];
            far = nb_distance2(box, sum) > sums.reach2[cell];
        }
        const unsigned near = __ballot_sync(GB_FULL_MASK, is_cell && !far);
        if (is_cell && !far) walk.stack[height + (unsigned)__popc(near & gb_lanes_below())] = cell;
        height += (unsigned)__popc(near);
        count = nb_put(walk, count, far, sum);
        uint32_t place = is_leaf ? holds : 0;
        const uint32_t end = is_leaf ? oc_range_end(leaves.first, t.n, holds) : 0;
        for (;;) {
            if (count > NB_LIST - GB_WARP) {
                nb_add_list(walk, count, eps2, body, force);
                count = 0;
            }
            const bool more = place < end;
            if (!__any_sync(GB_FULL_MASK, more)) break;
            count = nb_put(walk, count, more, more ? leaves.sorted[place] : sum);
            place++;
        }
        __syncwarp();
    }
    nb_add_list(walk, count, eps2, body, force);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Bodies that lie side by side on the curve. */
typedef struct nb_group {
    uint32_t first, bodies;
} nb_group;

typedef struct nb_group_words {
    unsigned groups;
    unsigned taken;
} nb_group_words;

/* Device memory. */
typedef struct nb_groups {
    nb_group *group; /* n */
    nb_group_words *words;
} nb_groups;

/* The first body in a cell. */
static __device__ __forceinline__ uint32_t nb_first_of(const nb_tree &t, uint32_t holds)
{
    for (int depth = 0; oc_is_cell(holds) && depth < OC_DEPTH; depth++) {
        uint32_t slot[OC_SLOTS], below = OC_EMPTY;
        nb_load_slots(t, holds & ~OC_CELL, slot);
#pragma unroll
        for (int d = OC_SLOTS - 1; d >= 0; d--)
            if (slot[d] != OC_EMPTY) below = slot[d];
        holds = below;
    }
    return holds;
}

/* Cuts so many bodies from `first` on into groups. */
static __device__ __forceinline__ void nb_cut(const nb_groups &g, uint32_t first, uint32_t bodies)
{
    unsigned at = atomicAdd(&g.words->groups, (bodies + NB_GROUP - 1) / NB_GROUP);
    for (uint32_t from = 0; from < bodies; from += NB_GROUP) {
        const uint32_t rest = bodies - from;
        g.group[at++] = nb_group{first + from, rest < NB_GROUP ? rest : (uint32_t)NB_GROUP};
    }
}

/* A thread a cell. A cell that is not in the tree has no more than a leaf's bodies. */
static __global__ void nb_find_groups(nb_tree t, nb_ranges leaves, nb_sums sums, nb_groups g)
{
    const uint32_t cells = nb_cells_of(t);
    for (uint64_t c = gb_first(); c < cells; c += gb_stride()) {
        const unsigned bodies = sums.count[c];
        if (c == 0 && bodies && bodies <= NB_CROWD) nb_cut(g, 0, bodies);
        if (bodies <= NB_CROWD) continue;
        for (unsigned d = 0; d < OC_SLOTS; d++) {
            const uint32_t holds = t.slot[c * OC_SLOTS + d];
            if (oc_is_leaf(holds)) {
                nb_cut(g, holds, oc_range_end(leaves.first, t.n, holds) - holds);
            } else if (oc_is_cell(holds)) {
                const unsigned below = sums.count[holds & ~OC_CELL];
                if (below <= NB_CROWD) nb_cut(g, nb_first_of(t, holds), below);
            }
        }
    }
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* The forces on a group of 32 * ITEMS bodies, at most. force: n, at the bodies' numbers. */
template <int ITEMS>
static __device__ __forceinline__ void nb_force_of_group(const nb_tree &t, const nb_ranges &leaves,
                                                         const nb_sums &sums, float eps2,
                                                         nb_group group, nb_walk &walk, float4 *out)
{
    float3 body[ITEMS];
    float4 force[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        /* lanes without a body do as the last one does, and write nothing */
        const uint32_t k = (unsigned)i * GB_WARP + gb_lane();
        const float4 at = leaves.sorted[group.first + (k < group.bodies ? k : group.bodies - 1)];
        body[i] = make_float3(at.x, at.y, at.z);
        force[i] = make_float4(0, 0, 0, 0);
    }
    nb_walk_tree(t, leaves, sums, eps2, walk, body, force);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t k = (unsigned)i * GB_WARP + gb_lane(), p = group.first + k;
        if (k < group.bodies)
            out[t.order[p]] = nb_without_itself(force[i], leaves.sorted[p].w, eps2);
    }
}

/* A warp a group at a time, until none is left. */
static __global__ void __launch_bounds__(NB_GROUP_THREADS)
    nb_force_of_groups(nb_tree t, nb_ranges leaves, nb_sums sums, float eps2, nb_groups g,
                       float4 *out)
{
    __shared__ nb_walk walks[NB_GROUP_THREADS / GB_WARP];
    nb_walk &walk = walks[threadIdx.x / GB_WARP];
    for (;;) {
        unsigned k = 0;
        if (gb_lane() == 0) k = atomicAdd(&g.words->taken, 1u);
        k = __shfl_sync(GB_FULL_MASK, k, 0);
        if (k >= g.words->groups) return;
        const nb_group group = g.group[k];
        if (group.bodies <= GB_WARP)
            nb_force_of_group<1>(t, leaves, sums, eps2, group, walk, out);
        else
            nb_force_of_group<NB_ITEMS>(t, leaves, sums, eps2, group, walk, out);
    }
}

#endif
