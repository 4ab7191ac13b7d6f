/* Queries of neighbours on the curve go through the tree together, a warp for 32 of them, depth
 * first: into a cell if any of them has to look there. Eight lanes look at the cells below one by
 * their boxes, of which the place of the cell on the grid is kept on the way; then each lane by its
 * own query. Who asks for the nearest has met the neighbours on the curve before, so that it looks
 * no further than their distance, and does not meet them again. */
#ifndef GB_OCTREE_NEIGHBOURS_WALK_CUH
#define GB_OCTREE_NEIGHBOURS_WALK_CUH

#include "common/cuda/warp.cuh"
#include "kernels/octree-neighbours/neighbours.cuh"
#include "kernels/octree/ranges.cuh"

enum {
    NN_WALK_THREADS = 128,
    /* of the curve before and behind the 32 queries of a warp, for the nearest */
    NN_BEFORE = 16
};

/* A tree on the device, and its bodies. */
typedef struct nn_tree {
    const uint32_t *slot, *order, *first;
    const unsigned *trouble;
    const float4 *sorted; /* n: in curve order; w: the body's number */
    uint32_t n;
    oc_box box;
    float slack; /* by how much a body may seem to be outside of its cell */
} nn_tree;

/* Bodies in the order of the curve, with their numbers. */
static __global__ void nn_gather(nn_tree t, const float4 *bodies, float4 *sorted)
{
    if (*t.trouble) return;
    for (uint64_t p = gb_first(); p < t.n; p += gb_stride())
        sorted[p] = nn_numbered(bodies[t.order[p]], t.order[p]);
}

/* A cell on the way down, and the slots of it that are still to be looked at. */
typedef struct nn_level {
    uint32_t cell;
    unsigned left; /* a bit a slot */
} nn_level;

/* A cell's place on the grid of OC_DEPTH bits. */
typedef struct nn_corner {
    uint32_t x, y, z;
} nn_corner;

typedef struct nn_cube {
    float3 low, high;
} nn_cube;

static __device__ __forceinline__ nn_cube nn_around(float4 at)
{
    nn_cube cube;
    cube.low = make_float3(gb_warp_min(at.x), gb_warp_min(at.y), gb_warp_min(at.z));
    cube.high = make_float3(-gb_warp_min(-at.x), -gb_warp_min(-at.y), -gb_warp_min(-at.z));
    return cube;
}

/* The cell in octant d of one that is at that depth and corner. */
static __device__ __forceinline__ nn_corner nn_below(nn_corner corner, int depth, unsigned d)
{
    const int shift = OC_DEPTH - 1 - depth;
    corner.x |= (d >> 2) << shift;
    corner.y |= (d >> 1 & 1u) << shift;
    corner.z |= (d & 1u) << shift;
    return corner;
}

static __device__ __forceinline__ nn_corner nn_above(nn_corner corner, int depth)
{
    const uint32_t kept = ~((1u << (OC_DEPTH - depth)) - 1u);
    corner.x &= kept;
    corner.y &= kept;
    corner.z &= kept;
    return corner;
}

static __device__ __forceinline__ nn_cube nn_cube_of(const nn_tree &t, nn_corner corner, int depth)
{
    const float edge = (float)(1u << (OC_DEPTH - depth)) / t.box.scale + 2 * t.slack;
    nn_cube cube;
    cube.low = make_float3(t.box.x + (float)corner.x / t.box.scale - t.slack,
                           t.box.y + (float)corner.y / t.box.scale - t.slack,
                           t.box.z + (float)corner.z / t.box.scale - t.slack);
    cube.high = make_float3(cube.low.x + edge, cube.low.y + edge, cube.low.z + edge);
    return cube;
}

/* How far apart two intervals are. */
static __device__ __forceinline__ float nn_gap(float low_a, float high_a, float low_b, float high_b)
{
    return fmaxf(fmaxf(low_a - high_b, low_b - high_a), 0.0f);
}

static __device__ __forceinline__ float nn_apart2(const nn_cube &a, const nn_cube &b)
{
    const float dx = nn_gap(a.low.x, a.high.x, b.low.x, b.high.x);
    const float dy = nn_gap(a.low.y, a.high.y, b.low.y, b.high.y);
    const float dz = nn_gap(a.low.z, a.high.z, b.low.z, b.high.z);
    return dx * dx + dy * dy + dz * dz;
}

/* Of the slots of a cell those that any query may have to look at. */
static __device__ __forceinline__ unsigned nn_to_look_at(const nn_tree &t, uint32_t cell,
                                                         nn_corner corner, int depth,
                                                         const nn_cube &around, float bound)
{
    const unsigned d = gb_lane() % OC_SLOTS;
    const uint32_t holds = t.slot[(uint64_t)cell * OC_SLOTS + d];
    const nn_cube cube = nn_cube_of(t, nn_below(corner, depth, d), depth + 1);
    const float most = -gb_warp_min(-bound);
    const bool near = holds != OC_EMPTY && nn_apart2(cube, around) <= most;
    return __ballot_sync(GB_FULL_MASK, near) & 0xFFu;
}

/* A lane's query at `at`; bodies at places [from, to) were met. ok: it is one. */
template <class Query>
static __device__ __forceinline__ void nn_walk(const nn_tree &t, nn_level *stack, Query &query,
                                               float4 at, bool ok, uint32_t from, uint32_t to)
{
    const nn_cube around = nn_around(at),
                  own = {make_float3(at.x, at.y, at.z), make_float3(at.x, at.y, at.z)};
    nn_corner corner = {0, 0, 0};
    uint32_t cell = 0;
    int depth = 0;
    unsigned left = nn_to_look_at(t, 0, corner, 0, around, ok ? query.bound() : -1.0f);
    for (;;) {
        if (!left) {
            if (--depth < 0) return;
            __syncwarp();
            cell = stack[depth].cell;
            left = stack[depth].left;
            corner = nn_above(corner, depth);
            continue;
        }
        const unsigned d = (unsigned)__ffs((int)left) - 1;
        left &= left - 1;
        const nn_corner below = nn_below(corner, depth, d);
        const float bound = ok ? query.bound() : -1.0f;
        if (!__any_sync(GB_FULL_MASK, nn_apart2(nn_cube_of(t, below, depth + 1), own) <= bound))
            continue;
        const uint32_t holds = t.slot[(uint64_t)cell * OC_SLOTS + d];
        if (oc_is_leaf(holds)) {
            const uint32_t end = oc_range_end(t.first, t.n, holds);
            for (uint32_t p = holds; p < end; p++) {
                if (p >= from && p < to) continue;
                const float4 body = t.sorted[p];
                if (ok && __float_as_uint(body.w) != __float_as_uint(at.w))
                    query.meet(nn_distance2(body, at), __float_as_uint(body.w));
            }
            continue;
        }
        __syncwarp();
        if (gb_lane() == 0) {
            stack[depth].cell = cell;
            stack[depth].left = left;
        }
        cell = holds & ~OC_CELL;
        corner = below;
        depth++;
        left = nn_to_look_at(t, cell, corner, depth, around, bound);
    }
}

/* Query: as in neighbours.cuh, with what it makes of Found. */
template <class Query, class Found>
static __global__ void __launch_bounds__(NN_WALK_THREADS)
    nn_ask(nn_tree t, float radius, unsigned k, unsigned before, Found found)
{
    __shared__ nn_level stacks[NN_WALK_THREADS / GB_WARP][OC_DEPTH];
    GB_DYNAMIC_SHARED();
    const uint64_t p = gb_first(), first = p - gb_lane();
    if (first >= t.n || *t.trouble) return;
    const bool ok = p < t.n; /* lanes without a body are where the last one is */
    const float4 at = t.sorted[ok ? p : t.n - 1];
    const uint32_t from = first > before ? (uint32_t)first - before : 0;
    const uint32_t to = first + GB_WARP + before < t.n ? (uint32_t)first + GB_WARP + before : t.n;
    Query query;
    query.begin(radius, k, gb_shared_memory, found, __float_as_uint(at.w));
    if (before)
        for (uint32_t q = from; q < to; q++) {
            const float4 body = t.sorted[q];
            if (ok && q != p) query.meet(nn_distance2(body, at), __float_as_uint(body.w));
        }
    nn_walk(t, stacks[threadIdx.x / GB_WARP], query, at, ok, before ? from : 0, before ? to : 0);
    if (ok) query.end(__float_as_uint(at.w), found);
}

/* By how much coordinates are off that were cut and are told again, in the box. */
static inline float nn_slack_of(oc_box box)
{
    const float side = (float)(1u << OC_DEPTH) / box.scale;
    const float far = fmaxf(fabsf(box.x), fmaxf(fabsf(box.y), fabsf(box.z))) + side;
    return 4 / box.scale + 3e-7f * far;
}

#endif
