/* A stable pass: every block has a part of the input, and where its elements of each digit go is
 * known from a count before (parts.cuh). A key's rank among its equals in the tile comes from
 * votes inside the warp and counts of the warps; buffers, groups and the keys that do not fit are
 * as in unordered.cuh, but nothing is reserved. */
#ifndef GB_MULTIPARTITION_ORDERED_CUH
#define GB_MULTIPARTITION_ORDERED_CUH

#include "kernels/multipartition/partition/rows.cuh"

/* What a block knows of a digit; slots count from 0 for all buffers together. */
typedef struct __align__(8) mp_stretch
{
    uint64_t base;               /* slot + base is an element's place in the output */
    unsigned short start, limit; /* the buffer */
    unsigned short from;      /* first slot that holds an element: start, but for the first group */
    unsigned short old, next; /* the slot after the last one, before the tile and after it */
    unsigned short to;        /* where what leaves with the tile ends */
    bool straight;            /* there is more than fits: what leaves is not gathered */
}
mp_stretch;

/* Whether the lanes of a warp that have the same digit, of so many bits, find each other by a word
 * for each digit in shared memory, to which all add their bit, rather than by one vote a bit. With
 * fewer bits votes are cheaper; with more the words' banks collide, and in a CROWD lanes do. */
template <int BITS, bool CROWD> constexpr bool mp_matches()
{
    return BITS == 6 && !CROWD;
}

/* Bytes of shared memory beside the buffers. */
template <int THREADS, int BITS, bool CROWD> constexpr size_t mp_ordered_tables(size_t digits)
{
    return digits * (sizeof(mp_stretch) + THREADS / GB_WARP * (mp_matches<BITS, CROWD>() ? 4 : 0)) +
           THREADS / GB_WARP * ((digits + 1) & ~(size_t)1) * sizeof(unsigned short);
}

template <class Key, int WORDS, int THREADS, int ITEMS, int BITS, bool CROWD, bool PIECES,
          class Digit>
struct mp_ordered {
    static const int TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    static const bool MATCHES = mp_matches<BITS, CROWD>();
    /* to allow for uneven digits costs others nothing where there are many (combine.cuh) */
    static const bool UNEVEN = BITS >= 8;
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;

    elements out;
    const Digit &digit;
    const mp_cut &cut;
    elements buffers;       /* shared */
    mp_stretch *stretches;  /* shared: of each digit */
    unsigned *all_matches;  /* shared, if MATCHES: of each warp, who has a digit; 0 in between */
    unsigned short *counts; /* shared: of each warp, `row` of them */
    unsigned row;
    unsigned per_warp; /* digits a warp looks after, one a lane */
    unsigned own;      /* the lane's, if it owns one */
    bool owns;
    unsigned heat;      /* its number among the hot ones, or MP_COLD */
    mp_hot<WORDS> *hot; /* shared */

    __device__ __forceinline__ unsigned short *warp_counts() const
    {
        return counts + threadIdx.x / GB_WARP * row;
    }
    __device__ __forceinline__ void clear_counts() const
    {
        unsigned *words = reinterpret_cast<unsigned *>(warp_counts());
        for (unsigned i = gb_lane(); i < row / 2; i += GB_WARP)
            words[i] = 0;
    }

    /* Buffers as large as this part's digits want them. */
    __device__ __forceinline__ void lay_out(const mp_parts &parts, const mp_part &found)
    {
        const mp_part_buffer buffer = mp_lay_out_part<PIECES, UNEVEN, THREADS, ITEMS>(
            parts, blockIdx.x, found, cut, own, owns, hot, &heat);
        if (owns) {
            const unsigned first = buffer.first;
            mp_stretch s = {};
            s.base = buffer.base;
            s.start = (unsigned short)buffer.start;
            s.limit = (unsigned short)buffer.limit;
            s.from = s.next = (unsigned short)first;
            stretches[own] = s;
        }
        clear_counts();
        __syncthreads();
    }

    /* Ranks in the warp, and the warp's counts. mixed: the rank above, the digit below. */
    __device__ __forceinline__ void rank(const Key (&key)[ITEMS], unsigned valid,
                                         unsigned (&mixed)[ITEMS]) const
    {
        unsigned short *mine = warp_counts();
        unsigned *matches = all_matches + threadIdx.x / GB_WARP * digit.digits;
        mp_digits_of_rows<THREADS>(digit, key, valid, mixed);
        if (mp_rows_alike(mixed)) { /* the counts are 0 before a tile */
            if (gb_lane() == 0) mine[mixed[0]] = GB_WARP * ITEMS;
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                mixed[i] |= (i * GB_WARP + gb_lane()) << 16;
            __syncwarp();
            return;
        }
        if constexpr (BITS == 1) { /* what the warp has had of both fits registers */
            unsigned before[2] = {0, 0};
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                const unsigned ones = __ballot_sync(GB_FULL_MASK, mixed[i] != 0);
                const unsigned peers = mixed[i] ? ones : ~ones;
                const unsigned rank =
                    (mixed[i] ? before[1] : before[0]) + __popc(peers & gb_lanes_below());
                mixed[i] |= rank << 16;
                before[1] += __popc(ones);
                before[0] += GB_WARP - __popc(ones);
            }
            if (gb_lane() < digit.digits) mine[gb_lane()] = (unsigned short)before[gb_lane() & 1];
            __syncwarp();
        } else {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                const unsigned d = mixed[i];
                unsigned peers;
                if constexpr (MATCHES) {
                    atomicOr(&matches[d], 1u << gb_lane());
                    __syncwarp();
                    peers = matches[d];
                } else {
                    peers = gb_peers<BITS>(d);
                }
                const unsigned below = __popc(peers & gb_lanes_below());
                const unsigned before = mine[d];
                __syncwarp();
                if (peers >> gb_lane() == 1) { /* the last of them */
                    mine[d] = (unsigned short)(before + below + 1);
                    if constexpr (MATCHES) matches[d] = 0;
                }
                __syncwarp();
                mixed[i] |= (before + below) << 16;
            }
        }
    }

    /* Each warp's first slot of each digit, and what leaves of it. Returns whether some digit has
     * more than fits. */
    __device__ __forceinline__ bool add_up(unsigned valid)
    {
        if (!owns) return false;
        mp_stretch *s = &stretches[own];
        unsigned next = s->old = s->next;
#pragma unroll 8
        for (int w = 0; w < WARPS; w++) {
            const unsigned count = counts[w * row + own];
            counts[w * row + own] = (unsigned short)next;
            next += count;
        }
        if (own == digit.digits - 1) next -= TILE - valid;
        /* buffers begin at multiples of a group */
        const unsigned whole = next >> cut.group_log << cut.group_log;
        s->next = (unsigned short)next;
        s->to = whole > s->from ? (unsigned short)whole : s->from;
        s->straight = next > s->limit;
        return s->straight;
    }

    static __device__ __forceinline__ mp_flush<WORDS> flush_of(const mp_stretch &s, unsigned to,
                                                               unsigned next)
    {
        mp_flush<WORDS> flush = {};
        flush.start = s.start;
        flush.from = s.from;
        flush.to = to;
        flush.next = next;
        flush.base = s.base;
        if constexpr (WORDS > 0) flush.payload_base = s.base;
        return flush;
    }

    /* Of digits that have more than fits what was there before the tile leaves first. */
    __device__ __forceinline__ void make_way()
    {
        mp_flush<WORDS> flush = {};
        if (owns && stretches[own].straight) {
            const mp_stretch &s = stretches[own];
            flush = flush_of(s, s.old, s.old);
        }
        mp_write_groups<true, UNEVEN>(out, buffers, cut, per_warp, flush);
    }

    /* Fills the buffers. any: some digit has more than fits; of such what leaves with this tile
     * goes straight to its place, and the rest to the emptied buffer's start. */
    __device__ __forceinline__ void gather(const Key (&key)[ITEMS],
                                           const payload_type (&payload)[ITEMS],
                                           const unsigned (&mixed)[ITEMS], unsigned valid,
                                           bool any) const
    {
        const unsigned short *mine = warp_counts();
        const unsigned first = mp_row_place<ITEMS>();
        if (!any && valid == TILE) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                mp_put(buffers, mine[mixed[i] & 0xffffu] + (mixed[i] >> 16), key[i], payload[i]);
            return;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (first + i * GB_WARP >= valid) continue;
            const unsigned d = mixed[i] & 0xffffu, slot = mine[d] + (mixed[i] >> 16);
            const mp_stretch stretch = stretches[d];
            if (!stretch.straight)
                mp_put(buffers, slot, key[i], payload[i]);
            else if (slot < stretch.to)
                mp_put(out, stretch.base + slot, key[i], payload[i]);
            else
                mp_put(buffers, stretch.start + (slot - stretch.to), key[i], payload[i]);
        }
    }

    /* Writes what leaves (all: all that there is); what is left then begins at the buffer's start.
     */
    __device__ __forceinline__ void empty(bool all)
    {
        mp_flush<WORDS> flush = {};
        if (owns) {
            mp_stretch s = stretches[own];
            const unsigned to = all && !s.straight ? s.next : s.to;
            if (!s.straight) flush = flush_of(s, to, s.next);
            if (to > s.from) {
                s.from = s.start;
                s.base += to - s.start;
                s.next = (unsigned short)(s.start + (s.next - to));
            }
            s.straight = false;
            s.to = s.next;
            stretches[own] = s;
        }
        mp_write<true, UNEVEN, THREADS>(out, buffers, cut, per_warp, hot, heat, flush);
    }
};

template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, int BITS, bool CROWD,
          bool PIECES, class Digit>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_ordered(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out, uint64_t n,
                    Digit digit, mp_cut cut, mp_parts parts)
{
    typedef mp_ordered<Key, WORDS, THREADS, ITEMS, BITS, CROWD, PIECES, Digit> block_of;
    typedef typename block_of::payload_type payload_type;
    GB_DYNAMIC_SHARED();
    __shared__ mp_hot<WORDS> hot;
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory);
    payload_type *payload_room = reinterpret_cast<payload_type *>(keys + cut.slots);
    mp_stretch *stretches =
        reinterpret_cast<mp_stretch *>(gb_shared_memory + (sizeof(Key) + 4 * WORDS) * cut.slots);
    unsigned *matches = reinterpret_cast<unsigned *>(stretches + digit.digits);
    if (block_of::MATCHES)
        for (unsigned i = threadIdx.x; i < block_of::WARPS * digit.digits; i += THREADS)
            matches[i] = 0; /* seen after the barriers of lay_out */
    const unsigned per_warp = (digit.digits + block_of::WARPS - 1) / block_of::WARPS;
    const unsigned owned = mp_owned<(CROWD || block_of::UNEVEN), block_of::WARPS>(per_warp);
    const bool owns = gb_lane() < per_warp && owned < digit.digits;
    block_of block = {out,
                      digit,
                      cut,
                      {keys, payload_room},
                      stretches,
                      matches,
                      reinterpret_cast<unsigned short *>(
                          matches + (block_of::MATCHES ? block_of::WARPS * digit.digits : 0)),
                      (digit.digits + 1) & ~1u,
                      per_warp,
                      owned,
                      owns,
                      MP_COLD,
                      &hot};
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    const mp_part found = mp_find_part<PIECES>(parts, n, blockIdx.x);
    mp_prepare(digit);
    uint64_t at = found.begin;
    const uint64_t stop = found.end;
    if (at >= stop) return;
    block.lay_out(parts, found);
    Key key[ITEMS];
    payload_type payload[ITEMS];
    mp_load_rows<THREADS>(in, at, stop, key, payload);
    for (;;) {
        unsigned mixed[ITEMS];
        const uint64_t after = at + block_of::TILE;
        const unsigned valid = after <= stop ? (unsigned)block_of::TILE : (unsigned)(stop - at);
        block.rank(key, valid, mixed);
        __syncthreads();
        const bool full = block.add_up(valid);
        const bool any = __syncthreads_or(full);
        if (any) {
            block.make_way();
            __syncthreads();
        }
        block.gather(key, payload, mixed, valid, any);
        /* the next tile's elements come while this one's leave */
        const bool last = after >= stop;
        if (!last) mp_load_rows<THREADS>(in, after, stop, key, payload);
        __syncwarp();
        block.clear_counts();
        __syncthreads();
        block.empty(last);
        __syncthreads();
        if (last) {
            if (any) block.empty(true); /* what went to emptied buffers */
            break;
        }
        at = after;
    }
}

#endif
