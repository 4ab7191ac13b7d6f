/* Radix sort over several GPUs: keys that lie spread over ranks, alone or each with a payload,
 * become one sorted sequence of which every rank has a run. What the files of this folder share.
 * Keys, their types and fingerprints are radix sort's (kernels/radix-sort/). */
#ifndef GB_RADIX_SORT_MULTI_H
#define GB_RADIX_SORT_MULTI_H

#include "common/comm/ranks.h"
#include "kernels/radix-sort/radix_sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { MS_GPUS, MS_N, MS_KEY, MS_PAYLOAD, MS_DIST, MS_SHARE, MS_SCALING, MS_AXES };

/* A point of the experiment in C types. */
typedef struct ms_shape {
    rs_shape sort; /* n: of all ranks together; all bits of unsigned keys count, ascending */
    unsigned size; /* ranks */
    bool uneven;   /* how the input lies over them (gb_share_begin) */
} ms_shape;

ms_shape ms_shape_of(const gb_params *params);

/* Where rank r's share of the input begins. */
static inline uint64_t ms_begin(const ms_shape *shape, unsigned r)
{
    return gb_share_begin(shape->sort.n, shape->size, r, shape->uneven);
}
static inline uint64_t ms_share(const ms_shape *shape, unsigned r)
{
    return ms_begin(shape, r + 1) - ms_begin(shape, r);
}
/* Elements of an even share, rounded up. */
static inline uint64_t ms_even_share(const ms_shape *shape)
{
    const uint64_t ranks = shape->size ? shape->size : 1; /* it is never 0 */
    return (shape->sort.n + ranks - 1) / ranks;
}

/* Elements that a rank's run may have at most: an eighth more than an even share, and some. */
static inline uint64_t ms_room(const ms_shape *shape)
{
    const uint64_t share = ms_even_share(shape);
    return share + share / 8 + 4096;
}

/* axes.c */
extern const gb_axis ms_axes[MS_AXES];
const char *ms_invalid(const gb_params *params);
const char *ms_mistake(const gb_params *params);
gb_work ms_work(const gb_params *params);

/* problem.cu */
gb_status ms_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error);
void ms_close(gb_problem *problem);
gb_status ms_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status ms_check(gb_job *job, gb_stream stream);
/* by_ranges.cu */
gb_status ms_redone(gb_job *job, bool *redone);

extern const gb_variant ms_single, ms_nccl, ms_nccl_merge, ms_peers, ms_peers_copies;

#ifdef __cplusplus
}
#endif
#endif
