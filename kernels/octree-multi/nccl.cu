/* Variant nccl, the baseline: the same borders, trees and top, but all that passes between ranks is
 * passed by NCCL. So bodies are counted by owner, brought together by owner in a rank's own memory,
 * and the counts must be on the host before they can be sent; what is brought together meanwhile
 * hides that wait. */
#include "kernels/octree-multi/steps.h"

#include <stdlib.h>

/* A rank's own memory. */
typedef struct nccl_rank {
    mo_builder *builder;
    om_bounds *bounds;  /* OM_BORDERS_BYTES */
    om_top *top;        /* 1 */
    om_code *list;      /* OM_LIST: its own */
    om_code *lists;     /* OM_LIST of each rank */
    om_told *told;      /* 1: its own */
    om_told *all_told;  /* size */
    unsigned *counts;   /* size: its bodies by owner */
    unsigned *table;    /* size * size: those of all ranks */
    unsigned *begin;    /* size: where each owner's begin among its bodies to send */
    float4 *sent;       /* its bodies by owner */
    float4 *bodies;     /* room: what has come */
    cudaEvent_t known;  /* the table is on the host */
    unsigned *known_at; /* page-locked host memory: size * size */
    uint64_t came;
} nccl_rank;

typedef struct nccl {
    om_state state;
    gb_comm *comm;
    om_sampling sampling;
    nccl_rank *rank; /* locals */
    gb_piece *send;  /* locals * size */
    gb_piece *receive;
} nccl;

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return om_refusal(params, device, GB_NEEDS_NCCL);
}

static gb_status part(gb_job *job, unsigned i, om_part *part)
{
    const nccl_rank *own = &static_cast<const nccl *>(job->state)->rank[i];
    part->bodies = own->bodies;
    part->n = own->came;
    part->top = own->top;
    return mo_builder_view(own->builder, &part->tree, &job->error);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const nccl *s = static_cast<const nccl *>(job->state);
    const om_problem *p = om_problem_of(job);
    gb_error *error = &job->error;
    gb_status status = gb_comm_fork(s->comm, stream, error);
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++) {
        const gb_rank *rank = &s->comm->local[i];
        nccl_rank *own = &s->rank[i];
        status = gb_comm_enter(s->comm, i, error);
        if (status == GB_OK) status = mo_builder_poison(own->builder, rank->stream, error);
        if (status != GB_OK) break;
        GB_TRY(
            cudaMemsetAsync(own->bodies, OC_POISON, p->shape.room * sizeof(float4), rank->stream),
            error);
        GB_TRY(cudaMemsetAsync(own->sent, OC_POISON, om_share(p, rank->rank) * sizeof(float4),
                               rank->stream),
               error);
        GB_TRY(cudaMemsetAsync(own->top, OC_POISON, sizeof(om_top), rank->stream), error);
        own->came = UINT64_MAX;
    }
    return gb_comm_end(s->comm, stream, status, error);
}

static gb_status allocate(const om_problem *p, gb_comm *comm, unsigned i, nccl_rank *own,
                          gb_error *error)
{
    const uint64_t size = comm->size, share = om_share(p, comm->local[i].rank);
    const struct {
        void *out;
        uint64_t bytes;
        const char *what;
    } arrays[] = {{&own->bounds, OM_BORDERS_BYTES, "the borders"},
                  {&own->top, sizeof(om_top), "the top"},
                  {&own->list, OM_LIST * sizeof(om_code), "the sample"},
                  {&own->lists, size * OM_LIST * sizeof(om_code), "the samples"},
                  {&own->told, sizeof(om_told), "what ranks tell"},
                  {&own->all_told, size * sizeof(om_told), "what ranks tell"},
                  {&own->counts, size * sizeof(unsigned), "the owners' counts"},
                  {&own->table, size * size * sizeof(unsigned), "the owners' counts"},
                  {&own->begin, size * sizeof(unsigned), "the owners' counts"},
                  {&own->sent, (share + 1) * sizeof(float4), "the bodies to send"},
                  {&own->bodies, (p->shape.room + 1) * sizeof(float4), "the bodies that come"}};
    for (const auto &array : arrays) {
        void *at;
        const gb_status status = gb_comm_malloc(comm, i, &at, array.bytes, array.what, error);
        memcpy(array.out, &at, sizeof at);
        if (status != GB_OK) return status;
    }
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaEventCreateWithFlags(&own->known, cudaEventDisableTiming), error);
    return gb_cuda_malloc_host((void **)&own->known_at, size * size * sizeof(unsigned),
                               "the owners' counts", error);
}

static gb_status prepare(gb_job *job)
{
    const om_problem *p = om_problem_of(job);
    const oc_shape *bodies = &p->shape.bodies;
    gb_error *error = &job->error;
    nccl *s = (nccl *)calloc(1, sizeof *s);
    if (!s) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a build");
    job->state = s;
    s->state.part = part;
    s->state.poison = poison;
    s->sampling = om_sampling_of(p, 0);
    gb_status status =
        gb_comm_open(job->device, p->shape.gpus, GB_NEEDS_NCCL | GB_NEEDS_CREW, &s->comm, error);
    if (status != GB_OK) return status;
    const size_t pieces = (size_t)s->comm->locals * s->comm->size;
    s->rank = (nccl_rank *)calloc(s->comm->locals, sizeof *s->rank);
    s->send = (gb_piece *)calloc(pieces, sizeof *s->send);
    s->receive = (gb_piece *)calloc(pieces, sizeof *s->receive);
    if (!s->rank || !s->send || !s->receive)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for ranks");
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++) {
        status = om_allow_steps(s->comm, i, error);
        if (status == GB_OK)
            status = mo_builder_open(0, p->shape.room, bodies->leaf, bodies->pool, MO_AS_FITS,
                                     &s->comm->local[i].device, &s->rank[i].builder, error);
        if (status == GB_OK) status = allocate(p, s->comm, i, &s->rank[i], error);
    }
    return status == GB_OK ? gb_comm_enter(s->comm, 0, error) : status;
}

static void close_rank(gb_comm *comm, unsigned i, nccl_rank *own)
{
    gb_error ignored;
    if (gb_comm_enter(comm, i, &ignored) != GB_OK) return;
    mo_builder_close(own->builder);
    if (own->known) (void)cudaEventDestroy(own->known);
    if (own->known_at) (void)cudaFreeHost(own->known_at);
    void *const arrays[] = {own->bounds, own->top,      own->list,   own->lists,
                            own->told,   own->all_told, own->counts, own->table,
                            own->begin,  own->sent,     own->bodies};
    for (void *array : arrays)
        gb_comm_free(comm, i, array);
}

static void cleanup(gb_job *job)
{
    nccl *s = static_cast<nccl *>(job->state);
    gb_error ignored;
    if (!s) return;
    for (unsigned i = 0; s->rank && i < s->comm->locals; i++)
        close_rank(s->comm, i, &s->rank[i]);
    if (s->comm) (void)gb_comm_enter(s->comm, 0, &ignored);
    gb_comm_close(s->comm);
    free(s->rank);
    free(s->send);
    free(s->receive);
    free(s);
    job->state = NULL;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* The same member of all local ranks, as gb_comm_all_gather wants it. */
template <class T>
static gb_status gather(const nccl *s, T *nccl_rank::*from, uint64_t count, T *nccl_rank::*to,
                        gb_error *error)
{
    const void *mine[GB_MOST_RANKS];
    void *all[GB_MOST_RANKS];
    for (unsigned i = 0; i < s->comm->locals; i++) {
        mine[i] = s->rank[i].*from;
        all[i] = s->rank[i].*to;
    }
    return gb_comm_all_gather(s->comm, GB_BY_NCCL, mine, count * sizeof(T), all, error);
}

static gb_status sample(const om_problem *p, const nccl *s, gb_error *error)
{
    const gb_status status = gb_comm_each(s->comm, error, [&](unsigned i, gb_error *why) {
        om_lists lists = {}, draws = {};
        lists.at[0] = s->rank[i].list;
        return om_queue_sample(p, s->comm, i, &s->sampling, &lists, &draws, why);
    });
    return status == GB_OK ? gather(s, &nccl_rank::list, OM_LIST, &nccl_rank::lists, error)
                           : status;
}

static gb_status count(const om_problem *p, const nccl *s, gb_error *error)
{
    const gb_status status = gb_comm_each(s->comm, error, [&](unsigned i, gb_error *why) {
        const nccl_rank *own = &s->rank[i];
        const gb_status bounded =
            om_queue_borders(s->comm, i, own->lists, &s->sampling, own->bounds, why);
        if (bounded != GB_OK) return bounded;
        return om_queue_count(p, s->comm, i, own->bounds, own->counts, why);
    });
    if (status != GB_OK) return status;
    return gather(s, &nccl_rank::counts, s->comm->size, &nccl_rank::table, error);
}

static gb_status group_one(const om_problem *p, const nccl *s, unsigned i, gb_error *error)
{
    const unsigned size = s->comm->size;
    const nccl_rank *own = &s->rank[i];
    om_targets targets = {};
    GB_TRY(cudaMemcpyAsync(own->known_at, own->table, (uint64_t)size * size * sizeof(unsigned),
                           cudaMemcpyDeviceToHost, s->comm->local[i].stream),
           error);
    GB_TRY(cudaEventRecord(own->known, s->comm->local[i].stream), error);
    for (unsigned r = 0; r < size; r++) {
        targets.bodies[r] = own->sent;
        targets.fill[r] = own->begin + r;
    }
    const gb_status status = om_queue_begin(s->comm, i, own->counts, own->begin, error);
    if (status != GB_OK) return status;
    return om_queue_move(p, s->comm, i, own->bounds, &targets, om_share(p, s->comm->local[i].rank),
                         false, error);
}

/* Brings bodies together by owner, while the host waits for the counts of all. */
static gb_status group(const om_problem *p, const nccl *s, gb_error *error)
{
    const gb_status status = gb_comm_each(
        s->comm, error, [&](unsigned i, gb_error *why) { return group_one(p, s, i, why); });
    if (status != GB_OK) return status;
    return gb_comm_each(s->comm, error, [&](unsigned i, gb_error *why) {
        GB_TRY(cudaEventSynchronize(s->rank[i].known), why);
        return GB_OK;
    });
}

/* Whether all ranks have room for what they own: table[r * size + q], what rank r has of q's. Notes
 * how many will come to the local ranks. */
static bool fits(const om_problem *p, nccl *s)
{
    const unsigned size = s->comm->size;
    const unsigned *table = s->rank[0].known_at;
    bool all = true;
    for (unsigned q = 0; q < size; q++) {
        uint64_t sum = 0;
        for (unsigned r = 0; r < size; r++)
            sum += table[r * size + q];
        all = all && sum <= p->shape.room;
        if (q >= s->comm->first && q - s->comm->first < s->comm->locals)
            s->rank[q - s->comm->first].came = sum;
    }
    return all;
}

static gb_status exchange(nccl *s, gb_error *error)
{
    const unsigned size = s->comm->size;
    for (unsigned i = 0; i < s->comm->locals; i++) {
        const nccl_rank *own = &s->rank[i];
        const unsigned me = s->comm->local[i].rank, *table = own->known_at;
        uint64_t sent = 0, received = 0;
        for (unsigned r = 0; r < size; r++) {
            const uint64_t out = table[me * size + r], in = table[r * size + me];
            s->send[i * size + r] = gb_piece{own->sent + sent, out * sizeof(float4)};
            s->receive[i * size + r] = gb_piece{own->bodies + received, in * sizeof(float4)};
            sent += out;
            received += in;
        }
    }
    return gb_comm_all_to_all(s->comm, GB_BY_NCCL, s->send, s->receive, error);
}

static gb_status build(const om_problem *p, const nccl *s, gb_error *error)
{
    gb_status status = gb_comm_each(s->comm, error, [&](unsigned i, gb_error *why) {
        const nccl_rank *own = &s->rank[i];
        om_ears ears = {};
        ears.at[0] = own->told;
        const gb_status built =
            om_queue_build(p, s->comm, i, own->builder, own->bodies, own->came, NULL, why);
        if (built != GB_OK) return built;
        return om_queue_tell(p, s->comm, i, own->builder, own->bodies, own->came, NULL, own->bounds,
                             &ears, why);
    });
    if (status == GB_OK) status = gather(s, &nccl_rank::told, 1, &nccl_rank::all_told, error);
    if (status != GB_OK) return status;
    return gb_comm_each(s->comm, error, [&](unsigned i, gb_error *why) {
        const nccl_rank *own = &s->rank[i];
        return om_queue_top(p, s->comm, i, own->bounds, own->all_told, own->top, why);
    });
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const om_problem *p = om_problem_of(job);
    nccl *s = static_cast<nccl *>(job->state);
    gb_error *error = &job->error;
    gb_status status = gb_comm_fork(s->comm, stream, error);
    if (status == GB_OK) status = sample(p, s, error);
    if (status == GB_OK) status = count(p, s, error);
    if (status == GB_OK) status = group(p, s, error);
    /* where one has no room, which all know, nothing is sent, and the check says so */
    if (status == GB_OK && fits(p, s)) {
        status = exchange(s, error);
        if (status == GB_OK) status = build(p, s, error);
    }
    return gb_comm_end(s->comm, stream, status, error);
}

extern "C" const gb_variant om_nccl = {
    "nccl",
    "a sample's borders, bodies brought together by owner and sent by NCCL, morton, a top",
    "gpubench",
    GB_WAITS,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
