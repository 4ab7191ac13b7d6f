/* Pushing in bulk in the order of the input (look_back.cuh: how tiles learn where they go).
 *
 * A tile that looks back as soon as it has been counted waits for all that are on their way from
 * memory before it. So where there are many tiles a block counts and publishes one, packs it and
 * begins to read the next, before it asks where the one before goes: its predecessors have
 * published theirs by then. Where there are few a block has one, and nothing to do meanwhile. */
#ifndef GB_GROWABLE_ORDERED_CUH
#define GB_GROWABLE_ORDERED_CUH

#include "growable_bulk.cuh"
#include "look_back.cuh"

/* Blocks of 256 threads that a multiprocessor should hold: 64 registers a thread, and the shared
 * memory of four in either kernel. More blocks are slower where there are many tiles
 * (kernels/dynamic-array/README.md of gpubench has the figures). */
enum { GB_ORDERED_RESIDENT = 4, GB_ORDERED_THREADS = 256 };
/* Groups of 16 bytes a thread, where there are as many tiles as fit at once, and where more. */
enum { GB_ORDERED_FEW = 8, GB_ORDERED_MANY = 5 };

/* What a block knows of the call and of the tile that it writes; in shared memory. */
struct gb_order_block {
    gb_tile_places places;
    unsigned long long base; /* the array's size before the call */
    unsigned dirty;          /* tiles that the other half was used for */
    unsigned first, other;   /* groups: where the half begins, and the other one */
    unsigned next;           /* the number of the tile to be read */
    bool at_once; /* the places are in a granule that is known, and call for no other one */
};

/* What a block knows at first: a warp of it reads that while another one draws a number. It changes
 * when all have read it: the L1 may answer. */
static __device__ __forceinline__ void gb_order_begin(const gb_growable_view &v,
                                                      const gb_order_scratch *scratch,
                                                      unsigned groups, gb_order_block *block)
{
    if (threadIdx.x != 32) return;
    const unsigned long long half = gb_maybe_at(&scratch->half),
                             dirty0 = gb_maybe_at(&scratch->dirty[0]),
                             dirty1 = gb_maybe_at(&scratch->dirty[1]);
    block->base = gb_maybe_at(&v.control->size);
    block->dirty = (unsigned)(half ? dirty0 : dirty1);
    block->first = half ? groups : 0;
    block->other = half ? 0 : groups;
}

/* So that the L1 has the first place's granule when the place is known. By one thread that has
 * nothing else to do. */
static __device__ __forceinline__ void gb_order_expect(const gb_growable_view &v,
                                                       gb_order_block *block)
{
    if (threadIdx.x == 64)
        block->places.granule = gb_granule_remembered(v, block->base >> v.granule_log2);
}

/* Where the `total` elements of a tile go, `number` of `tiles`: all before it are looked at. The
 * last one tells the array its size. One full warp. */
static __device__ __forceinline__ void
gb_order_find_place(const gb_growable_view &v, gb_order_scratch *scratch, unsigned groups,
                    unsigned number, unsigned tiles, unsigned total, gb_order_block *block)
{
    const gb_order_half half = gb_order_half_at(scratch, groups, block->first);
    const unsigned long long place = block->base + gb_order_look_back(half, number);
    if (threadIdx.x % 32) return;
    block->places.place = place;
    block->places.granule = gb_granule_remembered(v, place >> v.granule_log2);
    block->at_once = block->places.granule && !gb_growable_passes(v, place, total);
    if (number + 1 < tiles) return;
    gb_now_set(&v.control->size, place + total);
    gb_order_turn(scratch, block->first ? 1 : 0, tiles);
}

/* Pushes those of in[0, n) that pass, in their order, behind what the array holds; `tiles` are so
 * many. Any number of blocks of at least 64 threads; as many as fit at once serve best. Nobody else
 * may push meanwhile.
 *
 * A block holds back no number but the one that it reads, which is above all that it waits for: the
 * lowest that is held back waits for nothing, whatever order blocks run in. It draws until there is
 * no tile left, so that the last draw of all is known. */
template <class E, int THREADS, int VECTORS, int RESIDENT, class Keep>
static __global__ void __launch_bounds__(THREADS, RESIDENT)
    gb_push_many_in_order(gb_growable_view v, const E *__restrict__ in, unsigned long long n,
                          unsigned tiles, Keep keep, gb_order_scratch *scratch, unsigned groups)
{
    typedef gb_tile<E, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared packed[2];
    __shared__ gb_order_block block;
    if (threadIdx.x == 0) block.next = gb_order_draw(scratch, tiles + gridDim.x);
    gb_order_begin(v, scratch, groups, &block);
    __syncthreads();
    unsigned reads = block.next, writes = ~0u, to_write = 0;
    tile_type tile;
    if (reads < tiles) tile.load(in, n, (unsigned long long)reads * tile_type::SIZE);
    gb_order_expect(v, &block);
    for (unsigned turn = 0; reads < tiles || writes < tiles; turn ^= 1) {
        const unsigned counts = reads;
        unsigned total = 0;
        if (counts < tiles) {
            unsigned next = 0;
            if (threadIdx.x == 0) next = gb_order_draw(scratch, tiles + gridDim.x);
            tile.count(&packed[turn], keep);
            total = tile.total;
            if (threadIdx.x == 0) {
                gb_order_publish(gb_order_half_at(scratch, groups, block.first), counts, total);
                block.next = next;
            }
            tile.pack(&packed[turn]);
            __syncthreads();
            reads = block.next;
            if (reads < tiles) tile.load(in, n, (unsigned long long)reads * tile_type::SIZE);
        }
        if (writes < tiles) {
            if (threadIdx.x < 32)
                gb_order_find_place(v, scratch, groups, writes, tiles, to_write, &block);
            __syncthreads();
            if (block.at_once) {
                const unsigned long long within =
                    block.places.place & ((1ull << v.granule_log2) - 1);
                tile_type::store(&packed[1 - turn], 0, to_write,
                                 reinterpret_cast<E *>(block.places.granule) + within);
            } else {
                if (to_write)
                    (void)gb_place_tile<E, THREADS, VECTORS>(v, &packed[1 - turn], to_write,
                                                             &block.places, writes);
                /* read again, so that it need not live through that in registers */
                tile = tile_type();
                if (reads < tiles) tile.load(in, n, (unsigned long long)reads * tile_type::SIZE);
            }
            if (threadIdx.x == 0)
                gb_order_clear(gb_order_half_at(scratch, groups, block.other), block.dirty, writes,
                               tiles);
            if (reads >= tiles) __syncthreads(); /* what is next, if anything, is another place */
        }
        writes = counts;
        to_write = total;
    }
}

/* The same where there are few tiles: one block each. `prefetch`: a block asks for the tile of its
 * own index before it has drawn a number. That one is read by it or by another one; but it only
 * helps where no multiprocessor has two blocks. */
template <class E, int THREADS, int VECTORS, int RESIDENT, class Keep>
static __global__ void __launch_bounds__(THREADS, RESIDENT)
    gb_push_few_in_order(gb_growable_view v, const E *__restrict__ in, unsigned long long n,
                         bool prefetch, Keep keep, gb_order_scratch *scratch, unsigned groups)
{
    typedef gb_tile<E, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared packed;
    __shared__ gb_order_block block;
    const unsigned tiles = gridDim.x;
    if (threadIdx.x == 0) block.next = gb_order_draw(scratch, tiles);
    gb_order_begin(v, scratch, groups, &block);
    if (prefetch) tile_type::prefetch(in, n, (unsigned long long)blockIdx.x * tile_type::SIZE);
    __syncthreads();
    const unsigned number = block.next;
    tile_type tile;
    tile.load(in, n, (unsigned long long)number * tile_type::SIZE);
    gb_order_expect(v, &block);
    tile.count(&packed, keep);
    const unsigned total = tile.total;
    if (threadIdx.x == 0)
        gb_order_publish(gb_order_half_at(scratch, groups, block.first), number, total);
    tile.pack(&packed);
    if (threadIdx.x < 32) gb_order_find_place(v, scratch, groups, number, tiles, total, &block);
    __syncthreads();
    if (total) (void)gb_place_tile<E, THREADS, VECTORS>(v, &packed, total, &block.places, number);
    if (threadIdx.x == 0)
        gb_order_clear(gb_order_half_at(scratch, groups, block.other), block.dirty, number, tiles);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Tiles of a call with up to n elements, at most. */
template <class E> static inline unsigned long long gb_order_tiles(unsigned long long n)
{
    return gb_tile<E, GB_ORDERED_THREADS, GB_ORDERED_MANY>::tiles_of(n);
}

/* Queues the push of those of in[0, n) (aligned to 16 bytes) that pass, in their order; or `again`,
 * to their places, of what the last call with the same arguments found no memory for. `scratch`: of
 * gb_order_scratch_bytes(most_tiles), for up to so many tiles, and for one call after the other;
 * `sms`: the device's multiprocessors. cudaErrorInvalidValue: n is more than most_tiles or the
 * array's most_tiles (gb_growable_create) allow, or its elements are of another size. */
template <class E, class Keep>
static inline cudaError_t
gb_push_kept_in_order(const gb_growable_view &v, const E *in, unsigned long long n, Keep keep,
                      gb_order_scratch *scratch, unsigned most_tiles, unsigned sms,
                      cudaStream_t stream, bool again = false)
{
    enum { THREADS = GB_ORDERED_THREADS, RESIDENT = GB_ORDERED_RESIDENT };
    static_assert((int)GB_ORDERED_MANY <= (int)GB_ORDERED_FEW, "gb_order_tiles");
    const unsigned fit = RESIDENT * sms, groups = (unsigned)gb_order_groups(most_tiles);
    const unsigned long long few = gb_tile<E, THREADS, GB_ORDERED_FEW>::tiles_of(n),
                             many = gb_order_tiles<E>(n);
    if (many > most_tiles || many > v.pending_room || many >> 31 || v.element_bytes != sizeof(E))
        return cudaErrorInvalidValue;
    if (again)
        return few <= fit
                   ? gb_push_kept_again<E, THREADS, GB_ORDERED_FEW, GB_PUSH_ANY>(v, in, n, keep,
                                                                                 stream)
                   : gb_push_kept_again<E, THREADS, GB_ORDERED_MANY, GB_PUSH_ANY>(v, in, n, keep,
                                                                                  stream);
    if (n == 0) return cudaSuccess;
    if (few <= fit)
        return gb_growable_launch<gb_growable_view, const E *, unsigned long long, bool, Keep,
                                  gb_order_scratch *, unsigned>(
            gb_push_few_in_order<E, THREADS, GB_ORDERED_FEW, RESIDENT, Keep>, (unsigned)few,
            THREADS, stream, v, in, n, few <= sms, keep, scratch, groups);
    return gb_growable_launch<gb_growable_view, const E *, unsigned long long, unsigned, Keep,
                              gb_order_scratch *, unsigned>(
        gb_push_many_in_order<E, THREADS, GB_ORDERED_MANY, RESIDENT, Keep>, fit, THREADS, stream, v,
        in, n, (unsigned)many, keep, scratch, groups);
}

#endif
