/* The inside of the simt device, shared by its source files; kernels never see it. */
#ifndef GB_SIMT_RUNTIME_H
#define GB_SIMT_RUNTIME_H

#include "common/simt/fiber.h"
#include "common/simt/sanitizers.h"
#include "common/simt/simt.h"

#include <atomic>
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

    fiber home; /* the OS thread's own stack */
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

    sem_t baton; /* deterministic mode: the right to run */
    bool in_turn;

    char *image; /* the caller's thread-local storage while it works, as far as it was saved */
    unsigned char *saved; /* by chunk */
    bool search;          /* after the block, for shared memory that it has changed */
    uint64_t start_order, end_order, barrier_order[2]; /* see warp.order */
};

enum { max_workers = 256 };
/* Worker 0 is whoever calls launch(); the others are made when they are first needed. */
extern worker *workers[max_workers];

/* The runtime is entered and left: a signal switches threads only outside. */
static inline void enter()
{
    here.inside = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
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

/* ---- environment.cpp, errors.cpp ------------------------------------------------------------- */

/* Remembers code as the last error, with a text for cudaGetErrorString; returns code. */
cudaError_t set_error(cudaError_t code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The error that the environment caused, or success. */
cudaError_t check_environment();

/* ---- policies.cpp ---------------------------------------------------------------------------- */

/* A number below n: one stream in deterministic mode, else one a block. */
unsigned random_below(worker *w, unsigned n);
uint64_t mix(uint64_t x);
void seed_turns(uint64_t seed);
/* All threads of the block are ready. */
void start_ready(worker *w);
void make_ready(worker *w, task *t);
/* The same for lanes of one warp that have completed an operation. */
void make_warp_ready(worker *w, task *lanes, unsigned among);
/* Takes the one that goes on; there must be one. */
task *take_ready(worker *w);
/* The calling thread may be left at a point with this chance in 1/1024: whether it is, with its
 * priority changed where that is how the policy goes about it. */
bool draw_preemption(worker *w, unsigned chance);
/* The calling thread waits for others by polling. */
void lower_priority(worker *w);
/* A distance in points, drawn at every scale up to 2^bits alike. */
unsigned draw_distance(worker *w, unsigned bits);
/* The block's threads have spun for a while: somebody else has to run. */
bool is_spinning();

/* ---- scheduler.cpp --------------------------------------------------------------------------- */

/* Leaves the calling thread, which waits or is ready, and goes on with a ready one. */
void switch_away(worker *w);
/* Makes the calling thread ready and lets others go first. */
void yield_turn(worker *w);
/* Deterministic mode: gives the right to run to some worker in turn. */
void pass_baton(worker *w, bool leaving);
/* Deterministic mode: a point where that may happen, and does at some of them. */
void maybe_pass_baton(worker *w);
/* Once the turns are seeded. */
void seed_baton(worker *w);
/* Runs block number `number` of w's job to its end, or until the job fails. */
void run_block(worker *w, unsigned number);

/* ---- collectives.cpp ------------------------------------------------------------------------- */

/* The calling thread has ended: what waited for it alone can go on. */
void release_without(worker *w, task *ended);

/* ---- report.cpp ------------------------------------------------------------------------------ */

/* The launch has failed, unless it had already: what happened is its report. In a block that is
 * running or has just ended; of the grid as a whole. */
void report_block(worker *w, cudaError_t code, const char *what);
void report_grid(job *j, cudaError_t code, const char *what);
/* Reports what happened and abandons the block. */
[[noreturn]] void fail(cudaError_t code, const char *what);
/* Fails because some other block has, or because time is up. */
[[noreturn]] void fail_halted(int halt);

static inline void check_halt(worker *w)
{
    const int halt = w->job->halt.load(std::memory_order_relaxed);
    if (__builtin_expect(halt != 0, 0)) fail_halted(halt);
}

/* ---- poison.cpp ------------------------------------------------------------------------------ */

/* What is known of a kernel from all its launches; NULL: no memory for that. */
footprint *find_footprint(kernel_address kernel);
/* Before a block: fills its shared memory with garbage. After it: learns what it has changed. */
void poison_shared(worker *w);
void search_shared(worker *w);
/* The calling thread's own thread-local storage is kept before it is filled, and brought back.
 * False: no memory for that. */
bool save_locals(worker *w);
void restore_locals(worker *w);

/* ---- memory.cpp ------------------------------------------------------------------------------ */

/* Whether something was written into the red zones around allocations since the last call, and what
 * it was. */
bool find_damage(char *text, size_t capacity);

/* ---- signals.cpp ----------------------------------------------------------------------------- */

struct signal_stack;
/* Makes bad addresses in kernels on this OS thread failures of the launch. */
signal_stack *catch_signals();
void release_signals(signal_stack *stack);
/* Watches all busy workers from now on. */
void start_watchdog();
/* Puts a new worker into workers[]. */
void add_worker(worker *w);
/* Ends the job, NULL: none, when it makes no progress for config.timeout_s. */
void watch_job(job *j);

/* ---- device.cpp ------------------------------------------------------------------------------ */

unsigned worker_count();
/* Dynamic shared memory that a block of the kernel may have. */
size_t shared_limit(kernel_address kernel);
size_t shared_optin();
} // namespace simt

#endif
