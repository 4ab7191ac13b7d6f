/* Keys: every body walks the sample's tree, which a block has in shared memory, and is counted by
 * the slot where it ends; slots then become buckets. */
#ifndef GB_OCTREE_MORTON_KEYS_CUH
#define GB_OCTREE_MORTON_KEYS_CUH

#include "kernels/octree/morton/sample.cuh"

enum {
    MO_KEY_THREADS = 768,
    MO_KEY_ITEMS = 4,
    MO_KEY_ROUNDS = 65535 / (MO_KEY_THREADS * MO_KEY_ITEMS), /* until 16-bit counters could wrap */
    MO_GROUP_THREADS = 1024
};

static inline size_t mo_key_bytes(unsigned coarse)
{
    return 16 * (size_t)coarse + 2 * (7 * (size_t)coarse + 2);
}

/* The 10 bits of a number, two zeros between each two. */
static __device__ __forceinline__ unsigned mo_spread10(unsigned x)
{
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    return (x | x << 2) & 0x09249249u;
}

/* Ten digits, of coordinates whose next bit is the highest one; the first digit on top. */
static __device__ __forceinline__ unsigned mo_word(unsigned x, unsigned y, unsigned z)
{
    const int rest = 32 - MO_DIGITS;
    return (mo_spread10(x >> rest) << 2 | mo_spread10(y >> rest) << 1 | mo_spread10(z >> rest))
           << 2;
}

/* A body's slot and its next MO_LEVELS digits. */
typedef struct mo_key {
    unsigned high; /* slot << 17 | bits */
    unsigned low;  /* MO_LOW bits */
} mo_key;

static __device__ __forceinline__ mo_key mo_key_of(const uint16_t *tree, oc_place place)
{
    unsigned x = place.x << (32 - OC_DEPTH), y = place.y << (32 - OC_DEPTH),
             z = place.z << (32 - OC_DEPTH), holds = 0;
    for (;;) {
        unsigned word = mo_word(x, y, z), depth = 0;
        do {
            holds = tree[8 * holds + (word >> 29)];
            word <<= 3;
            depth++;
        } while (holds < MO_CELLS && depth < MO_DIGITS);
        x <<= depth;
        y <<= depth;
        z <<= depth;
        if (holds >= MO_CELLS) break;
    }
    /* 30 bits of ten digits and 3 of the next: 17 and 16 */
    const unsigned ten = mo_word(x, y, z) >> 2, rest = MO_DIGITS;
    const unsigned last = (x << rest) >> 31 << 2 | (y << rest) >> 31 << 1 | (z << rest) >> 31;
    mo_key key;
    key.high = (holds - MO_CELLS) << (MO_SUB - MO_LOW) | ten >> (MO_LOW - 3);
    key.low = (ten << 3 | last) & ((1u << MO_LOW) - 1);
    return key;
}

/* Whether body i, of that place, may follow the one before it on the curve. */
static __device__ __forceinline__ bool mo_follows(const mo_build &b, unsigned i, oc_place place)
{
    if (i == 0) return true;
    const oc_place left = mo_place(b, b.bodies[i - 1]);
    const int depth = oc_common_depth(left, place);
    return depth == OC_DEPTH || oc_digit(left, depth) < oc_digit(place, depth);
}

/* Whether the lane's body may follow the one before it, which is that of the lane below, or the
 * last lane's one of the warp's bodies before, whose key is last; by a full warp. Keys tell nearly
 * all. */
static __device__ __forceinline__ bool mo_in_place(const mo_build &b, bool ok, unsigned i,
                                                   oc_place place, unsigned key, bool first,
                                                   unsigned last)
{
    unsigned before = __shfl_up_sync(GB_FULL_MASK, key, 1);
    const unsigned behind = __shfl_sync(GB_FULL_MASK, last, GB_WARP - 1);
    if (gb_lane() == 0) before = first ? key : behind;
    return !ok || before < key || mo_follows(b, i, place);
}

static __global__ void __launch_bounds__(MO_KEY_THREADS, 2) mo_keys(mo_build b)
{
    if (mo_yields(b)) return;
    GB_DYNAMIC_SHARED();
    b.n = mo_told(b.told, b.n);
    const unsigned coarse = b.words->coarse, slots = 7 * coarse + 1, pairs = (slots + 1) / 2;
    const bool ordered = b.words->ordered;
    uint16_t *tree = reinterpret_cast<uint16_t *>(gb_shared_memory);
    unsigned *counts = reinterpret_cast<unsigned *>(tree + 8 * (size_t)b.coarse);
    const uint4 *from = reinterpret_cast<const uint4 *>(b.tree);
    for (unsigned k = threadIdx.x; k < coarse; k += MO_KEY_THREADS)
        reinterpret_cast<uint4 *>(tree)[k] = from[k];
    for (unsigned k = threadIdx.x; k < pairs; k += MO_KEY_THREADS)
        counts[k] = 0;
    __syncthreads();
    const unsigned step = MO_KEY_THREADS * MO_KEY_ITEMS;
    unsigned long long *sums = reinterpret_cast<unsigned long long *>(b.counts);
    unsigned at = blockIdx.x * step; /* n is far below 2^32 here */
    /* a warp has neighbours: 32 bodies, and the 32 behind them */
    const unsigned own = threadIdx.x / GB_WARP * (GB_WARP * MO_KEY_ITEMS) + gb_lane();
    bool sorted = true;
    while (at < b.n) {
        for (int round = 0; round < MO_KEY_ROUNDS && at < b.n; round++) {
            float4 body[MO_KEY_ITEMS];
            unsigned last = 0;
#pragma unroll
            for (int k = 0; k < MO_KEY_ITEMS; k++) {
                const unsigned i = at + own + k * GB_WARP;
                body[k] = i < b.n ? b.bodies[i] : make_float4(0, 0, 0, 0);
            }
#pragma unroll
            for (int k = 0; k < MO_KEY_ITEMS; k++) {
                const unsigned i = at + own + k * GB_WARP;
                const oc_place place = mo_place(b, body[k]);
                mo_key key = {0, 0};
                if (i < b.n) {
                    key = mo_key_of(tree, place);
                    const unsigned slot = key.high >> (MO_SUB - MO_LOW);
                    b.keys[i] = key.high;
                    b.lows[i] = (uint16_t)key.low;
                    atomicAdd(&counts[slot / 2], 1u << 16 * (slot % 2));
                }
                if (ordered)
                    sorted = mo_in_place(b, i < b.n, i, place, key.high, k == 0, last) && sorted;
                last = key.high;
            }
            at += gridDim.x * step;
        }
        __syncthreads();
        for (unsigned k = threadIdx.x; k < pairs; k += MO_KEY_THREADS) {
            const unsigned two = counts[k];
            if (two) atomicAdd(&sums[k], (unsigned long long)(two >> 16) << 32 | (two & 0xFFFFu));
            counts[k] = 0;
        }
        __syncthreads();
    }
    if (!sorted) atomicExch(&b.words->disorder, 1u);
}

static inline size_t mo_group_bytes(unsigned coarse)
{
    return 4 * (7 * (size_t)coarse + 2);
}

/* Slots that become buckets: counts[0, slots) of bodies, which are turned into the number of bodies
 * in all slots before, from `begin` on. */
struct mo_grouping {
    unsigned *counts; /* slots + 1 */
    unsigned slots, begin, buckets;
    uint16_t *bucket_of;   /* slots */
    unsigned *bucket_slot; /* buckets + 1: their first slots, counted from slot0 */
    unsigned slot0;
    unsigned *bucket_fill; /* buckets: their first bodies */
};

/* The bucket of a slot: that which holds the middle one of its bodies, counted along the curve.
 * scale: buckets a body, times 2^32. */
static __device__ __forceinline__ unsigned
mo_bucket_at(const mo_grouping &g, const unsigned *before, unsigned slot, uint64_t scale)
{
    const unsigned middle = before[slot] + (before[slot + 1] - before[slot]) / 2;
    const unsigned bucket = (unsigned)(middle * scale >> 32);
    return bucket < g.buckets ? bucket : g.buckets - 1; /* empty slots behind the last body */
}

/* By one block of THREADS; before: slots + 1 words of shared memory. */
template <int THREADS>
static __device__ __forceinline__ void mo_group_slots(const mo_grouping &grouping, unsigned *before,
                                                      unsigned *sums)
{
    const unsigned slots = grouping.slots, each = ((slots + THREADS - 1) / THREADS) | 1u;
    for (unsigned k = threadIdx.x; k <= grouping.buckets && slots == 0; k += THREADS)
        grouping.bucket_slot[k] = grouping.slot0;
    if (slots == 0 && threadIdx.x == 0) grouping.counts[0] = grouping.begin;
    for (unsigned g = threadIdx.x; g < slots; g += THREADS)
        before[g] = grouping.counts[g];
    __syncthreads();
    const unsigned begin = threadIdx.x * each < slots ? threadIdx.x * each : slots;
    const unsigned end = begin + each < slots ? begin + each : slots;
    unsigned sum = 0, total;
    for (unsigned g = begin; g < end; g++)
        sum += before[g];
    sum = gb_block_exclusive_sum<THREADS>(sum, sums, &total);
    for (unsigned g = begin; g < end; g++) {
        const unsigned mine = before[g];
        before[g] = sum;
        sum += mine;
    }
    if (threadIdx.x == 0) before[slots] = total;
    __syncthreads();
    const uint64_t scale = ((uint64_t)grouping.buckets << 32) / (total ? total : 1);
    for (unsigned g = threadIdx.x; g < slots; g += THREADS) {
        const unsigned bucket = mo_bucket_at(grouping, before, g, scale);
        const unsigned next = g ? mo_bucket_at(grouping, before, g - 1, scale) + 1 : 0;
        grouping.counts[g] = grouping.begin + before[g];
        grouping.bucket_of[g] = (uint16_t)bucket;
        for (unsigned k = next; k <= bucket; k++) {
            grouping.bucket_slot[k] = grouping.slot0 + g;
            grouping.bucket_fill[k] = grouping.begin + before[g];
        }
        if (g + 1 < slots) continue;
        grouping.counts[slots] = grouping.begin + total;
        for (unsigned k = bucket + 1; k <= grouping.buckets; k++)
            grouping.bucket_slot[k] = grouping.slot0 + slots;
    }
}

/* One block: counts become the number of bodies in all slots before, and slots buckets. */
static __global__ void __launch_bounds__(MO_GROUP_THREADS) mo_group(mo_build b)
{
    if (mo_yields(b)) return;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    const mo_grouping all = {b.counts,    7 * b.words->coarse + 1, 0, b.buckets,
                             b.bucket_of, b.bucket_slot,           0, b.bucket_fill};
    mo_group_slots<MO_GROUP_THREADS>(all, reinterpret_cast<unsigned *>(gb_shared_memory), sums);
}

#endif
