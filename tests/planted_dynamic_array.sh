#!/bin/bash
# Mistakes planted in the dynamic arrays: `gpubench check` finds each (lib_planted.sh), some only
# under other orders of threads. That readers are told too early is planted in test_dynamic_array.
primitive=dynamic-array
. "$(dirname "$0")/lib_planted.sh"

# scheduled NAME FILE OLD NEW VARIANT: found under some of 500 schedules of a few hundred elements.
scheduled()
{
    local file=kernels/$primitive/$2
    spoiled "$1" "$file" "$3" "$4" || return
    check "$1: builds" again build/gpubench-simt
    check "$1: is found" found_under_schedules "$5"
    cp "$scratch/kept" "$file"
}
found_under_schedules()
{
    local status=0
    build/gpubench check dynamic-array --device simt --variant "$1" --case n=600,granule=1Ki,grid=blocks:2 \
        --schedules 500 || status=$?
    [ $status = 1 ]
}

plant "a warp's part begins after its own" tile.cuh \
    'if ((unsigned)w < warp) first += of_warp;' 'if ((unsigned)w <= warp) first += of_warp;' static-tile
plant "the last elements of a tile are not written" tile.cuh \
    'if (threadIdx.x < count - tail) out' 'if (threadIdx.x + 1 < count - tail) out' static-tile
plant "vectors are packed over each other" tile.cuh \
    'before += all >> 8 * (v % 4) & 255u;' ';' static-tile
plant "a tile's second granule is its first" growable_bulk.cuh \
    'gb_growable_need(v, (place + from) >> v.granule_log2)' 'gb_growable_need(v, place >> v.granule_log2)' growable
plant "a tile without memory is noted one place off" growable_bulk.cuh \
    'v.pending[slot].place = place;' 'v.pending[slot].place = place + 1;' growable-resumed
plant "what was written is counted down in full" growable_bulk.cuh \
    '0ull - (done - from)' '0ull - done - 1' growable-resumed
plant "a granule is handed out twice" growable.cuh \
    'next, next + 1) == next) return number + 1ull;' 'next, next) == next) return number + 1ull;' growable
plant "a granule taken ahead is another one's" growable.cuh \
    'gb_granule_address(v, number + 1ull)' 'gb_granule_address(v, number + 2ull)' growable
plant "granules are not given back" growable_host.cu 'give_back(v, granules);' ';' growable-mapped
plant "the size stays what it was" growable_host.cu 'v.control->size = elements;' ';' growable
plant "the own group's tiles are left out" growable_ordered.cuh \
    'return sum + gb_order_sum(word & low);' 'return sum;' growable-ordered
plant "a tile in order is one place off" growable_ordered.cuh \
    'places.place = place;' 'places.place = place + 1;' growable-ordered
plant "a warp's groups share their places" static.cu 'place += __popc(kept[k]);' ';' static-warp
plant "lanes above count, not those below" static.cu \
    'kept[k] & gb_lanes_below()' 'kept[k] & ~gb_lanes_below()' static-warp
plant "a part forgets its size" ggarray.cu 'all.size[p] = size;' 'all.size[p] = 0;' ggarray
plant "all buckets begin where the pool does" ggarray.cu '*at = all.pool + begin;' '*at = all.pool;' ggarray
plant "places in a bucket are one off" lfvector.cuh \
    '((unsigned)DA_FIRST_BUCKET << bucket);' '((unsigned)DA_FIRST_BUCKET << bucket) + 1;' lfvector-busy-wait-acquire
plant "one element too many is pushed" cpu.c 'if (in[i] < p->values.kept' 'if (in[i] <= p->values.kept' cpu
plant "the last push is never written" lockfree_vector.h 'lv_complete(v, size + 1, value);' ';' cpu-lockfree

scheduled "a flag that two can take" lfvector.cuh \
    'if (atomicCAS(v.isbucket + b, 0, 1) == 0) v.a[b] = lf_malloc(v, b);' \
    'if (atomicAdd(v.isbucket + b, 0) == 0) { atomicExch(v.isbucket + b, 1); v.a[b] = lf_malloc(v, b); }' \
    lfvector-busy-wait-acquire
scheduled "a pointer is there before its bucket" lfvector.cuh \
    'if (atomicCAS(v.isbucket + b, 0, 1) == 0) v.a[b] = lf_malloc(v, b);' \
    'if (atomicCAS(v.isbucket + b, 0, 1) == 0) { v.a[b] = v.holes; v.a[b] = lf_malloc(v, b); }' \
    lfvector-busy-wait-acquire
finish
