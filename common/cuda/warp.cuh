/* Warp-level building blocks that hide what a generation lacks: a full warp of 32 converged lanes
 * calls each of them. */
#ifndef GB_CUDA_WARP_CUH
#define GB_CUDA_WARP_CUH

#include "common/cuda/device.cuh"

enum { GB_WARP = 32 };
#define GB_FULL_MASK 0xffffffffu

/* The lane of a thread in a one-dimensional block. */
__device__ __forceinline__ unsigned gb_lane()
{
    return threadIdx.x & 31u;
}

/* The lanes below the caller's. */
__device__ __forceinline__ unsigned gb_lanes_below()
{
    return (1u << gb_lane()) - 1u;
}

/* Between two instructions of which each is to be done by all lanes before the next one is begun.
 * Hardware issues a warp's instructions so, though nobody promises it; on the CPU lanes run one by
 * one to where they meet. */
__device__ __forceinline__ void gb_lockstep()
{
#if !defined(__CUDACC__)
    simt_lockstep();
#endif
}

/* Where a thread asks again for what another one will have written. On a GPU the other one runs
 * anyway; on the simt device it is let go on here. */
__device__ __forceinline__ void gb_ask_again()
{
#if !defined(__CUDACC__)
    simt_pause();
#endif
}

/* value, but the compiler does not know that: what was computed from it before is computed anew
 * rather than kept in registers. */
__device__ __forceinline__ unsigned gb_forget(unsigned value)
{
#if defined(__CUDACC__)
    asm volatile("" : "+r"(value));
#endif
    return value;
}

/* Of two numbers of 16 bits in a word, each: the smaller, the larger. */
__device__ __forceinline__ unsigned gb_min_halves(unsigned a, unsigned b)
{
#if defined(__CUDACC__)
    return __vminu2(a, b);
#else
    const unsigned low = (a & 0xffffu) < (b & 0xffffu) ? a : b;
    return ((a >> 16 < b >> 16 ? a : b) & 0xffff0000u) | (low & 0xffffu);
#endif
}
__device__ __forceinline__ unsigned gb_max_halves(unsigned a, unsigned b)
{
#if defined(__CUDACC__)
    return __vmaxu2(a, b);
#else
    const unsigned low = (a & 0xffffu) < (b & 0xffffu) ? b : a;
    return ((a >> 16 < b >> 16 ? b : a) & 0xffff0000u) | (low & 0xffffu);
#endif
}

/* A word that others change by atomics, as it is now: a plain load, which orders nothing. */
__device__ __forceinline__ unsigned gb_glance(const unsigned *at)
{
#if defined(__CUDACC__)
    return *static_cast<const volatile unsigned *>(at);
#else
    return __atomic_load_n(at, __ATOMIC_RELAXED); /* the same, and ThreadSanitizer knows it */
#endif
}

/* Whether all other blocks of the grid have called this before: what they wrote until then is seen
 * by loads past the first-level cache. ticket: 0 at the start. All threads of the block call it,
 * once. */
__device__ __forceinline__ bool gb_is_last_block(unsigned *ticket)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) __threadfence();
    return last;
}

/* Which lanes hold which value, told by one ballot a bit (Ashkiani et al. 2017); it beats the match
 * instruction where few bits count. */
template <int BITS> struct gb_ballots {
    unsigned bit[BITS];
    unsigned valid; /* lanes that have a value at all */
};

template <int BITS>
__device__ __forceinline__ gb_ballots<BITS> gb_ballot_bits(unsigned value, bool ok)
{
    gb_ballots<BITS> result;
#pragma unroll
    for (int b = 0; b < BITS; b++)
        result.bit[b] = __ballot_sync(GB_FULL_MASK, (value >> b) & 1u);
    result.valid = __ballot_sync(GB_FULL_MASK, ok);
    return result;
}

/* All ones where bit b of value is 0: x ^ gb_flip(value, b) is x where the bit is set, else ~x, and
 * together with the AND that follows one logic instruction. */
__device__ __forceinline__ unsigned gb_flip(unsigned value, int b)
{
    return ((value >> b) & 1u) - 1u;
}

/* The lanes of `among` whose bits [FIRST, LAST) are those of `wanted`. */
template <int FIRST, int LAST, int BITS>
__device__ __forceinline__ unsigned gb_lanes_with(const gb_ballots<BITS> &ballots, unsigned wanted,
                                                  unsigned among)
{
#pragma unroll
    for (int b = FIRST; b < LAST; b++)
        among &= ballots.bit[b] ^ gb_flip(wanted, b);
    return among;
}

/* The lanes that hold `wanted`. */
template <int BITS>
__device__ __forceinline__ unsigned gb_lanes_with(const gb_ballots<BITS> &ballots, unsigned wanted)
{
    return gb_lanes_with<0, BITS>(ballots, wanted, ballots.valid);
}

/* The stable rank of the lane's value among its equals: those that the warp met in earlier calls
 * come first, then those of lower lanes. running (the warp's own, in shared memory, 0 at first) has
 * how many of each value were met, and counts the lanes that are `ok` in; the rank of others means
 * nothing. */
template <int BITS, class Counter>
__device__ __forceinline__ unsigned gb_warp_rank(unsigned value, bool ok, Counter *running)
{
    const unsigned peers = gb_lanes_with(gb_ballot_bits<BITS>(value, ok), value);
    const unsigned before = running[value];
    const unsigned rank = __popc(peers & gb_lanes_below());
    __syncwarp();
    if (ok && rank == 0) running[value] = (Counter)(before + __popc(peers));
    __syncwarp();
    return before + rank;
}

/* The lanes whose value, of so many bits, is the caller's. As gb_lanes_with, written so that a bit
 * costs a vote, a complement and two thirds of an AND: this is what a stable partition's speed
 * hangs on. */
template <int BITS> __device__ __forceinline__ unsigned gb_peers(unsigned value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 500
    unsigned same[BITS];
#pragma unroll
    for (int b = 0; b < BITS; b++)
        asm("{ .reg .pred set; .reg .b32 bit; and.b32 bit, %1, %2; setp.ne.u32 set, bit, 0; "
            "vote.sync.ballot.b32 %0, set, 0xffffffff; @!set not.b32 %0, %0; }"
            : "=r"(same[b])
            : "r"(value), "r"(1u << b));
    unsigned peers = same[0];
    /* 0x80: the AND of all three */
#pragma unroll
    for (int b = 1; b + 1 < BITS; b += 2)
        asm("lop3.b32 %0, %0, %1, %2, 0x80;" : "+r"(peers) : "r"(same[b]), "r"(same[b + 1]));
    return BITS % 2 ? peers : peers & same[BITS - 1];
#else
    return gb_lanes_with(gb_ballot_bits<BITS>(value, true), value);
#endif
}

/* Inclusive prefix sum over the lanes. */
template <class T> __device__ __forceinline__ T gb_warp_inclusive_sum(T value)
{
#pragma unroll
    for (int d = 1; d < GB_WARP; d <<= 1) {
        T below = __shfl_up_sync(GB_FULL_MASK, value, d);
        if ((int)gb_lane() >= d) value += below;
    }
    return value;
}

/* The sum over the lanes, in every lane. */
template <class T> __device__ __forceinline__ T gb_warp_sum(T value)
{
#pragma unroll
    for (int d = GB_WARP / 2; d; d >>= 1)
        value += __shfl_xor_sync(GB_FULL_MASK, value, d);
    return value;
}

/* The least of the lanes' numbers, in every lane. */
__device__ __forceinline__ float gb_warp_min(float value)
{
#pragma unroll
    for (int d = GB_WARP / 2; d; d >>= 1)
        value = fminf(value, __shfl_xor_sync(GB_FULL_MASK, value, d));
    return value;
}

/* Exclusive prefix sum over a block of THREADS (a multiple of 32, at most 1024) threads; *total is
 * the block's sum. shared: 33 values of T; it may be reused after the next barrier. */
template <int THREADS, class T>
__device__ __forceinline__ T gb_block_exclusive_sum(T value, T *shared, T *total)
{
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    const T inclusive = gb_warp_inclusive_sum(value);
    __syncthreads();
    if (lane == GB_WARP - 1) shared[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
        const T sum = lane < THREADS / GB_WARP ? shared[lane] : T(0);
        const T scanned = gb_warp_inclusive_sum(sum);
        shared[lane] = scanned - sum;
        if (lane == GB_WARP - 1) shared[GB_WARP] = scanned;
    }
    __syncthreads();
    *total = shared[GB_WARP];
    return shared[warp] + inclusive - value;
}

/* The same with one barrier: shared (THREADS / 32 values) must not be in use by anybody when the
 * block arrives, and not be used again before the next barrier. */
template <int THREADS, class T>
__device__ __forceinline__ T gb_block_exclusive_sum_once(T value, T *shared, T *total)
{
    enum { WARPS = THREADS / GB_WARP };
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    const T inclusive = gb_warp_inclusive_sum(value);
    if (lane == GB_WARP - 1) shared[warp] = inclusive;
    __syncthreads();
    const T sums = gb_warp_inclusive_sum(lane < WARPS ? shared[lane] : T(0));
    *total = __shfl_sync(GB_FULL_MASK, sums, WARPS - 1);
    const T before = __shfl_sync(GB_FULL_MASK, sums, warp ? warp - 1 : 0);
    return (warp ? before : T(0)) + inclusive - value;
}

#endif
