/* The simt device finds every planted bug, says where it is, replays it from its seed, and does not
 * cry wolf at the same thing done right. */
#include "tests/simt/planted.cuh"

#include "tests/simt/buffer.h"
#include "tests/simt/tap.h"

#include <string.h>
#include <string>

static simt::configuration defaults; /* what the environment says */

/* One try of a kernel under a seed: whether the bug showed. */
typedef bool (*attempt)(uint64_t seed);

static void start_as(uint64_t seed)
{
    simt::reseed(seed);
}

/* The first seed from 1 to `seeds` that shows it; 0: none. */
static uint64_t hunt(attempt shows, uint64_t seeds)
{
    for (uint64_t seed = 1; seed <= seeds; seed++)
        if (shows(seed)) return seed;
    return 0;
}

/* Hunts, then replays what was found. */
static void found_and_replayed(const char *name, attempt shows, uint64_t seeds)
{
    const uint64_t seed = hunt(shows, seeds);
    ok(seed != 0, "%s is found within %llu seeds", name, (unsigned long long)seeds);
    bool again = seed != 0;
    for (int i = 0; again && i < 5; i++)
        again = shows(seed);
    ok(again, "%s is replayed from its seed", name);
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
    return "planted.cuh:" + std::to_string(line);
}

/* The device goes on after a failure. */
static bool still_works()
{
    buffer<unsigned> counter(1), slots(64);
    if (launch(no_lost_update, 4, 16, 0, NULL, counter.at, slots.at)) return false;
    return counter.read()[0] == 64;
}

/* ---- races on atomics ------------------------------------------------------------------------ */

static bool loses(void (*kernel)(unsigned *, unsigned *), unsigned grid, unsigned block)
{
    buffer<unsigned> counter(1), slots(64);
    return launch(kernel, grid, block, 0, NULL, counter.at, slots.at) != cudaSuccess ||
           counter.read()[0] != 64;
}

static bool lost_update_shows(uint64_t seed)
{
    start_as(seed);
    return loses(lost_update, 1, 64);
}

static bool lost_between_blocks_shows(uint64_t seed)
{
    start_as(seed);
    return loses(lost_update, 64, 1);
}

static bool no_lost_update_shows(uint64_t seed)
{
    start_as(seed);
    return loses(no_lost_update, 2, 32);
}

static bool aba_shows(uint64_t seed)
{
    start_as(seed);
    buffer<unsigned> head(1), owners(4), two_owners(1);
    buffer<unsigned> next(std::vector<unsigned>{1, 2, 3, stack_end});
    const cudaError_t code =
        launch(aba_stack, 1, 8, 0, NULL, head.at, next.at, owners.at, two_owners.at);
    return code != cudaSuccess || two_owners.read()[0] != 0;
}

static void test_races()
{
    simt::config.policy = simt::random_order;
    simt::config.preempt_atomic = 16;
    found_and_replayed("a lost update", lost_update_shows, 100);
    ok(hunt(no_lost_update_shows, 100) == 0, "no lost update in 100 seeds where there is none");
    simt::config.resident = 4;
    found_and_replayed("a lost update between blocks", lost_between_blocks_shows, 100);
    simt::config.resident = 0;
    simt::config.preempt_atomic = 256;
    found_and_replayed("an ABA stack", aba_shows, 1000);
    simt::config = defaults;
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
        same &= launch(no_lost_update, 8, 32, 0, NULL, counter.at, slots.at) == cudaSuccess;
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

static void test_spinning()
{
    buffer<unsigned> lock(1), counter(1);
    simt::config.workers = 1;
    simt::config.policy = simt::unfair;
    simt::config.preempt_atomic = 256;
    cudaError_t code = cudaSuccess;
    for (uint64_t seed = 1; seed <= 5 && code == cudaSuccess; seed++) {
        start_as(seed);
        (void)cudaMemset(lock.at, 0, 4);
        code = launch(spin_lock, 1, 64, 0, NULL, lock.at, counter.at);
    }
    ok(code == cudaErrorLaunchFailure && report_has(code, "live-lock") &&
           report_has(code, "planted.cuh"),
       "a spin lock inside a warp is a live-lock under the unfair policy");
    simt::config = defaults;

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

    code = launch(divergent_barrier, 1, 64, 0, NULL, out.at);
    ok(code == cudaErrorLaunchFailure && report_has(code, "barrier divergence") &&
           report_has(code, place(left_barrier_line).c_str()) &&
           report_has(code, place(right_barrier_line).c_str()),
       "a barrier in each branch: the report names both");

    code = launch(foreign_mask, 1, 32, 0, NULL, out.at);
    ok(code == cudaErrorLaunchFailure && report_has(code, "not in its own mask"),
       "a mask without the caller is reported");
    ok(cudaDeviceSynchronize() == cudaErrorLaunchFailure &&
           cudaGetLastError() == cudaErrorLaunchFailure && cudaDeviceSynchronize() == cudaSuccess,
       "a failure is what the device says until it is taken");
}

/* ---- what garbage in shared memory finds ----------------------------------------------------- */

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

    buffer<unsigned> out(8);
    bool cleared = false;
    cudaError_t code = launch(missing_clear, 8, 32, 0, NULL, out.at);
    for (unsigned count : out.read())
        cleared |= count == 32;
    ok(code == cudaSuccess && !cleared, "shared memory that is not cleared is never zero");

    std::vector<unsigned> values(32);
    unsigned sum = 0;
    for (unsigned i = 0; i < 32; i++)
        sum += values[i] = i * i + 1;
    buffer<unsigned> in(values);
    code = launch(missing_syncwarp, 1, 32, 0, NULL, (const unsigned *)in.at, out.at);
    ok(code == cudaSuccess && out.read()[0] != sum, "a missing __syncwarp shows");
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

int main()
{
    defaults = simt::config;
    test_races();
    test_determinism();
    test_spinning();
    test_divergence();
    test_poison();
    test_faults();
    return tap_done();
}
