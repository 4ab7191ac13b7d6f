/* A digit of a bin among limits, by a table of them (kernels/multipartition/search.cuh). */
#ifndef GB_MULTIPARTITION_LIMITS_DIGIT_CUH
#define GB_MULTIPARTITION_LIMITS_DIGIT_CUH

#include "kernels/multipartition/partition/ahead.cuh"
#include "kernels/multipartition/search.cuh"

/* A digit of a bin among limits, as mp_digit is one of another. */
typedef struct mp_limits_digit {
    mp_bin_data bin;
    unsigned shift, mask; /* of what the table says */
    unsigned digits;
    mp_search search;
} mp_limits_digit;

template <int MOST> struct mp_items_of<mp_limits_digit, MOST> {
    static const int value = MOST > 4 ? MOST * 3 / 4 & ~3 : 4;
};

__device__ __forceinline__ void mp_prepare(const mp_limits_digit &digit)
{
    mp_copy_table(digit.search, 0);
}

__device__ __forceinline__ void mp_prepare_segment(const mp_limits_digit &digit, unsigned segment)
{
    mp_copy_table(digit.search, segment);
}

/* Without a table: by a search among all limits. */
template <int ITEMS, class Key>
__device__ __forceinline__ void
mp_digits_unprepared(const mp_limits_digit &digit, const Key (&key)[ITEMS], unsigned (&out)[ITEMS])
{
    const mp_bin_of<MP_SPLITTERS> bin = {digit.bin};
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        out[i] = mp_part_of(digit, bin(key[i]));
}

/* Where a block has no room for the table, that is one, too. */
template <int ITEMS, class Key>
__device__ __forceinline__ void mp_digits_of(const mp_limits_digit &digit, const Key (&key)[ITEMS],
                                             unsigned (&out)[ITEMS])
{
    if (!digit.search.at) {
        mp_digits_unprepared(digit, key, out);
        return;
    }
    mp_look_up(mp_copy_of(digit.search), digit.bin, key, out);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        out[i] = mp_part_of(digit, out[i]);
}

/* Bytes of shared memory that the copy of a digit's table takes, less than 16 of them in vain; 0:
 * it has none. */
template <class Digit> static inline size_t mp_copy_bytes(const Digit &)
{
    return 0;
}
static inline size_t mp_copy_bytes(const mp_limits_digit &digit)
{
    return digit.search.words ? digit.search.words * sizeof(unsigned) + 16 : 0;
}
template <class Digit> static inline size_t mp_copy_bytes(const mp_heavy_digit<Digit> &digit)
{
    return mp_copy_bytes(digit.both.whole);
}

/* The digit as a kernel has it that keeps the copy behind so many bytes of shared memory, if it
 * keeps one. */
template <class Digit> static inline Digit mp_copied(const Digit &digit, bool, size_t)
{
    return digit;
}
static inline mp_limits_digit mp_copied(mp_limits_digit digit, bool copied, size_t behind)
{
    digit.search.at = copied ? (unsigned)(behind + 15) & ~15u : 0;
    return digit;
}
template <class Digit>
static inline mp_heavy_digit<Digit> mp_copied(mp_heavy_digit<Digit> digit, bool copied,
                                              size_t behind)
{
    digit.both.whole = mp_copied(digit.both.whole, copied, behind);
    return digit;
}

#endif
