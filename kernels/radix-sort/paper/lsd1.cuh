/* The three operators of a pass by one bit: predicate, scan, scatter, after the OpenCL paper
 * (README.md, "lsd1"). Between them lie two arrays in device memory: the predicates, one byte a
 * key, and their exclusive prefix sums f, one position a key.
 *
 * The scan is hierarchical: the sum of every chunk, the scan of those sums, the scan of every chunk
 * in shared memory with its sum of predecessors added. All arrays are whole chunks; the predicates
 * beyond the last key are 0. */
#ifndef GB_RADIX_SORT_LSD1_CUH
#define GB_RADIX_SORT_LSD1_CUH

#include "common/cuda/warp.cuh"
#include "kernels/radix-sort/passes.cuh"

enum {
    LSD1_THREADS = 256,
    LSD1_WARPS = LSD1_THREADS / GB_WARP,
    LSD1_GROUPS = 4,                            /* groups of 4 keys that a thread looks at */
    LSD1_KEYS = LSD1_THREADS * LSD1_GROUPS * 4, /* ... and a block of the predicate */
    LSD1_PART = 16,                             /* neighbouring predicates: 16 bytes, a thread's */
    LSD1_WARP_PART = GB_WARP * LSD1_PART,       /* ... a warp's */
    LSD1_ROUND = LSD1_THREADS * LSD1_PART,      /* ... a block's */
    LSD1_ROUNDS = 4,                            /* of a chunk */
    LSD1_CHUNK = LSD1_ROUND * LSD1_ROUNDS,      /* what a block sums or scans */
    LSD1_SUM_THREADS = 512,                     /* of the one block that scans the sums */
    LSD1_SUM_ITEMS = 8,                         /* sums a thread and round */
    LSD1_ITEMS = 8,                             /* elements that a thread scatters */
    LSD1_SCATTER = LSD1_THREADS * LSD1_ITEMS    /* ... a block */
};

template <class T> struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) lsd1_four {
    T value[4];
};

/* ---- predicate ------------------------------------------------------------------------------- */

/* predicates[i] is 1 where the digit (a bit) of key i is 0, else 0; 0 for i >= n. Moves a key in,
 * a byte out. */
template <class Key>
__global__ void __launch_bounds__(LSD1_THREADS)
    lsd1_predicate(const Key *__restrict__ keys, uint64_t n, rs_digit<Key> digit,
                   lsd1_four<uint8_t> *__restrict__ predicates)
{
    const uint64_t begin = (uint64_t)blockIdx.x * LSD1_KEYS;
    lsd1_four<Key> four[LSD1_GROUPS];
    keys += begin;
    predicates += begin / 4;
    if (begin + LSD1_KEYS <= n) {
#pragma unroll
        for (int i = 0; i < LSD1_GROUPS; i++)
            four[i] =
                reinterpret_cast<const lsd1_four<Key> *>(keys)[i * LSD1_THREADS + threadIdx.x];
#pragma unroll
        for (int i = 0; i < LSD1_GROUPS; i++) {
            lsd1_four<uint8_t> zero;
#pragma unroll
            for (int j = 0; j < 4; j++)
                zero.value[j] = (uint8_t)(digit(four[i].value[j]) ^ 1);
            predicates[i * LSD1_THREADS + threadIdx.x] = zero;
        }
        return;
    }
    const unsigned left = begin < n ? (unsigned)(n - begin) : 0;
    for (unsigned group = threadIdx.x; group < LSD1_KEYS / 4; group += LSD1_THREADS) {
        lsd1_four<uint8_t> zero;
        for (unsigned j = 0; j < 4; j++)
            zero.value[j] =
                4 * group + j < left ? (uint8_t)(digit(keys[4 * group + j]) ^ 1) : (uint8_t)0;
        predicates[group] = zero;
    }
}

/* ---- scan ------------------------------------------------------------------------------------ */

/* How many of 16 predicates are 1. */
static __device__ __forceinline__ unsigned lsd1_count(const uint4 &part)
{
    return __popc(part.x) + __popc(part.y) + __popc(part.z) + __popc(part.w);
}

/* sums[c] is the sum of chunk c, a block each. Reads a byte a key. */
template <class Position>
__global__ void __launch_bounds__(LSD1_THREADS)
    lsd1_sum_chunks(const uint4 *__restrict__ predicates, Position *__restrict__ sums)
{
    __shared__ unsigned shared[GB_WARP + 1];
    unsigned count = 0, total;
    predicates += (uint64_t)blockIdx.x * (LSD1_CHUNK / LSD1_PART);
#pragma unroll
    for (int round = 0; round < LSD1_ROUNDS; round++)
        count += lsd1_count(predicates[round * LSD1_THREADS + threadIdx.x]);
    (void)gb_block_exclusive_sum<LSD1_THREADS>(count, shared, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/* sums[0, chunks) is replaced by its exclusive prefix sum and sums[chunks] becomes the total, the
 * paper's totalFalses. One block: there is one sum for 16384 keys. */
template <class Position>
__global__ void __launch_bounds__(LSD1_SUM_THREADS)
    lsd1_scan_sums(Position *__restrict__ sums, uint64_t chunks)
{
    __shared__ Position shared[GB_WARP + 1];
    Position carry = 0;
    for (uint64_t begin = 0; begin < chunks; begin += LSD1_SUM_THREADS * LSD1_SUM_ITEMS) {
        const uint64_t first = begin + threadIdx.x * LSD1_SUM_ITEMS;
        Position item[LSD1_SUM_ITEMS], sum = 0, total;
#pragma unroll
        for (int i = 0; i < LSD1_SUM_ITEMS; i++) {
            item[i] = first + i < chunks ? sums[first + i] : 0;
            sum += item[i];
        }
        Position before = carry + gb_block_exclusive_sum<LSD1_SUM_THREADS>(sum, shared, &total);
#pragma unroll
        for (int i = 0; i < LSD1_SUM_ITEMS; i++) {
            if (first + i < chunks) sums[first + i] = before;
            before += item[i];
        }
        carry += total;
    }
    if (threadIdx.x == 0) sums[chunks] = carry;
}

/* Where a warp keeps item `at`. A thread writes 16 neighbouring items, so that without padding only
 * two banks are hit by the 32 lanes; with one spare word in 32 all banks are. The same holds for
 * the reading, four neighbouring items at a time. */
template <bool PADDED> static __device__ __forceinline__ unsigned lsd1_slot(unsigned at)
{
    return PADDED ? at + at / GB_WARP : at;
}

/* f: the exclusive prefix sums of all predicates; sums is what lsd1_scan_sums left. A block a
 * chunk. Reads a byte a key, writes a position. */
template <class Position, bool PADDED>
__global__ void __launch_bounds__(LSD1_THREADS)
    lsd1_scan_chunks(const uint4 *__restrict__ predicates, const Position *__restrict__ sums,
                     lsd1_four<Position> *__restrict__ f)
{
    __shared__ unsigned long long shared[GB_WARP + 1];
    __shared__ unsigned staged[LSD1_WARPS][LSD1_WARP_PART + LSD1_WARP_PART / GB_WARP];
    const unsigned lane = gb_lane(), warp = threadIdx.x / GB_WARP;
    uint4 part[LSD1_ROUNDS];
    predicates += (uint64_t)blockIdx.x * (LSD1_CHUNK / LSD1_PART);
    f += (uint64_t)blockIdx.x * (LSD1_CHUNK / 4);
#pragma unroll
    for (int round = 0; round < LSD1_ROUNDS; round++)
        part[round] = predicates[round * LSD1_THREADS + threadIdx.x];
    const Position chunk = sums[blockIdx.x];

    /* The counts of all rounds are scanned at once, 16 bits each: a round has 4096 predicates. */
    unsigned long long counts = 0, totals;
#pragma unroll
    for (int round = 0; round < LSD1_ROUNDS; round++)
        counts |= (unsigned long long)lsd1_count(part[round]) << (16 * round);
    const unsigned long long before = gb_block_exclusive_sum<LSD1_THREADS>(counts, shared, &totals);

    unsigned rounds_before = 0;
#pragma unroll
    for (int round = 0; round < LSD1_ROUNDS; round++) {
        const unsigned words[4] = {part[round].x, part[round].y, part[round].z, part[round].w};
        unsigned prefix = rounds_before + (unsigned)(before >> (16 * round) & 0xffff);
        rounds_before += (unsigned)(totals >> (16 * round) & 0xffff);
#pragma unroll
        for (int i = 0; i < LSD1_PART; i++) {
            staged[warp][lsd1_slot<PADDED>(lane * LSD1_PART + i)] = prefix;
            prefix += words[i / 4] >> (8 * (i % 4)) & 1;
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < LSD1_PART / 4; i++) {
            const unsigned four = i * GB_WARP + lane; /* of the warp's */
            lsd1_four<Position> out;
#pragma unroll
            for (int j = 0; j < 4; j++)
                out.value[j] = chunk + staged[warp][lsd1_slot<PADDED>(4 * four + j)];
            f[round * (LSD1_ROUND / 4) + warp * (LSD1_WARP_PART / 4) + four] = out;
        }
        __syncwarp();
    }
}

/* ---- scatter --------------------------------------------------------------------------------- */

/* Element i goes to f[i] where its bit is 0, else to zeros + i - f[i], where *zeros is the number
 * of zeros. Neighbouring lanes have neighbouring elements, so a warp writes two runs. Reads an
 * element and a position, writes an element. */
template <class Key, class Position, bool PAYLOAD>
__global__ void __launch_bounds__(LSD1_THREADS)
    lsd1_scatter(const Key *__restrict__ keys_in, const uint32_t *__restrict__ payload_in,
                 uint64_t n, rs_digit<Key> digit, const Position *__restrict__ f,
                 const Position *__restrict__ zeros, Key *__restrict__ keys_out,
                 uint32_t *__restrict__ payload_out)
{
    const uint64_t begin = (uint64_t)blockIdx.x * LSD1_SCATTER;
    const unsigned left = n - begin < LSD1_SCATTER ? (unsigned)(n - begin) : (unsigned)LSD1_SCATTER;
    const Position ones = *zeros + (Position)begin; /* where ones go, less f, plus the index here */
    Key key[LSD1_ITEMS];
    Position to[LSD1_ITEMS];
    uint32_t payload[LSD1_ITEMS];
    keys_in += begin;
    f += begin;
    if (PAYLOAD) payload_in += begin;
#pragma unroll
    for (int i = 0; i < LSD1_ITEMS; i++) {
        const unsigned at = i * LSD1_THREADS + threadIdx.x;
        if (at >= left) continue;
        key[i] = keys_in[at];
        to[i] = f[at];
        if (PAYLOAD) payload[i] = payload_in[at];
    }
#pragma unroll
    for (int i = 0; i < LSD1_ITEMS; i++) {
        const unsigned at = i * LSD1_THREADS + threadIdx.x;
        if (at >= left) continue;
        const Position place = digit(key[i]) ? ones + at - to[i] : to[i];
        keys_out[place] = key[i];
        if (PAYLOAD) payload_out[place] = payload[i];
    }
}

/* ---- the sort -------------------------------------------------------------------------------- */

typedef struct lsd1_sort {
    rs_scratch scratch;
    rs_elements spare;
    size_t position_bytes;
    uint64_t chunks;
    void *predicates; /* chunks * LSD1_CHUNK bytes */
    void *f;          /* as many positions */
    void *sums;       /* chunks + 1 positions */
} lsd1_sort;

/* Makes the state of a job whose positions have so many bytes (rs_position_bytes or more). */
static inline gb_status lsd1_open(gb_job *job, size_t position_bytes)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    const rs_shape *shape = &job->problem->shape;
    lsd1_sort *sort = (lsd1_sort *)calloc(1, sizeof *sort);
    job->state = sort;
    if (!sort) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    sort->position_bytes = position_bytes;
    sort->chunks = (shape->n + LSD1_CHUNK - 1) / LSD1_CHUNK;
    const uint64_t padded = sort->chunks * LSD1_CHUNK;
    const rs_spare_layout spare = rs_lay_out_spare(&sort->scratch, shape, rs_passes(shape, 1));
    const uint64_t predicates = rs_lay_out(&sort->scratch, padded);
    const uint64_t f = rs_lay_out(&sort->scratch, padded * position_bytes);
    const uint64_t sums = rs_lay_out(&sort->scratch, (sort->chunks + 1) * position_bytes);
    status = rs_scratch_open(job, &sort->scratch);
    if (status != GB_OK) return status;
    sort->spare = rs_spare_of(&sort->scratch, shape, spare);
    sort->predicates = sort->scratch.memory + predicates;
    sort->f = sort->scratch.memory + f;
    sort->sums = sort->scratch.memory + sums;
    return GB_OK;
}

static inline void lsd1_close(gb_job *job)
{
    lsd1_sort *sort = static_cast<lsd1_sort *>(job->state);
    if (!sort) return;
    (void)cudaFree(sort->scratch.memory);
    free(sort);
    job->state = NULL;
}

/* Queues one pass. */
template <class Key, class Position>
static gb_status lsd1_pass(gb_job *job, rs_digit<Key> digit, Position, const rs_elements *source,
                           const rs_elements *target, bool padded, cudaStream_t stream)
{
    const lsd1_sort *sort = static_cast<const lsd1_sort *>(job->state);
    const uint64_t n = job->problem->shape.n, chunks = sort->chunks;
    const dim3 block(LSD1_THREADS), grid((unsigned)chunks);
    const Key *keys = static_cast<const Key *>(source->keys);
    const uint4 *predicates = static_cast<const uint4 *>(sort->predicates);
    Position *sums = static_cast<Position *>(sort->sums);
    auto scan = padded ? lsd1_scan_chunks<Position, true> : lsd1_scan_chunks<Position, false>;
    auto scatter =
        source->payload ? lsd1_scatter<Key, Position, true> : lsd1_scatter<Key, Position, false>;

    GB_TRY(launch(lsd1_predicate<Key>, dim3((unsigned)(chunks * (LSD1_CHUNK / LSD1_KEYS))), block,
                  0, stream, keys, n, digit, static_cast<lsd1_four<uint8_t> *>(sort->predicates)),
           &job->error);
    GB_TRY(launch(lsd1_sum_chunks<Position>, grid, block, 0, stream, predicates, sums),
           &job->error);
    GB_TRY(
        launch(lsd1_scan_sums<Position>, dim3(1), dim3(LSD1_SUM_THREADS), 0, stream, sums, chunks),
        &job->error);
    GB_TRY(launch(scan, grid, block, 0, stream, predicates, sums,
                  static_cast<lsd1_four<Position> *>(sort->f)),
           &job->error);
    GB_TRY(launch(scatter, dim3((unsigned)((n + LSD1_SCATTER - 1) / LSD1_SCATTER)), block, 0,
                  stream, keys, source->payload, n, digit, static_cast<Position *>(sort->f),
                  sums + chunks, static_cast<Key *>(target->keys), target->payload),
           &job->error);
    return GB_OK;
}

static inline gb_status lsd1_run(gb_job *job, bool padded, gb_stream stream)
{
    const lsd1_sort *sort = static_cast<const lsd1_sort *>(job->state);
    return rs_queue_passes(
        job->problem, &sort->spare, 1, sort->position_bytes,
        [&](auto digit, auto position, const rs_elements *source, const rs_elements *target) {
            return lsd1_pass(job, digit, position, source, target, padded, gb_cuda_stream(stream));
        });
}

#endif
