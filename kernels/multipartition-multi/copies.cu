/* Variant copies: every rank partitions what it has by the library, then pushes its piece of each
 * bin to the rank that has the bin, 16 bytes a thread. Elements cross their own memory twice: what
 * the peers variant saves is held against this one. */
#include "kernels/multipartition-multi/local.h"
#include "kernels/multipartition-multi/plan.cuh"

#include "common/cuda/grid.cuh"
#include "common/cuda/search.cuh"

typedef struct mpm_copies_state {
    mpm_state base;
    mpm_plan plan;
    mpm_arrays parted[GB_MOST_RANKS]; /* of local rank i: what it has, grouped by bin, */
    uint64_t *offsets[GB_MOST_RANKS]; /* and where bins begin there */
} mpm_copies_state;

/* ---- pushing --------------------------------------------------------------------------------- */

enum { MPM_CHUNK = 8192 }; /* bytes that a warp pushes at a time */

/* A warp copies `count` neighbours to whatever place: but for the ends, what is written are whole
 * lines of 128 bytes, 16 bytes a lane (stores that are not aligned to 32 bytes cross the link at
 * two thirds of the speed). */
template <class T>
static __device__ __forceinline__ void mpm_warp_copy(T *to, const T *from, unsigned count)
{
    enum { EACH = 16 / sizeof(T), LINE = 128 / sizeof(T) }; /* at most as many as lanes */
    const unsigned lane = gb_lane();
    unsigned head = (unsigned)(-(reinterpret_cast<uintptr_t>(to) / sizeof(T)) % LINE);
    if (head > count) head = count;
    if (lane < head) to[lane] = from[lane];
    const unsigned vectors = (count - head) / EACH, tail = head + vectors * EACH;
    if (reinterpret_cast<uintptr_t>(from + head) % 16 == 0) {
#pragma unroll 4
        for (unsigned v = lane; v < vectors; v += GB_WARP)
            reinterpret_cast<uint4 *>(to + head)[v] =
                __ldcs(reinterpret_cast<const uint4 *>(from + head) + v);
    } else {
#pragma unroll 4
        for (unsigned v = lane; v < vectors; v += GB_WARP) {
            T some[EACH];
            uint4 words;
#pragma unroll
            for (int k = 0; k < EACH; k++)
                some[k] = from[head + v * EACH + k];
            memcpy(&words, some, sizeof words);
            reinterpret_cast<uint4 *>(to + head)[v] = words;
        }
    }
    if (lane < count - tail) to[tail + lane] = from[tail + lane];
}

/* Warps take chunks of a rank's grouped elements, those for one rank and the next in turns, so that
 * memory and all links are busy all the time. */
template <class Key>
static __global__ void __launch_bounds__(GB_GRID_THREADS)
    mpm_push(const Key *__restrict__ keys, const uint32_t *__restrict__ payload, uint64_t n,
             const uint64_t *__restrict__ offsets, const mpm_place *__restrict__ places,
             unsigned bins, unsigned rank, unsigned size)
{
    const uint64_t chunk = MPM_CHUNK / sizeof(Key), chunks = (n + chunk - 1) / chunk;
    const uint64_t each = (chunks + size - 1) / size; /* for each rank, about */
    const uint64_t step = gb_stride() / GB_WARP;
    for (uint64_t k = gb_first() / GB_WARP; k < each * size; k += step) {
        const uint64_t c = (k + rank) % size * each + k / size;
        uint64_t at = c * chunk, end = at + chunk < n ? at + chunk : n;
        if (at >= end) continue;
        unsigned b = gb_warp_stretch_holding(offsets, bins, at);
        for (;;) {
            const uint64_t begin = offsets[b], stop = offsets[b + 1] < end ? offsets[b + 1] : end;
            const mpm_place *place = &places[b];
            const uint64_t to = place->low + (at - begin);
            const unsigned count = (unsigned)(stop - at);
            mpm_warp_copy(reinterpret_cast<Key *>(place->keys) + to, keys + at, count);
            if (payload)
                mpm_warp_copy(reinterpret_cast<uint32_t *>(place->payload) + to, payload + at,
                              count);
            at = stop;
            if (at >= end) break;
            /* mostly the next bin; of many empty ones the last */
            if (offsets[++b + 1] <= at) b += gb_warp_stretch_holding(offsets + b, bins - b, at);
        }
    }
}

/* ---- the variant ----------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const char *refusal = gb_comm_refusal(params->value[MPM_GPUS].size, GB_NEEDS_PEERS);
    return refusal ? refusal : mpm_local_refusal();
}

static gb_status open_rank(gb_job *job, unsigned i)
{
    mpm_problem *p = mpm_problem_of(job);
    mpm_copies_state *state = static_cast<mpm_copies_state *>(job->state);
    const mp_shape *all = &p->shape.all;
    const uint64_t n = p->ranks[i].n;
    void *at;
    gb_status status = mpm_local_open(job, p->comm, i, n, &state->base.parts[i]);
    if (status == GB_OK)
        status = gb_comm_malloc(p->comm, i, &state->parted[i].keys, n * all->key_bytes + 256,
                                "grouped keys", &job->error);
    if (status == GB_OK && all->payload_bytes) {
        status = gb_comm_malloc(p->comm, i, &at, n * all->payload_bytes + 256, "grouped payloads",
                                &job->error);
        state->parted[i].payload = static_cast<uint32_t *>(at);
    }
    if (status == GB_OK) {
        status = gb_comm_malloc(p->comm, i, &at, ((uint64_t)all->bins + 1) * sizeof(uint64_t),
                                "a rank's offsets", &job->error);
        state->offsets[i] = static_cast<uint64_t *>(at);
    }
    return status;
}

static gb_status prepare(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    gb_status status = mpm_state_open(job, sizeof(mpm_copies_state), 1);
    if (status != GB_OK) return status;
    mpm_copies_state *state = static_cast<mpm_copies_state *>(job->state);
    status = mpm_plan_open(p, &state->plan, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = open_rank(job, i);
    return status == GB_OK ? gb_comm_enter(p->comm, 0, &job->error) : status;
}

static gb_status group(gb_job *job, unsigned i)
{
    mpm_problem *p = mpm_problem_of(job);
    mpm_copies_state *state = static_cast<mpm_copies_state *>(job->state);
    const mpm_rank *own = &p->ranks[i];
    const mpm_arrays in = {own->keys_in, own->payload_in};
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status == GB_OK)
        status = mpm_local_queue(p->comm, i, &state->base.parts[i], &in, &state->parted[i], own->n,
                                 state->offsets[i], &job->error);
    if (status == GB_OK)
        status = mpm_queue_telling(p, &state->plan, i, NULL, state->offsets[i], &job->error);
    return status;
}

template <class Key> static gb_status push(gb_job *job, unsigned i)
{
    mpm_problem *p = mpm_problem_of(job);
    mpm_copies_state *state = static_cast<mpm_copies_state *>(job->state);
    const gb_rank *rank = &p->comm->local[i];
    const uint64_t n = p->ranks[i].n, warps = (n * sizeof(Key) + MPM_CHUNK - 1) / MPM_CHUNK;
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status == GB_OK)
        status = mpm_queue_planning(
            p, i, reinterpret_cast<const uint64_t *>(state->plan.counts.at[rank->rank]),
            state->plan.places[i], rank->stream, &job->error);
    if (status != GB_OK || n == 0) return status;
    GB_TRY(launch(mpm_push<Key>, gb_grid(&rank->device, warps * GB_WARP), dim3(GB_GRID_THREADS), 0,
                  rank->stream, static_cast<const Key *>(state->parted[i].keys),
                  state->parted[i].payload, n, state->offsets[i], state->plan.places[i],
                  p->shape.all.bins, rank->rank, p->comm->size),
           &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    mpm_problem *p = mpm_problem_of(job);
    gb_comm *comm = p->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = group(job, i);
    if (status == GB_OK) status = gb_comm_barrier(comm, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = p->shape.all.key_bytes == 8 ? push<uint64_t>(job, i) : push<uint32_t>(job, i);
    if (status == GB_OK) status = gb_comm_barrier(comm, &job->error);
    return gb_comm_end(comm, stream, status, &job->error);
}

static void cleanup(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    mpm_copies_state *state = static_cast<mpm_copies_state *>(job->state);
    if (!state) return;
    mpm_plan_close(p, &state->plan);
    for (unsigned i = 0; i < p->comm->locals; i++) {
        gb_comm_free(p->comm, i, state->parted[i].keys);
        gb_comm_free(p->comm, i, state->parted[i].payload);
        gb_comm_free(p->comm, i, state->offsets[i]);
    }
    mpm_state_close(job);
}

extern "C" const gb_variant mpm_copies = {
    "copies",
    "each GPU partitions by the library, then pushes its pieces into the others' memory",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
