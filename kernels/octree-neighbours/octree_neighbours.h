/* Neighbours by an octree: of every body the k nearest others, or all others within a radius. What
 * the files of this folder share with plain C. Bodies, cells, distributions and builds are those of
 * kernels/octree. */
#ifndef GB_OCTREE_NEIGHBOURS_H
#define GB_OCTREE_NEIGHBOURS_H

#include "common/gpubench.h"
#include "kernels/octree/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { NN_N, NN_DIST, NN_LEAF, NN_POOL, NN_FIND, NN_K, NN_STAGE, NN_AXES };

typedef enum nn_find { NN_NEAREST, NN_WITHIN } nn_find;

/* What is timed; what comes before is done once, before the first run. */
typedef enum nn_stage { NN_BUILD, NN_QUERIES, NN_BOTH } nn_stage;

/* A point of the experiment in C types. */
typedef struct nn_shape {
    oc_shape bodies;
    nn_find find;
    nn_stage stage;
    unsigned k; /* 1 to NN_MOST */
} nn_shape;

enum { NN_MOST = 32 };

nn_shape nn_shape_of(const gb_params *params);
/* The point as kernels/octree has it. */
gb_params nn_tree_params(const gb_params *params);

/* axes.c */
extern const gb_axis nn_axes[NN_AXES];
const char *nn_invalid(const gb_params *params);
const char *nn_mistake(const gb_params *params);
gb_work nn_work(const gb_params *params);

/* problem.cu */
gb_status nn_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void nn_close(struct gb_problem *problem);
gb_status nn_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status nn_check(gb_job *job, gb_stream stream);

extern const gb_variant nn_direct;
extern const gb_variant nn_grid;
extern const gb_variant nn_morton;

#ifdef __cplusplus
}
#endif
#endif
