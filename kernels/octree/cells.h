/* Where bodies lie: the box, the octants, and what a slot of the tree holds. Shared by the CPU and
 * the GPU, so that every build and the checker agree to the bit.
 *
 * Coordinates are cut to OC_DEPTH bits of the box's side, so a tree has at most OC_DEPTH levels:
 * the root is at depth 0, and a body's digit of depth d names its octant in its cell of depth d.
 * Both roundings of the cut are monotone, so no two bodies change their order. Bodies whose bits
 * are all the same coincide: no cell parts them, and they share a leaf as a list. */
#ifndef GB_OCTREE_CELLS_H
#define GB_OCTREE_CELLS_H

#include "common/random.h"

enum { OC_DEPTH = 24, OC_SLOTS = 8, OC_CODE_DIGITS = 21 /* of oc_code */ };

/* What a slot holds: nothing, a lock (only while a build with locks runs), a cell (OC_CELL | its
 * index), or a leaf: a body's index, or a place in curve order where a view has such an order. */
#define OC_EMPTY 0xFFFFFFFFu
#define OC_LOCKED 0xFFFFFFFEu
#define OC_CELL 0x80000000u
#define OC_MOST_CELLS 0x7FFFFFF0u

/* Why a build stopped; the bits of its trouble word. */
enum oc_trouble {
    OC_POOL_EMPTY = 1 /* more cells were needed than the pool has; the tree is incomplete */
};

GB_RANDOM_FN int oc_is_cell(uint32_t slot)
{
    return slot >= OC_CELL && slot < OC_LOCKED;
}
GB_RANDOM_FN int oc_is_leaf(uint32_t slot)
{
    return slot < OC_CELL;
}

/* A body: 16 bytes, float4 on the device. */
typedef struct oc_body {
    float x, y, z, mass;
} oc_body;

/* A cube that holds all bodies. */
typedef struct oc_box {
    float x, y, z; /* its lowest corner */
    float scale;   /* 2^OC_DEPTH / its side */
} oc_box;

/* A position as OC_DEPTH bits a coordinate. */
typedef struct oc_place {
    uint32_t x, y, z;
} oc_place;

/* What is not a number lies at 0. */
GB_RANDOM_FN uint32_t oc_cut(float value, float lowest, float scale)
{
    const float at = (value - lowest) * scale;
    const float most = (float)((1u << OC_DEPTH) - 1);
#if defined(__CUDA_ARCH__)
    return (uint32_t)fminf(fmaxf(at, 0.0f), most); /* the same, without a branch */
#else
    return at >= most ? (1u << OC_DEPTH) - 1 : at > 0.0f ? (uint32_t)at : 0u;
#endif
}

GB_RANDOM_FN oc_place oc_place_at(oc_box box, float x, float y, float z)
{
    oc_place place;
    place.x = oc_cut(x, box.x, box.scale);
    place.y = oc_cut(y, box.y, box.scale);
    place.z = oc_cut(z, box.z, box.scale);
    return place;
}

/* The octant, 0 to 7, of the cell at that depth, 0 to OC_DEPTH - 1, in which the place lies. */
GB_RANDOM_FN uint32_t oc_digit(oc_place place, int depth)
{
    const int shift = OC_DEPTH - 1 - depth;
    return (place.x >> shift & 1u) << 2 | (place.y >> shift & 1u) << 1 | (place.z >> shift & 1u);
}

/* The bits of a 21-bit number, two zeros between each two. */
GB_RANDOM_FN uint64_t oc_spread21(uint32_t value)
{
    uint64_t x = value;
    x = (x | x << 32) & 0x001F00000000FFFFull;
    x = (x | x << 16) & 0x001F0000FF0000FFull;
    x = (x | x << 8) & 0x100F00F00F00F00Full;
    x = (x | x << 4) & 0x10C30C30C30C30C3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

/* The first OC_CODE_DIGITS digits, 63 bits. */
GB_RANDOM_FN uint64_t oc_code(oc_place place)
{
    const int low = OC_DEPTH - OC_CODE_DIGITS;
    return oc_spread21(place.x >> low) << 2 | oc_spread21(place.y >> low) << 1 |
           oc_spread21(place.z >> low);
}

/* The depth of the smallest cell that holds both, or OC_DEPTH: they coincide. */
GB_RANDOM_FN int oc_common_depth(oc_place a, oc_place b)
{
    const uint32_t differ = (a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z);
#if defined(__CUDA_ARCH__)
    return __clz((int)differ) - (32 - OC_DEPTH);
#else
    return differ ? __builtin_clz(differ) - (32 - OC_DEPTH) : OC_DEPTH;
#endif
}

#endif
