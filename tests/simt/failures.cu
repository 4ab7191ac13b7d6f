/* What the simt device says of a kernel that fails or waits for ever, that it goes on after it, and
 * that a run depends on its seed alone. */
#include "tests/simt/failures.cuh"

#include "tests/simt/buffer.h"
#include "tests/simt/tap.h"

#include <signal.h>
#include <string.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static simt::configuration defaults; /* what the environment says */

static void start_as(uint64_t seed)
{
    simt::reseed(seed);
}

static bool report_has(cudaError_t code, const char *text)
{
    const char *report = cudaGetErrorString(code);
    if (strstr(report, text)) return true;
    printf("# not in the report: %s\n# %s\n", text, report);
    return false;
}

static std::string place(int line)
{
    return "failures.cuh:" + std::to_string(line);
}

/* The device goes on after a failure. */
static bool still_works()
{
    buffer<unsigned> counter(1), slots(64);
    if (launch(draw_tickets, 4, 16, 0, NULL, counter.at, slots.at)) return false;
    return counter.read()[0] == 64;
}

/* The outcome of an unfinished race depends on the seed alone. */
static void test_determinism()
{
    simt::config.policy = simt::random_order;
    simt::config.preempt_atomic = 100;
    simt::config.resident = 4;
    std::vector<unsigned> first;
    uint64_t switches = 0;
    bool same = true, different = false;
    for (int i = 0; i < 12; i++) {
        start_as(i < 6 ? 42 : 42 + i);
        const uint64_t before = simt::totals.switches;
        buffer<unsigned> counter(1), slots(256);
        same &= launch(draw_tickets, 8, 32, 0, NULL, counter.at, slots.at) == cudaSuccess;
        const std::vector<unsigned> order = slots.read();
        const uint64_t taken = simt::totals.switches - before;
        if (i == 0) {
            first = order;
            switches = taken;
        } else if (i < 6) {
            same &= order == first && taken == switches;
        } else {
            different |= order != first;
        }
    }
    ok(same, "deterministic mode: the same seed gives the same order of 256 tickets");
    ok(different, "deterministic mode: other seeds give other orders");
    simt::config = defaults;
}

/* ---- spinning -------------------------------------------------------------------------------- */

/* Stops this process for more than a second, goes on for a moment and ends what a kernel waits for.
 */
static void stop_for_a_while(volatile unsigned *flag)
{
    const pid_t all = getpid(), child = fork();
    if (child == 0) {
        usleep(50000);
        (void)kill(all, SIGSTOP);
        usleep(1300000);
        (void)kill(all, SIGCONT);
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
    usleep(50000);
    *flag = 1;
}

static void test_spinning()
{
    buffer<unsigned> lock(1), counter(1);
    cudaError_t code;
    for (int policy = simt::round_robin; policy <= simt::random_order; policy++) {
        for (unsigned preempt = 0; preempt <= 256; preempt += 256) {
            simt::config.policy = (simt::policy)policy;
            simt::config.preempt_atomic = preempt;
            (void)cudaMemset(lock.at, 0, 4);
            (void)cudaMemset(counter.at, 0, 4);
            code = launch(spin_lock, 2, 64, 0, NULL, lock.at, counter.at);
            ok(code == cudaSuccess && counter.read()[0] == 128,
               "the spin lock works under policy %d with preemption %u", policy, preempt);
        }
    }
    simt::config = defaults;

    (void)cudaMemset(lock.at, 0, 4);
    code = launch(wait_for_last_atomic, 1, 64, 0, NULL, lock.at);
    ok(code == cudaSuccess, "a thread that polls with an atomic lets the others go first");
    (void)cudaMemset(lock.at, 0, 4);
    code = launch(wait_for_last, 1, 64, 0, NULL, (volatile unsigned *)lock.at);
    ok(code == cudaSuccess, "so does one that polls plain memory");

    simt::config.timeout_s = 1;
    (void)cudaMemset(lock.at, 0, 4);
    code = launch(wait_for_ever, 3, 64, 0, NULL, (volatile unsigned *)lock.at);
    ok(code == cudaErrorLaunchTimeout && report_has(code, "no progress"),
       "a kernel that waits for ever is ended at the time limit");
    ok(still_works(), "the device works after it");

    (void)cudaMemset(lock.at, 0, 4);
    std::thread other(stop_for_a_while, (volatile unsigned *)lock.at);
    code = launch(wait_for_ever, 1, 64, 0, NULL, (volatile unsigned *)lock.at);
    other.join();
    ok(code == cudaSuccess, "a time for which the process is stopped does not count");
    simt::config = defaults;
}

/* ---- barriers and masks ---------------------------------------------------------------------- */

static void test_divergence()
{
    buffer<unsigned> out(64);
    cudaError_t code = launch(half_shuffle, 1, 64, 0, NULL, out.at);
    ok(code == cudaErrorLaunchFailure && report_has(code, "dead-lock") &&
           report_has(code, place(half_shuffle_line).c_str()) &&
           report_has(code, place(half_barrier_line).c_str()) &&
           report_has(code, "mask 0xffffffff"),
       "a shuffle by half a warp: the report names both places");
    ok(still_works(), "the device works after it");

    (void)launch(half_shuffle, 1, 64, 0, NULL, out.at);
    ok(cudaDeviceSynchronize() == cudaErrorLaunchFailure &&
           cudaGetLastError() == cudaErrorLaunchFailure && cudaDeviceSynchronize() == cudaSuccess,
       "a failure is what the device says until it is taken");
}

/* ---- garbage in shared memory ----------------------------------------------------- */

static bool reversed(const std::vector<unsigned> &v)
{
    bool right = true;
    for (unsigned i = 0; i < v.size(); i++)
        right &= v[i] == v.size() - 1 - i;
    return right;
}

static bool missing_barrier_shows(uint64_t seed)
{
    start_as(seed);
    buffer<unsigned> out(256);
    return launch(missing_barrier, 1, 256, 0, NULL, out.at) != cudaSuccess || !reversed(out.read());
}

static void test_poison()
{
    simt::config.policy = simt::random_order;
    unsigned hits = 0;
    for (uint64_t seed = 1; seed <= 50; seed++)
        hits += missing_barrier_shows(seed);
    ok(hits == 50, "a missing barrier shows under each of 50 seeds (%u did)", hits);
    simt::config.poison = false;
    hits = 0;
    for (uint64_t seed = 1; seed <= 50; seed++)
        hits += missing_barrier_shows(seed);
    ok(hits < 50, "without the garbage stale contents hide it (%u of 50 seeds show it)", hits);
    simt::config = defaults;
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void test_faults()
{
    buffer<unsigned> out(256);
    unsigned *volatile wild = reinterpret_cast<unsigned *>(16);
    cudaError_t code = launch(wild_write, 4, 64, 0, NULL, out.at, (unsigned *)wild);
    ok(code == cudaErrorIllegalAddress && report_has(code, "illegal address") &&
           report_has(code, "thread (3,0,0)"),
       "a write to a wild address fails the launch and names the thread");
    ok(still_works(), "the device works after it");
    code = launch(divide, 2, 32, 0, NULL, out.at, 0);
    ok(code == cudaErrorLaunchFailure && report_has(code, "division by zero"),
       "so does an integer division by zero");
    code = launch(overflow_stack, 2, 64, 0, NULL, out.at);
    ok(code == cudaErrorIllegalAddress && report_has(code, "stack"), "so does endless recursion");
    code = launch(trap, 2, 64, 0, NULL, out.at);
    ok(code == cudaErrorLaunchFailure && report_has(code, "__trap"), "so does __trap");
    ok(still_works(), "the device works after all of them");
    (void)cudaGetLastError();
}

/* ---- red zones ------------------------------------------------------------------------------- */

static void test_red_zones()
{
    buffer<unsigned> out(64);
    const cudaError_t code = launch(write_behind, 1, 64, 0, NULL, out.at);
    ok(code == cudaErrorIllegalAddress &&
           report_has(code, "byte 256 of 256 bytes of device memory") &&
           report_has(code, "buffer.h:"),
       "a store behind an allocation fails the launch and says where that was made");
    ok(still_works(), "what was written there is told once");
    unsigned *words = NULL;
    (void)cudaMalloc(&words, 100);
    words[-1] = 1;
    ok(cudaFree(words) == cudaErrorIllegalAddress &&
           report_has(cudaErrorIllegalAddress, "byte -4 of 100") &&
           report_has(cudaErrorIllegalAddress, "by the host"),
       "a store before it by the host shows when it is freed");
    ok(cudaMalloc(&words, 100) == cudaSuccess && cudaFree(words) == cudaSuccess,
       "and then no more");
    (void)cudaGetLastError();
}

int main()
{
    defaults = simt::config;
    test_determinism();
    test_spinning();
    test_divergence();
    test_poison();
    test_faults();
    test_red_zones();
    return tap_done();
}
