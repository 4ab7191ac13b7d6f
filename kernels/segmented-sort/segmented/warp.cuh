/* Segments of up to 2048 keys: a warp, a few of its lanes or two warps sort one in its registers by
 * a bitonic network (Batcher 1968) in which all comparisons put the smaller one first: runs are
 * merged by comparing each with the mirror image of its neighbour.
 *
 * Of 32 k keys a lane has k neighbours. Merges across lanes are 15 exchanges by shuffles whatever k
 * is, all other comparisons happen within a thread: a key more a lane costs less than a key on a
 * lane of its own. */
#ifndef GB_SEGMENTED_SORT_SEGMENTED_WARP_CUH
#define GB_SEGMENTED_SORT_SEGMENTED_WARP_CUH

#include "kernels/radix-sort/codec.cuh"
#include "kernels/segmented-sort/segmented/classes.cuh"

/* The arrays of a sort in device memory. Payloads are NULL without. */
template <class Key> struct sg_arrays {
    const Key *keys_in;
    Key *keys_out;
    const uint32_t *payload_in;
    uint32_t *payload_out;
    rs_codec codec;
    const Key *keys_parted; /* images */
    const uint32_t *payload_parted;

    __device__ __forceinline__ const Key *keys_of(const sg_segment &segment) const
    {
        return (segment.parted() ? keys_parted : keys_in) + segment.begin;
    }
    __device__ __forceinline__ const uint32_t *payload_of(const sg_segment &segment) const
    {
        return (segment.parted() ? payload_parted : payload_in) + segment.begin;
    }
    /* Of a key that was read there. */
    __device__ __forceinline__ Key image_of(const sg_segment &segment, Key key) const
    {
        return segment.parted() ? key : rs_encode(codec, key);
    }
};

/* ---- what is compared ------------------------------------------------------------------------ */

/* Bare keys that are equal cannot be told apart; with a payload, a key's position in its segment
 * follows it and decides between equals: that is what makes the network stable. LAST: behind
 * everything that a segment has, or equal to it where nobody can tell. */
template <class Key, bool PAYLOAD> struct sg_element {
    Key key;
    static __device__ __forceinline__ sg_element of(Key key, unsigned) { return sg_element{key}; }
    static __device__ __forceinline__ sg_element last() { return sg_element{~(Key)0}; }
    __device__ __forceinline__ bool before(const sg_element &other) const
    {
        return key < other.key;
    }
    __device__ __forceinline__ sg_element of_lane_xor(int lanes) const
    {
        return sg_element{__shfl_xor_sync(GB_FULL_MASK, key, lanes)};
    }
    __device__ __forceinline__ Key image() const { return key; }
    __device__ __forceinline__ unsigned position() const { return 0; }
};

template <> struct sg_element<unsigned, true> {
    unsigned long long both; /* the key above its position */
    static __device__ __forceinline__ sg_element of(unsigned key, unsigned position)
    {
        return sg_element{(unsigned long long)key << 32 | position};
    }
    static __device__ __forceinline__ sg_element last() { return sg_element{~0ull}; }
    __device__ __forceinline__ bool before(const sg_element &other) const
    {
        return both < other.both;
    }
    __device__ __forceinline__ sg_element of_lane_xor(int lanes) const
    {
        return sg_element{__shfl_xor_sync(GB_FULL_MASK, both, lanes)};
    }
    __device__ __forceinline__ unsigned image() const { return (unsigned)(both >> 32); }
    __device__ __forceinline__ unsigned position() const { return (unsigned)both; }
};

template <> struct sg_element<unsigned long long, true> {
    unsigned long long key;
    unsigned at;
    static __device__ __forceinline__ sg_element of(unsigned long long key, unsigned position)
    {
        return sg_element{key, position};
    }
    static __device__ __forceinline__ sg_element last() { return sg_element{~0ull, ~0u}; }
    __device__ __forceinline__ bool before(const sg_element &other) const
    {
        return (key < other.key) | ((key == other.key) & (at < other.at)); /* no branch */
    }
    __device__ __forceinline__ sg_element of_lane_xor(int lanes) const
    {
        return sg_element{__shfl_xor_sync(GB_FULL_MASK, key, lanes),
                          __shfl_xor_sync(GB_FULL_MASK, at, lanes)};
    }
    __device__ __forceinline__ unsigned long long image() const { return key; }
    __device__ __forceinline__ unsigned position() const { return at; }
};

/* ---- the network ----------------------------------------------------------------------------- */

template <class Element> __device__ __forceinline__ void sg_order(Element &a, Element &b)
{
    const bool turned = b.before(a);
    const Element low = turned ? b : a;
    b = turned ? a : b;
    a = low;
}

/* The smaller one of the lane's and another's, or the larger one. */
template <class Element>
__device__ __forceinline__ Element sg_keep(const Element &mine, const Element &other, bool smaller)
{
    return other.before(mine) == smaller ? other : mine;
}

/* Comparisons at distances DISTANCE, DISTANCE / 2, ... 1 of a thread's elements. */
template <int DISTANCE, class Element, int K>
__device__ __forceinline__ void sg_merge_within(Element (&e)[K])
{
    if constexpr (DISTANCE > 0) {
#pragma unroll
        for (int j = 0; j < K; j++)
            if (!(j & DISTANCE)) sg_order(e[j], e[j | DISTANCE]);
        sg_merge_within<DISTANCE / 2>(e);
    }
}

/* Each SIZE, 2 SIZE, ... K neighbours of a thread into order, their halves being so already. */
template <int SIZE, class Element, int K>
__device__ __forceinline__ void sg_sort_within(Element (&e)[K])
{
    if constexpr (SIZE <= K) {
#pragma unroll
        for (int j = 0; j < K; j++)
            if (j < (j ^ (SIZE - 1))) sg_order(e[j], e[j ^ (SIZE - 1)]);
        sg_merge_within<SIZE / 4>(e);
        sg_sort_within<2 * SIZE>(e);
    }
}

/* Exchanges with lanes at distances DISTANCE, ... 1. */
template <int DISTANCE, class Element, int K>
__device__ __forceinline__ void sg_merge_lanes(Element (&e)[K])
{
    if constexpr (DISTANCE > 0) {
        const bool smaller = !(gb_lane() & DISTANCE);
#pragma unroll
        for (int j = 0; j < K; j++)
            e[j] = sg_keep(e[j], e[j].of_lane_xor(DISTANCE), smaller);
        sg_merge_lanes<DISTANCE / 2>(e);
    }
}

/* Runs of SPAN lanes, 2 SPAN, ... LANES, whose halves are in order already. */
template <int SPAN, int LANES, class Element, int K>
__device__ __forceinline__ void sg_sort_lanes(Element (&e)[K])
{
    if constexpr (SPAN <= LANES) {
        const bool smaller = !(gb_lane() & SPAN / 2);
#pragma unroll
        for (int j = 0; j < K / 2; j++) {
            const Element mirrored = e[K - 1 - j].of_lane_xor(SPAN - 1);
            const Element back = e[j].of_lane_xor(SPAN - 1);
            e[j] = sg_keep(e[j], mirrored, smaller);
            e[K - 1 - j] = sg_keep(e[K - 1 - j], back, smaller);
        }
        sg_merge_lanes<SPAN / 4>(e);
        sg_merge_within<K / 2>(e);
        sg_sort_lanes<2 * SPAN, LANES>(e);
    }
}

/* ---- segments -------------------------------------------------------------------------------- */

enum { SG_WARP_THREADS = 256, SG_WARPS = SG_WARP_THREADS / GB_WARP };

/* A warp's own shared memory: 32 K keys in order, then their positions, with a spare word in 32 so
 * that lanes K words apart do not meet in a bank; and the payloads as they came. */
template <class Key, bool PAYLOAD, int K> struct sg_staged {
    Key place[GB_WARP * K + K];
    uint32_t payload[PAYLOAD ? GB_WARP * K : 1];
    static __device__ __forceinline__ unsigned slot(unsigned i) { return i + i / GB_WARP; }
};

/* A thread's elements of a segment, LANES apart, from the key at `first` on. */
template <int LANES, int K, class Key, bool PAYLOAD>
__device__ __forceinline__ void sg_load(const sg_arrays<Key> &arrays, const sg_segment &segment,
                                        unsigned first, sg_element<Key, PAYLOAD> (&e)[K])
{
    const unsigned count = segment.count();
    const Key *keys = arrays.keys_of(segment);
    Key key[K];
#pragma unroll
    for (int j = 0; j < K; j++)
        key[j] = first + j * LANES < count ? keys[first + j * LANES] : (Key)0;
    if (!arrays.codec.identity && !segment.parted()) {
#pragma unroll
        for (int j = 0; j < K; j++)
            key[j] = rs_encode(arrays.codec, key[j]);
    }
#pragma unroll
    for (int j = 0; j < K; j++)
        e[j] = first + j * LANES < count ? sg_element<Key, PAYLOAD>::of(key[j], first + j * LANES)
                                         : sg_element<Key, PAYLOAD>::last();
}

/* All segments of a list, each by LANES lanes that have K (even) keys each. */
template <int LANES, int K, class Key, bool PAYLOAD, int STAGED>
__device__ __forceinline__ void sg_sort_list(const sg_arrays<Key> &arrays,
                                             const sg_segment *__restrict__ list, unsigned listed,
                                             sg_staged<Key, PAYLOAD, STAGED> &staged)
{
    typedef sg_element<Key, PAYLOAD> element;
    /* a thread's keys are neighbours before, LANES apart after, and so are their slots */
    enum { GROUPS = GB_WARP / LANES, APART = LANES + LANES / GB_WARP };
    static_assert(GB_WARP % K == 0 && (LANES == GB_WARP || LANES * K <= GB_WARP),
                  "no neighbours of a thread have a spare slot between them");
    static_assert(K <= STAGED && K % 2 == 0,
                  "a warp's keys have room, and pairs mirror each other");
    const unsigned group = gb_lane() / LANES, within = gb_lane() % LANES;
    const unsigned mine = group * LANES * K; /* where the group's keys are staged */
    Key *own = staged.place + staged.slot(gb_lane() * K);
    const Key *sorted = staged.place + staged.slot(mine + within);
    const unsigned warps = gridDim.x * SG_WARPS;
    for (unsigned first = (blockIdx.x * SG_WARPS + threadIdx.x / GB_WARP) * GROUPS; first < listed;
         first += warps * GROUPS) {
        sg_segment segment = {0, 0};
        if (first + group < listed) segment = list[first + group];
        const unsigned count = segment.count();
        element e[K];
        sg_load<LANES>(arrays, segment, within, e);
        if constexpr (PAYLOAD) {
            const uint32_t *payload = arrays.payload_of(segment);
#pragma unroll
            for (int j = 0; j < K; j++)
                if (j * LANES + within < count)
                    staged.payload[mine + j * LANES + within] = payload[j * LANES + within];
        }
        sg_sort_within<2>(e);
        sg_sort_lanes<2, LANES>(e);
#pragma unroll
        for (int j = 0; j < K; j++)
            own[j] = e[j].image();
        __syncwarp();
#pragma unroll
        for (int j = 0; j < K; j++) {
            const unsigned at = j * LANES + within;
            if (at < count)
                arrays.keys_out[segment.begin + at] = rs_decode(arrays.codec, sorted[j * APART]);
        }
        __syncwarp();
        if constexpr (PAYLOAD) {
#pragma unroll
            for (int j = 0; j < K; j++)
                own[j] = e[j].position();
            __syncwarp();
#pragma unroll
            for (int j = 0; j < K; j++) {
                const unsigned at = j * LANES + within;
                if (at < count)
                    arrays.payload_out[segment.begin + at] =
                        staged.payload[mine + (unsigned)sorted[j * APART]];
            }
            __syncwarp();
        }
    }
}

/* The four lists of segments of up to 64 keys. */
template <class Key, bool PAYLOAD>
__global__ void __launch_bounds__(SG_WARP_THREADS)
    sg_sort_few(sg_arrays<Key> arrays, sg_lists lists)
{
    __shared__ sg_staged<Key, PAYLOAD, 2> staged[SG_WARPS];
    sg_staged<Key, PAYLOAD, 2> &own = staged[threadIdx.x / GB_WARP];
    const unsigned *listed = lists.counts->listed;
    sg_sort_list<4, 2>(arrays, lists.list[SG_UP_TO_8], listed[SG_UP_TO_8], own);
    sg_sort_list<8, 2>(arrays, lists.list[SG_UP_TO_16], listed[SG_UP_TO_16], own);
    sg_sort_list<16, 2>(arrays, lists.list[SG_UP_TO_32], listed[SG_UP_TO_32], own);
    sg_sort_list<32, 2>(arrays, lists.list[SG_UP_TO_64], listed[SG_UP_TO_64], own);
}

/* One list of segments of up to 32 K keys; BLOCKS of the kernel's are resident. */
template <class Key, bool PAYLOAD, int K, int BLOCKS>
__global__ void __launch_bounds__(SG_WARP_THREADS, BLOCKS)
    sg_sort_by_warps(sg_arrays<Key> arrays, const sg_segment *list, const unsigned *listed)
{
    __shared__ sg_staged<Key, PAYLOAD, K> staged[SG_WARPS];
    sg_sort_list<GB_WARP, K>(arrays, list, *listed, staged[threadIdx.x / GB_WARP]);
}

enum { SG_PAIR_THREADS = 2 * GB_WARP };

/* One list of segments of up to 64 K bare keys: a warp sorts each half, and one more merge puts
 * them together, whose first comparison is by way of shared memory. */
template <class Key, int K, int BLOCKS>
__global__ void __launch_bounds__(SG_PAIR_THREADS, BLOCKS)
    sg_sort_by_two_warps(sg_arrays<Key> arrays, const sg_segment *__restrict__ list,
                         const unsigned *listed)
{
    typedef sg_element<Key, false> element;
    enum { HALF = GB_WARP * K };
    __shared__ Key place[2 * (HALF + K)];
    const auto slot = [](unsigned i) { return i + i / GB_WARP; };
    const unsigned warp = threadIdx.x / GB_WARP, mine = warp * HALF + gb_lane() * K;
    Key *own = place + slot(mine); /* a thread's slots are neighbours, as are their mirror images */
    const Key *mirrored = place + slot(2 * HALF - 1 - mine);
    for (unsigned s = blockIdx.x; s < *listed; s += gridDim.x) {
        const sg_segment segment = list[s];
        element e[K];
        sg_load<GB_WARP>(arrays, segment, warp * HALF + gb_lane(), e);
        sg_sort_within<2>(e);
        sg_sort_lanes<2, GB_WARP>(e);
#pragma unroll
        for (int j = 0; j < K; j++)
            own[j] = e[j].key;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < K; j++)
            e[j] = sg_keep(e[j], element{mirrored[-j]}, warp == 0);
        sg_merge_lanes<GB_WARP / 2>(e);
        sg_merge_within<K / 2>(e);
        __syncthreads();
#pragma unroll
        for (int j = 0; j < K; j++)
            own[j] = e[j].key;
        __syncwarp();
        for (unsigned at = warp * HALF + gb_lane(); at < (warp + 1) * HALF && at < segment.count();
             at += GB_WARP)
            arrays.keys_out[segment.begin + at] = rs_decode(arrays.codec, place[slot(at)]);
        __syncwarp();
    }
}

#endif
