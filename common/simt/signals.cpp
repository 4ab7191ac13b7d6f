/* Signals: a kernel's bad address becomes the launch's failure, a thread that polls memory without
 * any intrinsic is made to let others go first, and a launch without progress is ended. */
#include "common/simt/signals.h"

#include "common/simt/policies.h"
#include "common/simt/report.h"
#include "common/simt/sanitizers.h"
#include "common/simt/scheduler.h"

#include <algorithm>
#include <chrono>
#include <errno.h>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <thread>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

namespace simt
{
/* Ignored by default, and used by nothing that a worker is made of. */
static const int nudge = SIGURG;
static const size_t handler_stack_bytes = 64 * 1024;
static const std::chrono::milliseconds watch_period(5);

/* A longer time between two looks was not the kernel's: the process was stopped, or its machine. */
static const std::chrono::milliseconds longest_look(100);
/* CPU time without a scheduling point after which a thread is left all the same, with no exact
 * replay. A kernel that polls plain memory needs that; at the sizes of tests no other thread runs
 * for so long, however busy the machine is. */
static const uint64_t longest_run_ns = 10 * 1000 * 1000;

/* ---- faults ---------------------------------------------------------------------------------- */

struct fault {
    int signal;
    cudaError_t code;
    const char *what;
    struct sigaction before;
};
static fault faults[] = {
    {SIGSEGV, cudaErrorIllegalAddress, "illegal address, or a kernel's stack overflowed", {}},
    {SIGBUS, cudaErrorIllegalAddress, "misaligned or illegal address", {}},
    {SIGFPE, cudaErrorLaunchFailure, "integer division by zero, or its result does not fit", {}},
    {SIGILL, cudaErrorLaunchFailure, "illegal instruction", {}},
};

static uintptr_t instruction_of(const void *context)
{
    const ucontext_t *at = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
    return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)at->uc_mcontext.pc;
#else
    (void)at;
    return 0;
#endif
}

/* The executable is the first object: where it was loaded. */
static int find_base(struct dl_phdr_info *info, size_t, void *out)
{
    *static_cast<uintptr_t *>(out) = info->dlpi_addr;
    return 1;
}

/* Runs on the signal stack; in a kernel it leaves that, and the fiber, for good. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
    for (fault &f : faults) {
        if (f.signal != signal) continue;
        if (here.thread && !here.inside) {
            here.inside = 1;
            char what[4352], program[4096] = "";
            uintptr_t base = 0;
            (void)dl_iterate_phdr(find_base, &base);
            (void)!readlink("/proc/self/exe", program, sizeof program - 1);
            (void)snprintf(what, sizeof what, "%s (at %p); the instruction: addr2line -e %s 0x%llx",
                           f.what, info->si_addr, program,
                           (unsigned long long)(instruction_of(context) - base));
            fail(f.code, what);
        }
        /* not a kernel's: the instruction faults again, for whoever was there before us */
        (void)sigaction(signal, &f.before, NULL);
    }
}

/* ---- nudges ---------------------------------------------------------------------------------- */

/* Runs on the fiber's own stack: the thread goes on from here when its turn comes again. */
static void on_nudge(int)
{
    if (!here.thread || here.inside) return;
    if (weak_order) return; /* a store was told that is not made yet; and hooks are points enough */
    const int saved_errno = errno;
    enter();
    worker *w = here.worker;
    check_halt(w);
    w->job->nudged = true;
    lower_priority(w);
    if (config.resident) pass_baton(w, false);
    yield_turn(w);
    leave();
    errno = saved_errno;
}

static void install_handlers()
{
    struct sigaction action = {};
    (void)sigemptyset(&action.sa_mask);
    /* not blocked during a handler: it may switch to another thread of the block */
    action.sa_flags = SA_NODEFER | SA_RESTART;
    action.sa_handler = on_nudge;
    (void)sigaction(nudge, &action, NULL);
    action.sa_flags = SA_NODEFER | SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = on_fault;
    for (fault &f : faults)
        (void)sigaction(f.signal, &action, &f.before);
}

/* Where the handler of a fault can run when a fiber's stack has overflowed. */
struct signal_stack {
    stack_t before;
    char bytes[handler_stack_bytes];
};

signal_stack *catch_signals()
{
    if (sanitized) return NULL;
    static const bool installed = (install_handlers(), true);
    (void)installed;
    signal_stack *mine = static_cast<signal_stack *>(malloc(sizeof *mine));
    if (!mine) return NULL;
    stack_t stack = {};
    stack.ss_sp = mine->bytes;
    stack.ss_size = sizeof mine->bytes;
    (void)sigaltstack(&stack, &mine->before);
    return mine;
}

void release_signals(signal_stack *mine)
{
    if (!mine) return;
    (void)sigaltstack(&mine->before, NULL);
    free(mine);
}

/* ---- the watchdog ---------------------------------------------------------------------------- */

static std::mutex watch_mutex;
static job *watched;
static std::chrono::steady_clock::duration waited; /* since the last progress, or the job's start */

void add_worker(worker *w)
{
    const std::lock_guard<std::mutex> lock(watch_mutex);
    workers[w->id] = w;
}

void watch_job(job *j)
{
    const std::lock_guard<std::mutex> lock(watch_mutex);
    watched = j;
    waited = {};
}

/* CPU time of the worker's thread: what it waits for a core does not count. */
static uint64_t cpu_ns(const worker *w)
{
    clockid_t clock;
    struct timespec spent = {};
    if (pthread_getcpuclockid(w->handle, &clock) || clock_gettime(clock, &spent)) return 0;
    return (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

static bool is_due(worker *w)
{
    const uint64_t pulse = w->pulse.load(std::memory_order_relaxed);
    const bool same = pulse == w->seen_pulse;
    w->seen_pulse = pulse;
    const uint64_t now = cpu_ns(w);
    if (!same) w->seen_cpu_ns = now;
    return now - w->seen_cpu_ns > longest_run_ns;
}

/* Nudges workers whose schedulers have not run for long; the sum of all progress. */
static uint64_t watch_workers()
{
    uint64_t progress = 0;
    for (worker *w : workers) {
        if (!w) break;
        progress += w->progress.load(std::memory_order_relaxed);
        if (!w->busy.load())
            w->seen_pulse = ~0ull; /* whatever it spends now is not a kernel's */
        else if (is_due(w) && !sanitized)
            (void)pthread_kill(w->handle, nudge);
    }
    return progress;
}

static void *watch(void *)
{
    uint64_t last = 0;
    auto before = std::chrono::steady_clock::now();
    for (;;) {
        std::this_thread::sleep_for(watch_period);
        const std::lock_guard<std::mutex> lock(watch_mutex);
        const auto now = std::chrono::steady_clock::now();
        const uint64_t progress = watch_workers();
        waited += std::min<std::chrono::steady_clock::duration>(now - before, longest_look);
        before = now;
        if (!watched || progress != last) {
            last = progress;
            waited = {};
        } else if (config.timeout_s && waited > std::chrono::seconds(config.timeout_s)) {
            int none = 0;
            (void)watched->halt.compare_exchange_strong(none, halt_expired);
        }
    }
}

cudaError_t start_watchdog()
{
    static bool started;
    if (started) return cudaSuccess;
    const cudaError_t code = start_thread("the simt device's watchdog", watch, NULL);
    started = code == cudaSuccess;
    return code;
}
} // namespace simt
