/* The last stage of hybrid: every bucket in shared memory, on its way from its pages to the output.
 */
#ifndef GB_RADIX_SORT_HYBRID_BUCKETS_CUH
#define GB_RADIX_SORT_HYBRID_BUCKETS_CUH

#include "kernels/radix-sort/hybrid/hybrid.cuh"

/* Orders two keys. */
static __device__ __forceinline__ void hy_order(unsigned &a, unsigned &b)
{
    const unsigned low = a < b ? a : b;
    b = a < b ? b : a;
    a = low;
}

/* Orders eight keys: Batcher's merge sort, 19 comparisons. */
static __device__ __forceinline__ void hy_order8(unsigned (&k)[8])
{
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        hy_order(k[i], k[i + 1]);
#pragma unroll
    for (int i = 0; i < 8; i += 4) {
        hy_order(k[i], k[i + 2]);
        hy_order(k[i + 1], k[i + 3]);
        hy_order(k[i + 1], k[i + 2]);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        hy_order(k[i], k[i + 4]);
    hy_order(k[2], k[4]);
    hy_order(k[3], k[5]);
#pragma unroll
    for (int i = 1; i < 7; i += 2)
        hy_order(k[i], k[i + 1]);
}

/* Counters become where their groups begin. */
static __device__ __forceinline__ uint4 hy_begins_of(uint4 count, unsigned begin)
{
    uint4 begins;
    begins.x = begin;
    begins.y = begins.x + count.x;
    begins.z = begins.y + count.y;
    begins.w = begins.z + count.z;
    return begins;
}

/* Four spare words in 32, so that windows of eight do not meet in a bank. */
static __device__ __host__ __forceinline__ unsigned hy_slot(unsigned i)
{
    return i + i / 32 * 4;
}

/* One block a bucket: counted by the bits that come next and moved to their groups, which are tiny;
 * then windows of eight neighbours are put in order, every other time shifted by four, until
 * nothing changes: once each is nearly always enough. counter: of a key, below 2^HY_LOCAL_BITS and
 * ascending. encode, codec: of the images. */
template <class Counter>
static __device__ __forceinline__ void hy_sort_bucket(const hy_sort &sort, const Counter &counter,
                                                      bool encode, const hy_codec &codec)
{
    enum { COUNTERS = 1 << HY_LOCAL_BITS, EACH = COUNTERS / HY_LOCAL_THREADS };
    static_assert(EACH == 8, "a thread has four counters of each half");
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    unsigned *slots = counters + COUNTERS;
    const unsigned bucket = blockIdx.x, me = threadIdx.x;
    const unsigned row = sort.row_lengths[bucket], begin = sort.begins[bucket];
    const unsigned count = (bucket + 1 < gridDim.x ? sort.begins[bucket + 1] : sort.n) - begin;
    if (count == 0) return;
    if (count > HY_LOCAL_KEYS) {
        if (me == 0) atomicOr(&sort.state->verdict, (unsigned)HY_TOO_LARGE);
        return;
    }
    const unsigned within_mask = (1u << sort.page_shift) - 1;

    /* 1. the keys of all pages, four a thread and round */
    unsigned key[HY_LOCAL_ROUNDS][4], keys[HY_LOCAL_ROUNDS], rank[HY_LOCAL_ROUNDS][2];
#pragma unroll
    for (int r = 0; r < HY_LOCAL_ROUNDS; r++) {
        const unsigned e = 4 * (me + r * HY_LOCAL_THREADS), p = e >> sort.page_shift;
        const unsigned word = p < row ? sort.rows[bucket * sort.width + p] + 1 : 0;
        const unsigned page = (word - 1) >> 8, within = e & within_mask;
        const unsigned filled = p < row ? word - (page << 8) : 0;
        uint4 four = make_uint4(0, 0, 0, 0);
        keys[r] = within < filled ? filled - within : 0;
        if (keys[r])
            four = __ldcs(reinterpret_cast<const uint4 *>(
                sort.pages2 + ((size_t)page << sort.page_shift) + within));
        key[r][0] = four.x;
        key[r][1] = four.y;
        key[r][2] = four.z;
        key[r][3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < EACH / 4; i++)
        reinterpret_cast<uint4 *>(counters)[me + i * HY_LOCAL_THREADS] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    /* 2. count and rank */
#pragma unroll
    for (int r = 0; r < HY_LOCAL_ROUNDS; r++) {
        unsigned place[4] = {0, 0, 0, 0};
        if (keys[r] >= 4) {
#pragma unroll
            for (int i = 0; i < 4; i++)
                place[i] = atomicAdd(&counters[counter(key[r][i])], 1u);
        } else {
#pragma unroll
            for (int i = 0; i < 3; i++)
                if ((unsigned)i < keys[r]) place[i] = atomicAdd(&counters[counter(key[r][i])], 1u);
        }
        rank[r][0] = place[0] | place[1] << 16;
        rank[r][1] = place[2] | place[3] << 16;
    }
    __syncthreads();
    /* a thread has four counters of each half: neighbours read neighbouring 16 bytes */
    uint4 *halves = reinterpret_cast<uint4 *>(counters);
    uint4 low = halves[me], high = halves[me + HY_LOCAL_THREADS];
    unsigned all;
    const unsigned sum = (low.x + low.y + low.z + low.w) | (high.x + high.y + high.z + high.w)
                                                               << 16;
    const unsigned before = gb_block_exclusive_sum_once<HY_LOCAL_THREADS>(sum, sums, &all);
    halves[me] = hy_begins_of(low, before & 0xffffu);
    halves[me + HY_LOCAL_THREADS] = hy_begins_of(high, (all & 0xffffu) + (before >> 16));
    __syncthreads();
#pragma unroll
    for (int r = 0; r < HY_LOCAL_ROUNDS; r++) {
        if (!keys[r]) continue;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const unsigned ranked = i % 2 ? rank[r][i / 2] >> 16 : rank[r][i / 2] & 0xffffu;
            if (keys[r] >= 4 || (unsigned)i < keys[r])
                slots[hy_slot(counters[counter(key[r][i])] + ranked)] = key[r][i];
        }
    }
    /* behind the last, up to where windows reach */
    for (unsigned i = count + me; i < (count + 7) / 8 * 8 + 8; i += HY_LOCAL_THREADS)
        slots[hy_slot(i)] = ~0u;
    __syncthreads();

    /* 3. the groups. Every pair of neighbours lies in a window of one of the two rounds, but for
       those that the second one parts: they are looked at. */
    bool parted;
    do {
#pragma unroll
        for (unsigned shifted = 0; shifted <= 4; shifted += 4) {
            for (unsigned w = 8 * me + shifted; w < count; w += 8 * HY_LOCAL_THREADS) {
                uint4 *first = reinterpret_cast<uint4 *>(slots + hy_slot(w));
                uint4 *second = reinterpret_cast<uint4 *>(slots + hy_slot(w + 4));
                const uint4 a = *first, b = *second;
                unsigned k[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
                hy_order8(k);
                *first = make_uint4(k[0], k[1], k[2], k[3]);
                *second = make_uint4(k[4], k[5], k[6], k[7]);
            }
            __syncthreads();
        }
        parted = false;
        for (unsigned w = 8 * me + 4; w < count; w += 8 * HY_LOCAL_THREADS)
            parted |= slots[hy_slot(w - 1)] > slots[hy_slot(w)];
    } while (__syncthreads_or(parted));

    /* 4. out */
    unsigned *out = sort.keys_out + begin;
    if (encode) {
#pragma unroll 4
        for (unsigned i = me; i < count; i += HY_LOCAL_THREADS)
            out[i] = hy_decode(codec, slots[hy_slot(i)]);
    } else {
#pragma unroll 4
        for (unsigned i = me; i < count; i += HY_LOCAL_THREADS)
            out[i] = slots[hy_slot(i)];
    }
}

static __global__ void __launch_bounds__(HY_LOCAL_THREADS, 4) hy_local(hy_sort sort)
{
    const uint2 said = hy_said(sort);
    if (hy_is_done(said, HY_REFUSED | HY_ROW_FULL | HY_STRAY)) return;
    if (said.y & HY_BY_PLACE) {
        bool encode;
        const hy_codec codec = hy_codec_by_place(sort, &encode);
        hy_sort_bucket(sort, hy_in_range<HY_LOCAL_BITS>(sort.cells, blockIdx.x), encode, codec);
    } else {
        hy_sort_bucket(sort, hy_next_bits<HY_LOCAL_BITS>(32 - sort.bits1 - sort.bits2), sort.encode,
                       sort.codec);
    }
}

#endif
