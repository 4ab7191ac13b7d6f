/* Variant peers: bodies are written straight into their owners' memory.
 *
 * A rank lends a window: the samples of all ranks, what all ranks tell of their trees, how many
 * bodies have come, and room for them. A rank's sample goes to all windows; after a barrier all
 * find the same borders, and every body goes to the window of its owner, which counts what comes;
 * meanwhile the tree of the sample is made. After another barrier trees are built, of as many as
 * have come; then what they have on the borders' paths, a barrier, and the top.
 *
 * Nothing waits for the host, but for builds that sort whole keys: those are launched by the number
 * of bodies, so the host asks for it. */
#include "kernels/octree-multi/steps.h"

#include <stdlib.h>

/* A rank's own memory. */
typedef struct peer {
    mo_builder *builder;
    cudaStream_t beside; /* for what goes on while bodies move: */
    cudaEvent_t bounded; /* it may begin, */
    cudaEvent_t sampled; /* and has ended */
    om_bounds *bounds;   /* OM_BORDERS_BYTES */
    om_top *top;
} peer;

typedef struct peers {
    om_state state;
    gb_comm *comm;
    gb_window window;
    uint64_t draws, told, fill, bodies, bytes; /* where these begin in every window; its size */
    om_sampling sampling;
    peer *rank;     /* locals */
    unsigned trees; /* codes that each tree wants of the sample; 0: builds ask how many have come */
    unsigned *came; /* page-locked host memory; locals: bodies that have come, if they ask */
} peers;

static om_code *lists_of(const peers *s, unsigned r)
{
    return reinterpret_cast<om_code *>(s->window.at[r]);
}
static om_code *draws_of(const peers *s, unsigned r)
{
    return reinterpret_cast<om_code *>(s->window.at[r] + s->draws);
}
static om_told *told_of(const peers *s, unsigned r)
{
    return reinterpret_cast<om_told *>(s->window.at[r] + s->told);
}
static unsigned *fill_of(const peers *s, unsigned r)
{
    return reinterpret_cast<unsigned *>(s->window.at[r] + s->fill);
}
static float4 *bodies_of(const peers *s, unsigned r)
{
    return reinterpret_cast<float4 *>(s->window.at[r] + s->bodies);
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return om_refusal(params, device, GB_NEEDS_PEERS);
}

static gb_status part(gb_job *job, unsigned i, om_part *part)
{
    const peers *s = static_cast<const peers *>(job->state);
    const unsigned rank = s->comm->local[i].rank;
    unsigned came;
    GB_TRY(cudaMemcpy(&came, fill_of(s, rank), sizeof came, cudaMemcpyDeviceToHost), &job->error);
    part->bodies = bodies_of(s, rank);
    part->n = came;
    part->top = s->rank[i].top;
    return mo_builder_view(s->rank[i].builder, &part->tree, &job->error);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const peers *s = static_cast<const peers *>(job->state);
    gb_error *error = &job->error;
    gb_status status = gb_comm_fork(s->comm, stream, error);
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++) {
        const gb_rank *rank = &s->comm->local[i];
        status = gb_comm_enter(s->comm, i, error);
        if (status == GB_OK) status = mo_builder_poison(s->rank[i].builder, rank->stream, error);
        if (status != GB_OK) break;
        GB_TRY(cudaMemsetAsync(s->window.at[rank->rank], OC_POISON, s->bytes, rank->stream), error);
        GB_TRY(cudaMemsetAsync(s->rank[i].top, OC_POISON, sizeof(om_top), rank->stream), error);
    }
    return gb_comm_end(s->comm, stream, status, error);
}

static gb_status prepare_rank(const om_problem *p, peers *s, unsigned i, gb_error *error)
{
    gb_comm *comm = s->comm;
    peer *own = &s->rank[i];
    const oc_shape *bodies = &p->shape.bodies;
    gb_status status = om_allow_steps(comm, i, error);
    if (status == GB_OK)
        status = mo_builder_open(0, p->shape.room, bodies->leaf, bodies->pool, MO_AS_FITS,
                                 &comm->local[i].device, &own->builder, error);
    if (status == GB_OK)
        status =
            gb_comm_malloc(comm, i, (void **)&own->bounds, OM_BORDERS_BYTES, "the borders", error);
    if (status == GB_OK)
        status = gb_comm_malloc(comm, i, (void **)&own->top, sizeof(om_top), "the top", error);
    if (status == GB_OK) status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    /* all are of one make and have room for as many: all foresee, or none does */
    s->trees = mo_builder_foresees(own->builder, (bodies->n + comm->size - 1) / comm->size);
    GB_TRY(cudaStreamCreateWithFlags(&own->beside, cudaStreamNonBlocking), error);
    GB_TRY(cudaEventCreateWithFlags(&own->bounded, cudaEventDisableTiming), error);
    GB_TRY(cudaEventCreateWithFlags(&own->sampled, cudaEventDisableTiming), error);
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    const om_problem *p = om_problem_of(job);
    gb_error *error = &job->error;
    const unsigned size = p->shape.gpus;
    uint64_t bytes[GB_MOST_RANKS];
    peers *s = (peers *)calloc(1, sizeof *s);
    if (!s) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a build");
    job->state = s;
    s->state.part = part;
    s->state.poison = poison;
    s->draws = (uint64_t)size * OM_LIST * sizeof(om_code);
    s->told = s->draws + (uint64_t)size * OM_DRAWN * sizeof(om_code);
    s->fill = s->told + (size * sizeof(om_told) + 255) / 256 * 256;
    s->bodies = s->fill + 256;
    s->bytes = s->bodies + (p->shape.room + 1) * sizeof(float4);
    for (unsigned i = 0; i < GB_MOST_RANKS; i++)
        bytes[i] = s->bytes;
    gb_status status = gb_comm_open(job->device, size, GB_NEEDS_PEERS, &s->comm, error);
    if (status == GB_OK)
        status = gb_comm_window_open(s->comm, bytes, "what ranks lend", &s->window, error);
    if (status != GB_OK) return status;
    s->rank = (peer *)calloc(s->comm->locals, sizeof *s->rank);
    if (!s->rank) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for ranks");
    status = gb_cuda_malloc_host((void **)&s->came, s->comm->locals * sizeof *s->came,
                                 "the number of bodies", error);
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++)
        status = prepare_rank(p, s, i, error);
    job->waits = s->trees == 0;
    s->sampling = om_sampling_of(p, s->trees);
    return status == GB_OK ? gb_comm_enter(s->comm, 0, error) : status;
}

static void cleanup(gb_job *job)
{
    peers *s = static_cast<peers *>(job->state);
    gb_error ignored;
    if (!s) return;
    for (unsigned i = 0; s->rank && i < s->comm->locals; i++) {
        const peer *own = &s->rank[i];
        if (gb_comm_enter(s->comm, i, &ignored) == GB_OK) {
            mo_builder_close(own->builder);
            if (own->beside) (void)cudaStreamDestroy(own->beside);
            if (own->bounded) (void)cudaEventDestroy(own->bounded);
            if (own->sampled) (void)cudaEventDestroy(own->sampled);
        }
        gb_comm_free(s->comm, i, own->bounds);
        gb_comm_free(s->comm, i, own->top);
    }
    if (s->came) (void)cudaFreeHost(s->came);
    if (s->comm) {
        gb_comm_window_close(s->comm, &s->window);
        (void)gb_comm_enter(s->comm, 0, &ignored);
    }
    gb_comm_close(s->comm);
    free(s->rank);
    free(s);
    job->state = NULL;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Until all samples are in all windows. */
static gb_status sample(const om_problem *p, const peers *s, gb_error *error)
{
    om_lists lists = {}, draws = {};
    gb_status status = GB_OK;
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++) {
        const gb_rank *rank = &s->comm->local[i];
        for (unsigned r = 0; r < s->comm->size; r++) {
            lists.at[r] = lists_of(s, r) + (uint64_t)rank->rank * OM_LIST;
            draws.at[r] = draws_of(s, r) + (uint64_t)rank->rank * OM_DRAWN;
        }
        status = gb_comm_enter(s->comm, i, error);
        if (status != GB_OK) return status;
        GB_TRY(cudaMemsetAsync(fill_of(s, rank->rank), 0, sizeof(unsigned), rank->stream), error);
        status = om_queue_sample(p, s->comm, i, &s->sampling, &lists, &draws, error);
    }
    return status == GB_OK ? gb_comm_barrier(s->comm, error) : status;
}

/* What a rank's build does while its bodies are on their way. */
static gb_status begin_early(const om_problem *p, const peers *s, unsigned i, gb_error *error)
{
    const gb_rank *rank = &s->comm->local[i];
    const peer *own = &s->rank[i];
    if (!s->trees) return GB_OK;
    GB_TRY(cudaEventRecord(own->bounded, rank->stream), error);
    GB_TRY(cudaStreamWaitEvent(own->beside, own->bounded, 0), error);
    const gb_status status = om_queue_early(
        p, s->comm, i, own->builder, bodies_of(s, rank->rank), fill_of(s, rank->rank), &s->sampling,
        draws_of(s, rank->rank), own->bounds, own->beside, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaEventRecord(own->sampled, own->beside), error);
    return GB_OK;
}

/* Until all bodies are where they belong. */
static gb_status move(const om_problem *p, const peers *s, gb_error *error)
{
    om_targets targets = {};
    gb_status status = GB_OK;
    for (unsigned r = 0; r < s->comm->size; r++) {
        targets.bodies[r] = bodies_of(s, r);
        targets.fill[r] = fill_of(s, r);
    }
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++) {
        om_bounds *bounds = s->rank[i].bounds;
        status = om_queue_borders(s->comm, i, lists_of(s, s->comm->local[i].rank), &s->sampling,
                                  bounds, error);
        if (status == GB_OK) status = begin_early(p, s, i, error);
        if (status == GB_OK)
            status =
                om_queue_move(p, s->comm, i, bounds, &targets, p->shape.room, s->trees > 0, error);
    }
    return status == GB_OK ? gb_comm_barrier(s->comm, error) : status;
}

/* The host waits until it knows how many have come, where it has to. */
static gb_status ask(const peers *s, gb_error *error)
{
    if (s->trees) return GB_OK;
    for (unsigned i = 0; i < s->comm->locals; i++) {
        const gb_rank *rank = &s->comm->local[i];
        const gb_status status = gb_comm_enter(s->comm, i, error);
        if (status != GB_OK) return status;
        GB_TRY(cudaMemcpyAsync(&s->came[i], fill_of(s, rank->rank), sizeof *s->came,
                               cudaMemcpyDeviceToHost, rank->stream),
               error);
    }
    return gb_comm_wait(s->comm, error);
}

static gb_status build_one(const om_problem *p, const peers *s, unsigned i, gb_error *error)
{
    const gb_rank *rank = &s->comm->local[i];
    const peer *own = &s->rank[i];
    const float4 *bodies = bodies_of(s, rank->rank);
    const unsigned *told = s->trees ? fill_of(s, rank->rank) : NULL;
    uint64_t n = p->shape.room;
    om_ears ears = {};
    gb_status status = gb_comm_enter(s->comm, i, error);
    if (status != GB_OK) return status;
    if (!told && s->came[i] < n) n = s->came[i];
    if (told) GB_TRY(cudaStreamWaitEvent(rank->stream, own->sampled, 0), error);
    for (unsigned r = 0; r < s->comm->size; r++)
        ears.at[r] = told_of(s, r) + rank->rank;
    status = om_queue_build(p, s->comm, i, own->builder, bodies, n, told, error);
    if (status != GB_OK) return status;
    return om_queue_tell(p, s->comm, i, own->builder, bodies, n, told, own->bounds, &ears, error);
}

/* Until all ranks' trees are there, and have been told. */
static gb_status build(const om_problem *p, const peers *s, gb_error *error)
{
    gb_status status = GB_OK;
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++)
        status = build_one(p, s, i, error);
    return status == GB_OK ? gb_comm_barrier(s->comm, error) : status;
}

static gb_status make_tops(const om_problem *p, const peers *s, gb_error *error)
{
    gb_status status = GB_OK;
    for (unsigned i = 0; i < s->comm->locals && status == GB_OK; i++)
        status = om_queue_top(p, s->comm, i, s->rank[i].bounds, told_of(s, s->comm->local[i].rank),
                              s->rank[i].top, error);
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const om_problem *p = om_problem_of(job);
    const peers *s = static_cast<const peers *>(job->state);
    gb_error *error = &job->error;
    gb_status status = gb_comm_fork(s->comm, stream, error);
    if (status == GB_OK) status = sample(p, s, error);
    if (status == GB_OK) status = move(p, s, error);
    if (status == GB_OK) status = ask(s, error);
    if (status == GB_OK) status = build(p, s, error);
    if (status == GB_OK) status = make_tops(p, s, error);
    return gb_comm_end(s->comm, stream, status, error);
}

extern "C" const gb_variant om_peers = {
    "peers",
    "a sample's borders, bodies written into their owners' memory, morton on each GPU, a top",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
