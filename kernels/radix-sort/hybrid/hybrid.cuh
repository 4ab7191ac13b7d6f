/* A sort from the top: two unstable partitions into pages (common/cuda/pages.cuh), then every
 * bucket in shared memory. Equal bare keys cannot be told apart, so for them stability is nothing
 * that could be lost.
 *
 * Least bytes a 32-bit key: 8 a partition and 8 for the buckets, 24 in all, where a sort from the
 * bottom that counts first has 36; 48 for 68 with a payload of 32 bits, 48 for 136 for 64-bit keys.
 * Bare 32-bit keys of few different values are counted and written out instead, 8 (few.cuh); keys
 * in order are copied, least (ordered.cuh). Uneven keys are counted in part, a byte a 32-bit key,
 * and go by places (cells.cuh). */
#ifndef GB_RADIX_SORT_HYBRID_CUH
#define GB_RADIX_SORT_HYBRID_CUH

#include "common/cuda/grid.cuh"
#include "common/cuda/search.cuh"
#include "kernels/radix-sort/hybrid/cells.cuh"
#include "kernels/radix-sort/hybrid/few.cuh"
#include "kernels/radix-sort/hybrid/ordered.cuh"

/* All that the kernels of a sort share; device memory. */
typedef struct hy_sort {
    const void *keys_in;
    void *keys_out;
    const uint32_t *payload_in; /* NULL without */
    uint32_t *payload_out;
    unsigned n;
    /* The first n_in of the elements lie there; the others, if any, somewhere else. */
    unsigned n_in;
    const void *more_keys;
    const uint32_t *more_payload;
    unsigned bits1, bits2; /* of the partitions, 1 to 8 each */
    unsigned blocks;       /* of a partition */
    unsigned blocks_in;    /* so many of them take the elements of keys_in in the first one */
    unsigned chunk;        /* keys a block takes in that */
    unsigned page_shift;
    unsigned width;                    /* of a row, in pages */
    unsigned sample_bits, lines, salt; /* of the sample: of bits so many, lines, their hash */
    hy_codec codec;
    bool encode;
    hy_state *state;
    hy_few few;
    hy_cells cells;
    bool may_place;               /* whether buckets have room for uneven keys */
    unsigned *sampled;            /* 2^sample_bits counters and five words more */
    unsigned *seen;               /* HY_SEEN_BITS bits */
    unsigned seen_few, seen_many; /* of these, at most, for a small and a large table */
    /* the first partition */
    void *pages1; /* elements (kinds.cuh) */
    unsigned *notes1, *list1, *in_bin1;
    hy_share *shares1;
    /* the second */
    void *pages2;
    unsigned *rows, *row_lengths;
    unsigned *rest;   /* how many buckets the last stage has left for another kernel, and which */
    unsigned *begins; /* of every bucket: first its keys, then where it begins in the output */
} hy_sort;

static __device__ __host__ __forceinline__ unsigned hy_region1(const hy_sort &sort)
{
    return (sort.chunk >> sort.page_shift) + 1 + HY_BINS;
}

template <class Kind>
static __device__ __forceinline__ hy_array<Kind>
hy_part_of_input(const hy_sort &sort, unsigned block, unsigned shift, unsigned mask)
{
    const bool more = block >= sort.blocks_in;
    const unsigned n = more ? sort.n - sort.n_in : sort.n_in;
    const unsigned long long begin =
        (unsigned long long)(more ? block - sort.blocks_in : block) * sort.chunk;
    hy_array<Kind> source = {
        static_cast<const typename Kind::key_type *>(more ? sort.more_keys : sort.keys_in),
        more ? sort.more_payload : sort.payload_in,
        n,
        n,
        shift,
        mask,
        false,
        sort.encode,
        sort.codec,
    };
    if (begin < n) source.at = (unsigned)begin;
    if (begin + sort.chunk < n) source.end = (unsigned)(begin + sort.chunk);
    return source;
}

/* What was said before a kernel began: the verdict, and what is tried. */
static __device__ __forceinline__ uint2 hy_said(const hy_sort &sort)
{
    return *reinterpret_cast<const uint2 *>(sort.state);
}

/* Whether a stage behind the first partition has nothing to do: another way was taken with success,
 * or the verdict has one of those bits. */
static __device__ __forceinline__ bool hy_is_done(uint2 said, unsigned bits)
{
    return (said.x & bits) || ((said.y & HY_ATTEMPTS) && !(said.y & HY_FAILED));
}

/* The OR over the lanes, in every lane. */
static __device__ __forceinline__ unsigned hy_warp_or(unsigned value)
{
#pragma unroll
    for (int d = GB_WARP / 2; d; d >>= 1)
        value |= __shfl_xor_sync(GB_FULL_MASK, value, d);
    return value;
}

/* How images are made of keys where these go by places: turned once more. */
template <class Kind>
static __device__ __forceinline__ hy_codec hy_codec_by_place(const hy_sort &sort, bool *encode)
{
    const unsigned turn = sort.state->turn, width = 8 * sizeof(typename Kind::key_type);
    *encode = sort.encode || turn;
    return hy_codec{sort.codec.codec, (sort.codec.turn + turn) % width};
}

/* Whether keys of few different values are counted: bare ones of 32 bits. */
template <class Kind>
constexpr bool hy_counts_values = !Kind::PAYLOAD && sizeof(typename Kind::key_type) == 4;

/* Every so many-th line tells how many different keys there are: 16384 keys do. */
static __device__ __forceinline__ unsigned hy_lines_apart(const hy_sort &sort)
{
    const unsigned enough = (1 << 14) / GB_WARP;
    return sort.lines > enough ? (sort.lines + enough - 1) / enough : 1;
}

/* Whether the buckets will be alike, by their upper bits: counts the keys of every so many-th line
 * of 128 bytes, at a place in its stretch that a hash picks, so that no period of the data is
 * followed. The last block compares the sum of the squares with that of equally likely buckets: 1 +
 * the relative variance of the buckets' sizes. A false yes costs the two partitions, a false no
 * some speed.
 *
 * How many different keys there are is told by linear counting (Whang et al. 1990), by bits that
 * their hashes set: where a table can hold them they are counted. Keys that nowhere descend, in the
 * lines and from one to the next, or nowhere ascend, are taken to be in order. */
template <class Kind>
static __global__ void __launch_bounds__(HY_SAMPLE_THREADS) hy_sample(hy_sort sort)
{
    typedef typename Kind::key_type key_type;
    __shared__ unsigned long long part[GB_WARP];
    __shared__ unsigned largest[GB_WARP];
    __shared__ unsigned repeated_here, set_here, clear_here; /* in the block: its warps' */
    const unsigned bits = sort.sample_bits, buckets = 1u << bits, lane = gb_lane();
    const unsigned warps = gridDim.x * (HY_SAMPLE_THREADS / GB_WARP);
    const unsigned stretch = sort.n / GB_WARP / sort.lines; /* lines that one stands for */
    auto key_at = [&](unsigned i) {
        return i < sort.n_in ? static_cast<const key_type *>(sort.keys_in)[i]
                             : static_cast<const key_type *>(sort.more_keys)[i - sort.n_in];
    };
    const unsigned apart = hy_lines_apart(sort);
    if (threadIdx.x == 0) repeated_here = set_here = clear_here = 0;
    __syncthreads();
    bool ascends = true, descends = true;
    unsigned repeats = 0;        /* keys whose top a lane below has as well */
    unsigned set = 0, clear = 0; /* bits that are so in the top of any image */
    for (unsigned l = (blockIdx.x * HY_SAMPLE_THREADS + threadIdx.x) / GB_WARP; l < sort.lines;
         l += warps) {
        const unsigned line = l * stretch + (gb_scatter32(l ^ sort.salt) % stretch);
        const unsigned last = l ? (l - 1) * stretch + gb_scatter32((l - 1) ^ sort.salt) % stretch
                                : line; /* the line before */
        key_type key = key_at(line * GB_WARP + lane);
        key_type before = lane ? 0 : key_at(l ? last * GB_WARP + GB_WARP - 1 : line * GB_WARP);
        if (sort.encode) {
            key = hy_encode(sort.codec, key);
            before = hy_encode(sort.codec, before);
        }
        const unsigned top = Kind::top(Kind::make(key, 0));
        set |= top;
        clear |= ~top;
        const key_type left = __shfl_up_sync(GB_FULL_MASK, key, 1);
        if (lane) before = left;
        ascends &= before <= key;
        descends &= before >= key;
        /* one atomic for all that agree: with few different keys all lines meet in few counters */
        const unsigned bucket = top >> (32 - bits);
        const unsigned peers = gb_lanes_with(gb_ballot_bits<16>(bucket, true), bucket);
        if ((peers & gb_lanes_below()) == 0)
            atomicAdd(&sort.sampled[bucket], (unsigned)__popc(peers));
        const unsigned equal = gb_lanes_with(gb_ballot_bits<32>(top, true), top);
        repeats += (equal & gb_lanes_below()) != 0;
        if (!hy_counts_values<Kind> || l % apart) continue;
        const unsigned hash = top * 0x9e3779b1u / (0x80000000u / (HY_SEEN_BITS / 2));
        if ((equal & gb_lanes_below()) == 0 && !(gb_glance(sort.seen + hash / 32) >> hash % 32 & 1))
            atomicOr(&sort.seen[hash / 32], 1u << hash % 32);
    }
    unsigned *refuted = sort.sampled + buckets + 1, *repeated = refuted + 1;
    unsigned *any_set = repeated + 1, *any_clear = any_set + 1;
    repeats = gb_warp_sum(repeats);
    set = hy_warp_or(set);
    clear = hy_warp_or(clear);
    if (lane == 0) { /* a block's first, for all blocks meet in the same words */
        if (repeats) atomicAdd(&repeated_here, repeats);
        atomicOr(&set_here, set);
        atomicOr(&clear_here, clear);
    }
    const bool never_ascends = __syncthreads_or(!ascends),
               never_descends = __syncthreads_or(!descends);
    if (threadIdx.x == 0) {
        if (repeated_here) atomicAdd(repeated, repeated_here);
        if (set_here & ~gb_glance(any_set)) atomicOr(any_set, set_here);
        if (clear_here & ~gb_glance(any_clear)) atomicOr(any_clear, clear_here);
        if (never_ascends || never_descends)
            atomicOr(refuted, (never_ascends ? (unsigned)HY_ASCENDS : 0u) |
                                  (never_descends ? (unsigned)HY_DESCENDS : 0u));
    }
    if (!gb_is_last_block(sort.sampled + buckets)) return;
    unsigned long long pairs = 0;
    unsigned most = 0;
    const int above = 48; /* above the pairs, of which there are 2^34: how many bits are set */
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
    for (unsigned w = threadIdx.x; w < HY_SEEN_BITS / 32; w += HY_SAMPLE_THREADS)
        pairs += (unsigned long long)__popc(gb_glance(sort.seen + w)) << above;
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
    const unsigned mean = (unsigned)(keys >> bits), seen = (unsigned)(pairs >> above);
    pairs &= (1ull << above) - 1;
    /* uniform: keys^2 / buckets, and a largest bucket a few deviations above the mean */
    const bool uneven = pairs > keys * keys / buckets * 103 / 100 || most > 3 * mean + 32;
    /* where all keys are equal, others that are rare may lie anywhere */
    const unsigned either = HY_ASCENDS | HY_DESCENDS, in_order = ~gb_glance(refuted) & either;
    unsigned attempt = 0;
    if (in_order && in_order != either)
        attempt = in_order;
    else if (hy_counts_values<Kind> &&
             seen <= keys / apart / 2) /* else there is no saying how many more there are */
        attempt = seen <= sort.seen_few    ? (unsigned)HY_BY_COUNT
                  : seen <= sort.seen_many ? (unsigned)HY_BY_COUNT_MANY
                                           : 0u;
    /* a value that is common enough to come twice in a line may be too much for a bucket */
    if (uneven && !attempt && sort.may_place && gb_glance(repeated) <= keys / 16384 + 2)
        attempt = HY_BY_PLACE;
    const unsigned differ = gb_glance(any_set) & gb_glance(any_clear);
    if (attempt == HY_BY_PLACE && differ && __clz((int)differ) >= HY_TURN_LEAST) {
        sort.state->turn = (unsigned)__clz((int)differ);
        sort.state->common = hy_turn(gb_glance(any_set), sort.state->turn);
    }
    if (uneven && !attempt) sort.state->verdict = HY_REFUSED;
    sort.state->attempt = attempt | (uneven ? (unsigned)HY_UNEVEN : 0u);
}

/* Attempts, and onesweep, read one array: whether what was said calls for them already. */
static __device__ __forceinline__ bool hy_reads_one_array(uint2 said)
{
    return (said.x & HY_REFUSED) || (said.y & HY_ATTEMPTS);
}

/* Elements that lie somewhere else are copied behind those of keys_in: behind the sample what
 * attempts need, behind the stages (last) what onesweep does. */
template <class Kind> static __global__ void hy_gather(hy_sort sort, bool last)
{
    typedef typename Kind::key_type key_type;
    const uint2 said = hy_said(sort);
    const bool before = hy_reads_one_array(said);
    if (last ? before || !said.x : !before) return;
    key_type *keys = static_cast<key_type *>(const_cast<void *>(sort.keys_in));
    const key_type *more = static_cast<const key_type *>(sort.more_keys);
    const unsigned count = sort.n - sort.n_in;
    for (uint64_t i = gb_first(); i < count; i += gb_stride()) {
        keys[sort.n_in + i] = more[i];
        if (Kind::PAYLOAD)
            const_cast<uint32_t *>(sort.payload_in)[sort.n_in + i] = sort.more_payload[i];
    }
}

/* A block's part of what is done before the first partition or instead of it. */
template <class Kind>
static __device__ __forceinline__ void hy_try(const hy_sort &sort, unsigned attempt,
                                              const hy_trial &trial, unsigned *shared)
{
    const auto *keys = static_cast<const typename Kind::key_type *>(sort.keys_in);
    auto *out = static_cast<typename Kind::key_type *>(sort.keys_out);
    if (attempt & HY_BY_PLACE) {
        bool encode;
        const hy_codec codec = hy_codec_by_place<Kind>(sort, &encode);
        const hy_two_arrays<Kind> all = {
            keys, static_cast<const typename Kind::key_type *>(sort.more_keys), sort.n_in,
            sort.n - sort.n_in};
        hy_count_cells<Kind>(all, encode, codec, sort.salt, sort.cells.counts, trial);
    } else if constexpr (hy_counts_values<Kind>) {
        const hy_order_of order = {attempt & HY_DESCENDS ? ~0u : 0u, sort.encode, sort.codec};
        if (attempt & HY_BY_COUNT)
            hy_few_count<hy_few_small>(keys, sort.n, sort.few, trial);
        else if (attempt & HY_BY_COUNT_MANY)
            hy_few_count<hy_few_large>(keys, sort.n, sort.few, trial);
        else
            hy_copy_ordered(keys, out, sort.n, order, trial, shared);
    } else {
        hy_copy_ordered_elements<Kind>(keys, sort.payload_in, out, sort.payload_out, sort.n,
                                       attempt & HY_DESCENDS, sort.encode, sort.codec, trial);
    }
    if (!hy_end_trial(trial) || !(attempt & HY_BY_PLACE)) return;
    hy_make_places(sort.cells);
    (void)hy_end_trial(trial);
}

template <class Kind>
constexpr int hy_cell_tile_bytes =
    gb_partition_shape<typename Kind::element, HY_THREADS, hy_cell_items<Kind>, HY_BINS>::BYTES;

/* The places behind the tile of a partition by them, in shared memory. */
template <class Kind> static __device__ __forceinline__ unsigned *hy_shared_places()
{
    GB_DYNAMIC_SHARED();
    return reinterpret_cast<unsigned *>(gb_shared_memory + hy_cell_tile_bytes<Kind>);
}

/* The first partition by the places; returns what is strange in the thread's images. It is no part
 * of the kernel, so that it takes no registers from what that does without places; for the second
 * one this is dearer than it helps. */
template <class Kind>
static __device__ GB_CALLED unsigned
hy_partition1_by_place(hy_array_by_place<Kind> source, hy_notes list, typename Kind::element *pages,
                       unsigned page_keys, unsigned first_page)
{
    gb_partition<HY_THREADS, hy_cell_items<Kind>, HY_BINS>(source, list, pages, page_keys,
                                                           first_page);
    return source.strange;
}

/* First of two partitions: by the top bits1 bits. Before it, or instead of it, what is to be tried.
 */
template <class Kind>
static __global__ void __launch_bounds__(HY_THREADS, HY_BLOCKS) hy_partition1(hy_sort sort)
{
    typedef typename Kind::element element;
    GB_DYNAMIC_SHARED();
    const uint2 said = hy_said(sort);
    unsigned block = blockIdx.x;
    if (said.x & HY_REFUSED) return;
    if (said.y & (HY_ATTEMPTS | HY_BY_PLACE)) {
        const hy_trial trial = hy_next_trial(sort.state, sort.blocks);
        if (trial.block < trial.blocks) {
            hy_try<Kind>(sort, said.y, trial, reinterpret_cast<unsigned *>(gb_shared_memory));
            return;
        }
        block = trial.block - trial.blocks;
        if (!hy_wait_for_trials(trial, said.y)) return;
    }
    if (block >= sort.blocks) return;
    hy_array<Kind> source =
        hy_part_of_input<Kind>(sort, block, 32 - sort.bits1, (1u << sort.bits1) - 1);
    hy_share *shares = sort.shares1 + block * HY_BINS;
    if (source.at >= source.end) { /* no keys, no segment */
        if (threadIdx.x < HY_BINS) shares[threadIdx.x] = hy_share{0, 0, 0, 0};
        return;
    }
    hy_notes list = {sort.notes1, shares, sort.in_bin1};
    element *pages = static_cast<element *>(sort.pages1);
    if (said.y & HY_BY_PLACE) {
        source.codec = hy_codec_by_place<Kind>(sort, &source.encode);
        const hy_array_by_place<Kind> by_place = {
            {source, hy_shared_places<Kind>()}, sort.state->common, 0};
        hy_fetch_places(sort.cells, hy_shared_places<Kind>());
        const unsigned strange = hy_partition1_by_place<Kind>(
            by_place, list, pages, 1u << sort.page_shift, block * hy_region1(sort));
        if (strange & hy_turned_bits(sort.state->turn))
            atomicOr(&sort.state->verdict, (unsigned)HY_STRAY);
        return;
    }
    gb_partition<HY_THREADS, hy_sizes<Kind>::ITEMS, HY_BINS>(
        source, list, pages, 1u << sort.page_shift, block * hy_region1(sort));
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
    __shared__ unsigned places[HY_CELLS + 1];
    const uint2 said = hy_said(sort);
    if (hy_is_done(said, HY_REFUSED | HY_STRAY)) return;
    if (said.y & HY_BY_PLACE) {
        hy_fetch_places(sort.cells, places);
        hy_make_lows(sort.cells, places, sort.bits1 + sort.bits2);
    }
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
        sort.rows, sort.row_lengths, sort.begins, &sort.state->verdict, sort.width, sort.page_shift,
        0};
    return table;
}

/* The second partition: by bits2 bits, within the bins of the first one. Or the values are written
 * out. */
template <class Kind>
static __global__ void __launch_bounds__(HY_THREADS, HY_BLOCKS) hy_partition2(hy_sort sort)
{
    typedef typename Kind::element element;
    __shared__ unsigned begins[HY_BINS + 1];
    __shared__ unsigned ahead[2 * HY_AHEAD];
    GB_DYNAMIC_SHARED();
    const uint2 said = hy_said(sort);
    if (said.x & (HY_REFUSED | HY_STRAY)) return;
    if (hy_counts_values<Kind> && (said.y & HY_COUNTS) && !(said.y & HY_FAILED))
        hy_few_write(static_cast<unsigned *>(sort.keys_out), sort.n, sort.few, sort.encode,
                     sort.codec, reinterpret_cast<unsigned *>(gb_shared_memory));
    if (hy_is_done(said, 0)) return;
    hy_begins<HY_THREADS>(sort.in_bin1, begins);
    const unsigned long long all = begins[HY_BINS];
    const unsigned begin = (unsigned)(all * blockIdx.x / gridDim.x);
    const unsigned end = (unsigned)(all * (blockIdx.x + 1) / gridDim.x);
    const unsigned low = gb_stretch_holding(begins, HY_BINS, begin);
    hy_table table = hy_table_of(sort);
    const unsigned shift = 32 - sort.bits1 - sort.bits2, mask = (1u << sort.bits2) - 1;
    const element *pages1 = static_cast<const element *>(sort.pages1);
    element *pages2 = static_cast<element *>(sort.pages2);
    /* of every bin that a block begins, each page in can be one page out and one more a bin */
    const unsigned first_page = begin + HY_BINS * (blockIdx.x + low);
    if (said.y & HY_BY_PLACE) {
        typedef hy_page_list<Kind, hy_cell_items<Kind>> pages_of_cells;
        const pages_of_cells source = {pages1, sort.list1, begins, ahead, sort.in_bin1,
                                       begin,  begin,      end,    low,   sort.page_shift,
                                       0,      shift,      mask,   0};
        hy_by_place<pages_of_cells> by_place = {source, hy_shared_places<Kind>()};
        hy_fetch_places(sort.cells, hy_shared_places<Kind>());
        gb_partition<HY_THREADS, hy_cell_items<Kind>, HY_BINS>(by_place, table, pages2,
                                                               1u << sort.page_shift, first_page);
        return;
    }
    hy_page_list<Kind> source = {pages1, sort.list1, begins, ahead, sort.in_bin1,
                                 begin,  begin,      end,    low,   sort.page_shift,
                                 0,      shift,      mask,   0};
    gb_partition<HY_THREADS, hy_sizes<Kind>::ITEMS, HY_BINS>(source, table, pages2,
                                                             1u << sort.page_shift, first_page);
}

#endif
