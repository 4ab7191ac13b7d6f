/* Variant morton: the launches, and which of the two ways a point takes. */
#include "kernels/octree/morton/builder.h"

#include "common/cuda/scan.cuh"
#include "kernels/octree/morton/buckets.cuh"
#include "kernels/octree/morton/crowd.cuh"
#include "kernels/octree/morton/keys.cuh"
#include "kernels/octree/morton/move.cuh"
#include "kernels/octree/morton/sort.h"
#include "kernels/octree/morton/wide.cuh"

#include <stdlib.h>

enum {
    LEAST_BODIES = 4096,  /* fewer are no work for five stages */
    LEAST_COARSE = 2048,  /* cells of the sample's tree that there must be room for */
    BODIES_A_SAMPLE = 64, /* of many */
    BODIES_A_SAMPLE_OF_FEW = 16,
    SAMPLE_OF_FEW = 6144,
    ALIGNED = 256 /* bytes that every array is aligned to */
};

struct mo_builder {
    gb_device device;
    uint64_t most;         /* bodies */
    uint64_t expected;     /* bodies that sizes are for */
    unsigned char *memory; /* device: all that follows */
    uint64_t bytes;
    uint64_t sort_bytes; /* of sort_scratch, which lies first; 0: bodies always go by buckets */
    mo_build build;
    mw_build wide;
    unsigned long long *cells; /* pool: the wide build's list */
    void *scan_scratch;        /* of the wide build's sum */
    void *sort_scratch;
};

typedef struct morton {
    oc_state state;
    mo_builder *builder;
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

static void lay_out(mo_builder *m, arena *a)
{
    mo_build *b = &m->build;
    mw_build *w = &m->wide;
    const uint64_t n = w->n + 1,
                   whole = b->sample ? 0 : n; /* whole keys have arrays of their own */
    unsigned char *scan, *sort;
    take(a, &sort, m->sort_bytes);
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
    take(a, &b->bucket_slot, MO_MOST_BUCKETS + 1ull);
    take(a, &b->bucket_fill, MO_MOST_BUCKETS + 1ull);
    take(a, &b->large, MO_MOST_BUCKETS + 1ull);
    take(a, &b->crowded, MO_MOST_BUCKETS + 1ull);
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

/* Bytes of shared memory that a block of ours may have, beside what kernels have by themselves. */
static uint64_t shared_for(const gb_device *device)
{
    return device->shared_optin > 2048 ? device->shared_optin - 2048 : 0;
}

/* Sizes for n bodies, of which there may be `most`, that fit the device's shared memory; no sample
 * where buckets are not worth it or there would be too many. */
static void choose(mo_build *b, uint64_t n, uint64_t most, const gb_device *device)
{
    const uint64_t shared = shared_for(device);
    uint64_t each = 1 << 12; /* bodies of a bucket, about */
    b->sample = b->buckets = 0;
    b->coarse = MO_CELLS;
    if (n < LEAST_BODIES || mo_large_room::BYTES > shared) return;
    if (n / each >= MO_MOST_BUCKETS) each *= 2; /* for larger rooms */
    b->buckets = (unsigned)((n + each - 1) / each);
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
    while (most >> b->id_bits)
        b->id_bits++;
    b->levels = (64 - MO_PLACE_BITS - b->id_bits) / 3;
    if (b->levels > MO_LEVELS) b->levels = MO_LEVELS;
    b->split = split_for(n, b->sample, b->leaf);
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

/* All builds on a device have the same leave, whatever their sizes: what was asked for last holds
 * for all. */
static gb_status allow(const gb_device *device, gb_error *error)
{
    const uint64_t shared = shared_for(device);
    if (mo_large_room::BYTES > shared) return GB_OK;
    gb_status status = gb_allow_shared(mo_sample, shared, error);
    if (status == GB_OK) status = gb_allow_shared(mo_keys, shared, error);
    if (status == GB_OK) status = gb_allow_shared(mo_group, shared, error);
    if (status == GB_OK) status = gb_allow_shared(mo_move, shared, error);
    if (status == GB_OK) status = gb_allow_shared(mo_buckets<true>, mo_small_room::BYTES, error);
    if (status == GB_OK) status = gb_allow_shared(mo_buckets<false>, mo_small_room::BYTES, error);
    if (status == GB_OK) status = gb_allow_shared(mo_large<true>, mo_large_room::BYTES, error);
    if (status == GB_OK) status = gb_allow_shared(mo_large<false>, mo_large_room::BYTES, error);
    return status;
}

/* Sizes for n bodies, of which there may be `most`, and where their arrays lie in the builder's
 * memory, if there is any; gives how much of it they take. */
static uint64_t set_out(mo_builder *m, uint64_t n, uint64_t most)
{
    arena all = {m->memory, 0};
    m->expected = n;
    m->build.n = (unsigned)most;
    m->wide.n = most;
    choose(&m->build, n, most, &m->device);
    lay_out(m, &all);
    return all.used;
}

/* What any number of bodies from `least` to `most` takes. Few are sorted by whole keys, more go by
 * buckets, and very many are sorted again, so the largest of each kind are asked. */
static void find_bytes(mo_builder *m, uint64_t least)
{
    const uint64_t limit = (uint64_t)MO_MOST_BUCKETS << 13; /* that go by buckets */
    uint64_t sizes[3] = {m->most, 0, 0}, sorted = 0;
    int count = 1;
    (void)set_out(m, m->most, m->most);
    if (!m->build.sample) sorted = m->most;
    if (least < LEAST_BODIES && m->most >= LEAST_BODIES) sizes[count++] = LEAST_BODIES - 1;
    if (least < limit && m->most > limit) sizes[count++] = limit;
    if (!sorted && count > 1) sorted = LEAST_BODIES - 1;
    if (!m->build.sample || sorted) m->sort_bytes = oc_sort_bytes(sorted ? sorted : 1, &m->device);
    for (int i = 0; i < count; i++) {
        const uint64_t bytes = set_out(m, sizes[i], sizes[i]);
        if (bytes > m->bytes) m->bytes = bytes;
    }
}

gb_status mo_builder_open(uint64_t least, uint64_t most, unsigned leaf, uint64_t pool,
                          const gb_device *device, mo_builder **out, gb_error *error)
{
    *out = NULL;
    mo_builder *m = (mo_builder *)calloc(1, sizeof *m);
    if (!m) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a build");
    m->device = *device;
    m->most = most;
    m->build.leaf = m->wide.leaf = leaf;
    m->build.pool = m->wide.pool = (uint32_t)pool;
    find_bytes(m, least);
    gb_status status = gb_cuda_malloc((void **)&m->memory, m->bytes, "the build", error);
    if (status == GB_OK)
        status = gb_cuda_status(cudaMemset(m->memory, 0, m->sort_bytes), "the build", error);
    if (status == GB_OK) status = allow(device, error);
    /* streams of others do not wait for what was cleared */
    if (status == GB_OK) status = gb_cuda_status(cudaDeviceSynchronize(), "the build", error);
    if (status == GB_OK) {
        (void)set_out(m, most, most);
        *out = m;
    } else {
        mo_builder_close(m);
    }
    return status;
}

void mo_builder_close(mo_builder *m)
{
    if (!m) return;
    (void)cudaFree(m->memory);
    free(m);
}

gb_status mo_builder_poison(const mo_builder *m, cudaStream_t stream, gb_error *error)
{
    /* all but the sort's scratch, which lies first */
    const uint64_t from = m->sort_bytes;
    GB_TRY(cudaMemsetAsync(m->memory + from, OC_POISON, m->bytes - from, stream), error);
    return GB_OK;
}

gb_status mo_builder_view(const mo_builder *m, oc_view *view, gb_error *error)
{
    mo_words words;
    GB_TRY(cudaMemcpy(&words, m->build.words, sizeof words, cudaMemcpyDeviceToHost), error);
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

mo_tree mo_builder_tree(const mo_builder *m)
{
    const mo_build *b = &m->build;
    return mo_tree{b->slot, b->order, b->first, &b->words->cells, &b->words->trouble};
}

/* ---- the build ------------------------------------------------------------------------------- */

gb_status mo_builder_start(mo_builder *m, const void *bodies, const unsigned *n, oc_box box,
                           cudaStream_t stream, gb_error *error)
{
    const uint64_t most = m->wide.n;
    m->build.told = n;
    m->build.bodies = m->wide.bodies = static_cast<const float4 *>(bodies);
    m->build.box = m->wide.box = box;
    GB_TRY(launch(mo_start, gb_grid(&m->device, most / 8), dim3(GB_GRID_THREADS), 0, stream,
                  m->build, most),
           error);
    return GB_OK;
}

gb_status mo_builder_sample(mo_builder *m, cudaStream_t stream, gb_error *error)
{
    const mo_build *b = &m->build;
    GB_TRY(
        launch(mo_sample, dim3(1), dim3(MO_SAMPLE_THREADS), mo_sample_bytes(b->coarse), stream, *b),
        error);
    return GB_OK;
}

gb_status mo_builder_finish(mo_builder *m, cudaStream_t stream, gb_error *error)
{
    const mo_build *b = &m->build;
    const unsigned sms = m->device.sms > 0 ? (unsigned)m->device.sms : 1;
    const unsigned step = MO_KEY_THREADS * MO_KEY_ITEMS, shares = (b->n + step - 1) / step;
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

static gb_status by_whole_keys(const mo_builder *m, cudaStream_t stream, gb_error *error)
{
    const gb_device *device = &m->device;
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

gb_status mo_builder_build(mo_builder *m, const void *bodies, uint64_t n, oc_box box,
                           cudaStream_t stream, gb_error *error)
{
    if (n != m->wide.n || n != m->expected) (void)set_out(m, n, n);
    gb_status status = mo_builder_start(m, bodies, NULL, box, stream, error);
    if (status != GB_OK) return status;
    if (!m->build.sample) return n ? by_whole_keys(m, stream, error) : GB_OK;
    status = mo_builder_sample(m, stream, error);
    return status == GB_OK ? mo_builder_finish(m, stream, error) : status;
}

unsigned mo_builder_foresees(mo_builder *m, uint64_t expected)
{
    return set_out(m, expected, m->most) <= m->bytes ? m->build.sample : 0;
}

mo_lent mo_builder_lent(const mo_builder *m)
{
    return mo_lent{m->build.codes, &m->build.words->lent, m->build.sample};
}

/* ---- the variant ----------------------------------------------------------------------------- */

static mo_builder *builder_of(const gb_job *job)
{
    return static_cast<const morton *>(job->state)->builder;
}

static gb_status view(gb_job *job, oc_view *view)
{
    return mo_builder_view(builder_of(job), view, &job->error);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    return mo_builder_poison(builder_of(job), gb_cuda_stream(stream), &job->error);
}

static gb_status prepare(gb_job *job)
{
    const gb_problem *p = job->problem;
    morton *m = (morton *)calloc(1, sizeof *m);
    if (!m) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a build");
    job->state = m;
    m->state.view = view;
    m->state.poison = poison;
    return mo_builder_open(p->shape.n, p->shape.n, p->shape.leaf, p->shape.pool, job->device,
                           &m->builder, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    return mo_builder_build(builder_of(job), p->bodies, p->shape.n, p->box, gb_cuda_stream(stream),
                            &job->error);
}

static void cleanup(gb_job *job)
{
    morton *m = static_cast<morton *>(job->state);
    if (!m) return;
    mo_builder_close(m->builder);
    free(m);
    job->state = NULL;
}

extern "C" const gb_variant oc_morton = {
    "morton",     "bodies to buckets by a sample's tree, ordered and made cells in shared memory",
    "gpubench",   0,
    oc_full_grid, prepare,
    NULL,         run,
    cleanup,
};
