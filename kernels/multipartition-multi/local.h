/* A partition on one rank alone, by the library: all of a variant's work, or a part of it. */
#ifndef GB_MULTIPARTITION_MULTI_LOCAL_H
#define GB_MULTIPARTITION_MULTI_LOCAL_H

#include "kernels/multipartition-multi/problem.h"
#include "kernels/multipartition/partition/partition.h"

/* What is the fastest of the library's unstable methods for so many elements, and its scratch. */
typedef struct mpm_local {
    mp_request request; /* its sizes and method; n at most as large as it was opened with */
    void *scratch;      /* device memory of the rank */
    bool ran;           /* whether there is something that mpm_redone can ask about */
} mpm_local;

/* Of elements in an order and in another: the arrays that a partition reads or writes. */
typedef struct mpm_arrays {
    void *keys;
    uint32_t *payload; /* NULL where there is none */
} mpm_arrays;

/* What the state of every variant begins with: the local partitions that it has, for mpm_redone.
 * Those of local rank i are parts[i * each], parts[i * each + 1], ... */
typedef struct mpm_state {
    mpm_local *parts;
    unsigned each;
} mpm_state;

/* Why the library cannot be asked at all; NULL: it can. */
const char *mpm_local_refusal(void);

/* A state of so many bytes, which begins with an mpm_state, with `each` local partitions a rank. It
 * becomes job->state. */
gb_status mpm_state_open(gb_job *job, size_t bytes, unsigned each);
/* Frees all local partitions, and the state. */
void mpm_state_close(gb_job *job);

/* Chooses how local rank i of comm partitions n elements, and allocates for it. */
gb_status mpm_local_open(gb_job *job, gb_comm *comm, unsigned i, uint64_t n, mpm_local *local);
/* Queues the partition of n elements on the rank's stream; offsets: bins + 1. The rank is entered.
 */
gb_status mpm_local_queue(const gb_comm *comm, unsigned i, mpm_local *local, const mpm_arrays *in,
                          const mpm_arrays *out, uint64_t n, uint64_t *offsets, gb_error *error);

#endif
