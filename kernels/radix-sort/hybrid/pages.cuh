/* What the partitions of hybrid read and where they note their pages: the sources and lists of
 * gb_partition (common/cuda/pages.cuh), and the sizes of the whole sort. */
#ifndef GB_RADIX_SORT_HYBRID_PAGES_CUH
#define GB_RADIX_SORT_HYBRID_PAGES_CUH

#include "common/cuda/copy_async.cuh"
#include "common/cuda/pages.cuh"
#include "kernels/radix-sort/hybrid/kinds.cuh"

enum {
    HY_THREADS = 512,
    HY_BLOCKS = 2, /* of a partition on a multiprocessor */
    HY_ITEMS = 24, /* elements a thread in a tile: of 4 bytes, of 8, of 16 */
    HY_ITEMS8 = 16,
    HY_ITEMS16 = 6,
    HY_BINS = 256,
    HY_PAGE_SHIFT_LEAST = 6,
    HY_AHEAD = HY_THREADS * HY_ITEMS >> HY_PAGE_SHIFT_LEAST, /* pages of a tile, at most */
    HY_LOCAL_BLOCKS = 6, /* of the last stage on a multiprocessor: for elements of 4, 8, 16 bytes */
    HY_LOCAL_BLOCKS8 = 3,
    HY_LOCAL_BLOCKS16 = 2,
    HY_LOCAL_KEYS = 5120, /* the largest bucket */
    HY_ROW_KEYS = 6144,   /* what a row's pages can hold */
    HY_LOCAL_BITS = 12,   /* counters of the last stage's second way */
    HY_RACK_BITS = 9,     /* and groups of the first one: of 8 in the mean */
    HY_SAMPLE_THREADS = 1024,
    HY_SAMPLE_BITS = 12,
    HY_SEEN_BITS = 1 << 14, /* for the number of different keys in the sample */
    HY_LEAST = 32 << 10,    /* keys a multiprocessor: fewer are no work for three stages */
    HY_MOST = 300 << 20     /* more do not fit the buckets */
};

/* What a kernel's tiles, and the blocks of the last stage, are for a kind of elements: registers
 * and shared memory decide. */
template <class Kind> struct hy_sizes {
    static const int BYTES = (int)sizeof(typename Kind::element);
    static const int ITEMS = BYTES == 4 ? HY_ITEMS : BYTES == 8 ? HY_ITEMS8 : HY_ITEMS16;
    static const int TILE = HY_THREADS * ITEMS;
    static const int LOCAL_BLOCKS = BYTES == 4   ? HY_LOCAL_BLOCKS
                                    : BYTES == 8 ? HY_LOCAL_BLOCKS8
                                                 : HY_LOCAL_BLOCKS16;
    static const int REST_THREADS = BYTES == 4 ? 256 : 512;
    static const int REST_BLOCKS = BYTES == 4 ? 4 : 2;
};

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
template <class Kind> struct hy_array {
    typedef Kind kind;
    typedef typename Kind::key_type key_type;
    typedef typename Kind::element element;
    const key_type *keys;    /* nothing is read behind the last */
    const uint32_t *payload; /* the same, or NULL without */
    unsigned at, end;        /* at is a multiple of 4 */
    unsigned shift, mask;
    bool begun, encode;
    hy_codec codec;

    static const bool BINS_ARE_KEPT = false;
    __device__ __forceinline__ unsigned bin(const element &e) const
    {
        return Kind::top(e) >> shift & mask;
    }
    __device__ __forceinline__ bool next_segment()
    {
        const bool first = !begun && at < end;
        begun = true;
        return first;
    }
    __device__ __forceinline__ unsigned segment() const { return 0; }
    __device__ __forceinline__ unsigned bins() const { return mask + 1; }
    __device__ __forceinline__ void settle() {}
    /* A thread takes 16 bytes of elements at a time. */
    template <int ITEMS>
    __device__ __forceinline__ bool load(element (&key)[ITEMS], unsigned *valid)
    {
        enum { VECTOR = gb_page_vector<element> };
        struct __align__(sizeof(key_type) * VECTOR) keys_of_vector
        {
            key_type key[VECTOR];
        };
        struct __align__(4 * VECTOR) payloads_of_vector
        {
            uint32_t payload[VECTOR];
        };
        if (at >= end) return false;
        unsigned bits = ITEMS == 32 ? ~0u : (1u << ITEMS % 32) - 1;
#pragma unroll
        for (int j = 0; j < ITEMS / VECTOR; j++) {
            const unsigned e = at + VECTOR * (threadIdx.x + j * HY_THREADS);
            keys_of_vector some = {};
            payloads_of_vector with = {};
            if (e + VECTOR <= end) {
                some = hy_load_once(reinterpret_cast<const keys_of_vector *>(keys + e));
                if (Kind::PAYLOAD)
                    with = hy_load_once(reinterpret_cast<const payloads_of_vector *>(payload + e));
            } else if (e < end) {
#pragma unroll
                for (int v = 0; v + 1 < VECTOR; v++) {
                    if (e + v >= end) break;
                    some.key[v] = keys[e + v];
                    if (Kind::PAYLOAD) with.payload[v] = payload[e + v];
                }
            }
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                key[VECTOR * j + v] = Kind::make(some.key[v], with.payload[v]);
        }
        if (at + ITEMS * HY_THREADS > end) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (at + VECTOR * (threadIdx.x + i / VECTOR * HY_THREADS) + i % VECTOR >= end)
                    bits &= ~(1u << i);
        }
        if (encode) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                key[i] = Kind::make(hy_encode(codec, Kind::image(key[i])), Kind::payload(key[i]));
        }
        *valid = bits;
        at += ITEMS * HY_THREADS;
        return true;
    }
};

/* A part of the list of pages that a first partition left, sorted by bin: a segment is what lies in
 * one bin. The words of the next tile, of TILE_ITEMS elements a thread, are fetched one tile ahead.
 */
template <class Kind, int TILE_ITEMS = hy_sizes<Kind>::ITEMS> struct hy_page_list {
    typedef Kind kind;
    typedef typename Kind::element element;
    const element *pages;   /* the keys */
    const unsigned *list;   /* gb_page_word */
    const unsigned *begins; /* shared: where each bin's pages begin in the list; one more */
    unsigned *ahead;        /* shared: words of a tile, twice */
    const unsigned *whole;  /* of each bin, how many of its pages are: they come first */
    unsigned at, stop, end; /* stop: of the segment; end: of the part */
    unsigned bin_now, page_shift, turn;
    unsigned shift, mask;
    unsigned whole_end; /* of the segment's whole pages, or stop */

    static const bool BINS_ARE_KEPT = false;
    __device__ __forceinline__ unsigned bin(const element &e) const
    {
        return Kind::top(e) >> shift & mask;
    }
    __device__ __forceinline__ unsigned segment() const { return bin_now; }
    __device__ __forceinline__ unsigned bins() const { return mask + 1; }
    __device__ __forceinline__ unsigned tile_pages() const
    {
        return (unsigned)(HY_THREADS * TILE_ITEMS) >> page_shift;
    }
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
        whole_end = begins[bin_now] + whole[bin_now];
        if (whole_end > stop) whole_end = stop;
        fetch();
        settle();
        __syncthreads();
        return true;
    }
    /* The same where pages of the tile may be filled in part, or missing. */
    template <int ITEMS>
    __device__ __forceinline__ unsigned load_parts(const unsigned *words,
                                                   element (&key)[ITEMS]) const
    {
        enum { VECTOR = gb_page_vector<element> };
        typedef gb_keys_of_16_bytes<element> vector;
        const unsigned within_mask = (1u << page_shift) - 1;
        unsigned bits = 0;
#pragma unroll
        for (int j = 0; j < ITEMS / VECTOR; j++) {
            const unsigned e = VECTOR * (threadIdx.x + j * HY_THREADS), p = e >> page_shift;
            const unsigned within = e & within_mask;
            vector some = {};
            unsigned keys = 0;
            if (at + p < stop) {
                const unsigned word = words[p], filled = (word & 255) + 1;
                if (within < filled) {
                    some = hy_load_once(reinterpret_cast<const vector *>(
                        pages + ((size_t)(word >> 8) << page_shift) + within));
                    keys = filled - within;
                }
            }
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                key[VECTOR * j + v] = some.key[v];
            bits |= (keys >= VECTOR ? (1u << VECTOR) - 1 : (1u << keys) - 1) << (VECTOR * j);
        }
        return bits;
    }
    template <int ITEMS>
    __device__ __forceinline__ bool load(element (&key)[ITEMS], unsigned *valid)
    {
        enum { VECTOR = gb_page_vector<element> };
        typedef gb_keys_of_16_bytes<element> vector;
        if (at >= stop) return false;
        const unsigned within_mask = (1u << page_shift) - 1;
        const unsigned *words = ahead + turn * HY_AHEAD;
        unsigned bits = ~0u >> (32 - ITEMS);
        if (at + tile_pages() <= whole_end) {
#pragma unroll
            for (int j = 0; j < ITEMS / VECTOR; j++) {
                const unsigned e = VECTOR * (threadIdx.x + j * HY_THREADS);
                const unsigned page = words[e >> page_shift] >> 8;
                const vector some = hy_load_once(reinterpret_cast<const vector *>(
                    pages + ((size_t)page << page_shift) + (e & within_mask)));
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    key[VECTOR * j + v] = some.key[v];
            }
        } else {
            bits = load_parts(words, key);
        }
        *valid = bits;
        at += tile_pages();
        turn ^= 1;
        fetch();
        return true;
    }
};

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
    __device__ __forceinline__ unsigned reserve(unsigned, unsigned) { return 0; }
    __device__ __forceinline__ void take(unsigned bin, unsigned, unsigned page, unsigned count,
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
    __device__ __forceinline__ unsigned reserve(unsigned bin, unsigned count)
    {
        return atomicAdd(&row_lengths[base + bin], count);
    }
    __device__ __forceinline__ void take(unsigned bin, unsigned slot, unsigned page, unsigned count,
                                         gb_page_cursor *cursor)
    {
        const unsigned here = base + bin;
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
