/* Keys whose images ascend or descend already: copied, or copied from the last one to the first,
 * each with its payload. Nothing is lost by reversing equal keys: bare ones cannot be told apart,
 * and payloads come in no order that was promised. Bytes: each element's once read, once written.
 */
#ifndef GB_RADIX_SORT_HYBRID_ORDERED_CUH
#define GB_RADIX_SORT_HYBRID_ORDERED_CUH

#include "kernels/radix-sort/hybrid/attempts.cuh"
#include "kernels/radix-sort/hybrid/pages.cuh"

enum {
    HY_ORDERED_FOURS = 4,   /* loads of 4 keys that a thread has under way */
    HY_ORDERED_ELEMENTS = 8 /* or of an element */
};

/* How the keys should be ordered. */
typedef struct hy_order_of {
    unsigned flip; /* all ones if the images descend */
    bool encode;
    hy_codec codec;

    /* A number that ascends with the keys of the input. */
    __device__ __forceinline__ unsigned operator()(unsigned key) const
    {
        return (encode ? hy_encode(codec, key) : key) ^ flip;
    }
    /* Whether four keys, and the one behind them, if there is one, are in the wrong order. */
    __device__ __forceinline__ bool wrong(uint4 four, unsigned next, bool has_next) const
    {
        const unsigned x = (*this)(four.x), y = (*this)(four.y), z = (*this)(four.z);
        const unsigned w = (*this)(four.w);
        return (x > y) | (y > z) | (z > w) | (has_next & (w > (*this)(next)));
    }
} hy_order_of;

/* Four output keys of reversed input: of a four and the one behind it, those from the r-th on, the
 * last one first. */
static __device__ __forceinline__ uint4 hy_reversed4(uint4 four, uint4 next, unsigned r)
{
    if (r == 0) return make_uint4(four.w, four.z, four.y, four.x);
    if (r == 1) return make_uint4(next.x, four.w, four.z, four.y);
    if (r == 2) return make_uint4(next.y, next.x, four.w, four.z);
    return make_uint4(next.z, next.y, next.x, four.w);
}

/* What the fours leave: fewer than four keys of the input to be compared, and as many of the output
 * to be written. Whether two were the wrong way round. One thread. */
static __device__ __forceinline__ bool hy_ordered_rest(const unsigned *keys, unsigned *out,
                                                       unsigned n, const hy_order_of &order)
{
    bool wrong = false;
    for (unsigned k = 0; k < n % 4; k++) {
        const unsigned i = n / 4 * 4 + k;
        out[order.flip ? n - 1 - k : i] = keys[order.flip ? k : i];
        wrong |= order(keys[i ? i - 1 : 0]) > order(keys[i]);
    }
    return wrong;
}

/* Copies keys[0, n) to out, each block its share, or reverses them, and compares all neighbours:
 * the first ones that are the wrong way round fail the attempt, and what was written means nothing.
 * stop: a word of shared memory. All threads of the trial's blocks of HY_THREADS call it; keys and
 * out are aligned to 16 bytes, and 16 bytes behind the last key may be read. */
static __device__ __forceinline__ void hy_copy_ordered(const unsigned *keys, unsigned *out,
                                                       unsigned n, const hy_order_of &order,
                                                       const hy_trial &trial, unsigned *stop)
{
    const uint4 *fours = reinterpret_cast<const uint4 *>(keys);
    const unsigned me = threadIdx.x, lane = gb_lane(), whole = n / 4, r = n % 4;
    const unsigned stride = trial.blocks * HY_THREADS;
    const bool descends = order.flip;
    /* who has the next four: the lane above or below, but for one lane */
    const unsigned from = (descends ? lane - 1 : lane + 1) % GB_WARP;
    const bool edge = lane == (descends ? 0 : GB_WARP - 1);
    volatile unsigned *stopped = stop;
    if (me == 0) *stop = 0;
    __syncthreads();
    /* four o of the output: from four q of the input and, reversed, some keys of the next one */
    for (unsigned first = trial.block * HY_THREADS + me - lane; first < whole;
         first += HY_ORDERED_FOURS * stride) {
        uint4 four[HY_ORDERED_FOURS], behind[HY_ORDERED_FOURS];
        if (__any_sync(GB_FULL_MASK, *stopped != 0)) break;
#pragma unroll
        for (int f = 0; f < HY_ORDERED_FOURS; f++) {
            const unsigned o = first + f * stride + lane, q = descends ? whole - 1 - o : o;
            four[f] = behind[f] = make_uint4(0, 0, 0, 0);
            if (o < whole) {
                four[f] = __ldcs(fours + q);
                if (edge && (q + 1 < whole || (descends && r))) behind[f] = fours[q + 1];
            }
        }
        if (me == 0 && trial.failed()) *stopped = 1;
        bool wrong = false;
#pragma unroll
        for (int f = 0; f < HY_ORDERED_FOURS; f++) {
            const unsigned o = first + f * stride + lane, q = descends ? whole - 1 - o : o;
            uint4 next = behind[f];
            const unsigned x = __shfl_sync(GB_FULL_MASK, four[f].x, from);
            const unsigned y = __shfl_sync(GB_FULL_MASK, four[f].y, from);
            const unsigned z = __shfl_sync(GB_FULL_MASK, four[f].z, from);
            if (!edge) next = make_uint4(x, y, z, 0);
            if (o < whole) {
                wrong |= order.wrong(four[f], next.x, q + 1 < whole);
                __stcs(reinterpret_cast<uint4 *>(out) + o,
                       descends ? hy_reversed4(four[f], next, r) : four[f]);
            }
        }
        if (wrong) *stopped = 1;
    }
    if (trial.block == 0 && me == 0 && hy_ordered_rest(keys, out, n, order)) *stopped = 1;
    __syncthreads();
    if (me == 0 && *stopped) trial.fail();
}

/* The same for elements of any kind, one a thread and load: keys[0, n) and their payloads, or
 * NULL. */
template <class Kind>
static __device__ GB_CALLED void
hy_copy_ordered_elements(const typename Kind::key_type *keys, const uint32_t *payload,
                         typename Kind::key_type *out, uint32_t *payload_out, unsigned n,
                         bool descends, bool encode, hy_codec codec, hy_trial trial)
{
    typedef typename Kind::key_type key_type;
    __shared__ unsigned stop;
    volatile unsigned *stopped = &stop;
    const unsigned me = threadIdx.x, lane = gb_lane(), stride = trial.blocks * HY_THREADS;
    auto image = [&](key_type key) { return encode ? hy_encode(codec, key) : key; };
    if (me == 0) stop = 0;
    __syncthreads();
    for (unsigned first = trial.block * HY_THREADS + me - lane; first < n;
         first += HY_ORDERED_ELEMENTS * stride) {
        key_type key[HY_ORDERED_ELEMENTS], behind[HY_ORDERED_ELEMENTS];
        uint32_t with[HY_ORDERED_ELEMENTS];
        if (__any_sync(GB_FULL_MASK, *stopped != 0)) break;
#pragma unroll
        for (int f = 0; f < HY_ORDERED_ELEMENTS; f++) {
            const unsigned i = first + f * stride + lane;
            key[f] = behind[f] = 0;
            with[f] = 0;
            if (i < n) {
                key[f] = __ldcs(keys + i);
                if (Kind::PAYLOAD) with[f] = __ldcs(payload + i);
                if (lane == GB_WARP - 1 && i + 1 < n) behind[f] = keys[i + 1];
            }
        }
        if (me == 0 && trial.failed()) *stopped = 1;
        bool wrong = false;
#pragma unroll
        for (int f = 0; f < HY_ORDERED_ELEMENTS; f++) {
            const unsigned i = first + f * stride + lane;
            const key_type right = __shfl_down_sync(GB_FULL_MASK, key[f], 1);
            const key_type a = image(key[f]), b = image(lane < GB_WARP - 1 ? right : behind[f]);
            if (i >= n) continue;
            const unsigned to = descends ? n - 1 - i : i;
            if (i + 1 < n) wrong |= descends ? a < b : a > b;
            __stcs(out + to, key[f]);
            if (Kind::PAYLOAD) __stcs(payload_out + to, with[f]);
        }
        if (wrong) *stopped = 1;
    }
    __syncthreads();
    if (me == 0 && *stopped) trial.fail();
}

#endif
