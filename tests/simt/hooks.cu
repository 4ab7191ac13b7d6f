/* A hooks build finds races between plain and volatile accesses, and replays them. */
#include "tests/simt/failures.cuh"

#include "tests/simt/buffer.h"
#include "tests/simt/tap.h"

static bool volatile_update_shows(uint64_t seed, unsigned blocks)
{
    simt::reseed(seed);
    buffer<unsigned> counter(1);
    const cudaError_t code =
        launch(lost_update_volatile, blocks, 64 / blocks, 0, NULL, (volatile unsigned *)counter.at);
    return code != cudaSuccess || counter.read()[0] != 64;
}

/* The same by loads and stores that are atomic, but not together. */
template <class W> __global__ void lost_update_written_out(W *counter)
{
    const W before = __atomic_load_n(counter, __ATOMIC_RELAXED);
    __atomic_store_n(counter, before + 1, __ATOMIC_RELAXED);
}

template <class W> static bool written_out_update_shows(uint64_t seed)
{
    simt::reseed(seed);
    buffer<W> counter(1);
    const cudaError_t code = launch(lost_update_written_out<W>, 1, 64, 0, NULL, counter.at);
    return code != cudaSuccess || counter.read()[0] != 64;
}

template <class W> static void test_written_out()
{
    bool found = false;
    for (uint64_t seed = 1; seed <= 100 && !found; seed++)
        found = written_out_update_shows<W>(seed);
    ok(found, "a lost update by atomic loads and stores of %zu bytes is found within 100 seeds",
       sizeof(W));
}

/* Every thread has its own word. */
__global__ void count_own(volatile unsigned *counters)
{
    for (int i = 0; i < 10; i++)
        counters[threadIdx.x] = counters[threadIdx.x] + 1;
}

static void test_volatile(unsigned blocks)
{
    uint64_t found = 0;
    for (uint64_t seed = 1; seed <= 100 && !found; seed++)
        if (volatile_update_shows(seed, blocks)) found = seed;
    ok(found != 0, "a lost update of a volatile counter, %u blocks, is found within 100 seeds",
       blocks);
    bool again = found != 0;
    for (int i = 0; i < 5 && again; i++)
        again = volatile_update_shows(found, blocks);
    ok(again, "and replayed from its seed");
}

int main()
{
    simt::config.policy = simt::random_order;
    simt::config.preempt_volatile = 16;
    test_volatile(1);
    simt::config.resident = 4;
    test_volatile(4);
    simt::config.resident = 0;
    test_written_out<unsigned>();
    test_written_out<unsigned long long>();

    simt::config.preempt_volatile = simt::config.preempt_plain = 200;
    buffer<unsigned> counters(64);
    cudaError_t code = launch(count_own, 1, 64, 0, NULL, (volatile unsigned *)counters.at);
    bool right = code == cudaSuccess;
    for (unsigned count : counters.read())
        right &= count == 10;
    ok(right, "counters of their own lose nothing");

    simt::config.workers = 1;
    simt::config.spin_limit = 100000;
    code = launch(wait_for_ever, 1, 64, 0, NULL, (volatile unsigned *)counters.at);
    ok(code == cudaSuccess, "a flag that is set ends the wait");
    (void)cudaMemset(counters.at, 0, 4);
    code = launch(wait_for_ever, 1, 64, 0, NULL, (volatile unsigned *)counters.at);
    ok(code == cudaErrorLaunchFailure && strstr(cudaGetErrorString(code), "live-lock"),
       "one that is not is a live-lock, without waiting for the time limit");
    return tap_done();
}
