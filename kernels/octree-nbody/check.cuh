/* The checker's kernels: sums are those of the bodies that a walk from the root counts into each
 * cell, in whole numbers; forces are near those of a walk by each body for itself, and, of some, as
 * near those of all pairs as that walk comes. Nothing is shared with the variants. */
#ifndef GB_OCTREE_NBODY_CHECK_CUH
#define GB_OCTREE_NBODY_CHECK_CUH

#include "kernels/octree-nbody/nbody.cuh"

static const unsigned long long NOWHERE = ~0ull;

/* What can be wrong, in the order in which it is reported. */
enum nb_defect {
    MASS,      /* the cell's mass is not that of its bodies */
    CENTRE,    /* nor its centre of mass */
    REACH,     /* nor how near it is a point */
    PULL,      /* the force on the body is too far from that of its own walk */
    POTENTIAL, /* its potential is */
    DEFECTS
};

/* The first of each kind: a cell or a body; NOWHERE: there is none. */
typedef struct nb_findings {
    unsigned long long at[DEFECTS];
} nb_findings;

/* The bodies that walks have counted into a cell; a whole number of the cut's units is exact. */
typedef struct nb_counted {
    unsigned long long bodies, x, y, z;
    unsigned depth, unused;
} nb_counted;

/* A view whose arrays lie on the device. */
typedef struct nb_judged {
    const float4 *bodies;
    uint64_t n, cells;
    oc_box box;
    float eps2, by_theta, theta2;
    const uint32_t *slot, *next, *order, *first;
    nb_rule rule;
    nb_sums sums;
    const float4 *force;
    nb_counted *counts;
    nb_findings *found;
} nb_judged;

static __device__ void note(const nb_judged &t, nb_defect kind, uint64_t at)
{
    atomicMin(&t.found->at[kind], (unsigned long long)at);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static __global__ void count_into_cells(nb_judged t)
{
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride()) {
        const float4 b = t.bodies[i];
        const oc_place place = oc_place_at(t.box, b.x, b.y, b.z);
        uint32_t value = OC_CELL;
        for (int depth = 0; oc_is_cell(value) && depth < OC_DEPTH; depth++) {
            const uint32_t cell = value & ~OC_CELL;
            nb_counted *c = &t.counts[cell];
            atomicAdd(&c->bodies, 1ull);
            atomicAdd(&c->x, (unsigned long long)place.x);
            atomicAdd(&c->y, (unsigned long long)place.y);
            atomicAdd(&c->z, (unsigned long long)place.z);
            (void)atomicExch(&c->depth, (unsigned)depth);
            value = t.slot[(uint64_t)cell * OC_SLOTS + oc_digit(place, depth)];
        }
    }
}

/* A coordinate from the mean of places; half a unit is what the cut takes away. */
static __device__ double mean_of(unsigned long long sum, unsigned long long count, float lowest,
                                 float scale)
{
    return (double)lowest + ((double)sum / (double)count + 0.5) / (double)scale;
}

static __device__ bool is_near(double is, double should, double by)
{
    return fabs(is - should) <= by; /* what is no number is not */
}

/* By how much a coordinate may be off: what the cut took away, and the last bits of floats. */
static __device__ double slack_of(const oc_box &box, float lowest)
{
    const double side = (double)(1u << OC_DEPTH) / (double)box.scale;
    return 0.55 / (double)box.scale + 1e-6 * (fabs((double)lowest) + side);
}

/* The middle of the cell of that depth in which bodies with this mean are. */
static __device__ double middle_of(unsigned long long mean, unsigned depth, float lowest,
                                   float scale)
{
    const double edge = ldexp(1.0, OC_DEPTH - (int)depth);
    return (double)lowest + (floor((double)mean / edge) + 0.5) * edge / (double)scale;
}

/* How far a body is, at least, for which a cell with this centre of mass is a point. */
static __device__ double reach_of(const nb_judged &t, const nb_counted *is, double x, double y,
                                  double z)
{
    const double edge = ldexp(1.0, OC_DEPTH - (int)is->depth) / (double)t.box.scale;
    const double dx = x - middle_of(is->x / is->bodies, is->depth, t.box.x, t.box.scale);
    const double dy = y - middle_of(is->y / is->bodies, is->depth, t.box.y, t.box.scale);
    const double dz = z - middle_of(is->z / is->bodies, is->depth, t.box.z, t.box.scale);
    const double off = t.rule == NB_FROM_CENTRE ? sqrt(dx * dx + dy * dy + dz * dz) : 0.0;
    return edge * (double)t.by_theta + off;
}

static __global__ void judge_sums(nb_judged t)
{
    for (uint64_t c = gb_first(); c < t.cells; c += gb_stride()) {
        const nb_counted *is = &t.counts[c];
        if (is->bodies == 0) continue;
        const float4 sum = t.sums.sum[c];
        const double mass = (double)is->bodies;
        if (!is_near((double)sum.w, mass, 1e-5 * mass)) note(t, MASS, c);
        const double x = mean_of(is->x, is->bodies, t.box.x, t.box.scale);
        const double y = mean_of(is->y, is->bodies, t.box.y, t.box.scale);
        const double z = mean_of(is->z, is->bodies, t.box.z, t.box.scale);
        if (!is_near((double)sum.x, x, slack_of(t.box, t.box.x)) ||
            !is_near((double)sum.y, y, slack_of(t.box, t.box.y)) ||
            !is_near((double)sum.z, z, slack_of(t.box, t.box.z)))
            note(t, CENTRE, c);
        const double reach = reach_of(t, is, x, y, z);
        const double found = sqrt((double)t.sums.reach2[c]);
        const double slack = slack_of(t.box, t.box.x) + slack_of(t.box, t.box.y) +
                             slack_of(t.box, t.box.z) + 1e-5 * reach;
        if (isinf(reach) ? !isinf(found) : !is_near(found, reach, slack)) note(t, REACH, c);
    }
}

/* ---- a walk by one body ---------------------------------------------------------------------- */

/* Force, potential, and the sum of the pulls' lengths. */
typedef struct nb_pulled {
    double x, y, z, potential, lengths;
} nb_pulled;

static __device__ void pull(float4 at, float4 body, float eps2, nb_pulled *sum)
{
    const double dx = (double)at.x - (double)body.x, dy = (double)at.y - (double)body.y,
                 dz = (double)at.z - (double)body.z;
    const double r2 = dx * dx + dy * dy + dz * dz;
    const double r = 1.0 / sqrt(r2 + (double)eps2), by = (double)at.w * r * r * r;
    sum->x += by * dx;
    sum->y += by * dy;
    sum->z += by * dz;
    sum->potential -= (double)at.w * r;
    sum->lengths += by * sqrt(r2);
}

static __device__ void pull_by_leaf(const nb_judged &t, uint32_t leaf, float4 body, nb_pulled *sum)
{
    if (t.next) {
        for (uint32_t b = leaf; b != OC_EMPTY; b = t.next[b])
            pull(t.bodies[b], body, t.eps2, sum);
        return;
    }
    do {
        pull(t.bodies[t.order[leaf++]], body, t.eps2, sum);
    } while (leaf < t.n && !(t.first[leaf / 32] >> leaf % 32 & 1u));
}

static __device__ bool is_point(const nb_judged &t, uint32_t cell, float4 body)
{
    const float4 sum = t.sums.sum[cell];
    const float dx = sum.x - body.x, dy = sum.y - body.y, dz = sum.z - body.z;
    return dx * dx + dy * dy + dz * dz > t.sums.reach2[cell];
}

static __device__ nb_pulled walk_alone(const nb_judged &t, float4 body)
{
    uint32_t stack[OC_DEPTH * (OC_SLOTS - 1) + 1];
    unsigned height = 1;
    nb_pulled sum = {0, 0, 0, 0, 0};
    stack[0] = 0;
    while (height) {
        const uint32_t cell = stack[--height];
        for (int d = 0; d < OC_SLOTS; d++) {
            const uint32_t holds = t.slot[(uint64_t)cell * OC_SLOTS + (unsigned)d];
            if (oc_is_leaf(holds))
                pull_by_leaf(t, holds, body, &sum);
            else if (oc_is_cell(holds) && is_point(t, holds & ~OC_CELL, body))
                pull(t.sums.sum[holds & ~OC_CELL], body, t.eps2, &sum);
            else if (oc_is_cell(holds))
                stack[height++] = holds & ~OC_CELL;
        }
    }
    sum.potential += (double)body.w / sqrt((double)t.eps2);
    return sum;
}

/* A cell of edge s at the distance d > s / theta pulls as its bodies do but for 3/2 of the square
 * of what they lie apart by d, theta's square about; both walks are off by so much of all pulls. */
static __global__ void judge_forces(nb_judged t)
{
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride()) {
        const uint32_t b = t.order ? t.order[i] : (uint32_t)i;
        const float4 body = t.bodies[b], is = t.force[b];
        const nb_pulled by = walk_alone(t, body);
        const double dx = (double)is.x - by.x, dy = (double)is.y - by.y, dz = (double)is.z - by.z;
        const double most = 2 * (double)t.theta2 + 2e-5;
        if (!(sqrt(dx * dx + dy * dy + dz * dz) <= most * by.lengths)) note(t, PULL, b);
        if (!is_near((double)is.w, by.potential, (most + 3e-5) * fabs(by.potential)))
            note(t, POTENTIAL, b);
    }
}

/* ---- some bodies, by all pairs --------------------------------------------------------------- */

enum { PAIR_THREADS = 256 };

/* A body that is looked at closely. */
typedef struct nb_sample {
    uint32_t body, unused;
    nb_pulled pairs; /* by all pairs */
    nb_pulled alone; /* by a walk of its own; that of all pairs where there is no tree */
    float4 is;       /* what the job says */
} nb_sample;

static __device__ double block_sum(double value, double *shared)
{
    shared[threadIdx.x] = value;
    for (unsigned half = PAIR_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    __syncthreads();
    const double sum = shared[0];
    __syncthreads();
    return sum;
}

/* A block a body. */
static __global__ void __launch_bounds__(PAIR_THREADS)
    look_closely(nb_judged t, nb_sample *samples, bool has_tree)
{
    __shared__ double shared[PAIR_THREADS];
    nb_sample *s = &samples[blockIdx.x];
    const float4 body = t.bodies[s->body];
    nb_pulled mine = {0, 0, 0, 0, 0}, sum;
    for (uint64_t i = threadIdx.x; i < t.n; i += PAIR_THREADS)
        pull(t.bodies[i], body, t.eps2, &mine);
    sum.x = block_sum(mine.x, shared);
    sum.y = block_sum(mine.y, shared);
    sum.z = block_sum(mine.z, shared);
    sum.potential = block_sum(mine.potential, shared) + (double)body.w / sqrt((double)t.eps2);
    sum.lengths = block_sum(mine.lengths, shared);
    if (threadIdx.x) return;
    s->pairs = sum;
    s->alone = has_tree ? walk_alone(t, body) : sum;
    s->is = t.force[s->body];
}

#endif
