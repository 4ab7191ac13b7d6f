/* A stable least-significant-digit radix sort that reads the keys once to count all digits and then
 * moves them once a digit (Adinets, Merrill 2022, "Onesweep: a faster least significant digit radix
 * sort for GPUs"): a tile ranks its keys, publishes how many it has of each digit, and learns where
 * its runs begin by looking back over the tiles before it (Merrill, Garland 2016).
 *
 * Least bytes a key: w (count) + passes * 2 (w + payload), w the key's width: 36 for u32. */
#ifndef GB_RADIX_SORT_ONESWEEP_CUH
#define GB_RADIX_SORT_ONESWEEP_CUH

#include "common/cuda/copy_async.cuh"
#include "kernels/radix-sort/onesweep_count.cuh"

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
    for (int at = (int)tile - 1;;) {
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

/* The digit that a pass sorts by. BYTES: digits are the key's bytes, which one instruction takes
 * out. */
template <class Key, bool BYTES> struct os_digit {
    unsigned at, mask, byte;
    __device__ __forceinline__ os_digit(unsigned begin_bit, unsigned end_bit, unsigned pass)
    {
        at = begin_bit + pass * OS_BITS;
        mask = (1u << (end_bit - at < OS_BITS ? end_bit - at : (unsigned)OS_BITS)) - 1;
        byte = 0x4440u | (at / 8 & 3);
    }
    __device__ __forceinline__ unsigned operator()(Key key) const
    {
        if (!BYTES) return (unsigned)(key >> at) & mask;
        if (sizeof(Key) == 8 && at >= 32) key = (Key)((uint64_t)key >> 32);
        return __byte_perm((unsigned)key, 0, byte);
    }
};

/* How many keys of a digit a warp has, and a place in a tile: less than 2^16. */
typedef unsigned short os_counter;

template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS> struct os_tile {
    static const int WARPS = THREADS / GB_WARP, KEYS = THREADS * ITEMS;
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

/* A warp's keys of a tile: ITEMS consecutive rows of 32. Past the end: 0. */
template <class Key, int KEYS, int ITEMS>
__device__ __forceinline__ void os_load(const Key *from, uint64_t n, unsigned tile, unsigned row,
                                        Key (&key)[ITEMS])
{
    const uint64_t base = (uint64_t)tile * KEYS;
    from += base + row;
    if (n - base >= KEYS) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            key[i] = from[i * GB_WARP];
        return;
    }
    const unsigned valid = (unsigned)(n - base);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        key[i] = row + i * GB_WARP < valid ? from[i * GB_WARP] : (Key)0;
}

/* Moves one tile of a pass and returns the next one, or `tiles`. Without payload, key has the
 * tile's keys, and on return those of the next one; with, a block has one tile only, for there are
 * no registers for another. counts: the block's, cleared, and cleared again on return. */
template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS, bool BYTES>
__device__ __forceinline__ unsigned
os_move_tile(const os_buffers<Key> &buffers, uint64_t n, const rs_codec &codec, unsigned begin_bit,
             unsigned end_bit, unsigned pass, const os_step &step, unsigned tile, unsigned tiles,
             const Position *__restrict__ begins, os_plan *plan, Position *both_words,
             Key *tile_keys, uint32_t *staged, Position *shift_to, os_counter *counts,
             unsigned *shared_tile, unsigned *sums, Key (&key)[ITEMS])
{
    typedef os_tile<Key, PAYLOAD, Position, THREADS, ITEMS> shape;
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    os_counter *mine = counts + warp * OS_DIGITS;
    const uint64_t base = (uint64_t)tile * shape::KEYS;
    const unsigned valid = n - base < shape::KEYS ? (unsigned)(n - base) : (unsigned)shape::KEYS;
    const os_digit<Key, BYTES> digit_of(begin_bit, end_bit, pass);
    const unsigned row = warp * GB_WARP * ITEMS + lane;
    const Key *from = os_pick(step.from, buffers.keys_in, buffers.keys_scratch, buffers.keys_out);

    /* 1. past the end keys are as large as can be: they rank behind all others and are not
       written */
    if (PAYLOAD) os_load<Key, shape::KEYS, ITEMS>(from, n, tile, row, key);
    if (PAYLOAD)
        gb_copy_async<THREADS>(
            staged,
            os_pick(step.from, buffers.payload_in, buffers.payload_scratch, buffers.payload_out) +
                base,
            valid);
    if (step.first && !codec.identity) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            key[i] = rs_encode(codec, key[i]);
    }
    if (valid != shape::KEYS) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (row + i * GB_WARP >= valid) key[i] = ~(Key)0;
    }

    /* 2. ranks within the warp; of equal digits the last lane counts them all */
    unsigned rank[(ITEMS + 1) / 2]; /* two of 16 bits each; later the places in the tile */
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned digit = digit_of(key[i]);
        const unsigned peers = gb_peers8(digit);
        const unsigned below = __popc(peers & gb_lanes_below());
        const unsigned before = mine[digit];
        __syncwarp();
        if (peers >> lane == 1) mine[digit] = (os_counter)(before + below + 1);
        __syncwarp();
        rank[i / 2] = i % 2 ? rank[i / 2] | (before + below) << 16 : before + below;
    }
    __syncthreads();

    /* 3. the tile's counts are published; each (digit, warp) gets its place in the tile */
    const size_t line = (size_t)tile * OS_DIGITS + threadIdx.x;
    volatile Position *words = both_words + (size_t)(step.ordinal & 1) * tiles * OS_DIGITS;
    unsigned count = 0;
    if (threadIdx.x < OS_DIGITS) {
#pragma unroll
        for (int w = 0; w < shape::WARPS; w++)
            count += counts[w * OS_DIGITS + threadIdx.x];
        words[line] = tile ? os_word<Position>::own(count) : os_word<Position>::all(count);
        both_words[(size_t)(~step.ordinal & 1) * tiles * OS_DIGITS + line] = 0;
    }
    if (!PAYLOAD && threadIdx.x == THREADS - 1) *shared_tile = atomicAdd(&plan->ticket[pass], 1u);
    unsigned all;
    const unsigned start = gb_block_exclusive_sum_once<THREADS>(count, sums, &all);
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

    /* 4. reorder in shared memory. The digits are computed anew: kept, they would take a register
       a key. */
    os_digit<Key, BYTES> again = digit_of;
    again.at = gb_forget(again.at);
    again.byte = gb_forget(again.byte);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned place =
            mine[again(key[i])] + (i % 2 ? rank[i / 2] >> 16 : rank[i / 2] & 0xffffu);
        tile_keys[shape::slot(place)] = key[i];
        if (PAYLOAD)
            rank[i / 2] =
                i % 2 ? (rank[i / 2] & 0xffffu) | place << 16 : (rank[i / 2] & 0xffff0000u) | place;
    }

    /* the next tile's keys are on their way while this one is written */
    const unsigned next = PAYLOAD ? tiles : *shared_tile;
    if (!PAYLOAD && next < tiles) os_load<Key, shape::KEYS, ITEMS>(from, n, next, row, key);

    /* 5. where each digit's run goes */
    if (threadIdx.x < OS_DIGITS) {
        Position before = 0;
        if (tile) {
            before = os_look_back(words + threadIdx.x, tile);
            words[line] = os_word<Position>::all(before + count);
        }
        shift_to[threadIdx.x] = begins[pass * OS_DIGITS + threadIdx.x] + before - start;
    }
    if (PAYLOAD) gb_copy_async_wait();
    __syncthreads();
    if (!PAYLOAD) {
#pragma unroll
        for (int d = 0; d < shape::COUNT_WORDS / THREADS; d++)
            reinterpret_cast<unsigned *>(counts)[d * THREADS + threadIdx.x] = 0;
    }

    /* 6. write: neighbouring threads write neighbouring keys of a run */
    Key *to = os_pick(step.to, buffers.keys_in, buffers.keys_scratch, buffers.keys_out);
    const bool decode = step.last && !codec.identity;
    const Key *mine_keys = tile_keys + shape::slot(threadIdx.x);
    Position out[PAYLOAD ? ITEMS : 1];
    /* checked one by one, keys leave the block's memory more evenly: with a payload that is better
     */
    if (!PAYLOAD && valid == shape::KEYS && !decode) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const Key one = mine_keys[i * shape::slot(THREADS)];
            const Position place = shift_to[again(one)] + (i * THREADS + threadIdx.x);
            to[place] = one;
            if (PAYLOAD) out[PAYLOAD ? i : 0] = place;
        }
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i * THREADS + threadIdx.x >= valid) break;
            const Key one = mine_keys[i * shape::slot(THREADS)];
            const Position place = shift_to[again(one)] + (i * THREADS + threadIdx.x);
            to[place] = decode ? rs_decode(codec, one) : one;
            if (PAYLOAD) out[PAYLOAD ? i : 0] = place;
        }
    }
    if (!PAYLOAD) return next;

    /* 7. the payload goes the same way, through the keys' slots */
    uint32_t *tile_payload = reinterpret_cast<uint32_t *>(tile_keys);
    uint32_t *payload_to =
        os_pick(step.to, buffers.payload_in, buffers.payload_scratch, buffers.payload_out);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned place = i % 2 ? rank[i / 2] >> 16 : rank[i / 2] & 0xffffu;
        tile_payload[shape::slot(place)] = staged[row + i * GB_WARP]; /* past the end: unread */
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (i * THREADS + threadIdx.x >= valid) break;
        payload_to[out[PAYLOAD ? i : 0]] =
            tile_payload[shape::slot(threadIdx.x) + i * shape::slot(THREADS)];
    }
    return next;
}

/* One pass over digit `pass` of `passes`. both_words: two arrays of tiles x OS_DIGITS; this pass
 * uses the one and clears the other for the next. A block draws a tile, so that the tile's
 * predecessors are done or at work; without payload any number of blocks draw until there is none,
 * with payload there is a block a tile. only_if: a word without which (0) nothing is done; or NULL.
 */
template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS, int BLOCKS, bool BYTES>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    os_pass(os_buffers<Key> buffers, uint64_t n, rs_codec codec, unsigned begin_bit,
            unsigned end_bit, unsigned pass, unsigned passes, const unsigned *only_if,
            const Position *__restrict__ begins, os_plan *plan, Position *both_words,
            unsigned tiles)
{
    typedef os_tile<Key, PAYLOAD, Position, THREADS, ITEMS> shape;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned shared_tile;
    __shared__ unsigned sums[GB_WARP + 1];
    Key *tile_keys = reinterpret_cast<Key *>(gb_shared_memory);
    uint32_t *staged = reinterpret_cast<uint32_t *>(gb_shared_memory + shape::KEYS_BYTES);
    Position *shift_to =
        reinterpret_cast<Position *>(gb_shared_memory + shape::KEYS_BYTES + shape::STAGED_BYTES);
    os_counter *counts = reinterpret_cast<os_counter *>(shift_to + OS_DIGITS);

    if (only_if && !*only_if) return;
    const os_step step = plan->step[pass];
    if (!step.active) {
        if (plan->active || pass + 1 < passes) return;
        for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            os_copy_tile<Key, THREADS, ITEMS>(buffers.keys_in, buffers.keys_out, n, tile);
            if (PAYLOAD)
                os_copy_tile<uint32_t, THREADS, ITEMS>(buffers.payload_in, buffers.payload_out, n,
                                                       tile);
        }
        return;
    }
    if (threadIdx.x == 0) shared_tile = atomicAdd(&plan->ticket[pass], 1u);
#pragma unroll
    for (int d = 0; d < shape::COUNT_WORDS / THREADS; d++)
        reinterpret_cast<unsigned *>(counts)[d * THREADS + threadIdx.x] = 0;
    __syncthreads();
    Key key[ITEMS];
    unsigned tile = shared_tile;
    if (!PAYLOAD && tile < tiles)
        os_load<Key, shape::KEYS, ITEMS>(
            os_pick(step.from, buffers.keys_in, buffers.keys_scratch, buffers.keys_out), n, tile,
            threadIdx.x / GB_WARP * GB_WARP * ITEMS + gb_lane(), key);
    while (tile < tiles) {
        tile = os_move_tile<Key, PAYLOAD, Position, THREADS, ITEMS, BYTES>(
            buffers, n, codec, begin_bit, end_bit, pass, step, tile, tiles, begins, plan,
            both_words, tile_keys, staged, shift_to, counts, &shared_tile, sums, key);
        __syncthreads();
    }
}

#endif
