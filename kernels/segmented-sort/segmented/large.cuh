/* Segments that no block's memory holds: all of them together in passes of onesweep. Their tiles
 * stand in one list, a segment's one after the other; none has keys of two segments, and a tile
 * looks back within its own.
 *
 * All bytes are counted in one read, which shows how a segment is sorted. If its highest byte that
 * is not the same in all keys parts it to buckets that blocks or warps can sort, one pass does so,
 * into the scratch, and the buckets join the lists of shorter segments: 4 + 8 + 8 bytes a u32 key.
 * Otherwise, or if one or two passes do, it goes from the lowest byte to the highest; bytes that
 * all its keys share are left out. */
#ifndef GB_SEGMENTED_SORT_SEGMENTED_LARGE_CUH
#define GB_SEGMENTED_SORT_SEGMENTED_LARGE_CUH

#include "common/cuda/search.cuh"
#include "kernels/radix-sort/onesweep/onesweep.cuh"
#include "kernels/segmented-sort/segmented/warp.cuh"

/* In device memory, beside the list of large segments. */
struct sg_large {
    sg_counts *counts;
    const sg_segment *segment;
    const unsigned *first_tile;
    unsigned *segment_of; /* of each tile */
    unsigned
        *digits; /* of each segment, pass and digit: keys that have it, then where they begin */
    unsigned *active; /* of each segment: a bit for each pass that moves its keys */
    unsigned *words;  /* two arrays of most_tiles x OS_DIGITS, as onesweep's */
    uint64_t most_tiles;

    __device__ __forceinline__ unsigned segments() const { return (unsigned)(counts->large >> 32); }
    __device__ __forceinline__ unsigned tiles() const { return (unsigned)counts->large; }
};

/* A segment's one pass parts it. */
static const unsigned SG_PARTED = sg_segment::PARTED;

enum { SG_LARGE_THREADS = 256, SG_COUNT_TILES = 4, SG_LOG_COPIES = 3 };

/* Whose each tile is, a warp a tile; clears its words and the counts of segments. */
static __global__ void __launch_bounds__(SG_LARGE_THREADS)
    sg_list_tiles(sg_large large, unsigned passes)
{
    const unsigned tiles = large.tiles(), warps = gridDim.x * (SG_LARGE_THREADS / GB_WARP);
    for (unsigned tile = (blockIdx.x * SG_LARGE_THREADS + threadIdx.x) / GB_WARP; tile < tiles;
         tile += warps) {
        const unsigned s = gb_warp_stretch_holding(large.first_tile, large.segments(), tile);
        if (gb_lane() == 0) large.segment_of[tile] = s;
        for (unsigned d = gb_lane(); d < OS_DIGITS; d += GB_WARP)
            large.words[(size_t)tile * OS_DIGITS + d] = 0;
        if (large.first_tile[s] != tile) continue;
        for (unsigned d = gb_lane(); d < passes * OS_DIGITS; d += GB_WARP)
            large.digits[(size_t)s * passes * OS_DIGITS + d] = 0;
    }
}

/* Adds a block's counters of up to OS_WORD_DIGITS digits to a segment's, and clears them. */
static __device__ __forceinline__ void sg_add_counts(unsigned *shared, unsigned digits,
                                                     unsigned *counts)
{
    enum { COPIES = 1 << SG_LOG_COPIES };
    __syncthreads();
    for (unsigned d = threadIdx.x; d < digits * OS_DIGITS; d += SG_LARGE_THREADS) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned c = 0; c < COPIES; c++) {
            unsigned *counter = &shared[d * COPIES + ((c + d) & (COPIES - 1))];
            sum += *counter;
            *counter = 0;
        }
        if (sum) atomicAdd(&counts[d], sum);
    }
    __syncthreads();
}

/* Counts a tile's keys by up to OS_WORD_DIGITS digits. */
template <class Key>
__device__ __forceinline__ void sg_count_tile(const Key *__restrict__ keys, unsigned count,
                                              const rs_codec &codec, unsigned begin_bit,
                                              unsigned digits, const os_counters &counters,
                                              unsigned char *shared)
{
    enum { UNROLL = 8 };
    for (unsigned first = threadIdx.x; first < count; first += UNROLL * SG_LARGE_THREADS) {
        Key key[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (first + u * SG_LARGE_THREADS < count) key[u] = keys[first + u * SG_LARGE_THREADS];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            if (first + u * SG_LARGE_THREADS >= count) break;
            const unsigned word = (unsigned)(rs_encode(codec, key[u]) >> begin_bit);
#pragma unroll
            for (unsigned d = 0; d < OS_WORD_DIGITS; d++)
                if (d < digits)
                    atomicAdd(reinterpret_cast<unsigned *>(shared + counters.offset(word, d)), 1u);
        }
    }
}

/* Counts the digits of all large segments from digit `first` on, several tiles a block. */
template <class Key>
__global__ void __launch_bounds__(SG_LARGE_THREADS)
    sg_count(sg_arrays<Key> arrays, sg_large large, unsigned tile_keys, unsigned first,
             unsigned passes)
{
    GB_DYNAMIC_SHARED();
    unsigned *shared = reinterpret_cast<unsigned *>(gb_shared_memory);
    const unsigned digits =
        passes - first < OS_WORD_DIGITS ? passes - first : (unsigned)OS_WORD_DIGITS;
    const unsigned tiles = large.tiles();
    const os_counters counters(0, digits * OS_BITS, 0, SG_LOG_COPIES,
                               threadIdx.x & ((1u << SG_LOG_COPIES) - 1));
    for (unsigned i = threadIdx.x; i < digits * OS_DIGITS << SG_LOG_COPIES; i += SG_LARGE_THREADS)
        shared[i] = 0;
    __syncthreads();
    for (unsigned group = blockIdx.x * SG_COUNT_TILES; group < tiles;
         group += gridDim.x * SG_COUNT_TILES) {
        unsigned s = large.segment_of[group];
        for (unsigned tile = group; tile < group + SG_COUNT_TILES && tile < tiles; tile++) {
            if (large.segment_of[tile] != s) {
                sg_add_counts(shared, digits,
                              large.digits + ((size_t)s * passes + first) * OS_DIGITS);
                s = large.segment_of[tile];
            }
            const sg_segment segment = large.segment[s];
            const unsigned before = (tile - large.first_tile[s]) * tile_keys;
            const unsigned left = segment.word - before;
            sg_count_tile(arrays.keys_in + segment.begin + before,
                          left < tile_keys ? left : tile_keys, arrays.codec, first * OS_BITS,
                          digits, counters, gb_shared_memory);
        }
        sg_add_counts(shared, digits, large.digits + ((size_t)s * passes + first) * OS_DIGITS);
    }
}

/* From counts, where the digits of each segment begin and which passes it needs: a block each.
 * Used: a bit for each list; most: keys of the longest one's segments. */
static __global__ void __launch_bounds__(OS_DIGITS)
    sg_plan(sg_large large, sg_lists lists, unsigned used, unsigned most, unsigned passes)
{
    __shared__ unsigned sums[GB_WARP + 1];
    __shared__ sg_adding adding;
    for (unsigned s = blockIdx.x; s < large.segments(); s += gridDim.x) {
        const sg_segment segment = large.segment[s];
        unsigned active = 0;
        sg_segment bucket[1] = {{0, 0}}; /* by the highest active byte */
        for (unsigned p = 0; p < passes; p++) {
            unsigned *digits = large.digits + ((size_t)s * passes + p) * OS_DIGITS;
            const unsigned count = digits[threadIdx.x];
            unsigned all;
            const unsigned before = gb_block_exclusive_sum<OS_DIGITS>(count, sums, &all);
            digits[threadIdx.x] = before;
            if (__syncthreads_or(count == segment.word)) continue;
            active |= 1u << p;
            bucket[0] = sg_segment{segment.begin + before, count};
        }
        const bool too_large = __syncthreads_or(bucket[0].word > most);
        if (__popc(active) > 2 && !too_large) {
            const unsigned list[1] = {bucket[0].word ? sg_class_of(bucket[0].word, used)
                                                     : (unsigned)SG_EMPTY};
            bucket[0].word |= sg_segment::PARTED;
            sg_add(lists, bucket, list, adding);
            active = 1u << (GB_WARP - 1 - __clz(active)) | SG_PARTED;
        }
        if (threadIdx.x == 0) large.active[s] = active;
        /* where all keys are the same the last pass copies them */
        const unsigned moves = active ? active : 1u << (passes - 1);
        const unsigned tiles =
            (s + 1 < large.segments() ? large.first_tile[s + 1] : large.tiles()) -
            large.first_tile[s];
        if (threadIdx.x < passes && (moves >> threadIdx.x & 1))
            atomicAdd(&large.counts->moving[threadIdx.x], tiles);
    }
}

/* What a pass does with a segment, by which of its passes are active. */
__device__ __forceinline__ os_step sg_step_of(unsigned active, unsigned pass)
{
    os_step step;
    const bool parted = active & SG_PARTED;
    const unsigned all = __popc(active & ~SG_PARTED);
    step.active = active >> pass & 1;
    step.ordinal = __popc(active & ((1u << pass) - 1));
    step.first = step.ordinal == 0;
    step.last = step.ordinal + 1 == all && !parted;
    /* the steps that are left after this one end in the output if their number is even */
    step.to = parted || (all - step.ordinal - 1) % 2 ? 1 : 2;
    step.from = step.first ? 0 : 3 - step.to;
    return step;
}

/* A tile of bare keys. Meanwhile the block's next one is drawn. */
template <class Block>
__device__ __forceinline__ void sg_move_keys(const Block &block, unsigned tile)
{
    enum { THREADS = Block::BLOCK_THREADS, ITEMS = Block::EACH };
    typename Block::key_type key[ITEMS];
    rs_halves<ITEMS> ranks;
    unsigned count, start;
    block.load(tile, key);
    block.prepare(tile, key);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        ranks.set(i, block.rank(key[i]));
    block.publish(tile, count, start);
    const auto again = block.digit_of.forgotten();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        block.put(key[i], ranks.get(i), again);
    block.find_places(tile, count, start);
    __syncthreads();
    const unsigned valid = block.valid_of(tile);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (i * THREADS + threadIdx.x >= valid) break;
        const typename Block::key_type one = block.in_order(i);
        block.to[block.place_of(one, i * THREADS + threadIdx.x)] = block.out_of(one);
    }
}

/* A tile of keys with their payloads, which come to shared memory beside the ranking, word by word
 * since segments begin anywhere, and go the keys' way through the same slots. */
template <class Block>
__device__ __forceinline__ void sg_move_pairs(const Block &block, unsigned tile,
                                              const uint32_t *payload_from, uint32_t *payload_to,
                                              uint32_t *staged)
{
    enum { THREADS = Block::BLOCK_THREADS, ITEMS = Block::EACH };
    typedef typename Block::shape shape;
    const unsigned valid = block.valid_of(tile), row = block.first_row();
    typename Block::key_type key[ITEMS];
    rs_halves<ITEMS> ranks; /* later the places in the tile */
    unsigned count, start, out[ITEMS];
    block.load(tile, key);
    const uint32_t *from = payload_from + (size_t)tile * shape::KEYS + row;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (row + i * GB_WARP < valid)
            gb_copy_async_word(staged + row + i * GB_WARP, from + i * GB_WARP);
    block.prepare(tile, key);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        ranks.set(i, block.rank(key[i]));
    block.publish(tile, count, start);
    const auto again = block.digit_of.forgotten();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        ranks.replace(i, block.put(key[i], ranks.get(i), again));
    block.find_places(tile, count, start);
    gb_copy_async_wait();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (i * THREADS + threadIdx.x >= valid) break;
        const typename Block::key_type one = block.in_order(i);
        out[i] = block.place_of(one, i * THREADS + threadIdx.x);
        block.to[out[i]] = block.out_of(one);
    }
    uint32_t *tile_payload = reinterpret_cast<uint32_t *>(block.keys);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) /* past the end: unread */
        tile_payload[shape::slot(ranks.get(i))] = staged[row + i * GB_WARP];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (i * THREADS + threadIdx.x >= valid) break;
        payload_to[out[i]] = tile_payload[shape::slot(threadIdx.x) + i * shape::slot(THREADS)];
    }
}

/* One pass over digit `pass` of `passes`: blocks draw tiles until there are none. buffers: of all
 * keys, as onesweep's. */
template <class Key, bool PAYLOAD, int THREADS, int ITEMS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sg_pass(os_buffers<Key> buffers, rs_codec codec, sg_large large, unsigned pass, unsigned passes)
{
    typedef os_tile<Key, PAYLOAD, unsigned, THREADS, ITEMS> shape;
    typedef os_block<Key, PAYLOAD, unsigned, THREADS, ITEMS, OS_AS_BYTE> block_of;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned next_tile;
    __shared__ unsigned sums[GB_WARP + 1];
    uint32_t *staged = reinterpret_cast<uint32_t *>(gb_shared_memory + shape::KEYS_BYTES);
    unsigned *shift_to =
        reinterpret_cast<unsigned *>(gb_shared_memory + shape::KEYS_BYTES + shape::STAGED_BYTES);
    const unsigned tiles = large.tiles();
    const auto draw = [&]() {
        __syncthreads(); /* everybody has read the last one */
        if (threadIdx.x == 0) next_tile = atomicAdd(&large.counts->ticket[pass], 1u);
        __syncthreads();
    };
    if (large.counts->moving[pass] == 0) return;
    for (draw(); next_tile < tiles;) {
        const unsigned drawn = next_tile, s = large.segment_of[drawn];
        const unsigned active = large.active[s], tile = drawn - large.first_tile[s];
        const sg_segment segment = large.segment[s];
        const os_step step = sg_step_of(active, pass);
        const auto of = [&](auto *input, auto *scratch, auto *output) {
            return os_pick(step.from, input, scratch, output) + segment.begin;
        };
        if (!step.active) {
            if (!active && pass + 1 == passes) { /* all keys are the same */
                os_copy_tile<Key, THREADS, ITEMS>(buffers.keys_in + segment.begin,
                                                  buffers.keys_out + segment.begin, segment.word,
                                                  tile);
                if (PAYLOAD)
                    os_copy_tile<uint32_t, THREADS, ITEMS>(buffers.payload_in + segment.begin,
                                                           buffers.payload_out + segment.begin,
                                                           segment.word, tile);
            }
            draw();
            continue;
        }
        unsigned *first_word = large.words + (size_t)(drawn - tile) * OS_DIGITS;
        const size_t own = (size_t)(step.ordinal & 1) * large.most_tiles * OS_DIGITS;
        const block_of block = {
            of(buffers.keys_in, buffers.keys_scratch, buffers.keys_out),
            os_pick(step.to, buffers.keys_in, buffers.keys_scratch, buffers.keys_out) +
                segment.begin,
            segment.word,
            codec,
            step.first && !codec.identity,
            step.last && !codec.identity,
            os_digit<Key, OS_AS_BYTE>(0, 8 * sizeof(Key), pass, codec),
            large.digits + ((size_t)s * passes + pass) * OS_DIGITS,
            first_word + own,
            first_word + ((size_t)large.most_tiles * OS_DIGITS - own),
            &large.counts->ticket[pass],
            reinterpret_cast<Key *>(gb_shared_memory),
            shift_to,
            reinterpret_cast<os_counter *>(shift_to + OS_DIGITS),
            &next_tile,
            sums,
        };
        block.clear_counts();
        __syncwarp();
        if constexpr (!PAYLOAD) {
            sg_move_keys(block, tile);
        } else {
            sg_move_pairs(
                block, tile, of(buffers.payload_in, buffers.payload_scratch, buffers.payload_out),
                os_pick(step.to, buffers.payload_in, buffers.payload_scratch, buffers.payload_out) +
                    segment.begin,
                staged);
            draw();
        }
    }
}

#endif
