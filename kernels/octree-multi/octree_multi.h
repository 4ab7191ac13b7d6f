/* The octree over several GPUs: bodies that lie over the ranks go to ranges of Morton's curve, each
 * rank builds the tree of its range, and the cells above that ranks share, the top, are made alike
 * on every rank. What the files of this folder share with plain C.
 *
 * Bodies, cells, distributions and the tree of one rank are those of kernels/octree. */
#ifndef GB_OCTREE_MULTI_H
#define GB_OCTREE_MULTI_H

#include "common/comm/ranks.h"
#include "common/gpubench.h"
#include "kernels/octree/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { OM_GPUS, OM_N, OM_DIST, OM_LEAF, OM_POOL, OM_ROOM, OM_SCALING, OM_SHARE, OM_AXES };

/* A point of the experiment in C types. */
typedef struct om_shape {
    unsigned gpus;
    bool uneven;     /* how bodies lie over the ranks at first */
    oc_shape bodies; /* those of all ranks together; pool: cells of one rank's tree */
    uint64_t room;   /* bodies that a rank has memory for after they have moved */
} om_shape;

om_shape om_shape_of(const gb_params *params);
/* Where the bodies begin that rank r has at first; r up to the number of ranks. */
uint64_t om_share_begin(const om_shape *shape, unsigned r);

/* axes.c */
extern const gb_axis om_axes[OM_AXES];
const char *om_invalid(const gb_params *params);
const char *om_mistake(const gb_params *params);
gb_work om_work(const gb_params *params);

/* problem.cu */
gb_status om_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void om_close(struct gb_problem *problem);
gb_status om_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status om_check(gb_job *job, gb_stream stream);

extern const gb_variant om_single;
extern const gb_variant om_nccl;
extern const gb_variant om_peers;

#ifdef __cplusplus
}
#endif
#endif
