/* The functions of octree.h: they check what they get, and queue what variants of kernels/octree
 * and of the primitives beside it are made of. */
#include "common/cuda/current_device.cuh"
#include "kernels/octree-nbody/sums.cuh"
#include "kernels/octree-neighbours/walk.cuh"
#include "kernels/octree-update/dynamic.cuh"
#include "kernels/octree/box.h"
#include "kernels/octree/library/octree.h"
#include "kernels/octree/morton/builder.h"

#include <stdlib.h>

enum { MOST_LEAF = 32, MOST_NEIGHBOURS = 32, BODY_ALIGNED = 16, MORE_CELLS = 4096 };
static const uint64_t MOST_BODIES = (uint64_t)1 << 30, MOST_KEPT_CELLS = (uint64_t)1 << 29;

struct gb_octree {
    gb_device device;
    gb_octree_options options; /* nothing in it is 0 for its default */
    mo_builder *builder;       /* NULL with UPDATES */
    ou_tree kept;              /* of those alone */
    char *kept_memory;
    uint32_t *movers;
    nb_summing summing;
    float4 *with_mass, *with_number; /* most_bodies each, in curve order; NULL where not used */
    uint64_t bytes;                  /* beside the builder's */
    bool built;
    const float4 *bodies; /* of the last build or update */
    uint32_t n;
    oc_box box;
};

static thread_local gb_error last_error;

/* Sets the thread's error and returns the status. */
template <class... A>
static gb_octree_status fails(gb_octree_status status, const char *format, A... arguments)
{
    (void)gb_fail(&last_error, GB_UNSUPPORTED, format, arguments...);
    return status;
}

/* Of what has set last_error, if it failed. */
static gb_octree_status status_of(gb_status status)
{
    return status == GB_OK              ? GB_OCTREE_OK
           : status == GB_OUT_OF_MEMORY ? GB_OCTREE_MEMORY
                                        : GB_OCTREE_CUDA;
}

static bool has(const gb_octree *tree, unsigned use)
{
    return (tree->options.uses & use) != 0;
}

/* ---- handles --------------------------------------------------------------------------------- */

static gb_octree_status check_options(const gb_octree_options *o)
{
    const unsigned known = GB_OCTREE_SUMS | GB_OCTREE_QUERIES | GB_OCTREE_UPDATES;
    if (o->most_bodies > MOST_BODIES)
        return fails(GB_OCTREE_INVALID, "most_bodies is %llu; it may be at most 2^30",
                     (unsigned long long)o->most_bodies);
    if (o->leaf > MOST_LEAF)
        return fails(GB_OCTREE_INVALID, "leaf is %u; a leaf may hold 1 to %d bodies", o->leaf,
                     (int)MOST_LEAF);
    if (o->uses & ~known)
        return fails(GB_OCTREE_INVALID, "uses is %u, which has bits that mean nothing", o->uses);
    const bool updates = o->uses & GB_OCTREE_UPDATES;
    if (updates && o->leaf > 1)
        return fails(GB_OCTREE_INVALID,
                     "leaf is %u; trees that can be updated have one body a leaf", o->leaf);
    if (updates && (o->uses & GB_OCTREE_QUERIES))
        return fails(GB_OCTREE_INVALID,
                     "uses has UPDATES and QUERIES: queries go along the curve, in which bodies of "
                     "trees that can be updated do not lie; take a handle for each");
    const uint64_t most = updates ? MOST_KEPT_CELLS : (uint64_t)OC_MOST_CELLS;
    if (o->most_cells > most)
        return fails(GB_OCTREE_INVALID, "most_cells is %llu; there may be at most %llu",
                     (unsigned long long)o->most_cells, (unsigned long long)most);
    return GB_OCTREE_OK;
}

/* Device memory that is counted; only where it is wanted. */
template <class T>
static gb_status take_if(bool wanted, gb_octree *tree, T **array, uint64_t bytes, const char *what)
{
    if (!wanted) return GB_OK;
    tree->bytes += bytes;
    return gb_cuda_malloc((void **)array, bytes, what, &last_error);
}

static gb_status open_kept(gb_octree *tree)
{
    ou_tree *u = &tree->kept;
    u->t.n = (uint32_t)tree->options.most_bodies;
    u->t.pool = (uint32_t)tree->options.most_cells;
    const uint64_t bytes = ou_lay_out(u, NULL);
    gb_status status = take_if(true, tree, &tree->kept_memory, bytes, "the tree");
    if (status == GB_OK)
        status = take_if(true, tree, &tree->movers, 8 * tree->options.most_bodies + 16,
                         "bodies that move");
    if (status != GB_OK) return status;
    (void)ou_lay_out(u, tree->kept_memory);
    u->movers = tree->movers;
    u->left = tree->movers + tree->options.most_bodies;
    return GB_OK;
}

static gb_status open_sums(gb_octree *tree)
{
    const gb_status status =
        nb_summing_open(tree->options.most_cells, true, &tree->summing, &last_error);
    tree->bytes += tree->summing.bytes + 8 * tree->options.most_cells;
    return status;
}

static gb_status open(gb_octree *tree)
{
    const gb_octree_options *o = &tree->options;
    const bool kept = has(tree, GB_OCTREE_UPDATES);
    const uint64_t bodies = o->most_bodies * sizeof(float4) + 16;
    gb_status status = kept ? open_kept(tree)
                            : mo_builder_open(0, o->most_bodies, o->leaf, o->most_cells, MO_AS_FITS,
                                              &tree->device, &tree->builder, &last_error);
    if (status == GB_OK && has(tree, GB_OCTREE_SUMS)) status = open_sums(tree);
    if (status == GB_OK)
        status = take_if(has(tree, GB_OCTREE_SUMS) && !kept, tree, &tree->with_mass, bodies,
                         "bodies in their order");
    if (status == GB_OK)
        status = take_if(has(tree, GB_OCTREE_QUERIES), tree, &tree->with_number, bodies,
                         "bodies in their order");
    return status;
}

extern "C" gb_octree_status gb_octree_create(const gb_octree_options *options, gb_octree **out)
{
    *out = NULL;
    gb_octree_status status = check_options(options);
    if (status != GB_OCTREE_OK) return status;
    gb_octree *tree = (gb_octree *)calloc(1, sizeof *tree);
    if (!tree) return fails(GB_OCTREE_MEMORY, "no host memory for a handle");
    gb_octree_options *o = &tree->options;
    *o = *options;
    if (o->leaf == 0) o->leaf = 1;
    if (o->most_cells == 0) o->most_cells = o->most_bodies + MORE_CELLS;
    if (has(tree, GB_OCTREE_UPDATES) && o->most_cells > MOST_KEPT_CELLS)
        o->most_cells = MOST_KEPT_CELLS;
    status = status_of(gb_current_device(&tree->device, &last_error));
    if (status == GB_OCTREE_OK) status = status_of(open(tree));
    if (status == GB_OCTREE_OK)
        *out = tree;
    else
        gb_octree_destroy(tree);
    return status;
}

extern "C" void gb_octree_destroy(gb_octree *tree)
{
    if (!tree) return;
    mo_builder_close(tree->builder);
    (void)cudaFree(tree->kept_memory);
    (void)cudaFree(tree->movers);
    (void)cudaFree(tree->summing.memory);
    (void)cudaFree(tree->with_mass);
    (void)cudaFree(tree->with_number);
    free(tree);
}

/* ---- what every call is given ---------------------------------------------------------------- */

static gb_octree_status check_handle(const gb_octree *tree)
{
    int device;
    const cudaError_t code = cudaGetDevice(&device);
    if (code != cudaSuccess)
        return status_of(gb_cuda_status(code, "the current device", &last_error));
    return device == tree->device.index
               ? GB_OCTREE_OK
               : fails(GB_OCTREE_INVALID, "device %d is the current one; the handle is of %d",
                       device, tree->device.index);
}

static gb_octree_status check_bodies(const float *bodies, uint64_t n)
{
    if (n && !bodies) return fails(GB_OCTREE_INVALID, "bodies is NULL");
    if ((uintptr_t)bodies % BODY_ALIGNED)
        return fails(GB_OCTREE_INVALID, "bodies is not aligned to %d bytes", (int)BODY_ALIGNED);
    return GB_OCTREE_OK;
}

/* Of calls that need a tree, and a use. */
static gb_octree_status check_tree(const gb_octree *tree, unsigned use, const char *name)
{
    const gb_octree_status status = check_handle(tree);
    if (status != GB_OCTREE_OK) return status;
    if (use && !has(tree, use))
        return fails(GB_OCTREE_INVALID, "the handle was made without GB_OCTREE_%s", name);
    return tree->built ? GB_OCTREE_OK
                       : fails(GB_OCTREE_INVALID, "no tree was built with the handle yet");
}

/* ---- builds ---------------------------------------------------------------------------------- */

extern "C" gb_octree_status gb_octree_cube_around(const float *bodies, uint64_t n,
                                                  gb_octree_cube *cube)
{
    gb_device device;
    oc_box box = {0, 0, 0, 1};
    oc_extent all = oc_extent_of_none();
    *cube = gb_octree_cube{{0, 0, 0}, 0};
    gb_octree_status status = check_bodies(bodies, n);
    if (status != GB_OCTREE_OK || n == 0) return status;
    status = status_of(gb_current_device(&device, &last_error));
    if (status == GB_OCTREE_OK)
        status = status_of(oc_extent_join(bodies, n, &device, &all, &last_error));
    if (status != GB_OCTREE_OK) return status;
    if (all.unfit != ~0u)
        return fails(GB_OCTREE_INVALID, "body %u has a coordinate that is no finite number",
                     all.unfit);
    if (oc_cube_around(&all, NULL, &box, &last_error) != GB_OK) return GB_OCTREE_INVALID;
    const bool point = memcmp(all.least, all.greatest, sizeof all.least) == 0;
    *cube =
        gb_octree_cube{{box.x, box.y, box.z}, point ? 0.0f : (float)(1u << OC_DEPTH) / box.scale};
    return GB_OCTREE_OK;
}

static gb_octree_status check_cube(const gb_octree_cube *cube, oc_box *box)
{
    const float *low = cube->low;
    if (!(isfinite(low[0]) && isfinite(low[1]) && isfinite(low[2])))
        return fails(GB_OCTREE_INVALID, "the cube's corner is (%g, %g, %g)", (double)low[0],
                     (double)low[1], (double)low[2]);
    if (!(cube->side >= 0 && cube->side <= 1e37f))
        return fails(GB_OCTREE_INVALID, "the cube's side is %g; it may be 0 to 1e37",
                     (double)cube->side);
    *box = oc_box{low[0], low[1], low[2], oc_scale_of((double)cube->side)};
    return GB_OCTREE_OK;
}

/* The tree as queries see it. */
static nn_tree searched(const gb_octree *tree)
{
    const mo_tree made = mo_builder_tree(tree->builder);
    return nn_tree{made.slot,         made.order, made.first, made.trouble,
                   tree->with_number, tree->n,    tree->box,  nn_slack_of(tree->box)};
}

static gb_status queue_numbered(const gb_octree *tree, cudaStream_t stream)
{
    GB_TRY(launch(nn_gather, gb_grid(&tree->device, tree->n), dim3(GB_GRID_THREADS), 0, stream,
                  searched(tree), tree->bodies, tree->with_number),
           &last_error);
    return GB_OK;
}

extern "C" gb_octree_status gb_octree_build(gb_octree *tree, const float *bodies, uint64_t n,
                                            gb_octree_cube cube, void *stream)
{
    cudaStream_t on = gb_cuda_stream((gb_stream)stream);
    oc_box box;
    gb_octree_status status = check_handle(tree);
    if (status == GB_OCTREE_OK) status = check_bodies(bodies, n);
    if (status == GB_OCTREE_OK) status = check_cube(&cube, &box);
    if (status != GB_OCTREE_OK) return status;
    if (n > tree->options.most_bodies)
        return fails(GB_OCTREE_INVALID, "n is %llu; the handle is for %llu bodies at most",
                     (unsigned long long)n, (unsigned long long)tree->options.most_bodies);
    tree->built = true;
    tree->bodies = reinterpret_cast<const float4 *>(bodies);
    tree->n = (uint32_t)n;
    tree->box = box;
    if (has(tree, GB_OCTREE_UPDATES)) {
        oc_insert *t = &tree->kept.t;
        t->bodies = tree->bodies;
        t->n = tree->n;
        t->box = box;
        return status_of(ou_queue_build(tree->kept, &tree->device, on, &last_error));
    }
    status = status_of(mo_builder_build(tree->builder, bodies, n, box, on, &last_error));
    if (status == GB_OCTREE_OK && n && has(tree, GB_OCTREE_QUERIES))
        status = status_of(queue_numbered(tree, on));
    return status;
}

extern "C" gb_octree_status gb_octree_update(gb_octree *tree, const float *bodies, void *stream)
{
    gb_octree_status status = check_tree(tree, GB_OCTREE_UPDATES, "UPDATES");
    if (status == GB_OCTREE_OK) status = check_bodies(bodies, tree->n);
    if (status != GB_OCTREE_OK) return status;
    tree->bodies = tree->kept.t.bodies = reinterpret_cast<const float4 *>(bodies);
    return status_of(
        ou_queue_update(tree->kept, &tree->device, gb_cuda_stream((gb_stream)stream), &last_error));
}

/* ---- sums ------------------------------------------------------------------------------------ */

static nb_tree tree_of(const gb_octree *tree)
{
    nb_tree t = {};
    t.bodies = tree->bodies;
    t.n = tree->n;
    t.pool = (uint32_t)tree->options.most_cells;
    t.box = tree->box;
    if (has(tree, GB_OCTREE_UPDATES)) {
        t.slot = tree->kept.t.slot;
        t.cells = &tree->kept.t.words->cells;
        t.trouble = &tree->kept.t.words->trouble;
        return t;
    }
    const mo_tree made = mo_builder_tree(tree->builder);
    t.slot = made.slot;
    t.cells = made.cells;
    t.trouble = made.trouble;
    t.order = made.order;
    return t;
}

template <class Leaves>
static gb_status queue_sums(const gb_octree *tree, const Leaves &leaves, cudaStream_t stream)
{
    return nb_queue_sums(tree_of(tree), leaves, tree->summing, 1.0f, NB_FROM_CENTRE, &tree->device,
                         stream, &last_error);
}

extern "C" gb_octree_status gb_octree_sums(gb_octree *tree, void *stream)
{
    cudaStream_t on = gb_cuda_stream((gb_stream)stream);
    gb_octree_status status = check_tree(tree, GB_OCTREE_SUMS, "SUMS");
    if (status != GB_OCTREE_OK) return status;
    if (has(tree, GB_OCTREE_UPDATES))
        return status_of(queue_sums(tree, nb_lists{tree->bodies, tree->kept.t.next}, on));
    if (tree->n)
        status = status_of(
            nb_queue_gather(tree_of(tree), tree->with_mass, &tree->device, on, &last_error));
    if (status != GB_OCTREE_OK) return status;
    const mo_tree made = mo_builder_tree(tree->builder);
    return status_of(queue_sums(tree, nb_ranges{tree->with_mass, made.first, tree->n}, on));
}

/* ---- queries --------------------------------------------------------------------------------- */

/* Who counts, and who lists, all within a radius (neighbours.cuh says what a query is). */
typedef struct gl_counts {
    uint32_t *of;
} gl_counts;

struct gl_count {
    float r2;
    uint32_t count;

    __device__ __forceinline__ void begin(float radius, unsigned, unsigned char *,
                                          const gl_counts &, uint32_t)
    {
        r2 = radius * radius;
        count = 0;
    }
    __device__ __forceinline__ float bound() const { return r2; }
    __device__ __forceinline__ void meet(float d2, uint32_t) { count += d2 <= r2; }
    __device__ __forceinline__ void end(uint32_t body, const gl_counts &found) const
    {
        found.of[body] = count;
    }
};

typedef struct gl_lists {
    const uint32_t *offsets;
    uint32_t *numbers;
} gl_lists;

struct gl_list {
    float r2;
    uint32_t *next;

    __device__ __forceinline__ void begin(float radius, unsigned, unsigned char *,
                                          const gl_lists &found, uint32_t body)
    {
        r2 = radius * radius;
        next = found.numbers + found.offsets[body];
    }
    __device__ __forceinline__ float bound() const { return r2; }
    __device__ __forceinline__ void meet(float d2, uint32_t body)
    {
        if (d2 <= r2) *next++ = body;
    }
    __device__ __forceinline__ void end(uint32_t, const gl_lists &) const {}
};

template <class Query, class Found>
static gb_status queue_queries(const gb_octree *tree, float radius, unsigned k, unsigned before,
                               size_t shared, Found found, void *stream)
{
    if (tree->n == 0) return GB_OK;
    GB_TRY(launch(nn_ask<Query, Found>, dim3((tree->n + NN_WALK_THREADS - 1) / NN_WALK_THREADS),
                  dim3(NN_WALK_THREADS), shared, gb_cuda_stream((gb_stream)stream), searched(tree),
                  radius, k, before, found),
           &last_error);
    return GB_OK;
}

/* What all calls for neighbours want: `array`, which is called `name`. */
static gb_octree_status check_queries(const gb_octree *tree, const void *array, const char *name)
{
    const gb_octree_status status = check_tree(tree, GB_OCTREE_QUERIES, "QUERIES");
    if (status != GB_OCTREE_OK) return status;
    return array || tree->n == 0 ? GB_OCTREE_OK : fails(GB_OCTREE_INVALID, "%s is NULL", name);
}

static gb_octree_status check_radius(float radius)
{
    return radius >= 0
               ? GB_OCTREE_OK
               : fails(GB_OCTREE_INVALID, "radius is %g; it may be 0 and more", (double)radius);
}

extern "C" gb_octree_status gb_octree_nearest(gb_octree *tree, unsigned k, uint32_t *numbers,
                                              void *stream)
{
    const gb_octree_status status = check_queries(tree, numbers, "numbers");
    if (status != GB_OCTREE_OK) return status;
    if (k == 0 || k > MOST_NEIGHBOURS)
        return fails(GB_OCTREE_INVALID, "k is %u; it may be 1 to %d", k, (int)MOST_NEIGHBOURS);
    return status_of(queue_queries<nn_nearest>(tree, 0.0f, k, NN_BEFORE,
                                               (size_t)nn_nearest::SHARED * k * NN_WALK_THREADS,
                                               nn_found{numbers, NULL}, stream));
}

extern "C" gb_octree_status gb_octree_count_within(gb_octree *tree, float radius, uint32_t *counts,
                                                   void *stream)
{
    gb_octree_status status = check_queries(tree, counts, "counts");
    if (status == GB_OCTREE_OK) status = check_radius(radius);
    return status == GB_OCTREE_OK ? status_of(queue_queries<gl_count>(tree, radius, 0, 0, 0,
                                                                      gl_counts{counts}, stream))
                                  : status;
}

extern "C" gb_octree_status gb_octree_list_within(gb_octree *tree, float radius,
                                                  const uint32_t *offsets, uint32_t *numbers,
                                                  void *stream)
{
    gb_octree_status status = check_queries(tree, offsets, "offsets");
    if (status == GB_OCTREE_OK) status = check_radius(radius);
    return status == GB_OCTREE_OK ? status_of(queue_queries<gl_list>(
                                        tree, radius, 0, 0, 0, gl_lists{offsets, numbers}, stream))
                                  : status;
}

/* ---- what is there --------------------------------------------------------------------------- */

extern "C" gb_octree_status gb_octree_check(gb_octree *tree, void *stream)
{
    unsigned trouble = 0;
    const gb_octree_status status = check_tree(tree, 0, "");
    if (status != GB_OCTREE_OK) return status;
    cudaStream_t on = gb_cuda_stream((gb_stream)stream);
    cudaError_t code = cudaMemcpyAsync(&trouble, tree_of(tree).trouble, sizeof trouble,
                                       cudaMemcpyDeviceToHost, on);
    if (code == cudaSuccess) code = cudaStreamSynchronize(on);
    if (code != cudaSuccess) return status_of(gb_cuda_status(code, "the tree", &last_error));
    return trouble ? fails(GB_OCTREE_MEMORY,
                           "the tree has more than the %llu cells of the handle: raise most_cells",
                           (unsigned long long)tree->options.most_cells)
                   : GB_OCTREE_OK;
}

extern "C" gb_octree_status gb_octree_look(const gb_octree *tree, gb_octree_view *view)
{
    const gb_octree_status status = check_tree(tree, 0, "");
    if (status != GB_OCTREE_OK) return status;
    const nb_tree t = tree_of(tree);
    *view = gb_octree_view{};
    view->slots = t.slot;
    view->cells = t.cells;
    view->order = t.order;
    view->bytes = tree->bytes;
    if (has(tree, GB_OCTREE_UPDATES)) {
        view->next = tree->kept.t.next;
    } else {
        view->starts = mo_builder_tree(tree->builder).first;
        view->bytes += mo_builder_bytes(tree->builder);
    }
    if (has(tree, GB_OCTREE_SUMS)) {
        view->sums = reinterpret_cast<const float *>(tree->summing.sums.sum);
        view->counts = tree->summing.sums.count;
    }
    return GB_OCTREE_OK;
}

extern "C" const char *gb_octree_error(void)
{
    return last_error.text;
}
