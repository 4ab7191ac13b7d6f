/* Keys as the kernels of this folder move them: plain unsigned words whose order is the wanted
 * one. The first pass over the data encodes, the last one decodes; between them only the image is
 * moved. Source of the maps: keys.h. */
#ifndef GB_RADIX_SORT_CODEC_CUH
#define GB_RADIX_SORT_CODEC_CUH

#include "common/cuda/device.cuh"
#include "kernels/radix-sort/keys.h"

typedef struct rs_codec {
    rs_type type;
    bool descending;
    bool identity; /* image and key are the same bits */
    /* floats: the image of -0; that of +0 is its complement */
    unsigned long long minus_zero;
} rs_codec;

static inline rs_codec rs_codec_of(const rs_shape *shape)
{
    const bool plain = shape->type == RS_U32 || shape->type == RS_U64;
    const unsigned long long top = rs_minus_zero(shape->type);
    return rs_codec{shape->type, shape->descending, plain && !shape->descending,
                    shape->descending ? top : top - 1};
}

__device__ __forceinline__ unsigned rs_encode(const rs_codec &codec, unsigned key)
{
    const unsigned image = rs_image32(codec.type, key);
    return codec.descending ? ~image : image;
}
__device__ __forceinline__ unsigned long long rs_encode(const rs_codec &codec,
                                                        unsigned long long key)
{
    const unsigned long long image = rs_image64(codec.type, key);
    return codec.descending ? ~image : image;
}
/* The image whose bits order a float, of the one that it has: +0's for -0's (rs_field). The image
 * of -0 is moved as it is. */
template <class Key> __device__ __forceinline__ Key rs_equal_zeros(const rs_codec &codec, Key image)
{
    const Key minus_zero = (Key)codec.minus_zero;
    return image == minus_zero ? ~minus_zero : image;
}
/* The same for a key of any type. */
template <class Key> __device__ __forceinline__ Key rs_order(const rs_codec &codec, Key image)
{
    return rs_is_float(codec.type) ? rs_equal_zeros(codec, image) : image;
}
__device__ __forceinline__ unsigned rs_decode(const rs_codec &codec, unsigned image)
{
    return rs_key_of_image32(codec.type, codec.descending ? ~image : image);
}
__device__ __forceinline__ unsigned long long rs_decode(const rs_codec &codec,
                                                        unsigned long long image)
{
    return rs_key_of_image64(codec.type, codec.descending ? ~image : image);
}

#endif
