/* The build of variant morton: the launches, and which of the ways bodies take. */
#include "kernels/octree/morton/builder.h"

#include "common/cuda/scan.cuh"
#include "kernels/octree/morton/crowd.cuh"
#include "kernels/octree/morton/few.cuh"
#include "kernels/octree/morton/keys.cuh"
#include "kernels/octree/morton/move.cuh"
#include "kernels/octree/morton/regions.cuh"
#include "kernels/octree/morton/rooms.h"
#include "kernels/octree/morton/sort.h"
#include "kernels/octree/morton/wide.cuh"

#include <stdlib.h>

enum {
    LEAST_EACH = 256,      /* bodies of a bucket */
    EMITTED_TOGETHER = 64, /* bodies whose cells a block writes at once, of few: half a cell each */
    LEAST_BODIES = 4096,   /* fewer are no work for five stages */
    LEAST_COARSE = 2048,   /* cells of the sample's tree that there must be room for */
    BODIES_A_SAMPLE = 64,  /* of many */
    BODIES_A_SAMPLE_OF_FEW = 16,
    SAMPLE_OF_FEW = 8064,
    SAMPLED_AS_FEW = 1 << 22, /* bodies: a larger sample saves less than its one block takes */
    SPARE_TABLES = 4 << 20,   /* bytes */
    COUNT_BLOCKS = 4,         /* a multiprocessor, that go through regions */
    CELLS_A_REGION = 4, /* of the sample's tree above regions; in all from LEAST_TOP to MOST_TOP */
    LEAST_TOP = 32,
    MOST_TOP = 1024,
    SAMPLES_A_CELL = 8, /* of that tree */
    ALIGNED = 256       /* bytes that every array is aligned to */
};

uint64_t mo_most_few = 1 << 16;

struct mo_builder {
    gb_device device;
    mo_way way;
    bool lent;             /* others lend the sample, which few bodies have none of */
    uint64_t most;         /* bodies */
    uint64_t expected;     /* bodies that sizes are for */
    unsigned char *memory; /* device: all that follows */
    uint64_t bytes;
    unsigned *ticket;    /* of few bodies; it lies first, and behind it */
    uint64_t sort_bytes; /* of sort_scratch; 0: no build takes whole keys to the sort */
    mo_rooms rooms;
    unsigned items; /* a thread, of those that move bodies */
    mo_build build;
    mo_build top; /* until bodies are in their regions, where there are any; else the same */
    mw_build wide;
    mf_build few;              /* runs 0: they are not few */
    unsigned long long *cells; /* pool: the list of builds by whole keys */
    void *scan_scratch;        /* of the wide build's sum */
    void *sort_scratch;
};

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

/* What the sample's tree takes. */
static void lay_out_tree(mo_build *b, arena *a)
{
    take(a, &b->codes, b->sample);
    take(a, &b->tree, 8 * (uint64_t)MO_CELLS);
    take(a, &b->parent, (uint64_t)MO_CELLS);
    take(a, &b->slots, (uint64_t)MO_SLOTS);
    take(a, &b->spans, (uint64_t)MO_CELLS);
    take(a, &b->counts, (uint64_t)MO_SLOTS + 3);
    take(a, &b->bucket_of, (uint64_t)MO_SLOTS);
}

static void lay_out_buckets(mo_build *b, arena *a, uint64_t buckets)
{
    take(a, &b->bucket_slot, buckets + b->regions.count + 1);
    take(a, &b->bucket_fill, buckets);
    take(a, &b->large, buckets);
    take(a, &b->crowded, buckets);
}

/* Of builds by whole keys: 32 bytes a body. */
static void lay_out_whole(mo_builder *m, arena *a, uint64_t n)
{
    mo_build *b = &m->build;
    mw_build *w = &m->wide;
    unsigned char *scan;
    take(a, &b->order, n);
    take(a, &w->low, n);
    take(a, &w->low_sorted, n);
    take(a, &w->low_order, n);
    take(a, &w->code, n);
    take(a, &w->code_sorted, n);
    take(a, &m->cells, b->pool);
    take(a, &scan, gb_scan_scratch(n));
    m->scan_scratch = scan;
    if (!m->few.runs) return;
    take(a, &m->few.sample.code, mf_samples(m->few.runs));
    take(a, &m->few.sample.word, mf_samples(m->few.runs));
    take(a, &m->few.splitter.code, m->few.buckets);
    take(a, &m->few.splitter.word, m->few.buckets);
    m->few.run = mf_keys{w->code, w->low_order};
    m->few.ticket = m->ticket;
}

/* Of builds by buckets: 18 bytes a body. */
static void lay_out_records(mo_build *b, arena *a, uint64_t n)
{
    take(a, &b->order, n);
    take(a, &b->keys, n);
    take(a, &b->lows, n);
    take(a, &b->records, n);
    b->scratch = b->lows; /* keys and lows are in the records by then */
    lay_out_tree(b, a);
    lay_out_buckets(b, a, MO_MOST_BUCKETS);
}

/* Of builds by regions: 18 bytes a body, too. Keys lie twice, before and behind the way to the
 * regions; records lie where the first ones were, and the order where the numbers of bodies were.
 */
static void lay_out_regions(mo_build *b, mo_build *top, arena *a, uint64_t n)
{
    mo_regions *g = &b->regions;
    const uint64_t cells = (uint64_t)g->count * g->cells,
                   slots = mo_slots_before(*g, g->count, MO_SLOTS);
    *top = *b;
    top->buckets = g->count;
    take(a, &b->records, n);
    top->keys = reinterpret_cast<uint32_t *>(b->records);
    top->lows = reinterpret_cast<uint16_t *>(top->keys + n);
    take(a, &g->keys, n);
    take(a, &g->lows, n);
    take(a, &g->ids, n);
    b->keys = g->keys;
    b->lows = b->scratch = g->lows;
    b->order = g->ids;
    lay_out_tree(top, a);
    take(a, &top->bucket_slot, g->count + 1ull);
    take(a, &top->bucket_fill, g->count);
    take(a, &b->parent, cells);
    take(a, &b->spans, cells);
    take(a, &b->slots, slots);
    take(a, &b->counts, slots);
    take(a, &b->bucket_of, slots);
    lay_out_buckets(b, a, (uint64_t)g->count * g->buckets);
    take(a, &g->tiles, g->count + 1ull);
    take(a, &g->root, (uint64_t)MO_SLOTS);
    take(a, &g->tree, 8 * cells);
    take(a, &g->has, g->count);
    take(a, &g->cell, g->count);
    g->of = top->bucket_of;
    g->slot = top->bucket_slot;
    g->before = top->counts;
    g->top_slots = top->slots;
    b->tree = top->tree;
    top->order = b->order;
    top->regions = *g;
}

static void lay_out(mo_builder *m, arena *a)
{
    mo_build *b = &m->build;
    mw_build *w = &m->wide;
    const uint64_t n = w->n + 1;
    unsigned char *sort;
    take(a, &m->ticket, 1);
    take(a, &sort, m->sort_bytes);
    m->sort_scratch = sort;
    take(a, &b->words, 1);
    take(a, &b->slot, 8ull * b->pool);
    take(a, &b->first, w->n / 32 + 1);
    if (b->regions.count)
        lay_out_regions(b, &m->top, a, n);
    else if (b->sample)
        lay_out_records(b, a, n);
    else
        lay_out_whole(m, a, n);
    if (!b->regions.count) m->top = *b;
    w->words = b->words;
    w->slot = b->slot;
    w->order = b->order;
    w->first = b->first;
    m->few.whole = *w;
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

/* How many bodies the sample of n has, of `most` at most. */
static unsigned sample_for(uint64_t n, unsigned most)
{
    uint64_t sample = n / BODIES_A_SAMPLE_OF_FEW;
    if (sample > SAMPLE_OF_FEW) sample = SAMPLE_OF_FEW;
    if (sample < n / BODIES_A_SAMPLE && n > SAMPLED_AS_FEW) sample = n / BODIES_A_SAMPLE;
    return sample < most ? (unsigned)sample : most;
}

static const unsigned move_items[] = {MO_MOVE_ITEMS, 6, 4};

/* Items a thread for the way to so many buckets, or regions, below a tree of so many cells, such
 * that it fits into shared memory; 0: none does. */
static unsigned items_for(unsigned coarse, unsigned buckets, uint64_t shared)
{
    if (mo_key_bytes(coarse) > shared || mo_group_bytes(coarse) > shared ||
        mo_sample_bytes(coarse) > shared)
        return 0;
    for (size_t i = 0; i < sizeof move_items / sizeof *move_items; i++)
        if (mo_move_bytes(move_items[i], buckets, coarse) <= shared) return move_items[i];
    return 0;
}

/* Buckets at once, if there are not too many and the sample's tree can be as fine as they are;
 * gives the items a thread that move bodies, or 0. */
static unsigned choose_buckets(mo_build *b, uint64_t n, uint64_t each, uint64_t shared)
{
    unsigned items = 0;
    if (n / each >= MO_MOST_BUCKETS) each = each * 4 / 3; /* more would be slower than regions */
    if ((n + each - 1) / each > MO_MOST_BUCKETS) return 0;
    b->buckets = (unsigned)((n + each - 1) / each);
    b->coarse = MO_CELLS;
    while (b->coarse >= LEAST_COARSE && !(items = items_for(b->coarse, b->buckets, shared)))
        b->coarse -= 256;
    b->sample = sample_for(n, MO_SAMPLE - 1); /* their count fits 15 bits */
    b->levels = (64 - MO_PLACE_BITS - b->id_bits) / 3;
    if (b->levels > MO_LEVELS) b->levels = MO_LEVELS;
    return items;
}

/* Regions first: about as many as each has buckets, as far as that goes. */
static unsigned choose_regions(mo_build *b, uint64_t n, uint64_t each, uint64_t shared)
{
    mo_regions *g = &b->regions;
    uint64_t all = (n + each - 1) / each;
    const uint64_t most = (uint64_t)MO_MOST_REGIONS * MO_REGION_BUCKETS;
    if (all > most) all = most; /* for larger rooms */
    g->buckets = 1;
    while (g->buckets < MO_REGION_BUCKETS && (uint64_t)g->buckets * g->buckets < all)
        g->buckets *= 2;
    g->count = (unsigned)((all + g->buckets - 1) / g->buckets);
    g->cells = 3 * g->buckets / 2 + 8;
    g->sample = 12 * g->buckets;
    g->split = split_for(n / g->count, g->sample, b->leaf);
    b->buckets = g->count * g->buckets;
    b->coarse = CELLS_A_REGION * g->count;
    if (b->coarse > MOST_TOP) b->coarse = MOST_TOP;
    b->coarse = (b->coarse + LEAST_TOP - 1) / LEAST_TOP * LEAST_TOP;
    unsigned items = 0;
    while (!(items = items_for(b->coarse, g->count, shared)) && b->coarse > LEAST_TOP)
        b->coarse -= LEAST_TOP;
    b->sample = sample_for(n, SAMPLES_A_CELL * b->coarse - 1);
    b->levels = MO_REGION_LEVELS;
    const bool fit = mo_plant_bytes(g->cells, b->coarse) <= shared &&
                     mo_count_bytes(g->cells, b->coarse) <= shared &&
                     mo_group_region_bytes(g->cells, b->coarse) <= shared &&
                     mo_spread_bytes(g->buckets, g->cells, b->coarse) <= shared;
    return fit ? items : 0;
}

static bool has_rooms(const gb_device *device)
{
    return mo_rooms_64().large.bytes <= shared_for(device);
}

/* The largest rooms that a device has. */
static mo_rooms rooms_for(const gb_device *device)
{
    const mo_rooms all[] = {mo_rooms_227(), mo_rooms_163(), mo_rooms_96()};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].large.bytes <= shared_for(device)) return all[i];
    return mo_rooms_64();
}

/* Runs and buckets of n bodies that are few, if their blocks fit the device's shared memory. */
static bool choose_few(mo_builder *m, uint64_t n, uint64_t most)
{
    mf_build *f = &m->few;
    const uint64_t shared = m->device.shared_optin, sms = m->device.sms > 0 ? m->device.sms : 1;
    f->runs = f->buckets = 0;
    if (n == 0 || n > most) return false;
    const unsigned runs = (unsigned)((n + MF_RUN - 1) / MF_RUN);
    uint64_t buckets = (n + MF_BUCKET - 1) / MF_BUCKET;
    if (buckets > MF_BUCKETS_SM * sms) buckets = MF_BUCKETS_SM * sms;
    const uint64_t room = mf_most_of_bucket(runs, (unsigned)buckets);
    if (runs > MF_MOST_RUNS || mf_bytes(mf_samples(runs)) + MF_STATIC > shared ||
        mf_bytes(room) + MF_STATIC > shared)
        return false;
    f->runs = runs;
    f->buckets = (unsigned)buckets;
    return true;
}

/* The most bodies that may be few. */
static uint64_t few_of(const mo_builder *m)
{
    const bool may = m->way == MO_AS_FITS && !m->lent && mo_most_few >= LEAST_BODIES;
    return may ? mo_most_few : LEAST_BODIES - 1;
}

/* And that are, on this device. */
static uint64_t most_few(mo_builder *m)
{
    uint64_t n = few_of(m);
    if (n > m->most) n = m->most;
    while (n && !choose_few(m, n, n))
        n = (n - 1) / MF_RUN * MF_RUN;
    return n;
}

/* Sizes for n bodies, of which there may be `most`, that fit the device's shared memory; no sample
 * where they are sorted by whole keys. */
static void choose(mo_builder *m, uint64_t n, uint64_t most)
{
    mo_build *b = &m->build;
    const uint64_t shared = shared_for(&m->device),
                   sms = m->device.sms > 0 ? (uint64_t)m->device.sms : 1;
    uint64_t each = m->rooms.small.bodies * 11ull / 20;
    if (each > n / (2 * sms) + LEAST_EACH) each = n / (2 * sms) + LEAST_EACH; /* work for all */
    m->items = 0;
    b->regions = mo_regions();
    b->id_bits = 0;
    while (most >> b->id_bits)
        b->id_bits++;
    if (!choose_few(m, n, few_of(m)) && n >= LEAST_BODIES && has_rooms(&m->device)) {
        if (m->way == MO_AS_FITS) m->items = choose_buckets(b, n, each, shared);
        if (!m->items) m->items = choose_regions(b, n, each, shared);
    }
    if (m->items) {
        b->split = split_for(n, b->sample, b->leaf);
        return;
    }
    b->sample = b->buckets = 0;
    b->coarse = MO_CELLS;
    b->regions = mo_regions();
}

typedef void (*mo_kernel)(mo_build);

/* The kernel that moves bodies, by tiles of so many items a thread. */
template <class To> static mo_kernel move_of(unsigned items)
{
    return items == 10 ? mo_move<To, 10> : items == 6 ? mo_move<To, 6> : mo_move<To, 4>;
}

/* All builds on a device have the same leave, whatever their sizes: what was asked for last holds
 * for all. */
static gb_status allow(const mo_builder *m, gb_error *error)
{
    const uint64_t shared = shared_for(&m->device);
    const mo_room_kind *small = &m->rooms.small, *large = &m->rooms.large;
    const mo_kernel kernels[] = {mo_sample<MO_FEW_EACH>,
                                 mo_sample<MO_SAMPLE_EACH>,
                                 mo_keys,
                                 mo_group,
                                 mo_plant,
                                 mo_count,
                                 mo_group_region,
                                 mo_spread};
    const uint64_t optin = m->device.shared_optin, few = optin > MF_STATIC ? optin - MF_STATIC : 0;
    gb_status status = gb_allow_shared(mf_runs, few, error);
    if (status == GB_OK) status = gb_allow_shared(mf_buckets, few, error);
    if (status != GB_OK || !has_rooms(&m->device)) return status;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && status == GB_OK; i++)
        status = gb_allow_shared(kernels[i], shared, error);
    for (size_t i = 0; i < sizeof move_items / sizeof *move_items && status == GB_OK; i++) {
        status = gb_allow_shared(move_of<mo_to_buckets>(move_items[i]), shared, error);
        if (status == GB_OK)
            status = gb_allow_shared(move_of<mo_to_regions>(move_items[i]), shared, error);
    }
    for (int one = 0; one < 2 && status == GB_OK; one++) {
        status = gb_allow_shared(small->kernel[one], small->bytes, error);
        if (status == GB_OK) status = gb_allow_shared(large->kernel[one], large->bytes, error);
    }
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
    choose(m, n, most);
    lay_out(m, &all);
    return all.used;
}

/* The ticket and the sort's scratch, which are 0 at the beginning and what builds leave after. */
static uint64_t kept_bytes(const mo_builder *m)
{
    return ALIGNED + m->sort_bytes;
}

/* Whether so many bodies are sorted by whole keys, and are not few. */
static bool sorts(mo_builder *m, uint64_t n)
{
    (void)set_out(m, n, n);
    return n && !m->build.sample && !m->few.runs;
}

/* What any number of bodies from `least` to `most` takes. Of those that go by buckets or regions
 * the most take the most, but for tables of regions, which may be more of fewer buckets. */
static void find_bytes(mo_builder *m, uint64_t least)
{
    const uint64_t few = m->most < LEAST_BODIES ? m->most : LEAST_BODIES - 1;
    m->sort_bytes = 0;
    if (sorts(m, m->most))
        m->sort_bytes = oc_sort_bytes(m->most, &m->device);
    else if (least < LEAST_BODIES && sorts(m, few))
        m->sort_bytes = oc_sort_bytes(few, &m->device);
    m->bytes = set_out(m, m->most, m->most);
    if (least == m->most) return;
    const uint64_t sizes[] = {few, most_few(m)};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint64_t bytes = set_out(m, sizes[i], sizes[i]);
        if (bytes > m->bytes) m->bytes = bytes;
    }
    m->bytes += SPARE_TABLES;
}

gb_status mo_builder_open(uint64_t least, uint64_t most, unsigned leaf, uint64_t pool, mo_way way,
                          const gb_device *device, mo_builder **out, gb_error *error)
{
    *out = NULL;
    mo_builder *m = (mo_builder *)calloc(1, sizeof *m);
    if (!m) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a build");
    m->device = *device;
    m->rooms = rooms_for(device);
    m->way = way;
    m->most = most;
    m->build.leaf = m->wide.leaf = leaf;
    m->build.pool = m->wide.pool = (uint32_t)pool;
    find_bytes(m, least);
    gb_status status = gb_cuda_malloc((void **)&m->memory, m->bytes, "the build", error);
    if (status == GB_OK)
        status = gb_cuda_status(cudaMemset(m->memory, 0, kept_bytes(m)), "the build", error);
    if (status == GB_OK) status = allow(m, error);
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
    const uint64_t from = kept_bytes(m);
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

uint64_t mo_builder_bytes(const mo_builder *m)
{
    return m->bytes;
}

mo_tree mo_builder_tree(const mo_builder *m)
{
    const mo_build *b = &m->build;
    return mo_tree{b->slot, b->order, b->first, &b->words->cells, &b->words->trouble};
}

/* ---- the build ------------------------------------------------------------------------------- */

static void set_bodies(mo_builder *m, const void *bodies, const unsigned *n, oc_box box)
{
    m->build.told = m->top.told = n;
    m->build.bodies = m->top.bodies = m->wide.bodies = static_cast<const float4 *>(bodies);
    m->build.box = m->top.box = m->wide.box = box;
    m->few.whole.bodies = m->wide.bodies;
    m->few.whole.box = box;
}

gb_status mo_builder_start(mo_builder *m, const void *bodies, const unsigned *n, oc_box box,
                           cudaStream_t stream, gb_error *error)
{
    const uint64_t most = m->wide.n;
    set_bodies(m, bodies, n, box);
    GB_TRY(launch(mo_start, gb_grid(&m->device, most / 8), dim3(GB_GRID_THREADS), 0, stream, m->top,
                  most),
           error);
    return GB_OK;
}

gb_status mo_builder_sample(mo_builder *m, cudaStream_t stream, gb_error *error)
{
    const mo_build *b = &m->top;
    GB_TRY(launch(b->sample <= MO_FEW_EACH * MO_SAMPLE_THREADS ? mo_sample<MO_FEW_EACH>
                                                               : mo_sample<MO_SAMPLE_EACH>,
                  dim3(1), dim3(MO_SAMPLE_THREADS), mo_sample_bytes(b->coarse), stream, *b),
           error);
    return GB_OK;
}

/* Keys of all bodies, which go to their buckets, or regions. */
static gb_status queue_keys(const mo_builder *m, unsigned sms, cudaStream_t stream, gb_error *error)
{
    const mo_build *b = &m->top;
    const unsigned step = MO_KEY_THREADS * MO_KEY_ITEMS, shares = (b->n + step - 1) / step;
    const unsigned tile = MO_MOVE_THREADS * m->items, tiles = (b->n + tile - 1) / tile;
    GB_TRY(launch(mo_keys, dim3(shares < 2 * sms ? shares : 2 * sms), dim3(MO_KEY_THREADS),
                  mo_key_bytes(b->coarse), stream, *b),
           error);
    GB_TRY(launch(mo_group, dim3(1), dim3(MO_GROUP_THREADS), mo_group_bytes(b->coarse), stream, *b),
           error);
    GB_TRY(launch(b->regions.count ? move_of<mo_to_regions>(m->items)
                                   : move_of<mo_to_buckets>(m->items),
                  dim3(tiles < sms ? tiles : sms), dim3(MO_MOVE_THREADS),
                  mo_move_bytes(m->items, b->buckets, b->coarse), stream, *b),
           error);
    return GB_OK;
}

/* And from regions to buckets. */
static gb_status queue_regions(const mo_builder *m, unsigned sms, cudaStream_t stream,
                               gb_error *error)
{
    const mo_build *b = &m->build;
    const mo_regions *g = &b->regions;
    const unsigned tiles = b->n / MO_SPREAD_TILE + g->count;
    const unsigned count = COUNT_BLOCKS * sms, spread = MO_SPREAD_BLOCKS * sms;
    GB_TRY(launch(mo_plant, dim3(g->count), dim3(MO_PLANT_THREADS),
                  mo_plant_bytes(g->cells, b->coarse), stream, *b),
           error);
    GB_TRY(launch(mo_count_tiles, dim3(1), dim3(MO_TILES_THREADS), 0, stream, *b), error);
    GB_TRY(launch(mo_count, dim3(tiles < count ? tiles : count), dim3(MO_COUNT_THREADS),
                  mo_count_bytes(g->cells, b->coarse), stream, *b),
           error);
    GB_TRY(launch(mo_group_region, dim3(g->count), dim3(MO_PLANT_THREADS),
                  mo_group_region_bytes(g->cells, b->coarse), stream, *b),
           error);
    GB_TRY(launch(mo_spread, dim3(tiles < spread ? tiles : spread), dim3(MO_SPREAD_THREADS),
                  mo_spread_bytes(g->buckets, g->cells, b->coarse), stream, *b),
           error);
    return GB_OK;
}

static gb_status queue_mends(const mo_builder *m, cudaStream_t stream, gb_error *error)
{
    const mo_build *b = &m->build;
    const uint64_t cells = (uint64_t)b->regions.count * b->regions.cells;
    const dim3 block(MO_MEND_THREADS);
    GB_TRY(launch(mo_mend, dim3((b->coarse + MO_MEND_THREADS - 1) / MO_MEND_THREADS), block, 0,
                  stream, m->top),
           error);
    if (cells)
        GB_TRY(launch(mo_mend_regions,
                      dim3((unsigned)((cells + MO_MEND_THREADS - 1) / MO_MEND_THREADS)), block, 0,
                      stream, m->top, *b),
               error);
    return GB_OK;
}

gb_status mo_builder_finish(mo_builder *m, cudaStream_t stream, gb_error *error)
{
    const mo_build *b = &m->build;
    const unsigned sms = m->device.sms > 0 ? (unsigned)m->device.sms : 1;
    const mo_room_kind *small = &m->rooms.small, *large = &m->rooms.large;
    const dim3 few(b->buckets < sms ? b->buckets : sms);
    gb_status status = queue_keys(m, sms, stream, error);
    if (status == GB_OK && b->regions.count) status = queue_regions(m, sms, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(small->kernel[b->leaf == 1], dim3(b->buckets), dim3(small->threads), small->bytes,
                  stream, *b),
           error);
    GB_TRY(launch(large->kernel[b->leaf == 1], few, dim3(large->threads), large->bytes, stream, *b),
           error);
    GB_TRY(launch(mo_crowd, few, dim3(MO_CROWD_THREADS), 0, stream, *b), error);
    return queue_mends(m, stream, error);
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

static gb_status by_few(const mo_builder *m, cudaStream_t stream, gb_error *error)
{
    const mf_build *f = &m->few;
    const uint64_t n = f->whole.n, room = mf_most_of_bucket(f->runs, f->buckets);
    const unsigned samples = mf_samples(f->runs), keys = room < n ? (unsigned)room : (unsigned)n;
    GB_TRY(launch(mf_runs, dim3(f->runs), dim3(MF_RUN_THREADS),
                  mf_bytes(samples < MF_RUN ? (unsigned)MF_RUN : samples), stream, *f),
           error);
    GB_TRY(launch(mf_buckets, dim3(f->buckets), dim3(MF_THREADS), mf_bytes(keys), stream, *f, keys),
           error);
    GB_TRY(launch(mf_list, dim3((unsigned)((n + MF_LIST_THREADS - 1) / MF_LIST_THREADS)),
                  dim3(MF_LIST_THREADS), 0, stream, f->whole, m->cells),
           error);
    GB_TRY(launch(mw_emit, dim3((unsigned)(n / EMITTED_TOGETHER + 1)), dim3(MW_THREADS), 0, stream,
                  f->whole, m->cells),
           error);
    return GB_OK;
}

gb_status mo_builder_build(mo_builder *m, const void *bodies, uint64_t n, oc_box box,
                           cudaStream_t stream, gb_error *error)
{
    if (n != m->wide.n || n != m->expected) {
        const uint64_t bytes = set_out(m, n, n);
        if (bytes > m->bytes)
            return gb_fail(error, GB_OUT_OF_MEMORY,
                           "%llu bodies take %llu bytes, and %llu are there", (unsigned long long)n,
                           (unsigned long long)bytes, (unsigned long long)m->bytes);
    }
    if (m->few.runs) {
        set_bodies(m, bodies, NULL, box);
        return by_few(m, stream, error);
    }
    gb_status status = mo_builder_start(m, bodies, NULL, box, stream, error);
    if (status != GB_OK) return status;
    if (!m->build.sample) return n ? by_whole_keys(m, stream, error) : GB_OK;
    status = mo_builder_sample(m, stream, error);
    return status == GB_OK ? mo_builder_finish(m, stream, error) : status;
}

const unsigned *mo_builder_may_yield(mo_builder *m)
{
    if (!m->build.sample) return NULL;
    m->build.chooses = m->top.chooses = true;
    return &m->build.words->yields;
}

unsigned mo_builder_foresees(mo_builder *m, uint64_t expected)
{
    m->lent = true;
    return set_out(m, expected, m->most) <= m->bytes ? m->build.sample : 0;
}

mo_lent mo_builder_lent(const mo_builder *m)
{
    return mo_lent{m->top.codes, &m->top.words->lent, m->top.sample};
}
