/* Ranks that work together: one a GPU, each with a stream, and what passes between them.
 *
 * A variant is written once for all ways to run it: it walks over the ranks of its process, which
 * are all (`locals` == `size`, `first` == 0) where one process has all GPUs, and one where each has
 * a process of its own. Whatever it queues for a rank goes to that rank's stream, after
 * gb_comm_enter; host code never waits for one rank before it has queued the work of the others.
 *
 *     gb_comm_fork(comm, stream, error);              the ranks go on after what stream has queued
 *     for (unsigned i = 0; i < comm->locals; i++) {
 *         gb_comm_enter(comm, i, error);
 *         launch(kernel, grid, block, 0, comm->local[i].stream, ...);
 *     }
 *     gb_comm_barrier(comm, error);                   all ranks' work so far before all that
 * follows
 *     ...
 *     gb_comm_join(comm, stream, error);              stream goes on after all ranks
 *
 * Two ways to move data: kernels and copies that store straight into another rank's memory, by
 * windows and barriers; or the calls of NCCL. On simt both are copies. There, between fork and
 * join, each rank's work waits in a queue of its own, and the queues are worked off in an order
 * that the schedule's seed draws, as far as events and barriers leave it open: a barrier that is
 * missing gives a wrong answer under some seed.
 *
 * Pointers and counts that a call is given may be forgotten when it returns. */
#ifndef GB_COMM_COMM_H
#define GB_COMM_COMM_H

#include "common/comm/ranks.h"
#include "common/cuda/device.cuh"

/* A rank of this process. */
typedef struct gb_rank {
    unsigned rank;
    cudaStream_t stream; /* of rank 0 between fork and join: the stream that fork was given */
    gb_device device;    /* its make (common/cuda/current_device.cuh), index: the CUDA ordinal */
} gb_rank;

typedef struct gb_comm_state gb_comm_state; /* comm.cu's own */

typedef struct gb_comm {
    unsigned size;          /* ranks in all */
    unsigned first, locals; /* those of this process: first, first + 1, ... */
    gb_rank *local;         /* [locals] */
    gb_comm_state *state;
} gb_comm;

/* The first `size` devices of the set, peers open to each other as far as they can be. `device` is
 * the worker's (gb_job.device), which rank 0 has. *out is NULL after a failure; else the caller
 * closes it, with nothing of its ranks' work under way. GB_UNSUPPORTED where gb_comm_refusal says
 * so. */
gb_status gb_comm_open(const gb_device *device, uint64_t size, unsigned needs, gb_comm **out,
                       gb_error *error);
void gb_comm_close(gb_comm *comm);

/* Makes the device of the i-th local rank the current one. Whoever calls it goes back to local 0
 * before it returns to the worker (gb_comm_join does). */
gb_status gb_comm_enter(const gb_comm *comm, unsigned i, gb_error *error);

/* Calls queue(context, i, error) for every local rank i, whose device is the current one then, and
 * returns when all have been called: one after the other, or, with GB_NEEDS_CREW and on GPUs, each
 * in whichever thread is free, so that the host takes no longer to queue for more ranks. That is
 * for variants that wait for the host (GB_WAITS), whose times have it in them. queue touches what
 * is rank i's alone. Which device is the current one afterwards is open. Of several failures that
 * of the lowest rank. */
typedef gb_status gb_comm_queue(void *context, unsigned i, gb_error *error);
gb_status gb_comm_each(gb_comm *comm, gb_comm_queue *queue, void *context, gb_error *error);

/* The same of what can be called as queue(i, error). */
template <class Queue> gb_status gb_comm_each(gb_comm *comm, gb_error *error, const Queue &queue)
{
    const auto call = [](void *context, unsigned i, gb_error *why) {
        return (*static_cast<const Queue *>(context))(i, why);
    };
    return gb_comm_each(comm, call, const_cast<Queue *>(&queue), error);
}

gb_status gb_comm_fork(gb_comm *comm, gb_stream stream, gb_error *error);
gb_status gb_comm_join(gb_comm *comm, gb_stream stream, gb_error *error);
/* gb_comm_join, whether or not all was queued: the status so far, and *error as it is, if that is a
 * failure. */
gb_status gb_comm_end(gb_comm *comm, gb_stream stream, gb_status status, gb_error *error);
/* After it, on every rank's stream, all that any rank had queued before it has ended and can be
 * seen. Queued, the host does not wait. */
gb_status gb_comm_barrier(gb_comm *comm, gb_error *error);
/* The same of neighbours alone: a rank waits for the ranks one below and one above it. */
gb_status gb_comm_barrier_neighbours(gb_comm *comm, gb_error *error);
/* The host waits for all local ranks; errors of their work surface here. Not between fork and join
 * of a variant that does not wait (GB_WAITS, gb_job.waits). */
gb_status gb_comm_wait(gb_comm *comm, gb_error *error);

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory of the i-th local rank; freed by gb_comm_free. what: a noun, for the message. All of these
 * leave the device of local 0 the current one. */
gb_status gb_comm_malloc(gb_comm *comm, unsigned i, void **out, uint64_t bytes, const char *what,
                         gb_error *error);
void gb_comm_free(gb_comm *comm, unsigned i, void *at);

/* Memory that a rank lends to all: at[r], where this process, and kernels of its ranks, find that
 * of rank r. Every process has one of its own of this struct. */
typedef struct gb_window {
    unsigned char *at[GB_MOST_RANKS];
} gb_window;

/* bytes[i]: what local rank i lends, at least 1. All ranks call it together, with GB_NEEDS_PEERS.
 * *window is empty after a failure; closing an empty one does nothing. */
gb_status gb_comm_window_open(gb_comm *comm, const uint64_t *bytes, const char *what,
                              gb_window *window, gb_error *error);
void gb_comm_window_close(gb_comm *comm, gb_window *window);

/* ---- passing data ---------------------------------------------------------------------------- */

/* What carries data in the calls below. Between processes (common/comm/team.cuh) NCCL carries all
 * of it, since one process cannot copy from what another has and did not lend. */
typedef enum gb_carrier {
    GB_BY_COPIES, /* cudaMemcpyAsync on the receiver's stream; needs GB_NEEDS_PEERS */
    GB_BY_NCCL    /* ncclSend and ncclRecv; needs GB_NEEDS_NCCL */
} gb_carrier;

/* A piece of memory; bytes may be 0. */
typedef struct gb_piece {
    void *at;
    uint64_t bytes;
} gb_piece;

/* Pieces from ranks to ranks, in the order of the ranks' streams: send[i * size + r] is what local
 * rank i sends to rank r, receive[i * size + r] where it takes what r sends it, of as many bytes. A
 * rank may send to itself. What is sent must not be written before the rank's stream is behind it.
 * An exchange with neighbours alone is one where all other pieces are empty. */
gb_status gb_comm_all_to_all(gb_comm *comm, gb_carrier carrier, const gb_piece *send,
                             const gb_piece *receive, gb_error *error);

/* Every rank gets what all have: to[i], size * bytes of local rank i, from[i] of every rank behind
 * each other. */
gb_status gb_comm_all_gather(gb_comm *comm, gb_carrier carrier, const void *const *from,
                             uint64_t bytes, void *const *to, gb_error *error);

typedef enum gb_reduction { GB_SUM, GB_LEAST, GB_MOST } gb_reduction;

/* at[i]: count numbers of local rank i, of which each becomes the sum (least, most) of all ranks'.
 * By copies: for few numbers, such as counts and bounds. */
gb_status gb_comm_all_reduce_u64(gb_comm *comm, gb_carrier carrier, uint64_t *const *at,
                                 uint64_t count, gb_reduction how, gb_error *error);
gb_status gb_comm_all_reduce_f32(gb_comm *comm, gb_carrier carrier, float *const *at,
                                 uint64_t count, gb_reduction how, gb_error *error);

#endif
