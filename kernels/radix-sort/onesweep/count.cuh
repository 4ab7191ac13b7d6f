/* What onesweep does before it moves anything: counts all digits in one read and makes the plan. */
#ifndef GB_RADIX_SORT_ONESWEEP_COUNT_CUH
#define GB_RADIX_SORT_ONESWEEP_COUNT_CUH

#include "kernels/radix-sort/onesweep/shorten.cuh"

enum {
    OS_WORD_DIGITS = 4, /* digits of a word of 32 bits */
    OS_LOOK_AHEAD = 4   /* words of earlier tiles that are asked for at a time */
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
    unsigned varying;               /* a bit a digit: not all keys have the same */
    unsigned left_out;              /* the lowest digits, which os_mend is to see to */
    unsigned again; /* not 0: it could not, and all digits are sorted by after all */
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

/* The steps of a sort by the digits that have a bit in `digits`; so many steps were done before.
 * The last one writes the output. */
static __device__ __forceinline__ void os_plan_steps(unsigned passes, unsigned digits,
                                                     unsigned before, os_plan *plan)
{
    const unsigned active = (unsigned)__popc(digits);
    unsigned done = 0;
    for (unsigned p = 0; p < passes; p++) {
        os_step *step = &plan->step[p];
        step->active = digits >> p & 1;
        if (!step->active) continue;
        step->ordinal = before + done++;
        step->first = done == 1;
        step->last = done == active;
        /* the steps that are left after this one end in the output if their number is even */
        step->to = (active - done) % 2 ? 1 : 2;
        step->from = step->first ? 0 : 3 - step->to;
    }
    plan->active = active;
}

/* The entropy of a count's digit, its part of it. */
__device__ __forceinline__ float os_entropy_of(float count, float n)
{
    return count > 0 ? count / n * log2f(n / count) : 0;
}

/* From counts, where the digits begin; which passes are needed; from where to where each moves the
 * keys, so that the last one writes the output. Clears what the next sort expects to be 0.
 * may_leave_out: the lowest digits may be left to os_mend, where that pays. shared: of so many
 * bytes, for a sample. All threads of a block call it. */
template <class Key, class Position>
__device__ void os_make_plan(const os_sampled<Key> &of, unsigned passes, bool may_leave_out,
                             Position *counts, Position *begins, os_plan *plan,
                             unsigned char *shared, unsigned shared_bytes)
{
    __shared__ Position sums[GB_WARP + 1];
    __shared__ unsigned constant[OS_MAX_PASSES], left_out;
    __shared__ float entropies[OS_MAX_PASSES], parts[GB_WARP];
    enum { AT_ONCE = OS_COUNT_THREADS / OS_DIGITS, PARTS = OS_DIGITS / GB_WARP };
    const uint64_t n = of.n;
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
        const float part = gb_warp_sum(os_entropy_of((float)count, (float)n));
        if (gb_lane() == 0) parts[threadIdx.x / GB_WARP] = part;
        __syncthreads();
        if (pass >= passes) continue;
        begins[place] = before - row * (Position)n; /* the rows above sum up to n each */
        counts[place] = 0;
        if (count == n) constant[pass] = 1;
        if (threadIdx.x % OS_DIGITS) continue;
        entropies[pass] = 0;
        for (int w = 0; w < PARTS; w++)
            entropies[pass] += parts[row * PARTS + w];
    }
    __syncthreads();
    if (threadIdx.x == 0) left_out = os_left_out_by_counts(n, passes, entropies);
    __syncthreads();
    unsigned left = 0;
    if constexpr (sizeof(Key) == 8)
        if (may_leave_out) left = os_left_out_by_sample(of, passes, left_out, shared, shared_bytes);
    if (threadIdx.x) return;
    unsigned varying = 0;
    for (unsigned p = 0; p < passes; p++)
        varying |= (unsigned)!constant[p] << p;
    os_plan_steps(passes, varying >> left << left, 0, plan);
    plan->varying = varying;
    plan->left_out = left;
    plan->again = 0;
    plan->counted = 0;
}

/* Where keys are counted. Counters lie side by side in 2^log_copies copies, 256 of them for each
 * digit. Finding them is what bounds counting, so it takes two instructions: one turns a digit to
 * where it addresses its counter, in bytes, and one cuts it out and adds what does not depend on
 * the key. */
struct os_counters {
    unsigned turn[OS_WORD_DIGITS], mask[OS_WORD_DIGITS], base[OS_WORD_DIGITS];

    /* From bit `begin` of 32, `bits` bits are digits, of which the lowest is digit `first`. */
    __device__ __forceinline__ os_counters(unsigned begin, unsigned bits, unsigned first,
                                           unsigned log_copies, unsigned copy)
    {
        const unsigned log_bytes = log_copies + 2;
#pragma unroll
        for (unsigned d = 0; d < OS_WORD_DIGITS; d++) {
            const unsigned at = d * OS_BITS, left = bits > at ? bits - at : 0;
            turn[d] = (log_bytes - begin - at) & 31;
            mask[d] = ((1u << (left < OS_BITS ? left : (unsigned)OS_BITS)) - 1) << log_bytes;
            base[d] = ((first + d) * OS_DIGITS << log_bytes) + copy * 4;
        }
    }
    __device__ __forceinline__ unsigned offset(unsigned word, unsigned d) const
    {
        return (__funnelshift_l(word, word, turn[d]) & mask[d]) | base[d];
    }
};

/* The counters of a key's digits: of one word, or of the two that begin at bit `begin`. */
template <class Key> struct os_key_counters {
    os_counters low, high;
    unsigned begin;

    __device__ __forceinline__ os_key_counters(unsigned begin_bit, unsigned bits,
                                               unsigned log_copies, unsigned copy)
        : low(sizeof(Key) == 8 ? 0 : begin_bit, bits, 0, log_copies, copy),
          high(0, bits > 32 ? bits - 32 : 0, OS_WORD_DIGITS, log_copies, copy), begin(begin_bit)
    {
    }
    template <int DIGITS>
    __device__ __forceinline__ void add_digits(Key key, unsigned char *shared) const
    {
        if (sizeof(Key) == 8) key = (Key)((uint64_t)key >> begin);
        const unsigned upper = sizeof(Key) == 8 ? (unsigned)((uint64_t)key >> 32) : 0;
#pragma unroll
        for (int d = 0; d < DIGITS; d++) {
            const unsigned at = d < OS_WORD_DIGITS ? low.offset((unsigned)key, d)
                                                   : high.offset(upper, d - OS_WORD_DIGITS);
            atomicAdd(reinterpret_cast<unsigned *>(shared + at), 1u);
        }
    }
};

/* Counts DIGITS digits of the keys, as many at a time as hide the way to memory. */
template <int DIGITS, class Key>
__device__ __forceinline__ void
os_count_keys(const Key *__restrict__ keys, uint64_t n, const rs_codec &codec,
              const os_key_counters<Key> &counters, unsigned char *shared)
{
    enum { VECTOR = 16 / sizeof(Key), UNROLL = 4 };
    struct alignas(16) vector {
        Key key[VECTOR];
    };
    auto add = [&](Key key) { counters.template add_digits<DIGITS>(key, shared); };
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

/* The same for so many digits, up to MOST. */
template <int MOST, class Key>
__device__ __forceinline__ void
os_count_digits(unsigned digits, const Key *__restrict__ keys, uint64_t n, const rs_codec &codec,
                const os_key_counters<Key> &counters, unsigned char *shared)
{
    if constexpr (MOST > 1) {
        if (digits < MOST) {
            os_count_digits<MOST - 1>(digits, keys, n, codec, counters, shared);
            return;
        }
    }
    os_count_keys<MOST>(keys, n, codec, counters, shared);
}

/* Counts all digits of the keys in one read. 2^log_copies of each counter stand side by side, one
 * for each lane that may come at the same time: 32 are free of conflicts. The words of the first
 * pass are cleared on the way; the last block makes the plan (os_make_plan). */
template <class Key, class Position>
__global__ void __launch_bounds__(OS_COUNT_THREADS)
    os_count(const Key *__restrict__ keys, uint64_t n, rs_codec codec, unsigned begin_bit,
             unsigned end_bit, unsigned passes, unsigned log_copies, bool may_leave_out,
             const unsigned *only_if, Position *counts, Position *begins, os_plan *plan,
             Position *__restrict__ words, uint64_t word_count)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned last_block;
    if (only_if && !*only_if) {
        if (blockIdx.x == 0 && threadIdx.x == 0) plan->again = 0; /* of the sort before */
        return;
    }
    unsigned *shared = reinterpret_cast<unsigned *>(gb_shared_memory);
    const unsigned copies = 1u << log_copies, counters = passes * OS_DIGITS * copies;
    for (unsigned i = threadIdx.x; i < counters; i += OS_COUNT_THREADS)
        shared[i] = 0;
    __syncthreads();
    os_count_digits<sizeof(Key)>(passes, keys, n, codec,
                                 os_key_counters<Key>(begin_bit, end_bit - begin_bit, log_copies,
                                                      threadIdx.x & (copies - 1)),
                                 gb_shared_memory);
    for (uint64_t w = (uint64_t)blockIdx.x * OS_COUNT_THREADS + threadIdx.x; w < word_count;
         w += (uint64_t)gridDim.x * OS_COUNT_THREADS)
        words[w] = 0;
    __syncthreads();
    for (unsigned d = threadIdx.x; d < passes * OS_DIGITS; d += OS_COUNT_THREADS) {
        unsigned sum = 0;
        for (unsigned c = 0; c < copies; c++)
            sum += shared[d * copies + ((c + d) & (copies - 1))];
        if (sum) atomicAdd(&counts[d], (Position)sum);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last_block = atomicAdd(&plan->counted, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last_block) return;
    const os_sampled<Key> of = {keys, n, codec, os_field(8 * sizeof(Key), begin_bit, end_bit)};
    os_make_plan(of, passes, may_leave_out, counts, begins, plan, gb_shared_memory, counters * 4);
}

#endif
