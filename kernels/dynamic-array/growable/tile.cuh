/* A tile: the elements that one block takes at once, those that pass a test packed together in
 * shared memory in the order of the input, and written to where they belong, 16 bytes at a time.
 *
 * Reads and writes are what the memory sees; the packing in between costs a prefix sum by shuffles
 * (counts of a warp's vectors side by side in the bytes of a word) and one trip through shared
 * memory. Needs nothing but the CUDA runtime: it is installed with the growable array. */
#ifndef GB_TILE_CUH
#define GB_TILE_CUH

#include "growable.h"

#include <string.h>

/* 16 bytes that are used once: they need not stay in caches. */
template <class G> static __device__ __forceinline__ G gb_load_streaming(const G *at)
{
    const uint4 words = __ldcs(reinterpret_cast<const uint4 *>(at));
    G group;
    memcpy(&group, &words, sizeof group);
    return group;
}
template <class G> static __device__ __forceinline__ void gb_store_streaming(G *at, const G &group)
{
    uint4 words;
    memcpy(&words, &group, sizeof words);
    __stcs(reinterpret_cast<uint4 *>(at), words);
}

/* A block of THREADS (a multiple of 32), VECTORS groups of 16 bytes a thread (at most 8), elements
 * of type E: 4, 8 or 16 bytes. */
template <class E, int THREADS, int VECTORS> struct gb_tile {
    enum {
        PER = 16 / sizeof(E), /* elements of a group */
        SIZE = THREADS * VECTORS * PER,
        WARPS = THREADS / 32,
        WORDS = (VECTORS + 3) / 4
    };
    static_assert(sizeof(E) == 4 || sizeof(E) == 8 || sizeof(E) == 16, "4, 8 or 16 bytes");
    static_assert(THREADS % 32 == 0 && VECTORS >= 1 && VECTORS * PER <= 32, "a word of flags");

    struct __align__(16) group { E element[PER]; };
    struct shared {
        group kept[THREADS * VECTORS];
        unsigned warp_sum[WARPS];
    };

    group mine[VECTORS];
    unsigned there;            /* which of mine are elements of the input, from bit 0 on */
    unsigned flags;            /* ... and are kept */
    unsigned inclusive[WORDS]; /* a byte a vector: kept in it by this lane and those below */
    unsigned first;            /* where the warp's part begins */
    unsigned total;            /* kept in the tile */

    /* How many tiles n elements are. */
    static inline __host__ __device__ unsigned long long tiles_of(unsigned long long n)
    {
        return (n + SIZE - 1) / SIZE;
    }

    /* Reads elements [begin, begin + SIZE) of in[0, n), which is aligned to 16 bytes. Nothing is
     * waited for: count() is what looks at them. */
    __device__ __forceinline__ void load(const E *in, unsigned long long n,
                                         unsigned long long begin)
    {
        const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
        const unsigned at = (warp * VECTORS * 32 + lane) * PER;
        there = ~0u;
        if (begin + SIZE <= n) {
#pragma unroll
            for (int v = 0; v < VECTORS; v++)
                mine[v] = gb_load_streaming(
                    reinterpret_cast<const group *>(in + begin + at + v * 32 * PER));
            return;
        }
        there = 0;
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
#pragma unroll
            for (int k = 0; k < PER; k++) {
                const unsigned long long i = begin + at + v * 32 * PER + k;
                if (i >= n) continue;
                mine[v].element[k] = in[i];
                there |= 1u << (v * PER + k);
            }
    }

    /* Asks for elements [begin, begin + SIZE) of in[0, n) to be brought to the L2, a line a thread
     * and turn. */
    static __device__ __forceinline__ void prefetch(const E *in, unsigned long long n,
                                                    unsigned long long begin)
    {
#if defined(__CUDACC__)
        enum { LINE = 128 / sizeof(E) };
        for (unsigned at = threadIdx.x * LINE; at < SIZE && begin + at < n; at += THREADS * LINE)
            asm volatile("prefetch.global.L2 [%0];" ::"l"(in + begin + at));
#else
        (void)in, (void)n, (void)begin; /* nothing that a program could tell */
#endif
    }

    /* Counts what is kept, that is, what keep(element) is true of: first and total. One barrier;
     * shared->warp_sum must be free. */
    template <class Keep> __device__ __forceinline__ void count(shared *shared, Keep keep)
    {
        const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
        unsigned sum = 0;
        flags = 0;
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
#pragma unroll
            for (int k = 0; k < PER; k++)
                if (keep(mine[v].element[k])) flags |= 1u << (v * PER + k);
        flags &= there;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            inclusive[w] = own_counts(w);
#pragma unroll
            for (int d = 1; d < 32; d *= 2) {
                const unsigned below = __shfl_up_sync(0xffffffffu, inclusive[w], d);
                if (lane >= (unsigned)d) inclusive[w] += below;
            }
            sum += bytes_of(__shfl_sync(0xffffffffu, inclusive[w], 31));
        }
        if (lane == 0) shared->warp_sum[warp] = sum;
        __syncthreads();
        first = total = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            const unsigned of_warp = shared->warp_sum[w];
            if ((unsigned)w < warp) first += of_warp;
            total += of_warp;
        }
    }

    /* Packs what is kept into shared->kept[0, total). A barrier is due before it is read. */
    __device__ __forceinline__ void pack(shared *shared) const
    {
        E *kept = shared->kept[0].element;
        unsigned before = first;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            const unsigned all = __shfl_sync(0xffffffffu, inclusive[w], 31);
            const unsigned exclusive = inclusive[w] - own_counts(w);
#pragma unroll
            for (int v = 4 * w; v < VECTORS && v < 4 * w + 4; v++) {
                unsigned at = before + (exclusive >> 8 * (v % 4) & 255u);
#pragma unroll
                for (int k = 0; k < PER; k++)
                    if (flags >> (v * PER + k) & 1u) kept[at++] = mine[v].element[k];
                before += all >> 8 * (v % 4) & 255u;
            }
        }
    }

    /* The block writes shared->kept[from, to) to out[0, to - from). */
    static __device__ __forceinline__ void store(const shared *shared, unsigned from, unsigned to,
                                                 E *out)
    {
        const E *kept = shared->kept[0].element + from;
        const unsigned count = to - from;
        const unsigned misplaced =
            (unsigned)(reinterpret_cast<unsigned long long>(out) / sizeof(E)) % PER;
        unsigned head = misplaced ? PER - misplaced : 0;
        if (head > count) head = count;
        const unsigned groups = (count - head) / PER, tail = head + groups * PER;
        if (threadIdx.x < head) out[threadIdx.x] = kept[threadIdx.x];
        for (unsigned g = threadIdx.x; g < groups; g += THREADS) {
            const unsigned at = head + g * PER;
            group four;
#pragma unroll
            for (int k = 0; k < PER; k++)
                four.element[k] = kept[at + k];
            gb_store_streaming(reinterpret_cast<group *>(out + at), four);
        }
        if (threadIdx.x < count - tail) out[tail + threadIdx.x] = kept[tail + threadIdx.x];
    }

  private:
    /* A byte a vector: how many of it this thread keeps. */
    __device__ __forceinline__ unsigned own_counts(int word) const
    {
        unsigned counts = 0;
#pragma unroll
        for (int v = 4 * word; v < VECTORS && v < 4 * word + 4; v++)
            counts |= (unsigned)__popc(flags >> (v * PER) & ((1u << PER) - 1u)) << 8 * (v % 4);
        return counts;
    }

    static __device__ __forceinline__ unsigned bytes_of(unsigned word)
    {
        return (word & 255u) + (word >> 8 & 255u) + (word >> 16 & 255u) + (word >> 24);
    }
};

#endif
