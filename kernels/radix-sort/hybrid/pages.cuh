/* What the partitions of hybrid read and where they note their pages: the sources and lists of
 * gb_partition (common/cuda/pages.cuh), and the sizes of the whole sort. */
#ifndef GB_RADIX_SORT_HYBRID_PAGES_CUH
#define GB_RADIX_SORT_HYBRID_PAGES_CUH

#include "common/cuda/copy_async.cuh"
#include "common/cuda/pages.cuh"
#include "kernels/radix-sort/codec.cuh"

enum {
    HY_THREADS = 512,
    HY_ITEMS = 24,
    HY_BINS = 256,
    HY_TILE = HY_THREADS * HY_ITEMS,
    HY_PAGE_SHIFT_LEAST = 6,
    HY_AHEAD = HY_TILE >> HY_PAGE_SHIFT_LEAST, /* pages of a tile, at most */
    HY_LOCAL_THREADS = 512,
    HY_LOCAL_KEYS = 5120, /* the largest bucket */
    HY_LOCAL_BITS = 12,
    HY_LOCAL_ROUNDS = 3,                                  /* of 4 keys a thread */
    HY_ROW_KEYS = HY_LOCAL_ROUNDS * 4 * HY_LOCAL_THREADS, /* what a row's pages can hold */
    HY_SAMPLE_THREADS = 1024,
    HY_SAMPLE_BITS = 12,
    HY_SEEN_BITS = 1 << 14, /* for the number of different keys in the sample */
    HY_LEAST = 32 << 10,    /* keys a multiprocessor: fewer are no work for three stages */
    HY_MOST = 300 << 20     /* more do not fit the buckets */
};

/* The image of a key, turned so that the bits that count are on top: what stands below them then
 * orders equal keys, which does no harm. */
typedef struct hy_codec {
    rs_codec codec;
    unsigned turn; /* to the left */
} hy_codec;

__device__ __forceinline__ unsigned hy_turn(unsigned image, unsigned turn)
{
    return turn ? image << turn | image >> (32 - turn) : image;
}
__device__ __forceinline__ unsigned hy_encode(const hy_codec &codec, unsigned key)
{
    return hy_turn(rs_encode(codec.codec, key), codec.turn);
}
__device__ __forceinline__ unsigned hy_decode(const hy_codec &codec, unsigned image)
{
    if (codec.turn) image = image >> codec.turn | image << (32 - codec.turn);
    return rs_decode(codec.codec, image);
}

/* Why the keys are sorted in another way after all: bits of one word, so that a kernel can look at
 * what was said before it while its own blocks say more. */
enum hy_verdict {
    HY_REFUSED = 1,   /* by the sample, before the first partition */
    HY_ROW_FULL = 2,  /* in the second partition: a bucket has more pages than its row */
    HY_TOO_LARGE = 4, /* a bucket does not fit in shared memory */
    HY_STRAY = 8      /* in the first partition: a key lies outside of where the sample's did */
};

/* ---- where keys come from -------------------------------------------------------------------- */

/* A part of the input array: one segment. */
typedef struct hy_array {
    const unsigned *keys; /* 16 bytes of slack behind the last */
    unsigned at, end;     /* at is a multiple of 4 */
    unsigned shift, mask;
    bool begun, encode;
    hy_codec codec;

    static const bool BINS_ARE_KEPT = false;
    __device__ __forceinline__ unsigned bin(unsigned key) const { return key >> shift & mask; }
    __device__ __forceinline__ bool next_segment()
    {
        const bool first = !begun && at < end;
        begun = true;
        return first;
    }
    __device__ __forceinline__ unsigned segment() const { return 0; }
    __device__ __forceinline__ unsigned bins() const { return mask + 1; }
    __device__ __forceinline__ void settle() {}
    template <int ITEMS>
    __device__ __forceinline__ bool load(unsigned (&key)[ITEMS], unsigned *valid)
    {
        if (at >= end) return false;
        unsigned bits = ITEMS == 32 ? ~0u : (1u << ITEMS % 32) - 1;
#pragma unroll
        for (int j = 0; j < ITEMS / 4; j++) {
            const unsigned e = at + 4 * (threadIdx.x + j * HY_THREADS);
            uint4 four = make_uint4(0, 0, 0, 0);
            if (e < end) four = __ldcs(reinterpret_cast<const uint4 *>(keys + e));
            key[4 * j] = four.x;
            key[4 * j + 1] = four.y;
            key[4 * j + 2] = four.z;
            key[4 * j + 3] = four.w;
        }
        if (at + ITEMS * HY_THREADS > end) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (at + 4 * (threadIdx.x + i / 4 * HY_THREADS) + i % 4 >= end) bits &= ~(1u << i);
        }
        if (encode) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                key[i] = hy_encode(codec, key[i]);
        }
        *valid = bits;
        at += ITEMS * HY_THREADS;
        return true;
    }
} hy_array;

/* A part of the list of pages that a first partition left, sorted by bin: a segment is what lies in
 * one bin. The words of the next tile are fetched one tile ahead. */
typedef struct hy_page_list {
    const unsigned *pages;  /* the keys */
    const unsigned *list;   /* gb_page_word */
    const unsigned *begins; /* shared: where each bin's pages begin in the list; one more */
    unsigned *ahead;        /* shared: words of a tile, twice */
    unsigned at, stop, end; /* stop: of the segment; end: of the part */
    unsigned bin_now, page_shift, turn;
    unsigned shift, mask;
    unsigned tile; /* keys */

    static const bool BINS_ARE_KEPT = false;
    __device__ __forceinline__ unsigned bin(unsigned key) const { return key >> shift & mask; }
    __device__ __forceinline__ unsigned segment() const { return bin_now; }
    __device__ __forceinline__ unsigned bins() const { return mask + 1; }
    __device__ __forceinline__ unsigned tile_pages() const { return tile >> page_shift; }
    __device__ __forceinline__ void fetch()
    {
        const unsigned pages_in = tile_pages();
        for (unsigned p = threadIdx.x; p < pages_in; p += HY_THREADS)
            if (at + p < stop) gb_copy_async_word(ahead + turn * HY_AHEAD + p, list + at + p);
    }
    __device__ __forceinline__ void settle() { gb_copy_async_wait(); }
    __device__ __forceinline__ bool next_segment()
    {
        at = stop;
        if (at >= end) return false;
        while (begins[bin_now + 1] <= at)
            bin_now++;
        stop = begins[bin_now + 1] < end ? begins[bin_now + 1] : end;
        fetch();
        settle();
        __syncthreads();
        return true;
    }
    template <int ITEMS>
    __device__ __forceinline__ bool load(unsigned (&key)[ITEMS], unsigned *valid)
    {
        if (at >= stop) return false;
        const unsigned within_mask = (1u << page_shift) - 1;
        const unsigned *words = ahead + turn * HY_AHEAD;
        unsigned bits = 0;
#pragma unroll
        for (int j = 0; j < ITEMS / 4; j++) {
            const unsigned e = 4 * (threadIdx.x + j * HY_THREADS), p = e >> page_shift;
            const unsigned within = e & within_mask;
            uint4 four = make_uint4(0, 0, 0, 0);
            unsigned keys = 0;
            if (at + p < stop) {
                const unsigned word = words[p], filled = (word & 255) + 1;
                if (within < filled) {
                    four = __ldcs(reinterpret_cast<const uint4 *>(
                        pages + ((size_t)(word >> 8) << page_shift) + within));
                    keys = filled - within;
                }
            }
            key[4 * j] = four.x;
            key[4 * j + 1] = four.y;
            key[4 * j + 2] = four.z;
            key[4 * j + 3] = four.w;
            bits |= (keys >= 4 ? 15u : (1u << keys) - 1) << (4 * j);
        }
        *valid = bits;
        at += tile_pages();
        turn ^= 1;
        fetch();
        return true;
    }
} hy_page_list;

/* ---- where pages are noted ------------------------------------------------------------------- */

/* What a block left of a bin, after a first partition. */
typedef struct __align__(16) hy_share
{
    unsigned first; /* place of its first full page among the bin's */
    unsigned full;  /* how many there are */
    unsigned keys;  /* in one more page, if any */
    unsigned part;  /* place of that page among the bin's of its kind */
}
hy_share;

/* Pages by block: page p of the block's region has a bin and a number among the block's pages of
 * that bin; hy_index sorts them, full ones first. */
typedef struct hy_notes {
    unsigned *notes;  /* of every page: bin << 24 | number */
    hy_share *shares; /* of this block, HY_BINS */
    unsigned *in_bin; /* of every bin, its full pages; HY_BINS further on, the others */

    __device__ __forceinline__ void begin(unsigned, unsigned) {}
    __device__ __forceinline__ void take(unsigned bin, unsigned page, unsigned count,
                                         gb_page_cursor *cursor)
    {
        for (unsigned i = 0; i < count; i++)
            notes[page + i] = bin << 24 | (cursor->pages + i);
    }
    __device__ __forceinline__ void finish(unsigned bin, const gb_page_cursor &cursor,
                                           unsigned filled)
    {
        hy_share share = {0, cursor.pages - (filled != 0), filled, 0};
        if (share.full) share.first = atomicAdd(&in_bin[bin], share.full);
        if (filled) share.part = atomicAdd(&in_bin[HY_BINS + bin], 1u);
        shares[bin] = share;
    }
} hy_notes;

/* Pages by bucket: every bucket has a row of limited length. */
typedef struct hy_table {
    unsigned *rows;        /* gb_page_word, `width` a bucket */
    unsigned *row_lengths; /* of every bucket */
    unsigned *bucket_keys; /* of every bucket */
    unsigned *verdict;     /* HY_ROW_FULL */
    unsigned width, page_shift;
    unsigned base; /* the bucket of bin 0 in this segment */

    __device__ __forceinline__ void begin(unsigned segment, unsigned bins)
    {
        base = segment * bins;
    }
    __device__ __forceinline__ void take(unsigned bin, unsigned page, unsigned count,
                                         gb_page_cursor *cursor)
    {
        const unsigned here = base + bin;
        const unsigned slot = atomicAdd(&row_lengths[here], count);
        if (slot + count > width || slot + count < slot) {
            atomicOr(verdict, (unsigned)HY_ROW_FULL);
            cursor->open = ~0u;
            return;
        }
        for (unsigned i = 0; i < count; i++)
            rows[here * width + slot + i] = gb_page_word(page + i, 1u << page_shift);
        cursor->open = here * width + slot + count - 1;
    }
    __device__ __forceinline__ void finish(unsigned bin, const gb_page_cursor &cursor,
                                           unsigned filled)
    {
        if (!cursor.keys) return;
        if (filled && cursor.open != ~0u)
            rows[cursor.open] = gb_page_word(rows[cursor.open] >> 8, filled);
        atomicAdd(&bucket_keys[base + bin], cursor.keys);
    }
} hy_table;

#endif
