/* What hybrid moves: an element is a key's image, and its payload below it where there is one, in
 * 4, 8 or 16 bytes. The upper 32 bits of the image, its top, decide bin, bucket and group. */
#ifndef GB_RADIX_SORT_HYBRID_KINDS_CUH
#define GB_RADIX_SORT_HYBRID_KINDS_CUH

#include "kernels/radix-sort/codec.cuh"

/* The image of a key, turned so that the bits that count are on top: what stands below them then
 * orders equal keys, which does no harm. */
typedef struct hy_codec {
    rs_codec codec;
    unsigned turn; /* to the left */
} hy_codec;

/* An image of 32 or 64 bits, turned. */
template <class Image> __device__ __forceinline__ Image hy_turn(Image image, unsigned turn)
{
    return turn ? image << turn | image >> (8 * sizeof image - turn) : image;
}
__device__ __forceinline__ unsigned hy_encode(const hy_codec &codec, unsigned key)
{
    return hy_turn(rs_encode(codec.codec, key), codec.turn);
}
__device__ __forceinline__ unsigned hy_decode(const hy_codec &codec, unsigned image)
{
    if (codec.turn) image = image >> codec.turn | image << (32 - codec.turn);
    return rs_decode(codec.codec, image);
}
__device__ __forceinline__ unsigned long long hy_encode(const hy_codec &codec,
                                                        unsigned long long key)
{
    return hy_turn(rs_encode(codec.codec, key), codec.turn);
}
__device__ __forceinline__ unsigned long long hy_decode(const hy_codec &codec,
                                                        unsigned long long image)
{
    if (codec.turn) image = image >> codec.turn | image << (64 - codec.turn);
    return rs_decode(codec.codec, image);
}

/* ---- reading what is read once ----------------------------------------------------------------
 */

template <int BYTES> struct hy_word_of;
template <> struct hy_word_of<4> {
    typedef unsigned type;
};
template <> struct hy_word_of<8> {
    typedef uint2 type;
};
template <> struct hy_word_of<16> {
    typedef uint4 type;
};

/* A T of 4, 8 or 16 bytes that need not stay in any cache. */
template <class T> __device__ __forceinline__ T hy_load_once(const T *at)
{
    typedef typename hy_word_of<sizeof(T)>::type word;
    T out;
    *reinterpret_cast<word *>(&out) = __ldcs(reinterpret_cast<const word *>(at));
    return out;
}

/* ---- kinds of elements ----------------------------------------------------------------------- */

/* 32 bits of a 64-bit image, from bit `from` of it on, counted from above: from 0 to 31. */
__device__ __forceinline__ unsigned hy_bits_from(unsigned long long image, unsigned from)
{
    return __funnelshift_l((unsigned)image, (unsigned)(image >> 32), from);
}

/* What all kinds have. */
template <class Kind, class Element> struct hy_ordered {
    static __device__ __forceinline__ void order(Element &a, Element &b)
    {
        const bool turned = Kind::above(a, b);
        const Element low = turned ? b : a, high = turned ? a : b;
        a = low;
        b = high;
    }
};

/* Bare 32-bit keys. */
struct hy_keys32 : hy_ordered<hy_keys32, unsigned> {
    typedef unsigned key_type, element;
    static const bool PAYLOAD = false;
    static __device__ __forceinline__ element make(unsigned image, uint32_t) { return image; }
    static __device__ __forceinline__ unsigned image(element e) { return e; }
    static __device__ __forceinline__ uint32_t payload(element) { return 0; }
    static __device__ __forceinline__ unsigned top(element e) { return e; }
    static __device__ __forceinline__ element largest() { return ~0u; }
    static __device__ __forceinline__ bool above(element a, element b) { return a > b; }
};

/* Bare 64-bit keys. */
struct hy_keys64 : hy_ordered<hy_keys64, unsigned long long> {
    typedef unsigned long long key_type, element;
    static const bool PAYLOAD = false;
    static __device__ __forceinline__ element make(unsigned long long image, uint32_t)
    {
        return image;
    }
    static __device__ __forceinline__ unsigned long long image(element e) { return e; }
    static __device__ __forceinline__ uint32_t payload(element) { return 0; }
    static __device__ __forceinline__ unsigned top(element e) { return (unsigned)(e >> 32); }
    static __device__ __forceinline__ unsigned following(const element &e, unsigned from)
    {
        return hy_bits_from(e, from);
    }
    static __device__ __forceinline__ element largest() { return ~0ull; }
    static __device__ __forceinline__ bool above(element a, element b) { return a > b; }
};

/* 32-bit keys, each above its payload. They are ordered as one number: equal keys by their
 * payloads, so that numbers of the elements make the sort stable. */
struct hy_pairs32 : hy_ordered<hy_pairs32, unsigned long long> {
    typedef unsigned key_type;
    typedef unsigned long long element;
    static const bool PAYLOAD = true;
    static __device__ __forceinline__ element make(unsigned image, uint32_t payload)
    {
        return (unsigned long long)image << 32 | payload;
    }
    static __device__ __forceinline__ unsigned image(element e) { return (unsigned)(e >> 32); }
    static __device__ __forceinline__ uint32_t payload(element e) { return (uint32_t)e; }
    static __device__ __forceinline__ unsigned top(element e) { return (unsigned)(e >> 32); }
    static __device__ __forceinline__ unsigned following(const element &e, unsigned from)
    {
        return hy_bits_from(e, from);
    }
    static __device__ __forceinline__ element largest() { return ~0ull; }
    static __device__ __forceinline__ bool above(element a, element b) { return a > b; }
};

/* 64-bit keys with their payload, and 4 bytes that nobody uses. */
struct __align__(16) hy_wide
{
    unsigned long long image;
    uint32_t payload, spare;
};

struct hy_pairs64 : hy_ordered<hy_pairs64, hy_wide> {
    typedef unsigned long long key_type;
    typedef hy_wide element;
    static const bool PAYLOAD = true;
    static __device__ __forceinline__ element make(unsigned long long image, uint32_t payload)
    {
        return hy_wide{image, payload, 0};
    }
    static __device__ __forceinline__ unsigned long long image(const element &e) { return e.image; }
    static __device__ __forceinline__ uint32_t payload(const element &e) { return e.payload; }
    static __device__ __forceinline__ unsigned top(const element &e)
    {
        return (unsigned)(e.image >> 32);
    }
    static __device__ __forceinline__ unsigned following(const element &e, unsigned from)
    {
        return hy_bits_from(e.image, from);
    }
    static __device__ __forceinline__ element largest() { return hy_wide{~0ull, ~0u, 0}; }
    static __device__ __forceinline__ bool above(const element &a, const element &b)
    {
        return a.image > b.image || (a.image == b.image && a.payload > b.payload);
    }
};

#endif
