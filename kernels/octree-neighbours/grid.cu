/* Variant grid: the usual way without a tree. Bodies are sorted by the cell of a uniform grid whose
 * edge is the radius (Green 2010, "Particle simulation using CUDA"), cells that have bodies are
 * found through a hash table (Teschner and others 2003, "Optimized spatial hashing for collision
 * detection of deformable objects"), and a thread a query looks into the cells around its own: all
 * that touch it for what is within the radius; for the nearest ring after ring, until the k-th is
 * nearer than what was not looked at. */
#include "kernels/octree-neighbours/neighbours.cuh"
#include "kernels/octree/morton/sort.h"

#include <stdlib.h>

enum { THREADS = 128 };

#define NN_NO_CELL 0xFFFFFFFFFFFFFFFFull

/* Passed to kernels by value. */
typedef struct nn_grid_of_cells {
    const float4 *bodies;
    uint32_t n;
    oc_box box;
    float by_edge;     /* 1 / the edge of a cell */
    float edge;        /* a little less: a ring of cells around is so wide at least */
    unsigned most;     /* the largest coordinate of a cell */
    uint64_t *keys;    /* n: of bodies as they lie */
    uint32_t *numbers; /* n */
    uint64_t *sorted_keys;
    uint32_t *sorted_numbers;
    float4 *sorted; /* n: by cell; w: the body's number */
    uint64_t *cell; /* a table of so many cells, or NN_NO_CELL */
    uint2 *range;   /* of its bodies: the first, and the one behind the last */
    uint64_t table; /* entries, a power of two, more than there are cells */
} nn_grid_of_cells;

typedef struct grid {
    nn_state state;
    nn_grid_of_cells cells;
    char *memory;
    void *scratch; /* of the sort */
    unsigned bits; /* of a coordinate */
} grid;

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const nn_shape shape = nn_shape_of(params);
    const oc_dist_kind dist = shape.bodies.dist;
    if (params->value[NN_LEAF].size != 1) return "its cells are no leaves: leaf must be 1";
    if (shape.find == NN_NEAREST && dist != OC_DIST_UNIFORM && dist != OC_DIST_CUBE &&
        dist != OC_DIST_CUBE_MORTON)
        return "where bodies lie apart it would look into cells without end: for the nearest, dist "
               "must be uniform, cube or cube-morton";
    return NULL;
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef struct nn_cell {
    unsigned x, y, z;
} nn_cell;

static __device__ __forceinline__ unsigned nn_coordinate(const nn_grid_of_cells &g, float value,
                                                         float lowest)
{
    const float at = fmaxf((value - lowest) * g.by_edge, 0.0f);
    return at < (float)g.most ? (unsigned)at : g.most;
}

static __device__ __forceinline__ nn_cell nn_cell_of(const nn_grid_of_cells &g, float4 body)
{
    return {nn_coordinate(g, body.x, g.box.x), nn_coordinate(g, body.y, g.box.y),
            nn_coordinate(g, body.z, g.box.z)};
}

static __device__ __forceinline__ uint64_t nn_key_of(nn_cell c)
{
    return oc_spread21(c.x) << 2 | oc_spread21(c.y) << 1 | oc_spread21(c.z);
}

static __global__ void nn_grid_keys(nn_grid_of_cells g)
{
    for (uint64_t i = gb_first(); i < g.n; i += gb_stride()) {
        g.keys[i] = nn_key_of(nn_cell_of(g, g.bodies[i]));
        g.numbers[i] = (uint32_t)i;
    }
}

/* The entry of a cell, or the first free one of those where it would be. */
static __device__ __forceinline__ uint64_t nn_entry(const nn_grid_of_cells &g, uint64_t key)
{
    uint64_t at = gb_mix64(key) & (g.table - 1);
    while (g.cell[at] != key && g.cell[at] != NN_NO_CELL)
        at = (at + 1) & (g.table - 1);
    return at;
}

/* Bodies by cell; whose is the first of a cell takes an entry. */
static __global__ void nn_grid_begin(nn_grid_of_cells g)
{
    for (uint64_t p = gb_first(); p < g.n; p += gb_stride()) {
        const uint64_t key = g.sorted_keys[p];
        g.sorted[p] = nn_numbered(g.bodies[g.sorted_numbers[p]], g.sorted_numbers[p]);
        if (p > 0 && g.sorted_keys[p - 1] == key) continue;
        uint64_t at = gb_mix64(key) & (g.table - 1);
        while (atomicCAS((unsigned long long *)&g.cell[at], NN_NO_CELL, (unsigned long long)key) !=
               NN_NO_CELL)
            at = (at + 1) & (g.table - 1);
        g.range[at].x = (uint32_t)p;
    }
}

static __global__ void nn_grid_end(nn_grid_of_cells g)
{
    for (uint64_t p = gb_first(); p < g.n; p += gb_stride()) {
        const uint64_t key = g.sorted_keys[p];
        if (p + 1 == g.n || g.sorted_keys[p + 1] != key)
            g.range[nn_entry(g, key)].y = (uint32_t)p + 1;
    }
}

/* ---- queries --------------------------------------------------------------------------------- */

template <class Query>
static __device__ __forceinline__ void nn_meet_cell(const nn_grid_of_cells &g, nn_cell c, float4 at,
                                                    Query &query)
{
    const uint64_t key = nn_key_of(c), entry = nn_entry(g, key);
    if (g.cell[entry] != key) return;
    const uint2 range = g.range[entry];
    for (uint32_t p = range.x; p < range.y; p++) {
        const float4 body = g.sorted[p];
        if (__float_as_uint(body.w) != __float_as_uint(at.w))
            query.meet(nn_distance2(body, at), __float_as_uint(body.w));
    }
}

/* The cells whose largest difference in a coordinate from c is `ring`. */
template <class Query>
static __device__ __forceinline__ void nn_meet_ring(const nn_grid_of_cells &g, nn_cell c, int ring,
                                                    float4 at, Query &query)
{
    for (int dx = -ring; dx <= ring; dx++)
        for (int dy = -ring; dy <= ring; dy++) {
            const bool side = abs(dx) == ring || abs(dy) == ring || ring == 0;
            for (int dz = -ring; dz <= ring; dz += side ? 1 : 2 * ring) {
                const nn_cell other = {c.x + (unsigned)dx, c.y + (unsigned)dy, c.z + (unsigned)dz};
                if (other.x <= g.most && other.y <= g.most && other.z <= g.most)
                    nn_meet_cell(g, other, at, query);
            }
        }
}

template <class Query>
static __global__ void __launch_bounds__(THREADS)
    nn_ask_grid(nn_grid_of_cells g, float radius, unsigned k, nn_found found)
{
    GB_DYNAMIC_SHARED();
    const uint64_t p = gb_first();
    if (p >= g.n) return;
    const float4 at = g.sorted[p];
    const nn_cell c = nn_cell_of(g, at);
    Query query;
    query.begin(radius, k, gb_shared_memory, found, __float_as_uint(at.w));
    for (unsigned ring = 0; ring <= g.most + 1; ring++) {
        const float seen = ring ? (float)(ring - 1) * g.edge : -1.0f;
        if (seen >= 0 && query.bound() <= seen * seen) break;
        nn_meet_ring(g, c, (int)ring, at, query);
    }
    query.end(__float_as_uint(at.w), found);
}

/* ---- stages ---------------------------------------------------------------------------------- */

static gb_status queue_build(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const grid *s = static_cast<const grid *>(job->state);
    const nn_grid_of_cells *g = &s->cells;
    const dim3 blocks = gb_grid(job->device, g->n), block(GB_GRID_THREADS);
    if (g->n == 0) return GB_OK;
    GB_TRY(launch(nn_grid_keys, blocks, block, 0, stream, *g), error);
    const gb_status status =
        oc_sort_pairs(g->n, 8, 3 * s->bits, job->device, g->keys, g->numbers, g->sorted_keys,
                      g->sorted_numbers, s->scratch, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(g->cell, 0xFF, g->table * sizeof *g->cell, stream), error);
    GB_TRY(launch(nn_grid_begin, blocks, block, 0, stream, *g), error);
    GB_TRY(launch(nn_grid_end, blocks, block, 0, stream, *g), error);
    return GB_OK;
}

template <class Query>
static gb_status queue_as(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const grid *s = static_cast<const grid *>(job->state);
    const nn_problem *p = nn_problem_of(job);
    GB_TRY(launch(nn_ask_grid<Query>, dim3((s->cells.n + THREADS - 1) / THREADS), dim3(THREADS),
                  (size_t)Query::SHARED * p->shape.k * THREADS, stream, s->cells, p->radius,
                  p->shape.k, s->state.found),
           error);
    return GB_OK;
}

static gb_status queue_queries(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    return nn_problem_of(job)->shape.find == NN_NEAREST ? queue_as<nn_nearest>(job, stream, error)
                                                        : queue_as<nn_within>(job, stream, error);
}

static const nn_stages stages = {queue_build, queue_queries};

/* ---- opening and closing --------------------------------------------------------------------- */

static gb_status poison(gb_job *job, gb_stream stream)
{
    const grid *s = static_cast<const grid *>(job->state);
    const nn_grid_of_cells *g = &s->cells;
    const uint64_t bytes = (uint64_t)(reinterpret_cast<char *>(g->range + g->table) - s->memory);
    GB_TRY(cudaMemsetAsync(s->memory, OC_POISON, bytes, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

/* The next multiple of 256. */
static uint64_t aligned(uint64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static gb_status allocate(gb_job *job, grid *s)
{
    nn_grid_of_cells *g = &s->cells;
    const uint64_t n = g->n, words = aligned(4 * n), doubles = aligned(8 * n);
    const uint64_t scratch = oc_sort_bytes(n ? n : 1, job->device);
    g->table = 64;
    while (g->table < 2 * n)
        g->table *= 2;
    const uint64_t bytes = 2 * doubles + 2 * words + aligned(16 * n) + 16 * g->table;
    gb_status status = gb_cuda_malloc((void **)&s->memory, bytes, "the grid", &job->error);
    if (status == GB_OK) status = gb_cuda_malloc(&s->scratch, scratch, "the sort", &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemset(s->scratch, 0, scratch), &job->error);
    char *at = s->memory;
    g->keys = reinterpret_cast<uint64_t *>(at);
    g->sorted_keys = reinterpret_cast<uint64_t *>(at += doubles);
    g->numbers = reinterpret_cast<uint32_t *>(at += doubles);
    g->sorted_numbers = reinterpret_cast<uint32_t *>(at += words);
    g->sorted = reinterpret_cast<float4 *>(at += words);
    g->cell = reinterpret_cast<uint64_t *>(at + aligned(16 * n));
    g->range = reinterpret_cast<uint2 *>(g->cell + g->table);
    return GB_OK;
}

/* Cells a little wider than the radius, by what is lost where coordinates are rounded; one cell for
 * so few bodies that none has k others. */
static void choose_cells(grid *s, const nn_problem *p)
{
    nn_grid_of_cells *g = &s->cells;
    const double side = (double)(1u << OC_DEPTH) / (double)g->box.scale;
    double edge = 1.0001 * (double)p->radius + 5e-7 * side;
    if (g->n <= p->shape.k) edge = 2 * side;
    g->most = (unsigned)(side / edge);
    g->by_edge = (float)(1 / edge);
    g->edge = (float)(edge - 4e-7 * side);
    for (s->bits = 1; g->most >> s->bits; s->bits++)
        ;
}

static gb_status prepare(gb_job *job)
{
    const nn_problem *p = nn_problem_of(job);
    grid *s = (grid *)calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for queries");
    job->state = s;
    s->state.stages = &stages;
    s->state.poison = poison;
    s->cells.bodies = static_cast<const float4 *>(p->tree->bodies);
    s->cells.n = (uint32_t)p->shape.bodies.n;
    s->cells.box = p->tree->box;
    choose_cells(s, p);
    gb_status status = nn_found_open(job, &s->state);
    if (status == GB_OK) status = allocate(job, s);
    if (status == GB_OK)
        status = gb_allow_shared(nn_ask_grid<nn_nearest>,
                                 (size_t)nn_nearest::SHARED * NN_MOST * THREADS, &job->error);
    return status == GB_OK ? nn_queue_before(job) : status;
}

static void cleanup(gb_job *job)
{
    grid *s = static_cast<grid *>(job->state);
    if (!s) return;
    nn_found_close(&s->state);
    (void)cudaFree(s->memory);
    (void)cudaFree(s->scratch);
    free(s);
    job->state = NULL;
}

extern "C" const gb_variant nn_grid = {
    "grid",
    "bodies sorted by the cells of a uniform grid, found through a hash table",
    "Green 2010, Teschner and others 2003",
    0,
    unsupported,
    prepare,
    NULL,
    nn_queue,
    cleanup,
    "the sort is the project's onesweep; cells are numbered along Morton's curve",
    NULL,
};
