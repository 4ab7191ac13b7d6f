/* The octree in a step of an n-body code: bodies are built into a tree, every cell gets the sums of
 * its bodies, and every body the force of all others by Barnes and Hut's opening angle (1986, "A
 * hierarchical O(N log N) force-calculation algorithm"). What the files of this folder share with
 * plain C.
 *
 * Bodies, cells, distributions and builds are those of kernels/octree. Every body has the mass 1,
 * and the gravitational constant is 1. The force on body i is of Plummer's softened kind, sum over
 * j of (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2), and its potential
 * - sum over j != i of 1 / (|x_j - x_i|^2 + eps^2)^(1/2); eps is a fiftieth of the mean distance
 * that n bodies would have if they filled their cube. */
#ifndef GB_OCTREE_NBODY_H
#define GB_OCTREE_NBODY_H

#include "common/gpubench.h"
#include "kernels/octree/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { NB_N, NB_DIST, NB_LEAF, NB_POOL, NB_THETA, NB_STAGE, NB_AXES };

/* What is timed; what comes before is done once, before the first run. */
typedef enum nb_stage {
    NB_BUILD,
    NB_SUMS,
    NB_FORCE,
    NB_STEP /* all three */
} nb_stage;

/* A point of the experiment in C types. */
typedef struct nb_shape {
    oc_shape bodies;
    nb_stage stage;
    double theta; /* of a cell's edge by its distance: below it a cell is taken for a point; 0: none
                     is */
} nb_shape;

nb_shape nb_shape_of(const gb_params *params);
/* The point as kernels/octree has it. */
gb_params nb_tree_params(const gb_params *params);

/* axes.c */
extern const gb_axis nb_axes[NB_AXES];
const char *nb_invalid(const gb_params *params);
const char *nb_mistake(const gb_params *params);
gb_work nb_work(const gb_params *params);

/* problem.cu */
gb_status nb_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void nb_close(struct gb_problem *problem);
gb_status nb_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status nb_check(gb_job *job, gb_stream stream);
extern const gb_dump nb_dumps[];

extern const gb_variant nb_direct;
extern const gb_variant nb_burtscher_pingali;
extern const gb_variant nb_morton;

#ifdef __cplusplus
}
#endif
#endif
