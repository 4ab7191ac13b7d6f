/* A dynamic array over several GPUs: each pushes the elements of its share that pass a test onto an
 * array of its own, and one index goes over all of them. What the C files and the kernels of this
 * folder share. */
#ifndef GB_DYNAMIC_ARRAY_MULTI_H
#define GB_DYNAMIC_ARRAY_MULTI_H

#include "common/comm/ranks.h"
#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { DM_GPUS, DM_N, DM_KEEP, DM_DIST, DM_GRANULE, DM_SHARE, DM_SCALING, DM_AXES };

/* Elements are 32-bit numbers, each another one. */
#define DM_MOST_ELEMENTS ((uint64_t)4000000000)

/* A point of the experiment in C types. */
typedef struct dm_shape {
    unsigned gpus;    /* ranks */
    uint64_t n;       /* elements looked at, by all ranks together */
    uint64_t kept;    /* of these are pushed */
    uint64_t granule; /* bytes that an array takes at a time; 0: its default */
    bool sorted;      /* those that are pushed come first */
    bool uneven;      /* how the input lies over the ranks (gb_share_begin) */
} dm_shape;

dm_shape dm_shape_of(const gb_params *params);

/* problem.cu. A gb_problem is a dm_problem (problem.h) here. */
gb_status dm_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void dm_close(struct gb_problem *problem);
/* arrays.cu */
gb_status dm_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status dm_check(gb_job *job, gb_stream stream);

extern const gb_variant dm_single, dm_peers, dm_nccl, dm_funnel;

#ifdef __cplusplus
}
#endif
#endif
