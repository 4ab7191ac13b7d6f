/* A pass that leaves the order inside a digit open: a key draws its slot in shared memory, a block
 * reserves the places of whole groups, and nobody waits for anybody. Regions are exact or foreseen
 * (regions.cuh); what is not in the loop over tiles is in unordered_block.cuh. */
#ifndef GB_MULTIPARTITION_UNORDERED_CUH
#define GB_MULTIPARTITION_UNORDERED_CUH

#include "kernels/multipartition/partition/unordered_block.cuh"

/* Blocks take tiles of one segment in turns (segments == NULL), or each its own part of the input,
 * segment by segment. runs: what to do where regions.failed says so; nothing, if there are no keys
 * in it. MP_COUNTING: how many elements each bin has is added to regions.seen; of all of the input,
 * unless the pass gives up. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, mp_kind KIND, class Digit>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_unordered(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out,
                      mp_elements<Key, WORDS> aside, mp_elements<Key, WORDS> left_over, uint64_t n,
                      Digit digit, mp_cut cut, mp_regions regions, mp_runs<Key, WORDS, Digit> runs)
{
    typedef mp_unordered<Key, WORDS, THREADS, ITEMS, KIND, Digit> block_of;
    typedef typename block_of::shared shared;
    typedef typename block_of::payload_type payload_type;
    typedef mp_early<Key, WORDS> early;
    const bool CROWD = block_of::CROWD, COUNTS = KIND == MP_COUNTING;
    /* one block has nothing to do while its loads are on their way; one of 1024 threads, which have
     * 64 registers, does not gain by it */
    const bool AHEAD = BLOCKS == 1 && THREADS == 512;
    const unsigned step = regions.segments ? 1 : gridDim.x;
    GB_DYNAMIC_SHARED();
    if (regions.only_if && !mp_is_anew(regions.only_if)) return;
    if (regions.crowded && (gb_glance(regions.crowded) != 0) != CROWD) return;
    const unsigned found = regions.failed ? gb_glance(regions.failed) : 0;
    const bool in_runs = found == MP_IN_RUNS;
    if ((in_runs && !runs.in.keys) || found == MP_UNCOUNTED) return;
    shared *s = reinterpret_cast<shared *>(gb_shared_memory);
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory + sizeof(shared));
    const mp_elements<Key, WORDS> buffers = {keys,
                                             reinterpret_cast<payload_type *>(keys + cut.slots)};
    const unsigned words_needed = block_of::words_for(digit.digits);
    mp_route<WORDS> *routes = reinterpret_cast<mp_route<WORDS> *>(
        gb_shared_memory + sizeof(shared) + (sizeof(Key) + 4 * WORDS) * cut.slots);
    unsigned *words = reinterpret_cast<unsigned *>(routes + words_needed);
    unsigned *counters = words + words_needed;
    const unsigned per_warp =
        (block_of::SPREAD * digit.digits + block_of::WARPS - 1) / block_of::WARPS;
    if (threadIdx.x == 0) {
        s->watch = mp_watch{};
        s->in = in;
        s->out = out;
        s->aside = aside;
        s->left_over = left_over;
        s->buffers = buffers;
        s->digit = digit;
        s->cut = cut;
        s->regions = regions;
        s->routes = routes;
        s->words = words;
        s->counters = counters;
        s->per_warp = per_warp;
    }
    if constexpr (COUNTS) mp_clear_counters<THREADS>(counters, 1, digit.digits << digit.shift);
    if (!regions.segments) mp_prepare(digit);
    __syncthreads();
    if (in_runs) {
        if (threadIdx.x == 0) s->runs = runs;
        __syncthreads();
        block_of::move_runs(n);
        return;
    }
    unsigned segment = block_of::begin(n);
    while ((segment = block_of::next_segment(n, segment)) != ~0u) {
        mp_own own = block_of::lay_out();
        const unsigned owners = CROWD ? block_of::owners(s) : per_warp;
        unsigned tile = s->progress.tile;
        while (tile < s->progress.tiles) {
            Key key[ITEMS];
            typename early::elements::payload_type payload[ITEMS];
            unsigned over;
            unsigned valid = mp_load_fours<THREADS>(
                early::of(in), (s->progress.low & ~(uint64_t)3) + (uint64_t)tile * block_of::TILE,
                s->progress.low, s->progress.high, key, payload);
            for (;;) {
                if (threadIdx.x == 0) s->watch.tile = tile;
                const payload_type *late = NULL;
                if constexpr (!early::ALL)
                    late = in.payload + (s->progress.low & ~(uint64_t)3) +
                           (uint64_t)tile * block_of::TILE + 4 * threadIdx.x;
                over = mp_gather<KIND, block_of::TWINS, THREADS>(
                           digit, buffers, words, s->crowd, counters, key, payload, late, valid) |
                       s->watch.stop;
                if (__syncthreads_or(over != 0)) break;
                unsigned leaves;
                const mp_flush<WORDS> flush =
                    mp_plan(words, cut.group_log, regions, out, aside, &own, &leaves);
                tile += step;
                const bool more = tile < s->progress.tiles;
                /* the next tile's elements come while this one's leave */
                if (more) {
                    const uint64_t mine = (s->progress.low & ~(uint64_t)3) +
                                          (uint64_t)tile * block_of::TILE + 4 * threadIdx.x;
                    valid = ~0u >> (32 - ITEMS);
                    if (AHEAD && tile + step < s->progress.whole_to)
                        mp_prefetch_tile<block_of::TILE>(in.keys + (mine - 4 * threadIdx.x) +
                                                         (uint64_t)step * block_of::TILE);
                    if (tile < s->progress.whole_to)
                        mp_load_all<THREADS>(early::of(in), mine, key, payload);
                    else
                        valid = mp_load_some<THREADS>(early::of(in), mine, s->progress.low,
                                                      s->progress.high, key, payload);
                }
                mp_write<false, CROWD, THREADS>(out, buffers, cut, owners, &s->hot, own.heat,
                                                flush);
                __syncthreads();
                if (!more) break;
            }
            if (tile < s->progress.tiles) {
                own = block_of::place_over(tile, over, own);
                tile = s->progress.tile;
            }
        }
        block_of::finish(own);
    }
    if constexpr (COUNTS)
        mp_add_counts<THREADS>(counters, 1, digit.digits << digit.shift, regions.seen);
}

#endif
