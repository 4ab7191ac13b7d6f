/* What passes share that see neighbours together: a warp has the same stretch of every tile, and an
 * item of a thread is one of a row of 32. And of the stable ones, whose blocks have a part of the
 * input each (parts.cuh), how its buffers are laid out. */
#ifndef GB_MULTIPARTITION_ROWS_CUH
#define GB_MULTIPARTITION_ROWS_CUH

#include "kernels/multipartition/partition/combine.cuh"
#include "kernels/multipartition/partition/crowd.cuh"
#include "kernels/multipartition/partition/parts.cuh"

/* Where in the tile the thread's first element is; the next ones are GB_WARP apart. */
template <int ITEMS> __device__ __forceinline__ unsigned mp_row_place()
{
    return threadIdx.x / GB_WARP * GB_WARP * ITEMS + gb_lane();
}

/* The thread's elements of the tile at `at`, of those before `stop`. */
template <int THREADS, int ITEMS, class Key, int WORDS>
__device__ __forceinline__ void
mp_load_rows(const mp_elements<Key, WORDS> &in, uint64_t at, uint64_t stop, Key (&key)[ITEMS],
             typename mp_elements<Key, WORDS>::payload_type (&payload)[ITEMS])
{
    const uint64_t mine = at + mp_row_place<ITEMS>();
    const bool whole = at + THREADS * ITEMS <= stop;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const uint64_t one = mine + i * GB_WARP;
        key[i] = 0;
        if (!whole && one >= stop) continue;
        key[i] = __ldcs(in.keys + one);
        if constexpr (WORDS > 0) payload[i] = __ldcs(in.payload + one);
    }
}

/* Their digits. What is behind the `valid` first of a tile has the last digit: it ranks behind all
 * others, and is not counted in the end. */
template <int THREADS, int ITEMS, class Key, class Digit>
__device__ __forceinline__ void mp_digits_of_rows(const Digit &digit, const Key (&key)[ITEMS],
                                                  unsigned valid, unsigned (&digits)[ITEMS])
{
    mp_digits_of(digit, key, digits);
    if (valid == THREADS * ITEMS) return;
    const unsigned first = mp_row_place<ITEMS>();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (first + i * GB_WARP >= valid) digits[i] = digit.digits - 1;
}

/* Whether all elements of the warp have one digit. */
template <int ITEMS> __device__ __forceinline__ bool mp_rows_alike(const unsigned (&digits)[ITEMS])
{
    bool same = digits[0] == __shfl_sync(GB_FULL_MASK, digits[0], 0);
#pragma unroll
    for (int i = 1; i < ITEMS; i++)
        same &= digits[i] == digits[0];
    return __all_sync(GB_FULL_MASK, same);
}

/* An element from registers. */
template <class Key, int WORDS>
__device__ __forceinline__ void
mp_put(const mp_elements<Key, WORDS> &to, uint64_t at, Key key,
       const typename mp_elements<Key, WORDS>::payload_type &payload)
{
    to.keys[at] = key;
    if constexpr (WORDS > 0) to.payload[at] = payload;
}

/* The buffer of a digit in the block's part. Slots and places in the output are aligned alike, so
 * the first group begins within. */
typedef struct mp_part_buffer {
    uint64_t base;         /* slot + base is an element's place in the output */
    unsigned start, limit; /* slots */
    unsigned first;        /* slot of the part's first element */
} mp_part_buffer;

/* Lays out all of them, each as large as the part wants it: that of `mine`, if the thread owns it.
 * By all threads of a block; hot becomes empty before. heat: the digit's number there. crowd: in
 * shared memory, the digits with one, of so many (crowd.cuh); or NULL. */
template <bool PIECES, bool UNEVEN, int THREADS, int ITEMS, int WORDS>
__device__ __forceinline__ mp_part_buffer mp_lay_out_part(
    const mp_parts &parts, unsigned part, const mp_part &found, const mp_cut &cut, unsigned mine,
    bool owns, mp_hot<WORDS> *hot, unsigned *heat, unsigned digits = 0, unsigned *crowd = NULL)
{
    __shared__ unsigned sums[GB_WARP + 1];
    unsigned room = 0, all;
    mp_share share = {0, 0};
    const uint64_t total = found.end - found.begin;
    if (threadIdx.x == 0) hot->count = hot->much = 0;
    __syncthreads();
    if (owns) {
        share = mp_share_of<PIECES>(parts, part, found, mine);
        room = mp_room(cut, THREADS * ITEMS, (double)share.count, (double)total);
    }
    if (crowd) mp_find_crowd(share.count, total, mine, digits, crowd);
    *heat = mp_heat<UNEVEN, THREADS, ITEMS>(0, (double)share.count, (double)total, hot);
    mp_part_buffer buffer;
    buffer.start = gb_block_exclusive_sum<THREADS>(room, sums, &all);
    buffer.limit = buffer.start + room;
    buffer.first = buffer.start + ((unsigned)share.begin & ((1u << cut.group_log) - 1));
    buffer.base = share.begin - buffer.first;
    return buffer;
}

#endif
