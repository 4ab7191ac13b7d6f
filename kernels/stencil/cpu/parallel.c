/* Variants cpu-parallel and cpu-copy.
 *
 * cpu-parallel: all cores, laid out by the bytes that cross the memory bus.
 *
 * Every thread has its part of the rows and planes, cut into tiles of the x-y plane. It walks
 * through a tile plane by plane; the tile is as large as its own L2 allows, so that of the
 * 2r + 1 planes that a cell is made of only one is new, and that one is asked for a plane ahead
 * (rows are too short for the hardware's prefetchers, which begin anew at every row). Results
 * bypass the cache in whole lines where the fields are large: a line that is
 * written in the ordinary way is read first. What is left is 8 bytes a cell, and the halo of a
 * tile: 2r rows, and a line at either end of a row, that two tiles read.
 *
 * cpu-copy: the same threads copy the cells and compute nothing: what a sweep costs at least. */
#include "common/worker/cpu_pool.h"
#include "kernels/stencil/variants.h"

#include <stdlib.h>
#include <unistd.h>

/* Products and sums become fused multiply-adds where the machine has them. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT ON
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#endif

enum {
    LINE = GB_LINE / 4, /* cells of a cache line */
    GROUP = 2 * LINE,   /* cells computed at a time */
    MOST_COLUMNS = 1024,
    LEAST_ROWS = 8,               /* of a tile, and of a thread where rows are shared out */
    LEAST_SHARE = 32 << 10,       /* cells below which one more thread does not pay */
    AROUND_CACHE_FROM = 32 << 20, /* bytes of two fields from which stores bypass the cache */
    USUAL_L2 = 512 << 10,         /* bytes, where the system does not tell */
};

/* 8 cells that begin anywhere; the compiler makes what the machine has of it. */
typedef float cells8 __attribute__((vector_size(32), aligned(4), may_alias));

/* A box of cells: those of a thread, or of a tile. */
typedef struct box {
    int x0, x1, y0, y1, z0, z1;
} box;

struct shared;
typedef void box_function(const struct shared *all, const box *b, const float *from, float *to);

typedef struct shared {
    struct gb_problem *problem;
    gb_pool *pool;
    unsigned row_threads, plane_threads; /* their product is the number of threads */
    int columns, rows;                   /* of a tile, at most */
    bool around_cache;
    box_function *compute;
} shared;

/* ---- a tile ---------------------------------------------------------------------------------- */

/* radius is a constant at every call of the three functions below, so that their loops disappear.
 */
__attribute__((always_inline)) static inline float one_cell(int radius, const st_layout *layout,
                                                            const float *w, const float *at)
{
    float sum = w[0] * *at;
#pragma GCC unroll 4
    for (int k = 1; k <= radius; k++)
        sum = sum + w[6 * k - 5] * at[-k] + w[6 * k - 4] * at[k] +
              w[6 * k - 3] * at[-k * layout->pitch] + w[6 * k - 2] * at[k * layout->pitch] +
              w[6 * k - 1] * at[-k * layout->plane] + w[6 * k] * at[k * layout->plane];
    return sum;
}

/* GROUP cells. */
typedef struct group {
    cells8 a, b, c, d;
} group;

/* 8 cells to a place that is aligned to 16 bytes: around the cache, or through it. */
__attribute__((always_inline)) static inline void store8(bool around, float *to,
                                                         const cells8 *cells)
{
#if defined(__SSE2__)
    if (around) {
        _mm_stream_ps(to, (__m128)__builtin_shufflevector(*cells, *cells, 0, 1, 2, 3));
        _mm_stream_ps(to + 4, (__m128)__builtin_shufflevector(*cells, *cells, 4, 5, 6, 7));
        return;
    }
#else
    (void)around;
#endif
    *(cells8 *)to = *cells;
}

#define CELLS8(at) (*(const cells8 *)(at))

/* sum += weight * the GROUP cells from `at` on: a weight is fetched once for all of them. */
__attribute__((always_inline)) static inline void add(group *sum, float weight, const float *at)
{
    sum->a += weight * CELLS8(at);
    sum->b += weight * CELLS8(at + 8);
    sum->c += weight * CELLS8(at + 16);
    sum->d += weight * CELLS8(at + 24);
}

__attribute__((always_inline)) static inline void one_group(int radius, bool around,
                                                            const st_layout *layout, const float *w,
                                                            const float *at, float *to)
{
    group sum = {w[0] * CELLS8(at), w[0] * CELLS8(at + 8), w[0] * CELLS8(at + 16),
                 w[0] * CELLS8(at + 24)};
#pragma GCC unroll 4
    for (int k = 1; k <= radius; k++) {
        add(&sum, w[6 * k - 5], at - k);
        add(&sum, w[6 * k - 4], at + k);
        add(&sum, w[6 * k - 3], at - k * layout->pitch);
        add(&sum, w[6 * k - 2], at + k * layout->pitch);
        add(&sum, w[6 * k - 1], at - k * layout->plane);
        add(&sum, w[6 * k], at + k * layout->plane);
    }
    store8(around, to, &sum.a);
    store8(around, to + 8, &sum.b);
    store8(around, to + 16, &sum.c);
    store8(around, to + 24, &sum.d);
}

__attribute__((always_inline)) static inline void compute_row(int radius, bool around,
                                                              const struct gb_problem *p,
                                                              const float *from, float *to,
                                                              int cells)
{
    const st_layout layout = p->layout;
    /* The plane that the next one of the tile is made of; behind the last one there is none, and
     * asking for it does no harm. */
    const float *const ahead = from + (radius + 1) * layout.plane;
    int x = 0;
    for (; x + GROUP <= cells; x += GROUP) {
        __builtin_prefetch(ahead + x, 0, 2);
        __builtin_prefetch(ahead + x + LINE, 0, 2);
        one_group(radius, around, &layout, p->weights.w, from + x, to + x);
    }
    for (; x < cells; x++)
        to[x] = one_cell(radius, &layout, p->weights.w, from + x);
}

__attribute__((always_inline)) static inline void
compute_box(int radius, const shared *all, const box *b, const float *from, float *to)
{
    const st_layout *layout = &all->problem->layout;
    for (int z = b->z0; z < b->z1; z++) {
        for (int y = b->y0; y < b->y1; y++) {
            const int64_t row = layout->origin + z * layout->plane + y * layout->pitch + b->x0;
            if (all->around_cache)
                compute_row(radius, true, all->problem, from + row, to + row, b->x1 - b->x0);
            else
                compute_row(radius, false, all->problem, from + row, to + row, b->x1 - b->x0);
        }
    }
}

/* The cells alone, in the same threads and with the same stores. */
static void copy_box(const shared *all, const box *b, const float *from, float *to)
{
    enum { AHEAD = 16 * LINE };
    const st_layout *layout = &all->problem->layout;
    for (int z = b->z0; z < b->z1; z++) {
        for (int y = b->y0; y < b->y1; y++) {
            const int64_t row = layout->origin + z * layout->plane + y * layout->pitch + b->x0;
            const int cells = b->x1 - b->x0;
            int x = 0;
            for (; all->around_cache && x + LINE <= cells; x += LINE) {
                __builtin_prefetch(from + row + x + AHEAD);
                gb_stream_line(to + row + x, from + row + x);
            }
            memcpy(to + row + x, from + row + x, (size_t)(cells - x) * sizeof *to);
        }
    }
}

/* A function a radius, once for any machine and once for those with AVX2. */
#define BOX_FUNCTIONS(name, attribute)                                                            \
    attribute static void name##_1(const shared *all, const box *b, const float *from, float *to) \
    {                                                                                             \
        compute_box(1, all, b, from, to);                                                         \
    }                                                                                             \
    attribute static void name##_2(const shared *all, const box *b, const float *from, float *to) \
    {                                                                                             \
        compute_box(2, all, b, from, to);                                                         \
    }                                                                                             \
    attribute static void name##_3(const shared *all, const box *b, const float *from, float *to) \
    {                                                                                             \
        compute_box(3, all, b, from, to);                                                         \
    }                                                                                             \
    attribute static void name##_4(const shared *all, const box *b, const float *from, float *to) \
    {                                                                                             \
        compute_box(4, all, b, from, to);                                                         \
    }                                                                                             \
    static box_function *const name[ST_MAX_RADIUS] = {name##_1, name##_2, name##_3, name##_4};

BOX_FUNCTIONS(any_machine, )
#if defined(__x86_64__)
BOX_FUNCTIONS(with_avx2, __attribute__((target("avx2,fma"))))
#endif

static box_function *box_function_of(int radius)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return with_avx2[radius - 1];
#endif
    return any_machine[radius - 1];
}

/* ---- a run, as each thread sees it ----------------------------------------------------------- */

/* Part `index` of `count` of so many cells. */
static void share_out(int cells, unsigned index, unsigned count, int *begin, int *end)
{
    *begin = (int)gb_pool_share((uint64_t)cells, index, count);
    *end = (int)gb_pool_share((uint64_t)cells, index + 1, count);
}

static void sweep(const shared *all, unsigned thread, const float *from, float *to)
{
    const st_shape *shape = &all->problem->shape;
    int y0, y1;
    box b = {0};
    share_out(shape->y, thread % all->row_threads, all->row_threads, &y0, &y1);
    share_out(shape->z, thread / all->row_threads, all->plane_threads, &b.z0, &b.z1);
    const int strips = (y1 - y0 + all->rows - 1) / all->rows;
    for (int strip = 0; strip < strips; strip++) {
        share_out(y1 - y0, (unsigned)strip, (unsigned)strips, &b.y0, &b.y1);
        b.y0 += y0;
        b.y1 += y0;
        for (b.x0 = 0; b.x0 < shape->x; b.x0 = b.x1) {
            b.x1 = shape->x - b.x0 < all->columns ? shape->x : b.x0 + all->columns;
            all->compute(all, &b, from, to);
        }
    }
    gb_stream_end();
}

static void sweeps(void *context, unsigned thread)
{
    const shared *all = context;
    const struct gb_problem *p = all->problem;
    const float *from = p->host_input;
    for (unsigned s = 0; s < st_sweeps(&p->shape); s++) {
        float *to = p->host_field[s % 2];
        sweep(all, thread, from, to);
        gb_pool_barrier(all->pool);
        from = to;
    }
}

/* ---- the job --------------------------------------------------------------------------------- */

/* Tiles whose 2r + 2 planes (one of them on its way) fill three quarters of the L2. Long rows:
 * short ones were slower, although so many more fit that fewer halos are read twice. */
static void choose_tile(shared *all)
{
    const st_shape *shape = &all->problem->shape;
    const int halo = 2 * shape->radius;
    const long told = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const int64_t bytes = (told > 0 ? told : USUAL_L2) / 4 * 3;
    const int64_t cells = bytes / (int64_t)sizeof(float) / (halo + 2);
    all->columns = MOST_COLUMNS;
    all->rows = (int)(cells / (shape->x < MOST_COLUMNS ? shape->x : MOST_COLUMNS)) - halo;
    if (all->rows < LEAST_ROWS) all->rows = LEAST_ROWS;
}

/* Rows are shared out first: threads beside each other then read the same halo rows at about the
 * same time, from a cache that they share. Planes, where there are too few rows. */
static unsigned choose_threads(shared *all)
{
    const st_shape *shape = &all->problem->shape;
    const uint64_t cells = (uint64_t)shape->x * (uint64_t)shape->y * (uint64_t)shape->z;
    const uint64_t useful = cells / LEAST_SHARE, cores = gb_pool_cores();
    const unsigned threads = (unsigned)(useful < 1 ? 1 : useful < cores ? useful : cores);
    all->row_threads = threads;
    while (threads % all->row_threads || (unsigned)shape->y / all->row_threads < LEAST_ROWS) {
        if (all->row_threads == 1) break;
        all->row_threads--;
    }
    all->plane_threads = threads / all->row_threads;
    return threads;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    (void)device;
    const char *reason = st_no_fusing(params);
    return reason ? reason : st_own_block(params);
}

static const char *unsupported_copy(const gb_params *params, const gb_device *device)
{
    (void)device;
    return st_own_block(params);
}

static gb_status prepare_with(gb_job *job, box_function *compute)
{
    gb_status status = st_problem_host(job);
    if (status != GB_OK) return status;
    shared *all = job->state = calloc(1, sizeof *all);
    if (!all)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY, "%s: no host memory", job->variant->name);
    all->problem = job->problem;
    all->compute = compute;
    all->around_cache =
        2 * all->problem->layout.total * (int64_t)sizeof(float) >= AROUND_CACHE_FROM;
    choose_tile(all);
    if (compute == copy_box) { /* no halo, no tiles */
        all->columns = all->problem->shape.x;
        all->rows = all->problem->shape.y;
    }
    return gb_pool_open(choose_threads(all), sweeps, all, &all->pool, &job->error);
}

static gb_status prepare(gb_job *job)
{
    return prepare_with(job, box_function_of(st_shape_of(job->params).radius));
}

static gb_status prepare_copy(gb_job *job)
{
    return prepare_with(job, copy_box);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const shared *all = job->state;
    (void)stream;
    gb_pool_run(all->pool);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    shared *all = job->state;
    if (!all) return;
    gb_pool_close(all->pool);
    free(all);
    job->state = NULL;
}

const gb_variant st_cpu_parallel = {
    .name = "cpu-parallel",
    .summary = "all cores, eight cells at a time, tiles that the L2 holds, stores around the cache",
    .origin = "gpubench",
    .flags = GB_HOST,
    .unsupported = unsupported,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};

const gb_variant st_cpu_copy = {
    .name = "cpu-copy",
    .summary = "all cores copy every cell: the ceiling of cpu-parallel",
    .origin = "gpubench",
    .flags = GB_HOST,
    .unsupported = unsupported_copy,
    .prepare = prepare_copy,
    .run = run,
    .cleanup = cleanup,
};
