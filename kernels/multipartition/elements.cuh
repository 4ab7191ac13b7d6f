/* What a pass moves: elements, which are keys with or without a payload; the digit that says where
 * to; and how a block loads its tiles of them. */
#ifndef GB_MULTIPARTITION_ELEMENTS_CUH
#define GB_MULTIPARTITION_ELEMENTS_CUH

#include "common/cuda/warp.cuh"
#include "kernels/multipartition/bins.h"

#include <string.h>

/* ---- elements -------------------------------------------------------------------------------- */

/* Payload of 0, 1, 2 or 4 words. */
template <int WORDS> struct mp_payload_of;
template <> struct mp_payload_of<0> {
    typedef struct mp_nothing {
    } type;
};
template <> struct mp_payload_of<1> {
    typedef uint32_t type;
};
template <> struct mp_payload_of<2> {
    typedef uint2 type;
};
template <> struct mp_payload_of<4> {
    typedef uint4 type;
};

/* Keys and, if WORDS, as many words of payload with each. */
template <class Key, int WORDS> struct mp_elements {
    typedef typename mp_payload_of<WORDS>::type payload_type;
    Key *keys;
    payload_type *payload;
    __host__ __device__ mp_elements<Key, 0> without_payload() const { return {keys, NULL}; }
};

/* Copies four neighbours; both addresses are multiples of 16 bytes. */
template <class T> __device__ __forceinline__ void mp_copy_four(T *to, const T *from)
{
#pragma unroll
    for (unsigned v = 0; v < 4 * sizeof(T) / sizeof(uint4); v++)
        reinterpret_cast<uint4 *>(to)[v] = reinterpret_cast<const uint4 *>(from)[v];
}

template <class Key, int WORDS>
__device__ __forceinline__ void mp_copy_one(const mp_elements<Key, WORDS> &to, uint64_t at,
                                            const mp_elements<Key, WORDS> &from, uint64_t slot)
{
    to.keys[at] = from.keys[slot];
    if constexpr (WORDS > 0) to.payload[at] = from.payload[slot];
}

/* The keys of each of so many parts of the input: whole lines. */
__host__ __device__ __forceinline__ uint64_t mp_part_keys(uint64_t n, uint64_t parts)
{
    return ((n + parts - 1) / parts + 127) & ~(uint64_t)127;
}

/* ---- what a pass is about -------------------------------------------------------------------- */

/* One pass moves elements by a digit of their bin: all of it, or its upper or lower bits. The bin
 * by one of the functions that need no limits; with limits it is another type
 * (partition/limits_digit.cuh).
 */
typedef struct mp_digit {
    mp_bin_data bin;
    mp_function_kind function;
    unsigned shift, mask;
    unsigned digits; /* how many there are */
} mp_digit;

template <class Digit>
__device__ __forceinline__ unsigned mp_part_of(const Digit &digit, unsigned bin)
{
    return bin >> digit.shift & digit.mask;
}

/* What a block does before its first digits, and where digits are those within a segment, before
 * each segment's; a barrier comes between. */
template <class Digit> __device__ __forceinline__ void mp_prepare(const Digit &) {}
template <class Digit> __device__ __forceinline__ void mp_prepare_segment(const Digit &, unsigned)
{
}

/* Whether a place of one of n elements is meant, of which the digit-th has gone to it. */
template <class Digit>
__device__ __forceinline__ bool mp_is_within(const Digit &, unsigned, uint64_t place, uint64_t n)
{
    return place < n;
}

/* A digit by one bin function, of keys of either width. */
template <mp_function_kind KIND, class Key>
__device__ __forceinline__ unsigned mp_digit_by(const mp_digit &digit, Key key)
{
    if constexpr (sizeof(Key) == 8)
        return mp_part_of(digit, mp_bin64(KIND, &digit.bin, key));
    else
        return mp_part_of(digit, mp_bin(KIND, &digit.bin, key));
}

template <mp_function_kind KIND, int ITEMS, class Key>
__device__ __forceinline__ void mp_digits_by(const mp_digit &digit, const Key (&key)[ITEMS],
                                             unsigned (&out)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        out[i] = mp_digit_by<KIND>(digit, key[i]);
}

/* The digits of a thread's keys; the function is chosen once for all of them. */
template <int ITEMS, class Key>
__device__ __forceinline__ void mp_digits_of(const mp_digit &digit, const Key (&key)[ITEMS],
                                             unsigned (&out)[ITEMS])
{
    if constexpr (sizeof(Key) == 4) {
        if (digit.function == MP_RANGE && digit.shift == 0 && digit.mask == ~0u) {
#pragma unroll /* two instructions less a key */
            for (int i = 0; i < ITEMS; i++)
                out[i] = mp_bin_range(&digit.bin, key[i]);
            return;
        }
    }
    if (digit.function == MP_RANGE)
        mp_digits_by<MP_RANGE>(digit, key, out);
    else if (digit.function == MP_MODULO)
        mp_digits_by<MP_MODULO>(digit, key, out);
    else
        mp_digits_by<MP_HASH>(digit, key, out);
}

/* The same where nothing was prepared. */
template <int ITEMS, class Key, class Digit>
__device__ __forceinline__ void mp_digits_unprepared(const Digit &digit, const Key (&key)[ITEMS],
                                                     unsigned (&out)[ITEMS])
{
    mp_digits_of(digit, key, out);
}

/* Elements that a thread has at once where it has so many of keys whose bin is computed: to look
 * one up takes registers, too. */
template <class Digit, int MOST> struct mp_items_of {
    static const int value = MOST;
};

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Four neighbours into registers; past the caches, unless they are read again soon (KEEP). */
template <bool KEEP = false, class T>
__device__ __forceinline__ void mp_load_four(T *to, const T *from)
{
#pragma unroll
    for (unsigned v = 0; v < 4 * sizeof(T) / sizeof(uint4); v++) {
        const uint4 *at = reinterpret_cast<const uint4 *>(from) + v;
        const uint4 words = KEEP ? __ldcg(at) : __ldcs(at);
        memcpy(reinterpret_cast<unsigned char *>(to) + v * sizeof words, &words, sizeof words);
    }
}

/* Loads the thread's elements of a tile, four neighbours each, all of which are there. mine: where
 * the thread's first one is, a multiple of 4. */
template <int THREADS, bool KEEP = false, int ITEMS, class Key, int WORDS>
__device__ __forceinline__ void
mp_load_all(const mp_elements<Key, WORDS> &in, uint64_t mine, Key (&key)[ITEMS],
            typename mp_elements<Key, WORDS>::payload_type (&payload)[ITEMS])
{
#pragma unroll
    for (int j = 0; j < ITEMS / 4; j++) {
        mp_load_four<KEEP>(key + 4 * j, in.keys + mine + 4 * j * THREADS);
        if constexpr (WORDS > 0) mp_load_four(payload + 4 * j, in.payload + mine + 4 * j * THREADS);
    }
}

/* The same of a tile of which some may lie outside [low, high): bit i of the result says whether
 * the i-th is there. */
template <int THREADS, int ITEMS, class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_load_some(const mp_elements<Key, WORDS> &in, uint64_t mine, uint64_t low, uint64_t high,
             Key (&key)[ITEMS], typename mp_elements<Key, WORDS>::payload_type (&payload)[ITEMS])
{
    unsigned valid = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const uint64_t at = mine + 4 * (i / 4) * THREADS + i % 4;
        key[i] = 0;
        if (at < low || at >= high) continue;
        key[i] = in.keys[at];
        if constexpr (WORDS > 0) payload[i] = in.payload[at];
        valid |= 1u << i;
    }
    return valid;
}

/* Asks for the keys of a tile that comes later: each thread for a line. */
template <int TILE, class Key> __device__ __forceinline__ void mp_prefetch_tile(const Key *keys)
{
    const unsigned LINE = 128 / sizeof(Key);
    if (threadIdx.x < TILE / LINE) gb_prefetch(keys + LINE * threadIdx.x);
}

/* Either of both, of the tile at `base`. */
template <int THREADS, bool KEEP = false, int ITEMS, class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_load_fours(const mp_elements<Key, WORDS> &in, uint64_t base, uint64_t low, uint64_t high,
              Key (&key)[ITEMS], typename mp_elements<Key, WORDS>::payload_type (&payload)[ITEMS])
{
    const uint64_t mine = base + 4 * threadIdx.x;
    if (base < low || base + THREADS * ITEMS > high)
        return mp_load_some<THREADS>(in, mine, low, high, key, payload);
    mp_load_all<THREADS, KEEP>(in, mine, key, payload);
    return ~0u >> (32 - ITEMS);
}

#endif
