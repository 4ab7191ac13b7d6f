/* Variant nccl: what a program gets from what there is, without a kernel of its own that writes
 * into another GPU's memory. Every rank groups its elements by bin; counts go round by NCCL's
 * all-gather and to the host, which NCCL's sends and receives need them on; each rank's stretch for
 * each other one is sent; and what has come is grouped by bin once more, which brings the pieces of
 * a bin together. Both times by CUB's radix sort on the bits that are the bin, where the number of
 * bins is a power of two and CUB is there; else by the library's fastest unstable partition. */
#include "common/cuda/cub_sort.cuh"
#include "kernels/multipartition-multi/local.h"
#include "kernels/multipartition-multi/plan.cuh"
#include "kernels/multipartition/boundaries.cuh"

enum { BEFORE, AFTER, PARTS }; /* the exchange */

/* What a local rank has of the job's: device memory. */
typedef struct mpm_nccl_rank {
    mpm_arrays grouped;     /* what it has, by bin; */
    mpm_arrays received;    /* what has come, rank behind rank */
    uint64_t *offsets;      /* bins + 1: of what is grouped */
    uint64_t *row, *counts; /* bins; size rows of them */
#if GB_HAS_CUB
    gb_cub_sort sort[PARTS];
#endif
} mpm_nccl_rank;

typedef struct mpm_nccl_state {
    mpm_state base; /* local partitions: before and after */
    gb_comm *comm;  /* the problem's ranks, which speak by NCCL */
    bool by_cub;
    mpm_nccl_rank ranks[GB_MOST_RANKS];
    uint64_t *counts, *offsets; /* page-locked host: as all ranks have them, and bins + 1 */
} mpm_nccl_state;

static mpm_nccl_state *state_of(const gb_job *job)
{
    return static_cast<mpm_nccl_state *>(job->state);
}

/* ---- CUB ------------------------------------------------------------------------------------- */

#if GB_HAS_CUB

static bool can_sort(const gb_params *params)
{
    const uint64_t bins = params->value[MPM_BINS].size;
    return (bins & (bins - 1)) == 0 && mpm_shape_of(params).all.n <= GB_CUB_MOST;
}

static const char *instance(const gb_params *params, unsigned i)
{
    gb_cub_way way;
    if (!can_sort(params)) return NULL;
    return gb_cub_way_of(mpm_shape_of(params).all.n, false, i, &way) ? gb_cub_way_name(&way) : NULL;
}

/* A sort of n elements on local rank i, which is entered; its arrays are set with each run. */
static gb_status open_sort(gb_job *job, uint64_t n, gb_cub_sort *sort)
{
    const mp_shape *all = &mpm_problem_of(job)->shape.all;
    int bits = 0;
    while ((uint64_t)1 << bits < all->bins)
        bits++;
    sort->key_bytes = all->key_bytes;
    sort->value_bytes = all->payload_bytes;
    sort->n = n;
    sort->end_bit = 8 * (int)all->key_bytes;
    sort->begin_bit = sort->end_bit - bits;
    if (all->key_bytes == 8)
        sort->sort = all->payload_bytes ? gb_cub_sort_pairs<false, uint64_t, uint32_t>
                                        : gb_cub_sort_keys<false, uint64_t>;
    else
        sort->sort = all->payload_bytes ? gb_cub_sort_pairs<false, uint32_t, uint32_t>
                                        : gb_cub_sort_keys<false, uint32_t>;
    (void)gb_cub_way_of(all->n, false, job->instance, &sort->way);
    return gb_cub_open(job, sort);
}

static gb_status queue_sort(gb_cub_sort *sort, const mpm_arrays *in, const mpm_arrays *out,
                            uint64_t n, cudaStream_t stream, gb_error *error)
{
    sort->keys_in = in->keys;
    sort->values_in = in->payload;
    sort->keys_out = out->keys;
    sort->values_out = out->payload;
    if (n != sort->n)
        return gb_fail(error, GB_WRONG, "%llu elements to sort where %llu were announced",
                       (unsigned long long)n, (unsigned long long)sort->n);
    if (n) GB_TRY(sort->sort(sort, stream), error);
    return GB_OK;
}

#else
static bool can_sort(const gb_params *)
{
    return false;
}
static const char *(*const instance)(const gb_params *, unsigned) = NULL;
#endif

/* ---- the parts of a run ---------------------------------------------------------------------- */

/* Groups n elements of local rank i, which is entered; which: BEFORE or AFTER. offsets: bins + 1,
 * for whoever needs them; by the library they are always written. */
static gb_status group(gb_job *job, unsigned i, unsigned which, const mpm_arrays *in,
                       const mpm_arrays *out, uint64_t n, bool want_offsets, gb_error *error)
{
    mpm_nccl_state *state = state_of(job);
    const mpm_problem *p = mpm_problem_of(job);
    uint64_t *offsets = state->ranks[i].offsets;
#if GB_HAS_CUB
    if (state->by_cub) {
        const cudaStream_t stream = state->comm->local[i].stream;
        const mp_bin_of<MP_RANGE> function = {p->bin};
        const gb_status status =
            queue_sort(&state->ranks[i].sort[which], in, out, n, stream, error);
        if (status != GB_OK || !want_offsets) return status;
        return gb_cuda_status(p->shape.all.key_bytes == 8
                                  ? mp_queue_boundaries(static_cast<const uint64_t *>(out->keys), n,
                                                        function, offsets, stream)
                                  : mp_queue_boundaries(static_cast<const uint32_t *>(out->keys), n,
                                                        function, offsets, stream),
                              "bin boundaries", error);
    }
#endif
    (void)p;
    (void)want_offsets;
    return mpm_local_queue(state->comm, i, &state->base.parts[PARTS * i + which], in, out, n,
                           offsets, error);
}

static __global__ void mpm_differences(const uint64_t *offsets, unsigned bins, uint64_t *row)
{
    const unsigned b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b < bins) row[b] = offsets[b + 1] - offsets[b];
}

static gb_status group_and_count(gb_job *job, unsigned i, gb_error *error)
{
    enum { THREADS = 256 };
    mpm_nccl_state *state = state_of(job);
    const mpm_problem *p = mpm_problem_of(job);
    mpm_nccl_rank *mine = &state->ranks[i];
    const mpm_rank *own = &p->ranks[i];
    const mpm_arrays in = {own->keys_in, own->payload_in};
    const unsigned bins = p->shape.all.bins;
    const gb_status status = group(job, i, BEFORE, &in, &mine->grouped, own->n, true, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(mpm_differences, dim3((bins + THREADS - 1) / THREADS), dim3(THREADS), 0,
                  state->comm->local[i].stream, mine->offsets, bins, mine->row),
           error);
    return GB_OK;
}

/* Counts to all ranks, each of which writes its tables, and to the host, which waits for them. */
static gb_status gather_counts(gb_job *job)
{
    mpm_nccl_state *state = state_of(job);
    const mpm_problem *p = mpm_problem_of(job);
    gb_comm *comm = state->comm;
    const uint64_t bytes = p->shape.all.bins * sizeof(uint64_t);
    const void *from[GB_MOST_RANKS];
    void *to[GB_MOST_RANKS];
    for (unsigned i = 0; i < comm->locals; i++) {
        from[i] = state->ranks[i].row;
        to[i] = state->ranks[i].counts;
    }
    gb_status status = gb_comm_all_gather(comm, GB_BY_NCCL, from, bytes, to, &job->error);
    if (status == GB_OK)
        status = gb_comm_each(comm, &job->error, [&](unsigned i, gb_error *error) {
            if (i == 0)
                GB_TRY(cudaMemcpyAsync(state->counts, to[i], bytes * comm->size,
                                       cudaMemcpyDeviceToHost, comm->local[i].stream),
                       error);
            return mpm_queue_planning(p, i, state->ranks[i].counts, NULL, comm->local[i].stream,
                                      error);
        });
    if (status == GB_OK) status = gb_comm_enter(comm, 0, &job->error);
    /* the copy to the host, and no more: what is planned meanwhile need not have ended */
    return status == GB_OK ? gb_comm_wait(comm, &job->error) : status;
}

/* Elements that rank `from` has for rank `to`, by the host's counts and owners. */
typedef struct mpm_passed {
    uint64_t elements[GB_MOST_RANKS];
} mpm_passed;

/* passed[from].elements[to]. */
static void find_passed(const mpm_nccl_state *state, const mpm_problem *p, mpm_passed *passed)
{
    const unsigned size = state->comm->size, bins = p->shape.all.bins;
    uint64_t sum = 0;
    memset(passed, 0, size * sizeof *passed);
    for (unsigned b = 0; b < bins; b++) {
        state->offsets[b] = sum;
        for (unsigned r = 0; r < size; r++)
            sum += state->counts[(size_t)r * bins + b];
    }
    state->offsets[bins] = sum;
    for (unsigned b = 0; b < bins; b++) {
        const unsigned to = mpm_owner(state->offsets[b], state->offsets[b + 1], sum, size);
        for (unsigned r = 0; r < size; r++)
            passed[r].elements[to] += state->counts[(size_t)r * bins + b];
    }
}

static gb_piece piece_of(void *at, uint64_t from, uint64_t count, unsigned bytes)
{
    return {static_cast<unsigned char *>(at) + from * bytes, count * bytes};
}

/* Sends keys, or payloads, as passed says. */
static gb_status exchange(gb_job *job, const mpm_passed *passed, bool payloads)
{
    mpm_nccl_state *state = state_of(job);
    const mpm_problem *p = mpm_problem_of(job);
    gb_comm *comm = state->comm;
    const unsigned size = comm->size,
                   bytes = payloads ? p->shape.all.payload_bytes : p->shape.all.key_bytes;
    gb_piece *send = (gb_piece *)calloc(2 * (size_t)comm->locals * size, sizeof *send);
    if (!send) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an exchange");
    gb_piece *receive = send + (size_t)comm->locals * size;
    for (unsigned i = 0; i < comm->locals; i++) {
        const mpm_nccl_rank *mine = &state->ranks[i];
        const unsigned me = comm->local[i].rank;
        void *from = payloads ? mine->grouped.payload : mine->grouped.keys;
        void *to = payloads ? mine->received.payload : mine->received.keys;
        uint64_t sent = 0, received = 0;
        for (unsigned r = 0; r < size; r++) {
            const uint64_t out = passed[me].elements[r], in = passed[r].elements[me];
            send[i * size + r] = piece_of(from, sent, out, bytes);
            receive[i * size + r] = piece_of(to, received, in, bytes);
            sent += out;
            received += in;
        }
    }
    const gb_status status = gb_comm_all_to_all(comm, GB_BY_NCCL, send, receive, &job->error);
    free(send);
    return status;
}

/* What has come to local rank i, by bin. */
static gb_status bring_together(gb_job *job, unsigned i, const mpm_passed *passed, gb_error *error)
{
    mpm_nccl_state *state = state_of(job);
    const mpm_problem *p = mpm_problem_of(job);
    const unsigned me = state->comm->local[i].rank;
    const mpm_arrays out = {mpm_keys_of(p, me), mpm_payload_of(p, me)};
    uint64_t n = 0;
    for (unsigned r = 0; r < state->comm->size; r++)
        n += passed[r].elements[me];
    return group(job, i, AFTER, &state->ranks[i].received, &out, n, false, error);
}

static gb_status run_forked(gb_job *job)
{
    mpm_nccl_state *state = state_of(job);
    const mpm_problem *p = mpm_problem_of(job);
    gb_comm *comm = state->comm;
    mpm_passed passed[GB_MOST_RANKS];
    gb_status status = gb_comm_each(comm, &job->error, [&](unsigned i, gb_error *error) {
        return group_and_count(job, i, error);
    });
    if (status == GB_OK) status = gather_counts(job);
    if (status != GB_OK) return status;
    find_passed(state, p, passed);
    status = exchange(job, passed, false);
    if (status == GB_OK && p->shape.all.payload_bytes) status = exchange(job, passed, true);
    if (status != GB_OK) return status;
    return gb_comm_each(comm, &job->error, [&](unsigned i, gb_error *error) {
        return bring_together(job, i, passed, error);
    });
}

static gb_status run(gb_job *job, gb_stream stream)
{
    gb_comm *comm = state_of(job)->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    if (status == GB_OK) status = run_forked(job);
    return gb_comm_end(comm, stream, status, &job->error);
}

/* ---- the variant ----------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const char *refusal =
        gb_comm_refusal(params->value[MPM_GPUS].size, GB_NEEDS_PEERS | GB_NEEDS_NCCL);
    if (refusal || can_sort(params)) return refusal;
    return mpm_local_refusal();
}

static gb_status arrays(gb_job *job, unsigned i, uint64_t n, mpm_arrays *out, const char *what)
{
    const mpm_problem *p = mpm_problem_of(job);
    const mp_shape *all = &p->shape.all;
    void *at;
    gb_status status =
        gb_comm_malloc(p->comm, i, &out->keys, n * all->key_bytes + 256, what, &job->error);
    if (status != GB_OK || !all->payload_bytes) return status;
    status = gb_comm_malloc(p->comm, i, &at, n * all->payload_bytes + 256, what, &job->error);
    out->payload = static_cast<uint32_t *>(at);
    return status;
}

static gb_status open_groupings(gb_job *job, unsigned i)
{
    mpm_nccl_state *state = state_of(job);
    const mpm_problem *p = mpm_problem_of(job);
    const uint64_t n[PARTS] = {p->ranks[i].n, p->ranks[i].out_n};
    gb_status status = GB_OK;
    for (unsigned which = 0; which < PARTS && status == GB_OK; which++) {
#if GB_HAS_CUB
        if (state->by_cub) {
            /* CUB asks for the pointers' presence alone, to tell keys from pairs */
            gb_cub_sort *sort = &state->ranks[i].sort[which];
            sort->values_in = state->ranks[i].grouped.payload;
            status = open_sort(job, n[which], sort);
            continue;
        }
#endif
        status =
            mpm_local_open(job, state->comm, i, n[which], &state->base.parts[PARTS * i + which]);
    }
    return status;
}

static gb_status open_rank(gb_job *job, unsigned i)
{
    mpm_nccl_state *state = state_of(job);
    mpm_problem *p = mpm_problem_of(job);
    mpm_nccl_rank *mine = &state->ranks[i];
    const uint64_t bytes = p->shape.all.bins * sizeof(uint64_t);
    void *tables[3] = {};
    const uint64_t sizes[3] = {bytes + sizeof(uint64_t), bytes, bytes * p->comm->size};
    gb_status status = arrays(job, i, p->ranks[i].n, &mine->grouped, "grouped elements");
    if (status == GB_OK)
        status = arrays(job, i, p->ranks[i].out_n, &mine->received, "received elements");
    for (unsigned k = 0; k < 3 && status == GB_OK; k++)
        status = gb_comm_malloc(p->comm, i, &tables[k], sizes[k], "the bins' sizes", &job->error);
    mine->offsets = static_cast<uint64_t *>(tables[0]);
    mine->row = static_cast<uint64_t *>(tables[1]);
    mine->counts = static_cast<uint64_t *>(tables[2]);
    if (status == GB_OK) status = gb_comm_enter(p->comm, i, &job->error);
    return status == GB_OK ? open_groupings(job, i) : status;
}

static gb_status prepare(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    gb_status status = mpm_state_open(job, sizeof(mpm_nccl_state), PARTS);
    if (status != GB_OK) return status;
    mpm_nccl_state *state = state_of(job);
    const uint64_t bytes = p->shape.all.bins * sizeof(uint64_t);
    state->by_cub = can_sort(job->params);
    status =
        gb_comm_open(job->device, p->shape.gpus, GB_NEEDS_PEERS | GB_NEEDS_NCCL | GB_NEEDS_CREW,
                     &state->comm, &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc_host((void **)&state->counts, bytes * p->comm->size,
                                     "the bins' sizes", &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc_host((void **)&state->offsets, bytes + sizeof(uint64_t),
                                     "the bins' offsets", &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = open_rank(job, i);
    return status == GB_OK ? gb_comm_enter(p->comm, 0, &job->error) : status;
}

static void cleanup(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    mpm_nccl_state *state = state_of(job);
    gb_error ignored;
    if (!state) return;
    for (unsigned i = 0; i < p->comm->locals; i++) {
        mpm_nccl_rank *mine = &state->ranks[i];
        void *all[] = {mine->grouped.keys,  mine->grouped.payload,
                       mine->received.keys, mine->received.payload,
                       mine->offsets,       mine->row,
                       mine->counts};
        for (void *one : all)
            gb_comm_free(p->comm, i, one);
#if GB_HAS_CUB
        if (gb_comm_enter(p->comm, i, &ignored) == GB_OK)
            for (auto &sort : mine->sort)
                gb_cub_close(&sort);
#endif
    }
    (void)gb_comm_enter(p->comm, 0, &ignored);
    if (state->counts) (void)cudaFreeHost(state->counts);
    if (state->offsets) (void)cudaFreeHost(state->offsets);
    gb_comm_close(state->comm);
    mpm_state_close(job);
}

extern "C" const gb_variant mpm_nccl = {
    "nccl",
    "grouped by CUB (or the library), sent by NCCL, and grouped again",
    "NVIDIA CUB and NCCL",
    GB_WAITS,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
    NULL,
    instance,
};
