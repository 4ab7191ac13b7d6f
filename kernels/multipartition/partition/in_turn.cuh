/* A stable pass whose keys draw their slots as in an unordered one (draw.cuh), in order: the warps
 * of a block take turns, and a warp draws row after row of 32 neighbours. Where the digit's
 * elements of a part of the input go is known from a count before (parts.cuh), so nothing is
 * reserved.
 *
 * Of one row, lanes that meet in a word have to draw in the order of the lanes. Hardware is seen to
 * do that (H200: 3.6 10^10 meetings, none out of order), but nobody promises it. So each draw is
 * proved: a second word for each digit holds who drew last, and every key exchanges that for
 * itself. It must find the one with the slot before its own, and a lower position in the tile. Is
 * that so for all, the keys of a digit are in the order of the input; if not for one, a word in
 * device memory says so, and the pass is done anew by votes (ordered.cuh). */
#ifndef GB_MULTIPARTITION_IN_TURN_CUH
#define GB_MULTIPARTITION_IN_TURN_CUH

#include "common/cuda/turns.cuh"
#include "kernels/multipartition/partition/rows.cuh"

/* Words of which each digit has one; in a kernel for crowds lanes have one, too. */
template <int THREADS, bool CROWD> constexpr int mp_in_turn_words = THREADS + (CROWD ? GB_WARP : 0);

/* Bytes of shared memory beside the buffers: where each digit's slots go, its word, and who drew
 * last. */
template <int THREADS, bool CROWD> constexpr size_t mp_in_turn_tables(size_t digits)
{
    return digits * sizeof(uint64_t) + 2 * mp_in_turn_words<THREADS, CROWD> * sizeof(unsigned);
}

/* A key has the slot after that of who drew before, and a higher position: of the difference, the
 * position above the slot, these bits are 0. */
static const unsigned MP_OUT_OF_TURN = 0x8000ffffu;

/* What a thread knows of the digit that it looks after. slot + base is an element's place in the
 * output. */
typedef struct mp_in_turn_own {
    uint64_t base;
    unsigned short start;      /* the buffer's first slot */
    unsigned short from, next; /* what is there: from the start on, but for the first group */
    bool owns;
} mp_in_turn_own;

template <class Key, int WORDS, int THREADS, int ITEMS, bool CROWD, bool PIECES, class Digit>
struct mp_in_turn {
    static const int TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP, MINE = GB_WARP * ITEMS;
    static const int DRAWN = mp_in_turn_words<THREADS, CROWD>;
    static_assert(TILE < 1 << 15, "positions and a sign in half a word");
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;

    elements out;
    uint64_t n;
    const Digit &digit;
    const mp_cut &cut;
    elements buffers;  /* shared */
    uint64_t *bases;   /* shared: of each digit */
    unsigned *words;   /* shared: of each digit, combine.cuh; and DRAWN behind it the slot that was
                          drawn last, below the position in the tile, from 1 on, of who drew it */
    unsigned per_warp; /* digits a warp looks after, one a lane */
    unsigned mine;     /* the lane's */
    mp_hot<WORDS> *hot;
    unsigned heat;   /* its number among the hot ones, or MP_COLD */
    unsigned *crowd; /* shared, if CROWD: the digits with the largest shares (crowd.cuh) */

    /* A tile begins with what is left of the one before. */
    __device__ __forceinline__ void open(const mp_in_turn_own &own, unsigned end) const
    {
        if (!own.owns) return;
        bases[mine] = own.base;
        words[mine] = mp_word(own.next, end);
        words[DRAWN + mine] = own.next - 1;
    }

    /* Buffers as large as this part's digits want them. */
    __device__ __forceinline__ mp_in_turn_own lay_out(const mp_parts &parts, unsigned part,
                                                      const mp_part &found)
    {
        mp_in_turn_own own = {};
        own.owns = gb_lane() < per_warp && mine < digit.digits;
        const mp_part_buffer buffer = mp_lay_out_part<PIECES, CROWD, THREADS, ITEMS>(
            parts, part, found, cut, mine, own.owns, hot, &heat, digit.digits,
            CROWD ? crowd : NULL);
        own.start = (unsigned short)buffer.start;
        own.from = own.next = (unsigned short)buffer.first;
        own.base = buffer.base;
        open(own, buffer.limit);
        if (CROWD && threadIdx.x < GB_WARP)
            words[THREADS + threadIdx.x] = words[DRAWN + THREADS + threadIdx.x] = 0;
        __syncthreads();
        return own;
    }

    /* What is computed while a warp has its turn, all others wait for. So addresses are known
     * before, and what a draw proves is looked at after it. */
    static __device__ __forceinline__ void address(unsigned (&digits)[ITEMS])
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            digits[i] = gb_forget(digits[i] * (unsigned)sizeof(unsigned));
    }
    __device__ __forceinline__ unsigned *word_at(unsigned address) const
    {
        return reinterpret_cast<unsigned *>(reinterpret_cast<char *>(words) + address);
    }

    /* The position of the thread's i-th element in the tile, from 1 on, above the slot it drew. */
    static __device__ __forceinline__ unsigned place_and_slot(int i, unsigned word)
    {
        const unsigned position = (mp_row_place<ITEMS>() + 1) << 16;
        return (position + (i * GB_WARP << 16)) | mp_word_next(word);
    }

    /* A warp draws row by row; then each key exchanges who drew before it for itself. */
    __device__ __forceinline__ void draw_rows(const unsigned (&addresses)[ITEMS],
                                              unsigned (&word)[ITEMS]) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            word[i] = atomicAdd(word_at(addresses[i]), 1u);
            gb_lockstep();
        }
    }
    __device__ __forceinline__ void exchange_rows(const unsigned (&addresses)[ITEMS],
                                                  const unsigned (&word)[ITEMS],
                                                  unsigned (&before)[ITEMS]) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            before[i] = atomicExch(word_at(addresses[i]) + DRAWN, place_and_slot(i, word[i]));
            gb_lockstep();
        }
    }

    /* Bits that are 0 if all were drawn in order. */
    static __device__ __forceinline__ unsigned proof(const unsigned (&word)[ITEMS],
                                                     const unsigned (&before)[ITEMS])
    {
        unsigned bad = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            bad |= place_and_slot(i, word[i]) - before[i] - 1;
        return bad & MP_OUT_OF_TURN;
    }

    /* Two digits of which the warp may have so many that their additions would queue up: the part's
     * with the largest shares, or else, in runs, those that the warp's stretch begins and ends
     * with. ~0: none. */
    __device__ __forceinline__ uint2 crowd_of(const unsigned (&digits)[ITEMS]) const
    {
        uint2 two = {crowd[0], crowd[1]};
        if (two.x != ~0u) return two;
        const unsigned first = __shfl_sync(GB_FULL_MASK, digits[0], 0);
        const unsigned last = __shfl_sync(GB_FULL_MASK, digits[ITEMS - 1], GB_WARP - 1);
        if (__all_sync(GB_FULL_MASK, digits[0] == first) ||
            __all_sync(GB_FULL_MASK, digits[ITEMS - 1] == last)) {
            two.x = first;
            if (last != first) two.y = last;
        }
        return two;
    }

    /* The same as below where two digits may have a crowd: the warp draws once for each, before the
     * others, and votes say afterwards who has which. Their lanes draw from words of their own
     * meanwhile, since to leave them out is slower. digits become addresses. */
    __device__ __forceinline__ unsigned draw_crowd(unsigned (&digits)[ITEMS],
                                                   unsigned (&word)[ITEMS]) const
    {
        const uint2 two = crowd_of(digits);
        const unsigned nobody = THREADS + gb_lane();
        unsigned first = 0, second = 0; /* bits of rows in which the lane has one */
        unsigned which = nobody, count = 0;
        if (two.x != ~0u) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                first |= (unsigned)(digits[i] == two.x) << i;
                second |= (unsigned)(digits[i] == two.y) << i;
                if (digits[i] == two.x || digits[i] == two.y) digits[i] = nobody;
            }
            const unsigned all = gb_warp_sum(__popc(first) | __popc(second) << 16);
            count = gb_lane() == 0 ? all & 0xffffu : gb_lane() == 1 ? all >> 16 : 0;
            if (count) which = gb_lane() == 0 ? two.x : two.y;
        }
        address(digits);
        gb_turn_begin<WARPS>();
        gb_lockstep();
        const unsigned drew = atomicAdd(&words[which], count);
        gb_lockstep();
        draw_rows(digits, word);
        /* from the warp's first position to its last one */
        const unsigned us = place_and_slot(0, drew) - (gb_lane() << 16);
        const unsigned before_us =
            atomicExch(&words[DRAWN + which], us + count - 1 + ((MINE - 1) << 16));
        gb_lockstep();
        unsigned before[ITEMS], bad = count ? us - before_us - 1 : 0;
        exchange_rows(digits, word, before);
        gb_turn_end<WARPS>();
        if (two.x == ~0u) return proof(word, before);
        unsigned of_first = __shfl_sync(GB_FULL_MASK, drew, 0);
        unsigned of_second = __shfl_sync(GB_FULL_MASK, drew, 1);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const bool one = first >> i & 1, other = second >> i & 1;
            const unsigned ones = __ballot_sync(GB_FULL_MASK, one);
            const unsigned others = __ballot_sync(GB_FULL_MASK, other);
            const unsigned amiss = place_and_slot(i, word[i]) - before[i] - 1;
            if (one || other)
                word[i] =
                    (one ? of_first : of_second) + __popc((one ? ones : others) & gb_lanes_below());
            else
                bad |= amiss;
            of_first += __popc(ones);
            of_second += __popc(others);
        }
        return bad & MP_OUT_OF_TURN;
    }

    /* Draws the warp's slots. Returns bits that are 0 if all were drawn in order; digits may become
     * addresses. */
    __device__ __forceinline__ unsigned draw(unsigned (&digits)[ITEMS],
                                             unsigned (&word)[ITEMS]) const
    {
        const bool alike = mp_rows_alike(digits);
        if constexpr (CROWD) {
            if (!alike) return draw_crowd(digits, word);
        }
        if (!alike) address(digits);
        gb_turn_begin<WARPS>();
        gb_lockstep();
        if (alike) { /* one lane draws for all */
            unsigned drew = 0, bad = 0;
            if (gb_lane() == 0) {
                drew = atomicAdd(&words[digits[0]], (unsigned)MINE);
                const unsigned us = place_and_slot(0, drew);
                bad = us -
                      atomicExch(&words[DRAWN + digits[0]], us + MINE - 1 + ((MINE - 1) << 16)) - 1;
            }
            drew = __shfl_sync(GB_FULL_MASK, drew, 0);
            gb_turn_end<WARPS>();
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                word[i] = drew + i * GB_WARP + gb_lane();
            return bad & MP_OUT_OF_TURN;
        }
        unsigned before[ITEMS];
        draw_rows(digits, word);
        exchange_rows(digits, word, before);
        gb_turn_end<WARPS>();
        return proof(word, before);
    }

    /* Fills the buffers; what finds no room goes straight to its place. */
    __device__ __forceinline__ void gather(const Key (&key)[ITEMS],
                                           const payload_type (&payload)[ITEMS],
                                           const unsigned (&word)[ITEMS], unsigned valid) const
    {
        const unsigned first = mp_row_place<ITEMS>();
        unsigned over = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const unsigned slot = mp_word_next(word[i]);
            if (slot >= mp_word_end(word[i]))
                over |= 1u << i;
            else if (valid == TILE || first + i * GB_WARP < valid)
                mp_put(buffers, slot, key[i], payload[i]);
        }
        if (!__any_sync(GB_FULL_MASK, over != 0)) return;
        unsigned digits[ITEMS];
        mp_digits_of(digit, key, digits);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const uint64_t place = bases[digits[i]] + mp_word_next(word[i]);
            /* drawn for out of order, what is not there may have taken a slot before */
            if (over >> i & 1 && first + i * GB_WARP < valid &&
                mp_is_within(digit, digits[i], place, n))
                mp_put(out, place, key[i], payload[i]);
        }
    }

    /* What leaves of the thread's digit, and what is there afterwards. surplus: elements that were
     * drawn for, but are not there. all: nothing stays. */
    __device__ __forceinline__ mp_flush<WORDS> plan(mp_in_turn_own *own, unsigned surplus,
                                                    bool all) const
    {
        mp_flush<WORDS> flush = {};
        if (!own->owns) return flush;
        const unsigned word = words[mine], end = mp_word_end(word);
        const unsigned next = mp_word_next(word) - surplus, group = 1u << cut.group_log;
        const unsigned whole = next & ~(group - 1);
        unsigned to = whole > own->from ? whole : own->from;
        if (all || next > end) to = next < end ? next : end;
        flush.start = own->start;
        flush.from = own->from;
        flush.to = to;
        flush.next = next > end ? to : next;
        flush.base = own->base;
        if constexpr (WORDS > 0) flush.payload_base = own->base;
        if (next > end) { /* what was drawn for behind the end has left, too: begin anew */
            const unsigned first = own->start + ((unsigned)(own->base + next) & (group - 1));
            own->base += next - first;
            own->from = own->next = (unsigned short)first;
        } else if (to > own->from) {
            own->base += to - own->start;
            own->from = own->start;
            own->next = (unsigned short)(own->start + (next - to));
        } else {
            own->next = (unsigned short)next;
        }
        open(*own, end);
        return flush;
    }
};

/* failed: becomes MP_FAILED where elements were not drawn for in order; is it MP_CROWDED, nothing
 * is done. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, bool CROWD, bool PIECES,
          class Digit>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_in_turn(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out, uint64_t n,
                    Digit digit, mp_cut cut, mp_parts parts, unsigned *failed)
{
    typedef mp_in_turn<Key, WORDS, THREADS, ITEMS, CROWD, PIECES, Digit> block_of;
    typedef typename block_of::payload_type payload_type;
    GB_DYNAMIC_SHARED();
    if (gb_glance(failed) == MP_CROWDED) return;
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    __shared__ mp_hot<WORDS> hot;
    __shared__ unsigned crowd[2];
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory);
    uint64_t *bases =
        reinterpret_cast<uint64_t *>(gb_shared_memory + (sizeof(Key) + 4 * WORDS) * cut.slots);
    unsigned *words = reinterpret_cast<unsigned *>(bases + digit.digits);
    const unsigned per_warp = (digit.digits + block_of::WARPS - 1) / block_of::WARPS;
    block_of block = {out,
                      n,
                      digit,
                      cut,
                      {keys, reinterpret_cast<payload_type *>(keys + cut.slots)},
                      bases,
                      words,
                      per_warp,
                      mp_owned<(CROWD || THREADS > 512), block_of::WARPS>(per_warp),
                      &hot,
                      MP_COLD,
                      crowd};
    mp_prepare(digit);
    unsigned bad = 0;
    /* There are as many blocks as parts: the loop is for the compiler, which orders instructions
     * better in it (README.md, step 8). */
    for (unsigned part = blockIdx.x; part < parts.parts; part += gridDim.x) {
        const mp_part found = mp_find_part<PIECES>(parts, n, part);
        uint64_t at = found.begin;
        const uint64_t stop = found.end;
        if (at >= stop) break;
        mp_in_turn_own own = block.lay_out(parts, part, found);
        Key key[ITEMS];
        payload_type payload[ITEMS];
        mp_load_rows<THREADS>(in, at, stop, key, payload);
        for (;;) {
            unsigned digits[ITEMS], word[ITEMS];
            const uint64_t after = at + block_of::TILE;
            const unsigned valid = after <= stop ? (unsigned)block_of::TILE : (unsigned)(stop - at);
            mp_digits_of_rows<THREADS>(digit, key, valid, digits);
            bad |= block.draw(digits, word);
            block.gather(key, payload, word, valid);
            __syncthreads();
            const bool last = after >= stop;
            const mp_flush<WORDS> flush =
                block.plan(&own, block.mine == digit.digits - 1 ? block_of::TILE - valid : 0, last);
            /* the next tile's elements come while this one's leave */
            if (!last) mp_load_rows<THREADS>(in, after, stop, key, payload);
            if (after + 2 * block_of::TILE <= stop)
                mp_prefetch_tile<block_of::TILE>(in.keys + after + block_of::TILE);
            mp_write<true, CROWD, THREADS>(out, block.buffers, cut, per_warp, &hot, block.heat,
                                           flush);
            if (last) break;
            __syncthreads();
            at = after;
        }
        __syncthreads();
    }
    if (bad) atomicExch(failed, (unsigned)MP_FAILED);
}

#endif
