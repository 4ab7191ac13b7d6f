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

/* The same for 64-bit keys. */
GB_RANDOM_FN uint64_t rs_image64(rs_type type, uint64_t key)
{
    const uint64_t top = (uint64_t)1 << 63;
    if (type == RS_I64) return key ^ top;
    if (type == RS_F64) return key & top ? ~key : key | top;
    return key;
}

GB_RANDOM_FN uint64_t rs_key_of_image64(rs_type type, uint64_t image)
{
    const uint64_t top = (uint64_t)1 << 63;
    if (type == RS_I64) return image ^ top;
    if (type == RS_F64) return image & top ? image & ~top : ~image;
    return image;
}

GB_RANDOM_FN bool rs_is_wide(rs_type type)
{
    return type == RS_U64 || type == RS_I64 || type == RS_F64;
}
GB_RANDOM_FN bool rs_is_float(rs_type type)
{
    return type == RS_F32 || type == RS_F64;
}

/* The image of a key of any type, given as its bits. */
GB_RANDOM_FN uint64_t rs_image(rs_type type, uint64_t key)
{
    return rs_is_wide(type) ? rs_image64(type, key) : rs_image32(type, (uint32_t)key);
}

/* The bits of -0. */
GB_RANDOM_FN uint64_t rs_minus_zero(rs_type type)
{
    return (uint64_t)1 << (rs_is_wide(type) ? 63 : 31);
}

/* What a key, given as its bits, is ordered by: the wanted bits of the image, complemented where
 * the order is descending. Equal fields mean equal keys. -0 is equal to +0, as in CUB, and has its
 * bits: "positive and negative zeros are considered equivalent"; NaNs are ordered by theirs. */
GB_RANDOM_FN uint64_t rs_field(const rs_shape *shape, uint64_t key)
{
    if (rs_is_float(shape->type) && key == rs_minus_zero(shape->type)) key = 0;
    uint64_t image = rs_image(shape->type, key);
    if (shape->descending) image = ~image;
    const unsigned bits = shape->end_bit - shape->begin_bit;
    return (image >> shape->begin_bit) & (bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0);
}

/* The bits of key i: the distribution's key i is the image, so that `sorted` is sorted for every
 * type. -0 is made +0, for sorts and libraries differ in whether the two are equal. */
GB_RANDOM_FN uint64_t rs_make_key(const gb_dist *dist, rs_type type, uint64_t i)
{
    const uint64_t key = rs_is_wide(type)
                             ? rs_key_of_image64(type, gb_dist_key64(dist, GB_STREAM_LIMITS, i))
                             : rs_key_of_image32(type, gb_dist_key(dist, i));
    return rs_is_float(type) && key == rs_minus_zero(type) ? 0 : key;
}

/* Words of 32 bits that a payload has. */
GB_RANDOM_FN unsigned rs_payload_words(const rs_shape *shape)
{
    return shape->payload / 4;
}

/* Word w of payload i: i, then hashes of it. */
GB_RANDOM_FN uint32_t rs_payload_word(uint32_t i, unsigned w)
{
    return w ? (uint32_t)(gb_mix64(i * 0x9E3779B97F4A7C15ull + w) >> 32) : i;
}

/* A payload of so many words as one number: its first word where it has no other, 0 where it has
 * none. */
GB_RANDOM_FN uint64_t rs_payload_number(const uint32_t *payload, unsigned words)
{
    if (!payload || !words) return 0;
    uint64_t number = payload[0];
    for (unsigned w = 1; w < words; w++)
        number = gb_mix64(number) + payload[w];
    return number;
}

/* The number of payload i as it was made. */
GB_RANDOM_FN uint64_t rs_made_payload(uint32_t i, unsigned words)
{
    uint32_t payload[4];
    for (unsigned w = 0; w < words; w++)
        payload[w] = rs_payload_word(i, w);
    return rs_payload_number(payload, words);
}

/* Element i of an array of keys, as bits. */
GB_RANDOM_FN uint64_t rs_load_key(rs_type type, const void *keys, uint64_t i)
{
    if (rs_is_wide(type)) return ((const uint64_t *)keys)[i];
    return ((const uint32_t *)keys)[i];
}

GB_RANDOM_FN void rs_store_key(rs_type type, void *keys, uint64_t i, uint64_t key)
{
    if (rs_is_wide(type))
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

GB_RANDOM_FN void rs_hash_add(rs_hash *hash, uint64_t i, uint64_t key, uint64_t payload)
{
    const uint64_t golden = 0x9E3779B97F4A7C15ull;
    uint64_t mixed = gb_mix64(gb_mix64(key + golden) + payload * golden);
    hash->a += mixed;
    hash->b += gb_mix64(mixed ^ 0xD1B54A32D192ED03ull);
    hash->ordered += gb_mix64(mixed + i * golden);
}

#endif
