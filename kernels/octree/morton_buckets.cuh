/* Buckets: a block takes one into shared memory, orders it along the curve, and writes its part of
 * the order and its cells. Keys are counted in groups, eight to the power of some level a slot, so
 * that most groups hold one to four bodies whatever the density; a body's place in its group is how
 * many there come before it. Bodies whose keys are the same are compared by all their digits. */
#ifndef GB_OCTREE_MORTON_BUCKETS_CUH
#define GB_OCTREE_MORTON_BUCKETS_CUH

#include "kernels/octree/emit.cuh"
#include "kernels/octree/morton_sample.cuh"

enum {
    MO_BUCKET_THREADS = 512,
    MO_BUCKET_ITEMS = 12,
    MO_BUCKET = MO_BUCKET_THREADS * MO_BUCKET_ITEMS, /* bodies, at most */
    MO_BUCKET_SLOTS = 1024,                          /* slots, at most */
    MO_BUCKET_LIST = 2048,                           /* cells that are listed at a time */
    MO_GROUP_MEAN = 4,                               /* bodies that a group has, at most about */
    MO_GROUP_MOST = 512,                             /* bodies in one group */
    MO_BUCKET_WARPS = MO_BUCKET_THREADS / GB_WARP
};

/* A bucket in shared memory; sizes: mo_bucket_bytes. Bodies are in curve order but for the time
 * between put and arrange. Implements what oc_emit_cell asks for. */
struct mo_bucket {
    const mo_build &b;
    uint32_t *key;    /* MO_BUCKET */
    uint32_t *id;     /* MO_BUCKET */
    uint16_t *group;  /* 2 * MO_BUCKET + 2: bodies before each group; where the next three are */
    int8_t *lefts;    /* MO_BUCKET + 4 */
    int8_t *reaches;  /* MO_BUCKET + 4 */
    uint16_t *firsts; /* MO_BUCKET: the first cell that a body begins, of the bucket's */
    uint32_t *list; /* MO_BUCKET_LIST: depth << 16 | body of a cell; before, of slots: see below */
    uint32_t *bits; /* MO_BUCKET / 32 + 2: first bodies of leaves, from that of `begin` on */
    unsigned begin; /* the place of the first body in the whole order */
    unsigned count;
    unsigned slot0; /* the bucket's first slot */
    unsigned base;  /* its first cell */

    __device__ __forceinline__ mo_bucket(const mo_build &build, unsigned char *memory) : b(build)
    {
        key = reinterpret_cast<uint32_t *>(memory);
        id = key + MO_BUCKET;
        group = reinterpret_cast<uint16_t *>(id + MO_BUCKET);
        firsts = group;
        lefts = reinterpret_cast<int8_t *>(firsts + MO_BUCKET);
        reaches = lefts + MO_BUCKET + 4;
        list = reinterpret_cast<uint32_t *>(group + 2 * MO_BUCKET + 16);
        bits = list + MO_BUCKET_LIST;
    }

    __device__ __forceinline__ oc_place place(unsigned p) const
    {
        return mo_place(b, b.bodies[id[p]]);
    }
    __device__ __forceinline__ int depth_of(unsigned p) const
    {
        return (int)b.slots[key[p] >> MO_SUB].depth;
    }
    /* How deep two bodies of the same slot go together, from the slot's cell on. */
    __device__ __forceinline__ int common(unsigned p, unsigned q) const
    {
        const unsigned differ = key[p] ^ key[q];
        if (differ) return (__clz((int)differ) - (32 - MO_SUB)) / 3;
        return oc_common_depth(place(p), place(q)) - depth_of(p);
    }
    __device__ __forceinline__ bool same_slot(unsigned p, unsigned q) const
    {
        return key[p] >> MO_SUB == key[q] >> MO_SUB;
    }
    /* Whether body p, with its place, comes before body q, which has the same key. */
    __device__ __forceinline__ bool before(unsigned p, unsigned q) const
    {
        const oc_place a = place(p), c = place(q);
        const int depth = oc_common_depth(a, c);
        if (depth == OC_DEPTH) return id[p] < id[q];
        return oc_digit(a, depth) < oc_digit(c, depth);
    }

    __device__ __forceinline__ int left(unsigned p) const { return p < count ? lefts[p] : -1; }
    __device__ __forceinline__ int reach(unsigned p) const { return reaches[p]; }
    __device__ __forceinline__ unsigned child(unsigned p) const { return base + firsts[p]; }
    __device__ __forceinline__ uint32_t leaf(unsigned p) const
    {
        const unsigned bit = begin % 32 + p;
        atomicOr(&bits[bit / 32], 1u << bit % 32);
        return begin + p;
    }
    __device__ __forceinline__ unsigned digit(unsigned p, int depth) const
    {
        if (depth < MO_LEVELS) return key[p] >> 3 * (MO_LEVELS - 1 - depth) & 7u;
        return oc_digit(place(p), depth + depth_of(p));
    }
    __device__ __forceinline__ bool can_search(int depth) const { return depth < MO_LEVELS; }
    __device__ __forceinline__ bool search(unsigned from, int depth, unsigned octant,
                                           unsigned *p) const
    {
        const int shift = 3 * (MO_LEVELS - 1 - depth);
        const unsigned wanted = (key[from] >> shift & ~7u) | octant;
        unsigned low = from, high = count; /* the first with key >> shift >= wanted */
        while (low < high) {
            const unsigned middle = (low + high) / 2;
            if (key[middle] >> shift < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        *p = low;
        return low < count && key[low] >> shift == wanted;
    }
};

static inline size_t mo_bucket_bytes(void)
{
    return 8 * (size_t)MO_BUCKET + 4 * (size_t)MO_BUCKET + 32 + 4 * (size_t)MO_BUCKET_LIST +
           4 * (MO_BUCKET / 32 + 2) + 4 * (size_t)GB_WARP * MO_BUCKET_WARPS;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* What `list` holds of a slot while bodies are grouped: its first group << 4 | levels. */
static __device__ __forceinline__ unsigned mo_groups_of(unsigned bodies)
{
    unsigned levels = 0;
    while (levels < MO_LEVELS && (unsigned)MO_GROUP_MEAN << 3 * levels < bodies)
        levels++;
    return levels;
}

/* How many groups the bucket's slots have, which are noted in the list. All threads. */
static __device__ __forceinline__ unsigned mo_plan(const mo_bucket &k, unsigned slots,
                                                   unsigned *sums)
{
    enum { EACH = MO_BUCKET_SLOTS / MO_BUCKET_THREADS };
    unsigned levels[EACH], groups[EACH], sum = 0, total;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const unsigned s = threadIdx.x * EACH + i;
        unsigned bodies = 0;
        if (s < slots) bodies = k.b.counts[k.slot0 + s + 1] - k.b.counts[k.slot0 + s];
        levels[i] = mo_groups_of(bodies);
        groups[i] = bodies ? 1u << 3 * levels[i] : 0;
        sum += groups[i];
    }
    sum = gb_block_exclusive_sum<MO_BUCKET_THREADS>(sum, sums, &total);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const unsigned s = threadIdx.x * EACH + i;
        if (s < slots) k.list[s] = sum << 4 | levels[i];
        sum += groups[i];
    }
    return total;
}

/* Counts become sums of all before; by all threads. */
static __device__ __forceinline__ void mo_add_up(uint16_t *group, unsigned groups, unsigned *sums)
{
    const unsigned words = groups / 2 + 1;
    const unsigned each = ((words + MO_BUCKET_THREADS - 1) / MO_BUCKET_THREADS) | 1u;
    unsigned *word = reinterpret_cast<unsigned *>(group);
    const unsigned begin = threadIdx.x * each < words ? threadIdx.x * each : words;
    const unsigned end = begin + each < words ? begin + each : words;
    unsigned sum = 0, total;
    for (unsigned w = begin; w < end; w++)
        sum += (word[w] & 0xFFFFu) + (word[w] >> 16);
    sum = gb_block_exclusive_sum<MO_BUCKET_THREADS>(sum, sums, &total);
    for (unsigned w = begin; w < end; w++) {
        const unsigned two = word[w], low = sum, high = low + (two & 0xFFFFu);
        word[w] = low | high << 16;
        sum = high + (two >> 16);
    }
}

/* Takes the bodies of the bucket in and orders them. False, for all threads, where a group is too
 * large. */
static __device__ __forceinline__ bool mo_order(const mo_bucket &k, unsigned slots, unsigned *sums)
{
    const unsigned groups = mo_plan(k, slots, sums);
    unsigned *words = reinterpret_cast<unsigned *>(k.group);
    for (unsigned w = threadIdx.x; w < groups / 2 + 1; w += MO_BUCKET_THREADS)
        words[w] = 0;
    __syncthreads();
    uint2 record[MO_BUCKET_ITEMS];
    unsigned at[MO_BUCKET_ITEMS]; /* group << 16 | rank, then the place */
    bool crowd = false;
#pragma unroll
    for (int i = 0; i < MO_BUCKET_ITEMS; i++) {
        const unsigned p = threadIdx.x + i * MO_BUCKET_THREADS;
        record[i] = p < k.count ? __ldcs(&k.b.records[k.begin + p]) : make_uint2(0, 0);
    }
#pragma unroll
    for (int i = 0; i < MO_BUCKET_ITEMS; i++) {
        if (threadIdx.x + i * MO_BUCKET_THREADS >= k.count) break;
        const unsigned plan = k.list[(record[i].x >> MO_SUB) - k.slot0];
        const unsigned sub = record[i].x & ((1u << MO_SUB) - 1);
        const unsigned group = (plan >> 4) + (sub >> 3 * (MO_LEVELS - (plan & 15u)));
        const unsigned half = 16 * (group % 2);
        const unsigned rank = atomicAdd(&words[group / 2], 1u << half) >> half & 0xFFFFu;
        at[i] = group << 16 | rank;
        crowd = crowd || rank >= MO_GROUP_MOST;
    }
    if (__syncthreads_or(crowd)) return false;
    mo_add_up(k.group, groups, sums);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < MO_BUCKET_ITEMS; i++) {
        if (threadIdx.x + i * MO_BUCKET_THREADS >= k.count) break;
        const unsigned p = k.group[at[i] >> 16] + (at[i] & 0xFFFFu);
        k.key[p] = record[i].x;
        k.id[p] = record[i].y;
    }
    __syncthreads();
    /* a body's place is that of its group and the number of bodies there that come before it */
#pragma unroll
    for (int i = 0; i < MO_BUCKET_ITEMS; i++) {
        if (threadIdx.x + i * MO_BUCKET_THREADS >= k.count) break;
        const unsigned group = at[i] >> 16, from = k.group[group], to = k.group[group + 1];
        const unsigned self = from + (at[i] & 0xFFFFu);
        unsigned place = from;
        for (unsigned q = from; q < to; q++) {
            const unsigned other = k.key[q];
            if (other < record[i].x || (other == record[i].x && q != self && k.before(q, self)))
                place++;
        }
        at[i] = place;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < MO_BUCKET_ITEMS; i++) {
        if (threadIdx.x + i * MO_BUCKET_THREADS >= k.count) break;
        k.key[at[i]] = record[i].x;
        k.id[at[i]] = record[i].y;
    }
    __syncthreads();
    return true;
}

/* Bodies that are in curve order already. */
static __device__ __forceinline__ void mo_take(const mo_bucket &k)
{
    for (unsigned p = threadIdx.x; p < k.count; p += MO_BUCKET_THREADS) {
        k.key[p] = k.b.keys[k.begin + p];
        k.id[p] = k.begin + p;
    }
    __syncthreads();
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The depth of the deepest cell that body p begins, if that is below left. */
static __device__ __forceinline__ int mo_reach(const mo_bucket &k, unsigned p, bool *lonely)
{
    unsigned q = p + k.b.leaf;
    int reach = q < k.count && k.same_slot(p, q) ? k.common(p, q) : -1;
    if (reach < 0 || reach + k.depth_of(p) < OC_DEPTH) return reach;
    /* these coincide: the cells end above the first that does not */
    const int all = reach;
    if (k.lefts[p] == all) return -1;
    while (q < k.count && k.lefts[q] == all)
        q++;
    reach = q < k.count && k.same_slot(p, q) ? k.common(p, q) : -1;
    *lonely = *lonely || (reach < 0 && k.lefts[p] < 0);
    return reach;
}

/* Finds left and reach of all bodies. False, for all threads, where a slot holds nothing but bodies
 * that coincide, and is all that its cell of the sample's tree holds: then that is no cell. */
static __device__ __forceinline__ bool mo_compare(const mo_bucket &k)
{
    bool lonely = false, alone = false;
    for (unsigned p = threadIdx.x; p < k.count; p += MO_BUCKET_THREADS)
        k.lefts[p] = (int8_t)(p && k.same_slot(p - 1, p) ? k.common(p - 1, p) : -1);
    __syncthreads();
    for (unsigned p = threadIdx.x; p < k.count; p += MO_BUCKET_THREADS) {
        k.reaches[p] = (int8_t)mo_reach(k, p, &lonely);
        if (lonely) {
            const unsigned slot = k.key[p] >> MO_SUB;
            const mo_span span = k.b.spans[k.b.slots[slot].at / 8];
            alone = k.b.counts[span.first + span.count] - k.b.counts[span.first] ==
                    k.b.counts[slot + 1] - k.b.counts[slot];
        }
    }
    return !__syncthreads_or(alone);
}

/* Numbers the cells; gives how many there are. */
static __device__ __forceinline__ unsigned mo_count_cells(const mo_bucket &k, unsigned *sums)
{
    const unsigned from = threadIdx.x * MO_BUCKET_ITEMS;
    unsigned sum = 0, total;
#pragma unroll
    for (int i = 0; i < MO_BUCKET_ITEMS; i++) {
        const unsigned p = from + i;
        if (p < k.count && k.reaches[p] > k.lefts[p]) sum += k.reaches[p] - k.lefts[p];
    }
    sum = gb_block_exclusive_sum<MO_BUCKET_THREADS>(sum, sums, &total);
#pragma unroll
    for (int i = 0; i < MO_BUCKET_ITEMS; i++) {
        const unsigned p = from + i;
        if (p >= k.count) break;
        k.firsts[p] = (uint16_t)sum;
        if (k.reaches[p] > k.lefts[p]) sum += k.reaches[p] - k.lefts[p];
    }
    return total;
}

/* Lists the cells [from, from + MO_BUCKET_LIST) of the bucket. */
static __device__ __forceinline__ void mo_list(const mo_bucket &k, unsigned from)
{
    for (unsigned p = threadIdx.x; p < k.count; p += MO_BUCKET_THREADS) {
        const int left = k.lefts[p], cells = k.reaches[p] - left;
        for (int c = 0; c < cells; c++) {
            const unsigned at = k.firsts[p] + (unsigned)c - from;
            if (at < MO_BUCKET_LIST) k.list[at] = (unsigned)(left + 1 + c) << 16 | p;
        }
    }
}

static __device__ __forceinline__ void mo_write_cells(const mo_bucket &k, unsigned cells,
                                                      uint32_t *stage)
{
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    for (unsigned from = 0; from < cells; from += MO_BUCKET_LIST) {
        __syncthreads();
        mo_list(k, from);
        __syncthreads();
        const unsigned rest = cells - from,
                       listed = rest < MO_BUCKET_LIST ? rest : (unsigned)MO_BUCKET_LIST;
        for (unsigned c = 4 * warp; c < listed; c += 4 * MO_BUCKET_WARPS) {
            const unsigned mine = c + lane / OC_EMIT_LANES;
            const bool ok = mine < listed;
            const unsigned entry = ok ? k.list[mine] : 0, cell = k.base + from + mine;
            const uint32_t value = oc_emit_cell(k, ok, cell, entry & 0xFFFFu, (int)(entry >> 16),
                                                stage + GB_WARP * warp);
            if (ok) k.b.slot[8ull * cell + lane % OC_EMIT_LANES] = value;
        }
    }
}

/* Order, the slots of the sample's tree, and the marks of leaves. */
static __device__ __forceinline__ void mo_write_order(const mo_bucket &k)
{
    for (unsigned p = threadIdx.x; p < k.count; p += MO_BUCKET_THREADS) {
        k.b.order[k.begin + p] = k.id[p];
        if (k.lefts[p] >= 0) continue;
        const uint32_t at = k.b.slots[k.key[p] >> MO_SUB].at;
        k.b.slot[at] = k.reaches[p] >= 0 ? OC_CELL | k.child(p) : k.leaf(p);
    }
    __syncthreads();
    const unsigned words = (k.begin % 32 + k.count + 31) / 32;
    for (unsigned w = threadIdx.x; w < words; w += MO_BUCKET_THREADS) {
        uint32_t *to = &k.b.first[k.begin / 32 + w];
        if (w == 0 || w + 1 == words)
            atomicOr(to, k.bits[w]); /* the neighbours' bits are there, too */
        else
            *to = k.bits[w];
    }
}

static __global__ void __launch_bounds__(MO_BUCKET_THREADS, 2) mo_buckets(mo_build b)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1], base;
    if (b.words->verdict) return;
    mo_bucket k(b, gb_shared_memory);
    uint32_t *stage = k.bits + MO_BUCKET / 32 + 2;
    k.slot0 = b.bucket_slot[blockIdx.x];
    const unsigned slots = b.bucket_slot[blockIdx.x + 1] - k.slot0;
    k.begin = b.counts[k.slot0];
    k.count = b.counts[k.slot0 + slots] - k.begin;
    k.base = 0;
    if (k.count == 0) return;
    if (k.count > MO_BUCKET || slots > MO_BUCKET_SLOTS) {
        if (threadIdx.x == 0)
            b.words->verdict = slots > MO_BUCKET_SLOTS ? MO_CROWD : MO_BUCKET_FULL;
        return;
    }
    for (unsigned w = threadIdx.x; w < MO_BUCKET / 32 + 2; w += MO_BUCKET_THREADS)
        k.bits[w] = 0;
    bool fine = true;
    if (b.words->ordered)
        mo_take(k);
    else
        fine = mo_order(k, slots, sums);
    if (fine) fine = mo_compare(k);
    if (!fine) {
        if (threadIdx.x == 0) b.words->verdict = MO_CROWD;
        return;
    }
    const unsigned cells = mo_count_cells(k, sums);
    if (threadIdx.x == 0) {
        base = cells <= 0xFFFF ? atomicAdd(&b.words->cells, cells) : 0;
        if (cells > 0xFFFF) b.words->verdict = MO_CROWD;
        if ((uint64_t)base + cells > b.pool) b.words->trouble = OC_POOL_EMPTY;
    }
    __syncthreads();
    k.base = base;
    if (cells > 0xFFFF || (uint64_t)base + cells > b.pool) return;
    mo_write_cells(k, cells, stage);
    __syncthreads();
    mo_write_order(k);
}

#endif
