/* A sort of bare 32-bit keys from the top: one or two unstable partitions into pages
 * (common/cuda/pages.cuh), then every bucket in shared memory. Equal keys cannot be told apart, so
 * stability is nothing that could be lost.
 *
 * Least bytes a key: 8 a partition and 8 for the buckets, 24 in all, where a sort from the bottom
 * that counts first has 36. */
#ifndef GB_RADIX_SORT_HYBRID_CUH
#define GB_RADIX_SORT_HYBRID_CUH

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
    HY_LEAST = 32 << 10, /* keys a multiprocessor: fewer are no work for three stages */
    HY_MOST = 300 << 20  /* more do not fit the buckets */
};

/* The image of a key, turned so that the bits that count are on top: what stands below them then
 * orders equal keys, which does no harm. */
typedef struct hy_codec {
    rs_codec codec;
    unsigned turn; /* to the left */
} hy_codec;

__device__ __forceinline__ unsigned hy_encode(const hy_codec &codec, unsigned key)
{
    key = rs_encode(codec.codec, key);
    return codec.turn ? key << codec.turn | key >> (32 - codec.turn) : key;
}
__device__ __forceinline__ unsigned hy_decode(const hy_codec &codec, unsigned image)
{
    if (codec.turn) image = image >> codec.turn | image << (32 - codec.turn);
    return rs_decode(codec.codec, image);
}

/* Why the keys are sorted in another way after all: bits of one word, so that a kernel can look at
 * what was said before it while its own blocks say more. */
enum hy_verdict {
    HY_REFUSED = 1,  /* by the sample, before the first partition */
    HY_ROW_FULL = 2, /* in the second partition: a bucket has more pages than its row */
    HY_TOO_LARGE = 4 /* a bucket does not fit in shared memory */
};

/* ---- where keys come from -------------------------------------------------------------------- */

/* A part of the input array: one segment. */
typedef struct hy_array {
    const unsigned *keys; /* 16 bytes of slack behind the last */
    unsigned at, end;     /* at is a multiple of 4 */
    unsigned shift, mask;
    bool begun, encode;
    hy_codec codec;

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

    __device__ __forceinline__ unsigned bin(unsigned key) const { return key >> shift & mask; }
    __device__ __forceinline__ unsigned segment() const { return bin_now; }
    __device__ __forceinline__ unsigned bins() const { return mask + 1; }
    __device__ __forceinline__ unsigned tile_pages() const { return HY_TILE >> page_shift; }
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

/* ---- the kernels ----------------------------------------------------------------------------- */

/* All that the kernels of a sort share; device memory. */
typedef struct hy_sort {
    const unsigned *keys_in;
    unsigned *keys_out;
    unsigned n;
    unsigned bits1, bits2; /* of the partitions, 1 to 8 each */
    unsigned blocks;       /* of a partition */
    unsigned chunk;        /* keys a block takes in the first partition */
    unsigned page_shift;
    unsigned width;                    /* of a row, in pages */
    unsigned sample_bits, lines, salt; /* of the sample: of bits so many, lines, their hash */
    hy_codec codec;
    bool encode;
    unsigned *verdict; /* hy_verdict */
    unsigned *sampled; /* of every bucket; one word more */
    /* the first partition of two */
    unsigned *pages1, *notes1, *list1, *in_bin1;
    hy_share *shares1;
    /* the last partition */
    unsigned *pages2, *rows, *row_lengths;
    unsigned *begins; /* of every bucket: first its keys, then where it begins in the output */
} hy_sort;

static __device__ __host__ __forceinline__ unsigned hy_region1(const hy_sort &sort)
{
    return (sort.chunk >> sort.page_shift) + 1 + HY_BINS;
}

static __device__ __forceinline__ hy_array hy_part_of_input(const hy_sort &sort, unsigned shift,
                                                            unsigned mask)
{
    const unsigned long long begin = (unsigned long long)blockIdx.x * sort.chunk;
    hy_array source = {sort.keys_in, sort.n, sort.n, shift, mask, false, sort.encode, sort.codec};
    if (begin < sort.n) source.at = (unsigned)begin;
    if (begin + sort.chunk < sort.n) source.end = (unsigned)(begin + sort.chunk);
    return source;
}

/* Whether the buckets will be alike, by their upper bits: counts the keys of every so many-th line
 * of 128 bytes, at a place in its stretch that a hash picks, so that no period of the data is
 * followed. The last block compares the sum of the squares with that of equally likely buckets: 1 +
 * the relative variance of the buckets' sizes. A false yes costs the two partitions, a false no
 * some speed. */
static __global__ void __launch_bounds__(HY_SAMPLE_THREADS) hy_sample(hy_sort sort)
{
    __shared__ unsigned long long part[GB_WARP];
    __shared__ unsigned largest[GB_WARP];
    __shared__ unsigned last_block;
    const unsigned bits = sort.sample_bits, buckets = 1u << bits, lane = gb_lane();
    const unsigned warps = gridDim.x * (HY_SAMPLE_THREADS / GB_WARP);
    const unsigned stretch = sort.n / GB_WARP / sort.lines; /* lines that one stands for */
    for (unsigned l = (blockIdx.x * HY_SAMPLE_THREADS + threadIdx.x) / GB_WARP; l < sort.lines;
         l += warps) {
        const unsigned line = l * stretch + (gb_scatter32(l ^ sort.salt) % stretch);
        unsigned key = sort.keys_in[line * GB_WARP + lane];
        if (sort.encode) key = hy_encode(sort.codec, key);
        /* one atomic for all that agree: with few different keys all lines meet in few counters */
        const unsigned bucket = key >> (32 - bits);
        const unsigned peers = gb_lanes_with(gb_ballot_bits<16>(bucket, true), bucket);
        if ((peers & gb_lanes_below()) == 0)
            atomicAdd(&sort.sampled[bucket], (unsigned)__popc(peers));
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last_block = atomicAdd(sort.sampled + buckets, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last_block) return;
    unsigned long long pairs = 0;
    unsigned most = 0;
    auto look_at = [&](unsigned count) {
        pairs += (unsigned long long)count * (count ? count - 1 : 0);
        if (count > most) most = count;
    };
    const uint4 *fours = reinterpret_cast<const uint4 *>(sort.sampled);
#pragma unroll 8
    for (unsigned b = threadIdx.x; b < buckets / 4; b += HY_SAMPLE_THREADS) {
        const uint4 four = fours[b];
        look_at(four.x);
        look_at(four.y);
        look_at(four.z);
        look_at(four.w);
    }
    pairs = gb_warp_sum(pairs);
    for (int d = GB_WARP / 2; d; d >>= 1) {
        const unsigned other = __shfl_xor_sync(GB_FULL_MASK, most, d);
        if (other > most) most = other;
    }
    if (lane == 0) {
        part[threadIdx.x / GB_WARP] = pairs;
        largest[threadIdx.x / GB_WARP] = most;
    }
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < HY_SAMPLE_THREADS / GB_WARP; w++) {
        pairs += part[w];
        if (largest[w] > most) most = largest[w];
    }
    const unsigned long long keys = (unsigned long long)sort.lines * GB_WARP;
    const unsigned mean = (unsigned)(keys >> bits);
    /* uniform: keys^2 / buckets, and a largest bucket a few deviations above the mean */
    if (pairs > keys * keys / buckets * 103 / 100 || most > 3 * mean + 32)
        atomicOr(sort.verdict, (unsigned)HY_REFUSED);
}

/* First of two partitions: by the top bits1 bits. */
static __global__ void __launch_bounds__(HY_THREADS, 2) hy_partition1(hy_sort sort)
{
    if (*sort.verdict & HY_REFUSED) return;
    hy_array source = hy_part_of_input(sort, 32 - sort.bits1, (1u << sort.bits1) - 1);
    hy_share *shares = sort.shares1 + blockIdx.x * HY_BINS;
    if (source.at >= source.end) { /* no keys, no segment */
        if (threadIdx.x < HY_BINS) shares[threadIdx.x] = hy_share{0, 0, 0, 0};
        return;
    }
    hy_notes list = {sort.notes1, shares, sort.in_bin1};
    gb_partition<HY_THREADS, HY_ITEMS, HY_BINS>(source, list, sort.pages1, 1u << sort.page_shift,
                                                blockIdx.x * hy_region1(sort));
}

/* Where the bins' pages begin in the list, in shared memory. All threads of a block. */
template <int THREADS>
static __device__ __forceinline__ void hy_begins(const unsigned *in_bin, unsigned *begins)
{
    __shared__ unsigned sums[GB_WARP + 1];
    unsigned total;
    const unsigned count =
        threadIdx.x < HY_BINS ? in_bin[threadIdx.x] + in_bin[HY_BINS + threadIdx.x] : 0;
    const unsigned begin = gb_block_exclusive_sum<THREADS>(count, sums, &total);
    if (threadIdx.x < HY_BINS) begins[threadIdx.x] = begin;
    if (threadIdx.x == 0) begins[HY_BINS] = total;
    __syncthreads();
}

/* The list of pages, sorted by bin. One block a block of the first partition. */
static __global__ void __launch_bounds__(HY_THREADS) hy_index(hy_sort sort)
{
    __shared__ unsigned begins[HY_BINS + 1];
    __shared__ __align__(16) unsigned share_words[HY_BINS * sizeof(hy_share) / sizeof(unsigned)];
    __shared__ unsigned sums[GB_WARP + 1];
    hy_share *shares = reinterpret_cast<hy_share *>(share_words);
    if (*sort.verdict & HY_REFUSED) return;
    hy_begins<HY_THREADS>(sort.in_bin1, begins);
    hy_share share = {0, 0, 0, 0};
    if (threadIdx.x < HY_BINS) {
        share = sort.shares1[blockIdx.x * HY_BINS + threadIdx.x];
        shares[threadIdx.x] = share;
    }
    unsigned pages;
    gb_block_exclusive_sum<HY_THREADS>(share.full + (share.keys != 0), sums, &pages);
    const unsigned first = blockIdx.x * hy_region1(sort);
    for (unsigned p = threadIdx.x; p < pages; p += HY_THREADS) {
        const unsigned note = sort.notes1[first + p], bin = note >> 24, number = note & 0xffffffu;
        const hy_share from = shares[bin];
        const bool full = number < from.full;
        const unsigned place = full ? from.first + number : sort.in_bin1[bin] + from.part;
        sort.list1[begins[bin] + place] =
            gb_page_word(first + p, full ? 1u << sort.page_shift : from.keys);
    }
}

static __device__ __forceinline__ hy_table hy_table_of(const hy_sort &sort)
{
    hy_table table = {
        sort.rows, sort.row_lengths, sort.begins, sort.verdict, sort.width, sort.page_shift, 0};
    return table;
}

/* The second partition: by bits2 bits, within the bins of the first one. */
static __global__ void __launch_bounds__(HY_THREADS, 2) hy_partition2(hy_sort sort)
{
    __shared__ unsigned begins[HY_BINS + 1];
    __shared__ unsigned ahead[2 * HY_AHEAD];
    if (*sort.verdict & HY_REFUSED) return;
    hy_begins<HY_THREADS>(sort.in_bin1, begins);
    const unsigned long long all = begins[HY_BINS];
    const unsigned begin = (unsigned)(all * blockIdx.x / gridDim.x);
    const unsigned end = (unsigned)(all * (blockIdx.x + 1) / gridDim.x);
    unsigned low = 0, high = HY_BINS; /* begins[low] <= begin < begins[high] */
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (begins[middle] <= begin)
            low = middle;
        else
            high = middle;
    }
    hy_page_list source = {sort.pages1,
                           sort.list1,
                           begins,
                           ahead,
                           begin,
                           begin,
                           end,
                           low,
                           sort.page_shift,
                           0,
                           32 - sort.bits1 - sort.bits2,
                           (1u << sort.bits2) - 1};
    hy_table table = hy_table_of(sort);
    /* of every bin that a block begins, each page in can be one page out and one more a bin */
    gb_partition<HY_THREADS, HY_ITEMS, HY_BINS>(source, table, sort.pages2, 1u << sort.page_shift,
                                                begin + HY_BINS * (blockIdx.x + low));
}

/* Orders two keys. */
static __device__ __forceinline__ void hy_order(unsigned &a, unsigned &b)
{
    const unsigned low = a < b ? a : b;
    b = a < b ? b : a;
    a = low;
}

/* Orders eight keys: Batcher's merge sort, 19 comparisons. */
static __device__ __forceinline__ void hy_order8(unsigned (&k)[8])
{
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        hy_order(k[i], k[i + 1]);
#pragma unroll
    for (int i = 0; i < 8; i += 4) {
        hy_order(k[i], k[i + 2]);
        hy_order(k[i + 1], k[i + 3]);
        hy_order(k[i + 1], k[i + 2]);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        hy_order(k[i], k[i + 4]);
    hy_order(k[2], k[4]);
    hy_order(k[3], k[5]);
#pragma unroll
    for (int i = 1; i < 7; i += 2)
        hy_order(k[i], k[i + 1]);
}

/* Counters become where their groups begin. */
static __device__ __forceinline__ uint4 hy_begins_of(uint4 count, unsigned begin)
{
    uint4 begins;
    begins.x = begin;
    begins.y = begins.x + count.x;
    begins.z = begins.y + count.y;
    begins.w = begins.z + count.z;
    return begins;
}

/* Four spare words in 32, so that windows of eight do not meet in a bank. */
static __device__ __host__ __forceinline__ unsigned hy_slot(unsigned i)
{
    return i + i / 32 * 4;
}

/* One block a bucket: counted by the bits that come next and moved to their groups, which are tiny;
 * then windows of eight neighbours are put in order, every other time shifted by four, until
 * nothing changes: once each is nearly always enough. */
static __global__ void __launch_bounds__(HY_LOCAL_THREADS, 4) hy_local(hy_sort sort)
{
    enum { COUNTERS = 1 << HY_LOCAL_BITS, EACH = COUNTERS / HY_LOCAL_THREADS };
    static_assert(EACH == 8, "a thread has four counters of each half");
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    unsigned *slots = counters + COUNTERS;
    if (*sort.verdict & (HY_REFUSED | HY_ROW_FULL)) return;
    const unsigned bucket = blockIdx.x, me = threadIdx.x;
    const unsigned row = sort.row_lengths[bucket], begin = sort.begins[bucket];
    const unsigned count = (bucket + 1 < gridDim.x ? sort.begins[bucket + 1] : sort.n) - begin;
    if (count == 0) return;
    if (count > HY_LOCAL_KEYS) {
        if (me == 0) atomicOr(sort.verdict, (unsigned)HY_TOO_LARGE);
        return;
    }
    const unsigned left = 32 - sort.bits1 - sort.bits2;
    const unsigned shift = left > HY_LOCAL_BITS ? left - HY_LOCAL_BITS : 0;
    const unsigned within_mask = (1u << sort.page_shift) - 1;

    /* 1. the keys of all pages, four a thread and round */
    unsigned key[HY_LOCAL_ROUNDS][4], keys[HY_LOCAL_ROUNDS], rank[HY_LOCAL_ROUNDS][2];
#pragma unroll
    for (int r = 0; r < HY_LOCAL_ROUNDS; r++) {
        const unsigned e = 4 * (me + r * HY_LOCAL_THREADS), p = e >> sort.page_shift;
        const unsigned word = p < row ? sort.rows[bucket * sort.width + p] + 1 : 0;
        const unsigned page = (word - 1) >> 8, within = e & within_mask;
        const unsigned filled = p < row ? word - (page << 8) : 0;
        uint4 four = make_uint4(0, 0, 0, 0);
        keys[r] = within < filled ? filled - within : 0;
        if (keys[r])
            four = __ldcs(reinterpret_cast<const uint4 *>(
                sort.pages2 + ((size_t)page << sort.page_shift) + within));
        key[r][0] = four.x;
        key[r][1] = four.y;
        key[r][2] = four.z;
        key[r][3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < EACH / 4; i++)
        reinterpret_cast<uint4 *>(counters)[me + i * HY_LOCAL_THREADS] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    /* 2. count and rank */
#pragma unroll
    for (int r = 0; r < HY_LOCAL_ROUNDS; r++) {
        unsigned place[4] = {0, 0, 0, 0};
        if (keys[r] >= 4) {
#pragma unroll
            for (int i = 0; i < 4; i++)
                place[i] = atomicAdd(&counters[key[r][i] >> shift & (COUNTERS - 1)], 1u);
        } else {
#pragma unroll
            for (int i = 0; i < 3; i++)
                if ((unsigned)i < keys[r])
                    place[i] = atomicAdd(&counters[key[r][i] >> shift & (COUNTERS - 1)], 1u);
        }
        rank[r][0] = place[0] | place[1] << 16;
        rank[r][1] = place[2] | place[3] << 16;
    }
    __syncthreads();
    /* a thread has four counters of each half: neighbours read neighbouring 16 bytes */
    uint4 *halves = reinterpret_cast<uint4 *>(counters);
    uint4 low = halves[me], high = halves[me + HY_LOCAL_THREADS];
    unsigned all;
    const unsigned sum = (low.x + low.y + low.z + low.w) | (high.x + high.y + high.z + high.w)
                                                               << 16;
    const unsigned before = gb_block_exclusive_sum_once<HY_LOCAL_THREADS>(sum, sums, &all);
    halves[me] = hy_begins_of(low, before & 0xffffu);
    halves[me + HY_LOCAL_THREADS] = hy_begins_of(high, (all & 0xffffu) + (before >> 16));
    __syncthreads();
#pragma unroll
    for (int r = 0; r < HY_LOCAL_ROUNDS; r++) {
        if (!keys[r]) continue;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const unsigned ranked = i % 2 ? rank[r][i / 2] >> 16 : rank[r][i / 2] & 0xffffu;
            if (keys[r] >= 4 || (unsigned)i < keys[r])
                slots[hy_slot(counters[key[r][i] >> shift & (COUNTERS - 1)] + ranked)] = key[r][i];
        }
    }
    /* behind the last, up to where windows reach */
    for (unsigned i = count + me; i < (count + 7) / 8 * 8 + 8; i += HY_LOCAL_THREADS)
        slots[hy_slot(i)] = ~0u;
    __syncthreads();

    /* 3. the groups. Every pair of neighbours lies in a window of one of the two rounds, but for
       those that the second one parts: they are looked at. */
    bool parted;
    do {
#pragma unroll
        for (unsigned shifted = 0; shifted <= 4; shifted += 4) {
            for (unsigned w = 8 * me + shifted; w < count; w += 8 * HY_LOCAL_THREADS) {
                uint4 *first = reinterpret_cast<uint4 *>(slots + hy_slot(w));
                uint4 *second = reinterpret_cast<uint4 *>(slots + hy_slot(w + 4));
                const uint4 a = *first, b = *second;
                unsigned k[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
                hy_order8(k);
                *first = make_uint4(k[0], k[1], k[2], k[3]);
                *second = make_uint4(k[4], k[5], k[6], k[7]);
            }
            __syncthreads();
        }
        parted = false;
        for (unsigned w = 8 * me + 4; w < count; w += 8 * HY_LOCAL_THREADS)
            parted |= slots[hy_slot(w - 1)] > slots[hy_slot(w)];
    } while (__syncthreads_or(parted));

    /* 4. out */
    unsigned *out = sort.keys_out + begin;
    if (sort.encode) {
#pragma unroll 4
        for (unsigned i = me; i < count; i += HY_LOCAL_THREADS)
            out[i] = hy_decode(sort.codec, slots[hy_slot(i)]);
    } else {
#pragma unroll 4
        for (unsigned i = me; i < count; i += HY_LOCAL_THREADS)
            out[i] = slots[hy_slot(i)];
    }
}

#endif
