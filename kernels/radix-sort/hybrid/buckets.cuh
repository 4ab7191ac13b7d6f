/* The last stage of hybrid: every bucket in shared memory, on its way from its pages to the output.
 */
#ifndef GB_RADIX_SORT_HYBRID_BUCKETS_CUH
#define GB_RADIX_SORT_HYBRID_BUCKETS_CUH

#include "kernels/radix-sort/hybrid/hybrid.cuh"

/* Orders two elements. */
template <class Kind>
static __device__ __forceinline__ void hy_order(typename Kind::element &a,
                                                typename Kind::element &b)
{
    const bool turned = Kind::above(a, b);
    const typename Kind::element low = turned ? b : a, high = turned ? a : b;
    a = low;
    b = high;
}

/* Orders eight: Batcher's merge sort, 19 comparisons. */
template <class Kind>
static __device__ __forceinline__ void hy_order8(typename Kind::element (&k)[8])
{
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        hy_order<Kind>(k[i], k[i + 1]);
#pragma unroll
    for (int i = 0; i < 8; i += 4) {
        hy_order<Kind>(k[i], k[i + 2]);
        hy_order<Kind>(k[i + 1], k[i + 3]);
        hy_order<Kind>(k[i + 1], k[i + 2]);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        hy_order<Kind>(k[i], k[i + 4]);
    hy_order<Kind>(k[2], k[4]);
    hy_order<Kind>(k[3], k[5]);
#pragma unroll
    for (int i = 1; i < 7; i += 2)
        hy_order<Kind>(k[i], k[i + 1]);
}

/* A bucket in shared memory. */
template <class Kind> struct hy_bucket {
    typedef typename Kind::element element;
    typedef gb_keys_of_16_bytes<element> vector;
    enum {
        THREADS = hy_sizes<Kind>::LOCAL_THREADS,
        VECTOR = gb_page_vector<element>,
        ITEMS = HY_ROW_KEYS / THREADS, /* of a thread */
        ROUNDS = ITEMS / VECTOR,       /* loads of 16 bytes */
        COUNTERS = 1 << HY_LOCAL_BITS,
        FOURS = COUNTERS / 4 / THREADS, /* of counters, of a thread */
        LINE = 128 / (int)sizeof(element)
    };
    static_assert(ITEMS <= 32, "a bit each");
    static_assert(FOURS == 2 || FOURS == 4, "their sums have 16 bits of a word each");

    /* 16 spare bytes in 128, so that windows of eight do not meet in a bank. */
    static __device__ __host__ __forceinline__ unsigned slot(unsigned i)
    {
        return i + i / LINE * VECTOR;
    }
    static __host__ __forceinline__ size_t bytes()
    {
        return COUNTERS * 4 + slot(HY_LOCAL_KEYS + 32) * sizeof(element);
    }

    unsigned *counters;
    element *slots;
    unsigned shift; /* of the bits of an element's top that are counted */

    __device__ __forceinline__ unsigned group(const element &e) const
    {
        return Kind::top(e) >> shift & (COUNTERS - 1);
    }

    /* The thread's elements of all pages of the bucket; bit i of what it returns says whether
     * element i is one. */
    __device__ __forceinline__ unsigned load(const hy_sort &sort, unsigned bucket,
                                             element (&key)[ITEMS]) const
    {
        const unsigned row = sort.row_lengths[bucket], within_mask = (1u << sort.page_shift) - 1;
        const element *pages = static_cast<const element *>(sort.pages2);
        unsigned valid = 0;
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
            const unsigned e = VECTOR * (threadIdx.x + r * THREADS), p = e >> sort.page_shift;
            const unsigned word = p < row ? sort.rows[bucket * sort.width + p] + 1 : 0;
            const unsigned page = (word - 1) >> 8, within = e & within_mask;
            const unsigned filled = p < row ? word - (page << 8) : 0;
            vector some = {};
            if (within < filled) {
                some = hy_load_once(reinterpret_cast<const vector *>(
                    pages + ((size_t)page << sort.page_shift) + within));
                const unsigned keys = filled - within;
                valid |= (keys >= VECTOR ? (1u << VECTOR) - 1 : (1u << keys) - 1) << (VECTOR * r);
            }
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                key[VECTOR * r + v] = some.key[v];
        }
        return valid;
    }

    /* Calls go(i, whether it is there) for the thread's elements, vector by vector: nearly all are
     * whole or empty. */
    template <class Go> static __device__ __forceinline__ void each_vector(unsigned valid, Go &&go)
    {
        const unsigned whole = (1u << VECTOR) - 1;
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
            const unsigned some = valid >> r * VECTOR & whole;
            if (some == whole) {
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    go(r * VECTOR + v, true);
            } else if (some) {
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    go(r * VECTOR + v, some >> v & 1);
            }
        }
    }

    __device__ __forceinline__ void clear() const
    {
#pragma unroll
        for (int i = 0; i < FOURS; i++)
            reinterpret_cast<uint4 *>(counters)[threadIdx.x + i * THREADS] =
                make_uint4(0, 0, 0, 0);
    }

    /* Counters become where their groups begin. A thread has four of each quarter, or half:
     * neighbours read neighbouring 16 bytes. */
    __device__ __forceinline__ void begins(unsigned long long *sums) const
    {
        uint4 *fours = reinterpret_cast<uint4 *>(counters);
        uint4 four[FOURS];
        unsigned long long sum = 0, all;
#pragma unroll
        for (int i = 0; i < FOURS; i++) {
            four[i] = fours[threadIdx.x + i * THREADS];
            sum += (unsigned long long)(four[i].x + four[i].y + four[i].z + four[i].w) << 16 * i;
        }
        unsigned long long before = gb_block_exclusive_sum_once<THREADS>(sum, sums, &all);
        unsigned base = 0;
#pragma unroll
        for (int i = 0; i < FOURS; i++) {
            uint4 begin;
            begin.x = base + (unsigned)(before >> 16 * i & 0xffffu);
            begin.y = begin.x + four[i].x;
            begin.z = begin.y + four[i].y;
            begin.w = begin.z + four[i].z;
            fours[threadIdx.x + i * THREADS] = begin;
            base += (unsigned)(all >> 16 * i & 0xffffu);
        }
    }

    /* Puts groups in order: every pair of neighbours lies in a window of one of two rounds, but for
     * those that the second one parts: they are looked at, and once each is nearly always enough. */
    __device__ __forceinline__ void order_groups(unsigned count) const
    {
        enum { VECTORS = 8 / VECTOR };
        bool parted;
        do {
#pragma unroll
            for (unsigned shifted = 0; shifted <= 4; shifted += 4) {
                for (unsigned w = 8 * threadIdx.x + shifted; w < count; w += 8 * THREADS) {
                    element k[8];
#pragma unroll
                    for (int i = 0; i < VECTORS; i++)
                        *reinterpret_cast<vector *>(k + i * VECTOR) =
                            *reinterpret_cast<const vector *>(slots + slot(w + i * VECTOR));
                    hy_order8<Kind>(k);
#pragma unroll
                    for (int i = 0; i < VECTORS; i++)
                        *reinterpret_cast<vector *>(slots + slot(w + i * VECTOR)) =
                            *reinterpret_cast<const vector *>(k + i * VECTOR);
                }
                __syncthreads();
            }
            parted = false;
            for (unsigned w = 8 * threadIdx.x + 4; w < count; w += 8 * THREADS)
                parted |= Kind::above(slots[slot(w - 1)], slots[slot(w)]);
        } while (__syncthreads_or(parted));
    }
};

/* One block a bucket: counted by the bits that come next and moved to their groups, which are tiny;
 * then these are put in order. */
template <class Kind>
static __global__ void
__launch_bounds__(hy_sizes<Kind>::LOCAL_THREADS, hy_sizes<Kind>::LOCAL_BLOCKS) hy_local(hy_sort sort)
{
    typedef hy_bucket<Kind> bucket_of;
    typedef typename Kind::element element;
    typedef typename Kind::key_type key_type;
    enum { THREADS = bucket_of::THREADS, ITEMS = bucket_of::ITEMS };
    GB_DYNAMIC_SHARED();
    __shared__ unsigned long long sums[GB_WARP + 1];
    const uint2 said = hy_said(sort);
    if ((said.x & (HY_REFUSED | HY_ROW_FULL)) | said.y) return;
    const unsigned bucket = blockIdx.x, me = threadIdx.x;
    const unsigned begin = sort.begins[bucket];
    const unsigned count = (bucket + 1 < gridDim.x ? sort.begins[bucket + 1] : sort.n) - begin;
    if (count == 0) return;
    if (count > HY_LOCAL_KEYS) {
        if (me == 0) atomicOr(sort.verdict, (unsigned)HY_TOO_LARGE);
        return;
    }
    const unsigned left = 32 - sort.bits1 - sort.bits2;
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const bucket_of in = {counters, reinterpret_cast<element *>(counters + bucket_of::COUNTERS),
                          left > HY_LOCAL_BITS ? left - HY_LOCAL_BITS : 0};

    element key[ITEMS];
    const unsigned valid = in.load(sort, bucket, key);
    in.clear();
    __syncthreads();

    /* 1. count and rank: two ranks a word */
    unsigned rank[ITEMS / 2] = {};
    in.each_vector(valid, [&](int i, bool there) {
        unsigned place = 0;
        if (there) place = atomicAdd(&counters[in.group(key[i])], 1u);
        rank[i / 2] = i % 2 ? rank[i / 2] | place << 16 : place;
    });
    __syncthreads();
    in.begins(sums);
    __syncthreads();

    /* 2. to the groups, and behind the last, up to where windows reach, what is never below; groups
       are computed anew: kept, they would take a register a key */
    bucket_of again = in;
    again.shift = gb_forget(in.shift);
    in.each_vector(valid, [&](int i, bool there) {
        const unsigned ranked = i % 2 ? rank[i / 2] >> 16 : rank[i / 2] & 0xffffu;
        if (there) in.slots[in.slot(counters[again.group(key[i])] + ranked)] = key[i];
    });
    for (unsigned i = count + me; i < (count + 7) / 8 * 8 + 8; i += THREADS)
        in.slots[in.slot(i)] = Kind::largest();
    __syncthreads();

    in.order_groups(count);

    /* 3. out: a warp writes lines */
    key_type *out = static_cast<key_type *>(sort.keys_out) + begin;
    uint32_t *payload_out = Kind::PAYLOAD ? sort.payload_out + begin : NULL;
    const unsigned ahead = begin % GB_WARP;
    for (unsigned i = me < ahead ? me + THREADS - ahead : me - ahead; i < count; i += THREADS) {
        const element e = in.slots[in.slot(i)];
        out[i] = sort.encode ? hy_decode(sort.codec, Kind::image(e)) : Kind::image(e);
        if (Kind::PAYLOAD) payload_out[i] = Kind::payload(e);
    }
}

#endif
