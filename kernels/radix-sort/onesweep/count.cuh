/* What onesweep does before it moves anything: counts all digits in one read and makes the plan. */
#ifndef GB_RADIX_SORT_ONESWEEP_COUNT_CUH
#define GB_RADIX_SORT_ONESWEEP_COUNT_CUH

#include "common/cuda/warp.cuh"
#include "kernels/radix-sort/codec.cuh"
#include "kernels/radix-sort/onesweep/onesweep.h"

enum {
    OS_DIGITS = 1 << OS_BITS,
    OS_MAX_PASSES = 8,
    OS_COUNT_THREADS = 1024,
    OS_COUNT_DIGITS = 4, /* digits counted in one read */
    OS_LOOK_AHEAD = 4    /* words of earlier tiles that are asked for at a time */
};

/* What one pass does, decided on the device once the digits are counted. */
typedef struct os_step {
    unsigned active;   /* else all keys have the same digit, and the pass is left out */
    unsigned ordinal;  /* how many active passes come before */
    unsigned from, to; /* buffers: 0 input, 1 scratch, 2 output */
    unsigned first, last;
} os_step;

typedef struct os_plan {
    os_step step[OS_MAX_PASSES];
    unsigned active;  /* how many steps are; 0: the last pass copies the input to the output */
    unsigned counted; /* blocks of os_count that have added their counts */
    unsigned ticket[OS_MAX_PASSES]; /* the next tile of each pass */
} os_plan;

/* The arrays of a sort. 0 input, 1 scratch, 2 output. */
template <class Key> struct os_buffers {
    Key *keys_in, *keys_scratch, *keys_out;
    uint32_t *payload_in, *payload_scratch, *payload_out; /* NULL without payload */
};

template <class T>
__device__ __forceinline__ T *os_pick(unsigned which, T *input, T *scratch, T *output)
{
    return which == 0 ? input : which == 1 ? scratch : output;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* From counts, where the digits begin; which passes are needed; from where to where each moves the
 * keys, so that the last one writes the output. Clears what the next sort expects to be 0. All
 * threads of a block call it. */
template <class Position>
__device__ void os_make_plan(uint64_t n, unsigned passes, Position *counts, Position *begins,
                             os_plan *plan)
{
    __shared__ Position sums[GB_WARP + 1];
    __shared__ unsigned constant[OS_MAX_PASSES];
    enum { AT_ONCE = OS_COUNT_THREADS / OS_DIGITS };
    if (threadIdx.x < OS_MAX_PASSES) {
        constant[threadIdx.x] = 0;
        plan->ticket[threadIdx.x] = 0;
    }
    __syncthreads();
    for (unsigned first = 0; first < passes; first += AT_ONCE) {
        const unsigned row = threadIdx.x / OS_DIGITS, pass = first + row;
        const unsigned place = first * OS_DIGITS + threadIdx.x;
        const Position count = pass < passes ? ((volatile Position *)counts)[place] : (Position)0;
        Position total;
        const Position before = gb_block_exclusive_sum<OS_COUNT_THREADS>(count, sums, &total);
        if (pass >= passes) continue;
        begins[place] = before - row * (Position)n; /* the rows above sum up to n each */
        counts[place] = 0;
        if (count == n) constant[pass] = 1;
    }
    __syncthreads();
    if (threadIdx.x) return;
    unsigned active = 0, done = 0;
    for (unsigned p = 0; p < passes; p++)
        active += !constant[p];
    for (unsigned p = 0; p < passes; p++) {
        os_step *step = &plan->step[p];
        step->active = !constant[p];
        if (!step->active) continue;
        step->ordinal = done++;
        step->first = done == 1;
        step->last = done == active;
        /* the steps that are left after this one end in the output if their number is even */
        step->to = (active - done) % 2 ? 1 : 2;
        step->from = step->first ? 0 : 3 - step->to;
    }
    plan->active = active;
    plan->counted = 0;
}

/* Where keys are counted. Counters lie side by side in 2^log_copies copies, 256 of them for each
 * digit. Finding them is what bounds counting, so it takes two instructions: one turns a digit to
 * where it addresses its counter, in bytes, and one cuts it out and adds what does not depend on
 * the key. */
struct os_counters {
    unsigned turn[OS_COUNT_DIGITS], mask[OS_COUNT_DIGITS], base[OS_COUNT_DIGITS];

    /* From bit `begin` of 32, `bits` bits are digits. */
    __device__ __forceinline__ os_counters(unsigned begin, unsigned bits, unsigned log_copies,
                                           unsigned copy)
    {
        const unsigned log_bytes = log_copies + 2;
#pragma unroll
        for (unsigned d = 0; d < OS_COUNT_DIGITS; d++) {
            const unsigned at = d * OS_BITS, left = bits > at ? bits - at : 0;
            turn[d] = (log_bytes - begin - at) & 31;
            mask[d] = ((1u << (left < OS_BITS ? left : (unsigned)OS_BITS)) - 1) << log_bytes;
            base[d] = (d * OS_DIGITS << log_bytes) + copy * 4;
        }
    }
    __device__ __forceinline__ unsigned offset(unsigned word, unsigned d) const
    {
        return (__funnelshift_l(word, word, turn[d]) & mask[d]) | base[d];
    }
};

/* Counts DIGITS digits of the keys, as many at a time as hide the way to memory. wide_begin: of
 * 64-bit keys, the bit that the counters take for bit 0. */
template <int DIGITS, class Key>
__device__ __forceinline__ void os_count_keys(const Key *__restrict__ keys, uint64_t n,
                                              const rs_codec &codec, unsigned wide_begin,
                                              const os_counters &counters, unsigned char *shared)
{
    enum { VECTOR = 16 / sizeof(Key), UNROLL = 4 };
    struct alignas(16) vector {
        Key key[VECTOR];
    };
    auto add = [&](Key key) {
        const unsigned word =
            sizeof(Key) == 8 ? (unsigned)((uint64_t)key >> wide_begin) : (unsigned)key;
#pragma unroll
        for (int d = 0; d < DIGITS; d++)
            atomicAdd(reinterpret_cast<unsigned *>(shared + counters.offset(word, d)), 1u);
    };
    auto add_all = [&](vector &keys_of) {
        if (!codec.identity) {
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                keys_of.key[v] = rs_order(codec, rs_encode(codec, keys_of.key[v]));
        }
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            add(keys_of.key[v]);
    };
    const uint64_t stride = (uint64_t)gridDim.x * OS_COUNT_THREADS;
    const uint64_t vectors = n / VECTOR;
    const vector *all = reinterpret_cast<const vector *>(keys);
    uint64_t i = (uint64_t)blockIdx.x * OS_COUNT_THREADS + threadIdx.x;
    for (; i + (UNROLL - 1) * stride < vectors; i += UNROLL * stride) {
        vector four[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            four[u] = all[i + u * stride];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            add_all(four[u]);
    }
    vector rest[UNROLL]; /* fewer, and at once, too */
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        if (i + u * stride < vectors) rest[u] = all[i + u * stride];
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        if (i + u * stride < vectors) add_all(rest[u]);
    if (blockIdx.x > 0 || threadIdx.x >= n % VECTOR) return;
    const Key last = keys[vectors * VECTOR + threadIdx.x];
    add(codec.identity ? last : rs_order(codec, rs_encode(codec, last)));
}

/* Counts up to OS_COUNT_DIGITS digits from digit `first` on. 2^log_copies of each counter stand
 * side by side, one for each lane that may come at the same time: 32 are free of conflicts. The
 * words of the first pass are cleared on the way; the last block to finish the last digits makes
 * the plan. */
template <class Key, class Position>
__global__ void __launch_bounds__(OS_COUNT_THREADS)
    os_count(const Key *__restrict__ keys, uint64_t n, rs_codec codec, unsigned begin_bit,
             unsigned end_bit, unsigned first, unsigned passes, unsigned log_copies,
             const unsigned *only_if, Position *counts, Position *begins, os_plan *plan,
             Position *__restrict__ words, uint64_t word_count)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned last_block;
    if (only_if && !*only_if) return;
    unsigned *shared = reinterpret_cast<unsigned *>(gb_shared_memory);
    const unsigned copies = 1u << log_copies;
    const unsigned digits =
        passes - first < OS_COUNT_DIGITS ? passes - first : (unsigned)OS_COUNT_DIGITS;
    for (unsigned i = threadIdx.x; i < digits * OS_DIGITS * copies; i += OS_COUNT_THREADS)
        shared[i] = 0;
    __syncthreads();

    const unsigned begin = begin_bit + first * OS_BITS;
    const os_counters counters(sizeof(Key) == 8 ? 0 : begin, end_bit - begin, log_copies,
                               threadIdx.x & (copies - 1));
    switch (digits) {
    case 1:
        os_count_keys<1>(keys, n, codec, begin, counters, gb_shared_memory);
        break;
    case 2:
        os_count_keys<2>(keys, n, codec, begin, counters, gb_shared_memory);
        break;
    case 3:
        os_count_keys<3>(keys, n, codec, begin, counters, gb_shared_memory);
        break;
    default:
        os_count_keys<4>(keys, n, codec, begin, counters, gb_shared_memory);
        break;
    }
    if (first == 0)
        for (uint64_t w = (uint64_t)blockIdx.x * OS_COUNT_THREADS + threadIdx.x; w < word_count;
             w += (uint64_t)gridDim.x * OS_COUNT_THREADS)
            words[w] = 0;
    __syncthreads();
    for (unsigned d = threadIdx.x; d < digits * OS_DIGITS; d += OS_COUNT_THREADS) {
        unsigned sum = 0;
        for (unsigned c = 0; c < copies; c++)
            sum += shared[d * copies + ((c + d) & (copies - 1))];
        if (sum) atomicAdd(&counts[first * OS_DIGITS + d], (Position)sum);
    }
    if (first + digits < passes) return;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last_block = atomicAdd(&plan->counted, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last_block) os_make_plan(n, passes, counts, begins, plan);
}

#endif
