/* What the stages of the sort-based build share: sizes, device memory, and the order of the curve.
 *
 * The curve is Morton's (1966): bodies are ordered by their digits from the root down. The stages
 *   sample    a tree over some thousand bodies cuts space into slots that hold about as many
 *             bodies each, however dense they lie, numbered along the curve
 *   keys      every body's slot and its next 11 digits, in 48 bits; bodies are counted by slot
 *   group     slots become buckets of neighbours that fit a block's shared memory
 *   move      bodies go to their buckets
 *   buckets   a bucket is ordered in shared memory and its cells are written
 *   large     buckets that were too large, in a larger room
 *   crowd     those that did not fit there, either, where the sample misled: in device memory
 *   mend      cells of the sample's tree that are none of the bodies' tree are taken out
 * Where there would be too many buckets, or a block has little shared memory, bodies go to regions
 * first (regions), and then in each to its buckets, by trees of a sample of its own. Few bodies are
 * sorted by whole keys in blocks (few); where a block has next to no shared memory all are (wide).
 * Nothing waits for the host. */
#ifndef GB_OCTREE_MORTON_H
#define GB_OCTREE_MORTON_H

#include "common/cuda/device.cuh"
#include "common/distributions.h"
#include "kernels/octree/cells.h"
#include "kernels/octree/morton/builder.h"
#include "kernels/octree/sampled.h"

enum {
    MO_SAMPLE = 32 << 10, /* bodies of the sample, at most */
    MO_CELLS = 3584,      /* of the sample's tree, at most */
    MO_SLOTS = 7 * MO_CELLS + 1,
    MO_LEVELS = 11, /* digits below its slot that a body's key has */
    MO_SUB = 33,    /* bits of them: 17 beside the slot's number, which has 15, and 16 more */
    MO_LOW = 16,
    MO_BUCKET_SLOTS = 1024,        /* slots of a bucket, at most: others are crowded */
    MO_PLACE_BITS = 10,            /* of a slot's number in its bucket */
    MO_UPPER = 32 - MO_PLACE_BITS, /* bits of digits in a record's upper word */
    MO_DEEPEST = 19,               /* depth of the deepest slot's cell */
    MO_FOREST_LEVELS = 10,         /* of a region's trees */
    MO_REGION_LEVELS = 7           /* digits of a record behind the slot of a region's trees */
};

/* A body in its bucket, as a number that orders as the curve does: from the top, the place of its
 * slot among the bucket's (MO_PLACE_BITS), its next `levels` digits, zeros, its own number. */
typedef unsigned long long mo_record;

/* A record from a key whose slots are counted from the bucket's first. */
static __device__ __forceinline__ mo_record mo_record_of(unsigned key, unsigned low, unsigned id,
                                                         int levels)
{
    const int digits = 3 * levels;
    const mo_record body = ((mo_record)key << MO_LOW | low) >> (MO_SUB - digits);
    return body << (64 - MO_PLACE_BITS - digits) | id;
}

/* The words that kernels tell each other with; mo_start clears them. */
typedef struct mo_words {
    unsigned trouble;  /* enum oc_trouble */
    unsigned cells;    /* taken from the pool */
    unsigned ordered;  /* the sample is in curve order */
    unsigned disorder; /* but not all bodies are */
    unsigned coarse;   /* cells of the sample's tree */
    unsigned large;    /* buckets that need more room */
    unsigned crowded;  /* buckets that no block has room for, or whose keys part few bodies */
    unsigned lent; /* bodies of a sample that is lent; more than there is room for are not there */
    unsigned yields; /* an insertion is thought to be faster: what is queued behind does nothing */
    unsigned taken;  /* of few bodies: cells that all but the first one begin */
} mo_words;

/* A slot of the sample's tree that is no cell there. */
typedef struct mo_slot {
    uint32_t at;    /* its index among the tree's slots: 8 * cell + octant */
    uint32_t depth; /* that a cell in it has */
} mo_slot;

/* The slots below a cell of the sample's tree. */
typedef struct mo_span {
    uint32_t first, count;
} mo_span;

/* What regions of the curve are, between the sample's tree (the top) and the buckets: neighbouring
 * slots of the top with a million bodies or so, which trees of a sample of their own, one for each
 * slot that needs one, cut into slots again. These are what buckets are made of. */
typedef struct mo_regions {
    unsigned count;           /* 0: bodies go to buckets at once */
    unsigned buckets;         /* of each */
    unsigned cells;           /* of each one's trees, at most */
    unsigned sample;          /* bodies of each one's sample, at most */
    unsigned split;           /* as in a build */
    const uint16_t *of;       /* of a slot of the top */
    const unsigned *slot;     /* count + 1: their first slots of the top */
    const unsigned *before;   /* the top's counts: bodies in all slots before */
    const mo_slot *top_slots; /* MO_SLOTS */
    unsigned *tiles;          /* count + 1: tiles of bodies in all regions before */
    uint16_t
        *root; /* of a slot of the top: a cell, or MO_CELLS + the number of a slot, as in tree */
    uint16_t *tree; /* count * 8 * cells: of each region's cells, counted from 0 in each */
    unsigned *has;  /* count: cells that a region has */
    uint32_t *cell; /* count: and the first of them in the tree that is built */
    uint32_t *keys; /* n: of bodies in the order of their regions */
    uint16_t *lows; /* n */
    uint32_t *ids;  /* n */
} mo_regions;

/* Device memory and sizes of a build; passed to kernels by value. */
typedef struct mo_build {
    const float4 *bodies;
    unsigned n; /* of them; with `told` at most */
    /* NULL, or a word with their number (mo_told); the sample is lent then. */
    const unsigned *told;
    bool chooses; /* the sample tells whether the build yields to an insertion */
    unsigned leaf;
    oc_box box;
    uint32_t pool;   /* cells */
    unsigned sample; /* bodies of the sample, at most; 0: none, bodies are sorted by whole keys */
    unsigned split;  /* a slot with more of them becomes a cell of the sample's tree */
    unsigned coarse; /* cells of that tree, at most */
    int id_bits;     /* of a body's number */
    int levels;      /* digits of a record, at most MO_LEVELS */
    unsigned buckets;
    mo_words *words;
    uint32_t *slot;  /* the tree: 8 * pool */
    uint32_t *order; /* n */
    uint32_t *first; /* (n + 31) / 32 */
    /* of the sample's tree */
    unsigned long long *codes; /* sample: 21 digits */
    uint16_t *tree;            /* 8 * MO_CELLS: a cell, or MO_CELLS + a slot's number */
    uint32_t *parent;          /* MO_CELLS: the slot of the tree that a cell is in */
    mo_slot *slots;            /* MO_SLOTS */
    mo_span *spans;            /* MO_CELLS */
    unsigned *counts;          /* MO_SLOTS + 1: bodies; then those in all slots before */
    /* with regions: slots, spans and parent are those of all their trees, a region's slots from
     * mo_slots_before on, its cells from regions.cells times its number on; tree is the top's */
    mo_regions regions;
    /* of buckets */
    uint16_t *bucket_of;   /* of a slot; of its region's buckets */
    unsigned *bucket_slot; /* buckets + 1: their first slots; of each region's buckets */
    unsigned *bucket_fill; /* buckets: where the next body goes */
    unsigned *large;       /* buckets: those that need more room */
    unsigned *crowded;     /* buckets: those of words->crowded */
    uint32_t *keys;        /* n: slot, and the first 17 bits of the digits below it */
    uint16_t *lows;        /* n: the other 16 */
    mo_record *records;    /* n */
    uint16_t *scratch;     /* n: of crowded buckets */
} mo_build;

/* Where the slots of a region begin, among those of all: each has a slot of the top or more, and
 * one is behind its last one, for the sum. */
static __host__ __device__ __forceinline__ uint64_t mo_slots_before(const mo_regions &g,
                                                                    unsigned region, unsigned slot)
{
    return slot + (7ull * g.cells + 1) * region;
}

/* A region: its bodies, and its slots of the top. */
typedef struct mo_region {
    unsigned begin, count;
    unsigned slot0, slots;
    unsigned base; /* the first of its own slots */
} mo_region;

static __device__ __forceinline__ mo_region mo_region_of(const mo_regions &g, unsigned region)
{
    mo_region r;
    r.slot0 = g.slot[region];
    r.slots = g.slot[region + 1] - r.slot0;
    r.begin = g.before[r.slot0];
    r.count = g.before[r.slot0 + r.slots] - r.begin;
    r.base = (unsigned)mo_slots_before(g, region, r.slot0);
    return r;
}

static __device__ __forceinline__ oc_place mo_place(const mo_build &b, float4 body)
{
    return oc_place_at(b.box, body.x, body.y, body.z);
}

/* Body j of the sample. */
static __device__ __forceinline__ unsigned mo_sampled(const mo_build &b, unsigned j)
{
    return (unsigned)oc_sampled(b.n, b.sample, j);
}

static __device__ __forceinline__ unsigned mo_hash(unsigned long long code)
{
    return gb_scatter32((uint32_t)code ^ gb_scatter32((uint32_t)(code >> 32)));
}

/* Of `count` keys, of which each `width` (a power of two) are sorted: where the one at i goes when
 * the runs are merged by pairs. before(k, right): whether the key at k, of the run beside, goes
 * before it; its own run is the right one of the two, or not. All lanes take the same steps. */
template <class Before>
static __device__ __forceinline__ unsigned mo_merged(unsigned i, unsigned count, unsigned width,
                                                     Before &&before)
{
    const unsigned own = i & ~(width - 1), pair = i & ~(2 * width - 1);
    const bool right = own != pair;
    const unsigned beside = right ? pair : pair + width;
    unsigned keys = beside < count ? count - beside : 0, rank = 0;
    if (keys > width) keys = width;
    for (unsigned step = width; step; step /= 2)
        if (rank + step <= keys && before(beside + rank + step - 1, right)) rank += step;
    return pair + (i - own) + rank;
}

/* Whether the build is left to an insertion. Known behind the sample. */
static __device__ __forceinline__ bool mo_yields(const mo_build &b)
{
    return b.chooses && b.words->yields;
}

/* Whether the bodies are in curve order. Known when their keys are. */
static __device__ __forceinline__ bool mo_is_ordered(const mo_build &b)
{
    return b.words->ordered && !b.words->disorder;
}

#endif
