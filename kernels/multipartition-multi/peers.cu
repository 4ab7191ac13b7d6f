/* Variant peers: every rank counts its bins and tells all others; each finds where its elements go,
 * and moves them there in one pass (scatter.cuh), into the memory of whichever GPU it is. */
#include "kernels/multipartition-multi/local.h"
#include "kernels/multipartition-multi/scatter.cuh"

#include "kernels/multipartition/counts.cuh"

#include <stdlib.h>

/* ---- counting -------------------------------------------------------------------------------- */

enum { MPM_COUNT_THREADS = 512, MPM_COUNT_ITEMS = 16, MPM_COUNT_BYTES = 16384 };

template <class Key>
static __global__ void __launch_bounds__(MPM_COUNT_THREADS)
    mpm_count(mp_elements<Key, 0> in, uint64_t n, mp_digit digit, unsigned copies,
              unsigned long long *counts)
{
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const uint64_t part = mp_part_keys(n, gridDim.x), low = blockIdx.x * part;
    mp_clear_counters<MPM_COUNT_THREADS>(counters, copies, digit.digits);
    mp_count_stretch<MPM_COUNT_THREADS, MPM_COUNT_ITEMS>(in, low, low + part < n ? low + part : n,
                                                         digit, counters, copies);
    __syncthreads();
    mp_add_counts<MPM_COUNT_THREADS>(counters, copies, digit.digits, counts);
}

template <class Key>
static gb_status queue_counting(gb_job *job, unsigned i, unsigned long long *counts)
{
    const mpm_problem *p = mpm_problem_of(job);
    const gb_rank *rank = &p->comm->local[i];
    const uint64_t n = p->ranks[i].n, tile = MPM_COUNT_THREADS * MPM_COUNT_ITEMS;
    const unsigned bins = p->shape.all.bins;
    if (n == 0) return GB_OK;
    uint64_t blocks = (n + tile - 1) / tile, most = 4 * (uint64_t)rank->device.sms;
    if (blocks > most) blocks = most;
    const unsigned copies = mp_copies_for(bins, MPM_COUNT_BYTES);
    const mp_digit digit = {p->bin, MP_RANGE, 0, ~0u, bins};
    const mp_elements<Key, 0> in = {reinterpret_cast<Key *>(p->ranks[i].keys_in), NULL};
    GB_TRY(launch(mpm_count<Key>, dim3((unsigned)blocks), dim3(MPM_COUNT_THREADS),
                  (size_t)bins * copies * sizeof(unsigned), rank->stream, in, n, digit, copies,
                  counts),
           &job->error);
    return GB_OK;
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* What fits a device: lines of 128 bytes of up to 256 bins where there is room for them, halves of
 * lines or sectors else. Three shapes of each type, the best first; the last one fits everywhere.
 */
template <class Key, int WORDS> struct mpm_shapes;
template <> struct mpm_shapes<uint32_t, 0> {
    typedef mpm_scatter<uint32_t, 0, 512, 16, 256, 32, 2> few;
    typedef mpm_scatter<uint32_t, 0, 1024, 16, 1024, 16, 1> many;
    typedef mpm_scatter<uint32_t, 0, 256, 16, 256, 8, 1> small;
};
template <> struct mpm_shapes<uint64_t, 0> {
    typedef mpm_scatter<uint64_t, 0, 512, 8, 256, 16, 2> few;
    typedef mpm_scatter<uint64_t, 0, 1024, 8, 1024, 8, 1> many;
    typedef mpm_scatter<uint64_t, 0, 256, 8, 256, 4, 1> small;
};
template <> struct mpm_shapes<uint32_t, 1> {
    typedef mpm_scatter<uint32_t, 1, 1024, 8, 256, 32, 1> few;
    typedef mpm_scatter<uint32_t, 1, 1024, 8, 1024, 8, 1> many;
    typedef mpm_scatter<uint32_t, 1, 256, 8, 256, 4, 1> small;
};
template <> struct mpm_shapes<uint64_t, 1> {
    typedef mpm_scatter<uint64_t, 1, 1024, 8, 256, 16, 1> few;
    typedef mpm_scatter<uint64_t, 1, 1024, 8, 1024, 4, 1> many;
    typedef mpm_scatter<uint64_t, 1, 256, 4, 256, 4, 1> small;
};

/* Calls go(shape) with the one that fits; false: none does. */
template <class Key, int WORDS, class Go>
static bool with_shape(const gb_device *device, unsigned bins, Go go)
{
    enum { STATIC = 1024 }; /* of shared memory, and what the system keeps of a block's */
    typedef mpm_shapes<Key, WORDS> shapes;
    const auto fits = [&](auto shape) {
        return bins <= (unsigned)shape.BINS && shape.bytes() + STATIC <= device->shared_optin;
    };
    if (fits(typename shapes::few()))
        go(typename shapes::few());
    else if (fits(typename shapes::many()))
        go(typename shapes::many());
    else if (fits(typename shapes::small()))
        go(typename shapes::small());
    else
        return false;
    return true;
}

template <class Go> static bool with_shape_of(const mp_shape *all, const gb_device *device, Go go)
{
    const bool with = all->payload_bytes != 0;
    if (all->key_bytes == 8)
        return with ? with_shape<uint64_t, 1>(device, all->bins, go)
                    : with_shape<uint64_t, 0>(device, all->bins, go);
    return with ? with_shape<uint32_t, 1>(device, all->bins, go)
                : with_shape<uint32_t, 0>(device, all->bins, go);
}

template <class Shape> static gb_status queue_moving(gb_job *job, unsigned i, mpm_place *places)
{
    const mpm_problem *p = mpm_problem_of(job);
    const gb_rank *rank = &p->comm->local[i];
    const mpm_rank *own = &p->ranks[i];
    uint64_t blocks = (own->n + Shape::TILE - 1) / Shape::TILE;
    const uint64_t most = (uint64_t)Shape::BLOCKS * rank->device.sms;
    if (blocks == 0) return GB_OK;
    if (blocks > most) blocks = most;
    const typename Shape::elements in = {
        reinterpret_cast<typename Shape::Key *>(own->keys_in),
        reinterpret_cast<typename Shape::payload_type *>(own->payload_in)};
    const gb_status status = gb_allow_shared(mpm_move<Shape>, Shape::bytes(), &job->error);
    if (status != GB_OK) return status;
    GB_TRY(launch(mpm_move<Shape>, dim3((unsigned)blocks), dim3(Shape::THREADS), Shape::bytes(),
                  rank->stream, in, own->n, p->bin, places, rank->rank, p->comm->size),
           &job->error);
    return GB_OK;
}

/* ---- the variant ----------------------------------------------------------------------------- */

typedef struct mpm_peers_state {
    mpm_state base; /* no local partitions */
    mpm_plan plan;
    unsigned long long *counts[GB_MOST_RANKS]; /* of local rank i; 0 between runs */
} mpm_peers_state;

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const mpm_shape shape = mpm_shape_of(params);
    const char *refusal = gb_comm_refusal(shape.gpus, GB_NEEDS_PEERS);
    if (refusal) return refusal;
    if (with_shape_of(&shape.all, device, [](auto) {})) return NULL;
    return gb_reason("at most %d bins on this device: a block has each bin's part of a group "
                     "waiting in its shared memory (copies takes more)",
                     device->shared_optin >= 227 * 1024 ? 1024 : 256);
}

static gb_status prepare(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    gb_status status = mpm_state_open(job, sizeof(mpm_peers_state), 0);
    if (status != GB_OK) return status;
    mpm_peers_state *state = static_cast<mpm_peers_state *>(job->state);
    status = mpm_plan_open(p, &state->plan, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        const uint64_t bytes = p->shape.all.bins * sizeof(unsigned long long);
        void *at;
        status = gb_comm_malloc(p->comm, i, &at, bytes, "the bins' counters", &job->error);
        state->counts[i] = static_cast<unsigned long long *>(at);
        if (status == GB_OK) status = gb_comm_enter(p->comm, i, &job->error);
        if (status == GB_OK)
            status = gb_cuda_status(cudaMemset(at, 0, bytes), "the bins' counters", &job->error);
    }
    return status == GB_OK ? gb_comm_enter(p->comm, 0, &job->error) : status;
}

static gb_status count_and_tell(gb_job *job, unsigned i)
{
    mpm_problem *p = mpm_problem_of(job);
    const mpm_peers_state *state = static_cast<const mpm_peers_state *>(job->state);
    unsigned long long *counts = state->counts[i];
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status == GB_OK)
        status = p->shape.all.key_bytes == 8 ? queue_counting<uint64_t>(job, i, counts)
                                             : queue_counting<uint32_t>(job, i, counts);
    if (status == GB_OK) status = mpm_queue_telling(p, &state->plan, i, counts, NULL, &job->error);
    return status;
}

static gb_status plan_and_move(gb_job *job, unsigned i)
{
    mpm_problem *p = mpm_problem_of(job);
    const mpm_peers_state *state = static_cast<const mpm_peers_state *>(job->state);
    const gb_rank *rank = &p->comm->local[i];
    mpm_place *places = state->plan.places[i];
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status == GB_OK)
        status = mpm_queue_planning(
            p, i, reinterpret_cast<const uint64_t *>(state->plan.counts.at[rank->rank]), places,
            rank->stream, &job->error);
    if (status == GB_OK)
        (void)with_shape_of(&p->shape.all, &rank->device, [&](auto shape) {
            status = queue_moving<decltype(shape)>(job, i, places);
        });
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    gb_comm *comm = mpm_problem_of(job)->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = count_and_tell(job, i);
    if (status == GB_OK) status = gb_comm_barrier(comm, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = plan_and_move(job, i);
    if (status == GB_OK) status = gb_comm_barrier(comm, &job->error);
    return gb_comm_end(comm, stream, status, &job->error);
}

static void cleanup(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    mpm_peers_state *state = static_cast<mpm_peers_state *>(job->state);
    if (!state) return;
    mpm_plan_close(p, &state->plan);
    for (unsigned i = 0; i < p->comm->locals; i++)
        gb_comm_free(p->comm, i, state->counts[i]);
    mpm_state_close(job);
}

extern "C" const gb_variant mpm_peers = {
    "peers",
    "each GPU moves its elements to their bins on all GPUs in one pass, by whole lines",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
