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
 * sorted for every type; -0 is made +0, for libraries differ in whether the two are equal. */
GB_RANDOM_FN uint64_t rs_make_key(const gb_dist *dist, rs_type type, uint64_t i)
{
    if (type == RS_U64) return gb_dist_key64(dist, GB_STREAM_LIMITS, i);
    const uint32_t key = rs_key_of_image32(type, gb_dist_key(dist, i));
    return type == RS_F32 && key == 0x80000000u ? 0 : key;
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
