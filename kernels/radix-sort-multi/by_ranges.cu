/* The sort by ranges.
 *
 * 1. Every rank tells all others a sample of its keys; from all samples each finds the same
 *    splitters, which bound ms_cells cells: ranges of keys as wide as each other, if the samples
 * are spread evenly.
 * 2. Every rank partitions its share by cells, within its own memory, or leaves it where it is if
 * it is in order, and tells all others where its cells begin. The host waits for that, and plans
 * (plan.h): runs, and jobs of 64 to 256 Mi keys.
 * 3. Job by job the pieces travel to their owners, in each rank's stream of the gb_comm, and jobs
 *    that have arrived are sorted, in a stream of sorts of its own: the link works while the sorts
 *    do. Pieces that stay are sorted with them from where the partition has left them.
 *
 * What arrives lies as the run does: job j's elements where they will be when sorted, with room
 * behind them for those that stay. A job is sorted by the bits that its cells do not share: those
 * of evenly spread keys are spread evenly again, and of others fewer tell more. A sort wants its
 * arrays aligned to 16 bytes, so it begins up to 3 elements before its job, at places of the job
 * before. There the job's smallest possible key stands in, and what belongs there is put back. Of
 * the piece that stays up to 3 elements join those that have arrived. Keys of one value are filled
 * in and do not travel; their payloads do. */
#include "kernels/radix-sort-multi/by_ranges.h"

#include "common/cuda/grid.cuh"
#include "kernels/radix-sort-multi/local_partition.h"
#include "kernels/radix-sort-multi/local_sort.h"
#include "kernels/radix-sort-multi/moves.cuh"
#include "kernels/radix-sort-multi/ordered.cuh"
#include "kernels/radix-sort-multi/plan.h"
#include "kernels/radix-sort-multi/samples.h"
#include "kernels/radix-sort-multi/splitters.cuh"

#include <stdlib.h>
#include <string.h>

enum {
    TRIES = 4,          /* samples, until one gives splitters that are good enough */
    ALIGNED = 4,        /* elements: a sort's arrays begin at a multiple of these */
    PUSH_THREADS = 512, /* of a block that pushes */
    PUSH_PART = 6,      /* of this many multiprocessors one pushes */
    JOBS = 16           /* of a run at most, but for the rounding and for keys of one value */
};

/* Larger jobs sort faster (on an H100 64 Mi keys at 0.96 of the best rate, 128 Mi at 0.99, 16 Mi at
 * 0.7), smaller ones arrive sooner, which is nothing to one rank, and with two, where half of the
 * keys stay, twice as fast as they are sorted: there the last one may be half of the run. On the
 * CPU they are few, so that checks see many jobs. */
static ms_sizes sizes_of(const ms_problem *p)
{
    const bool simulated = strcmp(p->sort.device->backend, "simt") == 0;
    const uint64_t share = ms_even_share(&p->shape), room = ms_room(&p->shape), mi = 1 << 20;
    const uint64_t good = simulated ? 4 << 10 : p->shape.size == 2 ? 256 * mi : 64 * mi;
    uint64_t jobs = share / good;
    if (jobs > JOBS) jobs = JOBS;
    if (p->shape.size == 1 && !simulated) jobs = (share + 256 * mi - 1) / (256 * mi);
    ms_sizes sizes;
    sizes.target = jobs > 1 ? (share + jobs - 1) / jobs : share;
    sizes.least = simulated ? 1 << 10 : 16 * mi;
    /* by onesweep, which gains less by larger jobs */
    sizes.common = sizes.target < 128 * mi ? sizes.target : 128 * mi;
    sizes.alone = simulated ? 1 << 9 : 8 * mi;
    sizes.early = p->shape.size == 1 ? 0 : p->shape.size == 2 ? 3 : 2;
    sizes.equal_travel = p->shape.sort.payload > 0;
    sizes.equal_cost = sizes.equal_travel ? 3 : 1;
    sizes.most = sizes.target / 2 < 64 * mi ? sizes.target / 2 : 64 * mi;
    sizes.most += sizes.target + 4096;
    if (sizes.most > room) sizes.most = room;
    return sizes;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* What a local rank has besides its window. */
typedef struct ranges_rank {
    void *keys, *sorted_samples, *splitters; /* the share by cells; the samples of all ranks */
    uint32_t *payload;
    uint64_t *offsets; /* cells + 1 */
    void *kept;        /* an ms_kept */
    /* Whether the samples, and whether the share, are not in order: two words on the device, of
     * which the second comes to the host. */
    unsigned *descends, *descends_here;

    cudaEvent_t looked;
    /* Where the share lies by cells: keys and payload, or the input, if that is in order. */
    const void *parted_keys;
    const uint32_t *parted_payload;
    void *scratch;
    mp_request partition;
    cudaStream_t sorts;
    cudaEvent_t arrived[2], sorted; /* arrived: of jobs with even numbers, of the others */
} ranges_rank;

struct ms_ranges {
    ms_problem *p;
    ms_way way;
    unsigned cells;
    uint64_t samples; /* of all ranks */
    unsigned *alike;  /* how many of them are of the value of another one; on the first rank here */
    ms_sizes sizes;   /* of jobs */
    ranges_rank *local;
    /* A rank's: samples of all ranks, where the cells of all ranks begin, and what arrives. */
    gb_window window;
    uint64_t offsets_at, keys_at, payload_at; /* within it, in bytes */
    ms_plan *plan;
    void *fetched;    /* host: the window's offsets, then splitters */
    gb_piece *pieces; /* host: 2 * locals * size */
    uint64_t runs;    /* how often it has sampled */
    bool redone;
};

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static size_t key_bytes(const ms_ranges *g)
{
    return rs_key_bytes(g->p->shape.sort.type);
}

/* Where elements of a rank's window lie that have arrived; rank 0's own, if it is alone, stay where
 * the partition has put them. */
static void *arrived_keys(const ms_ranges *g, unsigned rank)
{
    return g->p->shape.size == 1 ? g->local[0].keys : g->window.at[rank] + g->keys_at;
}
static uint32_t *arrived_payload(const ms_ranges *g, unsigned rank)
{
    if (g->p->shape.size == 1) return g->local[0].payload;
    return reinterpret_cast<uint32_t *>(g->window.at[rank] + g->payload_at);
}

static gb_status open_window(ms_ranges *g, gb_error *error)
{
    const ms_shape *shape = &g->p->shape;
    const bool arrives = shape->size > 1;
    const uint64_t room = arrives ? ms_room(shape) + ALIGNED : 0;
    uint64_t bytes[GB_MOST_RANKS];
    g->offsets_at = aligned(g->samples * key_bytes(g));
    g->keys_at = aligned(g->offsets_at + shape->size * (g->cells + 2) * sizeof(uint64_t));
    g->payload_at = aligned(g->keys_at + room * key_bytes(g));
    for (unsigned i = 0; i < g->p->comm->locals; i++)
        bytes[i] = g->payload_at + room * shape->sort.payload + 256;
    return gb_comm_window_open(g->p->comm, bytes, "what comes from other ranks", &g->window, error);
}

/* The partition of a rank's share, and scratch for all that it does. */
static gb_status open_work(ms_ranges *g, unsigned i, gb_error *error)
{
    const ms_problem *p = g->p;
    const ms_shape *shape = &p->shape;
    ranges_rank *w = &g->local[i];
    mp_request *r = &w->partition;
    const gb_device *device = &p->comm->local[i].device;
    uint64_t parts = 0;
    rs_shape keys_alone = shape->sort;
    keys_alone.payload = 0;
    r->keys_in = p->local[i].keys_in;
    r->payload_in = p->local[i].payload_in;
    r->keys_out = w->keys;
    r->payload_out = w->payload;
    r->offsets = w->offsets;
    r->n = ms_share(shape, p->comm->local[i].rank);
    r->key_bytes = (unsigned)key_bytes(g);
    r->payload_bytes = shape->sort.payload;
    r->function = MP_SPLITTERS;
    r->bins = g->cells;
    r->limits = w->splitters;
    r->salt = (uint32_t)p->sort.seed | 1;
    gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    status = ms_partition_choose(r, device, &parts, error);
    if (status != GB_OK) return status;
    const uint64_t sorts = ms_sort_scratch(&shape->sort, device, g->sizes.most + ALIGNED, true);
    const uint64_t samples = ms_sort_scratch(&keys_alone, device, g->samples, false);
    uint64_t bytes = parts > sorts ? parts : sorts;
    if (samples > bytes) bytes = samples;
    return gb_comm_malloc(p->comm, i, &w->scratch, bytes, "the sort's scratch", error);
}

static gb_status open_rank(ms_ranges *g, unsigned i, gb_error *error)
{
    const ms_problem *p = g->p;
    ranges_rank *w = &g->local[i];
    const uint64_t share = ms_share(&p->shape, p->comm->local[i].rank);
    const uint64_t key = key_bytes(g);
    const struct {
        void **at;
        uint64_t bytes;
    } all[] = {{&w->keys, share * key + 16},
               {(void **)&w->payload, share * p->shape.sort.payload + 16},
               {&w->sorted_samples, g->samples * key + 16},
               {&w->splitters, g->cells * key},
               {(void **)&w->offsets, (g->cells + 1) * sizeof(uint64_t)},
               {&w->kept, sizeof(ms_kept<uint64_t>)},
               {(void **)&w->descends, 2 * sizeof(unsigned)}};
    gb_status status = GB_OK;
    for (const auto &one : all)
        if (status == GB_OK)
            status = gb_comm_malloc(p->comm, i, one.at, one.bytes, "the share by cells", error);
    if (status == GB_OK) status = open_work(g, i, error);
    if (status == GB_OK)
        status = gb_cuda_malloc_host((void **)&w->descends_here, sizeof *w->descends_here,
                                     "what the host waits for", error);
    if (status == GB_OK) status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaEventCreateWithFlags(&w->looked, cudaEventDisableTiming), error);
    GB_TRY(cudaStreamCreateWithFlags(&w->sorts, cudaStreamNonBlocking), error);
    for (cudaEvent_t &arrived : w->arrived)
        GB_TRY(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming), error);
    GB_TRY(cudaEventCreateWithFlags(&w->sorted, cudaEventDisableTiming), error);
    return GB_OK;
}

gb_status ms_ranges_open(ms_problem *problem, ms_way way, ms_ranges **out, gb_error *error)
{
    const unsigned size = problem->shape.size, locals = problem->comm->locals;
    gb_error ignored;
    *out = NULL;
    ms_ranges *g = (ms_ranges *)calloc(1, sizeof *g);
    if (!g) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the job");
    g->p = problem;
    g->way = way;
    g->cells = ms_cells(size);
    g->samples = ms_samples(&problem->shape);
    g->sizes = sizes_of(problem);
    g->local = (ranges_rank *)calloc(locals, sizeof *g->local);
    g->pieces = (gb_piece *)calloc((size_t)2 * locals * size, sizeof *g->pieces);
    g->plan = ms_plan_new(size, g->cells);
    gb_status status = GB_OK;
    if (!g->local || !g->pieces || !g->plan)
        status = gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the job");
    if (status == GB_OK)
        status = gb_cuda_malloc_host(&g->fetched, (size * (g->cells + 2) + g->cells + 1) * 8,
                                     "what the host waits for", error);
    if (status == GB_OK)
        status = gb_comm_malloc(problem->comm, 0, (void **)&g->alike, sizeof *g->alike,
                                "the samples that are alike", error);
    if (status == GB_OK) status = open_window(g, error);
    for (unsigned i = 0; status == GB_OK && i < locals; i++)
        status = open_rank(g, i, error);
    (void)gb_comm_enter(problem->comm, 0, &ignored);
    if (status == GB_OK)
        *out = g;
    else
        ms_ranges_close(g);
    return status;
}

static void close_rank(ms_ranges *g, unsigned i)
{
    gb_error ignored;
    ranges_rank *w = &g->local[i];
    void *const all[] = {w->keys,    w->payload, w->sorted_samples, w->splitters,
                         w->offsets, w->kept,    w->descends,       w->scratch};
    if (gb_comm_enter(g->p->comm, i, &ignored) == GB_OK) {
        if (w->sorts) (void)cudaStreamDestroy(w->sorts);
        if (w->looked) (void)cudaEventDestroy(w->looked);
        if (w->descends_here) (void)cudaFreeHost(w->descends_here);
        for (cudaEvent_t arrived : w->arrived)
            if (arrived) (void)cudaEventDestroy(arrived);
        if (w->sorted) (void)cudaEventDestroy(w->sorted);
    }
    for (void *at : all)
        gb_comm_free(g->p->comm, i, at);
}

void ms_ranges_close(ms_ranges *g)
{
    gb_error ignored;
    if (!g) return;
    for (unsigned i = 0; g->local && i < g->p->comm->locals; i++)
        close_rank(g, i);
    gb_comm_free(g->p->comm, 0, g->alike);
    gb_comm_window_close(g->p->comm, &g->window);
    (void)gb_comm_enter(g->p->comm, 0, &ignored);
    if (g->fetched) (void)cudaFreeHost(g->fetched);
    ms_plan_free(g->plan);
    free(g->pieces);
    free(g->local);
    free(g);
}

bool ms_ranges_redone(const ms_ranges *g)
{
    return g->redone;
}

/* ---- 1. splitters ---------------------------------------------------------------------------- */

/* Calls go with a value of the keys' type. */
template <class Go> static auto with_key(const ms_ranges *g, Go &&go)
{
    return g->p->shape.sort.type == RS_U64 ? go((unsigned long long)0) : go(0u);
}

static gb_status tell_samples(ms_ranges *g, unsigned i, uint64_t salt, gb_error *error)
{
    const ms_shape *shape = &g->p->shape;
    const gb_rank *rank = &g->p->comm->local[i];
    const uint64_t samples = ms_samples_of(shape, rank->rank);
    if (samples == 0) return GB_OK;
    return with_key(g, [&](auto zero) {
        using Key = decltype(zero);
        GB_TRY(launch(ms_tell_samples<Key>, gb_grid(&rank->device, samples), dim3(GB_GRID_THREADS),
                      0, rank->stream, static_cast<const Key *>(g->p->local[i].keys_in),
                      ms_share(shape, rank->rank), samples, salt, g->window, shape->size,
                      ms_samples_begin(shape, rank->rank)),
               error);
        return GB_OK;
    });
}

static gb_status choose_splitters(ms_ranges *g, unsigned i, bool may_be_even, gb_error *error)
{
    const gb_rank *rank = &g->p->comm->local[i];
    ranges_rank *w = &g->local[i];
    const os_sort_data data = {
        g->window.at[rank->rank], NULL, w->sorted_samples, NULL, w->scratch, NULL};
    rs_shape shape = g->p->shape.sort;
    shape.payload = 0;
    shape.n = g->samples;
    const gb_status status = ms_sort(&shape, &rank->device, &data, NULL, rank->stream, error);
    if (status != GB_OK) return status;
    return with_key(g, [&](auto zero) {
        using Key = decltype(zero);
        GB_TRY(launch(ms_choose_splitters<Key>, dim3(1), dim3(256), 0, rank->stream,
                      static_cast<const Key *>(w->sorted_samples), g->samples, g->cells,
                      may_be_even, static_cast<Key *>(w->splitters)),
               error);
        if (i) return GB_OK; /* one says for all how many samples are alike */
        GB_TRY(cudaMemsetAsync(g->alike, 0, sizeof *g->alike, rank->stream), error);
        GB_TRY(launch(ms_count_alike<Key>, gb_grid(&rank->device, g->samples),
                      dim3(GB_GRID_THREADS), 0, rank->stream,
                      static_cast<const Key *>(w->sorted_samples), g->samples, g->alike),
               error);
        return GB_OK;
    });
}

/* ---- 2. cells -------------------------------------------------------------------------------- */

/* Whether a share may be in order, so that it is not partitioned: is looked at where its samples
 * are, if it is worth the host's wait. */
static bool is_looked_at(const ms_ranges *g, unsigned i)
{
    const bool simulated = strcmp(g->p->sort.device->backend, "simt") == 0;
    return ms_share(&g->p->shape, g->p->comm->local[i].rank) >=
           (simulated ? (uint64_t)1 << 10 : (uint64_t)32 << 20);
}

static gb_status look(ms_ranges *g, unsigned i, gb_error *error)
{
    const ms_shape *shape = &g->p->shape;
    const gb_rank *rank = &g->p->comm->local[i];
    ranges_rank *w = &g->local[i];
    const uint64_t share = ms_share(shape, rank->rank), samples = ms_samples_of(shape, rank->rank);
    *w->descends_here = 1;
    if (!is_looked_at(g, i)) return GB_OK;
    GB_TRY(cudaMemsetAsync(w->descends, 0, 2 * sizeof *w->descends, rank->stream), error);
    const gb_status status = with_key(g, [&](auto zero) {
        using Key = decltype(zero);
        const Key *drawn = reinterpret_cast<const Key *>(g->window.at[rank->rank]) +
                           ms_samples_begin(shape, rank->rank);
        const auto grid = gb_grid(&rank->device, samples), whole = gb_grid(&rank->device, share);
        /* what is drawn begins anywhere: a copy of it does not */
        GB_TRY(cudaMemcpyAsync(w->sorted_samples, drawn, samples * sizeof(Key),
                               cudaMemcpyDeviceToDevice, rank->stream),
               error);
        GB_TRY(launch(ms_find_descent<Key>, grid, dim3(GB_GRID_THREADS), 0, rank->stream,
                      static_cast<const Key *>(w->sorted_samples), samples,
                      static_cast<const unsigned *>(NULL), w->descends),
               error);
        GB_TRY(launch(ms_find_descent<Key>, whole, dim3(GB_GRID_THREADS), 0, rank->stream,
                      static_cast<const Key *>(g->p->local[i].keys_in), share,
                      static_cast<const unsigned *>(w->descends), w->descends + 1),
               error);
        return GB_OK;
    });
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(w->descends_here, w->descends + 1, sizeof *w->descends,
                           cudaMemcpyDeviceToHost, rank->stream),
           error);
    GB_TRY(cudaEventRecord(w->looked, rank->stream), error);
    return GB_OK;
}

/* Cells of a share that is in order lie as they are. One rank alone works on them where the
 * partition would have put them. */
static gb_status cut(ms_ranges *g, unsigned i, gb_error *error)
{
    const gb_rank *rank = &g->p->comm->local[i];
    const ms_arrays *a = &g->p->local[i];
    ranges_rank *w = &g->local[i];
    const uint64_t n = w->partition.n;
    if (g->p->shape.size == 1) {
        GB_TRY(cudaMemcpyAsync(w->keys, a->keys_in, n * key_bytes(g), cudaMemcpyDeviceToDevice,
                               rank->stream),
               error);
        if (a->payload_in)
            GB_TRY(cudaMemcpyAsync(w->payload, a->payload_in, n * sizeof(uint32_t),
                                   cudaMemcpyDeviceToDevice, rank->stream),
                   error);
    } else {
        w->parted_keys = a->keys_in;
        w->parted_payload = a->payload_in;
    }
    return with_key(g, [&](auto zero) {
        using Key = decltype(zero);
        GB_TRY(launch(ms_find_cells<Key>, dim3(1), dim3(GB_GRID_THREADS), 0, rank->stream,
                      static_cast<const Key *>(a->keys_in), n,
                      static_cast<const Key *>(w->splitters), g->cells, w->offsets),
               error);
        return GB_OK;
    });
}

/* Where a rank's cells begin goes to every rank's window, and behind it whether its share is in
 * order. */
static __global__ void ms_tell_offsets(const uint64_t *offsets, unsigned count, bool in_order,
                                       gb_window to, unsigned ranks, uint64_t at)
{
    for (unsigned k = threadIdx.x; k <= count; k += blockDim.x)
        for (unsigned r = 0; r < ranks; r++)
            reinterpret_cast<uint64_t *>(to.at[r])[at + k] = k < count ? offsets[k] : in_order;
}

static gb_status part(ms_ranges *g, unsigned i, gb_error *error)
{
    const ms_shape *shape = &g->p->shape;
    const gb_rank *rank = &g->p->comm->local[i];
    ranges_rank *w = &g->local[i];
    const unsigned count = g->cells + 1;
    gb_status status = GB_OK;
    w->parted_keys = w->keys;
    w->parted_payload = w->payload;
    if (is_looked_at(g, i)) GB_TRY(cudaEventSynchronize(w->looked), error);
    if (!*w->descends_here)
        status = cut(g, i, error);
    else if (w->partition.n == 0)
        GB_TRY(cudaMemsetAsync(w->offsets, 0, count * sizeof(uint64_t), rank->stream), error);
    else
        status = ms_partition(&w->partition, &rank->device, w->scratch, rank->stream, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(ms_tell_offsets, dim3(1), dim3(256), 0, rank->stream,
                  static_cast<const uint64_t *>(w->offsets), count, !*w->descends_here, g->window,
                  shape->size,
                  g->offsets_at / sizeof(uint64_t) + (uint64_t)rank->rank * (count + 1)),
           error);
    return GB_OK;
}

/* The host waits for where all cells begin, and for the splitters. */
static gb_status fetch(ms_ranges *g, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    ms_plan *plan = g->plan;
    const size_t told = g->cells + 2, offsets = comm->size * told, key = key_bytes(g);
    uint64_t *host = static_cast<uint64_t *>(g->fetched);
    gb_status status = gb_comm_enter(comm, 0, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(host, g->window.at[comm->first] + g->offsets_at,
                           offsets * sizeof(uint64_t), cudaMemcpyDeviceToHost,
                           comm->local[0].stream),
           error);
    GB_TRY(cudaMemcpyAsync(host + offsets, g->local[0].splitters, (g->cells - 1) * key,
                           cudaMemcpyDeviceToHost, comm->local[0].stream),
           error);
    unsigned *alike = reinterpret_cast<unsigned *>(host + offsets + g->cells);
    GB_TRY(cudaMemcpyAsync(alike, g->alike, sizeof *alike, cudaMemcpyDeviceToHost,
                           comm->local[0].stream),
           error);
    status = gb_comm_wait(comm, error);
    if (status != GB_OK) return status;
    plan->samples = g->samples;
    plan->alike = *alike;
    for (unsigned r = 0; r < comm->size; r++) {
        memcpy(plan->offsets + (size_t)r * (told - 1), host + r * told,
               (told - 1) * sizeof(uint64_t));
        plan->in_order[r] = host[r * told + told - 1] != 0;
    }
    for (unsigned c = 0; c + 1 < g->cells; c++)
        plan->limits[c] = rs_load_key(g->p->shape.sort.type, host + offsets, c);
    plan->most_key = key == 8 ? UINT64_MAX : UINT32_MAX;
    return GB_OK;
}

/* Samples, partitions and plans. *fits: whether the plan is one. may_be_even: whether the cells may
 * be as wide as each other. */
static gb_status try_ranges(ms_ranges *g, bool may_be_even, bool *fits, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    const uint64_t salt = gb_mix64(g->p->sort.seed + ++g->runs) | 1;
    gb_status status = gb_comm_each(
        comm, error, [&](unsigned i, gb_error *why) { return tell_samples(g, i, salt, why); });
    if (status == GB_OK) status = gb_comm_barrier(comm, error);
    if (status == GB_OK)
        status = gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
            const gb_status looked = look(g, i, why);
            return looked == GB_OK ? choose_splitters(g, i, may_be_even, why) : looked;
        });
    if (status == GB_OK)
        status =
            gb_comm_each(comm, error, [&](unsigned i, gb_error *why) { return part(g, i, why); });
    if (status == GB_OK) status = gb_comm_barrier(comm, error);
    if (status == GB_OK) status = fetch(g, error);
    if (status == GB_OK) *fits = ms_plan_make(g->plan, &g->sizes, ms_room(&g->p->shape));
    return status;
}

/* ---- 3. jobs --------------------------------------------------------------------------------- */

/* Of a rank's jobs the one that travels in a step; NULL: none does. */
static const ms_job *job_of(const ms_ranges *g, unsigned rank, unsigned step)
{
    const ms_plan *plan = g->plan;
    const size_t first = (size_t)rank * plan->most;
    return step < plan->steps[rank] ? &plan->jobs[first + plan->travels[first + step]] : NULL;
}

/* What passes from a rank's share by cells to the owner of a job. */
typedef struct passage {
    uint64_t from, count, to; /* elements */
    bool keys, payload;       /* which of both */
} passage;

static passage passage_of(const ms_ranges *g, const ms_job *job, unsigned source, unsigned owner)
{
    passage way = {};
    if (!job) return way;
    ms_plan_piece(g->plan, job, owner, source, &way.from, &way.count, &way.to);
    way.keys = way.count && !job->equal;
    way.payload = way.count && g->p->shape.sort.payload;
    return way;
}

static void add_piece(ms_pieces *pieces, const void *from, uint64_t from_at, void *to,
                      uint64_t to_at, uint64_t count, unsigned words)
{
    auto *piece = &pieces->piece[pieces->count++];
    piece->from = static_cast<const uint32_t *>(from) + from_at * words;
    piece->to = static_cast<uint32_t *>(to) + to_at * words;
    piece->words = count * words;
}

/* A rank's part of a step: what it sends, to the next rank first. */
static gb_status push(ms_ranges *g, unsigned i, unsigned step, gb_error *error)
{
    const gb_rank *rank = &g->p->comm->local[i];
    const ranges_rank *w = &g->local[i];
    const unsigned size = g->p->shape.size, sms = (unsigned)rank->device.sms;
    ms_pieces pieces;
    pieces.count = 0;
    for (unsigned k = 1; k < size; k++) {
        const unsigned owner = (rank->rank + k) % size;
        const passage way = passage_of(g, job_of(g, owner, step), rank->rank, owner);
        if (way.keys)
            add_piece(&pieces, w->parted_keys, way.from, arrived_keys(g, owner), way.to, way.count,
                      (unsigned)key_bytes(g) / 4);
        if (way.payload)
            add_piece(&pieces, w->parted_payload, way.from, arrived_payload(g, owner), way.to,
                      way.count, 1);
    }
    if (pieces.count == 0) return GB_OK;
    const unsigned blocks = sms < PUSH_PART ? 1 : (sms + PUSH_PART - 1) / PUSH_PART;
    GB_TRY(launch(ms_push, dim3(blocks), dim3(PUSH_THREADS), 0, rank->stream, pieces), error);
    return GB_OK;
}

static gb_status step_by_kernels(ms_ranges *g, unsigned step, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    const gb_status status =
        gb_comm_each(comm, error, [&](unsigned i, gb_error *why) { return push(g, i, step, why); });
    return status == GB_OK ? gb_comm_barrier(comm, error) : status;
}

/* The pieces of keys, or of payloads, of a step. */
static gb_status copy_step(ms_ranges *g, unsigned step, bool payload, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    const unsigned size = comm->size;
    const uint64_t bytes = payload ? g->p->shape.sort.payload : key_bytes(g);
    gb_piece *send = g->pieces, *receive = g->pieces + (size_t)comm->locals * size;
    for (unsigned i = 0; i < comm->locals; i++) {
        const unsigned rank = comm->local[i].rank;
        for (unsigned r = 0; r < size; r++) {
            const passage out = passage_of(g, job_of(g, r, step), rank, r),
                          in = passage_of(g, job_of(g, rank, step), r, rank);
            const bool sends = r != rank && (payload ? out.payload : out.keys);
            const bool takes = r != rank && (payload ? in.payload : in.keys);
            const ranges_rank *w = &g->local[i];
            /* gb_piece has no const: what is sent is only read */
            unsigned char *from = static_cast<unsigned char *>(const_cast<void *>(
                payload ? static_cast<const void *>(w->parted_payload) : w->parted_keys));
            unsigned char *to = static_cast<unsigned char *>(
                payload ? static_cast<void *>(arrived_payload(g, rank)) : arrived_keys(g, rank));
            send[i * size + r] = gb_piece{from + out.from * bytes, sends ? out.count * bytes : 0};
            receive[i * size + r] = gb_piece{to + in.to * bytes, takes ? in.count * bytes : 0};
        }
    }
    return gb_comm_all_to_all(comm, GB_BY_COPIES, send, receive, error);
}

static gb_status step_by_copies(ms_ranges *g, unsigned step, gb_error *error)
{
    const gb_status status = copy_step(g, step, false, error);
    if (status != GB_OK || !g->p->shape.sort.payload) return status;
    return copy_step(g, step, true, error);
}

/* What stays with the rank of its job. Rank 0's, if it is alone, is all in one place. */
static passage staying(const ms_ranges *g, unsigned i, const ms_job *job)
{
    const unsigned rank = g->p->comm->local[i].rank;
    passage way = passage_of(g, job, rank, rank);
    if (g->p->shape.size == 1) way.count = 0;
    return way;
}

/* Whether of a job what stays joins what arrives (plan.h). It is copied while what goes before is
 * sorted. */
static bool joins(const ms_ranges *g, unsigned i, const ms_job *job)
{
    return g->p->shape.size > 1 && ms_plan_joins(g->plan, g->p->comm->local[i].rank, job);
}

static gb_status join(ms_ranges *g, unsigned i, unsigned step, gb_error *error)
{
    const gb_rank *rank = &g->p->comm->local[i];
    const ranges_rank *w = &g->local[i];
    const ms_job *job = job_of(g, rank->rank, step);
    const size_t key = key_bytes(g);
    if (!job || !joins(g, i, job)) return GB_OK;
    const passage own = staying(g, i, job);
    GB_TRY(cudaMemcpyAsync(static_cast<unsigned char *>(arrived_keys(g, rank->rank)) + own.to * key,
                           static_cast<const unsigned char *>(w->parted_keys) + own.from * key,
                           own.count * key, cudaMemcpyDeviceToDevice, rank->stream),
           error);
    if (own.payload)
        GB_TRY(cudaMemcpyAsync(arrived_payload(g, rank->rank) + own.to,
                               w->parted_payload + own.from, own.count * sizeof(uint32_t),
                               cudaMemcpyDeviceToDevice, rank->stream),
               error);
    return GB_OK;
}

/* Keys of one value; what is copied are payloads. */
static gb_status fill(ms_ranges *g, unsigned i, const ms_job *job, gb_error *error)
{
    const gb_rank *rank = &g->p->comm->local[i];
    const ms_arrays *a = &g->p->local[i];
    const passage own = staying(g, i, job);
    cudaStream_t stream = g->local[i].sorts;
    if (a->payload_out) {
        GB_TRY(cudaMemcpyAsync(
                   a->payload_out + job->begin, arrived_payload(g, rank->rank) + job->begin,
                   (job->count - own.count) * sizeof(uint32_t), cudaMemcpyDeviceToDevice, stream),
               error);
        GB_TRY(cudaMemcpyAsync(a->payload_out + own.to, g->local[i].parted_payload + own.from,
                               own.count * sizeof(uint32_t), cudaMemcpyDeviceToDevice, stream),
               error);
    }
    return with_key(g, [&](auto zero) {
        using Key = decltype(zero);
        GB_TRY(launch(ms_fill<Key>, gb_grid(&rank->device, job->count), dim3(GB_GRID_THREADS), 0,
                      stream, static_cast<Key *>(a->keys_out), job->begin, job->count,
                      (Key)job->value),
               error);
        return GB_OK;
    });
}

/* Where the edges of a job lie in what is sorted with it. */
template <class Key>
static ms_edges<Key> edges_of(const ms_ranges *g, unsigned i, const ms_job *job, const passage *own)
{
    const ms_arrays *a = &g->p->local[i];
    const ranges_rank *w = &g->local[i];
    const unsigned rank = g->p->comm->local[i].rank;
    const uint64_t odd = (ALIGNED - own->from % ALIGNED) % ALIGNED;
    ms_edges<Key> e = {};
    e.more = (unsigned)(job->begin % ALIGNED);
    e.head = (unsigned)(odd < own->count ? odd : own->count);
    e.head_at = e.more + job->count - own->count;
    e.least = (Key)job->value;
    e.kept = static_cast<ms_kept<Key> *>(w->kept);
    const uint64_t begin = job->begin - e.more;
    e.keys = static_cast<Key *>(arrived_keys(g, rank)) + begin;
    e.keys_out = static_cast<Key *>(a->keys_out) + begin;
    e.apart_keys = static_cast<const Key *>(w->parted_keys) + own->from;
    if (!a->payload_out) return e;
    e.payload = arrived_payload(g, rank) + begin;
    e.payload_out = a->payload_out + begin;
    e.apart_payload = w->parted_payload + own->from;
    return e;
}

/* Sorts a job that has arrived, by the bits that its keys do not share. */
template <class Key>
static gb_status sort_job_of(ms_ranges *g, unsigned i, const ms_job *job, gb_error *error)
{
    const ranges_rank *w = &g->local[i];
    const gb_rank *rank = &g->p->comm->local[i];
    passage own = staying(g, i, job);
    if (joins(g, i, job)) own.count = 0;
    const ms_edges<Key> e = edges_of<Key>(g, i, job, &own);
    const hy_apart apart = {e.apart_keys + e.head,
                            e.apart_payload ? e.apart_payload + e.head : NULL, own.count - e.head};
    const os_sort_data data = {e.keys, e.payload, e.keys_out, e.payload_out, w->scratch, NULL};
    rs_shape shape = g->p->shape.sort;
    shape.n = e.more + job->count;
    shape.end_bit = job->bits;
    if (e.more || e.head)
        GB_TRY(launch(ms_make_edges<Key>, dim3(1), dim3(MS_EDGE_THREADS), 0, w->sorts, e), error);
    const gb_status status =
        g->plan->common
            ? ms_sort_common(&shape, &rank->device, &data, w->sorts, error)
            : ms_sort(&shape, &rank->device, &data, apart.n ? &apart : NULL, w->sorts, error);
    if (status != GB_OK || !e.more) return status;
    GB_TRY(launch(ms_take_stand_ins<Key>, dim3(1), dim3(1), 0, w->sorts, e.keys_out, e.payload_out,
                  shape.n, e.more, static_cast<const ms_kept<Key> *>(e.kept)),
           error);
    return GB_OK;
}

static gb_status sort_job(ms_ranges *g, unsigned i, const ms_job *job, gb_error *error)
{
    return with_key(g, [&](auto zero) { return sort_job_of<decltype(zero)>(g, i, job, error); });
}

/* What travels in a step does; each rank notes when all of its own has arrived. */
static gb_status send_jobs(ms_ranges *g, unsigned step, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    if (comm->size == 1) return GB_OK;
    gb_status status =
        g->way == MS_BY_KERNELS ? step_by_kernels(g, step, error) : step_by_copies(g, step, error);
    if (status != GB_OK) return status;
    return gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
        const gb_status joined = join(g, i, step, why);
        if (joined != GB_OK) return joined;
        GB_TRY(cudaEventRecord(g->local[i].arrived[step % 2], comm->local[i].stream), why);
        return GB_OK;
    });
}

/* What a rank does with its jobs of a step, of which one has travelled, if any. */
static gb_status finish_jobs(ms_ranges *g, unsigned i, unsigned step, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    ranges_rank *w = &g->local[i];
    const ms_plan *plan = g->plan;
    const unsigned rank = comm->local[i].rank;
    gb_status status = GB_OK;
    for (unsigned j = 0; j < plan->counts[rank] && status == GB_OK; j++) {
        const ms_job *job = &plan->jobs[(size_t)rank * plan->most + j];
        if (job->step != step) continue;
        if (job->travels && comm->size > 1)
            GB_TRY(cudaStreamWaitEvent(w->sorts, w->arrived[step % 2], 0), error);
        status = job->equal ? fill(g, i, job, error) : sort_job(g, i, job, error);
    }
    return status;
}

/* The steps of all ranks. Behind the last one that travels there may be keys of one value. */
static unsigned steps_of(const ms_plan *plan)
{
    unsigned steps = 0;
    for (unsigned r = 0; r < plan->size; r++)
        if (plan->counts[r]) {
            const unsigned last = plan->jobs[(size_t)r * plan->most + plan->counts[r] - 1].step;
            if (last + 1 > steps) steps = last + 1;
        }
    return steps;
}

/* The host sends jobs on their way one ahead of those whose sorts it queues, which takes it longer
 * than the way of the first. */
static gb_status do_jobs(ms_ranges *g, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    const unsigned steps = steps_of(g->plan);
    gb_status status = send_jobs(g, 0, error);
    for (unsigned j = 0; j < steps && status == GB_OK; j++) {
        if (j + 1 < steps) status = send_jobs(g, j + 1, error);
        if (status == GB_OK)
            status = gb_comm_each(
                comm, error, [&](unsigned i, gb_error *why) { return finish_jobs(g, i, j, why); });
    }
    if (status != GB_OK) return status;
    return gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
        GB_TRY(cudaEventRecord(g->local[i].sorted, g->local[i].sorts), why);
        GB_TRY(cudaStreamWaitEvent(comm->local[i].stream, g->local[i].sorted, 0), why);
        return GB_OK;
    });
}

/* ---- a run ----------------------------------------------------------------------------------- */

static gb_status sort_all(ms_ranges *g, gb_error *error)
{
    bool fits = false;
    gb_status status = GB_OK;
    g->redone = false;
    for (unsigned t = 0; t < TRIES && !fits && status == GB_OK; t++) {
        g->redone = t > 0;
        status = try_ranges(g, t == 0, &fits, error);
    }
    if (status != GB_OK) return status;
    if (!fits)
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "%d samples of %llu keys gave runs or jobs beyond the room for them",
                       (int)TRIES, (unsigned long long)g->samples);
    memcpy(g->p->length, g->plan->length, g->p->shape.size * sizeof *g->plan->length);
    return do_jobs(g, error);
}

gb_status ms_ranges_run(ms_ranges *g, gb_stream stream, gb_error *error)
{
    gb_comm *comm = g->p->comm;
    if (g->p->shape.sort.n == 0) {
        memset(g->p->length, 0, g->p->shape.size * sizeof *g->p->length);
        return GB_OK;
    }
    gb_status status = gb_comm_fork(comm, stream, error);
    if (status == GB_OK) status = sort_all(g, error);
    return gb_comm_end(comm, stream, status, error);
}
