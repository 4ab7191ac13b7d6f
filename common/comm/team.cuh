/* Ranks of several processes: the team that this process is of, and what passes between its
 * members beneath the calls of comm.h. On GPUs NCCL carries it, and windows are CUDA's IPC where
 * all members are on one host (team_nccl.cu); on simt members are processes of one host, and memory
 * that they share carries all (team_shared.cu). */
#ifndef GB_COMM_TEAM_CUH
#define GB_COMM_TEAM_CUH

#include "common/comm/comm.h"
#include "common/comm/nccl.h"

typedef struct gb_carried gb_carried; /* team_nccl.cu's or team_shared.cu's own */

/* The first `size` ranks of the team, of which this process is one; made when they first work
 * together, and kept for the life of the process. All of them make every call of it, in the same
 * order. */
typedef struct gb_group {
    unsigned rank, size;
    uint64_t epoch; /* barriers so far */
    gb_carried *carried;
    gb_nccl_comm nccl; /* NULL on simt */
} gb_group;

/* ---- team.cu --------------------------------------------------------------------------------- */

/* Members of the team; 0: this process is of none. */
unsigned gb_team_size();
/* As gb_comm_refusal, of two and more ranks of a team. */
const char *gb_team_refusal(uint64_t ranks, unsigned needs);
/* The group of the first so many ranks, 2 and more. */
gb_status gb_team_group(unsigned size, gb_group **out, gb_error *error);
/* All have the failure that one of them has: of several the one of the lowest rank. Waits for all.
 */
gb_status gb_group_agree(gb_group *group, gb_status own, gb_error *error);
/* How long a member waits for the others (GPUBENCH_TEAM_LIMIT_S): for what each of them does by
 * itself between two meetings, and for those that are dead. */
double gb_team_limit_s();

/* ---- what carries it ---------------------------------------------------------------------------
 */

enum { GB_MOST_GATHERED = 256 };

gb_status gb_carry_id(char *id, size_t capacity, gb_error *error);
/* Joins the group's ranks; rank and size are set, the rest is 0. */
gb_status gb_carry_group(gb_group *group, const char *id, gb_error *error);
/* all[r * bytes]: what rank r has in own. The host waits. bytes: GB_MOST_GATHERED at most. */
gb_status gb_carry_gather(gb_group *group, const void *own, size_t bytes, void *all,
                          gb_error *error);
/* Once, with the group of all ranks: finds out who reaches whose memory. reached: a bit for each
 * rank whose memory this one reaches. *same_host: whether all are on one. */
gb_status gb_carry_reach(gb_group *all, uint64_t *reached, bool *same_host, gb_error *error);
/* Queued on a stream of this rank's device: goes on when all ranks that are at most `away` ranks
 * away have come to it. flags: whether all ranks of the group reach each other. */
gb_status gb_carry_barrier(gb_group *group, bool flags, cudaStream_t stream, unsigned away,
                           gb_error *error);
/* window->at of all ranks; empty after a failure, which all have. */
gb_status gb_carry_window(gb_group *group, uint64_t bytes, const char *what, gb_window *window,
                          gb_error *error);
void gb_carry_close_window(gb_group *group, gb_window *window);
/* gb_comm_all_to_all where NCCL is not what carries it: simt. */
gb_status gb_carry_exchange(gb_group *group, const gb_piece *send, const gb_piece *receive,
                            gb_error *error);

/* gb_comm_barrier of ranks that are processes. */
gb_status gb_group_barrier(gb_group *group, cudaStream_t stream, unsigned away, gb_error *error);

#endif
