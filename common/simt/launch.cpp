/* Launches: checks a grid's shape and spreads its blocks over the calling thread and the pool. */
#include "common/simt/host.h"

#include "common/simt/block.h"
#include "common/simt/device.h"
#include "common/simt/memory.h"
#include "common/simt/poison.h"
#include "common/simt/policies.h"
#include "common/simt/report.h"
#include "common/simt/scheduler.h"
#include "common/simt/signals.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <sched.h>

namespace simt
{
statistics totals;

/* One launch at a time, whichever host thread it comes from. */
static std::mutex launch_mutex;
static uint64_t launches; /* since the last reseed */

/* The hand-over of jobs to the pool. Never destroyed: at exit the pool's threads still wait. */
struct hand_over {
    std::mutex mutex;
    std::condition_variable posted, changed;
    std::atomic<uint64_t> epoch; /* a new job increments it */
    std::atomic<unsigned> joined, sleeping;
    std::atomic<bool> impatient; /* no spinning: in deterministic mode all share a core */
    simt::job *open;             /* NULL: too late to join */
};
static hand_over *const pool = new hand_over();

/* Waking a sleeping thread takes longer than most kernels at test sizes. */
static const unsigned spins_before_sleep = 2000;

static void pause_briefly()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void reseed(uint64_t seed)
{
    const std::lock_guard<std::mutex> lock(launch_mutex);
    config.seed = seed;
    launches = 0;
    restart_queues();
}

/* ---- workers --------------------------------------------------------------------------------- */

/* The cores that the process may use, in order. */
static cpu_set_t allowed_cores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    (void)sched_getaffinity(0, sizeof set, &set);
    return set;
}

static void pin_to_core(int core)
{
    cpu_set_t one;
    if (core < 0) return;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

/* Two spinning workers left on one core would cost a time slice a block. */
static void pin_to(unsigned number, const cpu_set_t *allowed)
{
    const int count = CPU_COUNT(allowed);
    if (count <= 1) return;
    unsigned skip = number % (unsigned)count;
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, allowed) || skip--) continue;
        pin_to_core(core);
        return;
    }
}

static worker *make_worker(unsigned id)
{
    worker *w = new (std::nothrow) worker();
    if (!w) return NULL;
    w->id = id;
    (void)sem_init(&w->baton, 0, 0);
    return w;
}

/* Runs blocks of the job until none is left, on the calling OS thread. */
static void work(worker *w, job *j)
{
    const context outside = here;
    here = context();
    here.worker = w;
    here.inside = 1;
    w->job = j;
    w->handle = pthread_self();
    fiber_adopt_thread(&w->home);
    bump(&w->pulse);
    w->busy = true;
    if (config.resident)
        while (sem_wait(&w->baton)) {
        }
    while (!j->halt.load(std::memory_order_relaxed)) {
        const unsigned number = j->next.fetch_add(1, std::memory_order_relaxed);
        if (number >= j->blocks) break;
        run_block(w, number);
    }
    if (config.resident) {
        w->in_turn = false;
        pass_baton(w, true);
    }
    w->busy = false;
    here = outside;
}

/* ---- the pool -------------------------------------------------------------------------------- */

/* Waits for a job later than *seen; NULL if this worker came too late or has no part in it. */
static job *join_job(worker *w, uint64_t *seen)
{
    for (unsigned i = 0; i < spins_before_sleep && pool->epoch.load() == *seen; i++) {
        if (pool->impatient) break;
        pause_briefly();
    }
    std::unique_lock<std::mutex> lock(pool->mutex);
    pool->sleeping++;
    pool->posted.wait(lock, [&] { return pool->epoch.load() != *seen; });
    pool->sleeping--;
    *seen = pool->epoch.load();
    if (!pool->open || w->id >= pool->open->workers) return NULL;
    pool->joined++;
    pool->changed.notify_one(); /* for gather() */
    return pool->open;
}

static void *pool_thread(void *argument)
{
    worker *w = static_cast<worker *>(argument);
    const cpu_set_t allowed = allowed_cores();
    pin_to(w->id, &allowed);
    (void)catch_signals();
    for (bool moved = false;;) {
        job *j = join_job(w, &w->seen_job);
        if (!j) continue;
        if (config.resident)
            pin_to_core(j->core);
        else if (moved)
            pin_to(w->id, &allowed);
        moved = config.resident != 0;
        work(w, j);
        const std::lock_guard<std::mutex> lock(pool->mutex);
        pool->joined--;
        pool->changed.notify_one();
    }
}

static cudaError_t grow_pool(unsigned count)
{
    for (unsigned id = 0; id < count; id++) {
        if (workers[id]) continue;
        worker *w = make_worker(id);
        if (!w) return lacks_memory("a worker of the simt device");
        w->seen_job = pool->epoch.load();
        const cudaError_t code =
            id == 0 ? cudaSuccess
                    : start_thread("another thread for blocks (SIMT_WORKERS=1 does without)",
                                   pool_thread, w);
        if (code != cudaSuccess) {
            delete w;
            return code;
        }
        add_worker(w);
    }
    return cudaSuccess;
}

static void post_job(job *j)
{
    const std::lock_guard<std::mutex> lock(pool->mutex);
    pool->open = j;
    pool->impatient = config.resident != 0;
    pool->epoch++;
    if (pool->sleeping.load()) pool->posted.notify_all();
}

/* Nobody joins any more; returns when all who did have left. */
static void close_job()
{
    {
        const std::lock_guard<std::mutex> lock(pool->mutex);
        pool->open = NULL;
    }
    for (unsigned i = 0; i < spins_before_sleep && pool->joined.load() && !pool->impatient; i++)
        pause_briefly();
    std::unique_lock<std::mutex> lock(pool->mutex);
    pool->changed.wait(lock, [] { return pool->joined.load() == 0; });
}

/* Deterministic mode begins when every worker is in turn, whatever the order of their arrival. */
static void gather(const job *j)
{
    std::unique_lock<std::mutex> lock(pool->mutex);
    pool->changed.wait(lock, [j] { return pool->joined.load() + 1 == j->workers; });
}

/* ---- launches -------------------------------------------------------------------------------- */

cudaError_t check_launch(kernel_address kernel, dim3 grid, dim3 block, size_t shared_bytes)
{
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (block.x > 1024 || block.y > 1024 || block.z > 64 || threads == 0 || threads > max_threads)
        return set_error(cudaErrorInvalidConfiguration,
                         "invalid configuration: a block of %u x %u x %u threads; it must have 1 "
                         "to 1024 in all, and at most 64 in z",
                         block.x, block.y, block.z);
    if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535 ||
        (uint64_t)grid.x * grid.y * grid.z > 0x7fffffffu)
        return set_error(cudaErrorInvalidConfiguration,
                         "invalid configuration: a grid of %u x %u x %u blocks; it must have 1 to "
                         "2147483647, 65535 and 65535",
                         grid.x, grid.y, grid.z);
    if (shared_bytes > shared_limit(kernel))
        return set_error(cudaErrorInvalidValue,
                         "invalid argument: %zu bytes of dynamic shared memory, but the kernel may "
                         "have %zu; cudaFuncSetAttribute allows up to %zu",
                         shared_bytes, shared_limit(kernel), shared_optin());
    return cudaSuccess;
}

static void add_totals(unsigned count)
{
    totals.launches++;
    for (unsigned i = 0; i < count; i++) {
        worker *w = workers[i];
        totals.blocks += w->blocks;
        totals.switches += w->switches;
        totals.preemptions += w->preemptions;
        w->blocks = w->switches = w->preemptions = 0;
    }
}

/* False: no memory for that. */
static bool begin_weak(const job *j)
{
    if (!hooked || !config.weak || !config.resident) return true;
    try {
        const std::vector<memory_range> memory = device_ranges();
        weak_begin(j, memory.data(), memory.size());
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

/* All of a launch but its checks; the caller holds launch_mutex. */
static cudaError_t run_job(job *j)
{
    const cudaError_t code = grow_pool(j->workers);
    if (code != cudaSuccess) return code;
    j->known = find_footprint(j->kernel);
    if (!j->known || !save_locals(workers[0])) return lacks_memory("shared memory");
    if (start_watchdog() != cudaSuccess) return cudaPeekAtLastError();
    if (!begin_weak(j)) return lacks_memory("stores that stay behind");
    signal_stack *signals = catch_signals();
    const cpu_set_t allowed = allowed_cores();
    const bool together = j->workers > 1;
    seed_turns(j->seed);
    seed_baton(workers[0]);
    for (unsigned i = 0; i < j->workers; i++)
        workers[i]->in_turn = true;
    watch_job(j);
    if (together) {
        /* one at a time: a hand-over on the same core is several times faster */
        j->core = sched_getcpu();
        if (config.resident)
            pin_to_core(j->core);
        else
            pin_to(0, &allowed);
        post_job(j);
        if (config.resident) gather(j);
    }
    if (config.resident) (void)sem_post(&workers[0]->baton);
    work(workers[0], j);
    if (together) {
        close_job();
        (void)sched_setaffinity(0, sizeof allowed, &allowed);
    }
    watch_job(NULL);
    weak_end();
    release_signals(signals);
    restore_locals(workers[0]);
    char damage[512];
    if (find_damage(damage, sizeof damage)) report_grid(j, cudaErrorIllegalAddress, damage);
    add_totals(j->workers);
    return j->error;
}

cudaError_t run(kernel_address kernel, void (*body)(void *), void *arguments, dim3 grid, dim3 block,
                size_t shared_bytes)
{
    if (here.thread)
        return set_error(cudaErrorNotSupported, "the simt device launches no kernel from a kernel");
    cudaError_t code = check_environment();
    /* what waited in a stream was looked at when it was queued, by the attributes of that time */
    if (code == cudaSuccess && !runs_queued())
        code = check_launch(kernel, grid, block, shared_bytes);
    if (code != cudaSuccess) return code;

    const std::lock_guard<std::mutex> lock(launch_mutex);
    job j = {};
    j.kernel = kernel;
    j.body = body;
    j.arguments = arguments;
    j.grid = grid;
    j.block_dim = block;
    j.shared_bytes = shared_bytes;
    j.blocks = grid.x * grid.y * grid.z;
    j.threads = block.x * block.y * block.z;
    j.workers = worker_count();
    if (j.workers > j.blocks) j.workers = j.blocks;
    j.seed = mix(config.seed + 0x5151 * launches++);
    j.alone = config.resident || j.workers == 1;
    return run_job(&j);
}
} // namespace simt
