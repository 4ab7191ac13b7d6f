/* What the files of common/comm share of a gb_comm. */
#ifndef GB_COMM_STATE_CUH
#define GB_COMM_STATE_CUH

#include "common/comm/comm.h"
#include "common/comm/team.cuh"
#include "common/worker/crew.h"

/* Numbers that a reduction by copies may have, and the scratch it takes of each rank. */
enum { GB_MOST_REDUCED = 1024 };

struct gb_comm_state {
    int devices[GB_MOST_RANKS];
    cudaStream_t own[GB_MOST_RANKS]; /* a rank's stream where it is not the worker's */
    cudaEvent_t reached[GB_MOST_RANKS];
    unsigned char *scratch[GB_MOST_RANKS]; /* size * GB_MOST_REDUCED * 8 bytes */
    gb_nccl_comm *nccl;                    /* NULL: was not asked for, or simt */
    gb_group *group;                       /* of ranks that are processes; NULL: all are here */
    gb_crew *crew;                         /* NULL: was not asked for, one rank is here, or simt */
};

/* Whether a call that may go by NCCL does. What passes between processes all goes by it. */
static inline bool gb_comm_by_nccl(const gb_comm *comm, gb_carrier carrier)
{
    return (carrier == GB_BY_NCCL || comm->state->group) && comm->state->nccl;
}

#endif
