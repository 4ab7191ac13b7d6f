/* A bucket in a block's shared memory, and how it is ordered there: bodies are counted in groups,
 * two to the power of some number a slot, so that a group holds one and a half bodies whatever the
 * density; a body's place in its group is how many there come before it. Where all the digits of
 * bodies are the same their places tell more, afterwards. */
#ifndef GB_OCTREE_MORTON_ROOM_CUH
#define GB_OCTREE_MORTON_ROOM_CUH

#include "common/cuda/warp.cuh"
#include "kernels/octree/morton/morton.h"

enum {
    MO_GROUP_BITS = 15,  /* a slot's bodies are parted by so many bits, at most */
    MO_GROUP_MOST = 512, /* bodies of a group, at most: more are faster sorted all together */
    MO_RUN_MOST = 32,    /* bodies of the same digits that one thread orders, at most */
    MO_SAME = 64         /* left and reach of bodies that coincide: deeper than any cell */
};

/* What records do not tell is told by the bodies' places. Rare and long, so it is called; all by
 * value, so that nothing of the caller's has to lie in memory. */
static __device__ GB_CALLED int mo_common_of_bodies(const float4 *bodies, oc_box box, unsigned one,
                                                    unsigned other)
{
    const float4 a = bodies[one], c = bodies[other];
    return oc_common_depth(oc_place_at(box, a.x, a.y, a.z), oc_place_at(box, c.x, c.y, c.z));
}

/* Whether a body comes before another one; those that coincide are ordered by their numbers. */
static __device__ GB_CALLED bool mo_before_of_bodies(const float4 *bodies, oc_box box, unsigned one,
                                                     unsigned other)
{
    const float4 a = bodies[one], c = bodies[other];
    const oc_place here = oc_place_at(box, a.x, a.y, a.z), there = oc_place_at(box, c.x, c.y, c.z);
    const int depth = oc_common_depth(here, there);
    return depth == OC_DEPTH ? one < other : oc_digit(here, depth) < oc_digit(there, depth);
}

/* A body's octant of some depth. */
static __device__ GB_CALLED unsigned mo_digit_of_body(const float4 *bodies, oc_box box,
                                                      unsigned body, int depth)
{
    const float4 a = bodies[body];
    return oc_digit(oc_place_at(box, a.x, a.y, a.z), depth);
}

/* Records: what they are made of, and how they compare. Most of it is in their upper words. */
struct mo_codec {
    const mo_build &b;
    unsigned slot0; /* the first slot of the bucket */

    __device__ __forceinline__ static unsigned upper(mo_record r) { return (unsigned)(r >> 32); }
    __device__ __forceinline__ unsigned slot(mo_record r) const
    {
        return slot0 + (upper(r) >> MO_UPPER);
    }
    __device__ __forceinline__ unsigned id(mo_record r) const
    {
        return (unsigned)r & ((1u << b.id_bits) - 1);
    }
    __device__ __forceinline__ bool same_digits(mo_record one, mo_record other) const
    {
        return (one ^ other) >> b.id_bits == 0;
    }
    /* How deep two bodies go together, counted from their slot's cell on: -1 where their slots
     * differ, MO_SAME where they coincide. */
    __device__ __forceinline__ int common(mo_record one, mo_record other) const
    {
        const unsigned differ = upper(one) ^ upper(other);
        if (differ >> MO_UPPER) return -1;
        if (differ) return (int)((unsigned)(__clz((int)differ) - MO_PLACE_BITS) / 3u);
        const unsigned last = (unsigned)one ^ (unsigned)other;
        if (last >> b.id_bits) return (int)((unsigned)(__clz((int)last) + MO_UPPER) / 3u);
        const int depth = mo_common_of_bodies(b.bodies, b.box, id(one), id(other));
        return depth == OC_DEPTH ? (int)MO_SAME : depth - (int)b.slots[slot(one)].depth;
    }
    /* Whether a body comes before another one on the curve. */
    __device__ __forceinline__ bool before(mo_record one, mo_record other) const
    {
        if (upper(one) != upper(other)) return upper(one) < upper(other);
        const unsigned a = (unsigned)one, c = (unsigned)other;
        if ((a ^ c) >> b.id_bits || a == c) return a < c;
        return mo_before_of_bodies(b.bodies, b.box, id(one), id(other));
    }
    /* The octant of a body at a depth below its slot. */
    __device__ __forceinline__ unsigned digit(mo_record r, int depth) const
    {
        if (depth < MO_UPPER / 3) return upper(r) >> (MO_UPPER - 3 - 3 * depth) & 7u;
        if (depth < b.levels) return (unsigned)(r >> (64 - MO_PLACE_BITS - 3 - 3 * depth)) & 7u;
        return mo_digit_of_body(b.bodies, b.box, id(r), depth + (int)b.slots[slot(r)].depth);
    }
    /* The record of body i of an input in curve order, whose key tells its slot. */
    __device__ __forceinline__ mo_record of(unsigned i) const
    {
        return mo_record_of(b.keys[i] - (slot0 << (MO_SUB - MO_LOW)), b.lows[i], i, b.levels);
    }
};

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
    const unsigned at = b.regions.count ? bucket + bucket / b.regions.buckets : bucket;
    k.slot = b.bucket_slot[at];
    k.slots = b.bucket_slot[at + 1] - k.slot;
    k.begin = b.counts[k.slot];
    k.count = b.counts[k.slot + k.slots] - k.begin;
    return k;
}

/* A block's memory for a bucket. */
template <int BLOCK_THREADS, int EACH_ITEMS> struct mo_room {
    static const int THREADS = BLOCK_THREADS, ITEMS = EACH_ITEMS, BODIES = THREADS * ITEMS;
    static const int CHUNKS = BODIES / GB_WARP, LEVELS = 6;

    mo_record *body; /* BODIES */
    uint16_t *group; /* 2 * BODIES + 2: bodies before each group; later in its place: */
    uint16_t *cell;  /* BODIES: the first cell that a body begins, of the bucket's */
    int8_t *left;    /* BODIES + 4: the depth that a body shares with the one before; -1: none */
    int8_t *reach;   /* BODIES + 4: the depth of the deepest cell that a body begins, or less */
    uint16_t *place; /* BODIES: where a body goes; how many have its digits; where heads are */
    uint32_t *plan;  /* MO_BUCKET_SLOTS: of a slot its first group << 4 | bits; later: */
    uint16_t *last;  /* LEVELS * CHUNKS: see mo_find_last */
    uint32_t *heads; /* CHUNKS: a bit a body, see mo_find_heads */

    __device__ __forceinline__ explicit mo_room(unsigned char *memory)
    {
        body = reinterpret_cast<mo_record *>(memory);
        cell = group = reinterpret_cast<uint16_t *>(body + BODIES);
        left = reinterpret_cast<int8_t *>(cell + BODIES);
        reach = left + BODIES + 4;
        place = group + 2 * BODIES + 8;
        plan = heads = reinterpret_cast<uint32_t *>(place + BODIES);
        last = reinterpret_cast<uint16_t *>(heads + CHUNKS);
    }
    static const size_t AFTER = (4 + 2 * LEVELS) * (size_t)CHUNKS; /* bytes of last and heads */
    static const size_t BEFORE = 4 * (size_t)MO_BUCKET_SLOTS;      /* of the plan in their place */
    static const size_t BYTES = 14 * (size_t)BODIES + 16 + (AFTER > BEFORE ? AFTER : BEFORE);
    __device__ __forceinline__ int left_of(unsigned p) const { return left[p]; }
    __device__ __forceinline__ int reach_of(unsigned p) const { return reach[p]; }
    __device__ __forceinline__ unsigned cell_of(unsigned p) const { return cell[p]; }
};

/* How many groups the bucket's slots have, which are noted in the plan. All threads. */
template <class Room>
static __device__ __forceinline__ unsigned mo_plan(const mo_build &b, const Room &room,
                                                   const mo_bucket &k, unsigned *sums)
{
    enum { EACH = (MO_BUCKET_SLOTS + Room::THREADS - 1) / Room::THREADS };
    unsigned bits[EACH], groups[EACH], sum = 0, total;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const unsigned s = threadIdx.x * EACH + i;
        unsigned bodies = 0;
        if (s < k.slots) bodies = b.counts[k.slot + s + 1] - b.counts[k.slot + s];
        bits[i] = 0; /* a group has one and a half bodies or less: fewer than 4/3 groups a body */
        while (bits[i] < MO_GROUP_BITS && 3u << bits[i] < 2 * bodies)
            bits[i]++;
        groups[i] = bodies ? 1u << bits[i] : 0;
        sum += groups[i];
    }
    sum = gb_block_exclusive_sum<Room::THREADS>(sum, sums, &total);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const unsigned s = threadIdx.x * EACH + i;
        if (s < k.slots) room.plan[s] = sum << 4 | bits[i];
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

/* The group of a body. */
template <class Room>
static __device__ __forceinline__ unsigned mo_group_of(const Room &room, mo_record body)
{
    const unsigned plan = room.plan[mo_codec::upper(body) >> MO_UPPER];
    const unsigned top = mo_codec::upper(body) >> (MO_UPPER - MO_GROUP_BITS);
    const unsigned sub = top & ((1u << MO_GROUP_BITS) - 1);
    return (plan >> 4) + (sub >> (MO_GROUP_BITS - (plan & 15u)));
}

/* Takes the bodies of the bucket in, group by group. False, for all threads, where a group is too
 * large. */
template <class Room>
static __device__ __forceinline__ bool mo_gather(const mo_build &b, const Room &room,
                                                 const mo_bucket &k, unsigned *sums)
{
    const unsigned groups = mo_plan(b, room, k, sums);
    unsigned *words = reinterpret_cast<unsigned *>(room.group);
    for (unsigned w = threadIdx.x; w < groups / 2 + 1; w += Room::THREADS)
        words[w] = 0;
    __syncthreads();
    mo_record body[Room::ITEMS];
    unsigned at[Room::ITEMS]; /* group << 16 | rank */
    bool crowd = false;
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        const unsigned p = threadIdx.x + i * Room::THREADS;
        body[i] = p < k.count ? __ldcs(&b.records[k.begin + p]) : 0;
    }
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        if (threadIdx.x + i * Room::THREADS >= k.count) break;
        const unsigned group = mo_group_of(room, body[i]), half = 16 * (group % 2);
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
        room.body[room.group[at[i] >> 16] + (at[i] & 0xFFFFu)] = body[i];
    }
    __syncthreads();
    return true;
}

/* Orders the bodies of each group by their records: a body goes behind those that are less. */
template <class Room>
static __device__ __forceinline__ void mo_arrange(const Room &room, unsigned count)
{
    for (unsigned p = threadIdx.x; p < count; p += Room::THREADS) {
        const mo_record mine = room.body[p];
        const unsigned group = mo_group_of(room, mine);
        const unsigned from = room.group[group], to = room.group[group + 1];
        unsigned place = from;
        for (unsigned q = from; q < to; q++)
            place += room.body[q] < mine;
        room.place[p] = (uint16_t)place;
    }
    __syncthreads();
    mo_record body[Room::ITEMS];
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        const unsigned p = threadIdx.x + i * Room::THREADS;
        if (p < count) body[i] = room.body[p];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Room::ITEMS; i++) {
        const unsigned p = threadIdx.x + i * Room::THREADS;
        if (p < count) room.body[room.place[p]] = body[i];
    }
    __syncthreads();
}

/* Orders two bodies. */
template <class Codec>
static __device__ __forceinline__ void mo_exchange(const Codec &codec, mo_record *body, unsigned p,
                                                   unsigned q)
{
    const mo_record one = body[p], other = body[q];
    if (!codec.before(other, one)) return;
    body[p] = other;
    body[q] = one;
}

/* Orders any bodies, in shared or device memory: a merge network (Batcher 1968) whose comparators
 * all point upwards, so that any count will do: partners behind the end are left out. By a block of
 * THREADS. */
template <int THREADS, class Codec>
static __device__ __forceinline__ void mo_merge_sort(const Codec &codec, mo_record *body,
                                                     unsigned count)
{
    for (unsigned size = 2; size / 2 < count; size *= 2) {
        for (unsigned step = size / 2; step > 0; step /= 2) {
            /* at first with the mirrored one */
            const unsigned turn = step == size / 2 ? size - 1 : step;
            for (unsigned p = threadIdx.x; p < count; p += THREADS) {
                const unsigned q = p ^ turn;
                if (q > p && q < count) mo_exchange(codec, body, p, q);
            }
            __syncthreads();
        }
    }
}

/* Orders the run of bodies [p, end), whose digits are the same, by all their digits. False where it
 * is too long for one thread and not in order. */
static __device__ __forceinline__ bool mo_settle_run(const mo_codec &codec, mo_record *body,
                                                     unsigned p, unsigned end)
{
    bool order = true;
    for (unsigned q = p + 1; q < end; q++)
        order = order && !codec.before(body[q], body[q - 1]);
    if (order) return true;
    if (end - p > MO_RUN_MOST) return false;
    for (unsigned q = p + 1; q < end; q++)
        for (unsigned r = q; r > p && codec.before(body[r], body[r - 1]); r--)
            mo_exchange(codec, body, r - 1, r);
    return true;
}

/* Puts bodies that are in the order of their records in that of the curve: those of the same digits
 * may not be. */
template <class Room>
static __device__ __forceinline__ void mo_settle(const mo_codec &codec, const Room &room,
                                                 unsigned count)
{
    /* first where runs are, for the bodies in them will move */
    for (unsigned p = threadIdx.x; p < count; p += Room::THREADS) {
        unsigned end = p + 1;
        if (p == 0 || !codec.same_digits(room.body[p - 1], room.body[p]))
            while (end < count && codec.same_digits(room.body[p], room.body[end]))
                end++;
        room.place[p] = (uint16_t)(end - p);
    }
    __syncthreads();
    bool long_run = false;
    for (unsigned p = threadIdx.x; p < count; p += Room::THREADS)
        if (room.place[p] > 1)
            long_run = !mo_settle_run(codec, room.body, p, p + room.place[p]) || long_run;
    if (__syncthreads_or(long_run)) mo_merge_sort<Room::THREADS>(codec, room.body, count);
}

/* Orders bodies by their records: runs are merged by pairs, in which each body finds its place by
 * its rank in the other run. They must fit where groups and places are, once more. */
template <class Room>
static __device__ __forceinline__ void mo_rank_sort(const Room &room, unsigned count)
{
    mo_record *now = room.body, *other = reinterpret_cast<mo_record *>(room.group);
    for (unsigned width = 1; width < count; width *= 2) {
        for (unsigned p = threadIdx.x; p < count; p += Room::THREADS) {
            const mo_record mine = now[p];
            const unsigned to =
                mo_merged(p, count, width, [&](unsigned k, bool) { return now[k] < mine; });
            other[to] = mine;
        }
        mo_record *sorted = other;
        other = now;
        now = sorted;
        __syncthreads();
    }
    if (now == room.body) return;
    for (unsigned p = threadIdx.x; p < count; p += Room::THREADS)
        room.body[p] = now[p];
    __syncthreads();
}

/* Takes the bodies of a bucket in as they are, and orders them; for what groups do not part. */
template <class Room>
static __device__ __forceinline__ void mo_sort(const mo_codec &codec, const Room &room,
                                               const mo_bucket &k)
{
    for (unsigned p = threadIdx.x; p < k.count; p += Room::THREADS)
        room.body[p] = codec.b.records[k.begin + p];
    __syncthreads();
    if (sizeof(mo_record) * k.count <= 6 * (size_t)Room::BODIES)
        mo_rank_sort(room, k.count);
    else
        mo_merge_sort<Room::THREADS>(codec, room.body, k.count);
}

/* Bodies that are in curve order already. */
template <class Room>
static __device__ __forceinline__ void mo_take(const mo_codec &codec, const Room &room,
                                               const mo_bucket &k)
{
    for (unsigned p = threadIdx.x; p < k.count; p += Room::THREADS)
        room.body[p] = codec.b.regions.count ? codec.b.records[k.begin + p] : codec.of(k.begin + p);
    __syncthreads();
}

#endif
