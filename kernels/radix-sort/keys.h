/* Keys of every type: how they are made, and the unsigned number by which they are ordered. */
#ifndef GB_RADIX_SORT_KEYS_H
#define GB_RADIX_SORT_KEYS_H

#include "common/distributions.h"
#include "kernels/radix-sort/radix_sort.h"

/* The image of a 32-bit key: an unsigned number that orders as the key does. i32: the sign bit is
 * flipped. f32: negative numbers are complemented, others get the sign bit (IEEE 754's totalOrder:
 * -NaN < -inf < ... < -0 < +0 < ... < inf < NaN). */
GB_RANDOM_FN uint32_t rs_image32(rs_type type, uint32_t key)
{
    if (type == RS_I32) return key ^ 0x80000000u;
    if (type == RS_F32) return key & 0x80000000u ? ~key : key | 0x80000000u;
    return key;
}

/* The key with that image. */
GB_RANDOM_FN uint32_t rs_key_of_image32(rs_type type, uint32_t image)
{
    if (type == RS_I32) return image ^ 0x80000000u;
    if (type == RS_F32) return image & 0x80000000u ? image & 0x7FFFFFFFu : ~image;
    return image;
}

/* What a key, given as its bits, is ordered by: the wanted bits of the image, complemented where
 * the order is descending. Equal fields mean equal keys. */
GB_RANDOM_FN uint64_t rs_field(const rs_shape *shape, uint64_t key)
{
    uint64_t image = shape->type == RS_U64 ? key : rs_image32(shape->type, (uint32_t)key);
    if (shape->descending) image = ~image;
    const unsigned bits = shape->end_bit - shape->begin_bit;
    return (image >> shape->begin_bit) & (bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0);
}

/* The bits of key i. 32-bit types: the distribution's key i is the image, so that `sorted` is
 * sorted for every type; -0 is made +0, for libraries differ in whether the two are equal. u64: the
 * distribution's key i above 32 more bits, which continue it (sorted, reversed), depend on it alone
 * (zipf, constant, distinct: so that equal stays equal), or are random. */
GB_RANDOM_FN uint64_t rs_make_key(const gb_dist *dist, rs_type type, uint64_t i)
{
    const uint32_t high = gb_dist_key(dist, i);
    if (type != RS_U64) {
        const uint32_t key = rs_key_of_image32(type, high);
        return type == RS_F32 && key == 0x80000000u ? 0 : key;
    }
    uint32_t low = 0;
    switch (dist->kind) {
    case GB_DIST_SORTED:
        low = (uint32_t)(i * dist->step);
        break;
    case GB_DIST_REVERSED:
        low = ~(uint32_t)(i * dist->step);
        break;
    case GB_DIST_ZIPF:
    case GB_DIST_CONSTANT:
    case GB_DIST_DISTINCT:
        low = gb_scatter32(high);
        break;
    case GB_DIST_UNIFORM:
    case GB_DIST_BINOMIAL:
    case GB_DIST_NORMAL: {
        gb_random4 four = gb_random(dist->seed, GB_STREAM_LIMITS, i >> 2);
        low = four.word[i & 3];
        break;
    }
    }
    return (uint64_t)high << 32 | low;
}

/* Element i of an array of keys, as bits. */
GB_RANDOM_FN uint64_t rs_load_key(rs_type type, const void *keys, uint64_t i)
{
    if (type == RS_U64) return ((const uint64_t *)keys)[i];
    return ((const uint32_t *)keys)[i];
}

GB_RANDOM_FN void rs_store_key(rs_type type, void *keys, uint64_t i, uint64_t key)
{
    if (type == RS_U64)
        ((uint64_t *)keys)[i] = key;
    else
        ((uint32_t *)keys)[i] = (uint32_t)key;
}

/* Fingerprints of elements: a and b (independent) do not depend on the order and agree for two
 * arrays that are not permutations of each other with probability 2^-128 or so; ordered sees the
 * order as well. */
typedef struct rs_hash {
    uint64_t a, b, ordered;
} rs_hash;

GB_RANDOM_FN void rs_hash_add(rs_hash *hash, uint64_t i, uint64_t key, uint32_t payload)
{
    const uint64_t golden = 0x9E3779B97F4A7C15ull;
    uint64_t mixed = gb_mix64(gb_mix64(key + golden) + payload * golden);
    hash->a += mixed;
    hash->b += gb_mix64(mixed ^ 0xD1B54A32D192ED03ull);
    hash->ordered += gb_mix64(mixed + i * golden);
}

#endif
