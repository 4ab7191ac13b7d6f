/* Keys that are spread unevenly, but without values that come very often: buckets that hold alike
 * many keys all the same.
 *
 * Images are the upper 32 bits of 64-bit ones here. A part of the keys is counted by their top 12
 * bits, in cells. Their running sum, scaled to 2^32
 * and linear inside a cell, is the place of an image: it ascends with the image and is spread
 * evenly, so that its top bits make bins and buckets as the top bits of evenly spread images do.
 * Nothing but the buckets' sizes depends on how well the places were guessed. A cell in which a
 * range of keys begins or ends is as dense, where it has keys, as its neighbour is.
 *
 * Where images share so many upper bits that they lie in a few cells, as keys below a bound may,
 * these bits are turned down, so that cells are narrow enough. A key that does not share them is a
 * stray: then the order is lost, and onesweep has to sort.
 *
 * Bytes a key beside those of the stages: 4 / HY_CELL_SHARE. */
#ifndef GB_RADIX_SORT_HYBRID_CELLS_CUH
#define GB_RADIX_SORT_HYBRID_CELLS_CUH

#include "kernels/radix-sort/hybrid/attempts.cuh"

enum {
    HY_CELL_BITS = 12,
    HY_CELLS = 1 << HY_CELL_BITS,
    HY_TURN_LEAST = HY_CELL_BITS - 3, /* bits that are turned, if any */
    HY_CELL_SHARE = 4, /* of so many tiles, of 16 bytes of keys a thread, one is counted */
    HY_CELL_FOURS = 4, /* tiles that a block has under way */
    HY_CELL_LEAST = 16 /* tiles that a block counts, if it counts any */
};

/* Elements of a thread in the partitions: behind their tile the places lie, and both take about
 * what a tile of evenly spread ones does. */
template <class Kind>
constexpr int hy_cell_items = hy_sizes<Kind>::BYTES == 4   ? 16
                              : hy_sizes<Kind>::BYTES == 8 ? 12
                                                           : 6;

/* What is known of the cells; device memory. */
typedef struct hy_cells {
    unsigned *counts; /* HY_CELLS; all 0 at the start */
    unsigned *places; /* where each cell begins; HY_CELLS, and one more that has 2^32 - 1 */
    unsigned *lows;   /* of every bucket, the smallest image that belongs there or behind it; and
                         one more, which is 0 */
} hy_cells;

/* The place of an image. */
static __device__ __forceinline__ unsigned hy_place(const unsigned *places, unsigned image)
{
    const unsigned cell = image >> (32 - HY_CELL_BITS), begin = places[cell];
    return begin + __umulhi(image << HY_CELL_BITS, places[cell + 1] - begin);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Keys in two arrays, either of which may have none; both are aligned to 16 bytes. */
template <class Kind> struct hy_two_arrays {
    const typename Kind::key_type *keys, *more_keys;
    unsigned n, n_more;
};

/* Counts the cells of every HY_CELL_SHARE-th tile of the keys, which a hash picks, so that no
 * period of the data is followed. All threads of the trial's blocks of HY_THREADS call it. HY_CELLS
 * words of dynamic shared memory. */
template <class Kind>
static __device__ GB_CALLED void hy_count_cells(hy_two_arrays<Kind> all, bool encode,
                                                hy_codec codec, unsigned salt, unsigned *counts,
                                                hy_trial trial)
{
    typedef typename Kind::key_type key_type;
    typedef gb_keys_of_16_bytes<key_type> vector;
    enum { VECTOR = gb_page_vector<key_type> };
    GB_DYNAMIC_SHARED();
    unsigned *mine = reinterpret_cast<unsigned *>(gb_shared_memory);
    const unsigned me = threadIdx.x, apart = VECTOR * HY_THREADS * HY_CELL_SHARE;
    const unsigned tiles_in = all.n / apart, tiles = tiles_in + all.n_more / apart;
    unsigned blocks = tiles / HY_CELL_LEAST + 1; /* that count */
    if (blocks > trial.blocks) blocks = trial.blocks;
    if (trial.block >= blocks) return;
    for (unsigned c = me; c < HY_CELLS; c += HY_THREADS)
        mine[c] = 0;
    __syncthreads();
    for (unsigned first = trial.block; first < tiles; first += HY_CELL_FOURS * blocks) {
        vector some[HY_CELL_FOURS];
#pragma unroll
        for (int f = 0; f < HY_CELL_FOURS; f++) {
            const unsigned t = first + f * blocks;
            const bool more = t >= tiles_in;
            const vector *vectors =
                reinterpret_cast<const vector *>(more ? all.more_keys : all.keys);
            const unsigned tile =
                HY_CELL_SHARE * (more ? t - tiles_in : t) + gb_scatter32(t ^ salt) % HY_CELL_SHARE;
            if (t < tiles) some[f] = hy_load_once(vectors + tile * HY_THREADS + me);
        }
#pragma unroll
        for (int f = 0; f < HY_CELL_FOURS; f++) {
            if (first + f * blocks >= tiles) break;
#pragma unroll
            for (int v = 0; v < VECTOR; v++) {
                const key_type key = some[f].key[v];
                const key_type image = encode ? hy_encode(codec, key) : key;
                atomicAdd(&mine[Kind::top(Kind::make(image, 0)) >> (32 - HY_CELL_BITS)], 1u);
            }
        }
    }
    __syncthreads();
    for (unsigned c = me; c < HY_CELLS; c += HY_THREADS)
        if (mine[c]) atomicAdd(&counts[c], mine[c]);
}

/* How many keys a cell would have if it were as dense everywhere as where it is densest, as its
 * neighbours tell. Eight times as dense is enough: what has fewer keys than that does not fill a
 * bucket. */
static __device__ __forceinline__ unsigned hy_weight(unsigned before, unsigned count,
                                                     unsigned behind)
{
    const unsigned neighbour = before > behind ? before : behind, most = 8 * count;
    const unsigned dense = neighbour < most ? neighbour : most;
    return count > dense ? count : dense;
}

/* The places, when all cells are counted. All threads of a block of HY_THREADS call it. */
static __device__ __forceinline__ void hy_make_places(const hy_cells &cells)
{
    enum { EACH = HY_CELLS / HY_THREADS };
    __shared__ unsigned sums[GB_WARP + 1];
    const unsigned first = threadIdx.x * EACH;
    unsigned count[EACH + 2], weight[EACH], sum = 0, total;
#pragma unroll
    for (int i = 0; i < EACH + 2; i++) {
        const unsigned cell = first + i - 1;
        count[i] = cell < HY_CELLS ? gb_glance(cells.counts + cell) : 0;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        weight[i] = hy_weight(count[i], count[i + 1], count[i + 2]);
        sum += weight[i];
    }
    unsigned before = gb_block_exclusive_sum<HY_THREADS>(sum, sums, &total);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const unsigned long long all = total ? total : 1; /* without keys, all cells begin at 0 */
        cells.places[first + i] = (unsigned)((unsigned long long)before * ~0u / all);
        before += weight[i];
    }
    if (threadIdx.x == 0) cells.places[HY_CELLS] = ~0u;
}

/* The places, in shared memory. All threads of a block call it. */
static __device__ __forceinline__ void hy_fetch_places(const hy_cells &cells, unsigned *places)
{
    for (unsigned c = threadIdx.x; c <= HY_CELLS; c += HY_THREADS)
        places[c] = gb_glance(cells.places + c);
    __syncthreads();
}

/* ---- buckets --------------------------------------------------------------------------------- */

/* The smallest image with that place or a later one; place is below 2^32 - 1. */
static __device__ __forceinline__ unsigned hy_lowest(const unsigned *places, unsigned place)
{
    unsigned low = 0, high = HY_CELLS; /* the first cell that begins there or behind it */
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (places[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    const unsigned image = low << (32 - HY_CELL_BITS);
    if (places[low] == place) return image;
    /* in the cell before: the first image whose share of the cell is enough */
    const unsigned begin = places[low - 1], size = places[low] - begin;
    const unsigned long long wanted = (unsigned long long)(place - begin) << (32 - HY_CELL_BITS);
    return image - (1u << (32 - HY_CELL_BITS)) + (unsigned)((wanted + size - 1) / size);
}

/* The buckets' lowest images, each block its share. places: in shared memory. */
static __device__ __forceinline__ void hy_make_lows(const hy_cells &cells, const unsigned *places,
                                                    unsigned bits)
{
    const unsigned stride = gridDim.x * HY_THREADS;
    for (unsigned b = blockIdx.x * HY_THREADS + threadIdx.x; b >> bits == 0; b += stride)
        cells.lows[b] = hy_lowest(places, b << (32 - bits));
    if (blockIdx.x == 0 && threadIdx.x == 0) cells.lows[1u << bits] = 0;
}

/* Which of 2^BITS counters counts a key of a bucket: linear from its lowest image to the next
 * bucket's. */
template <int BITS> struct hy_in_range {
    unsigned low, up, scale;

    __device__ __forceinline__ hy_in_range(const hy_cells &cells, unsigned bucket)
    {
        low = cells.lows[bucket];
        unsigned width = cells.lows[bucket + 1] - low; /* 0: all images, or none */
        if (width == 0) width = ~0u;
        up = __clz((int)width);
        /* 2^(32 + BITS) / (width << up), rather less, by a division of 32 bits */
        scale = 0x80000000u / (((width << up) >> (BITS + 1)) + 1);
    }
    /* The same, which a compiler takes for another. */
    __device__ __forceinline__ hy_in_range again() const
    {
        hy_in_range other = *this;
        other.low = gb_forget(low);
        return other;
    }
    __device__ __forceinline__ unsigned operator()(unsigned key) const
    {
        return __umulhi((key - low) << up, scale) & ((1u << BITS) - 1);
    }
};

/* The same where buckets are bits of the image: the bits that come next. */
template <int BITS> struct hy_next_bits {
    unsigned shift;

    __device__ __forceinline__ explicit hy_next_bits(unsigned left)
    {
        shift = left > BITS ? left - BITS : 0;
    }
    __device__ __forceinline__ hy_next_bits again() const
    {
        hy_next_bits other = *this;
        other.shift = gb_forget(shift);
        return other;
    }
    __device__ __forceinline__ unsigned operator()(unsigned key) const
    {
        return key >> shift & ((1u << BITS) - 1);
    }
};

/* ---- where keys come from -------------------------------------------------------------------- */

/* The upper `turn` bits of an image, when it is turned. */
static __device__ __forceinline__ unsigned hy_turned_bits(unsigned turn)
{
    return (1u << turn) - 1;
}

/* A source of gb_partition whose bins are bits of the places. */
template <class Source> struct hy_by_place : Source {
    const unsigned *places; /* shared */

    static const bool BINS_ARE_KEPT = true; /* a place takes two loads and some arithmetic */
    __device__ __forceinline__ unsigned bin(const typename Source::element &e) const
    {
        return hy_place(places, Source::kind::top(e)) >> Source::shift & Source::mask;
    }
};

/* The input, of which images are turned: strays are looked for. */
template <class Kind> struct hy_array_by_place : hy_by_place<hy_array<Kind>> {
    unsigned common;  /* the turned bits of all images */
    unsigned strange; /* differences to them */

    template <int ITEMS>
    __device__ __forceinline__ bool load(typename Kind::element (&key)[ITEMS], unsigned *valid)
    {
        if (!hy_by_place<hy_array<Kind>>::load(key, valid)) return false;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (*valid >> i & 1) strange |= (unsigned)Kind::image(key[i]) ^ common;
        return true;
    }
};

#endif
