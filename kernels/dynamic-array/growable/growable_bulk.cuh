/* Pushing in bulk: kernels that push those elements of an input that pass a test, a tile at a time.
 *
 * A block reads a tile, counts what passes, reserves places for all of it with one atomic addition,
 * packs it in shared memory meanwhile, and writes it in groups of 16 bytes. Bytes: every element is
 * read once, what passes is written once.
 *
 * Where the pool has no memory the tile and its places are noted; nothing waits, nothing is lost:
 * gb_push_kept, `again` with the same input, writes what was noted. Call it, when the pool has more
 * memory, before anything else is pushed in bulk. */
#ifndef GB_GROWABLE_BULK_CUH
#define GB_GROWABLE_BULK_CUH

#include "growable.cuh"
#include "tile.cuh"

/* How a tile's places come about: reserved by whoever comes first; or the same, and readers are
 * told (gb_readable). */
enum { GB_PUSH_ANY = 0, GB_PUSH_READABLE = 1 };

/* Threads that a multiprocessor should hold, by how much each has of a tile: 40 registers or 64. */
static inline constexpr int gb_push_resident(int vectors)
{
    return vectors <= 5 ? 1536 : 1024;
}

/* Where a block's tile goes; in shared memory. */
struct gb_tile_places {
    unsigned long long place;   /* of its first element */
    unsigned long long granule; /* the address of the granule that this is in; 0: not known */
};

/* Notes a tile that lacks memory from its element `from` on. One thread. */
static __device__ inline void gb_note_pending(const gb_growable_view &v, unsigned long long tile,
                                              unsigned long long place, unsigned from,
                                              unsigned total)
{
    const unsigned slot = atomicAdd(&v.control->pending, 1u);
    atomicAdd(&v.control->unplaced, (unsigned long long)(total - from));
    if (slot >= v.pending_room) return; /* the grid was larger than most_tiles allows */
    v.pending[slot].tile = tile;
    v.pending[slot].place = place;
    v.pending[slot].from = from;
    atomicAdd(&v.control->pending_left, 1u);
}

/* The block writes the `total` elements packed in `packed` to their places, granule by granule. All
 * threads, after a barrier; places->granule is that of the first, or 0 if it has to be seen to:
 * only now, when few registers are in use. Returns how many elements were written: fewer if memory
 * is missing. */
template <class Tile, class E>
static __device__ __forceinline__ unsigned gb_store_tile(const gb_growable_view &v,
                                                         const typename Tile::shared *packed,
                                                         unsigned total, gb_tile_places *places)
{
    const unsigned long long room = 1ull << v.granule_log2, place = places->place;
    unsigned long long granule = places->granule;
    for (unsigned from = 0;;) {
        const unsigned long long within = (place + from) & (room - 1), left = room - within;
        const unsigned to = left < total - from ? from + (unsigned)left : total;
        if (!granule) {
            __syncthreads();
            if (threadIdx.x == 0)
                places->granule = gb_growable_need(v, (place + from) >> v.granule_log2);
            __syncthreads();
            granule = places->granule;
            if (!granule) return from;
        }
        Tile::store(packed, from, to, reinterpret_cast<E *>(granule) + within);
        if (to == total) return total;
        from = to;
        granule = 0;
    }
}

/* The block writes a packed tile to its places, and what finds no memory is noted; granules that
 * are needed soon are taken ahead. All threads, after a barrier. Returns how many elements were
 * written. */
template <class E, int THREADS, int VECTORS>
static __device__ __forceinline__ unsigned
gb_place_tile(const gb_growable_view &v,
              const typename gb_tile<E, THREADS, VECTORS>::shared *packed, unsigned total,
              gb_tile_places *places, unsigned long long number)
{
    if (threadIdx.x == THREADS - 1) gb_growable_ahead(v, places->place, total);
    const unsigned done = gb_store_tile<gb_tile<E, THREADS, VECTORS>, E>(v, packed, total, places);
    if (done < total && threadIdx.x == 0) gb_note_pending(v, number, places->place, done, total);
    return done;
}

/* What a block does with the tile it has loaded: `next` is called when the tile's elements are in
 * shared memory and not in registers any more. */
template <class E, int THREADS, int VECTORS, int HOW, class Keep, class Next>
static __device__ __forceinline__ void
gb_push_tile(const gb_growable_view &v, gb_tile<E, THREADS, VECTORS> *tile,
             typename gb_tile<E, THREADS, VECTORS>::shared *shared, gb_tile_places *places,
             unsigned long long number, Keep keep, Next next)
{
    tile->count(shared, keep);
    const unsigned total = tile->total;
    if (threadIdx.x == 0) {
        const unsigned long long place = atomicAdd(&v.control->size, (unsigned long long)total);
        places->place = place;
        places->granule = gb_granule_remembered(v, place >> v.granule_log2);
    }
    tile->pack(shared);
    __syncthreads();
    next();
    if (!total) return;
    const unsigned done = gb_place_tile<E, THREADS, VECTORS>(v, shared, total, places, number);
    if (HOW == GB_PUSH_READABLE) {
        __syncthreads();
        if (threadIdx.x == 0) gb_stored(v, places->place, done);
    }
}

/* Pushes those of in[0, n) (aligned to 16 bytes) that `keep` is true of: keep(element), callable on
 * the device. One block a tile. */
template <class E, int THREADS, int VECTORS, int HOW, class Keep>
static __global__ void __launch_bounds__(THREADS, gb_push_resident(VECTORS) / THREADS)
    gb_push_kept_tiles(gb_growable_view v, const E *__restrict__ in, unsigned long long n,
                       Keep keep)
{
    typedef gb_tile<E, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared shared;
    __shared__ gb_tile_places places;
    tile_type tile;
    tile.load(in, n, (unsigned long long)blockIdx.x * tile_type::SIZE);
    gb_push_tile<E, THREADS, VECTORS, HOW>(v, &tile, &shared, &places, blockIdx.x, keep, [] {});
}

/* The same by few blocks, which read the next tile while they write one. */
template <class E, int THREADS, int VECTORS, int HOW, class Keep>
static __global__ void __launch_bounds__(THREADS, 1)
    gb_push_kept_by_few(gb_growable_view v, const E *__restrict__ in, unsigned long long n,
                        unsigned long long tiles, Keep keep)
{
    typedef gb_tile<E, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared shared;
    __shared__ gb_tile_places places;
    tile_type tile;
    tile.load(in, n, (unsigned long long)blockIdx.x * tile_type::SIZE);
    for (unsigned long long t = blockIdx.x; t < tiles; t += gridDim.x) {
        gb_push_tile<E, THREADS, VECTORS, HOW>(v, &tile, &shared, &places, t, keep, [&] {
            if (t + gridDim.x < tiles) tile.load(in, n, (t + gridDim.x) * tile_type::SIZE);
        });
        __syncthreads();
    }
}

/* Writes what was noted: the same input, test and tile as before. */
template <class E, int THREADS, int VECTORS, int HOW, class Keep>
static __global__ void __launch_bounds__(THREADS)
    gb_push_kept_tiles_again(gb_growable_view v, const E *__restrict__ in, unsigned long long n,
                             Keep keep)
{
    typedef gb_tile<E, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared shared;
    __shared__ gb_tile_places places;
    __shared__ unsigned noted;
    if (threadIdx.x == 0) noted = gb_now_at(&v.control->pending);
    __syncthreads();
    for (unsigned slot = blockIdx.x; slot < noted && slot < v.pending_room; slot += gridDim.x) {
        const gb_growable_pending note = v.pending[slot];
        if (note.tile == GB_PENDING_DONE) continue;
        tile_type tile;
        tile.load(in, n, note.tile * tile_type::SIZE);
        tile.count(&shared, keep);
        tile.pack(&shared);
        if (threadIdx.x == 0) {
            places.place = note.place;
            places.granule = gb_granule_remembered(v, note.place >> v.granule_log2);
        }
        __syncthreads();
        const unsigned total = tile.total, from = (unsigned)note.from,
                       done = gb_store_tile<tile_type, E>(v, &shared, total, &places);
        __syncthreads();
        if (threadIdx.x == 0 && done > from) {
            atomicAdd(&v.control->unplaced, 0ull - (done - from));
            v.pending[slot].from = done;
            if (HOW == GB_PUSH_READABLE) gb_stored(v, note.place + from, done - from);
            if (done == total) {
                v.pending[slot].tile = GB_PENDING_DONE;
                if (atomicAdd(&v.control->pending_left, ~0u) == 1)
                    gb_now_set(&v.control->pending, 0u);
            }
        }
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

/* The tiles that serve best, from GB_PUSH_LARGE elements on and below: small ones have fewer
 * elements wait for a last wave of blocks (kernels/dynamic-array/README.md of gpubench has the
 * figures). */
enum { GB_PUSH_THREADS = 512, GB_PUSH_THREADS_SMALL = 256, GB_PUSH_VECTORS = 5 };
enum { GB_PUSH_LARGE = 1 << 26 };

template <class... P>
static inline cudaError_t gb_growable_launch(void (*kernel)(P...), unsigned grid, unsigned block,
                                             cudaStream_t stream, P... arguments)
{
#if defined(__CUDACC__)
    void *all[] = {&arguments...};
    return cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(grid), dim3(block), all, 0,
                            stream);
#else
    return launch(kernel, dim3(grid), dim3(block), 0, stream, arguments...);
#endif
}

/* The second call (`again`) for tiles of that shape. */
template <class E, int THREADS, int VECTORS, int HOW, class Keep>
static inline cudaError_t gb_push_kept_again(const gb_growable_view &v, const E *in,
                                             unsigned long long n, Keep keep, cudaStream_t stream)
{
    const unsigned long long tiles = gb_tile<E, THREADS, VECTORS>::tiles_of(n);
    if (tiles == 0) return cudaSuccess;
    return gb_growable_launch<gb_growable_view, const E *, unsigned long long, Keep>(
        gb_push_kept_tiles_again<E, THREADS, VECTORS, HOW, Keep>,
        tiles > 1024 ? 1024u : (unsigned)tiles, THREADS, stream, v, in, n, keep);
}

template <class E, int THREADS, int HOW, class Keep>
static inline cudaError_t gb_push_kept_with(const gb_growable_view &v, const E *in,
                                            unsigned long long n, Keep keep, bool again,
                                            cudaStream_t stream)
{
    const unsigned long long tiles = gb_tile<E, THREADS, GB_PUSH_VECTORS>::tiles_of(n);
    if (tiles > v.pending_room || v.element_bytes != sizeof(E)) return cudaErrorInvalidValue;
    if (again) return gb_push_kept_again<E, THREADS, GB_PUSH_VECTORS, HOW>(v, in, n, keep, stream);
    if (tiles == 0) return cudaSuccess;
    return gb_growable_launch<gb_growable_view, const E *, unsigned long long, Keep>(
        gb_push_kept_tiles<E, THREADS, GB_PUSH_VECTORS, HOW, Keep>, (unsigned)tiles, THREADS,
        stream, v, in, n, keep);
}

/* Queues the push of those of in[0, n) that pass, or `again` of what the last call with the same
 * arguments found no memory for. cudaErrorInvalidValue: n is more than the array's most_tiles allow
 * (gb_growable_create), or its elements are of another size. */
template <class E, int HOW, class Keep>
static inline cudaError_t gb_push_kept(const gb_growable_view &v, const E *in, unsigned long long n,
                                       Keep keep, cudaStream_t stream, bool again = false)
{
    return n < GB_PUSH_LARGE
               ? gb_push_kept_with<E, GB_PUSH_THREADS_SMALL, HOW>(v, in, n, keep, again, stream)
               : gb_push_kept_with<E, GB_PUSH_THREADS, HOW>(v, in, n, keep, again, stream);
}

#endif
