/* How many of a long key's digits are sorted by. n random keys part by their upper log2(n) bits and
 * a few more; what the digits below could change is then so little that it is mended by looking at
 * neighbours (mend.cuh), for less than one pass. The last block of the count decides, from what it
 * knows anyway and a sample, and only speed depends on it:
 *
 * - From the top, digits are taken until the entropies of their counts, as if they were
 * independent, come to log2(n) + OS_MARGIN bits: of n even keys with B bits one in 2^B / n has a
 * neighbour that agrees with it in all of them.
 * - Digits need not be independent (an id that few keys have, hashed, above a number that all
 * have). So of a sample those keys are counted that agree with others in the upper digits and
 * differ below: while there are too many, one more digit is taken. */
#ifndef GB_RADIX_SORT_ONESWEEP_SHORTEN_CUH
#define GB_RADIX_SORT_ONESWEEP_SHORTEN_CUH

#include "common/cuda/warp.cuh"
#include "kernels/radix-sort/codec.cuh"
#include "kernels/radix-sort/onesweep/onesweep.h"

#include <math.h>

enum {
    OS_DIGITS = 1 << OS_BITS,
    OS_MAX_PASSES = 8,
    OS_COUNT_THREADS = 1024,
    OS_SAMPLE_SLOTS = 1 << 14 /* of the sample's table, twice its keys, at most */
};
/* Bits beyond log2(n), half a bit below a whole number, for uniform keys' entropies are a little
 * below 8. With 4 bits one key in 16 is met by another one; with 12, one in 4096. */
#if !defined(OS_MARGIN)
#define OS_MARGIN 3.5f
#endif
/* With so many others a key may agree in the upper digits, on average and by the sample. */
#if !defined(OS_MOST_ALIKE)
#define OS_MOST_ALIKE 4.0f
#endif

/* The bits that keys are ordered by, cut out of their images. */
struct os_field {
    unsigned up, down;
    __device__ __forceinline__ os_field(unsigned key_bits, unsigned begin_bit, unsigned end_bit)
        : up(key_bits - end_bit), down(key_bits - end_bit + begin_bit)
    {
    }
    template <class Key> __device__ __forceinline__ Key operator()(Key image) const
    {
        return (Key)(image << up) >> down;
    }
};

/* Keys of a sort, of which some are looked at. */
template <class Key> struct os_sampled {
    const Key *keys;
    uint64_t n;
    const rs_codec &codec;
    os_field field;

    /* Key k of a sample: somewhere in its stretch, so that no period of the data is followed. */
    __device__ __forceinline__ Key sampled(unsigned k, uint64_t stretch) const
    {
        return keys[k * stretch + gb_scatter32(k) % (unsigned)stretch];
    }
};

/* What a sample tells of its keys. */
struct os_sample {
    unsigned
        clashes;     /* keys that agree with one before them in the upper digits and differ below */
    unsigned single; /* keys that no other one equals */
};

/* Looks at so many keys by all but the left_out lowest digits. table: so many slots (a power of
 * two) in shared memory. All threads of the block. */
static __device__ __forceinline__ os_sample
os_look_at_sample(const os_sampled<unsigned long long> &of, unsigned left_out,
                  unsigned long long *table, unsigned slots, unsigned keys)
{
    __shared__ unsigned clashes, single;
    __shared__ unsigned met[OS_SAMPLE_SLOTS / 32]; /* a bit a slot: its key has been met again */
    const unsigned long long nothing = ~0ull;
    const uint64_t stretch = of.n / keys;
    __syncthreads();
    for (unsigned s = threadIdx.x; s < slots; s += OS_COUNT_THREADS)
        table[s] = nothing;
    if (threadIdx.x < OS_SAMPLE_SLOTS / 32) met[threadIdx.x] = 0;
    if (threadIdx.x == 0) clashes = single = 0;
    __syncthreads();
    unsigned clashing = 0;
    for (unsigned k = threadIdx.x; k < keys; k += OS_COUNT_THREADS) {
        const unsigned long long field =
            of.field(rs_order(of.codec, rs_encode(of.codec, of.sampled(k, stretch))));
        const unsigned long long top = field >> (left_out * OS_BITS);
        if (field == nothing) continue;
        unsigned slot = gb_scatter32((unsigned)top ^ gb_scatter32((unsigned)(top >> 32)));
        for (;; slot++) {
            const unsigned at_slot = slot & (slots - 1);
            const unsigned long long held = atomicCAS(&table[at_slot], nothing, field);
            if (held == nothing) break;
            if (held == field) atomicOr(&met[at_slot / 32], 1u << at_slot % 32);
            if (held == field) break;
            if (held >> (left_out * OS_BITS) != top) continue;
            clashing++;
            break;
        }
    }
    if (clashing) atomicAdd(&clashes, clashing);
    __syncthreads();
    unsigned alone = 0;
    for (unsigned s = threadIdx.x; s < slots; s += OS_COUNT_THREADS)
        alone += table[s] != nothing && !(met[s / 32] >> s % 32 & 1);
    if (alone) atomicAdd(&single, alone);
    __syncthreads();
    return os_sample{clashes, single};
}

/* So many of the lowest digits may be left out of `passes` by the entropies of the digits. */
static __device__ __forceinline__ unsigned os_left_out_by_counts(uint64_t n, unsigned passes,
                                                                 const float *entropies)
{
    const float wanted = log2f((float)n) + OS_MARGIN;
    float bits = 0;
    for (unsigned p = passes; p-- > 0;) {
        bits += entropies[p];
        if (bits >= wanted) return p;
    }
    return 0;
}

/* ... and by a sample: fewer, or where keys are of few values perhaps more. All threads of the
 * block. */
static __device__ __forceinline__ unsigned
os_left_out_by_sample(const os_sampled<unsigned long long> &of, unsigned passes, unsigned left_out,
                      unsigned char *shared, unsigned shared_bytes)
{
    unsigned slots = OS_SAMPLE_SLOTS;
    while (slots * sizeof(unsigned long long) > shared_bytes)
        slots /= 2;
    const unsigned keys = slots / 2 < of.n ? slots / 2 : (unsigned)of.n;
    /* of pairs of keys so many agree, by the sample; of each key's pairs there are n */
    const float alike = 2.0f * (float)of.n / ((float)keys * (float)keys);
    unsigned asked = 0; /* for all of them at once, so that looking does not wait for each */
#pragma unroll
    for (unsigned k = 0; k < OS_SAMPLE_SLOTS / 2; k += OS_COUNT_THREADS)
        if (k + threadIdx.x < keys) asked ^= (unsigned)of.sampled(k + threadIdx.x, of.n / keys);
    (void)gb_forget(asked);
    auto look = [&](unsigned left) {
        return os_look_at_sample(of, left, reinterpret_cast<unsigned long long *>(shared), slots,
                                 keys);
    };
    unsigned left = left_out;
    os_sample sample = look(left);
    if (!sample.single) { /* few values: what tells them apart is enough */
        for (left = passes - 1; left > 0 && look(left).clashes; left--) {
        }
        return left;
    }
    while (left > 0 && (float)sample.clashes * alike > OS_MOST_ALIKE)
        if (--left) sample = look(left);
    return left;
}

#endif
