/* The tree from whole keys, for any input: bodies are sorted by all their digits, last ones first,
 * and every body then finds the cells that it begins. Slower than buckets by two to three times. */
#ifndef GB_OCTREE_MORTON_WIDE_CUH
#define GB_OCTREE_MORTON_WIDE_CUH

#include "kernels/octree/morton/emit.cuh"
#include "kernels/octree/morton/sample.cuh"

enum {
    MW_LOW_DIGITS = OC_DEPTH - OC_CODE_DIGITS, /* that the code leaves out */
    MW_THREADS = 256
};

/* Device memory of a build by whole keys. */
typedef struct mw_build {
    const float4 *bodies;
    uint64_t n;
    unsigned leaf;
    oc_box box;
    uint32_t pool;
    mo_words *words;
    uint32_t *slot, *order, *first;
    uint32_t *low, *low_sorted; /* n: the last digits; later: cells before each body, mw_pack */
    uint32_t *low_order;        /* n: bodies by their last digits */
    unsigned long long *code, *code_sorted; /* n */
} mw_build;

static __device__ __forceinline__ oc_place mw_place(const mw_build &b, uint64_t i)
{
    const float4 body = b.bodies[i];
    return oc_place_at(b.box, body.x, body.y, body.z);
}

/* The digits that a code leaves out. */
static __device__ __forceinline__ uint32_t mw_last_digits(oc_place place)
{
    uint32_t low = 0;
    for (int d = OC_CODE_DIGITS; d < OC_DEPTH; d++)
        low = low << 3 | oc_digit(place, d);
    return low;
}

/* Every body's last digits, and its number. */
static __global__ void mw_low(mw_build b)
{
    for (uint64_t i = gb_first(); i < b.n; i += gb_stride()) {
        b.low[i] = mw_last_digits(mw_place(b, i));
        b.order[i] = (uint32_t)i;
    }
}

/* The other digits, in the order of the last ones. */
static __global__ void mw_codes(mw_build b)
{
    for (uint64_t r = gb_first(); r < b.n; r += gb_stride())
        b.code[r] = oc_code(mw_place(b, b.low_order[r]));
}

/* How deep two bodies go together, by their places in the order. */
static __device__ __forceinline__ int mw_common(const mw_build &b, uint64_t r, uint64_t s)
{
    const unsigned long long differ = b.code_sorted[r] ^ b.code_sorted[s];
    if (differ) return (__clzll((long long)differ) - 1) / 3;
    return oc_common_depth(mw_place(b, b.order[r]), mw_place(b, b.order[s]));
}

/* The depth of the deepest cell that a body is the first of, or less than left. */
static __device__ __forceinline__ int mw_reach(const mw_build &b, uint64_t r, int left)
{
    uint64_t q = r + b.leaf;
    int reach = q < b.n ? mw_common(b, r, q) : -1;
    if (reach == OC_DEPTH) { /* these coincide: the cells end above the first that does not */
        if (left == OC_DEPTH) return -1;
        uint64_t low = q, high = b.n;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (mw_common(b, r, middle) == OC_DEPTH)
                low = middle + 1;
            else
                high = middle;
        }
        reach = low < b.n ? mw_common(b, r, low) : -1;
    }
    return r == 0 && reach < 0 ? 0 : reach; /* the root is always there */
}

/* What is kept of a body: left and reach, and, after the sum, the cells that all before begin. */
static __device__ __forceinline__ unsigned mw_pack(int left, int reach)
{
    return (unsigned)(left + 1) << 8 | (unsigned)(reach + 1);
}

/* low_sorted: mw_pack; low: how many cells each body begins. */
static __global__ void mw_compare(mw_build b)
{
    for (uint64_t r = gb_first(); r < b.n; r += gb_stride()) {
        const int left = r ? mw_common(b, r - 1, r) : -1, reach = mw_reach(b, r, left);
        b.low_sorted[r] = mw_pack(left, reach);
        b.low[r] = reach > left ? (unsigned)(reach - left) : 0;
    }
}

/* Where the cells that body r begins do, from number `cell` on; gives the next number. */
static __device__ __forceinline__ uint64_t mw_list_cells(const mw_build &b,
                                                         unsigned long long *cells, uint64_t r,
                                                         int left, int reach, uint64_t cell)
{
    for (int depth = left + 1; depth <= reach; depth++, cell++)
        if (cell < b.pool) cells[cell] = (unsigned long long)depth << 32 | r;
    return cell;
}

/* Where the cells of the tree begin: depth << 32 | body, for every cell. The sum of all bodies'
 * cells is in low. */
static __global__ void mw_list(mw_build b, unsigned long long *cells)
{
    for (uint64_t r = gb_first(); r < b.n; r += gb_stride()) {
        const int left = (int)(b.low_sorted[r] >> 8) - 1, reach = (int)(b.low_sorted[r] & 255u) - 1;
        const uint64_t cell = mw_list_cells(b, cells, r, left, reach, b.low[r]);
        if (r + 1 == b.n) {
            b.words->cells = (unsigned)(cell < b.pool ? cell : b.pool);
            if (cell > b.pool) b.words->trouble = OC_POOL_EMPTY;
        }
    }
}

/* The whole tree, as oc_emit_cell sees it. */
struct mw_bodies {
    const mw_build &b;

    __device__ __forceinline__ explicit mw_bodies(const mw_build &build) : b(build) {}
    __device__ __forceinline__ int left(unsigned p) const
    {
        return p < b.n ? (int)(b.low_sorted[p] >> 8) - 1 : -1;
    }
    __device__ __forceinline__ int reach(unsigned p) const
    {
        return (int)(b.low_sorted[p] & 255u) - 1;
    }
    __device__ __forceinline__ unsigned child(unsigned p) const { return b.low[p]; }
    __device__ __forceinline__ uint32_t leaf(unsigned p) const
    {
        atomicOr(&b.first[p / 32], 1u << p % 32);
        return p;
    }
    __device__ __forceinline__ unsigned digit(unsigned p, int depth) const
    {
        if (depth < OC_CODE_DIGITS) return mo_code_digit(b.code_sorted[p], depth);
        return oc_digit(mw_place(b, b.order[p]), depth);
    }
    __device__ __forceinline__ bool can_search(int depth) const { return depth < OC_CODE_DIGITS; }
    __device__ __forceinline__ bool search(unsigned from, int depth, unsigned octant,
                                           unsigned *p) const
    {
        const int shift = 3 * (OC_CODE_DIGITS - 1 - depth);
        const unsigned long long wanted = (b.code_sorted[from] >> shift & ~7ull) | octant;
        uint64_t low = from, high = b.n;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (b.code_sorted[middle] >> shift < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        *p = (unsigned)low;
        return low < b.n && b.code_sorted[low] >> shift == wanted;
    }
};

static __global__ void __launch_bounds__(MW_THREADS)
    mw_emit(mw_build b, const unsigned long long *cells)
{
    __shared__ uint32_t stage[MW_THREADS];
    if (b.words->trouble) return;
    const mw_bodies bodies(b);
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    const uint64_t all = b.words->cells, step = 4ull * gridDim.x * (MW_THREADS / GB_WARP);
    for (uint64_t c = 4ull * (blockIdx.x * (MW_THREADS / GB_WARP) + warp); c < all; c += step) {
        const uint64_t cell = c + lane / OC_EMIT_LANES;
        const bool ok = cell < all;
        const unsigned long long entry = ok ? cells[cell] : 0;
        const uint32_t value = oc_emit_cell(bodies, ok, (unsigned)cell, (unsigned)entry,
                                            (int)(entry >> 32), stage + GB_WARP * warp);
        if (ok) b.slot[8 * cell + lane % OC_EMIT_LANES] = value;
    }
}

#endif
