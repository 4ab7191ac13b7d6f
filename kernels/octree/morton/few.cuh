/* The tree of few bodies, from whole keys as in wide.cuh, in four launches, for what few bodies
 * cost is launches. A comparison sort by regular sampling (Shi, Schaeffer 1992): runs are sorted by
 * a block each, their quantiles tell where buckets part, and the bodies of a bucket are found in
 * all runs by bisection and sorted by a block. However the bodies lie, a bucket has no more than
 * its share and a step of quantiles of each run, so that the room for it is known.
 *
 *   runs     keys, runs and what parts buckets; the last block to end finds that
 *   buckets  the bodies of each in their order
 *   list     the cells that each body begins
 *   emit     cells, by wide.cuh
 *
 * A key is a body's 24 digits and, behind them, its number: no two are the same. */
#ifndef GB_OCTREE_MORTON_FEW_CUH
#define GB_OCTREE_MORTON_FEW_CUH

#include "kernels/octree/morton/wide.cuh"

enum {
    MF_RUN_THREADS = 1024,
    MF_THREADS = 512, /* of a bucket */
    MF_LIST_THREADS = 256,
    MF_RUN = 1024,   /* bodies */
    MF_SAMPLES = 16, /* of a run */
    MF_STEP = MF_RUN / MF_SAMPLES,
    MF_BUCKET = 256,   /* bodies that a bucket should have, */
    MF_BUCKETS_SM = 2, /* where that makes no more buckets a multiprocessor */
    MF_ID_BITS = 23,   /* of a body's number, behind the digits that the code leaves out */
    MF_MOST_RUNS = MF_THREADS,
    MF_STATIC = 6144 /* bytes of shared memory that kernels have by themselves, at most */
};

/* What is sorted: 63 bits of a code, and a word behind it. */
typedef struct mf_keys {
    unsigned long long *code;
    uint32_t *word;
} mf_keys;

/* Device memory of a build of few bodies. */
typedef struct mf_build {
    mw_build whole;
    unsigned runs, buckets;
    mf_keys run;      /* n */
    mf_keys sample;   /* runs * MF_SAMPLES */
    mf_keys splitter; /* buckets: the first key of each; that of the first bucket is none */
    unsigned *ticket; /* 0; every build leaves it so */
} mf_build;

/* Samples of all runs. */
static __host__ __device__ __forceinline__ unsigned mf_samples(unsigned runs)
{
    return runs * MF_SAMPLES;
}
/* Bodies that a bucket has at most: those of the samples between its splitters, and of one more
 * step of every run. */
static inline uint64_t mf_most_of_bucket(unsigned runs, unsigned buckets)
{
    return ((mf_samples(runs) + (uint64_t)buckets - 1) / buckets + runs) * MF_STEP;
}

/* Two places for so many keys, in shared memory. */
static inline size_t mf_bytes(uint64_t keys)
{
    return keys * 2 * (sizeof(unsigned long long) + sizeof(uint32_t));
}

/* ---- sorting in a block ---------------------------------------------------------------------- */

static __device__ __forceinline__ bool mf_less(unsigned long long code_a, uint32_t word_a,
                                               unsigned long long code_b, uint32_t word_b)
{
    return code_a < code_b || (code_a == code_b && word_a < word_b);
}

struct mf_sorter {
    mf_keys now, other;

    __device__ __forceinline__ mf_sorter(unsigned char *memory, unsigned keys)
    {
        now.code = reinterpret_cast<unsigned long long *>(memory);
        other.code = now.code + keys;
        now.word = reinterpret_cast<uint32_t *>(other.code + keys);
        other.word = now.word + keys;
    }

    /* Sorts `count` keys, of which each `width` (a power of two) are sorted: each finds its place
     * in the run beside its own. All threads; a barrier is behind it, and must be before. */
    template <int THREADS> __device__ __forceinline__ void sort(unsigned count, unsigned width)
    {
        for (; width < count; width *= 2) {
            for (unsigned i = threadIdx.x; i < count; i += THREADS) {
                const unsigned long long code = now.code[i];
                const uint32_t word = now.word[i];
                const unsigned to = mo_merged(i, count, width, [&](unsigned k, bool right) {
                    const unsigned long long c = now.code[k];
                    if (c != code) return c < code;
                    const uint32_t w = now.word[k];
                    return w < word || (right && w == word);
                });
                other.code[to] = code;
                other.word[to] = word;
            }
            const mf_keys sorted = other;
            other = now;
            now = sorted;
            __syncthreads();
        }
    }
};

/* ---- runs ------------------------------------------------------------------------------------ */

static __device__ __forceinline__ unsigned mf_count(const mw_build &b, unsigned run)
{
    const uint64_t rest = b.n - (uint64_t)run * MF_RUN;
    return rest < MF_RUN ? (unsigned)rest : (unsigned)MF_RUN;
}

/* Where sample k of a full run lies: equally far apart in all runs, but not at the same quantiles,
 * for buckets would then part there and nowhere between. */
static __device__ __forceinline__ unsigned mf_quantile(unsigned run, unsigned k)
{
    return k * MF_STEP + gb_scatter32(run) % MF_STEP;
}

/* Nothing is marked or handed out yet. */
static __device__ __forceinline__ void mf_clear(const mw_build &b)
{
    for (uint64_t i = gb_first(); i < (b.n + 31) / 32; i += gb_stride())
        b.first[i] = 0;
    if (gb_first() == 0) *b.words = mo_words{};
}

/* The keys that buckets begin with, of all samples. One block. */
static __device__ __forceinline__ void mf_part(const mf_build &f, unsigned char *memory)
{
    const unsigned samples = mf_samples(f.runs);
    mf_sorter s(memory, samples);
    for (unsigned i = threadIdx.x; i < samples; i += MF_RUN_THREADS) {
        s.now.code[i] = __ldcg(&f.sample.code[i]);
        s.now.word[i] = __ldcg(&f.sample.word[i]);
    }
    __syncthreads();
    s.sort<MF_RUN_THREADS>(samples, MF_SAMPLES);
    for (unsigned j = threadIdx.x; j < f.buckets; j += MF_RUN_THREADS) {
        const unsigned at = (unsigned)((uint64_t)j * samples / f.buckets);
        f.splitter.code[j] = s.now.code[at];
        f.splitter.word[j] = s.now.word[at];
    }
}

/* A block a run. */
static __global__ void __launch_bounds__(MF_RUN_THREADS) mf_runs(mf_build f)
{
    GB_DYNAMIC_SHARED();
    const mw_build &b = f.whole;
    const unsigned count = mf_count(b, blockIdx.x);
    const uint64_t first = (uint64_t)blockIdx.x * MF_RUN;
    mf_sorter s(gb_shared_memory, MF_RUN);
    mf_clear(b);
    for (unsigned i = threadIdx.x; i < count; i += MF_RUN_THREADS) {
        const oc_place place = mw_place(b, first + i);
        s.now.code[i] = oc_code(place);
        s.now.word[i] = mw_last_digits(place) << MF_ID_BITS | (uint32_t)(first + i);
    }
    __syncthreads();
    s.sort<MF_RUN_THREADS>(count, 1);
    for (unsigned i = threadIdx.x; i < count; i += MF_RUN_THREADS) {
        f.run.code[first + i] = s.now.code[i];
        f.run.word[first + i] = s.now.word[i];
    }
    for (unsigned k = threadIdx.x; k < MF_SAMPLES; k += MF_RUN_THREADS) {
        const unsigned at = mf_quantile(blockIdx.x, k) * count / MF_RUN,
                       to = blockIdx.x * MF_SAMPLES + k;
        f.sample.code[to] = s.now.code[at];
        f.sample.word[to] = s.now.word[at];
    }
    if (!gb_is_last_block(f.ticket)) return;
    mf_part(f, gb_shared_memory);
    if (threadIdx.x == 0) *f.ticket = 0;
}

/* ---- buckets --------------------------------------------------------------------------------- */

/* Where in a run the bodies of a bucket begin and end. */
static __device__ __forceinline__ void mf_bisect(const mf_build &f, unsigned run, unsigned bucket,
                                                 unsigned *from, unsigned *to)
{
    const unsigned first = run * MF_RUN, count = mf_count(f.whole, run);
    unsigned low[2] = {0, 0}, high[2] = {bucket ? count : 0, count};
    if (bucket + 1 == f.buckets) low[1] = count;
    unsigned long long code[2];
    uint32_t word[2];
#pragma unroll
    for (int e = 0; e < 2; e++) {
        const unsigned j = bucket + e < f.buckets ? bucket + (unsigned)e : 0;
        code[e] = f.splitter.code[j];
        word[e] = f.splitter.word[j];
    }
    while (low[0] < high[0] || low[1] < high[1])
#pragma unroll
        for (int e = 0; e < 2; e++) { /* both at once: each waits for memory */
            if (low[e] >= high[e]) continue;
            const unsigned middle = (low[e] + high[e]) / 2;
            if (mf_less(f.run.code[first + middle], f.run.word[first + middle], code[e], word[e]))
                low[e] = middle + 1;
            else
                high[e] = middle;
        }
    *from = low[0];
    *to = low[1];
}

/* A block a bucket; room: keys that there is shared memory for. */
static __global__ void __launch_bounds__(MF_THREADS) mf_buckets(mf_build f, unsigned room)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned start[MF_MOST_RUNS], offset[MF_MOST_RUNS + 1], sums[GB_WARP + 1];
    const unsigned run = threadIdx.x, lane = gb_lane();
    unsigned from = 0, to = 0, begin, count;
    if (run < f.runs) mf_bisect(f, run, blockIdx.x, &from, &to);
    start[run] = run * MF_RUN + from;
    (void)gb_block_exclusive_sum<MF_THREADS>(from, sums, &begin);
    offset[run] = gb_block_exclusive_sum<MF_THREADS>(to - from, sums, &count);
    if (run == 0) offset[MF_MOST_RUNS] = count;
    __syncthreads();
    mf_sorter s(gb_shared_memory, room);
    for (unsigned r = threadIdx.x / GB_WARP; r < f.runs; r += MF_THREADS / GB_WARP) {
        const unsigned at = offset[r], bodies = offset[r + 1] - at;
        for (unsigned k = lane; k < bodies; k += GB_WARP) {
            s.now.code[at + k] = f.run.code[start[r] + k];
            s.now.word[at + k] = f.run.word[start[r] + k];
        }
    }
    __syncthreads();
    s.sort<MF_THREADS>(count, 1);
    for (unsigned i = threadIdx.x; i < count; i += MF_THREADS) {
        f.whole.code_sorted[begin + i] = s.now.code[i];
        f.whole.order[begin + i] = s.now.word[i] & ((1u << MF_ID_BITS) - 1);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* As mw_compare and mw_list, but the cells of MF_LIST_THREADS bodies are handed out together,
 * whoever comes first; those of the first body are the first ones. */
static __global__ void __launch_bounds__(MF_LIST_THREADS)
    mf_list(mw_build b, unsigned long long *cells)
{
    __shared__ unsigned sums[GB_WARP + 1], base;
    const unsigned first = (unsigned)mw_reach(b, 0, -1) + 1;
    for (uint64_t from = (uint64_t)blockIdx.x * MF_LIST_THREADS; from < b.n;
         from += (uint64_t)gridDim.x * MF_LIST_THREADS) {
        const uint64_t r = from + threadIdx.x;
        int left = -1, reach = -1;
        if (r < b.n) {
            left = r ? mw_common(b, r - 1, r) : -1;
            reach = mw_reach(b, r, left);
        }
        const unsigned begun = r && reach > left ? (unsigned)(reach - left) : 0;
        unsigned all;
        const unsigned before = gb_block_exclusive_sum<MF_LIST_THREADS>(begun, sums, &all);
        if (threadIdx.x == 0) {
            base = first + atomicAdd(&b.words->taken, all);
            atomicAdd(&b.words->cells, from ? all : first + all);
            if (base + (uint64_t)all > b.pool) atomicOr(&b.words->trouble, (unsigned)OC_POOL_EMPTY);
        }
        __syncthreads();
        if (r >= b.n) continue;
        const uint64_t cell = r ? base + before : 0;
        b.low_sorted[r] = mw_pack(left, reach);
        b.low[r] = (uint32_t)cell;
        (void)mw_list_cells(b, cells, r, left, reach, cell);
    }
}

#endif
