#!/bin/bash
# test: thorough turns 38
# Mistakes planted in the dynamic arrays, those that grow and those that do not: gpubench check finds each
# (lib_planted.sh), or a unit test, where only a second push with the same scratch shows it, for the check
# pushes once, or where only some orders of blocks do. Not among them: what takes two threads at the same
# place at the same time.
primitive=dynamic-array
. "$(dirname "$0")/lib_planted.sh"

# a tile in shared memory, and how it is written
plant "a warp's part of a tile begins behind its own elements" tile:count \
    'if ((unsigned)w < warp) first' 'if ((unsigned)w <= warp) first' static-tile
plant "the prefix sum of a warp leaves out a lane" tile:count \
    'if (lane >= (unsigned)d)' 'if (lane > (unsigned)d)' static-tile
plant "what a thread's other vectors keep is packed onto the first one's" pack \
    'before += all >> 8 * (v % 4) & 255u;' '(void)all;' growable-ordered
plant "the input's last element is not read" tile:load \
    'if (i >= n) continue;' 'if (i + 1 >= n) continue;' static-tile
plant "the element before the first 16 bytes is not written" store \
    'if (threadIdx.x < head) out' 'if (threadIdx.x + 1 < head) out' static-tile
plant "an element too many is written behind the last 16 bytes" store \
    'if (threadIdx.x < count - tail)' 'if (threadIdx.x <= count - tail)' growable
plant "few elements have more before the first 16 bytes than they are" store \
    'if (head > count) head = count;' ';' static-tile

# granules
plant "the pool hands a granule out twice" gb_pool_take \
    'next, next + 1) == next) return' 'next, next) == next) return' growable
plant "a granule that is taken ahead stays in the pool" gb_growable_take_ahead \
    'next, next + 1) == next) {' 'next, next) == next) {' growable
plant "the pool hands out a granule without memory" gb_pool_take \
    'if (next < limit) {' 'if (next <= limit) {' growable-resumed
plant "lanes that push together count themselves" gb_push_back \
    '((1u << lane) - 1u));' '((2u << lane) - 1u));' growable-push
plant "a place in the array is taken for one in its granule" gb_place \
    'within = i & ((1ull << v.granule_log2) - 1);' 'within = i;' growable-push

# tiles that go to granules
plant "a tile's second granule gets it from the first one's place on" gb_store_tile \
    'within = (place + from) & (room - 1)' 'within = place & (room - 1)' growable
plant "a tile's second granule is not looked up" gb_store_tile \
    'granule = 0;' ';' growable
plant "places without memory are not counted" gb_note_pending \
    '(unsigned long long)(total - from));' '0ull);' growable-resumed

# the order of the input
plant "what the array held before is forgotten" gb_order_find_place \
    'place = block->base + ' 'place = ' growable-ordered
plant "the tiles before in the same group are left out" gb_order_look_back \
    'return sum + gb_order_sum(word & ~GB_ORDER_SET);' 'return sum;' growable-ordered
plant "the groups before are left out" gb_order_look_back \
    'sum += __shfl_sync(0xffffffffu, group, (int)nearest) & (GB_ORDER_TILE - 1);' ';' growable-ordered
plant "a tile comes behind its own elements" gb_order_look_back \
    'lane < own ? 0' 'lane <= own ? 0' growable-ordered
plant "the tile that is counted goes where the one before does" gb_push_many_in_order \
    'writes, tiles, to_write, &block' 'writes, tiles, total, &block' growable-ordered
ordered() { plant_in "$@" test_dynamic_array_order order_under_schedules; }
ordered "the groups between are left out" gb_order_look_back \
    'sum += gb_order_sum(lane < nearest ? (unsigned)group : 0);' '(void)nearest;'
ordered "what a call leaves is there in the next but one" gb_order_clear \
    'half.tile[t] = 0;' ';'
ordered "the last draw does not begin the numbers anew" gb_order_draw \
    'if (number == draws - 1)' 'if (number == draws)'
ordered "a tile is packed over the one that waits" gb_push_many_in_order \
    'turn ^= 1) {' 'turn ^= 0) {'
ordered "the last tile's place is told while the one before is written" gb_push_many_in_order \
    'if (reads >= tiles) __syncthreads();' ';'

# the host's side of it
plant "a granule that is given back takes the place of the next one" array.cu:give_back \
    'v.order[atomicAdd(&v.pool->next, ~0ull) - 1] =' 'v.order[atomicAdd(&v.pool->next, ~0ull)] =' growable-mapped
plant "an array that is resized stays empty" resize_to \
    'v.control->size = elements;' 'v.control->size = 0;' growable
plant "a granule more than were mapped may be taken" set_limit \
    'gb_mapping_mapped(pool->memory) >> pool->granule_log2;' \
    '(gb_mapping_mapped(pool->memory) >> pool->granule_log2) + 1;' growable-resumed \
    --case n=65537,keep=50,granule=64Ki
plant "the elements of no whole 16 bytes are left out of a slice" run_mapped \
    'push_slice(job, done, slice,' 'push_slice(job, done, slice / 4 * 4,' growable-mapped
plant "every slice begins where the first one does" run_mapped \
    'push_slice(job, done, slice,' 'push_slice(job, 0, slice,' growable-mapped
plant "what the slices before could need is forgotten" run_mapped \
    'at_most += slice;' ';' growable-mapped
plant "all is pushed again, not what had no memory" run_resumed \
    'gb_cuda_stream(stream), true)' 'gb_cuda_stream(stream), false)' growable-resumed

# arrays that do not grow
plant "the lanes above are counted, not those below" push_warps \
    'kept[k] & gb_lanes_below()' 'kept[k] & ~gb_lanes_below()' static-warp
plant "what lies behind the input is pushed" push_warps \
    'if (i + 4 <= n) {' 'if (i < n) {' static-warp
plant "the place is not advanced between a warp's four elements" push_warps \
    'place += __popc(kept[k]);' ';' static-warp
plant "a block reads the same tile again" push_tiles \
    'tile.load(in, n, (t + gridDim.x) * tile_type::SIZE);' 'tile.load(in, n, t * tile_type::SIZE);' static-tile

# arrays of doubling buckets
plant "a bucket begins where one of equal size would" push_parts \
    'size + from - (room_of(b) - FIRST),' '(size + from) % FIRST,' ggarray
plant "a bucket that is there is taken again" need_buckets \
    'if (*at) continue;' ';' ggarray
plant "a part's size is not written back" push_parts \
    'if (threadIdx.x == 0) all.size[p] = size;' ';' ggarray
plant "the parts' sizes are not summed" index_parts \
    'sums[p] += below;' '(void)below;' ggarray
plant "a part begins behind its own elements" index_parts \
    'all.begin[p] = sums[p] - own;' 'all.begin[p] = sums[p];' ggarray
plant "an element's place is not that behind the smaller buckets" lf_offset \
    'index + DA_FIRST_BUCKET - ((unsigned)DA_FIRST_BUCKET << bucket)' \
    'index & (((unsigned)DA_FIRST_BUCKET << bucket) - 1u)' lfvector-busy-wait
plant "an element's bucket is the next one" lf_bucket \
    '26u -' '27u -' lfvector-busy-wait

# arrays on the CPU
plant "elements are lost when the array grows" cpu:push_back \
    'realloc(a->at, room * sizeof *at)' 'malloc(room * sizeof *at)' cpu
plant "the size is not raised" cpu:push_back \
    'a->at[a->size++] = value;' 'a->at[a->size] = value;' cpu
plant "a push leaves its write to the next one" lv_push_back \
    'lv_complete(v, size + 1, value);' ';' cpu-lockfree

# found only under other orders of threads: some of 500 schedules of a few hundred elements
schedules=(--case "n=600,granule=1Ki,grid=blocks:2" --schedules 500)
plant "a flag that two can take" new_bucket \
    'if (atomicCAS(v.isbucket + b, 0, 1) == 0) lf_set(v.a + b, lf_malloc(v, b));' \
    'if (atomicAdd(v.isbucket + b, 0) == 0) { atomicExch(v.isbucket + b, 1); lf_set(v.a + b, lf_malloc(v, b)); }' \
    lfvector-busy-wait-acquire "${schedules[@]}"
plant "a pointer is there before its bucket" new_bucket \
    'if (atomicCAS(v.isbucket + b, 0, 1) == 0) lf_set(v.a + b, lf_malloc(v, b));' \
    'if (atomicCAS(v.isbucket + b, 0, 1) == 0) { lf_set(v.a + b, v.holes); lf_set(v.a + b, lf_malloc(v, b)); }' \
    lfvector-busy-wait-acquire "${schedules[@]}"
finish
