/* What the CUDA files of this folder share: a point's data, what a job leaves, and sums. */
#ifndef GB_OCTREE_NBODY_NBODY_CUH
#define GB_OCTREE_NBODY_NBODY_CUH

#include "common/cuda/grid.cuh"
#include "kernels/octree-nbody/octree_nbody.h"

#include <math.h>

/* A point's data. */
typedef struct nb_problem {
    nb_shape shape;
    gb_problem *tree; /* the bodies and their cube, as kernels/octree has them */
    float eps2;       /* the softening's square */
} nb_problem;

static inline nb_problem *nb_problem_of(const gb_job *job)
{
    return reinterpret_cast<nb_problem *>(job->problem);
}

/* When a cell may be taken for a point at its centre of mass, which is so far from a body:
 * NB_FROM_CENTRE  farther than edge / theta and the way from the middle of the cell to the centre
 *                 (Barnes 1995): a body is never inside of what it takes for a point
 * NB_PLAIN        farther than edge / theta (Barnes and Hut 1986) */
typedef enum nb_rule { NB_FROM_CENTRE, NB_PLAIN } nb_rule;

/* Of every cell of a tree. Device memory. */
typedef struct nb_sums {
    float4 *sum;     /* centre of mass; w: mass */
    float *reach2;   /* the square of the distance beyond which it is a point */
    unsigned *count; /* bodies; NULL: not asked for */
} nb_sums;

/* What a job's last run has left, or what it had begun with; the run has ended. */
typedef struct nb_view {
    bool has_tree;
    oc_view tree;
    nb_rule rule;
    nb_sums sums;        /* sum: NULL where stage build is all */
    const float4 *force; /* n: x, y, z, w: potential; NULL before stage force */
} nb_view;

/* What the state of every job begins with. */
typedef struct nb_state {
    gb_status (*view)(gb_job *job, nb_view *view);
    /* Fills what a run of the job's stage writes with garbage. */
    gb_status (*poison)(gb_job *job, gb_stream stream);
} nb_state;

/* How a variant queues each of its stages. */
typedef struct nb_stages {
    gb_status (*build)(const gb_job *job, cudaStream_t stream, gb_error *error);
    gb_status (*sums)(const gb_job *job, cudaStream_t stream, gb_error *error);
    gb_status (*force)(const gb_job *job, cudaStream_t stream, gb_error *error);
} nb_stages;

/* problem.cu: queues what the job's stage is, for run; and what comes before, which is then waited
 * for, for prepare. */
gb_status nb_queue(gb_job *job, const nb_stages *stages, gb_stream stream);
gb_status nb_queue_before(gb_job *job, const nb_stages *stages);

/* Whether a run of this point does that. */
static inline bool nb_does(const nb_shape *shape, nb_stage what)
{
    return shape->stage == what || shape->stage == NB_STEP;
}

/* Whether a job of this point needs it, in a run or before. */
static inline bool nb_needs(const nb_shape *shape, nb_stage what)
{
    return shape->stage >= what;
}

/* By how much a cell's edge is multiplied: 1 / theta, or infinity. */
static inline float nb_by_theta(const nb_shape *shape)
{
    return shape->theta > 0 ? (float)(1.0 / shape->theta) : INFINITY;
}

/* The middle of a coordinate of the cell of that depth. */
static __device__ __forceinline__ float nb_middle(uint32_t place, int depth, float lowest,
                                                  float scale)
{
    const int shift = OC_DEPTH - depth;
    const uint32_t corner = place >> shift << shift;
    return lowest + ((float)corner + 0.5f * (float)(1u << shift)) / scale;
}

/* From which distance on a cell is a point; its square. by_theta: 1 / theta, or infinity. */
static __device__ __forceinline__ float nb_reach2(const oc_box &box, oc_place place, int depth,
                                                  float4 sum, float by_theta, nb_rule rule)
{
    const float edge = (float)(1u << (OC_DEPTH - depth)) / box.scale;
    float reach = edge * by_theta;
    if (rule == NB_FROM_CENTRE) {
        const float dx = sum.x - nb_middle(place.x, depth, box.x, box.scale);
        const float dy = sum.y - nb_middle(place.y, depth, box.y, box.scale);
        const float dz = sum.z - nb_middle(place.z, depth, box.z, box.scale);
        reach += sqrtf(dx * dx + dy * dy + dz * dz);
    }
    return reach * reach;
}

/* The pull of a mass at `at` (its w) on a body at `x`, added to force: 19 operations (13
 * instructions) and a root. */
static __device__ __forceinline__ void nb_pull(float4 at, float3 x, float eps2, float4 *force)
{
    const float dx = at.x - x.x, dy = at.y - x.y, dz = at.z - x.z;
    const float r = rsqrtf(dx * dx + dy * dy + dz * dz + eps2);
    const float potential = at.w * r, pull = potential * r * r;
    force->x += pull * dx;
    force->y += pull * dy;
    force->z += pull * dz;
    force->w -= potential;
}

static __device__ __forceinline__ void nb_add(float4 *to, float4 from)
{
    to->x += from.x;
    to->y += from.y;
    to->z += from.z;
    to->w += from.w;
}

/* Takes out of a body's potential what the body itself was counted with. */
static __device__ __forceinline__ float4 nb_without_itself(float4 force, float mass, float eps2)
{
    force.w += mass * rsqrtf(eps2);
    return force;
}

#endif
