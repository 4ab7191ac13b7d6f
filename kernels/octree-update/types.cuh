/* What the CUDA files of this folder share. */
#ifndef GB_OCTREE_UPDATE_TYPES_CUH
#define GB_OCTREE_UPDATE_TYPES_CUH

#include "common/cuda/grid.cuh"
#include "kernels/octree-update/octree_update.h"

/* A point's data. */
typedef struct ou_problem {
    ou_shape shape;
    /* The bodies where they are, and the cube around them there and where they were, as
     * kernels/octree has them. */
    gb_problem *tree;
    float step; /* how far they moved at most, as a length */
} ou_problem;

static inline ou_problem *ou_problem_of(const gb_job *job)
{
    return reinterpret_cast<ou_problem *>(job->problem);
}

/* What the state of every job points to. */
typedef struct ou_state {
    gb_status (*view)(gb_job *job, oc_view *view);
    gb_status (*poison)(gb_job *job, gb_stream stream);
    /* Of a job that has run: bodies that left their slots, and cells that were taken out and put
     * in. NULL: it builds from scratch. */
    gb_status (*counts)(gb_job *job, uint64_t counts[3]);
} ou_state;

/* Bodies make two steps: the tree that is updated is one that was updated before. */
typedef enum ou_when { OU_BEFORE, OU_OLD, OU_NOW } ou_when;

/* problem.cu: the bodies where they were then; queued. */
gb_status ou_make(const ou_problem *p, ou_when when, const gb_device *device, float4 *bodies,
                  cudaStream_t stream, gb_error *error);

#endif
