/* An unstable partition of keys of 4, 8 or 16 bytes by bins into pages: blocks of memory of a fixed
 * size that belong to one bin each. Nothing has to be counted beforehand, and what is written is
 * whole aligned sectors; a bin's keys end up in pages anywhere, which a next pass or a local sort
 * can follow.
 *
 * A block takes tiles of keys into shared memory, ranks them by atomics, and writes groups of 32
 * bytes, a sector: 8, 4 or 2 keys. All but whole groups of a bin are carried to the next tile. The
 * pages that a block fills come from a region that nobody else uses, so that taking one costs no
 * atomic in device memory. Of each bin a block leaves at most one page partly filled. */
#ifndef GB_CUDA_PAGES_CUH
#define GB_CUDA_PAGES_CUH

#include "common/cuda/warp.cuh"

/* Keys that are written together, by two lanes, each a vector of 16 bytes. */
template <class Key> constexpr int gb_page_group = 32 / (int)sizeof(Key);
template <class Key> constexpr int gb_page_vector = 16 / (int)sizeof(Key);

/* A vector of keys, as it is read and written. */
template <class Key> struct __align__(16) gb_keys_of_16_bytes
{
    Key key[gb_page_vector<Key>];
};

/* A page that holds keys: its index above, the number of its keys less one below. */
__device__ __forceinline__ unsigned gb_page_word(unsigned page, unsigned keys)
{
    return page << 8 | (keys - 1);
}

/* What a block of gb_partition knows of a bin; touched by the thread that owns it alone. */
typedef struct __align__(16) gb_page_cursor
{
    unsigned next;  /* the next free key in the pages; a multiple of the page size: no page open */
    unsigned pages; /* taken so far */
    unsigned keys;  /* written and carried so far */
    unsigned open;  /* where the open page is listed */
}
gb_page_cursor;

/* Where the keys of a bin go, in terms of slots of the tile: slot q goes to to[0] + q below split,
 * to to[1] + q from there to end; what is behind end is carried. */
typedef struct __align__(16) gb_page_route
{
    unsigned to[2];
    unsigned split, end;
}
gb_page_route;

template <class Key, int THREADS, int ITEMS, int BINS> struct gb_partition_shape {
    static const int GROUP = gb_page_group<Key>, VECTOR = gb_page_vector<Key>;
    static const int KEYS = THREADS * ITEMS, SLOTS = KEYS + 2 * (GROUP - 1) * BINS;
    static const int CARRIED = (GROUP * BINS + THREADS - 1) / THREADS; /* a thread */
    static const int BYTES = SLOTS * (int)sizeof(Key) + 2 * BINS * 4 +
                             BINS * (int)(sizeof(gb_page_route) + sizeof(gb_page_cursor));
};

/* The bins of a tile's keys, asked for twice: computed anew or, where that takes more than
 * registers cost, kept. */
template <bool KEPT, int ITEMS> struct gb_tile_bins {
    unsigned kept[KEPT ? (ITEMS + 3) / 4 : 1]; /* four in a word */

    __device__ __forceinline__ gb_tile_bins() : kept{} {}
    template <class Source, class Key>
    __device__ __forceinline__ unsigned first(const Source &source, const Key &key, int i)
    {
        const unsigned bin = source.bin(key);
        if (KEPT) kept[i / 4] |= bin << 8 * (i % 4);
        return bin;
    }
    template <class Source, class Key>
    __device__ __forceinline__ unsigned again(const Source &source, const Key &key, int i) const
    {
        return KEPT ? kept[i / 4] >> 8 * (i % 4) & 255u : source.bin(key);
    }
};

/* Partitions what `source` gives, segment by segment, and tells `list` of the pages; see
 * kernels/radix-sort/hybrid/pages.cuh for two sources and two lists. A thread owns a bin: BINS <=
 * THREADS.
 *   - source.next_segment(): whether there is one more; all threads ask. source.segment() is its
 *     number, source.bins() how many bins it has
 *   - source.load(key, valid): the next tile's keys; false: there is none. Bit i of valid says
 *     whether key[i] is one
 *   - source.settle(): a barrier follows, and then a load
 *   - source.bin(key): the bin of a key, below BINS; Source::BINS_ARE_KEPT: gb_tile_bins
 *   - list.begin(segment, bins): a segment begins
 *   - list.reserve(bin, count): the owner of a bin wants to list so many pages more; what it
 * returns comes back with list.take(bin, reserved, page, count, cursor), some time later, which
 * lists pages [page, page + count): so nobody waits for an atomic operation
 *   - list.finish(bin, cursor, filled): its last page has so many keys (0: it is full)
 * pages: the memory of all pages of page_keys keys (a power of two, 32 to 256, for their number
 * less one takes 8 bits of a gb_page_word); the block takes those from first_page on. */
template <int THREADS, int ITEMS, int BINS, class Key, class Source, class List>
__device__ void gb_partition(Source &source, List &list, Key *__restrict__ pages,
                             unsigned page_keys, unsigned first_page)
{
    typedef gb_partition_shape<Key, THREADS, ITEMS, BINS> shape;
    typedef gb_keys_of_16_bytes<Key> vector;
    enum { GROUP = shape::GROUP, VECTOR = shape::VECTOR };
    static_assert(BINS <= THREADS && BINS <= 256, "a thread owns a bin, whose number is a byte");
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    Key *tile = reinterpret_cast<Key *>(gb_shared_memory);
    gb_page_route *route = reinterpret_cast<gb_page_route *>(tile + shape::SLOTS);
    gb_page_cursor *cursors = reinterpret_cast<gb_page_cursor *>(route + BINS);
    unsigned *counts = reinterpret_cast<unsigned *>(cursors + BINS);
    unsigned *starts = counts + BINS;
    const unsigned me = threadIdx.x, lane = gb_lane();
    unsigned next_page = first_page;

    while (source.next_segment()) {
        list.begin(source.segment(), source.bins());
        Key key[ITEMS], carried[shape::CARRIED];
        unsigned carry = 0;
        unsigned valid; /* bit i: key[i] is one */
        const unsigned all_valid = ~0u >> (32 - ITEMS);
        if (me < BINS) {
            counts[me] = 0;
            cursors[me] = gb_page_cursor{0, 0, 0, 0};
        }
        bool more = source.load(key, &valid);
        __syncthreads();
        while (more) {
            /* 1. ranks: those carried have the first ones */
            unsigned rank[ITEMS / 2];
            gb_tile_bins<Source::BINS_ARE_KEPT, ITEMS> bins;
            if (valid == all_valid) {
#pragma unroll
                for (int i = 0; i < ITEMS; i += 2) {
                    const unsigned a = atomicAdd(&counts[bins.first(source, key[i], i)], 1u);
                    const unsigned b =
                        atomicAdd(&counts[bins.first(source, key[i + 1], i + 1)], 1u);
                    rank[i / 2] = a | b << 16;
                }
            } else {
#pragma unroll
                for (int i = 0; i < ITEMS; i += 2) {
                    unsigned a = 0, b = 0;
                    if (valid >> i & 1) a = atomicAdd(&counts[bins.first(source, key[i], i)], 1u);
                    if (valid >> (i + 1) & 1)
                        b = atomicAdd(&counts[bins.first(source, key[i + 1], i + 1)], 1u);
                    rank[i / 2] = a | b << 16;
                }
            }
            __syncthreads();

            /* 2. places in the tile, in whole groups, and pages: summed up in one word */
            const unsigned count = me < BINS ? counts[me] : 0;
            const unsigned whole = count & ~(GROUP - 1u);
            const unsigned padded = (count + GROUP - 1) & ~(GROUP - 1u);
            unsigned next = 0, taken = 0, rest = 0, room = 0, page = 0, reserved = 0, all;
            if (me < BINS) {
                next = cursors[me].next;
                room = (0u - next) & (page_keys - 1);
                rest = whole > room ? whole - room : 0;
                taken = (rest + page_keys - 1) / page_keys;
            }
            const unsigned before =
                gb_block_exclusive_sum_once<THREADS>(taken << 20 | padded, sums, &all);
            const unsigned slots = all & 0xfffffu;
            if (me < BINS) {
                const unsigned start = before & 0xfffffu;
                gb_page_route to;
                page = next_page + (before >> 20);
                if (taken) reserved = list.reserve(me, taken);
                starts[me] = start | carry << 24;
                to.to[0] = next - start;
                to.split = start + (rest ? room : whole);
                to.to[1] = page * page_keys - to.split;
                to.end = start + whole;
                route[me] = to;
                cursors[me].keys += count - carry;
                cursors[me].next = taken ? page * page_keys + rest : next + whole;
                counts[me] = carry = count - whole;
            }
            next_page += all >> 20;
            source.settle();
            __syncthreads();

            /* 3. reorder; the next tile's loads are on their way while this one is written */
            if (valid == all_valid) {
#pragma unroll
                for (int i = 0; i < ITEMS; i++) {
                    const unsigned place = i % 2 ? rank[i / 2] >> 16 : rank[i / 2] & 0xffffu;
                    tile[(starts[bins.again(source, key[i], i)] & 0xffffffu) + place] = key[i];
                }
            } else {
#pragma unroll
                for (int i = 0; i < ITEMS; i++) {
                    const unsigned place = i % 2 ? rank[i / 2] >> 16 : rank[i / 2] & 0xffffu;
                    if (valid >> i & 1)
                        tile[(starts[bins.again(source, key[i], i)] & 0xffffffu) + place] = key[i];
                }
            }
#pragma unroll
            for (int j = 0; j < shape::CARRIED; j++) {
                const unsigned q = me + j * THREADS, bin = q / GROUP, at = q % GROUP;
                if (bin < BINS) {
                    const unsigned begin = starts[bin];
                    if (at < begin >> 24) tile[(begin & 0xffffffu) + at] = carried[j];
                }
            }
            more = source.load(key, &valid);
            __syncthreads();

            /* 4. write whole groups, keep the rest */
            const unsigned whole_rows = (slots + GB_WARP * VECTOR - 1) & ~(GB_WARP * VECTOR - 1u);
            for (unsigned q = VECTOR * me; q < whole_rows; q += VECTOR * THREADS) {
                vector some = {};
                if (q < slots) some = *reinterpret_cast<const vector *>(tile + q);
                const unsigned bin = __shfl_sync(GB_FULL_MASK, source.bin(some.key[0]), lane & ~1u);
                const gb_page_route to = route[bin];
                /* the sum wraps to where it should */
                const unsigned where = (q < to.split ? to.to[0] : to.to[1]) + q;
                if (q < slots && q < to.end) *reinterpret_cast<vector *>(pages + where) = some;
            }
#pragma unroll
            for (int j = 0; j < shape::CARRIED; j++) {
                const unsigned q = me + j * THREADS, bin = q / GROUP, at = q % GROUP;
                if (bin < BINS && at < counts[bin]) carried[j] = tile[route[bin].end + at];
            }
            if (taken) {
                list.take(me, reserved, page, taken, &cursors[me]);
                cursors[me].pages += taken;
            }
            __syncthreads();
        }

        /* 5. the segment's end: what is carried goes to the open page, or to one more */
        const unsigned next = me < BINS ? cursors[me].next : 0;
        const unsigned taken = carry && !(next & (page_keys - 1));
        unsigned all;
        const unsigned before = gb_block_exclusive_sum<THREADS>(taken, sums, &all);
        if (me < BINS) {
            const unsigned page = next_page + before;
            if (taken) {
                list.take(me, list.reserve(me, 1), page, 1, &cursors[me]);
                cursors[me].pages++;
            }
            starts[me] = taken ? page * page_keys : next;
            counts[me] = carry;
            list.finish(me, cursors[me], (next + carry) & (page_keys - 1));
        }
        next_page += all;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < shape::CARRIED; j++) {
            const unsigned q = me + j * THREADS, bin = q / GROUP, at = q % GROUP;
            if (bin < BINS && at < counts[bin]) pages[starts[bin] + at] = carried[j];
        }
        __syncthreads();
    }
}

#endif
