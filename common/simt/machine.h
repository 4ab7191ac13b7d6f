/* What kernels see of the machine: who they are, and the points where the scheduler may act. */
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
extern __thread context here;

/* In the order of gb_policy (common/schedule.h). */
enum policy { round_robin, random_order, unfair, by_priority };

/* The environment, see simt.h. Tests set it between launches. */
struct configuration {
    unsigned workers;
    simt::policy policy;
    uint64_t seed;
    unsigned preempt_atomic, preempt_volatile, preempt_plain;
    unsigned resident;
    unsigned timeout_s;
    bool poison;
    uint64_t memory;
    uint64_t spin_limit; /* operations without progress that count as a live-lock where one block
                            runs at a time */
    bool explored;       /* the settings are one of many that a program goes through */
};
extern configuration config;

/* Makes the next launches those of a fresh process with SIMT_SEED=seed. */
void reseed(uint64_t seed);
/* Whether kernels are left at plain and volatile accesses, too: a hooks build. */
extern const bool hooked;

/* Sums over all launches. */
struct statistics {
    uint64_t launches, blocks, switches, preemptions;
};
extern statistics totals;

/* The place of an operation: default arguments that the caller's line fills in. */
#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* Runtime entry points; see scheduler.cpp and collectives.cpp. */
void at_atomic(const char *file, int line);
void at_pause(const char *file, int line);
void at_access(unsigned chance, const char *file, int line);
[[noreturn]] void at_trap(const char *file, int line);

/* Before an atomic operation: other threads may come first. */
SIMT_UNSEEN void before_atomic(const char *file, int line)
{
    if (__builtin_expect(--here.budget < 0, 0)) at_atomic(file, line);
}

/* After one: a loop of atomics that change nothing is a spinning thread. */
SIMT_UNSEEN void after_atomic(bool changed)
{
    if (changed) here.idle = 0;
}
} // namespace simt

#define threadIdx (::simt::here.thread->index)
#define blockIdx (::simt::here.block->index)
#define blockDim (::simt::here.block->dim)
#define gridDim (::simt::here.block->grid)
constexpr int warpSize = simt::warp_size;

#endif
