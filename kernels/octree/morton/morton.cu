/* Variant morton: the launches, and which of the two ways a point takes. */
#include "common/cuda/scan.cuh"
#include "kernels/octree/morton/buckets.cuh"
#include "kernels/octree/morton/crowd.cuh"
#include "kernels/octree/morton/keys.cuh"
#include "kernels/octree/morton/move.cuh"
#include "kernels/octree/morton/sort.h"
#include "kernels/octree/morton/wide.cuh"
#include "kernels/octree/octree.h"

#include <stdlib.h>

enum {
    LEAST_BODIES = 4096,  /* fewer are no work for five stages */
    LEAST_COARSE = 2048,  /* cells of the sample's tree that there must be room for */
    BODIES_A_SAMPLE = 64, /* of many */
    BODIES_A_SAMPLE_OF_FEW = 16,
    SAMPLE_OF_FEW = 6144,
    ALIGNED = 256 /* bytes that every array is aligned to */
};

typedef struct morton {
    oc_state state;
    unsigned char *memory; /* device: all that follows */
    uint64_t bytes;
    mo_build build;
    mw_build wide;
    unsigned long long *cells; /* pool: the wide build's list */
    void *scan_scratch;        /* of the wide build's sum */
    void *sort_scratch;
} morton;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Arrays in one piece of memory; base NULL: only their sizes are added up. */
typedef struct arena {
    unsigned char *base;
    uint64_t used;
} arena;

template <class T> static void take(arena *a, T **out, uint64_t count)
{
    *out = a->base ? reinterpret_cast<T *>(a->base + a->used) : NULL;
    a->used += (count * sizeof(T) + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* Of the sort of whole keys; 0 where bodies go by buckets. */
static uint64_t sort_bytes(const morton *m, const gb_device *device)
{
    return m->build.sample ? 0 : oc_sort_bytes(m->wide.n ? m->wide.n : 1, device);
}

static void lay_out(morton *m, arena *a, const gb_device *device)
{
    mo_build *b = &m->build;
    mw_build *w = &m->wide;
    const uint64_t n = w->n + 1,
                   whole = b->sample ? 0 : n; /* whole keys have arrays of their own */
    unsigned char *scan, *sort;
    take(a, &sort, sort_bytes(m, device));
    m->sort_scratch = sort;
    take(a, &b->words, 1);
    take(a, &b->slot, 8ull * b->pool);
    take(a, &b->order, n);
    take(a, &b->first, w->n / 32 + 1);
    take(a, &w->low, n);
    take(a, &w->low_sorted, n);
    take(a, &w->low_order, n);
    take(a, &w->code, n);
    take(a, &w->code_sorted, whole);
    take(a, &m->cells, whole ? b->pool : 0);
    take(a, &scan, whole ? gb_scan_scratch(whole) : 0);
    m->scan_scratch = scan;
    take(a, &b->codes, b->sample);
    take(a, &b->tree, 8 * (uint64_t)MO_CELLS);
    take(a, &b->parent, (uint64_t)MO_CELLS);
    take(a, &b->slots, (uint64_t)MO_SLOTS);
    take(a, &b->spans, (uint64_t)MO_CELLS);
    take(a, &b->counts, (uint64_t)MO_SLOTS + 3);
    take(a, &b->bucket_of, (uint64_t)MO_SLOTS);
    take(a, &b->bucket_slot, b->buckets + 1ull);
    take(a, &b->bucket_fill, b->buckets + 1ull);
    take(a, &b->large, b->buckets + 1ull);
    take(a, &b->crowded, b->buckets + 1ull);
    /* only one of the two ways is taken */
    b->keys = w->low;
    b->scratch = w->low_order;
    b->lows = reinterpret_cast<uint16_t *>(w->low_sorted);
    b->records = w->code;
    w->words = b->words;
    w->slot = b->slot;
    w->order = b->order;
    w->first = b->first;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* How many bodies of the sample a slot may have. Each cell of the sample's tree should be one of
 * the bodies' tree, which it is where it has more than `leaf` bodies that do not all coincide;
 * mends cost little, but should be none where 16 copies of each body are common. */
static unsigned split_for(uint64_t n, unsigned sample, unsigned leaf)
{
    const double crowd = leaf > 16 ? leaf : 16, share = (double)sample / (double)n;
    double expected = sample; /* crowds with so many samples as split, and with it */
    unsigned split = 1;
    while (split < 64 && expected > 1e-6) {
        expected *= share * (crowd - split > 0 ? crowd - split : 0) / (split + 1);
        split++;
    }
    return split < 4 ? 4 : split;
}

/* Sizes that fit the device's shared memory; no sample where buckets are not worth it or there
 * would be too many. */
static void choose(mo_build *b, uint64_t n, const gb_device *device)
{
    const uint64_t shared = device->shared_optin > 2048 ? device->shared_optin - 2048 : 0;
    b->sample = b->buckets = 0;
    b->coarse = MO_CELLS;
    b->bucket_log2 = 12;
    if (n < LEAST_BODIES || mo_large_room::BYTES > shared) return;
    if (n >> b->bucket_log2 >= MO_MOST_BUCKETS) b->bucket_log2++; /* for larger rooms */
    b->buckets = (unsigned)((n + (1u << b->bucket_log2) - 1) >> b->bucket_log2);
    if (b->buckets > MO_MOST_BUCKETS) b->buckets = 0;
    while (b->coarse &&
           (mo_key_bytes(b->coarse) > shared || mo_group_bytes(b->coarse) > shared ||
            mo_move_bytes(b->buckets, b->coarse) > shared || mo_sample_bytes(b->coarse) > shared))
        b->coarse -= 256;
    if (b->coarse < LEAST_COARSE) b->buckets = 0;
    if (!b->buckets) return;
    b->sample = (unsigned)(n / BODIES_A_SAMPLE_OF_FEW);
    if (b->sample > SAMPLE_OF_FEW) b->sample = SAMPLE_OF_FEW;
    if (b->sample < n / BODIES_A_SAMPLE) b->sample = (unsigned)(n / BODIES_A_SAMPLE);
    if (b->sample >= MO_SAMPLE) b->sample = MO_SAMPLE - 1; /* their count fits 15 bits */
    b->id_bits = 0;
    while (n >> b->id_bits)
        b->id_bits++;
    b->levels = (64 - MO_PLACE_BITS - b->id_bits) / 3;
    if (b->levels > MO_LEVELS) b->levels = MO_LEVELS;
    b->split = split_for(n, b->sample, b->leaf);
}

static gb_status view(gb_job *job, oc_view *view)
{
    const morton *m = static_cast<const morton *>(job->state);
    mo_words words;
    GB_TRY(cudaMemcpy(&words, m->build.words, sizeof words, cudaMemcpyDeviceToHost), &job->error);
    view->on_host = false;
    view->slot = m->build.slot;
    view->cells = words.cells;
    view->trouble = words.trouble;
    view->next = NULL;
    view->order = m->build.order;
    view->first = m->build.first;
    view->bytes = m->bytes;
    return GB_OK;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const morton *m = static_cast<const morton *>(job->state);
    cudaStream_t s = gb_cuda_stream(stream);
    /* all but the sort's scratch, which lies first */
    unsigned char *from = reinterpret_cast<unsigned char *>(m->build.words);
    GB_TRY(cudaMemsetAsync(from, OC_POISON, m->bytes - (uint64_t)(from - m->memory), s),
           &job->error);
    return GB_OK;
}

typedef void (*bucket_kernel)(mo_build);

static bucket_kernel small_buckets(const mo_build *b)
{
    return b->leaf == 1 ? mo_buckets<true> : mo_buckets<false>;
}

static bucket_kernel large_buckets(const mo_build *b)
{
    return b->leaf == 1 ? mo_large<true> : mo_large<false>;
}

static gb_status allow(const mo_build *b, gb_error *error)
{
    gb_status status = gb_allow_shared(mo_sample, mo_sample_bytes(b->coarse), error);
    if (status == GB_OK) status = gb_allow_shared(mo_keys, mo_key_bytes(b->coarse), error);
    if (status == GB_OK) status = gb_allow_shared(mo_group, mo_group_bytes(b->coarse), error);
    if (status == GB_OK)
        status = gb_allow_shared(mo_move, mo_move_bytes(b->buckets, b->coarse), error);
    if (status == GB_OK) status = gb_allow_shared(small_buckets(b), mo_small_room::BYTES, error);
    if (status == GB_OK) status = gb_allow_shared(large_buckets(b), mo_large_room::BYTES, error);
    return status;
}

static gb_status prepare(gb_job *job)
{
    const gb_problem *p = job->problem;
    morton *m = (morton *)calloc(1, sizeof *m);
    if (!m) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a build");
    job->state = m;
    m->state.view = view;
    m->state.poison = poison;
    mo_build *b = &m->build;
    b->bodies = static_cast<const float4 *>(p->bodies);
    b->n = (unsigned)p->shape.n;
    b->leaf = p->shape.leaf;
    b->box = p->box;
    b->pool = (uint32_t)p->shape.pool;
    choose(b, p->shape.n, job->device);
    mw_build *w = &m->wide;
    w->bodies = b->bodies;
    w->n = p->shape.n;
    w->leaf = b->leaf;
    w->box = b->box;
    w->pool = b->pool;
    arena sizes = {NULL, 0};
    lay_out(m, &sizes, job->device);
    gb_status status = gb_cuda_malloc((void **)&m->memory, sizes.used, "the build", &job->error);
    if (status != GB_OK) return status;
    m->bytes = sizes.used;
    arena all = {m->memory, 0};
    lay_out(m, &all, job->device);
    GB_TRY(cudaMemset(m->sort_scratch, 0, sort_bytes(m, job->device)), &job->error);
    return b->sample ? allow(b, &job->error) : GB_OK;
}

static void cleanup(gb_job *job)
{
    morton *m = static_cast<morton *>(job->state);
    if (!m) return;
    (void)cudaFree(m->memory);
    free(m);
    job->state = NULL;
}

/* ---- the build ------------------------------------------------------------------------------- */

static gb_status by_buckets(const mo_build *b, const gb_device *device, cudaStream_t stream,
                            gb_error *error)
{
    const unsigned sms = device->sms > 0 ? (unsigned)device->sms : 1;
    const unsigned step = MO_KEY_THREADS * MO_KEY_ITEMS, shares = (b->n + step - 1) / step;
    GB_TRY(
        launch(mo_sample, dim3(1), dim3(MO_SAMPLE_THREADS), mo_sample_bytes(b->coarse), stream, *b),
        error);
    GB_TRY(launch(mo_keys, dim3(shares < 2 * sms ? shares : 2 * sms), dim3(MO_KEY_THREADS),
                  mo_key_bytes(b->coarse), stream, *b),
           error);
    GB_TRY(launch(mo_group, dim3(1), dim3(MO_GROUP_THREADS), mo_group_bytes(b->coarse), stream, *b),
           error);
    const unsigned tiles = (b->n + MO_MOVE_TILE - 1) / MO_MOVE_TILE;
    GB_TRY(launch(mo_move, dim3(tiles < sms ? tiles : sms), dim3(MO_MOVE_THREADS),
                  mo_move_bytes(b->buckets, b->coarse), stream, *b),
           error);
    GB_TRY(launch(small_buckets(b), dim3(b->buckets), dim3(mo_small_room::THREADS),
                  mo_small_room::BYTES, stream, *b),
           error);
    const dim3 few(b->buckets < sms ? b->buckets : sms);
    GB_TRY(launch(large_buckets(b), few, dim3(mo_large_room::THREADS), mo_large_room::BYTES, stream,
                  *b),
           error);
    GB_TRY(launch(mo_crowd, few, dim3(MO_CROWD_THREADS), 0, stream, *b), error);
    GB_TRY(launch(mo_mend, dim3((b->coarse + MO_MEND_THREADS - 1) / MO_MEND_THREADS),
                  dim3(MO_MEND_THREADS), 0, stream, *b),
           error);
    return GB_OK;
}

static gb_status by_whole_keys(const morton *m, const gb_device *device, cudaStream_t stream,
                               gb_error *error)
{
    const mw_build *w = &m->wide;
    const dim3 grid = gb_grid(device, w->n), block(GB_GRID_THREADS);
    GB_TRY(launch(mw_low, grid, block, 0, stream, *w), error);
    gb_status status = oc_sort_pairs(w->n, 4, 3 * MW_LOW_DIGITS, device, w->low, w->order,
                                     w->low_sorted, w->low_order, m->sort_scratch, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(mw_codes, grid, block, 0, stream, *w), error);
    status = oc_sort_pairs(w->n, 8, 3 * OC_CODE_DIGITS, device, w->code, w->low_order,
                           w->code_sorted, w->order, m->sort_scratch, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(mw_compare, grid, block, 0, stream, *w), error);
    GB_TRY(gb_scan_exclusive(w->low, w->n, m->scan_scratch, stream), error);
    GB_TRY(launch(mw_list, grid, block, 0, stream, *w, m->cells), error);
    GB_TRY(launch(mw_emit, gb_grid(device, w->n), dim3(MW_THREADS), 0, stream, *w, m->cells),
           error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const morton *m = static_cast<const morton *>(job->state);
    cudaStream_t s = gb_cuda_stream(stream);
    GB_TRY(launch(mo_start, gb_grid(job->device, m->wide.n / 8), dim3(GB_GRID_THREADS), 0, s,
                  m->build, m->wide.n),
           &job->error);
    if (m->build.sample) return by_buckets(&m->build, job->device, s, &job->error);
    return m->wide.n ? by_whole_keys(m, job->device, s, &job->error) : GB_OK;
}

extern "C" const gb_variant oc_morton = {
    "morton",     "bodies to buckets by a sample's tree, ordered and made cells in shared memory",
    "gpubench",   0,
    oc_full_grid, prepare,
    NULL,         run,
    cleanup,
};
