/* Write-combining buffers: what a block has gathered of each digit, in shared memory, so that it
 * leaves as whole aligned groups (32 to 128 bytes of keys) and device memory sees no store of
 * single keys.
 *
 * A digit's buffer is as large as its share of a tile makes likely. Its word says where the next
 * key goes and where the buffer ends: one atomic addition is all that a key costs, and a tile of
 * any distribution that was foreseen fits. Of keys that do not fit only the digit's count is kept:
 * they are written straight to their places. Between tiles a digit has less than a group left.
 *
 * The paper's buffers (buffer_per_warp.cu) hold 32 keys of every bin; keys wait for them. */
#ifndef GB_MULTIPARTITION_COMBINE_CUH
#define GB_MULTIPARTITION_COMBINE_CUH

#include "common/cuda/warp.cuh"
#include "kernels/multipartition/bins.h"

#include <string.h>

enum {
    MP_SECTOR = 8,        /* 4-byte keys in 32 bytes: positions in the output that a write begins at */
    MP_POSITION_BITS = 19 /* of a buffer's word: the next slot; above, where the buffer ends / 8 */
};

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
                                            const mp_elements<Key, WORDS> &from, unsigned slot)
{
    to.keys[at] = from.keys[slot];
    if constexpr (WORDS > 0) to.payload[at] = from.payload[slot];
}

/* ---- what a pass is about -------------------------------------------------------------------- */

/* One pass moves elements by a digit of their bin: all of it, or its upper or lower bits. */
typedef struct mp_digit {
    mp_bin_data bin;
    mp_function_kind function;
    unsigned shift, mask;
    unsigned digits; /* how many there are */
} mp_digit;

__device__ __forceinline__ unsigned mp_part_of(const mp_digit &digit, unsigned bin)
{
    return bin >> digit.shift & digit.mask;
}

/* The digits of a thread's keys; the function is chosen once for all of them. */
template <int ITEMS, class Key>
__device__ __forceinline__ void mp_digits_of(const mp_digit &digit, const Key (&key)[ITEMS],
                                             unsigned (&out)[ITEMS])
{
    switch (digit.function) {
    case MP_RANGE:
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            out[i] = mp_part_of(digit, mp_bin_range(&digit.bin, key[i]));
        break;
    case MP_MODULO:
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            out[i] = mp_part_of(digit, mp_bin_modulo(&digit.bin, key[i]));
        break;
    case MP_HASH:
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            out[i] = mp_part_of(digit, mp_bin_hash(&digit.bin, key[i]));
        break;
    case MP_SPLITTERS:
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            out[i] = mp_part_of(digit, mp_bin_splitters(&digit.bin, key[i]));
        break;
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* How a block's shared memory is cut; the host chooses. */
typedef struct mp_cut {
    unsigned slots;     /* elements in all buffers together, a multiple of the group */
    unsigned group_log; /* log2 of the elements that leave together: 3 to 5 */
    float spread;       /* standard deviations that a buffer has room for */
} mp_cut;

__device__ __forceinline__ unsigned mp_word(unsigned next, unsigned end)
{
    return (end / MP_SECTOR) << MP_POSITION_BITS | next;
}
__device__ __forceinline__ unsigned mp_word_next(unsigned word)
{
    return word & ((1u << MP_POSITION_BITS) - 1);
}
__device__ __forceinline__ unsigned mp_word_end(unsigned word)
{
    return (word >> MP_POSITION_BITS) * MP_SECTOR;
}

/* Room for a digit that has `count` of `total` elements, in whole groups. The sum over all digits is
 * at most tile + 2 digits group + spread sqrt(digits tile): the square roots' is largest where all
 * are alike. */
__device__ __forceinline__ unsigned mp_room(const mp_cut &cut, unsigned tile, double count,
                                            double total)
{
    const unsigned group = 1u << cut.group_log;
    const float mean = (float)(total > 0 ? tile * (count / total) : 0);
    const unsigned room = 2 * group - 1 + (unsigned)(mean + cut.spread * sqrtf(mean));
    return room & ~(group - 1);
}

/* The digit whose buffer a thread looks after, which only some lanes of each warp do, and what the
 * thread knows of it. Warp w has `per_warp` digits from w * per_warp on, one a lane. */
typedef struct mp_owner {
    unsigned digit;
    bool owns;
    unsigned start; /* first slot of the buffer */
    unsigned from;  /* first slot that holds an element; start, but for the first group of all */
} mp_owner;

/* What a warp writes of a digit: slots [from, to) go to base + slot of the output. The rest, up to
 * next, moves to the start. */
typedef struct mp_flush {
    unsigned from, to, next;
    uint64_t base;
} mp_flush;

/* Writes what the lanes' digits have to write, a group by 2 to 8 lanes, and moves the rest. All
 * lanes of a warp call it. */
template <class Key, int WORDS>
__device__ __forceinline__ void mp_write_groups(const mp_elements<Key, WORDS> &out,
                                                const mp_elements<Key, WORDS> &buffers,
                                                const mp_cut &cut, unsigned per_warp,
                                                const mp_owner &owner, const mp_flush &mine)
{
    const unsigned group = 1u << cut.group_log, lanes = group / 4, lane = gb_lane();
    const unsigned within = 4 * (lane & (lanes - 1));
    const unsigned range = mine.to << 16 | mine.from, rest = mine.next << 16 | owner.start;
    for (unsigned j = 0; j < per_warp; j += GB_WARP / lanes) {
        const unsigned source = j + lane / lanes;
        const unsigned theirs = __shfl_sync(GB_FULL_MASK, range, source);
        const unsigned left = __shfl_sync(GB_FULL_MASK, rest, source);
        const uint64_t base = __shfl_sync(GB_FULL_MASK, mine.base, source);
        const unsigned from = theirs & 0xffffu, to = source < per_warp ? theirs >> 16 : 0;
        for (unsigned slot = (from & ~(group - 1)) + within; slot < to; slot += group) {
            if (slot >= from && slot + 4 <= to) {
                mp_copy_four(out.keys + base + slot, buffers.keys + slot);
                if constexpr (WORDS > 0)
                    mp_copy_four(out.payload + base + slot, buffers.payload + slot);
            } else {
                for (unsigned s = slot; s < slot + 4; s++)
                    if (s >= from && s < to) mp_copy_one(out, base + s, buffers, s);
            }
        }
        /* the first of the rest takes the place of what has left */
        const unsigned next = left >> 16, start = left & 0xffffu;
        const bool moves = to > from && to + within < next;
        __align__(16) Key key[4];
        __align__(16) typename mp_elements<Key, WORDS>::payload_type payload[4];
        if (moves) {
            mp_copy_four(key, buffers.keys + to + within);
            if constexpr (WORDS > 0) mp_copy_four(payload, buffers.payload + to + within);
        }
        __syncwarp();
        if (moves) {
            mp_copy_four(buffers.keys + start + within, key);
            if constexpr (WORDS > 0) mp_copy_four(buffers.payload + start + within, payload);
        }
    }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Four neighbours into registers, past the caches: they are read once. */
template <class T> __device__ __forceinline__ void mp_load_four(T *to, const T *from)
{
#pragma unroll
    for (unsigned v = 0; v < 4 * sizeof(T) / sizeof(uint4); v++) {
        const uint4 words = __ldcs(reinterpret_cast<const uint4 *>(from) + v);
        memcpy(reinterpret_cast<unsigned char *>(to) + v * sizeof words, &words, sizeof words);
    }
}

/* Loads the thread's elements of the tile at `base`, four neighbours each; bit i of the result says
 * whether the i-th lies in [low, high). base is a multiple of 4. */
template <int THREADS, int ITEMS, class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_load_fours(const mp_elements<Key, WORDS> &in, uint64_t base, uint64_t low, uint64_t high,
              Key (&key)[ITEMS], typename mp_elements<Key, WORDS>::payload_type (&payload)[ITEMS])
{
    const uint64_t mine = base + 4 * threadIdx.x;
    if (base >= low && base + THREADS * ITEMS <= high) {
#pragma unroll
        for (int j = 0; j < ITEMS / 4; j++) {
            mp_load_four(key + 4 * j, in.keys + mine + 4 * j * THREADS);
            if constexpr (WORDS > 0)
                mp_load_four(payload + 4 * j, in.payload + mine + 4 * j * THREADS);
        }
        return ~0u >> (32 - ITEMS);
    }
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

#endif
