/* A point's data over the ranks, and what a variant leaves on each of them. */
#ifndef GB_OCTREE_MULTI_PARTS_CUH
#define GB_OCTREE_MULTI_PARTS_CUH

#include "common/comm/comm.h"
#include "kernels/octree-multi/octree_multi.h"
#include "kernels/octree-multi/types.cuh"

/* A point's data: what a gb_problem is here. (kernels/octree has another struct of that name, of
 * which the checker makes one a rank.) */
typedef struct om_problem {
    om_shape shape;
    uint64_t seed;
    oc_box box; /* of all bodies */
    gb_comm *comm;
    void *bodies[GB_MOST_RANKS]; /* of each local rank: its share, float4 */
    struct om_checker *checker;
} om_problem;

static inline om_problem *om_problem_of(const gb_job *job)
{
    return reinterpret_cast<om_problem *>(job->problem);
}

/* Bodies that rank r has at first. */
static inline uint64_t om_share(const om_problem *p, unsigned r)
{
    return om_share_begin(&p->shape, r + 1) - om_share_begin(&p->shape, r);
}

/* What a run has left on a rank; device memory of that rank. */
typedef struct om_part {
    const void *bodies; /* float4, n of them: those of its range of the curve, in any order */
    uint64_t n;         /* how many came; more than there is room for: the run has failed */
    oc_view tree;       /* over these bodies, from its own root on */
    const om_top *top;  /* NULL: there is no other rank, the tree is the whole one */
} om_part;

/* What the state of every job begins with. */
typedef struct om_state {
    /* Fills *part of the i-th local rank after a run that has ended; that rank's device is the
     * current one. */
    gb_status (*part)(gb_job *job, unsigned i, om_part *part);
    /* Fills what a run may write with garbage. */
    gb_status (*poison)(gb_job *job, gb_stream stream);
} om_state;

/* Frees the checker's memory, of all ranks. */
void om_checker_close(om_problem *problem);

#endif
