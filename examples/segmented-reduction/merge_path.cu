/* Variant merge-path: every thread walks an equal stretch of the merge path (merge_path.h; Merrill,
 * Garland 2016), whatever the lengths of the segments.
 *
 * A block has a tile of THREADS * ITEMS steps. It brings the tile's elements and ends to shared
 * memory, coalesced and 16 bytes at a time, and each thread walks ITEMS steps there. What a thread
 * leaves open at its end is carried to the next thread that ends a segment, by a segmented scan
 * over the block (Blelloch 1990, "Prefix sums and their applications"); what a tile leaves open is
 * carried to the next tile that ends one, likewise, when all tiles are done. No sum hangs on the
 * order in which blocks run: equal input has equal output to the last bit, floats too.
 *
 * Few tiles: one kernel. Each block finds its own place on the path and the last one that ends adds
 * the carries. Many: places are found by a kernel before, where no block waits for its own, and
 * carries are added by one behind, a group of 1024 tiles a block. A tile in which no segment ends
 * is summed as it is read. */
#include "merge_path.h"
#include "segmented_reduction.h"

#include "common/cuda/copy_async.cuh"
#include "common/cuda/search.cuh"

#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 256,
    WARPS = THREADS / GB_WARP,
    PIECES = 4,         /* stretches of others that a thread adds the carries of */
    PLACE_THREADS = 64, /* of the kernel before: spread over the device */
    MOST_GROUPS = PIECES * THREADS,
#if defined(__CUDACC__)
    GROUP_TILES = MOST_GROUPS
#else
    GROUP_TILES = 8 /* so that inputs of a size for the CPU go every way */
#endif
};

/* Steps a thread walks: odd, so that the lanes of a warp fall into different banks. */
template <class T> constexpr unsigned ITEMS = sizeof(T) == 8 ? 7 : 15;
template <class T> constexpr unsigned TILE = THREADS *ITEMS<T>;
/* Elements of 16 bytes. */
template <class T> constexpr unsigned GROUP = 16 / sizeof(T);

/* A stretch of the path: whether a segment ends in it, the first that does (or that would), and the
 * sum of what it leaves open. */
template <class T> struct piece {
    T open;
    uint32_t first;
    uint32_t ends;
};

template <class T> struct problem {
    const T *values;
    const uint32_t *offsets; /* segment s ends at offsets[s + 1] */
    T *sums;
    uint32_t n, segments, tiles;
    uint32_t *places; /* tiles + 1: how many segments have ended where a tile begins */
    T *open;          /* tiles: what each leaves open */
    piece<T> *groups; /* MOST_GROUPS */
    unsigned *ticket; /* 0 between runs */
};

/* ---- carries --------------------------------------------------------------------------------- */

template <class T> struct carried {
    T before;       /* what the stretches before the thread's have left open */
    T open;         /* what the block's leave open together */
    bool sure, any; /* whether one of those before ends a segment; whether any does */
};

/* ended, open: whether a segment ends in the thread's stretch, and what it leaves open. All threads
 * of the block call it; a barrier lies between two calls. */
template <class T> static __device__ __forceinline__ carried<T> carry_over(bool ended, T open)
{
    __shared__ T of_warp[WARPS];
    __shared__ bool any_of_warp[WARPS];
    const unsigned lane = gb_lane(), warp = threadIdx.x / GB_WARP;
    const unsigned enders = __ballot_sync(GB_FULL_MASK, ended);
    const unsigned before = enders & gb_lanes_below(), mine = before | (ended ? 1u << lane : 0u);
    const unsigned from = mine ? 31u - __clz(mine) : 0u;
#pragma unroll
    for (unsigned d = 1; d < GB_WARP; d *= 2) {
        const T below = __shfl_up_sync(GB_FULL_MASK, open, d);
        if (lane >= from + d) open += below;
    }
    if (lane == GB_WARP - 1) {
        of_warp[warp] = open;
        any_of_warp[warp] = enders != 0;
    }
    const T left = __shfl_up_sync(GB_FULL_MASK, open, 1);
    __syncthreads();
    carried<T> result = {T(0), T(0), false, false};
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        if (w == warp) {
            result.before = result.open;
            result.sure = result.any;
        }
        result.open = any_of_warp[w] ? of_warp[w] : result.open + of_warp[w];
        result.any |= any_of_warp[w];
    }
    if (lane > 0) result.before = before ? left : result.before + left;
    result.sure |= before != 0;
    return result;
}

/* Adds what pieces 0 to count - 1, at most MOST_GROUPS, leave open to the next segments that end;
 * all threads of a block call it. Returns what they are together; its `first` holds in the one
 * thread whose result has `ends` set, if any. */
template <class T, class Pieces>
static __device__ __forceinline__ piece<T> add_carries(unsigned count, Pieces piece_of, T *sums,
                                                       bool *any)
{
    piece<T> mine = {T(0), 0, 0};
    T first_open = 0;
    for (unsigned i = 0; i < PIECES; i++) {
        const unsigned at = threadIdx.x * PIECES + i;
        if (at >= count) break;
        const piece<T> next = piece_of(at);
        if (!next.ends) {
            mine.open += next.open;
            continue;
        }
        if (mine.ends) {
            sums[next.first] = __ldcg(&sums[next.first]) + mine.open;
        } else {
            mine.first = next.first;
            first_open = mine.open;
        }
        mine.ends = 1;
        mine.open = next.open;
    }
    const carried<T> all = carry_over(mine.ends != 0, mine.open);
    if (mine.ends) sums[mine.first] = __ldcg(&sums[mine.first]) + (all.before + first_open);
    mine.ends = mine.ends && !all.sure;
    mine.open = all.open;
    *any = all.any;
    return mine;
}

/* ---- a tile ---------------------------------------------------------------------------------- */

/* Copies array[begin, end) to shared memory; element i comes to to[i - begin / GROUP * GROUP]. The
 * array has `count` elements and begins at a multiple of 16 bytes, as `to` does. */
template <class T>
static __device__ __forceinline__ void bring(T *to, const T *array, uint32_t begin, uint32_t end,
                                             uint32_t count)
{
    const uint32_t from = begin / GROUP<T> * GROUP<T>;
    for (uint32_t i = from + threadIdx.x * GROUP<T>; i < end; i += THREADS * GROUP<T>) {
        if (i + GROUP<T> <= count) {
            gb_copy_async_16(to + (i - from), array + i);
        } else {
            for (uint32_t j = i; j < end; j++)
                to[j - from] = array[j];
        }
    }
}

/* The sum over a thread's share of values[begin, end), at most TILE of them. */
template <class T>
static __device__ __forceinline__ T sum_share(const T *values, uint32_t begin, uint32_t end)
{
    constexpr unsigned ROUNDS = (TILE<T> / GROUP<T> + THREADS) / THREADS;
    const uint32_t from = (begin + GROUP<T> - 1) / GROUP<T>, to = end / GROUP<T>; /* whole groups */
    T sum = 0;
#pragma unroll
    for (unsigned r = 0; r < ROUNDS; r++) {
        const uint32_t group = from + r * THREADS + threadIdx.x;
        if (group >= to) continue;
        const uint4 words = reinterpret_cast<const uint4 *>(values)[group];
        T element[GROUP<T>];
        memcpy(element, &words, sizeof words);
        for (unsigned i = 0; i < GROUP<T>; i++)
            sum += element[i];
    }
    /* what lies before the first and behind the last whole group */
    const uint32_t head = begin + threadIdx.x,
                   tail = (to > from ? to : from) * GROUP<T> + threadIdx.x;
    if (threadIdx.x < GROUP<T>) {
        if (head < from * GROUP<T> && head < end) sum += values[head];
        if (tail < end) sum += values[tail];
    }
    return sum;
}

/* Walks the tile of elements [x0, x1) in which segments [s0, s1) end, one at least, and writes
 * their sums, but for what earlier tiles leave open. Returns what this one does. */
template <class T>
static __device__ __forceinline__ T walk_tile(const problem<T> &p, uint32_t x0, uint32_t x1,
                                              uint32_t s0, uint32_t s1)
{
    /* elements and ends, each with room to begin and to end at a multiple of 16 bytes */
    __shared__ __align__(16) unsigned char memory[TILE<T> * sizeof(T) + 64];
    __shared__ T sums[TILE<T>];
    T *const values = reinterpret_cast<T *>(memory);
    const uint32_t value_from = x0 % GROUP<T>,
                   room = (value_from + x1 - x0 + GROUP<T> - 1) / GROUP<T>;
    uint32_t *const words = reinterpret_cast<uint32_t *>(memory + 16 * room);
    bring(values, p.values, x0, x1, p.n);
    /* and the end of the segment that the tile leaves open, if there is one */
    bring(words, p.offsets, s0 + 1, min(s1 + 1, p.segments) + 1, p.segments + 1);
    gb_copy_async_wait();
    __syncthreads();

    const T *const value = values + value_from;
    const uint32_t *const ends = words + (s0 + 1) % GROUP<uint32_t>;
    const unsigned steps = x1 - x0 + s1 - s0;
    const unsigned step = min(threadIdx.x * ITEMS<T>, steps), count = min(ITEMS<T>, steps - step);
    const unsigned first = sr_path_segment(ends, s1 - s0, x0, x1 - x0, step);
    unsigned s = first, x = step - first, end = ends[s] - x0;
    T open = 0;
    if (end - x >= count) {
#pragma unroll
        for (unsigned i = 0; i < ITEMS<T>; i++)
            if (i < count) open += value[x + i];
    } else {
#pragma unroll
        for (unsigned i = 0; i < ITEMS<T>; i++) {
            if (i >= count) continue;
            if (x < end) {
                open += value[x++];
            } else {
                sums[s++] = open;
                open = 0;
                end = ends[s] - x0;
            }
        }
    }
    const carried<T> carry = carry_over(s > first, open);
    if (s > first) sums[first] += carry.before;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < s1 - s0; i += THREADS)
        p.sums[s0 + i] = sums[i];
    return carry.open;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The ends on the path as a list of begins, for a warp's search. */
struct path_ends {
    const uint32_t *offsets;
    __device__ __forceinline__ uint32_t operator[](unsigned i) const { return offsets[i] + i - 1; }
};

template <class T>
static __device__ __forceinline__ uint32_t step_of(const problem<T> &p, uint32_t tile)
{
    return min(tile * TILE<T>, p.n + p.segments);
}

/* place[0] and [1]: how many segments have ended where the tile begins and ends. */
template <class T>
static __device__ __forceinline__ void find_place(const problem<T> &p, uint32_t place[2])
{
    const unsigned warp = threadIdx.x / GB_WARP;
    if (warp < 2) {
        const uint32_t step = step_of(p, blockIdx.x + warp);
        const uint32_t found =
            step ? gb_warp_stretch_holding(path_ends{p.offsets}, p.segments + 1, step - 1) : 0;
        if (gb_lane() == 0) place[warp] = found;
    }
    __syncthreads();
}

template <class T> static __global__ void find_places(problem<T> p)
{
    const uint32_t tile = blockIdx.x * PLACE_THREADS + threadIdx.x;
    if (tile <= p.tiles)
        p.places[tile] = sr_path_segment(p.offsets + 1, p.segments, 0, p.n, step_of(p, tile));
}

/* The carries of tiles begin to begin + count - 1. */
template <class T>
static __device__ __forceinline__ piece<T> close_tiles(const problem<T> &p, uint32_t begin,
                                                       unsigned count, bool *any)
{
    const auto piece_of = [&](unsigned i) {
        const uint32_t first = __ldcg(&p.places[begin + i]),
                       next = __ldcg(&p.places[begin + i + 1]);
        return piece<T>{__ldcg(&p.open[begin + i]), first, next > first};
    };
    return add_carries(count, piece_of, p.sums, any);
}

/* A block a tile. FEW: it finds its place, and the last block adds the carries. */
template <class T, bool FEW>
static __global__ void __launch_bounds__(THREADS) sum_tiles(problem<T> p)
{
    __shared__ uint32_t place[2];
    const uint32_t tile = blockIdx.x;
    if (FEW)
        find_place(p, place);
    else
        gb_wait_for_previous();
    const uint32_t s0 = FEW ? place[0] : p.places[tile], s1 = FEW ? place[1] : p.places[tile + 1];
    const uint32_t x0 = step_of(p, tile) - s0, x1 = step_of(p, tile + 1) - s1;
    const T open = s0 < s1 ? walk_tile(p, x0, x1, s0, s1)
                           : carry_over(false, sum_share(p.values, x0, x1)).open;
    if (threadIdx.x == 0) p.open[tile] = open;
    if (!FEW || p.tiles == 1) return;
    if (threadIdx.x < 2) p.places[tile + threadIdx.x] = place[threadIdx.x];
    if (!gb_is_last_block(p.ticket)) return;
    bool any;
    (void)close_tiles(p, 0, p.tiles, &any);
    if (threadIdx.x == 0) *p.ticket = 0;
}

/* A block GROUP_TILES tiles; the last block adds what they carry to each other. */
template <class T> static __global__ void __launch_bounds__(THREADS) close_groups(problem<T> p)
{
    gb_wait_for_previous();
    const uint32_t begin = blockIdx.x * GROUP_TILES;
    bool any;
    const piece<T> mine = close_tiles(p, begin, min(p.tiles - begin, (uint32_t)GROUP_TILES), &any);
    piece<T> *const group = &p.groups[blockIdx.x];
    if (mine.ends) group->first = mine.first;
    if (threadIdx.x == 0) {
        group->open = mine.open;
        group->ends = any;
    }
    if (!gb_is_last_block(p.ticket)) return;
    const auto piece_of = [&](unsigned i) {
        const piece<T> *g = &p.groups[i];
        return piece<T>{__ldcg(&g->open), __ldcg(&g->first), __ldcg(&g->ends)};
    };
    (void)add_carries(gridDim.x, piece_of, p.sums, &any);
    if (threadIdx.x == 0) *p.ticket = 0;
}

/* ---- the job --------------------------------------------------------------------------------- */

typedef struct state {
    void *places, *open, *groups, *ticket;
} state;

template <class T> static uint32_t tiles_of(const sr_shape *shape)
{
    return (shape->n + shape->segments + TILE<T> - 1) / TILE<T>;
}

template <class T> static cudaError_t sum(const gb_job *job, cudaStream_t stream)
{
    const gb_problem *from = job->problem;
    const state *a = static_cast<const state *>(job->state);
    const problem<T> p = {static_cast<const T *>(from->values),
                          from->offsets,
                          static_cast<T *>(from->sums),
                          from->shape.n,
                          from->shape.segments,
                          tiles_of<T>(&from->shape),
                          static_cast<uint32_t *>(a->places),
                          static_cast<T *>(a->open),
                          static_cast<piece<T> *>(a->groups),
                          static_cast<unsigned *>(a->ticket)};
    const dim3 block(THREADS);
    if (p.tiles <= GROUP_TILES)
        return launch(sum_tiles<T, true>, dim3(p.tiles), block, 0, stream, p);
    cudaError_t code = launch(find_places<T>, dim3(p.tiles / PLACE_THREADS + 1),
                              dim3(PLACE_THREADS), 0, stream, p);
    if (code == cudaSuccess)
        code = launch_next(sum_tiles<T, false>, dim3(p.tiles), block, 0, stream, p);
    if (code == cudaSuccess)
        code = launch_next(close_groups<T>, dim3((p.tiles + GROUP_TILES - 1) / GROUP_TILES), block,
                           0, stream, p);
    return code;
}

static uint64_t tiles_for(const sr_shape *shape)
{
    return shape->type == SR_U64 ? tiles_of<uint64_t>(shape) : tiles_of<uint32_t>(shape);
}

/* 2^20 tiles, where 2^28 elements in as many segments are less than 2^19. On the CPU it is less. */
static const char *unsupported(const gb_params *params, const gb_device *)
{
    const sr_shape shape = sr_shape_of(params);
    if (tiles_for(&shape) <= (uint64_t)GROUP_TILES * MOST_GROUPS) return NULL;
    return gb_reason("at most %d tiles, which this many elements and segments pass",
                     GROUP_TILES * MOST_GROUPS);
}

static gb_status prepare(gb_job *job)
{
    const sr_shape *shape = &job->problem->shape;
    const bool wide = shape->type == SR_U64;
    const uint64_t tiles = tiles_for(shape);
    const uint64_t group = wide ? sizeof(piece<uint64_t>) : sizeof(piece<uint32_t>);
    state *a = static_cast<state *>(calloc(1, sizeof *a));
    job->state = a;
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    gb_status status =
        gb_job_malloc(job, &a->places, (tiles + 1) * sizeof(uint32_t), "the tiles' places");
    if (status == GB_OK)
        status = gb_job_malloc(job, &a->open, (tiles + 1) * sr_element_bytes(shape->type),
                               "the tiles' carries");
    if (status == GB_OK)
        status = gb_job_malloc(job, &a->groups, MOST_GROUPS * group, "the groups' carries");
    if (status == GB_OK)
        status = gb_job_malloc(job, &a->ticket, sizeof(unsigned), "the blocks' ticket");
    if (status == GB_OK) GB_TRY(cudaMemset(a->ticket, 0, sizeof(unsigned)), &job->error);
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const sr_shape *shape = &job->problem->shape;
    if (shape->segments == 0) return GB_OK;
    cudaError_t (*const of_type)(const gb_job *, cudaStream_t) =
        shape->type == SR_U64   ? sum<uint64_t>
        : shape->type == SR_F32 ? sum<float>
                                : sum<uint32_t>;
    GB_TRY(of_type(job, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    state *a = static_cast<state *>(job->state);
    if (!a) return;
    (void)cudaFree(a->places);
    (void)cudaFree(a->open);
    (void)cudaFree(a->groups);
    (void)cudaFree(a->ticket);
    free(a);
    job->state = NULL;
}

extern "C" const gb_variant sr_merge_path = {
    "merge-path",
    "equal stretches of the merge path, carries added afterwards in order",
    "gpubench, after Merrill and Garland 2016",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
