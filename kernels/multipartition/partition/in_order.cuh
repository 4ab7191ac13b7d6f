/* Input whose bins ascend already, as of sorted keys: it is its own stable partition, and is copied
 * rather than passed on digit by digit. */
#ifndef GB_MULTIPARTITION_IN_ORDER_CUH
#define GB_MULTIPARTITION_IN_ORDER_CUH

#include "common/cuda/grid.cuh"
#include "kernels/multipartition/elements.cuh"

enum { MP_ORDER_THREADS = 256, MP_ORDER_ITEMS = 16 };

/* *disorder, 0 at the start, becomes 1 where an element has a larger bin than the next one. digit:
 * the whole bin. Blocks stop as soon as somebody has found such a place. */
template <class Key, class Digit>
__global__ void __launch_bounds__(MP_ORDER_THREADS)
    mp_find_disorder(mp_elements<Key, 0> in, uint64_t n, Digit digit, unsigned *disorder)
{
    const int THREADS = MP_ORDER_THREADS, ITEMS = MP_ORDER_ITEMS, TILE = THREADS * ITEMS;
    for (uint64_t tile = (uint64_t)blockIdx.x * TILE; tile < n;
         tile += (uint64_t)gridDim.x * TILE) {
        if (gb_glance(disorder)) return;
        Key key[ITEMS], behind[ITEMS / 4]; /* the one after each four */
        typename mp_elements<Key, 0>::payload_type none[ITEMS];
        unsigned bins[ITEMS], next[ITEMS / 4];
        const unsigned valid = mp_load_fours<THREADS>(in, tile, 0, n, key, none);
        const uint64_t mine = tile + 4 * threadIdx.x;
#pragma unroll
        for (int j = 0; j < ITEMS / 4; j++) {
            const uint64_t after = mine + 4 * (j * THREADS + 1);
            behind[j] = after < n ? in.keys[after] : 0;
        }
        mp_digits_unprepared(digit, key, bins);
        mp_digits_unprepared(digit, behind, next);
        bool descends = false;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const uint64_t at = mine + i / 4 * 4 * THREADS + i % 4;
            const unsigned follows = i % 4 == 3 ? next[i / 4] : bins[i + 1 < ITEMS ? i + 1 : i];
            descends |= valid >> i & 1 && at + 1 < n && bins[i] > follows;
        }
        if (__any_sync(GB_FULL_MASK, descends) && gb_lane() == 0) atomicExch(disorder, 1u);
    }
}

/* Copies all, if there is no disorder. */
template <class Key, int WORDS>
__global__ void __launch_bounds__(MP_ORDER_THREADS)
    mp_copy_in_order(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out, uint64_t n,
                     const unsigned *disorder)
{
    if (gb_glance(disorder)) return;
    const uint64_t fours = n / 4;
    for (uint64_t i = gb_first(); i < fours; i += gb_stride()) {
        mp_copy_four(out.keys + 4 * i, in.keys + 4 * i);
        if constexpr (WORDS > 0) mp_copy_four(out.payload + 4 * i, in.payload + 4 * i);
    }
    for (uint64_t i = 4 * fours + gb_first(); i < n; i += gb_stride())
        mp_copy_one(out, i, in, i);
}

#endif
