/* Keys whose images ascend or descend already: copied, or copied from the last one to the first.
 * Equal bare keys cannot be told apart, so that reversing them does no harm. Bytes a key: 4 read, 4
 * written. */
#ifndef GB_RADIX_SORT_HYBRID_ORDERED_CUH
#define GB_RADIX_SORT_HYBRID_ORDERED_CUH

#include "kernels/radix-sort/hybrid/attempts.cuh"
#include "kernels/radix-sort/hybrid/pages.cuh"

enum { HY_ORDERED_FOURS = 4 /* loads of 4 keys that a thread has under way */ };

/* Whether two neighbours of the input are the wrong way round. */
template <bool DESCENDS>
static __device__ __forceinline__ bool hy_unordered(unsigned image, unsigned next)
{
    return DESCENDS ? image < next : image > next;
}

/* The same for four keys and the one behind them, if there is one. */
template <bool DESCENDS>
static __device__ __forceinline__ bool hy_unordered4(uint4 four, unsigned next, bool has_next,
                                                     bool encode, const hy_codec &codec)
{
    if (encode) {
        four.x = hy_encode(codec, four.x);
        four.y = hy_encode(codec, four.y);
        four.z = hy_encode(codec, four.z);
        four.w = hy_encode(codec, four.w);
        next = hy_encode(codec, next);
    }
    return hy_unordered<DESCENDS>(four.x, four.y) | hy_unordered<DESCENDS>(four.y, four.z) |
           hy_unordered<DESCENDS>(four.z, four.w) |
           (has_next & hy_unordered<DESCENDS>(four.w, next));
}

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
 * to be written. Whether two were the wrong way round. */
template <bool DESCENDS>
static __device__ __forceinline__ bool
hy_ordered_rest(const unsigned *keys, unsigned *out, unsigned n, bool encode, const hy_codec &codec)
{
    bool wrong = false;
    for (unsigned k = 0; k < n % 4; k++) {
        const unsigned i = n / 4 * 4 + k;
        unsigned before = keys[i ? i - 1 : 0], key = keys[i];
        out[DESCENDS ? n - 1 - k : i] = DESCENDS ? keys[k] : key;
        if (encode) {
            before = hy_encode(codec, before);
            key = hy_encode(codec, key);
        }
        wrong |= hy_unordered<DESCENDS>(before, key);
    }
    return wrong;
}

/* Copies keys[0, n) to out, each block its share, or reverses them, and compares all neighbours:
 * the first ones that are the wrong way round fail the attempt, and what was written means nothing.
 * stop: a word of shared memory. All threads of the trial's blocks of HY_THREADS call it; keys and
 * out are aligned to 16 bytes, and 16 bytes behind the last key may be read. */
template <bool DESCENDS>
static __device__ __forceinline__ void
hy_copy_ordered(const unsigned *keys, unsigned *out, unsigned n, bool encode, const hy_codec &codec,
                const hy_trial &trial, unsigned *stop)
{
    const uint4 *fours = reinterpret_cast<const uint4 *>(keys);
    uint4 *out_fours = reinterpret_cast<uint4 *>(out);
    const unsigned me = threadIdx.x, lane = gb_lane(), whole = n / 4, r = n % 4;
    const unsigned stride = trial.blocks * HY_THREADS;
    /* the lane whose next four no other lane has */
    const unsigned edge = DESCENDS ? 0 : GB_WARP - 1;
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
            const unsigned o = first + f * stride + lane, q = DESCENDS ? whole - 1 - o : o;
            four[f] = behind[f] = make_uint4(0, 0, 0, 0);
            if (o < whole) {
                four[f] = __ldcs(fours + q);
                if (lane == edge && (q + 1 < whole || (DESCENDS && r))) behind[f] = fours[q + 1];
            }
        }
        if (me == 0 && trial.failed()) *stopped = 1;
        bool wrong = false;
#pragma unroll
        for (int f = 0; f < HY_ORDERED_FOURS; f++) {
            const unsigned o = first + f * stride + lane, q = DESCENDS ? whole - 1 - o : o;
            uint4 next = four[f];
            if (DESCENDS) {
                next.x = __shfl_up_sync(GB_FULL_MASK, next.x, 1);
                next.y = __shfl_up_sync(GB_FULL_MASK, next.y, 1);
                next.z = __shfl_up_sync(GB_FULL_MASK, next.z, 1);
            } else {
                next.x = __shfl_down_sync(GB_FULL_MASK, next.x, 1);
            }
            if (lane == edge) next = behind[f];
            if (o < whole) {
                wrong |= hy_unordered4<DESCENDS>(four[f], next.x, q + 1 < whole, encode, codec);
                __stcs(out_fours + o, DESCENDS ? hy_reversed4(four[f], next, r) : four[f]);
            }
        }
        if (wrong) *stopped = 1;
    }
    if (trial.block == 0 && me == 0 && hy_ordered_rest<DESCENDS>(keys, out, n, encode, codec))
        *stopped = 1;
    __syncthreads();
    if (me == 0 && *stopped) trial.fail();
}

#endif
