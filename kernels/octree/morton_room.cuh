/* A bucket in a block's shared memory, and how it is ordered there: keys are counted in groups,
 * eight to the power of some level a slot, so that most groups hold one to four bodies whatever the
 * density; a body's place in its group is how many there come before it. Bodies whose keys are the
 * same are compared by all their digits. */
#ifndef GB_OCTREE_MORTON_ROOM_CUH
#define GB_OCTREE_MORTON_ROOM_CUH

#include "kernels/octree/morton_sample.cuh"

enum {
    MO_BUCKET_SLOTS = 1024, /* slots of a bucket in shared memory, at most */
    MO_GROUP_MEAN = 4,      /* bodies of a group, about at most */
    MO_GROUP_MOST = 512,    /* bodies of a group, at most */
    MO_SAME = 64            /* left and reach of bodies that coincide: deeper than any cell */
};

/* How deep two bodies of a slot go together, counted from the slot's cell on, or MO_SAME. */
static __device__ __forceinline__ int mo_common(const mo_build &b, uint2 one, uint2 other)
{
    const unsigned differ = one.x ^ other.x;
    if (differ) return (int)((unsigned)(__clz((int)differ) - (32 - MO_SUB)) / 3u);
    const int depth = oc_common_depth(mo_place(b, b.bodies[one.y]), mo_place(b, b.bodies[other.y]));
    return depth == OC_DEPTH ? (int)MO_SAME : depth - (int)b.slots[one.x >> MO_SUB].depth;
}

/* Whether a body comes before another one on the curve; those that coincide are ordered by their
 * numbers. */
static __device__ __forceinline__ bool mo_before(const mo_build &b, uint2 one, uint2 other)
{
    if (one.x != other.x) return one.x < other.x;
    const oc_place a = mo_place(b, b.bodies[one.y]), c = mo_place(b, b.bodies[other.y]);
    const int depth = oc_common_depth(a, c);
    if (depth == OC_DEPTH) return one.y < other.y;
    return oc_digit(a, depth) < oc_digit(c, depth);
}

/* The octant of a body at a depth below its slot. */
static __device__ __forceinline__ unsigned mo_digit(const mo_build &b, uint2 body, int depth)
{
    if (depth < MO_LEVELS) return body.x >> 3 * (MO_LEVELS - 1 - depth) & 7u;
    return oc_digit(mo_place(b, b.bodies[body.y]), depth + (int)b.slots[body.x >> MO_SUB].depth);
}

/* What a bucket is, wherever it lies. */
typedef struct mo_bucket {
    unsigned begin; /* the place of its first body in the whole order */
    unsigned count; /* bodies */
    unsigned slot;  /* its first slot */
    unsigned slots;
} mo_bucket;

static __device__ __forceinline__ mo_bucket mo_bucket_of(const mo_build &b, unsigned bucket)
{
    mo_bucket k;
    k.slot = b.bucket_slot[bucket];
    k.slots = b.bucket_slot[bucket + 1] - k.slot;
    k.begin = b.counts[k.slot];
    k.count = b.counts[k.slot + k.slots] - k.begin;
    return k;
}

/* A block's memory for a bucket. */
template <int BLOCK_THREADS, int EACH_ITEMS> struct mo_room {
    static const int THREADS = BLOCK_THREADS, ITEMS = EACH_ITEMS, BODIES = THREADS * ITEMS;
    static const int CHUNKS = BODIES / GB_WARP, LEVELS = 8;

    uint32_t *key;   /* BODIES */
    uint32_t *id;    /* BODIES */
    uint16_t *group; /* 2 * BODIES + 2: bodies before each group; later in its place: */
    uint16_t *cell;  /* BODIES: the first cell that a body begins, of the bucket's */
    int8_t *left;    /* BODIES + 4: the depth that a body shares with the one before; -1: none */
    int8_t *reach;   /* BODIES + 4: the depth of the deepest cell that a body begins, or less */
    uint32_t *plan;  /* MO_BUCKET_SLOTS: of a slot its first group << 4 | levels; later: */
    uint16_t *last;  /* LEVELS * CHUNKS */

    __device__ __forceinline__ explicit mo_room(unsigned char *memory)
    {
        key = reinterpret_cast<uint32_t *>(memory);
        id = key + BODIES;
        cell = group = reinterpret_cast<uint16_t *>(id + BODIES);
        left = reinterpret_cast<int8_t *>(cell + BODIES);
        reach = left + BODIES + 4;
        plan = reinterpret_cast<uint32_t *>(group + 2 * BODIES + 8);
        last = reinterpret_cast<uint16_t *>(plan);
    }
    static const size_t BYTES =
        8 * (size_t)BODIES + 4 * (size_t)BODIES + 16 +
        (4 * MO_BUCKET_SLOTS > 2 * LEVELS * CHUNKS ? 4 * MO_BUCKET_SLOTS : 2 * LEVELS * CHUNKS);
    __device__ __forceinline__ uint2 body(unsigned p) const { return make_uint2(key[p], id[p]); }
    __device__ __forceinline__ void set(unsigned p, uint2 body) const
    {
        key[p] = body.x;
        id[p] = body.y;
    }
};

/* How many groups the bucket's slots have, which are noted in the plan. All threads. */
template <class Room>
static __device__ __forceinline__ unsigned mo_plan(const mo_build &b, const Room &room,
                                                   const mo_bucket &k, unsigned *sums)
{
    enum { EACH = (MO_BUCKET_SLOTS + Room::THREADS - 1) / Room::THREADS };
    unsigned levels[EACH], groups[EACH], sum = 0, total;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const unsigned s = threadIdx.x * EACH + i;
        unsigned bodies = 0;
        if (s < k.slots) bodies = b.counts[k.slot + s + 1] - b.counts[k.slot + s];
        levels[i] = 0;
        while (levels[i] < MO_LEVELS && (unsigned)MO_GROUP_MEAN << 3 * levels[i] < bodies)
            levels[i]++;
        groups[i] = bodies ? 1u << 3 * levels[i] : 0;
        sum += groups[i];
    }
    sum = gb_block_exclusive_sum<Room::THREADS>(sum, sums, &total);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const unsigned s = threadIdx.x * EACH + i;
        if (s < k.slots) room.plan[s] = sum << 4 | levels[i];
        sum += groups[i];
    }
    return total;
}

/* Counts become sums of all before; by all threads. */
template <class Room>
static __device__ __forceinline__ void mo_add_up(const Room &room, unsigned groups, unsigned *sums)
{
    const unsigned words = groups / 2 + 1;
    const unsigned each = ((words + Room::THREADS - 1) / Room::THREADS) | 1u;
    unsigned *word = reinterpret_cast<unsigned *>(room.group);
    const unsigned begin = threadIdx.x * each < words ? threadIdx.x * each : words;
    const unsigned end = begin + each < words ? begin + each : words;
    unsigned sum = 0, total;
    for (unsigned w = begin; w < end; w++)
        sum += (word[w] & 0xFFFFu) + (word[w] >> 16);
    sum = gb_block_exclusive_sum<Room::THREADS>(sum, sums, &total);
    for (unsigned w = begin; w < end; w++) {
        const unsigned two = word[w], high = sum + (two & 0xFFFFu);
        word[w] = sum | high << 16;
        sum = high + (two >> 16);
    }
}

/* The place of a body among those of its group, from `from` to `to`, of which it is `self`. */
template <class Room>
static __device__ __forceinline__ unsigned mo_place_in_group(const mo_build &b, const Room &room,
                                                             uint2 body, unsigned from, unsigned to,
                                                             unsigned self)
{
    unsigned place = from;
    for (unsigned q = from; q < to; q++) {
        const unsigned other = room.key[q];
        if (other < body.x) place++;
        if (other == body.x && q != self && mo_before(b, room.body(q), body)) place++;
    }
    return place;
}

/* Takes the bodies of the bucket in and orders them. False, for all threads, where a group is too
 * large. */
template <class Room>
static __device__ __forceinline__ bool mo_order(const mo_build &b, const Room &room,
                                                const mo_bucket &k, unsigned *sums)
{
    const unsigned groups = mo_plan(b, room, k, sums);
    unsigned *words = reinterpret_cast<unsigned *>(room.group);
    for (unsigned w = threadIdx.x; w < groups / 2 + 1; w += Room::THREADS)
        words[w] = 0;
    __syncthreads();
    uint2 body[Room::ITEMS];
    unsigned at[Room::ITEMS]; /* group << 16 | rank, then the place */
    bool crowd = false;
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        const unsigned p = threadIdx.x + i * Room::THREADS;
        body[i] = p < k.count ? __ldcs(&b.records[k.begin + p]) : make_uint2(0, 0);
    }
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        if (threadIdx.x + i * Room::THREADS >= k.count) break;
        const unsigned plan = room.plan[(body[i].x >> MO_SUB) - k.slot];
        const unsigned sub = body[i].x & ((1u << MO_SUB) - 1);
        const unsigned group = (plan >> 4) + (sub >> 3 * (MO_LEVELS - (plan & 15u)));
        const unsigned half = 16 * (group % 2);
        const unsigned rank = atomicAdd(&words[group / 2], 1u << half) >> half & 0xFFFFu;
        at[i] = group << 16 | rank;
        crowd = crowd || rank >= MO_GROUP_MOST;
    }
    if (__syncthreads_or(crowd)) return false;
    mo_add_up(room, groups, sums);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        if (threadIdx.x + i * Room::THREADS >= k.count) break;
        room.set(room.group[at[i] >> 16] + (at[i] & 0xFFFFu), body[i]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        if (threadIdx.x + i * Room::THREADS >= k.count) break;
        const unsigned group = at[i] >> 16, from = room.group[group], to = room.group[group + 1];
        at[i] = mo_place_in_group(b, room, body[i], from, to, from + (at[i] & 0xFFFFu));
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        if (threadIdx.x + i * Room::THREADS >= k.count) break;
        room.set(at[i], body[i]);
    }
    __syncthreads();
    return true;
}

/* Bodies that are in curve order already. */
template <class Room>
static __device__ __forceinline__ void mo_take(const mo_build &b, const Room &room,
                                               const mo_bucket &k)
{
    for (unsigned p = threadIdx.x; p < k.count; p += Room::THREADS)
        room.set(p, make_uint2(b.keys[k.begin + p], k.begin + p));
    __syncthreads();
}

#endif
