/* Slots for a tile's elements: a key draws one by an atomic addition to its digit's word in shared
 * memory. */
#ifndef GB_MULTIPARTITION_DRAW_CUH
#define GB_MULTIPARTITION_DRAW_CUH

#include "kernels/multipartition/counts.cuh"
#include "kernels/multipartition/partition/combine.cuh"
#include "kernels/multipartition/partition/crowd.cuh"

/* The kinds of kernels that leave the order in a digit open: what one kind needs costs all others
 * some percent. */
typedef enum mp_kind {
    MP_PLAIN,
    MP_OF_TWO,     /* for two digits */
    MP_OF_FOUR,    /* for three and four: each has three words and buffers, lanes take turns; */
    MP_OF_FEW,     /* for up to MP_FEW: each has two */
    MP_FOR_CROWDS, /* for digits that may have a crowd */
    MP_COUNTING    /* the digit is a bin's upper bits, and whole bins are counted in passing */
} mp_kind;

enum { MP_FEW = 8 };

/* Words and buffers of a digit. */
static __host__ __device__ constexpr int mp_spread(mp_kind kind)
{
    return kind == MP_OF_FOUR ? 3 : kind == MP_OF_FEW ? 2 : 1;
}

static const unsigned MP_NO_SLOT = 0xffffu; /* a word whose slot is behind its buffer's end */

/* Draws slots for a thread's digits, of which the valid ones count. Where four neighbours of all
 * lanes agree, as in sorted or constant input, one lane draws for all: 128 additions to one word
 * would queue up. */
template <int ITEMS>
__device__ __forceinline__ void mp_draw(unsigned *words, const unsigned (&digit)[ITEMS],
                                        unsigned valid, unsigned (&word)[ITEMS])
{
    bool alike = false;
#pragma unroll
    for (int i = 0; i < ITEMS; i += 4)
        alike |= digit[i] == digit[i + 1] && digit[i] == digit[i + 2] && digit[i] == digit[i + 3];
    const bool whole = __all_sync(GB_FULL_MASK, valid == ~0u >> (32 - ITEMS));
    if (whole && !__all_sync(GB_FULL_MASK, alike)) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            word[i] = atomicAdd(&words[digit[i]], 1u);
        return;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i += 4) {
        const bool same =
            digit[i] == digit[i + 1] && digit[i] == digit[i + 2] && digit[i] == digit[i + 3];
        const unsigned first = __shfl_sync(GB_FULL_MASK, digit[i], 0);
        if (__all_sync(GB_FULL_MASK, whole && same && digit[i] == first)) {
            unsigned drawn = 0;
            if (gb_lane() == 0) drawn = atomicAdd(&words[first], 4 * GB_WARP);
            drawn = __shfl_sync(GB_FULL_MASK, drawn, 0);
#pragma unroll
            for (int k = 0; k < 4; k++)
                word[i + k] = drawn + 4 * gb_lane() + k;
        } else {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                word[i + k] = MP_NO_SLOT;
                if (valid >> (i + k) & 1) word[i + k] = atomicAdd(&words[digit[i + k]], 1u);
            }
        }
    }
}

/* Up to two digits that so many lanes of a warp have that their additions would queue up at a word,
 * and twins of them, so many each: words and buffers beside those of the digits, one for each warp
 * to look after, that lanes draw from in turns. */
typedef struct mp_crowd {
    unsigned digits[2]; /* ~0: none */
    unsigned first;     /* of the twins: 2 t and 2 t + 1 behind it are the t-th ones */
} mp_crowd;

/* Keys of a crowd go to its twins. */
template <int TWINS, int ITEMS>
__device__ __forceinline__ void mp_spread_crowd(const mp_crowd &crowd, unsigned (&digit)[ITEMS])
{
    const unsigned first = crowd.digits[0], second = crowd.digits[1];
    if (first == ~0u) return;
    const unsigned twin = crowd.first + 2 * (gb_lane() % TWINS);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        digit[i] = digit[i] == first ? twin : digit[i] == second ? twin + 1 : digit[i];
}

/* Each of so many digits has so many words, of which lanes take turns: digits become their numbers.
 * First come all digits' first words, then their second ones: those that a warp looks after are not
 * of one digit, whose cursor its lanes would meet at. */
template <int EACH, int ITEMS>
__device__ __forceinline__ void mp_spread_few(unsigned digits, unsigned (&digit)[ITEMS])
{
    if constexpr (EACH > 1) {
        const unsigned turn = threadIdx.x % EACH * digits;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            digit[i] += turn;
    }
}

/* Slots for two digits: votes say who has which, and a warp draws once for each. */
template <int ITEMS>
__device__ __forceinline__ void mp_draw_of_two(unsigned *words, const unsigned (&digit)[ITEMS],
                                               unsigned valid, unsigned (&word)[ITEMS])
{
    if (!__all_sync(GB_FULL_MASK, valid == ~0u >> (32 - ITEMS))) {
        mp_draw(words, digit, valid, word);
        return;
    }
    unsigned count = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        word[i] = __ballot_sync(GB_FULL_MASK, digit[i] != 0);
        count += __popc(word[i]);
    }
    if (gb_lane() == 0) count = GB_WARP * ITEMS - count;
    unsigned drawn = 0;
    if (gb_lane() < 2 && count) drawn = atomicAdd(&words[gb_lane()], count);
    unsigned zero = __shfl_sync(GB_FULL_MASK, drawn, 0), one = __shfl_sync(GB_FULL_MASK, drawn, 1);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned ones = word[i];
        const bool mine = ones >> gb_lane() & 1;
        word[i] = (mine ? one : zero) + __popc((mine ? ones : ~ones) & gb_lanes_below());
        one += __popc(ones);
        zero += GB_WARP - __popc(ones);
    }
}

/* The digits of a thread's keys, a bin's bits from digit.shift on, whose whole bins are counted in
 * passing. */
template <int ITEMS, class Digit, class Key>
__device__ __forceinline__ void mp_count_in_passing(const Digit &digit, const Key (&key)[ITEMS],
                                                    unsigned valid, unsigned *counters,
                                                    unsigned (&digits)[ITEMS])
{
    Digit whole = digit;
    whole.shift = 0;
    mp_digits_of(whole, key, digits);
    mp_count_digits(counters, 1, digits, valid);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        digits[i] >>= digit.shift;
}

/* What a tile's keys are loaded with: their payloads, or, where registers for both would spill,
 * nothing. */
template <class Key, int WORDS> struct mp_early {
    static const bool ALL = sizeof(Key) + 4 * WORDS < 12;
    typedef mp_elements<Key, ALL ? WORDS : 0> elements;
    static __device__ __forceinline__ elements of(const mp_elements<Key, WORDS> &in)
    {
        if constexpr (ALL)
            return in;
        else
            return in.without_payload();
    }
};

/* Payloads of a thread's fours, THREADS fours apart from `from` on, which were not loaded with
 * their keys, into the buffers. */
template <int THREADS, int ITEMS, class Key, int WORDS>
__device__ __forceinline__ void
mp_gather_late(const mp_elements<Key, WORDS> &buffers, const unsigned (&word)[ITEMS],
               const typename mp_elements<Key, WORDS>::payload_type *from, unsigned valid)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i += 4) {
        typename mp_elements<Key, WORDS>::payload_type four[4];
        if ((valid >> i & 15) == 15)
            mp_load_four(four, from + i * THREADS);
        else
            for (int k = 0; k < 4; k++)
                if (valid >> (i + k) & 1) four[k] = from[i * THREADS + k];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (mp_word_next(word[i + k]) < mp_word_end(word[i + k]))
                buffers.payload[mp_word_next(word[i + k])] = four[k];
    }
}

/* Draws a tile's slots and fills the buffers; bit i of the result: key i found no room. payload:
 * of the keys, if they were loaded with them; else they are loaded from `late` on. TWINS: of a
 * digit with a crowd; 0: there is no crowd. */
template <mp_kind KIND, int TWINS, int THREADS, int ITEMS, class Digit, class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_gather(const Digit &digit, const mp_elements<Key, WORDS> &buffers, unsigned *words,
          const mp_crowd &crowd, unsigned *counters, const Key (&key)[ITEMS],
          const typename mp_early<Key, WORDS>::elements::payload_type (&payload)[ITEMS],
          const typename mp_elements<Key, WORDS>::payload_type *late, unsigned valid)
{
    typedef mp_early<Key, WORDS> early;
    unsigned digits[ITEMS], word[ITEMS], over = 0;
    if constexpr (KIND == MP_COUNTING)
        mp_count_in_passing(digit, key, valid, counters, digits);
    else
        mp_digits_of(digit, key, digits);
    if constexpr (TWINS > 0) mp_spread_crowd<TWINS>(crowd, digits);
    mp_spread_few<mp_spread(KIND)>(digit.digits, digits);
    if constexpr (KIND == MP_OF_TWO)
        mp_draw_of_two(words, digits, valid, word);
    else
        mp_draw(words, digits, valid, word);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned slot = mp_word_next(word[i]);
        if (slot < mp_word_end(word[i])) {
            buffers.keys[slot] = key[i];
            if constexpr (WORDS > 0 && early::ALL) buffers.payload[slot] = payload[i];
        } else {
            over |= 1u << i;
        }
    }
    if constexpr (WORDS > 0 && !early::ALL) mp_gather_late<THREADS>(buffers, word, late, valid);
    return over & valid;
}

#endif
