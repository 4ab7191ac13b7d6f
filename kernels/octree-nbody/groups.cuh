/* The force on all bodies: neighbours on the curve go through the tree together, a warp for a group
 * of 32 or more (Barnes 1990, "A modified tree code: don't laugh, it runs"). A cell is opened if
 * that is necessary for any point of the group's box. So no lane waits for another's way, what all
 * take for points is a list, and that is read by all lanes at once.
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
    NB_GROUP_THREADS = 128,
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

/* A warp a group of 32 * ITEMS bodies. force: n, at the bodies' numbers. */
template <int ITEMS>
static __global__ void __launch_bounds__(NB_GROUP_THREADS)
    nb_force_of_groups(nb_tree t, nb_ranges leaves, nb_sums sums, float eps2, float4 *out)
{
    __shared__ nb_walk walks[NB_GROUP_THREADS / GB_WARP];
    const uint64_t first =
        ((uint64_t)blockIdx.x * (NB_GROUP_THREADS / GB_WARP) + threadIdx.x / GB_WARP) *
        (GB_WARP * ITEMS);
    if (first >= t.n || *t.trouble) return;
    float3 body[ITEMS];
    float4 force[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        /* lanes without a body do as the last one does, and write nothing */
        const uint64_t p = first + (unsigned)i * GB_WARP + gb_lane();
        const float4 at = leaves.sorted[p < t.n ? p : t.n - 1];
        body[i] = make_float3(at.x, at.y, at.z);
        force[i] = make_float4(0, 0, 0, 0);
    }
    nb_walk_tree(t, leaves, sums, eps2, walks[threadIdx.x / GB_WARP], body, force);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const uint64_t p = first + (unsigned)i * GB_WARP + gb_lane();
        if (p < t.n) out[t.order[p]] = nb_without_itself(force[i], leaves.sorted[p].w, eps2);
    }
}

#endif
