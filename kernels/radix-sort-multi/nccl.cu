/* The baselines: what a program does that is built on NCCL and CUB. Sample sort by regular sampling
 * (Shi and Schaeffer 1992):
 *
 * 1. Every rank sorts its share, and gives samples of it, evenly spaced; all ranks' samples are
 *    gathered and sorted, and part of them are splitters, a rank each but for the first.
 * 2. Every rank looks up where splitters are in its share: the first element that is not smaller,
 *    and the first that is larger. All ranks' places are gathered, and the host waits for them.
 *    Runs are cut there; where many keys equal a splitter, within these, in the order of ranks.
 * 3. One all-to-all, and what came is sorted again (nccl) or, being a sorted run of each rank,
 *    merged, two runs at a time (nccl-merge). */
#include "common/cuda/grid.cuh"
#include "kernels/radix-sort-multi/local_sort.h"
#include "kernels/radix-sort-multi/merge.cuh"
#include "kernels/radix-sort-multi/problem.h"
#include "kernels/radix-sort-multi/samples.h"
#include "kernels/radix-sort-multi/splitters.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

/* samples of n sorted keys, evenly spaced. */
template <class Key>
static __global__ void ms_take_regular(const Key *sorted, uint64_t n, uint64_t samples, Key *out)
{
    for (uint64_t j = gb_first(); j < samples; j += gb_stride())
        out[j] = sorted[ms_sample_place(n, samples, j, 0)];
}

/* The first of n sorted keys that is not smaller than x (or_equal: that is larger). */
template <class Key>
__device__ static uint64_t first_behind(const Key *sorted, uint64_t n, Key x, bool or_equal)
{
    uint64_t low = 0, high = n;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (sorted[middle] < x || (or_equal && sorted[middle] == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* places[2 t], places[2 t + 1]: where the keys begin that equal splitter t, and where they end.
 * Splitters part the sorted samples evenly. */
template <class Key>
static __global__ void ms_find_places(const Key *samples, uint64_t count, unsigned ranks,
                                      const Key *sorted, uint64_t n, uint64_t *places)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t + 1 >= ranks) return;
    const Key key = samples[count * (t + 1) / ranks];
    places[2 * t] = first_behind(sorted, n, key, false);
    places[2 * t + 1] = first_behind(sorted, n, key, true);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Elements somewhere in a rank's memory. */
typedef struct elements {
    void *keys;
    uint32_t *payload; /* NULL without */
} elements;

typedef struct nccl_rank {
    elements sorted, came; /* the share in order; what the others send. Each has room for a run */
    void *mine, *gathered, *samples, *sorted_samples; /* keys: see splitters_of */
    uint64_t *places, *all_places;                    /* 2 * size; of all ranks */
    uint64_t *begins;                                 /* of a merge */
    void *scratch;
    uint64_t scratch_bytes;
} nccl_rank;

typedef struct nccl_state {
    ms_problem *p;
    bool merges;
    uint64_t samples, most_samples; /* of all ranks; of any rank */
    nccl_rank *local;
    gb_piece *pieces;     /* host: 2 * locals * size */
    uint64_t *all_places; /* host, page-locked: 2 * size * size */
    uint64_t *cuts;       /* host: [rank * (size + 1) + r]: where a rank's part of run r begins */
} nccl_state;

static size_t key_bytes(const nccl_state *s)
{
    return rs_key_bytes(s->p->shape.sort.type);
}

/* Calls go with a value of the keys' type. */
template <class Go> static auto with_key(const nccl_state *s, Go &&go)
{
    return s->p->shape.sort.type == RS_U64 ? go((unsigned long long)0) : go(0u);
}

static uint64_t more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static gb_status open_scratch(nccl_state *s, unsigned i, uint64_t most, gb_error *error)
{
    nccl_rank *w = &s->local[i];
    uint64_t sorts, samples;
    rs_shape alone = s->p->shape.sort;
    alone.payload = 0;
    gb_status status = gb_comm_enter(s->p->comm, i, error);
    if (status == GB_OK) status = ms_cub_scratch(&s->p->shape.sort, most, &sorts, error);
    if (status == GB_OK) status = ms_cub_scratch(&alone, s->samples, &samples, error);
    if (status != GB_OK) return status;
    w->scratch_bytes = more(sorts, samples);
    return gb_comm_malloc(s->p->comm, i, &w->scratch, w->scratch_bytes, "the sort's scratch",
                          error);
}

static gb_status open_rank(nccl_state *s, unsigned i, gb_error *error)
{
    nccl_rank *w = &s->local[i];
    const ms_shape *shape = &s->p->shape;
    const uint64_t key = key_bytes(s), size = shape->size, with = shape->sort.payload;
    const uint64_t most = more(ms_room(shape), ms_share(shape, s->p->comm->local[i].rank));
    const uint64_t places = 2 * size * sizeof(uint64_t);
    const struct {
        void **at;
        uint64_t bytes;
    } all[] = {{&w->sorted.keys, most * key + 16},
               {&w->came.keys, most * key + 16},
               {(void **)&w->sorted.payload, with ? most * with + 16 : 0},
               {(void **)&w->came.payload, with ? most * with + 16 : 0},
               {&w->mine, s->most_samples * key + 16},
               {&w->gathered, size * s->most_samples * key + 16},
               {&w->samples, s->samples * key + 16},
               {&w->sorted_samples, s->samples * key + 16},
               {(void **)&w->places, places},
               {(void **)&w->all_places, places * size},
               {(void **)&w->begins, (ms_merge_tiles_of<uint64_t>(most) + 1) * sizeof(uint64_t)}};
    gb_status status = GB_OK;
    for (const auto &one : all)
        if (status == GB_OK && one.bytes)
            status = gb_comm_malloc(s->p->comm, i, one.at, one.bytes, "the rank's arrays", error);
    return status == GB_OK ? open_scratch(s, i, most, error) : status;
}

static gb_status prepare(gb_job *job, bool merges)
{
    ms_problem *p = ms_problem_of(job->problem);
    const unsigned size = p->shape.size, locals = p->comm->locals;
    gb_error ignored;
    nccl_state *s = (nccl_state *)calloc(1, sizeof *s);
    job->state = s;
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    s->p = p;
    s->merges = merges;
    s->samples = ms_samples(&p->shape);
    for (unsigned r = 0; r < size; r++)
        s->most_samples = more(s->most_samples, ms_samples_of(&p->shape, r));
    s->local = (nccl_rank *)calloc(locals, sizeof *s->local);
    s->pieces = (gb_piece *)calloc((size_t)2 * locals * size, sizeof *s->pieces);
    s->cuts = (uint64_t *)calloc((size_t)size * (size + 1), sizeof *s->cuts);
    if (!s->local || !s->pieces || !s->cuts)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    void *places = NULL;
    gb_status status = gb_cuda_malloc_host(&places, (uint64_t)2 * size * size * sizeof(uint64_t),
                                           "what the host waits for", &job->error);
    s->all_places = static_cast<uint64_t *>(places);
    for (unsigned i = 0; status == GB_OK && i < locals; i++)
        status = open_rank(s, i, &job->error);
    (void)gb_comm_enter(p->comm, 0, &ignored);
    snprintf(job->instance_name, sizeof job->instance_name, "%s", ms_cub_name());
    return status;
}

static gb_status prepare_nccl(gb_job *job)
{
    return prepare(job, false);
}
static gb_status prepare_merge(gb_job *job)
{
    return prepare(job, true);
}

static void cleanup(gb_job *job)
{
    nccl_state *s = static_cast<nccl_state *>(job->state);
    gb_error ignored;
    if (!s) return;
    for (unsigned i = 0; s->local && i < s->p->comm->locals; i++) {
        nccl_rank *w = &s->local[i];
        void *const all[] = {w->sorted.keys, w->sorted.payload, w->came.keys, w->came.payload,
                             w->mine,        w->gathered,       w->samples,   w->sorted_samples,
                             w->places,      w->all_places,     w->begins,    w->scratch};
        for (void *at : all)
            gb_comm_free(s->p->comm, i, at);
    }
    (void)gb_comm_enter(s->p->comm, 0, &ignored);
    if (s->all_places) (void)cudaFreeHost(s->all_places);
    free(s->cuts);
    free(s->pieces);
    free(s->local);
    free(s);
    job->state = NULL;
}

/* ---- 1. local sort, samples ------------------------------------------------------------------ */

static gb_status sort_elements(nccl_state *s, unsigned i, const elements *in, const elements *out,
                               uint64_t n, gb_error *error)
{
    nccl_rank *w = &s->local[i];
    return ms_cub_sort(&s->p->shape.sort, in->keys, in->payload, out->keys, out->payload, n,
                       w->scratch, w->scratch_bytes, s->p->comm->local[i].stream, error);
}

static elements input_of(const nccl_state *s, unsigned i)
{
    return elements{s->p->local[i].keys_in, s->p->local[i].payload_in};
}
static elements output_of(const nccl_state *s, unsigned i)
{
    return elements{s->p->local[i].keys_out, s->p->local[i].payload_out};
}

static gb_status take_samples(nccl_state *s, unsigned i, gb_error *error)
{
    const gb_rank *rank = &s->p->comm->local[i];
    const nccl_rank *w = &s->local[i];
    const uint64_t samples = ms_samples_of(&s->p->shape, rank->rank);
    if (samples == 0) return GB_OK;
    return with_key(s, [&](auto zero) {
        using Key = decltype(zero);
        GB_TRY(launch(ms_take_regular<Key>, gb_grid(&rank->device, samples), dim3(GB_GRID_THREADS),
                      0, rank->stream, static_cast<const Key *>(w->sorted.keys),
                      ms_share(&s->p->shape, rank->rank), samples, static_cast<Key *>(w->mine)),
               error);
        return GB_OK;
    });
}

/* Gathered samples lie `most_samples` a rank: those that there are move together, and are sorted.
 */
static gb_status sort_samples(nccl_state *s, unsigned i, gb_error *error)
{
    const gb_rank *rank = &s->p->comm->local[i];
    const ms_shape *shape = &s->p->shape;
    const nccl_rank *w = &s->local[i];
    const uint64_t key = key_bytes(s);
    rs_shape alone = shape->sort;
    alone.payload = 0;
    for (unsigned r = 0; r < shape->size; r++) {
        if (ms_samples_of(shape, r) == 0) continue;
        GB_TRY(cudaMemcpyAsync(
                   static_cast<unsigned char *>(w->samples) + ms_samples_begin(shape, r) * key,
                   static_cast<const unsigned char *>(w->gathered) + r * s->most_samples * key,
                   ms_samples_of(shape, r) * key, cudaMemcpyDeviceToDevice, rank->stream),
               error);
    }
    return ms_cub_sort(&alone, w->samples, NULL, w->sorted_samples, NULL, s->samples, w->scratch,
                       w->scratch_bytes, rank->stream, error);
}

static gb_status sort_and_sample(nccl_state *s, gb_error *error)
{
    gb_comm *comm = s->p->comm;
    const void *mine[GB_MOST_RANKS];
    void *gathered[GB_MOST_RANKS];
    gb_status status = gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
        const elements in = input_of(s, i);
        mine[i] = s->local[i].mine;
        gathered[i] = s->local[i].gathered;
        const gb_status sorted = sort_elements(s, i, &in, &s->local[i].sorted,
                                               ms_share(&s->p->shape, comm->local[i].rank), why);
        return sorted == GB_OK ? take_samples(s, i, why) : sorted;
    });
    if (status == GB_OK)
        status = gb_comm_all_gather(comm, GB_BY_NCCL, mine, s->most_samples * key_bytes(s),
                                    gathered, error);
    if (status != GB_OK) return status;
    return gb_comm_each(comm, error,
                        [&](unsigned i, gb_error *why) { return sort_samples(s, i, why); });
}

/* ---- 2. cuts --------------------------------------------------------------------------------- */

static gb_status find_places(nccl_state *s, unsigned i, gb_error *error)
{
    const gb_rank *rank = &s->p->comm->local[i];
    const nccl_rank *w = &s->local[i];
    return with_key(s, [&](auto zero) {
        using Key = decltype(zero);
        GB_TRY(launch(ms_find_places<Key>, dim3(1), dim3(GB_MOST_RANKS), 0, rank->stream,
                      static_cast<const Key *>(w->sorted_samples), s->samples, s->p->shape.size,
                      static_cast<const Key *>(w->sorted.keys), ms_share(&s->p->shape, rank->rank),
                      w->places),
               error);
        return GB_OK;
    });
}

/* The places of all ranks come to the host, which waits. */
static gb_status fetch_places(nccl_state *s, gb_error *error)
{
    gb_comm *comm = s->p->comm;
    const uint64_t bytes = (uint64_t)2 * comm->size * sizeof(uint64_t);
    const void *mine[GB_MOST_RANKS];
    void *all[GB_MOST_RANKS];
    gb_status status = gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
        mine[i] = s->local[i].places;
        all[i] = s->local[i].all_places;
        return find_places(s, i, why);
    });
    if (status == GB_OK) status = gb_comm_all_gather(comm, GB_BY_NCCL, mine, bytes, all, error);
    if (status == GB_OK) status = gb_comm_enter(comm, 0, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(s->all_places, all[0], bytes * comm->size, cudaMemcpyDeviceToHost,
                           comm->local[0].stream),
           error);
    return gb_comm_wait(comm, error);
}

/* Where run t begins in each rank's share: at its even share of all, or as near to that as keys
 * allow that equal splitter t. */
static void cut(nccl_state *s, unsigned t)
{
    const unsigned size = s->p->shape.size;
    const uint64_t n = s->p->shape.sort.n;
    const uint64_t wanted = n / size * t + n % size * t / size;
    uint64_t before = 0;
    for (unsigned r = 0; r < size; r++)
        before += s->all_places[(size_t)r * 2 * size + 2 * (t - 1)];
    uint64_t left = wanted > before ? wanted - before : 0;
    for (unsigned r = 0; r < size; r++) {
        const uint64_t *places = &s->all_places[(size_t)r * 2 * size + 2 * (t - 1)];
        const uint64_t equal = places[1] - places[0], taken = equal < left ? equal : left;
        s->cuts[(size_t)r * (size + 1) + t] = places[0] + taken;
        left -= taken;
    }
}

static gb_status plan(nccl_state *s, gb_error *error)
{
    const ms_shape *shape = &s->p->shape;
    const unsigned size = shape->size;
    for (unsigned r = 0; r < size; r++) {
        s->cuts[(size_t)r * (size + 1)] = 0;
        s->cuts[(size_t)r * (size + 1) + size] = ms_share(shape, r);
    }
    for (unsigned t = 1; t < size; t++)
        cut(s, t);
    for (unsigned t = 0; t < size; t++) {
        uint64_t *length = &s->p->length[t];
        *length = 0;
        for (unsigned r = 0; r < size; r++) {
            const uint64_t *cuts = &s->cuts[(size_t)r * (size + 1) + t];
            *length += cuts[1] - cuts[0];
        }
        if (*length > ms_room(shape))
            return gb_fail(error, GB_OUT_OF_MEMORY, "the run of rank %u has no room", t);
    }
    return GB_OK;
}

/* ---- 3. exchange ----------------------------------------------------------------------------- */

/* Elements of run t that rank r has. */
static uint64_t part_of(const nccl_state *s, unsigned r, unsigned t)
{
    const uint64_t *cuts = &s->cuts[(size_t)r * (s->p->shape.size + 1) + t];
    return cuts[1] - cuts[0];
}

static gb_status exchange(nccl_state *s, bool payload, gb_error *error)
{
    gb_comm *comm = s->p->comm;
    const unsigned size = comm->size;
    const uint64_t bytes = payload ? s->p->shape.sort.payload : key_bytes(s);
    gb_piece *send = s->pieces, *receive = s->pieces + (size_t)comm->locals * size;
    for (unsigned i = 0; i < comm->locals; i++) {
        const unsigned rank = comm->local[i].rank;
        const nccl_rank *w = &s->local[i];
        unsigned char *from =
            payload ? (unsigned char *)w->sorted.payload : (unsigned char *)w->sorted.keys;
        unsigned char *to =
            payload ? (unsigned char *)w->came.payload : (unsigned char *)w->came.keys;
        for (unsigned r = 0; r < size; r++) {
            send[i * size + r] = gb_piece{from, part_of(s, rank, r) * bytes};
            receive[i * size + r] = gb_piece{to, part_of(s, r, rank) * bytes};
            from += send[i * size + r].bytes;
            to += receive[i * size + r].bytes;
        }
    }
    return gb_comm_all_to_all(comm, GB_BY_NCCL, send, receive, error);
}

/* ---- merging --------------------------------------------------------------------------------- */

static elements behind(const nccl_state *s, const elements *e, uint64_t count)
{
    return elements{static_cast<unsigned char *>(e->keys) + count * key_bytes(s),
                    e->payload ? e->payload + count : NULL};
}

/* Runs a and b, which lie behind each other from `from` on, become one at `to`. */
static gb_status merge_two(nccl_state *s, unsigned i, const elements *from, uint64_t in_a,
                           uint64_t in_b, const elements *to, gb_error *error)
{
    cudaStream_t stream = s->p->comm->local[i].stream;
    const elements second = behind(s, from, in_a);
    return with_key(s, [&](auto zero) {
        using Key = decltype(zero);
        const ms_merge<Key> m = {static_cast<const Key *>(from->keys),
                                 static_cast<const Key *>(second.keys),
                                 from->payload,
                                 second.payload,
                                 in_a,
                                 in_b,
                                 static_cast<Key *>(to->keys),
                                 to->payload,
                                 s->local[i].begins};
        return ms_queue_merge(&m, stream, error);
    });
}

/* What came is merged round by round, in turns between two arrays, so that the last round writes
 * the output; a run without a partner is merged with none. */
static gb_status merge_runs(nccl_state *s, unsigned i, gb_error *error)
{
    const unsigned rank = s->p->comm->local[i].rank;
    const elements out = output_of(s, i);
    elements from = s->local[i].came, spare = s->local[i].sorted;
    uint64_t runs[GB_MOST_RANKS];
    unsigned count = s->p->shape.size;
    gb_status status = GB_OK;
    for (unsigned r = 0; r < count; r++)
        runs[r] = part_of(s, r, rank);
    while (count > 1 && status == GB_OK) {
        const elements to = count <= 2 ? out : spare;
        uint64_t done = 0;
        for (unsigned k = 0; k < count && status == GB_OK; k += 2) {
            const elements a = behind(s, &from, done), b = behind(s, &to, done);
            const uint64_t second = k + 1 < count ? runs[k + 1] : 0;
            status = merge_two(s, i, &a, runs[k], second, &b, error);
            done += runs[k] + second;
            runs[k / 2] = runs[k] + second;
        }
        spare = from;
        from = to;
        count = (count + 1) / 2;
    }
    return status;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* One rank alone has nobody to wait for. */
static gb_status sort_alone(nccl_state *s, gb_error *error)
{
    const elements in = input_of(s, 0), out = output_of(s, 0);
    s->p->length[0] = s->p->shape.sort.n;
    return sort_elements(s, 0, &in, &out, s->p->shape.sort.n, error);
}

static gb_status sort_all(nccl_state *s, gb_error *error)
{
    gb_comm *comm = s->p->comm;
    if (comm->size == 1) return sort_alone(s, error);
    gb_status status = sort_and_sample(s, error);
    if (status == GB_OK) status = fetch_places(s, error);
    if (status == GB_OK) status = plan(s, error);
    if (status == GB_OK) status = exchange(s, false, error);
    if (status == GB_OK && s->p->shape.sort.payload) status = exchange(s, true, error);
    if (status != GB_OK) return status;
    return gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
        const elements out = output_of(s, i);
        return s->merges ? merge_runs(s, i, why)
                         : sort_elements(s, i, &s->local[i].came, &out,
                                         s->p->length[comm->local[i].rank], why);
    });
}

static gb_status run(gb_job *job, gb_stream stream)
{
    nccl_state *s = static_cast<nccl_state *>(job->state);
    gb_comm *comm = s->p->comm;
    if (s->p->shape.sort.n == 0) {
        memset(s->p->length, 0, comm->size * sizeof *s->p->length);
        return GB_OK;
    }
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    if (status == GB_OK) status = sort_all(s, &job->error);
    return gb_comm_end(comm, stream, status, &job->error);
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const ms_shape shape = ms_shape_of(params);
    uint64_t most = ms_room(&shape);
    const char *refusal = gb_comm_refusal(shape.size, GB_NEEDS_NCCL);
    for (unsigned r = 0; r < shape.size; r++)
        most = more(most, ms_share(&shape, r));
    return refusal ? refusal : ms_cub_refuses(device, most);
}

extern "C" const gb_variant ms_nccl = {
    "nccl",
    "CUB sorts each share, NCCL exchanges by splitters of regular samples, CUB sorts what came",
    "Shi, Schaeffer 1992, on NVIDIA CUB and NCCL",
    GB_WAITS,
    unsupported,
    prepare_nccl,
    NULL,
    run,
    cleanup,
};

extern "C" const gb_variant ms_nccl_merge = {
    "nccl-merge",
    "the same, but that the sorted runs that came are merged, two at a time",
    "Shi, Schaeffer 1992, on NVIDIA CUB and NCCL; Green, McColl, Bader 2012",
    GB_WAITS,
    unsupported,
    prepare_merge,
    NULL,
    run,
    cleanup,
};
