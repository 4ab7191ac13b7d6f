/* Variant burtscher-pingali: a step as Burtscher and Pingali have it ("An Efficient CUDA
 * Implementation of the Tree-Based Barnes Hut n-Body Algorithm", 2011), from their text: cells are
 * cleared and bodies inserted (kernel 2), sums are made from the leaves up (kernel 3), bodies are
 * put in the order of the tree from the root down (kernel 4), and a warp of neighbours goes through
 * the tree together, depth first, past the cells that are far enough for all its lanes (kernel 5).
 * No other source was read.
 *
 * Where the text's cells wait for those that they need in the order of their numbers, these are
 * counted (sums.cuh) or queued (kernel 4): the numbers of cells need no order then. */
#include "kernels/octree-nbody/sums.cuh"
#include "kernels/octree/insert/insert.cuh"

#include <stdlib.h>

enum { SORT_THREADS = 512, FORCE_THREADS = 256 };
static const double MOST_THETA = 0.5;

/* Kernel 4: cells whose first body's place is known. */
typedef struct nb_queue_words {
    unsigned tail;
    unsigned placed; /* bodies */
} nb_queue_words;

typedef struct nb_queue_of_cells {
    nb_queue_words *words;
    uint32_t *cell;  /* in the order in which they came; NB_NONE: not yet */
    uint32_t *start; /* of a cell: the place of its first body */
    uint32_t *order; /* n: bodies */
} nb_queue_of_cells;

typedef struct burtscher_pingali {
    nb_state state;
    gb_job build; /* the variant of kernels/octree that makes the tree */
    nb_tree tree;
    nb_lists leaves;
    nb_summing summing;
    nb_queue_of_cells queue;
    char *memory;  /* of the queue */
    float4 *force; /* n */
} burtscher_pingali;

static const gb_variant *const builder = &oc_burtscher_pingali;

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const gb_params tree = nb_tree_params(params);
    if (nb_shape_of(params).theta > MOST_THETA)
        return "by its rule a body may be inside a cell that it takes for a point: theta must be "
               "0.5 or less";
    return builder->unsupported(&tree, device);
}

/* ---- kernel 4: order ------------------------------------------------------------------------- */

static __global__ void nb_begin_order(nb_tree t, nb_queue_of_cells q)
{
    const uint32_t cells = nb_cells_of(t);
    for (uint64_t c = gb_first(); c < cells; c += gb_stride())
        q.cell[c] = c ? NB_NONE : 0;
    if (gb_first() == 0) {
        q.start[0] = 0;
        q.words->tail = 1;
        q.words->placed = 0;
    }
}

/* The bodies of a cell's leaves get their places, its cells theirs and are queued. */
static __device__ void nb_place_cell(const nb_tree &t, const nb_lists &leaves, const nb_sums &sums,
                                     const nb_queue_of_cells &q, uint32_t cell)
{
    uint32_t slot[OC_SLOTS];
    uint32_t place = __ldcg(&q.start[cell]);
    unsigned placed = 0;
    nb_load_slots(t, cell, slot);
#pragma unroll
    for (int d = 0; d < OC_SLOTS; d++) {
        if (oc_is_leaf(slot[d])) {
            for (uint32_t b = slot[d]; b != OC_EMPTY; b = leaves.next[b], placed++)
                q.order[place++] = b;
        } else if (oc_is_cell(slot[d])) {
            const uint32_t below = slot[d] & ~OC_CELL;
            q.start[below] = place;
            place += sums.count[below];
            __threadfence();
            (void)atomicExch(&q.cell[atomicAdd(&q.words->tail, 1u)], below);
        }
    }
    if (placed) atomicAdd(&q.words->placed, placed);
}

/* Thread i takes what comes i-th into the queue, and every grid's threads beyond. All blocks are on
 * the device together: a cell is queued by one that came before. */
static __global__ void __launch_bounds__(SORT_THREADS)
    nb_order(nb_tree t, nb_lists leaves, nb_sums sums, nb_queue_of_cells q)
{
    const uint32_t cells = nb_cells_of(t);
    uint64_t i = gb_first();
    while (i < cells && gb_glance(&q.words->placed) < t.n) {
        const uint32_t cell = oc_now(&q.cell[i]);
        if (cell == NB_NONE) {
            gb_ask_again();
            continue;
        }
        __threadfence();
        nb_place_cell(t, leaves, sums, q, cell);
        i += gb_stride();
    }
}

/* ---- kernel 5: force ------------------------------------------------------------------------- */

/* A cell on the way down, and the slots of it that are still to be looked at. */
typedef struct nb_level {
    uint32_t cell;
    unsigned left; /* a bit a slot */
} nb_level;

/* The slots of a cell that are not empty; all lanes get them. */
static __device__ __forceinline__ unsigned nb_used(const nb_tree &t, uint32_t cell)
{
    const unsigned lane = gb_lane();
    const uint32_t holds = lane < OC_SLOTS ? t.slot[(uint64_t)cell * OC_SLOTS + lane] : OC_EMPTY;
    return __ballot_sync(GB_FULL_MASK, holds != OC_EMPTY);
}

static __device__ __forceinline__ float nb_distance2(float4 at, float3 x)
{
    const float dx = at.x - x.x, dy = at.y - x.y, dz = at.z - x.z;
    return dx * dx + dy * dy + dz * dz;
}

/* reach2: by depth of the cell. */
static __device__ __forceinline__ float4 nb_walk_down(const nb_tree &t, const nb_lists &leaves,
                                                      const nb_sums &sums, float eps2,
                                                      const float *reach2, nb_level *stack,
                                                      float3 x)
{
    float4 force = make_float4(0, 0, 0, 0);
    int depth = 0;
    unsigned left = nb_used(t, 0);
    uint32_t cell = 0;
    for (;;) {
        if (!left) {
            if (--depth < 0) return force;
            __syncwarp();
            cell = stack[depth].cell;
            left = stack[depth].left;
            continue;
        }
        const int d = __ffs((int)left) - 1;
        left &= left - 1;
        const uint32_t holds = t.slot[(uint64_t)cell * OC_SLOTS + (unsigned)d];
        if (oc_is_leaf(holds)) {
            leaves.each(holds, [&](float4 body) { nb_pull(body, x, eps2, &force); });
            continue;
        }
        const uint32_t below = holds & ~OC_CELL;
        const float4 sum = sums.sum[below];
        if (__all_sync(GB_FULL_MASK, nb_distance2(sum, x) > reach2[depth + 1])) {
            nb_pull(sum, x, eps2, &force);
            continue;
        }
        __syncwarp();
        if (gb_lane() == 0) {
            stack[depth].cell = cell;
            stack[depth].left = left;
        }
        depth++;
        cell = below;
        left = nb_used(t, below);
    }
}

static __global__ void __launch_bounds__(FORCE_THREADS)
    nb_force_of_warps(nb_tree t, nb_lists leaves, nb_sums sums, const uint32_t *order, float eps2,
                      float root_reach, float4 *out)
{
    __shared__ nb_level stacks[FORCE_THREADS / GB_WARP][OC_DEPTH];
    __shared__ float reach2[OC_DEPTH];
    if (*t.trouble) return;
    if (threadIdx.x < OC_DEPTH) {
        const float reach = root_reach / (float)(1u << threadIdx.x);
        reach2[threadIdx.x] = reach * reach;
    }
    __syncthreads();
    const uint64_t p = gb_first();
    if (p - gb_lane() >= t.n) return;
    /* lanes without a body do as the last one does, and write nothing */
    const uint32_t body = order[p < t.n ? p : t.n - 1];
    const float4 at = t.bodies[body];
    const float4 force = nb_walk_down(t, leaves, sums, eps2, reach2, stacks[threadIdx.x / GB_WARP],
                                      make_float3(at.x, at.y, at.z));
    if (p < t.n) out[body] = nb_without_itself(force, at.w, eps2);
}

/* ---- stages ---------------------------------------------------------------------------------- */

static burtscher_pingali *state_of(const gb_job *job)
{
    return static_cast<burtscher_pingali *>(job->state);
}

static gb_status queue_build(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    burtscher_pingali *s = state_of(job);
    const oc_insert *given = oc_insert_of(&s->build);
    GB_TRY(cudaMemsetAsync(given->slot, 0xFF, (uint64_t)given->pool * OC_SLOTS * 4, stream), error);
    const gb_status status = builder->run(&s->build, reinterpret_cast<gb_stream>(stream));
    if (status != GB_OK) *error = s->build.error;
    return status;
}

static gb_status queue_sums(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const burtscher_pingali *s = state_of(job);
    const gb_status status =
        nb_queue_sums(s->tree, s->leaves, s->summing, nb_by_theta(&nb_problem_of(job)->shape),
                      NB_PLAIN, job->device, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(nb_begin_order, gb_grid(job->device, s->tree.pool), dim3(GB_GRID_THREADS), 0,
                  stream, s->tree, s->queue),
           error);
    const unsigned blocks = job->device->sms > 0 ? (unsigned)job->device->sms : 1;
    GB_TRY(launch(nb_order, dim3(blocks), dim3(SORT_THREADS), 0, stream, s->tree, s->leaves,
                  s->summing.sums, s->queue),
           error);
    return GB_OK;
}

static gb_status queue_force(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const burtscher_pingali *s = state_of(job);
    const nb_problem *p = nb_problem_of(job);
    const float by_theta = nb_by_theta(&p->shape);
    const float side = (float)(1u << OC_DEPTH) / s->tree.box.scale;
    if (s->tree.n == 0) return GB_OK;
    GB_TRY(launch(nb_force_of_warps, dim3((s->tree.n + FORCE_THREADS - 1) / FORCE_THREADS),
                  dim3(FORCE_THREADS), 0, stream, s->tree, s->leaves, s->summing.sums,
                  s->queue.order, p->eps2, side * by_theta, s->force),
           error);
    return GB_OK;
}

static const nb_stages stages = {queue_build, queue_sums, queue_force};

/* ---- what is left ---------------------------------------------------------------------------- */

static gb_status view(gb_job *job, nb_view *view)
{
    burtscher_pingali *s = state_of(job);
    view->has_tree = true;
    view->rule = NB_PLAIN;
    view->sums = s->summing.sums;
    view->force = s->force;
    const gb_status status =
        static_cast<const oc_state *>(s->build.state)->view(&s->build, &view->tree);
    if (status != GB_OK) job->error = s->build.error;
    return status;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    burtscher_pingali *s = state_of(job);
    const nb_shape *shape = &nb_problem_of(job)->shape;
    cudaStream_t on = gb_cuda_stream(stream);
    if (nb_does(shape, NB_BUILD)) {
        const gb_status status =
            static_cast<const oc_state *>(s->build.state)->poison(&s->build, stream);
        if (status != GB_OK) {
            job->error = s->build.error;
            return status;
        }
    }
    if (nb_does(shape, NB_SUMS)) {
        GB_TRY(cudaMemsetAsync(s->summing.memory, OC_POISON, s->summing.bytes, on), &job->error);
        GB_TRY(cudaMemsetAsync(s->queue.order, OC_POISON, (uint64_t)s->tree.n * 4, on),
               &job->error);
    }
    if (nb_does(shape, NB_FORCE))
        GB_TRY(cudaMemsetAsync(s->force, OC_POISON, (uint64_t)s->tree.n * sizeof(float4), on),
               &job->error);
    return GB_OK;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static gb_status allocate(gb_job *job, burtscher_pingali *s)
{
    const nb_shape *shape = &nb_problem_of(job)->shape;
    const uint64_t n = shape->bodies.n, pool = s->tree.pool;
    nb_queue_of_cells *q = &s->queue;
    gb_status status = GB_OK;
    if (!nb_needs(shape, NB_SUMS)) return GB_OK;
    status = nb_summing_open(pool, true, &s->summing, &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc((void **)&s->memory, sizeof *q->words + 8 * pool + 4 * n + 16,
                                "the queue of cells", &job->error);
    if (status != GB_OK) return status;
    q->words = reinterpret_cast<nb_queue_words *>(s->memory);
    q->cell = reinterpret_cast<uint32_t *>(q->words + 1);
    q->start = q->cell + pool;
    q->order = q->start + pool;
    if (nb_needs(shape, NB_FORCE))
        status = gb_cuda_malloc((void **)&s->force, n * sizeof(float4) + 16, "the bodies' forces",
                                &job->error);
    return status;
}

static gb_status prepare(gb_job *job)
{
    gb_problem *tree = nb_problem_of(job)->tree;
    burtscher_pingali *s = (burtscher_pingali *)calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a step");
    job->state = s;
    s->state.view = view;
    s->state.poison = poison;
    s->build = *job;
    s->build.variant = builder;
    s->build.problem = tree;
    s->build.state = NULL;
    gb_status status = builder->prepare(&s->build);
    if (status != GB_OK) {
        job->error = s->build.error;
        return status;
    }
    const oc_insert *given = oc_insert_of(&s->build);
    s->tree.bodies = given->bodies;
    s->tree.n = given->n;
    s->tree.pool = given->pool;
    s->tree.box = given->box;
    s->tree.slot = given->slot;
    s->tree.cells = &given->words->cells;
    s->tree.trouble = &given->words->trouble;
    s->leaves.bodies = given->bodies;
    s->leaves.next = given->next;
    status = allocate(job, s);
    return status == GB_OK ? nb_queue_before(job, &stages) : status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return nb_queue(job, &stages, stream);
}

static void cleanup(gb_job *job)
{
    burtscher_pingali *s = state_of(job);
    if (!s) return;
    builder->cleanup(&s->build);
    (void)cudaFree(s->summing.memory);
    (void)cudaFree(s->memory);
    (void)cudaFree(s->force);
    free(s);
    job->state = NULL;
}

extern "C" const gb_variant nb_burtscher_pingali = {
    "burtscher-pingali",
    "bodies inserted, sums from the leaves up, order from the root down, a warp goes depth first",
    "Burtscher and Pingali 2011",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
    "the cube around the bodies is given (its kernel 1) and bodies are not moved (6); potentials "
    "as "
    "well; cells wait for those that they need by counts and a queue, not in the order of numbers",
    NULL,
};
