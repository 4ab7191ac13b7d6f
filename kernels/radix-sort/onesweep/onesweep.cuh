/* A stable least-significant-digit radix sort that reads the keys once to count all digits and then
 * moves them once a digit (Adinets, Merrill 2022, "Onesweep: a faster least significant digit radix
 * sort for GPUs"): a tile ranks its keys, publishes how many it has of each digit, and learns where
 * its runs begin by looking back over the tiles before it (Merrill, Garland 2016).
 *
 * Least bytes a key: w (count) + passes * 2 (w + payload), w the key's width: 36 for u32. Of 64-bit
 * keys the lowest digits are left out where that pays (shorten.cuh), and what is then out of order
 * is mended (mend.cuh): of 2^28 random ones 8 + 4 * 16 + 8 = 80 instead of 136. */
#ifndef GB_RADIX_SORT_ONESWEEP_CUH
#define GB_RADIX_SORT_ONESWEEP_CUH

#include "common/cuda/copy_async.cuh"
#include "kernels/radix-sort/onesweep/mend.cuh"
#include "kernels/radix-sort/onesweep/tile.cuh"

/* Bare keys: a block moves tiles until there are none. While a tile is looked back for, the next
 * one's keys are on their way; while it is written, they are ranked, so that stores come evenly
 * and arithmetic and memory have work at the same time. */
template <class Block>
__device__ __forceinline__ void os_move_keys(const Block &block, unsigned tile, unsigned tiles)
{
    enum { THREADS = Block::BLOCK_THREADS, ITEMS = Block::EACH };
    typedef typename Block::key_type Key;
    if (tile >= tiles) return;
    Key key[ITEMS];
    rs_halves<ITEMS> ranks;
    block.load(tile, key);
    block.prepare(tile, key);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        ranks.set(i, block.rank(key[i]));
    for (;;) {
        unsigned count, start;
        block.publish(tile, count, start);
        const auto again = block.digit_of.forgotten();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            block.put(key[i], ranks.get(i), again);
        const unsigned next = *block.next_tile;
        if (next < tiles) block.load(next, key);
        block.find_places(tile, count, start);
        __syncwarp();
        block.clear_counts();
        __syncthreads();
        if (next >= tiles) break;
        block.prepare(next, key);
        Key ahead = block.in_order(0);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const Key one = ahead;
            if (i + 1 < ITEMS) ahead = block.in_order(i + 1);
            block.to[block.place_of(one, i * THREADS + threadIdx.x)] = block.out_of(one);
            ranks.set(i, block.rank(key[i]));
        }
        tile = next;
    }
    const unsigned valid = block.valid_of(tile);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (i * THREADS + threadIdx.x >= valid) break;
        const Key one = block.in_order(i);
        block.to[block.place_of(one, i * THREADS + threadIdx.x)] = block.out_of(one);
    }
}

/* Keys with their payload, one tile. The payload comes to shared memory meanwhile and goes the
 * keys' way, through their slots. Both leave the block's memory one by one: that is more even, and
 * better, than loops without checks for whole tiles. */
template <class Block>
__device__ __forceinline__ void os_move_pairs(const Block &block, unsigned tile,
                                              const uint32_t *payload_from, uint32_t *payload_to,
                                              uint32_t *staged)
{
    enum { THREADS = Block::BLOCK_THREADS, ITEMS = Block::EACH };
    typedef typename Block::shape shape;
    typedef typename Block::key_type Key;
    const unsigned valid = block.valid_of(tile);
    Key key[ITEMS];
    rs_halves<ITEMS> ranks; /* later the places in the tile */
    block.load(tile, key);
    gb_copy_async<THREADS>(staged, payload_from + (uint64_t)tile * shape::KEYS, valid);
    block.prepare(tile, key);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        ranks.set(i, block.rank(key[i]));
    unsigned count, start;
    block.publish(tile, count, start);
    const auto again = block.digit_of.forgotten();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        ranks.replace(i, block.put(key[i], ranks.get(i), again));
    block.find_places(tile, count, start);
    gb_copy_async_wait();
    __syncthreads();
    typename Block::position out[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (i * THREADS + threadIdx.x >= valid) break;
        const Key one = block.in_order(i);
        out[i] = block.place_of(one, i * THREADS + threadIdx.x);
        block.to[out[i]] = block.out_of(one);
    }
    uint32_t *tile_payload = reinterpret_cast<uint32_t *>(block.keys);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) /* past the end: unread */
        tile_payload[shape::slot(ranks.get(i))] = staged[block.first_row() + i * GB_WARP];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (i * THREADS + threadIdx.x >= valid) break;
        payload_to[out[i]] = tile_payload[shape::slot(threadIdx.x) + i * shape::slot(THREADS)];
    }
}

/* One pass over digit `pass` of `passes`. both_words: two arrays of tiles x OS_DIGITS; this pass
 * uses the one and clears the other for the next. A block draws a tile, so that the tile's
 * predecessors are done or at work; any number of blocks draw until there is none, or (os_draws)
 * there is a block a tile. only_if: a word without which (0) nothing is done; or NULL.
 */
template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS, int BLOCKS, int DIGIT>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    os_pass(os_buffers<Key> buffers, uint64_t n, rs_codec codec, unsigned begin_bit,
            unsigned end_bit, unsigned pass, unsigned passes, const unsigned *only_if,
            const Position *__restrict__ begins, os_plan *plan, Position *both_words,
            unsigned tiles)
{
    typedef os_tile<Key, PAYLOAD, Position, THREADS, ITEMS> shape;
    typedef os_block<Key, PAYLOAD, Position, THREADS, ITEMS, DIGIT> block_of;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned shared_tile;
    __shared__ unsigned sums[GB_WARP + 1];
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
        /* not by clear_counts() below: with that, pairs do not fit their registers */
#pragma unroll
    for (int d = 0; d < shape::COUNT_WORDS / THREADS; d++)
        reinterpret_cast<unsigned *>(counts)[d * THREADS + threadIdx.x] = 0;
    const size_t own = (size_t)(step.ordinal & 1) * tiles * OS_DIGITS;
    const block_of block = {
        os_pick(step.from, buffers.keys_in, buffers.keys_scratch, buffers.keys_out),
        os_pick(step.to, buffers.keys_in, buffers.keys_scratch, buffers.keys_out),
        n,
        codec,
        step.first && !codec.identity,
        step.last && !codec.identity,
        os_digit<Key, DIGIT>(begin_bit, end_bit, pass, codec),
        begins + pass * OS_DIGITS,
        both_words + own,
        both_words + (size_t)tiles * OS_DIGITS - own,
        &plan->ticket[pass],
        reinterpret_cast<Key *>(gb_shared_memory),
        shift_to,
        counts,
        &shared_tile,
        sums,
    };
    __syncthreads();
    if constexpr (!PAYLOAD)
        os_move_keys(block, shared_tile, tiles);
    else
        for (unsigned tile = shared_tile; tile < tiles; tile = shared_tile) {
            os_move_pairs(
                block, tile,
                os_pick(step.from, buffers.payload_in, buffers.payload_scratch,
                        buffers.payload_out),
                os_pick(step.to, buffers.payload_in, buffers.payload_scratch, buffers.payload_out),
                staged);
            if (!shape::DRAWS) return;
            block.clear_counts();
            __syncthreads(); /* and the tile's place has been read */
        }
}

#endif
