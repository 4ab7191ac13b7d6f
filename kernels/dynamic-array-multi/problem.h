/* A point's data on its ranks, and how every variant leaves its arrays. */
#ifndef GB_DYNAMIC_ARRAY_MULTI_PROBLEM_H
#define GB_DYNAMIC_ARRAY_MULTI_PROBLEM_H

#include "common/comm/comm.h"
#include "kernels/dynamic-array-multi/directory.cuh"
#include "kernels/dynamic-array-multi/multi.h"
#include "kernels/dynamic-array/growable/host.cuh"
#include "kernels/dynamic-array/values.h"

/* What a local rank has. */
typedef struct dm_rank {
    uint64_t begin, n; /* its share of the input */
    uint64_t kept;     /* of these are pushed */
    uint32_t *in;      /* device memory of it: n elements and 16 bytes of slack, all 0 */
} dm_rank;

/* gb_problem of this primitive (dm_problem_of). */
typedef struct dm_problem {
    dm_shape shape;
    da_values values;
    gb_comm *comm;
    dm_rank *ranks;             /* [comm->locals] */
    uint64_t granule;           /* bytes, a power of two */
    gb_window seen;             /* check.cu's: a bit an element that is kept */
    void *found[GB_MOST_RANKS]; /* check.cu's: what a local rank's kernels find */
} dm_problem;

static inline dm_problem *dm_problem_of(const gb_job *job)
{
    return reinterpret_cast<dm_problem *>(job->problem);
}

/* The state of every job: the arrays. */
typedef struct dm_state {
    gb_comm *comm;   /* whose streams do the work: the problem's, or one that speaks by NCCL */
    bool own_comm;   /* it is not the problem's */
    bool funnel;     /* rank 0's array has all */
    gb_window arena; /* memory of the arrays, of a whole number of granules; */
    uint64_t arena_bytes[GB_MOST_RANKS];   /* of local rank i */
    gb_growable_pool *pool[GB_MOST_RANKS]; /* of local rank i; NULL in a funnel, */
    gb_growable *array[GB_MOST_RANKS];
    gb_window sizes;           /* ... where rank r's array is its arena and this number */
    gb_window told;            /* of every rank: what all have told (dm_told), then begins */
    uint64_t stride;           /* bytes of a dm_told */
    unsigned granules;         /* that one tells at most */
    void *mine[GB_MOST_RANKS]; /* a dm_told of local rank i, where it does not write into windows */
} dm_state;

static inline dm_state *dm_state_of(const gb_job *job)
{
    return static_cast<dm_state *>(job->state);
}

/* Elements of a granule, as a power of two. */
static inline unsigned dm_granule_log2(const dm_problem *p)
{
    return gb_growable_log2(p->granule / sizeof(uint32_t));
}

/* The copy of the directory that a rank has. */
static inline dm_directory dm_directory_of(const dm_problem *p, const dm_state *state,
                                           unsigned rank)
{
    const unsigned char *told = state->told.at[rank];
    dm_directory d;
    d.told = told;
    d.stride = state->stride;
    d.begins = reinterpret_cast<const uint64_t *>(told + state->stride * p->comm->size);
    d.size = p->comm->size;
    d.granule_log2 = dm_granule_log2(p);
    d.arena = state->arena;
    return d;
}

/* How what ranks tell gets to the others. */
typedef enum dm_way { DM_BY_WINDOWS, DM_BY_NCCL } dm_way;

/* arrays.cu. Makes the arrays and job->state. needs: bits of gb_comm_needs. */
gb_status dm_arrays_open(gb_job *job, unsigned needs, bool funnel);
void dm_arrays_close(gb_job *job);
/* gb_variant.reset: all arrays are empty. */
gb_status dm_arrays_reset(gb_job *job, gb_stream stream);
/* Queues, between fork and join of state->comm: what every rank has pushed so far becomes known to
 * all, each of which has a directory then. */
gb_status dm_queue_directory(gb_job *job, dm_way way);

#endif
