/* A point's data: made on every rank from the seed, counted, and fingerprinted. */
#include "kernels/multipartition-multi/problem.h"

#include "common/cuda/grid.cuh"

#include <stdlib.h>
#include <string.h>

enum { MPM_SLACK = 256 }; /* bytes behind arrays: kernels may move aligned groups at their ends */

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void mpm_make(gb_dist dist, mp_shape shape, uint64_t begin, uint64_t n,
                                void *keys, uint32_t *payload)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const mp_element element = mp_make_element(&dist, &shape, begin + i);
        mp_store_element(&shape, keys, payload, i, &element);
    }
}

/* Adds the bins' sizes to counts, by neighbours that share a bin at once. */
static __global__ void mpm_count_truly(mp_shape shape, mp_bin_data bin, const void *keys,
                                       uint64_t n, unsigned long long *counts)
{
    unsigned run_bin = 0, run = 0;
    for (uint64_t i = gb_first();; i += gb_stride()) {
        const unsigned b = i < n ? mp_bin_at(&shape, &bin, keys, i) : ~0u;
        if (b != run_bin && run) {
            atomicAdd(&counts[run_bin], (unsigned long long)run);
            run = 0;
        }
        if (i >= n) return;
        run_bin = b;
        run++;
    }
}

static __global__ void mpm_fingerprint(mp_shape shape, const void *keys, const uint32_t *payload,
                                       uint64_t n, uint64_t from, mp_hash *sums)
{
    __shared__ unsigned long long part[3][GB_GRID_THREADS];
    mp_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const mp_element element = mp_load_element(&shape, keys, payload, i);
        mp_hash_add(&mine, from + i, &element);
    }
    part[0][threadIdx.x] = mine.a;
    part[1][threadIdx.x] = mine.b;
    part[2][threadIdx.x] = mine.ordered;
    for (unsigned half = GB_GRID_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int k = 0; k < 3; k++)
                part[k][threadIdx.x] += part[k][threadIdx.x + half];
    }
    if (threadIdx.x) return;
    atomicAdd(reinterpret_cast<unsigned long long *>(&sums->a), part[0][0]);
    atomicAdd(reinterpret_cast<unsigned long long *>(&sums->b), part[1][0]);
    atomicAdd(reinterpret_cast<unsigned long long *>(&sums->ordered), part[2][0]);
}

gb_status mpm_queue_fingerprint(mpm_problem *p, unsigned i, const void *keys,
                                const uint32_t *payload, uint64_t n, uint64_t from, gb_error *error)
{
    const gb_rank *rank = &p->comm->local[i];
    gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(p->ranks[i].sums, 0, sizeof(mp_hash), rank->stream), error);
    GB_TRY(launch(mpm_fingerprint, gb_grid(&rank->device, n), dim3(GB_GRID_THREADS), 0,
                  rank->stream, p->shape.all, keys, payload, n, from, p->ranks[i].sums),
           error);
    return GB_OK;
}

gb_status mpm_generate(mpm_problem *p, unsigned i, gb_error *error)
{
    const gb_rank *rank = &p->comm->local[i];
    const mpm_rank *own = &p->ranks[i];
    gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(mpm_make, gb_grid(&rank->device, own->n), dim3(GB_GRID_THREADS), 0, rank->stream,
                  p->dist, p->shape.all, own->begin, own->n, own->keys_in, own->payload_in),
           error);
    return GB_OK;
}

/* ---- what is true ---------------------------------------------------------------------------- */

/* What every rank tells the others: how many elements of each bin it has, and two fingerprints. */
static uint64_t told_count(const mpm_problem *p)
{
    return (uint64_t)p->shape.all.bins + 2;
}

/* Fills told[i], device memory of local rank i. */
static gb_status find_truth(mpm_problem *p, unsigned i, uint64_t *told, gb_error *error)
{
    const gb_rank *rank = &p->comm->local[i];
    mpm_rank *own = &p->ranks[i];
    gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(told, 0, told_count(p) * sizeof *told, rank->stream), error);
    GB_TRY(launch(mpm_count_truly, gb_grid(&rank->device, own->n), dim3(GB_GRID_THREADS), 0,
                  rank->stream, p->shape.all, p->bin, own->keys_in, own->n,
                  reinterpret_cast<unsigned long long *>(told)),
           error);
    status = mpm_queue_fingerprint(p, i, own->keys_in, own->payload_in, own->n, own->begin, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(told + p->shape.all.bins, own->sums, 2 * sizeof *told,
                           cudaMemcpyDeviceToDevice, rank->stream),
           error);
    GB_TRY(cudaMemcpyAsync(&own->input, own->sums, sizeof own->input, cudaMemcpyDeviceToHost,
                           rank->stream),
           error);
    return GB_OK;
}

/* Adds up what all ranks told: true offsets and firsts, the fingerprint of all. */
static gb_status conclude(mpm_problem *p, const uint64_t *told, gb_error *error)
{
    const uint32_t bins = p->shape.all.bins;
    const unsigned size = p->comm->size;
    const uint64_t row = told_count(p), n = p->shape.all.n;
    uint64_t sum = 0;
    for (uint32_t b = 0; b < bins; b++) {
        p->offsets[b] = sum;
        for (unsigned r = 0; r < size; r++)
            sum += told[r * row + b];
    }
    p->offsets[bins] = sum;
    for (unsigned r = 0; r < size; r++) {
        p->all.a += told[r * row + bins];
        p->all.b += told[r * row + bins + 1];
    }
    if (sum != n)
        return gb_fail(error, GB_CRASHED, "counted %llu of %llu keys: the device cannot be trusted",
                       (unsigned long long)sum, (unsigned long long)n);
    for (uint32_t b = bins; b-- > 0;)
        p->firsts[mpm_owner(p->offsets[b], p->offsets[b + 1], n, size)] = b;
    p->firsts[size] = bins;
    for (unsigned r = size; r-- > 0;)
        if (p->firsts[r] > p->firsts[r + 1]) p->firsts[r] = p->firsts[r + 1];
    return GB_OK;
}

/* Whether the devices made the elements that the CPU makes, where these are few. */
static gb_status compare_generators(const mpm_problem *p, gb_error *error)
{
    mp_hash here = {0, 0, 0};
    if (p->shape.all.n > MP_EXACT_LIMIT) return GB_OK;
    for (uint64_t i = 0; i < p->shape.all.n; i++) {
        const mp_element element = mp_make_element(&p->dist, &p->shape.all, i);
        mp_hash_add(&here, i, &element);
    }
    if (here.a == p->all.a && here.b == p->all.b) return GB_OK;
    return gb_fail(error, GB_CRASHED,
                   "the devices made other elements for dist %.40s, seed %llu than the CPU does",
                   p->dist_name, (unsigned long long)p->seed);
}

static gb_status learn_truth(mpm_problem *p, gb_error *error)
{
    gb_comm *comm = p->comm;
    const uint64_t bytes = told_count(p) * sizeof(uint64_t);
    void *told[GB_MOST_RANKS] = {}, *all[GB_MOST_RANKS] = {};
    uint64_t *here = (uint64_t *)malloc(bytes * comm->size);
    gb_status status = GB_OK;
    if (!here) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the bins' sizes");
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        status = gb_comm_malloc(comm, i, &told[i], bytes, "the bins' sizes", error);
        if (status == GB_OK)
            status = gb_comm_malloc(comm, i, &all[i], bytes * comm->size, "the bins' sizes", error);
        if (status == GB_OK) status = mpm_generate(p, i, error);
        if (status == GB_OK) status = find_truth(p, i, static_cast<uint64_t *>(told[i]), error);
    }
    if (status == GB_OK) status = gb_comm_all_gather(comm, GB_BY_COPIES, told, bytes, all, error);
    if (status == GB_OK) status = gb_comm_wait(comm, error);
    if (status == GB_OK)
        status =
            gb_cuda_status(cudaMemcpy(here, all[0], bytes * comm->size, cudaMemcpyDeviceToHost),
                           "reading the bins' sizes", error);
    for (unsigned i = 0; i < comm->locals; i++) {
        gb_comm_free(comm, i, told[i]);
        gb_comm_free(comm, i, all[i]);
    }
    if (status == GB_OK) status = conclude(p, here, error);
    if (status == GB_OK) status = compare_generators(p, error);
    free(here);
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

template <class T>
static gb_status array(mpm_problem *p, unsigned i, T **out, uint64_t bytes, const char *what,
                       gb_error *error)
{
    void *at;
    const gb_status status = gb_comm_malloc(p->comm, i, &at, bytes + MPM_SLACK, what, error);
    *out = static_cast<T *>(at);
    return status;
}

static gb_status open_rank(mpm_problem *p, unsigned i, gb_error *error)
{
    const mpm_shape *shape = &p->shape;
    const unsigned r = p->comm->local[i].rank;
    mpm_rank *own = &p->ranks[i];
    own->begin = gb_share_begin(shape->all.n, shape->gpus, r, shape->uneven);
    own->n = gb_share_begin(shape->all.n, shape->gpus, r + 1, shape->uneven) - own->begin;
    gb_status status =
        array(p, i, &own->keys_in, own->n * shape->all.key_bytes, "the input", error);
    if (status == GB_OK && shape->all.payload_bytes)
        status = array(p, i, &own->payload_in, own->n * shape->all.payload_bytes,
                       "the input's payload", error);
    if (status == GB_OK)
        status = array(p, i, &own->offsets, ((uint64_t)shape->all.bins + 1) * sizeof *own->offsets,
                       "the offsets", error);
    if (status == GB_OK)
        status = array(p, i, &own->firsts, ((uint64_t)shape->gpus + 1) * sizeof *own->firsts,
                       "the ranks' first bins", error);
    if (status == GB_OK)
        status = array(p, i, &own->sums, sizeof *own->sums, "a fingerprint", error);
    if (status == GB_OK)
        status = array(p, i, &own->misplaced, 2 * sizeof *own->misplaced, "what is found", error);
    return status;
}

/* The outputs, as large as they will be. */
static gb_status open_outputs(mpm_problem *p, gb_error *error)
{
    const gb_comm *comm = p->comm;
    const mp_shape *all = &p->shape.all;
    uint64_t keys[GB_MOST_RANKS], payload[GB_MOST_RANKS];
    for (unsigned i = 0; i < comm->locals; i++) {
        const unsigned r = comm->local[i].rank;
        const uint64_t n = p->offsets[p->firsts[r + 1]] - p->offsets[p->firsts[r]];
        p->ranks[i].out_n = n;
        keys[i] = n * all->key_bytes + 2 * MPM_GUARD;
        payload[i] = n * all->payload_bytes + 2 * MPM_GUARD;
    }
    gb_status status = gb_comm_window_open(p->comm, keys, "the output", &p->keys, error);
    if (status == GB_OK && all->payload_bytes)
        status = gb_comm_window_open(p->comm, payload, "the output's payload", &p->payload, error);
    return status;
}

static gb_status build(mpm_problem *p, const gb_device *device, gb_error *error)
{
    char why[160];
    if (!gb_dist_of(p->dist_name, p->seed, p->shape.all.n, &p->dist, why))
        return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    p->bin = mp_make_bin_data(MP_RANGE, p->shape.all.bins, p->shape.all.key_bytes, NULL);
    gb_status status = gb_comm_open(device, p->shape.gpus, GB_NEEDS_PEERS, &p->comm, error);
    if (status != GB_OK) return status;
    p->ranks = (mpm_rank *)calloc(p->comm->locals, sizeof *p->ranks);
    p->offsets = (uint64_t *)calloc((size_t)p->shape.all.bins + 1, sizeof *p->offsets);
    p->firsts = (uint64_t *)malloc(((size_t)p->shape.gpus + 1) * sizeof *p->firsts);
    if (!p->ranks || !p->offsets || !p->firsts)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    memset(p->firsts, 0xFF, ((size_t)p->shape.gpus + 1) * sizeof *p->firsts);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = open_rank(p, i, error);
    if (status == GB_OK) status = learn_truth(p, error);
    return status == GB_OK ? open_outputs(p, error) : status;
}

gb_status mpm_open(const gb_params *params, uint64_t seed, const gb_device *device,
                   gb_problem **out, gb_error *error)
{
    *out = NULL;
    mpm_problem *p = (mpm_problem *)calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = mpm_shape_of(params);
    p->seed = seed;
    p->dist_name = params->value[MPM_DIST].text;
    gb_error ignored;
    gb_status status = build(p, device, error);
    if (status == GB_OK) status = gb_comm_enter(p->comm, 0, error);
    if (status == GB_OK) {
        *out = reinterpret_cast<gb_problem *>(p);
        return GB_OK;
    }
    if (p->comm) (void)gb_comm_wait(p->comm, &ignored);
    mpm_close(reinterpret_cast<gb_problem *>(p));
    return status;
}

void mpm_close(gb_problem *problem)
{
    mpm_problem *p = reinterpret_cast<mpm_problem *>(problem);
    if (!p) return;
    if (p->comm) {
        gb_comm_window_close(p->comm, &p->keys);
        gb_comm_window_close(p->comm, &p->payload);
        for (unsigned i = 0; p->ranks && i < p->comm->locals; i++) {
            mpm_rank *own = &p->ranks[i];
            void *arrays[] = {own->keys_in, own->payload_in, own->offsets,
                              own->firsts,  own->sums,       own->misplaced};
            for (void *one : arrays)
                gb_comm_free(p->comm, i, one);
        }
        gb_comm_close(p->comm);
    }
    free(p->ranks);
    free(p->offsets);
    free(p->firsts);
    free(p);
}

/* GARBAGE in every byte of what is written, the guards included. */
gb_status mpm_poison(gb_job *job, gb_stream stream)
{
    enum { GARBAGE = 0xA5 };
    mpm_problem *p = mpm_problem_of(job);
    const mp_shape *all = &p->shape.all;
    gb_status status = gb_comm_fork(p->comm, stream, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        const mpm_rank *own = &p->ranks[i];
        const gb_rank *rank = &p->comm->local[i];
        const struct {
            void *at;
            uint64_t bytes;
        } outputs[] = {{p->keys.at[rank->rank], own->out_n * all->key_bytes + 2 * MPM_GUARD},
                       {p->payload.at[rank->rank], own->out_n * all->payload_bytes + 2 * MPM_GUARD},
                       {own->offsets, ((uint64_t)all->bins + 1) * sizeof *own->offsets},
                       {own->firsts, ((uint64_t)p->shape.gpus + 1) * sizeof *own->firsts}};
        status = gb_comm_enter(p->comm, i, &job->error);
        for (const auto &one : outputs)
            if (status == GB_OK && one.at)
                status = gb_cuda_status(cudaMemsetAsync(one.at, GARBAGE, one.bytes, rank->stream),
                                        "poisoning the output", &job->error);
    }
    return gb_comm_end(p->comm, stream, status, &job->error);
}
