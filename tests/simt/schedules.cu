/* What exploring schedules relies on: a schedule is the same run every time, live-locks are counted
 * over all resident blocks, and the policy by priority finds what depends on few changes of order.
 */
#include "common/cuda/device.cuh"
#include "tests/simt/buffer.h"
#include "tests/simt/tap.h"

#include <string.h>
#include <string>
#include <time.h>
#include <unistd.h>

static simt::configuration defaults;

/* ---- kernels --------------------------------------------------------------------------------- */

/* The order in which threads draw tickets, two each, with a barrier between. */
__global__ void draw_tickets(unsigned *counter, unsigned *order)
{
    const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    order[atomicAdd(counter, 1u)] = me;
    __syncthreads();
    (void)__shfl_sync(0xffffffffu, me, 0);
    order[atomicAdd(counter, 1u)] = me;
}

/* Wrong only if the first thread does all of its steps before any other begins. */
__global__ void all_before_others(unsigned *begun, unsigned *wrong)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < 50; i++)
            if (atomicAdd(begun, 0u)) return;
        atomicExch(wrong, 1u);
    } else {
        atomicAdd(begun, 1u);
    }
}

/* The first block waits for the second, which works for long before it says so. */
__global__ void wait_for_neighbour(unsigned *flag, unsigned *work, unsigned steps)
{
    if (blockIdx.x == 0) {
        while (atomicAdd(flag, 0u) == 0) {
        }
    } else {
        for (unsigned i = 0; i < steps; i++)
            atomicAdd(work, 1u);
        atomicExch(flag, 1u);
    }
}

/* Two blocks wait for a third thing that nobody does. */
__global__ void wait_for_nobody(unsigned *flag)
{
    while (atomicAdd(flag, 0u) == 0) {
    }
}

__global__ void spin_lock(unsigned *lock, unsigned *count)
{
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    *count = *count + 1;
    atomicExch(lock, 0u);
}

/* Two threads draw tickets in turns, and sleep while it is the other's. */
__global__ void take_turns(unsigned *next, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) {
        while (atomicAdd(next, 0u) % 2 != threadIdx.x)
            __nanosleep(100);
        atomicAdd(next, 1u);
    }
}

/* Computes for long without a point of the scheduler, then fails. */
__global__ void compute_and_trap(unsigned *out, unsigned milliseconds)
{
    struct timespec begin, now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do
        (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while (1000 * (now.tv_sec - begin.tv_sec) + (now.tv_nsec - begin.tv_nsec) / 1000000 <
           (long)milliseconds);
    out[0] = 1;
    __trap();
}

/* The first thread sleeps, as one does whose core is another process's for a while. */
__global__ void sleep_and_draw(unsigned *counter, unsigned *order)
{
    if (threadIdx.x == 0) (void)usleep(60000);
    order[threadIdx.x] = atomicAdd(counter, 1u);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void settle(simt::policy policy, unsigned resident, uint64_t seed)
{
    simt::config = defaults;
    simt::config.policy = policy;
    simt::config.resident = resident;
    simt::config.preempt_atomic = 100;
    simt::reseed(seed);
}

static std::vector<unsigned> tickets(simt::policy policy, unsigned resident, uint64_t seed)
{
    settle(policy, resident, seed);
    buffer<unsigned> counter(1), order(8 * 64 * 2);
    if (launch(draw_tickets, 8, 64, 0, NULL, counter.at, order.at)) return {};
    return order.read();
}

/* Whatever ran before, and whatever else runs on the machine. */
static void test_exact()
{
    for (int p = simt::round_robin; p <= simt::by_priority; p++) {
        const simt::policy policy = (simt::policy)p;
        bool same = true, differ = false;
        for (unsigned resident = 1; resident <= 4; resident++) {
            const std::vector<unsigned> first = tickets(policy, resident, 7);
            same &= first.size() == 8 * 64 * 2;
            for (uint64_t seed = 8; seed < 12; seed++)
                differ |= tickets(policy, resident, seed) != first;
            same &= tickets(policy, resident, 7) == first;
        }
        ok(same, "policy %d: a seed is the same run again, with 1 to 4 resident blocks", p);
        ok(differ, "policy %d: other seeds are other runs", p);
    }
}

static unsigned count_wrong(simt::policy policy, unsigned seeds)
{
    unsigned found = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        settle(policy, 1, seed);
        buffer<unsigned> begun(1), wrong(1);
        if (launch(all_before_others, 1, 64, 0, NULL, begun.at, wrong.at)) return 0;
        found += wrong.read()[0];
    }
    return found;
}

static void test_priority()
{
    const unsigned priority = count_wrong(simt::by_priority, 1000),
                   random = count_wrong(simt::random_order, 1000);
    ok(priority > 0, "by priority one thread gets far ahead of 63 others (%u of 1000 seeds)",
       priority);
    ok(random == 0, "in random order it never does (%u)", random);

    bool right = true;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        settle(simt::by_priority, 2, seed);
        buffer<unsigned> lock(1), count(1);
        right &= launch(spin_lock, 2, 64, 0, NULL, lock.at, count.at) == cudaSuccess &&
                 count.read()[0] == 128;
    }
    ok(right, "by priority a thread that spins lets those go on for which it waits");

    settle(simt::by_priority, 1, 1);
    buffer<unsigned> next(1);
    const unsigned turns = 10000;
    ok(launch(take_turns, 1, 2, 0, NULL, next.at, turns) == cudaSuccess &&
           next.read()[0] == 2 * turns,
       "and as often as it takes: priorities that are used up are given out again");
}

static void test_spinning()
{
    bool right = true;
    for (int policy = simt::round_robin; policy <= simt::by_priority; policy++) {
        settle((simt::policy)policy, 2, 3);
        simt::config.spin_limit = 2000;
        buffer<unsigned> flag(1), work(1);
        right &= launch(wait_for_neighbour, 2, 1, 0, NULL, flag.at, work.at, 60000u) == cudaSuccess;
    }
    ok(right, "a block that waits is no live-lock while a neighbour works");

    std::string first;
    for (int policy = simt::round_robin; policy <= simt::by_priority; policy++) {
        std::string reports[2];
        for (std::string &report : reports) {
            settle((simt::policy)policy, 3, 5);
            simt::config.spin_limit = 100000;
            simt::config.timeout_s = 0;
            buffer<unsigned> flag(1);
            const cudaError_t code = launch(wait_for_nobody, 3, 64, 0, NULL, flag.at);
            report = code == cudaErrorLaunchFailure ? cudaGetErrorString(code) : "";
        }
        ok(strstr(reports[0].c_str(), "live-lock") && reports[0] == reports[1],
           "policy %d: three blocks that all wait are one, with the same report twice", policy);
    }
}

static bool says_nudged(unsigned milliseconds)
{
    settle(simt::random_order, 2, 1);
    buffer<unsigned> out(1);
    const cudaError_t code = launch(compute_and_trap, 2, 1, 0, NULL, out.at, milliseconds);
    return code == cudaErrorLaunchFailure && strstr(cudaGetErrorString(code), "left by the clock");
}

static void test_waiting_for_a_core()
{
    simt::config = defaults;
    buffer<unsigned> counter(1), order(2);
    const cudaError_t code = launch(sleep_and_draw, 1, 2, 0, NULL, counter.at, order.at);
    ok(code == cudaSuccess && order.read()[0] == 0,
       "a thread that only waits for a core is not left, other blocks beside it or not");
}

int main()
{
    defaults = simt::config;
    test_exact();
    test_priority();
    test_spinning();
    test_waiting_for_a_core();
    ok(says_nudged(100), "a report says so when the clock has left a thread");
    ok(!says_nudged(1), "and only then");
    (void)cudaGetLastError();
    return tap_done();
}
