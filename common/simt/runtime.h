/* What all layers of the simt device work on: a launch, the OS threads that run it, and the threads
 * of the block that each of them has (runtime.cpp). Kernels never see it. */
#ifndef GB_SIMT_RUNTIME_H
#define GB_SIMT_RUNTIME_H

#include "common/simt/environment.h"
#include "common/simt/errors.h"
#include "common/simt/fiber.h"
#include "common/simt/machine.h"
#include "common/simt/weak.h"

#include <atomic>
#include <pthread.h>
#include <semaphore.h>

namespace simt
{
enum task_state : uint8_t { state_ready, state_running, state_barrier, state_warp, state_ended };

struct warp {
    unsigned waiting; /* lanes at a warp operation */
    unsigned alive;
    uint64_t order; /* its address carries ThreadSanitizer's happens-before */
};

/* A CUDA thread as the scheduler sees it. */
struct task : thread {
    task_state state;
    warp_operation op;
    unsigned mask, source; /* of the warp operation it waits at */
    uint64_t in, out;
    unsigned
        priority;     /* unfair policy: the highest ready one of a warp runs; by priority: of all */
    const char *file; /* where it last was at one of the scheduler's points */
    int line;
    fiber *stack; /* NULL until it starts; a thread that never blocks leaves it to the next */
    simt::warp *home;
};

/* The ready threads of a block by their priority, a number of their own below rank_count. */
enum { rank_count = 4096 };
struct ranking {
    uint64_t words[rank_count / 64],
        summary; /* a bit a ready priority; a bit a word that is not 0 */
    uint16_t task_at[rank_count];
    unsigned lowest; /* that has been given */
};

struct footprint;

/* A launch. */
struct job {
    kernel_address kernel;
    void (*body)(void *);
    void *arguments;
    dim3 grid, block_dim;
    size_t shared_bytes;
    unsigned blocks, threads;
    unsigned workers; /* that may take part */
    uint64_t seed;
    int core;                   /* of all workers in deterministic mode; -1: unknown */
    bool alone;                 /* one block runs at a time: spinning can be counted */
    std::atomic<unsigned> next; /* the first block that nobody has taken */
    std::atomic<int> halt;      /* why the others must stop; 0: go on */
    std::atomic<bool> nudged;   /* the clock has left a thread: no replay is exact */
    cudaError_t error;
    footprint *known; /* shared memory that the kernel is known to change */
};
enum { halt_failed = 1, halt_expired = 2 };

/* An OS thread with the block it runs. */
struct worker {
    unsigned id;
    simt::job *job;
    simt::block block;

    task tasks[max_threads];
    warp warps[max_threads / warp_size];
    dim3 tasks_for = dim3(0, 0, 0);      /* the block shape that tasks[].index are set for */
    unsigned alive;                      /* threads of the block that have not ended */
    unsigned waiting, true_count, phase; /* at the barrier */
    barrier_result released;

    uint16_t ready[max_threads]; /* a ring of task numbers */
    unsigned ready_first, ready_count;
    unsigned streak; /* warp operations since other warps had their turn */
    int quota;       /* atomic operations a thread may do before others get their turn */

    fiber home;            /* the OS thread's own stack */
    void (*fiber_entry)(); /* what its fibers run, which is block.cpp's to know */
    fiber *active;
    fiber fibers[max_threads];
    unsigned made;
    fiber *spare[max_threads];
    unsigned spares;
    bool abandoned; /* the block failed: its fibers must be restarted */

    uint64_t random;
    unsigned priority_changes, lowest_priority; /* unfair policy, what is left for the block */
    ranking ranks;                              /* by priority */
    unsigned until_change;                      /* by priority: points until the next change */

    uint64_t blocks, switches, preemptions;
    /* for the watchdog: pulse changes whenever the scheduler runs, progress when work got done */
    std::atomic<uint64_t> pulse, progress;
    std::atomic<bool> busy;
    uint64_t seen_pulse, seen_cpu_ns; /* its own CPU time when the pulse was seen first */
    pthread_t handle;

    uint64_t seen_job; /* the epoch of the last job that it was offered */
    sem_t baton;       /* deterministic mode: the right to run */
    bool in_turn;

    char *image; /* the caller's thread-local storage while it works, as far as it was saved */
    unsigned char *saved; /* by chunk */
    bool search;          /* after the block, for shared memory that it has changed */
    uint64_t start_order, end_order, barrier_order[2]; /* see warp.order */
};

/* Worker 0 is whoever calls launch(); the others are made when they are first needed. */
extern worker *workers[max_workers];

/* Starts an OS thread that nobody joins; `what` names it in the error. */
cudaError_t start_thread(const char *what, void *(*body)(void *), void *argument);
/* The error of what the host has no memory for. */
cudaError_t lacks_memory(const char *what);

/* The runtime is entered and left: a signal switches threads only outside. */
static inline void enter()
{
    here.inside = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (weak_touched) weak_settle();
}
static inline void leave()
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    here.inside = 0;
}

/* One writer each, so no locked instruction. */
static inline void bump(std::atomic<uint64_t> *counter)
{
    counter->store(counter->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

static inline task *current_task()
{
    return static_cast<task *>(here.thread);
}

/* Leaves the block, and the calling fiber, for the OS thread's own stack. */
static inline void switch_home(worker *w)
{
    fiber *mine = w->active;
    here.thread = NULL;
    w->active = &w->home;
    fiber_switch(mine, &w->home);
}
} // namespace simt

#endif
