/* What kernels see of the machine: who they are, and their block's shared memory. */
#ifndef GB_SIMT_MACHINE_H
#define GB_SIMT_MACHINE_H

#include "common/simt/types.h"

namespace simt
{
enum { warp_size = 32, max_threads = 1024 };

/* A CUDA thread, as it sees itself. */
struct thread {
    uint3 index;     /* threadIdx */
    unsigned linear; /* its number in the block; lane = linear % 32, as CUDA counts */
    unsigned lane;
};

struct block {
    uint3 index; /* blockIdx */
    dim3 dim, grid;
};

/* What the lanes of a warp do together. */
enum warp_operation : uint8_t {
    op_sync,
    op_lockstep,
    op_shuffle,
    op_ballot,
    op_all,
    op_any,
    op_match_any,
    op_match_all,
    op_add,
    op_min_unsigned,
    op_max_unsigned,
    op_min_signed,
    op_max_signed,
    op_and,
    op_or,
    op_xor
};

/* What each thread learns at a barrier: how many came, and how many of them with a true predicate.
 */
struct barrier_result {
    unsigned arrived, true_count;
};

typedef void (*kernel_address)();

struct task;
struct worker;

/* What an OS thread is doing. One variable, so that the runtime can keep it while it fills all
 * other thread-local storage with garbage. */
struct context {
    simt::thread *thread; /* NULL outside kernels */
    simt::block *block;
    simt::worker *worker;
    int budget;          /* atomic operations until the scheduler is asked; 0: ask every time */
    unsigned idle;       /* operations since memory last changed or a thread ended */
    volatile int inside; /* in the runtime: a signal must not switch threads */
};
extern __thread context here; /* runtime.cpp */

/* Whether kernels are left at plain and volatile accesses, too: see hooks.cpp. */
#if defined(GB_SIMT_HOOKS)
constexpr bool hooked = true;
#else
constexpr bool hooked = false;
#endif

/* The place of an operation: default arguments that the caller's line fills in. */
#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
} // namespace simt

#define threadIdx (::simt::here.thread->index)
#define blockIdx (::simt::here.block->index)
#define blockDim (::simt::here.block->dim)
#define gridDim (::simt::here.block->grid)
constexpr int warpSize = simt::warp_size;

/* The block's dynamic shared memory (GB_DYNAMIC_SHARED in common/cuda/device.cuh), poison.cpp. */
extern __shared__ __align__(16) unsigned char gb_shared_memory[];

#endif
