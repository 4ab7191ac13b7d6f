/* The steps that variants of several ranks are made of, each queued for one local rank, `i`, on its
 * stream; the rank's device is the current one afterwards. Nothing waits. */
#ifndef GB_OCTREE_MULTI_STEPS_H
#define GB_OCTREE_MULTI_STEPS_H

#include "kernels/octree-multi/parts.cuh"
#include "kernels/octree/morton/builder.h"

/* NULL if the steps can run a point on devices of this make, else the reason. */
const char *om_refusal(const gb_params *params, const gb_device *device, unsigned needs);

/* trees: codes that each rank's tree wants of the sample; 0: none. */
om_sampling om_sampling_of(const om_problem *p, unsigned trees);

/* What the steps' kernels need of a device, once. */
gb_status om_allow_steps(gb_comm *comm, unsigned i, gb_error *error);

/* The rank's sample, to the lists and the draws that are there. */
gb_status om_queue_sample(const om_problem *p, gb_comm *comm, unsigned i, const om_sampling *s,
                          const om_lists *lists, const om_lists *draws, gb_error *error);
/* Of all ranks' lists, OM_LIST codes each, the borders: bounds, of OM_BORDERS_BYTES. */
gb_status om_queue_borders(gb_comm *comm, unsigned i, const om_code *lists, const om_sampling *s,
                           om_bounds *bounds, gb_error *error);
/* counts[size]: how many of the rank's bodies each rank will own. */
gb_status om_queue_count(const om_problem *p, gb_comm *comm, unsigned i, const om_bounds *bounds,
                         unsigned *counts, gb_error *error);
/* begin[size]: the sum of all counts before. */
gb_status om_queue_begin(gb_comm *comm, unsigned i, const unsigned *counts, unsigned *begin,
                         gb_error *error);
/* The rank's bodies, to their owners; beside: room is left for a block of the trees' sample. */
gb_status om_queue_move(const om_problem *p, gb_comm *comm, unsigned i, const om_bounds *bounds,
                        const om_targets *targets, uint64_t room, bool beside, gb_error *error);
/* On another stream of the rank, what a builder that foresees its bodies may do before they are
 * there: the tree of the sample, from all ranks' draws, OM_DRAWN codes each. */
gb_status om_queue_early(const om_problem *p, gb_comm *comm, unsigned i, mo_builder *builder,
                         const void *bodies, const unsigned *told, const om_sampling *s,
                         const om_code *draws, const om_bounds *bounds, cudaStream_t stream,
                         gb_error *error);
/* The tree over the bodies that have come, n; or, of a builder that has been early, as many as
 * `told` says, n at most. */
gb_status om_queue_build(const om_problem *p, gb_comm *comm, unsigned i, mo_builder *builder,
                         const void *bodies, uint64_t n, const unsigned *told, gb_error *error);
/* What the tree over these bodies has on the borders' paths, to all ears. */
gb_status om_queue_tell(const om_problem *p, gb_comm *comm, unsigned i, const mo_builder *builder,
                        const void *bodies, uint64_t n, const unsigned *told,
                        const om_bounds *bounds, const om_ears *ears, gb_error *error);
/* The top, of what the ranks have told: told[size]. */
gb_status om_queue_top(const om_problem *p, gb_comm *comm, unsigned i, const om_bounds *bounds,
                       const om_told *told, om_top *top, gb_error *error);

#endif
