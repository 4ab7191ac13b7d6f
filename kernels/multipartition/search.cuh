/* The bin of a key among ascending limits, by a table rather than a search. The stretch from the
 * first limit to the last is cut into cells of equal width, a power of two, and a table says of
 * each where its keys belong: mostly one read and one addition a key. Cells with several limits say
 * which those are, and among them is searched.
 *
 * Limits as a table has them are all of a partition, or every so many of them, for the upper bits
 * of a bin, or those within one value of the upper bits, for the lower ones. */
#ifndef GB_MULTIPARTITION_SEARCH_CUH
#define GB_MULTIPARTITION_SEARCH_CUH

#include "common/cuda/device.cuh"
#include "kernels/multipartition/bins.h"

/* The first words of a table; its cells follow. Limit i is limits[first + (i << stride_log)] of the
 * partition's. A key's place is min(max(key, low) - low, span) >> narrow, which 32 bits hold, and
 * its cell place >> shift; narrow is 0 for keys of 32 bits. */
typedef struct __align__(16) mp_table_head
{
    uint64_t low, span;
    unsigned char narrow, shift, stride_log, unused;
    unsigned first, count; /* limits */
    unsigned unused_word;
}
mp_table_head;

/* A cell has room for two different limits, one of which may be there more than once. A key's place
 * has `shift` low bits, by which those tell where within the cell it is. */
typedef struct __align__(8) mp_cell
{
    /* bins << shift less the low bits of one limit's place, `bins` being those before the cell's
     * end, but for what `more` has: a key's low bits added, the bin is above. Or, with the
     * uppermost bit set, that there are others: how many limits (MP_MOST_OTHERS: or more), and how
     * many are before. */
    unsigned one;
    /* The low bits of the other limit's place, in the uppermost bits; below how many bins begin
     * there. */
    unsigned more;
}
mp_cell;

enum {
    MP_HEAD_WORDS = sizeof(mp_table_head) / sizeof(unsigned),
    MP_CELL_WORDS = sizeof(mp_cell) / sizeof(unsigned),
    MP_OTHERS_LOG = 31,
    MP_BEFORE_BITS = 20,
    MP_MOST_OTHERS = 2047
};

/* Where a kernel finds the limits' table. */
typedef struct mp_search {
    const unsigned *table; /* device memory; of segment s, if it has its own, `words` x s further */
    unsigned words;        /* of a table; a multiple of 4 */
    unsigned at; /* bytes into dynamic shared memory, where the block has a copy; 0: it has none */
} mp_search;

/* Of 2^log cells, which are at least twice as many as digits. */
static inline unsigned mp_table_words(unsigned log)
{
    return MP_HEAD_WORDS + (MP_CELL_WORDS << log);
}

template <class Key>
__device__ __forceinline__ unsigned mp_place_of(const mp_table_head &head, Key key)
{
    const Key low = (Key)head.low, span = (Key)head.span;
    Key place = (key > low ? key : low) - low;
    if (place > span) place = span;
    if (sizeof(Key) == 8) place >>= head.narrow;
    return (unsigned)place;
}

/* The limits of a partition, of a key's width. */
__device__ __forceinline__ const uint32_t *mp_limits_of(const mp_bin_data &bin, unsigned)
{
    return bin.limits;
}
__device__ __forceinline__ const uint64_t *mp_limits_of(const mp_bin_data &bin, uint64_t)
{
    return bin.limits64;
}

/* Limit i of the table's. */
template <class Key>
__device__ __forceinline__ Key mp_limit_at(const mp_table_head &head, const Key *limits, unsigned i)
{
    return limits[head.first + ((uint64_t)i << head.stride_log)];
}

/* The number of limits, of those in [low, high], that are <= key, and all before `low`. */
template <class Key>
__device__ __forceinline__ unsigned mp_search_limits(const mp_table_head &head, const Key *limits,
                                                     Key key, unsigned low, unsigned high)
{
#pragma unroll 1
    while (low < high) {
        const unsigned middle = (low + high) >> 1;
        if (mp_limit_at(head, limits, middle) <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- a block's copy -------------------------------------------------------------------------- */

/* Copies the table of a segment, or the only one; between barriers, if there are any digits before.
 */
static __device__ __forceinline__ void mp_copy_table(const mp_search &search, unsigned segment)
{
    GB_DYNAMIC_SHARED();
    if (!search.at) return;
    const uint4 *from =
        reinterpret_cast<const uint4 *>(search.table + (uint64_t)segment * search.words);
    uint4 *to = reinterpret_cast<uint4 *>(gb_shared_memory + search.at);
    for (unsigned i = threadIdx.x; i < search.words / 4; i += blockDim.x)
        to[i] = from[i];
}

/* The block's copy. */
static __device__ __forceinline__ const unsigned *mp_copy_of(const mp_search &search)
{
    GB_DYNAMIC_SHARED();
    return reinterpret_cast<const unsigned *>(gb_shared_memory + search.at);
}

/* The bins of a thread's keys, by a table. What cells leave open comes after all others: one branch
 * for all keys, so that their reads are on their way together. */
template <int ITEMS, class Key>
__device__ __forceinline__ void mp_look_up(const unsigned *table, const mp_bin_data &bin,
                                           const Key (&key)[ITEMS], unsigned (&out)[ITEMS])
{
    const mp_cell *cells = reinterpret_cast<const mp_cell *>(table + MP_HEAD_WORDS);
    const mp_table_head head = *reinterpret_cast<const mp_table_head *>(table);
    const unsigned below = (1u << head.shift) - 1, above = ~0u >> head.shift;
    /* whether a limit that has lost bits may be the key's equal in the others */
    const bool narrowed = sizeof(Key) == 8 && head.narrow;
    unsigned open = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned place = mp_place_of(head, key[i]);
        const mp_cell cell = cells[place >> head.shift];
        const unsigned sum = cell.one + (place & below);
        /* the low bits as `more` has them, with ones below: no less than what has them, too */
        const bool behind = __funnelshift_lc(~0u, place, 32 - head.shift) >= cell.more;
        out[i] = (sum >> head.shift) + (behind ? cell.more & above : 0);
        unsigned one = cell.one;
        if (narrowed && (!(sum & below) || !((cell.more >> (32 - head.shift) ^ place) & below)))
            one = 1u << MP_OTHERS_LOG;
        open = __funnelshift_l(one, open, 1);
    }
    if (!open) return;
    const Key *limits = mp_limits_of(bin, key[0]);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (!(open >> (ITEMS - 1 - i) & 1)) continue;
        const unsigned one = cells[mp_place_of(head, key[i]) >> head.shift].one;
        unsigned first = one & ((1u << MP_BEFORE_BITS) - 1);
        unsigned others = one >> MP_BEFORE_BITS & MP_MOST_OTHERS;
        if (!(one >> MP_OTHERS_LOG)) first = 0, others = MP_MOST_OTHERS; /* bits were lost */
        out[i] = mp_search_limits(head, limits, key[i], first,
                                  others < MP_MOST_OTHERS ? first + others : head.count);
    }
}

#endif
