/* A stable partition as a chain of kernels that is typical for the code base: block histograms,
 * a scan with decoupled look-back, a scatter by warp-wide ranks; then a single-pass partition with
 * tickets. Right for any number of workers and resident blocks, and fast enough. */
#include "common/cuda/scan.cuh"

#include "tests/harness/patience.h"
#include "tests/simt/buffer.h"
#include "tests/simt/tap.h"

#include <time.h>

enum { bins = 8, threads = 256, warps = threads / 32 };

__device__ static unsigned bin_of(unsigned key)
{
    return key % bins;
}

/* counts[bin * blocks + block] */
__global__ void __launch_bounds__(threads)
    count_bins(const unsigned *__restrict__ keys, unsigned n, unsigned *__restrict__ counts)
{
    __shared__ unsigned count[bins];
    if (threadIdx.x < bins) count[threadIdx.x] = 0;
    __syncthreads();
    const unsigned i = blockIdx.x * threads + threadIdx.x;
    if (i < n) atomicAdd(&count[bin_of(__ldg(&keys[i]))], 1u);
    __syncthreads();
    if (threadIdx.x < bins) counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

/* The rank of each key among the block's keys of its bin: ballots within a warp, then a sum over
 * the warps before. */
__global__ void __launch_bounds__(threads)
    scatter_bins(const unsigned *__restrict__ keys, unsigned n,
                 const unsigned *__restrict__ offsets, unsigned *__restrict__ out)
{
    __shared__ unsigned before[warps][bins];
    const unsigned i = blockIdx.x * threads + threadIdx.x, lane = gb_lane(),
                   warp = threadIdx.x / 32;
    const unsigned key = i < n ? keys[i] : 0, bin = bin_of(key);
    unsigned rank = 0;
    for (unsigned b = 0; b < bins; b++) {
        const unsigned lanes = __ballot_sync(GB_FULL_MASK, i < n && bin == b);
        if (bin == b) rank = (unsigned)__popc(lanes & gb_lanes_below());
        if (lane == b) before[warp][b] = (unsigned)__popc(lanes);
    }
    __syncthreads();
    if (threadIdx.x < bins) {
        unsigned sum = offsets[threadIdx.x * gridDim.x + blockIdx.x];
        for (unsigned w = 0; w < warps; w++) {
            const unsigned count = before[w][threadIdx.x];
            before[w][threadIdx.x] = sum;
            sum += count;
        }
    }
    __syncthreads();
    if (i < n) out[before[warp][bin] + rank] = key;
}

/* Two bins in one pass; a block waits for the one before by polling plain memory. */
__global__ void __launch_bounds__(threads)
    partition_by_tickets(const unsigned *keys, unsigned n, unsigned zeros, unsigned *ticket,
                         volatile unsigned *prefix, unsigned *out)
{
    __shared__ unsigned sums[33], tile, ones_before;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
    __syncthreads();
    const unsigned i = tile * threads + threadIdx.x;
    const unsigned key = i < n ? keys[i] : 0, one = i < n && (key >> 7 & 1);
    unsigned total;
    const unsigned rank = gb_block_exclusive_sum<threads>(one, sums, &total);
    if (threadIdx.x == 0) {
        const unsigned ready = 0x80000000u;
        unsigned sum = 0;
        if (tile) {
            while (!((sum = prefix[tile - 1]) & ready)) {
            }
            sum &= ~ready;
        }
        ones_before = sum;
        prefix[tile] = ready | (sum + total);
    }
    __syncthreads();
    const unsigned ones = ones_before + rank;
    if (i < n) out[one ? zeros + ones : i - ones] = key;
}

static double seconds()
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static std::vector<unsigned> random_keys(unsigned n)
{
    std::vector<unsigned> keys(n);
    unsigned x = 1;
    for (unsigned &key : keys) {
        x = x * 1664525u + 1013904223u;
        key = x >> 4;
    }
    return keys;
}

/* keys in the order of their group, stable. */
static std::vector<unsigned> expected(const std::vector<unsigned> &keys, unsigned groups,
                                      unsigned (*group)(unsigned))
{
    std::vector<unsigned> result;
    for (unsigned g = 0; g < groups; g++)
        for (unsigned key : keys)
            if (group(key) == g) result.push_back(key);
    return result;
}

static bool chain_works(const std::vector<unsigned> &keys, double *elapsed)
{
    const unsigned n = (unsigned)keys.size(), blocks = (n + threads - 1) / threads;
    buffer<unsigned> in(keys), out(n, 0xff), counts(bins * blocks, 0xff);
    buffer<unsigned char> scratch(gb_scan_scratch(bins * blocks), 0xff);
    const double start = seconds();
    cudaError_t code =
        launch(count_bins, blocks, threads, 0, NULL, (const unsigned *)in.at, n, counts.at);
    if (code == cudaSuccess) code = gb_scan_exclusive(counts.at, bins * blocks, scratch.at, NULL);
    if (code == cudaSuccess)
        code = launch(scatter_bins, blocks, threads, 0, NULL, (const unsigned *)in.at, n,
                      (const unsigned *)counts.at, out.at);
    *elapsed += seconds() - start;
    if (code != cudaSuccess) printf("# %s\n", cudaGetErrorString(code));
    return code == cudaSuccess && out.read() == expected(keys, bins, bin_of);
}

static unsigned bit_of(unsigned key)
{
    return key >> 7 & 1;
}

static bool tickets_work(const std::vector<unsigned> &keys, double *elapsed)
{
    const unsigned n = (unsigned)keys.size(), blocks = (n + threads - 1) / threads;
    unsigned zeros = 0;
    for (unsigned key : keys)
        zeros += !bit_of(key);
    buffer<unsigned> in(keys), out(n, 0xff), ticket(1), prefix(blocks);
    const double start = seconds();
    const cudaError_t code =
        launch(partition_by_tickets, blocks, threads, 0, NULL, (const unsigned *)in.at, n, zeros,
               ticket.at, (volatile unsigned *)prefix.at, out.at);
    *elapsed += seconds() - start;
    if (code != cudaSuccess) printf("# %s\n", cudaGetErrorString(code));
    return code == cudaSuccess && out.read() == expected(keys, 2, bit_of);
}

static void test_sizes()
{
    double unused = 0;
    const unsigned sizes[] = {1, 31, 255, 256, 257, 5000, 70001};
    bool right = true;
    for (unsigned n : sizes)
        right &= chain_works(random_keys(n), &unused) && tickets_work(random_keys(n), &unused);
    ok(right, "partitions of 1 to 70001 keys");
}

static void test_schedules()
{
    const simt::configuration defaults = simt::config;
    const std::vector<unsigned> keys = random_keys(20000);
    double unused = 0;
    for (unsigned workers = 1; workers <= 5; workers++) {
        simt::config.workers = workers;
        ok(chain_works(keys, &unused) && tickets_work(keys, &unused), "with %u workers", workers);
    }
    simt::config = defaults;
    for (int policy = simt::round_robin; policy <= simt::by_priority; policy++) {
        simt::config.policy = (simt::policy)policy;
        simt::config.preempt_atomic = 64;
        ok(chain_works(keys, &unused) && tickets_work(keys, &unused), "under policy %d", policy);
        simt::config.resident = 3;
        const std::vector<unsigned> few = random_keys(2000);
        ok(chain_works(few, &unused) && tickets_work(few, &unused),
           "under policy %d with three resident blocks in turns", policy);
        simt::config = defaults;
    }
}

#if !defined(GB_SIMT_UCONTEXT) && !defined(GB_SIMT_HOOKS)
/* Seconds; infinite if it did not work. */
static double best_of_three(bool (*works)(const std::vector<unsigned> &, double *),
                            const std::vector<unsigned> &keys)
{
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double elapsed = 0;
        if (!works(keys, &elapsed)) return INFINITY;
        if (elapsed < best) best = elapsed;
    }
    return best;
}
#endif

static void test_speed()
{
#if defined(GB_SIMT_UCONTEXT) || defined(GB_SIMT_HOOKS)
    printf("# the portable fibers and the hooks build are not timed\n");
#else
    const char *ci = getenv("CI");
    const double limit = patience() * (ci && !strcmp(ci, "true") ? 4 : 2);
    const std::vector<unsigned> keys = random_keys(1000000);
    const double chain = best_of_three(chain_works, keys),
                 tickets = best_of_three(tickets_work, keys);
    ok(chain < limit, "a million keys through the chain in %.2f s (at most %g s)", chain, limit);
    ok(tickets < limit, "in a single pass in %.2f s (at most %g s)", tickets, limit);

    enum { launches = 200 };
    unsigned *counter = NULL;
    (void)cudaMalloc(&counter, sizeof *counter);
    const unsigned nobody = 0;
    const double start = seconds();
    for (int i = 0; i < launches; i++)
        (void)launch(count_bins, 1, 32, 0, NULL, (const unsigned *)counter, nobody, counter);
    const double each = (seconds() - start) / launches;
    ok(each < 1e-3 * patience(), "a launch of one block takes %.1f us (at most 1 ms)", 1e6 * each);
    (void)cudaFree(counter);
#endif
}

int main()
{
    test_sizes();
    test_schedules();
    test_speed();
    return tap_done();
}
