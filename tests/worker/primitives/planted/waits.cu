/* Planted: threads that wait for what does not come, or do not wait for what does.
 *
 * What they wait for they read atomically: the compiler may leave out a loop that only waits with
 * plain reads, __ldcg among them, as if it had ended (nvcc 13.0 does for sm_90). */
#include "tests/worker/primitives/planted/planted.cuh"

static unsigned expect_sum(const unsigned *in, unsigned *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < planted_words; i++)
        out[0] += in[i];
    return 1;
}

/* ---- locks ----------------------------------------------------------------------------------- */

__device__ static void take(unsigned *lock)
{
    while (atomicCAS(lock, 0u, 1u) != 0u) { /* planted: lock-step-spin */
    }
}

__device__ static void give(unsigned *lock)
{
    __threadfence();
    atomicExch(lock, 0u);
}

/* Every lane takes the lock: before Volta, and wherever a warp's lanes do not make progress by
 * themselves, the lane that has it never gets to give it back. The twin's first lane works for all.
 */
template <bool SOUND>
__global__ void lock_step_spin(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *lock = &scratch[0];
    volatile unsigned *total = &scratch[1];
    const unsigned first = threadIdx.x / 32 * 32;
    if (!SOUND || threadIdx.x == first) {
        take(lock);
        for (unsigned i = SOUND ? 0 : threadIdx.x - first;
             i < (SOUND ? 32 : threadIdx.x - first + 1); i++)
            *total = *total + in[first + i];
        give(lock);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = *total;
}
PLANTED(lock_step_spin, "lock-step-spin", "every lane of a warp takes a spin lock",
        "the first lane of a warp takes it for all", 1, planted_words, 0, planted_exact,
        expect_sum);

/* ---- flags ----------------------------------------------------------------------------------- */

static unsigned expect_copies_of_first(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < 8; i++)
        out[i] = in[i];
    return 8;
}

/* The consumer looks, then says that it sleeps. What is published in between wakes nobody. */
template <bool SOUND>
__global__ void lost_wake_up(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *mine = scratch + 4 * blockIdx.x;
    unsigned *ready = mine, *sleeping = mine + 1, *woken = mine + 2, *data = mine + 3;
    if (threadIdx.x == 0) {
        if (SOUND) {
            atomicExch(sleeping, 1u);
            __threadfence(); /* says it before it looks, as the producer does */
        }
        if (atomicAdd(ready, 0u) == 0) {
            if (!SOUND) atomicExch(sleeping, 1u);
            while (atomicAdd(woken, 0u) == 0) { /* planted: lost-wake-up */
            }
        }
        __threadfence(); /* the data after the flag */
        out[blockIdx.x] = __ldcg(data);
    } else if (threadIdx.x == 32) {
        *data = in[blockIdx.x];
        __threadfence();
        atomicExch(ready, 1u);
        __threadfence();
        if (atomicAdd(sleeping, 0u)) atomicExch(woken, 1u);
    }
}
PLANTED(lost_wake_up, "lost-wake-up", "a consumer looks, then says that it sleeps",
        "a consumer says that it sleeps, then looks", 8, 64, 0, planted_exact,
        expect_copies_of_first);

enum { chain_blocks = 8 };

/* Sums of the input's 8 parts, each with those before it. */
static unsigned expect_chain(const unsigned *in, unsigned *out)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < planted_words; i++) {
        sum += in[i];
        out[i / (planted_words / chain_blocks)] = sum;
    }
    return chain_blocks;
}

__device__ static unsigned own_sum(const unsigned *in)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < planted_words / chain_blocks; i++)
        sum += in[blockIdx.x * (planted_words / chain_blocks) + i];
    return sum;
}

/* A chained scan whose blocks do not wait for the sum of the block before them. */
template <bool SOUND>
__global__ void flag_not_awaited(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *flags = scratch, *sums = scratch + chain_blocks;
    unsigned sum = own_sum(in);
    if (blockIdx.x > 0) {
        while (SOUND && atomicAdd(&flags[blockIdx.x - 1], 0u) == 0) {
        }
        __threadfence(); /* the sum after the flag */
        sum += __ldcg(&sums[blockIdx.x - 1]);
    }
    sums[blockIdx.x] = out[blockIdx.x] = sum;
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1u);
}
PLANTED(flag_not_awaited, "flag-not-awaited", "a chained scan that waits for no flag",
        "a chained scan that waits for the flag before it", chain_blocks, 1, 0, planted_exact,
        expect_chain);

/* A chained scan that publishes the flag before the sum. */
template <bool SOUND>
__global__ void flag_before_sum(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *flags = scratch, *sums = scratch + chain_blocks;
    unsigned sum = own_sum(in);
    if (blockIdx.x > 0) {
        while (atomicAdd(&flags[blockIdx.x - 1], 0u) == 0) {
        }
        __threadfence(); /* the sum after the flag */
        sum += __ldcg(&sums[blockIdx.x - 1]);
    }
    if (!SOUND) atomicExch(&flags[blockIdx.x], 1u);
    sums[blockIdx.x] = out[blockIdx.x] = sum;
    __threadfence();
    if (SOUND) atomicExch(&flags[blockIdx.x], 1u);
}
PLANTED(flag_before_sum, "flag-before-sum", "a chained scan that sets its flag before its sum",
        "a chained scan that sets its sum before its flag", chain_blocks, 1, 0, planted_exact,
        expect_chain);

/* Every block waits for all of them, which may be more than are resident. In the twin the last to
 * arrive does what is left. */
template <bool SOUND>
__global__ void grid_barrier(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *arrived = &scratch[0], *total = &scratch[1];
    if (threadIdx.x != 0) return;
    atomicAdd(total, own_sum(in));
    __threadfence();
    const unsigned before = atomicAdd(arrived, 1u);
    while (!SOUND && atomicAdd(arrived, 0u) < gridDim.x) { /* planted: grid-barrier */
    }
    if (SOUND ? before == gridDim.x - 1 : blockIdx.x == 0) out[0] = __ldcg(total);
}
PLANTED(grid_barrier, "grid-barrier", "every block waits for all, more than are resident",
        "the last block to arrive does what is left", chain_blocks, 32, 0, planted_exact,
        expect_sum);
