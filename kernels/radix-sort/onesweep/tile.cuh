/* A tile of onesweep on its way: read, ranked, its counts published, its keys put in order in
 * shared memory, and where they go looked back for. */
#ifndef GB_RADIX_SORT_ONESWEEP_TILE_CUH
#define GB_RADIX_SORT_ONESWEEP_TILE_CUH

#include "kernels/radix-sort/halves.cuh"
#include "kernels/radix-sort/onesweep/count.cuh"

/* A tile's word for a digit: nothing yet (0), the tile's own count, or the count of all tiles up to
 * and including it. */
template <class Position> struct os_word {
    static const int SHIFT = 8 * sizeof(Position) - 2;
    static __device__ __forceinline__ Position own(Position count)
    {
        return (Position)1 << SHIFT | count;
    }
    static __device__ __forceinline__ Position all(Position count)
    {
        return (Position)2 << SHIFT | count;
    }
    static __device__ __forceinline__ unsigned state(Position word)
    {
        return (unsigned)(word >> SHIFT);
    }
    static __device__ __forceinline__ Position count(Position word)
    {
        return word & (((Position)1 << SHIFT) - 1);
    }
};

/* How many keys of the digit the tiles before `tile` have; words of one digit are OS_DIGITS apart.
 * Several words are asked for at a time: most are there. */
template <class Position>
__device__ __forceinline__ Position os_look_back(volatile Position *words, unsigned tile)
{
    Position sum = 0;
    for (int at = (int)tile - 1;; gb_ask_again()) {
        Position word[OS_LOOK_AHEAD];
#pragma unroll
        for (int b = 0; b < OS_LOOK_AHEAD; b++)
            word[b] = at >= b ? words[(size_t)(at - b) * OS_DIGITS] : os_word<Position>::all(0);
#pragma unroll
        for (int b = 0; b < OS_LOOK_AHEAD; b++) {
            if (!os_word<Position>::state(word[b])) break; /* ask again from here */
            sum += os_word<Position>::count(word[b]);
            if (os_word<Position>::state(word[b]) == 2) return sum;
            at--;
        }
    }
}

/* How a digit is found in an image, as flags. */
enum {
    OS_AS_BYTE = 1,    /* digits are the image's bytes, which one instruction takes out */
    OS_EQUAL_ZEROS = 2 /* of floats: -0 has the digits of +0 (rs_order) */
};

/* The digit that a pass sorts by. */
template <class Key, int DIGIT> struct os_digit {
    unsigned at, mask, byte;
    const rs_codec &codec;
    __device__ __forceinline__ os_digit(unsigned begin_bit, unsigned end_bit, unsigned pass,
                                        const rs_codec &codec_of)
        : codec(codec_of)
    {
        at = begin_bit + pass * OS_BITS;
        mask = (1u << (end_bit - at < OS_BITS ? end_bit - at : (unsigned)OS_BITS)) - 1;
        byte = 0x4440u | (at / 8 & 3);
    }
    __device__ __forceinline__ unsigned operator()(Key key) const
    {
        if (DIGIT & OS_EQUAL_ZEROS) key = rs_equal_zeros(codec, key);
        if (!(DIGIT & OS_AS_BYTE)) return (unsigned)(key >> at) & mask;
        if (sizeof(Key) == 8 && at >= 32) key = (Key)((uint64_t)key >> 32);
        return __byte_perm((unsigned)key, 0, byte);
    }
    /* The same, but the compiler does not know that. */
    __device__ __forceinline__ os_digit forgotten() const
    {
        os_digit digit = *this;
        digit.at = gb_forget(at);
        digit.byte = gb_forget(byte);
        return digit;
    }
};

/* How many keys of a digit a warp has, and a place in a tile: less than 2^16. */
typedef unsigned short os_counter;

/* Whether blocks draw tiles until there are none. Keys with payload do not: the loop would spill,
 * which costs them more than it takes a block a tile to find nothing to do in a pass that is left
 * out (README.md). */
#if !defined(OS_LONG_PAIRS_DRAW)
#define OS_LONG_PAIRS_DRAW false
#endif
constexpr bool os_draws(size_t key_bytes, bool payload)
{
    return !payload || (key_bytes == 8 && OS_LONG_PAIRS_DRAW);
}

template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS> struct os_tile {
    static const int WARPS = THREADS / GB_WARP, KEYS = THREADS * ITEMS;
    /* a block draws tiles until there are none, else it takes one */
    static const bool DRAWS = os_draws(sizeof(Key), PAYLOAD);
    /* one spare slot in 32, so that runs whose lengths are multiples of 32 do not meet in a bank */
    static const int SLOTS = KEYS + KEYS / GB_WARP;
    static const int KEYS_BYTES = (SLOTS * (int)sizeof(Key) + 15) / 16 * 16;
    static const int STAGED_BYTES = PAYLOAD ? KEYS * 4 : 0;
    static const int COUNT_WORDS = WARPS * OS_DIGITS * (int)sizeof(os_counter) / 4;
    static const int BYTES =
        KEYS_BYTES + STAGED_BYTES + OS_DIGITS * (int)sizeof(Position) + COUNT_WORDS * 4;
    static __device__ __forceinline__ unsigned slot(unsigned place)
    {
        return place + place / GB_WARP;
    }
};

/* Copies a tile as it is: where all keys agree in all digits. */
template <class T, int THREADS, int ITEMS>
__device__ __forceinline__ void os_copy_tile(const T *from, T *to, uint64_t n, unsigned tile)
{
    const uint64_t base = (uint64_t)tile * THREADS * ITEMS + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (base + i * THREADS < n) to[base + i * THREADS] = from[base + i * THREADS];
}

/* What a block knows of a pass, and what it does with a tile. Of the tile's rows of 32 keys a warp
 * has ITEMS consecutive ones. */
template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS, int DIGIT>
struct os_block {
    typedef os_tile<Key, PAYLOAD, Position, THREADS, ITEMS> shape;
    typedef Key key_type;
    typedef Position position;
    static const int BLOCK_THREADS = THREADS, EACH = ITEMS; /* keys a thread */

    /* the pass */
    Key *from, *to;
    uint64_t n;
    const rs_codec &codec;
    bool encode, decode;
    os_digit<Key, DIGIT> digit_of;
    const Position *begins;   /* of this pass */
    volatile Position *words; /* of this pass */
    Position *other_words;    /* the next one's */
    unsigned *ticket;
    /* shared memory */
    Key *keys;           /* a tile in order */
    Position *shift_to;  /* what a place exceeds a key's place in the tile by */
    os_counter *counts;  /* OS_DIGITS a warp */
    unsigned *next_tile; /* one */
    unsigned *sums;      /* GB_WARP + 1 */

    /* Where in a tile the thread's keys begin; they are GB_WARP apart. */
    __device__ __forceinline__ unsigned first_row() const
    {
        return threadIdx.x / GB_WARP * GB_WARP * ITEMS + gb_lane();
    }
    __device__ __forceinline__ os_counter *warp_counts() const
    {
        return counts + threadIdx.x / GB_WARP * OS_DIGITS;
    }
    /* Each warp its own. */
    __device__ __forceinline__ void clear_counts() const
    {
        unsigned *mine = reinterpret_cast<unsigned *>(warp_counts());
#pragma unroll
        for (int d = 0; d < OS_DIGITS / 2; d += GB_WARP)
            mine[d + gb_lane()] = 0;
    }
    /* How many keys a tile has. */
    __device__ __forceinline__ unsigned valid_of(unsigned tile) const
    {
        const uint64_t left = n - (uint64_t)tile * shape::KEYS;
        return left < shape::KEYS ? (unsigned)left : (unsigned)shape::KEYS;
    }

    /* The thread's keys of a tile. Past the end: 0. */
    __device__ __forceinline__ void load(unsigned tile, Key (&key)[ITEMS]) const
    {
        const unsigned row = first_row(), valid = valid_of(tile);
        const Key *at = from + (uint64_t)tile * shape::KEYS + row;
        if (valid == shape::KEYS) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                key[i] = at[i * GB_WARP];
            return;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            key[i] = row + i * GB_WARP < valid ? at[i * GB_WARP] : (Key)0;
    }

    /* Loaded keys to images. Past the end they are as large as can be: they rank behind all others
     * and are not written. */
    __device__ __forceinline__ void prepare(unsigned tile, Key (&key)[ITEMS]) const
    {
        const unsigned row = first_row(), valid = valid_of(tile);
        if (encode) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                key[i] = rs_encode(codec, key[i]);
        }
        if (valid != shape::KEYS) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (row + i * GB_WARP >= valid) key[i] = ~(Key)0;
        }
    }

    /* A key's rank among the warp's with its digit; rows in order. Of equal digits the last lane
     * counts them all. */
    __device__ __forceinline__ unsigned rank(Key key) const
    {
        os_counter *mine = warp_counts();
        const unsigned digit = digit_of(key);
        const unsigned peers = gb_peers<8>(digit);
        const unsigned below = __popc(peers & gb_lanes_below());
        const unsigned before = mine[digit];
        __syncwarp();
        if (peers >> gb_lane() == 1) mine[digit] = (os_counter)(before + below + 1);
        __syncwarp();
        return before + below;
    }

    /* Publishes the tile's counts and gives each (digit, warp) its place in the tile; draws the
     * next tile. Thread d < OS_DIGITS learns how many keys have digit d and where they start. */
    __device__ __forceinline__ void publish(unsigned tile, unsigned &count, unsigned &start) const
    {
        const size_t line = (size_t)tile * OS_DIGITS + threadIdx.x;
        __syncthreads();
        count = 0;
        if (threadIdx.x < OS_DIGITS) {
#pragma unroll
            for (int w = 0; w < shape::WARPS; w++)
                count += counts[w * OS_DIGITS + threadIdx.x];
            words[line] = tile ? os_word<Position>::own(count) : os_word<Position>::all(count);
            other_words[line] = 0;
        }
        if (shape::DRAWS && threadIdx.x == THREADS - 1) *next_tile = atomicAdd(ticket, 1u);
        unsigned all;
        start = gb_block_exclusive_sum_once<THREADS>(count, sums, &all);
        if (threadIdx.x < OS_DIGITS) {
            unsigned running = start;
#pragma unroll
            for (int w = 0; w < shape::WARPS; w++) {
                const unsigned own = counts[w * OS_DIGITS + threadIdx.x];
                counts[w * OS_DIGITS + threadIdx.x] = (os_counter)running;
                running += own;
            }
        }
        __syncthreads();
    }

    /* Puts a key into its place in the tile, which it returns. The digit is computed anew: kept, it
     * would take a register a key. */
    __device__ __forceinline__ unsigned put(Key key, unsigned rank,
                                            const os_digit<Key, DIGIT> &again) const
    {
        const unsigned place = warp_counts()[again(key)] + rank;
        keys[shape::slot(place)] = key;
        return place;
    }

    /* Where each digit's run goes. */
    __device__ __forceinline__ void find_places(unsigned tile, unsigned count, unsigned start) const
    {
        if (threadIdx.x >= OS_DIGITS) return;
        Position before = 0;
        if (tile) {
            before = os_look_back(words + threadIdx.x, tile);
            words[(size_t)tile * OS_DIGITS + threadIdx.x] = os_word<Position>::all(before + count);
        }
        shift_to[threadIdx.x] = begins[threadIdx.x] + before - start;
    }

    /* Once the tile is in order: its key in_order(i) of this thread, place i * THREADS +
     * threadIdx.x of the tile, goes to place_of it as out_of says. */
    __device__ __forceinline__ Position place_of(Key key, unsigned at) const
    {
        return shift_to[digit_of(key)] + at;
    }
    __device__ __forceinline__ Key out_of(Key key) const
    {
        return decode ? rs_decode(codec, key) : key;
    }
    __device__ __forceinline__ Key in_order(int i) const
    {
        return keys[shape::slot(threadIdx.x) + i * shape::slot(THREADS)];
    }
};

#endif
