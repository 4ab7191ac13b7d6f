/* Octrees of bodies that moved a little: the tree of where they were is there, that of where they
 * are is wanted. What the files of this folder share with plain C. Bodies, cells, distributions and
 * builds from scratch are those of kernels/octree.
 *
 * The cube is one for both: it is around all that the bodies ever are. */
#ifndef GB_OCTREE_UPDATE_H
#define GB_OCTREE_UPDATE_H

#include "common/gpubench.h"
#include "kernels/octree/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { OU_N, OU_DIST, OU_LEAF, OU_POOL, OU_MOVED, OU_AXES };

/* A point of the experiment in C types. */
typedef struct ou_shape {
    oc_shape bodies;
    double moved; /* how far a body moves at most along each axis, in edges of the cells that so
                     many bodies would have if they filled the cube evenly */
} ou_shape;

ou_shape ou_shape_of(const gb_params *params);
/* The point as kernels/octree has it. */
gb_params ou_tree_params(const gb_params *params);

/* axes.c */
extern const gb_axis ou_axes[OU_AXES];
const char *ou_invalid(const gb_params *params);
gb_work ou_work(const gb_params *params);

/* problem.cu */
gb_status ou_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void ou_close(struct gb_problem *problem);
gb_status ou_poison(gb_job *job, gb_stream stream);
gb_status ou_check(gb_job *job, gb_stream stream);
extern const gb_dump ou_dumps[];

/* scratch.cu */
extern const gb_variant ou_morton;
extern const gb_variant ou_octreebuild_lf_tuned;
extern const gb_variant ou_burtscher_pingali_tuned;
/* update.cu */
extern const gb_variant ou_update;

#ifdef __cplusplus
}
#endif
#endif
