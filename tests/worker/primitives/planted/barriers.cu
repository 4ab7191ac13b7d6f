/* Planted: barriers of a block and of a warp that are missing, or that some threads miss. */
#include "tests/worker/primitives/planted/planted.cuh"

static unsigned expect_reversed(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < planted_words; i++)
        out[i] = in[planted_words - 1 - i];
    return planted_words;
}

static unsigned expect_prefix_sums(const unsigned *in, unsigned *out)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < planted_words; i++)
        out[i] = sum += in[i];
    return planted_words;
}

static unsigned expect_sums_of_warps(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < planted_words / 32; i++)
        out[i] = 0;
    for (unsigned i = 0; i < planted_words; i++)
        out[i / 32] += in[i];
    return planted_words / 32;
}

/* Between the write of one thread and the read of another. */
template <bool SOUND> __global__ void missing_barrier(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned s[planted_words];
    s[threadIdx.x] = in[threadIdx.x];
    if (SOUND) __syncthreads();
    out[threadIdx.x] = s[planted_words - 1 - threadIdx.x];
}
PLANTED(missing_barrier, "missing-barrier", "no __syncthreads between write and read",
        "a __syncthreads between write and read", 1, planted_words, 0, planted_exact,
        expect_reversed);

/* A scan (Hillis and Steele) with a barrier between write and read, but none between read and
 * write. */
template <bool SOUND>
__global__ void missing_second_barrier(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned s[planted_words];
    unsigned mine = s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (unsigned d = 1; d < planted_words; d *= 2) {
        if (threadIdx.x >= d) mine += s[threadIdx.x - d];
        if (SOUND) __syncthreads();
        s[threadIdx.x] = mine;
        __syncthreads();
    }
    out[threadIdx.x] = mine;
}
PLANTED(missing_second_barrier, "missing-second-barrier", "no __syncthreads between read and write",
        "a __syncthreads between read and write", 1, planted_words, 0, planted_exact,
        expect_prefix_sums);

/* Lanes are taken to run in lock-step, as they did before Volta. */
template <bool SOUND>
__global__ void missing_syncwarp(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ volatile unsigned s[planted_words + 32];
    volatile unsigned *mine = s + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    *mine = in[threadIdx.x];
    for (unsigned d = 16; d; d /= 2) {
        if (SOUND) __syncwarp();
        const unsigned other = lane < d ? mine[d] : 0;
        if (SOUND) __syncwarp();
        *mine = *mine + other;
    }
    if (lane == 0) out[threadIdx.x / 32] = *mine;
}
PLANTED(missing_syncwarp, "missing-syncwarp", "a warp's sum without any __syncwarp",
        "a warp's sum with __syncwarp", 1, planted_words, 0, planted_exact, expect_sums_of_warps);

/* 200 words for 128 threads: the second turn of the loop, and its barrier, are for some alone. */
template <bool SOUND>
__global__ void divergent_barrier(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned s[128];
    const unsigned n = 200;
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; SOUND ? i - threadIdx.x < n : i < n; i += 128) {
        s[threadIdx.x] = i < n ? in[i] : 0;
        __syncthreads(); /* planted: divergent-barrier */
        sum += s[127 - threadIdx.x];
        __syncthreads();
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x];
}

/* What thread t of 128 takes in its own turns. */
static unsigned expect_turns(const unsigned *in, unsigned *out)
{
    for (unsigned t = 0; t < 128; t++)
        out[t] = in[t] + (t + 128 < 200 ? in[t + 128] : 0);
    return 128;
}
PLANTED(divergent_barrier, "divergent-barrier", "a barrier in a loop that some threads leave early",
        "a loop that all threads leave together", 1, 128, 0, planted_exact, expect_turns);
