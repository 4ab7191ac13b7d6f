/* NCCL, opened where it lies (nccl.cu). What is declared here is its published C interface as far
 * as it is used; nothing of its header is needed to build. */
#ifndef GB_COMM_NCCL_H
#define GB_COMM_NCCL_H

#include "common/cuda/device.cuh"

typedef struct ncclComm *gb_nccl_comm;

typedef enum gb_nccl_type { GB_NCCL_CHAR = 0, GB_NCCL_U64 = 5, GB_NCCL_F32 = 7 } gb_nccl_type;
typedef enum gb_nccl_op { GB_NCCL_SUM = 0, GB_NCCL_MOST = 2, GB_NCCL_LEAST = 3 } gb_nccl_op;

/* By which processes find each other. */
typedef struct gb_nccl_id {
    char bytes[128];
} gb_nccl_id;

/* Its functions; results are 0 or an error. */
typedef struct gb_nccl {
    int (*version)(int *);
    const char *(*error_string)(int);
    int (*init_all)(gb_nccl_comm *, int, const int *);
    int (*make_id)(gb_nccl_id *);
    int (*init_rank)(gb_nccl_comm *, int, gb_nccl_id, int);
    int (*destroy)(gb_nccl_comm);
    int (*abort)(gb_nccl_comm);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *, size_t, gb_nccl_type, int, gb_nccl_comm, cudaStream_t);
    int (*receive)(void *, size_t, gb_nccl_type, int, gb_nccl_comm, cudaStream_t);
    int (*all_gather)(const void *, void *, size_t, gb_nccl_type, gb_nccl_comm, cudaStream_t);
    int (*all_reduce)(const void *, void *, size_t, gb_nccl_type, gb_nccl_op, gb_nccl_comm,
                      cudaStream_t);
} gb_nccl;

/* NULL where it is not there; then *why says so, a sentence that lives on. */
const gb_nccl *gb_nccl_get(const char **why);

/* One communicator a device, made once for these devices and kept for the life of the process:
 * making them takes a second. GB_CRASHED and *error if NCCL fails. */
gb_status gb_nccl_open(const int *devices, unsigned count, gb_nccl_comm **out, gb_error *error);

/* A result as a status; what: what was done. */
gb_status gb_nccl_status(int result, const char *what, gb_error *error);

#endif
