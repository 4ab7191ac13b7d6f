/* The data of a point, their complete check, and the variants. */
#include "tests/worker/primitives/team/team.h"

#include "common/comm/comm.h"
#include "common/random.h"

#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <vector>

static const unsigned block_threads = 128;

/* Of the i-th local rank: what it has, what it is to get, the sum. */
struct gb_problem {
    gb_comm *comm;
    uint64_t n, seed;
    uint64_t *in[GB_MOST_RANKS], *out[GB_MOST_RANKS], *sum[GB_MOST_RANKS];
    gb_window window; /* n words of each rank */
    bool has_window;
};

static uint64_t word_of(const gb_problem *problem, unsigned rank, uint64_t k)
{
    return gb_random(problem->seed, rank, k).word[0];
}

static gb_status allocate(gb_problem *problem, unsigned i, gb_error *error)
{
    gb_comm *comm = problem->comm;
    void *in, *out, *sum;
    gb_status status = gb_comm_malloc(comm, i, &in, 8 * problem->n, "input", error);
    problem->in[i] = static_cast<uint64_t *>(in);
    if (status == GB_OK) status = gb_comm_malloc(comm, i, &out, 8 * problem->n, "output", error);
    if (status != GB_OK) return status;
    problem->out[i] = static_cast<uint64_t *>(out);
    status = gb_comm_malloc(comm, i, &sum, 8, "a sum", error);
    if (status != GB_OK) return status;
    problem->sum[i] = static_cast<uint64_t *>(sum);
    std::vector<uint64_t> words(problem->n);
    for (uint64_t k = 0; k < problem->n; k++)
        words[k] = word_of(problem, comm->local[i].rank, k);
    status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(in, words.data(), 8 * problem->n, cudaMemcpyHostToDevice), error);
    return gb_comm_enter(comm, 0, error);
}

gb_status team_open(const gb_params *params, uint64_t seed, const gb_device *device,
                    gb_problem **out, gb_error *error)
{
    *out = NULL;
    const uint64_t gpus = params->value[TEAM_GPUS].size;
    const char *reason = gb_comm_refusal(gpus, 0);
    if (reason) return gb_fail(error, GB_UNSUPPORTED, "%s", reason);
    gb_problem *problem = new (std::nothrow) gb_problem();
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
    problem->n = params->value[TEAM_N].size;
    problem->seed = seed;
    const bool peers = !gb_comm_refusal(gpus, GB_NEEDS_PEERS);
    gb_status status =
        gb_comm_open(device, gpus, peers ? GB_NEEDS_PEERS : 0, &problem->comm, error);
    for (unsigned i = 0; status == GB_OK && i < problem->comm->locals; i++)
        status = allocate(problem, i, error);
    uint64_t bytes[GB_MOST_RANKS];
    for (uint64_t &b : bytes)
        b = 8 * problem->n;
    if (status == GB_OK && peers)
        status = gb_comm_window_open(problem->comm, bytes, "a window", &problem->window, error);
    problem->has_window = status == GB_OK && peers;
    if (status == GB_OK)
        *out = problem;
    else
        team_close(problem);
    return status;
}

void team_close(gb_problem *problem)
{
    gb_comm *comm = problem->comm;
    if (problem->has_window) gb_comm_window_close(comm, &problem->window);
    for (unsigned i = 0; comm && i < comm->locals; i++) {
        gb_comm_free(comm, i, problem->in[i]);
        gb_comm_free(comm, i, problem->out[i]);
        gb_comm_free(comm, i, problem->sum[i]);
    }
    gb_comm_close(comm);
    delete problem;
}

gb_status team_poison(gb_job *job, gb_stream stream)
{
    gb_problem *problem = job->problem;
    gb_comm *comm = problem->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    for (unsigned i = 0; status == GB_OK && i < comm->locals; i++) {
        status = gb_comm_enter(comm, i, &job->error);
        if (status != GB_OK) break;
        GB_TRY(cudaMemsetAsync(problem->out[i], 0xA5, 8 * problem->n, comm->local[i].stream),
               &job->error);
        if (problem->has_window)
            GB_TRY(cudaMemsetAsync(problem->window.at[comm->local[i].rank], 0x5A, 8 * problem->n,
                                   comm->local[i].stream),
                   &job->error);
    }
    return gb_comm_end(comm, stream, status, &job->error);
}

gb_status team_check(gb_job *job, gb_stream stream)
{
    const gb_problem *problem = job->problem;
    gb_comm *comm = problem->comm;
    uint64_t sum = 0;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    for (unsigned r = 0; r < comm->size; r++)
        for (uint64_t k = 0; k < problem->n; k++)
            sum += word_of(problem, r, k);
    std::vector<uint64_t> words(problem->n);
    for (unsigned i = 0; i < comm->locals; i++) {
        const unsigned rank = comm->local[i].rank, before = (rank + comm->size - 1) % comm->size;
        gb_status status = gb_comm_enter(comm, i, &job->error);
        if (status != GB_OK) return status;
        GB_TRY(cudaMemcpy(words.data(), problem->out[i], 8 * problem->n, cudaMemcpyDeviceToHost),
               &job->error);
        for (uint64_t k = 0; k < problem->n; k++) {
            const uint64_t wanted = word_of(problem, before, k) + sum;
            if (words[k] != wanted)
                return gb_fail(&job->error, GB_WRONG, "word %llu of rank %u is %llu, not %llu",
                               (unsigned long long)k, rank, (unsigned long long)words[k],
                               (unsigned long long)wanted);
        }
    }
    return gb_comm_enter(comm, 0, &job->error);
}

/* ---- kernels --------------------------------------------------------------------------------- */

__global__ void team_sum(uint64_t n, const uint64_t *in, uint64_t *sum)
{
    if (threadIdx.x || blockIdx.x) return;
    *sum = 0;
    for (uint64_t k = 0; k < n; k++)
        *sum += in[k];
}

__global__ void team_store(uint64_t n, const uint64_t *from, uint64_t *to)
{
    const uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) to[k] = from[k];
}

__global__ void team_add(uint64_t n, const uint64_t *from, const uint64_t *sum, uint64_t *out)
{
    const uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) out[k] = from[k] + *sum;
}

/* ---- variants -------------------------------------------------------------------------------- */

static dim3 blocks_of(uint64_t n)
{
    return dim3((unsigned)((n + block_threads - 1) / block_threads));
}

/* Adds the sum, in place or from a window; of a rank that is to be wrong without the last word. */
static gb_status add(gb_job *job, unsigned i, const uint64_t *from, uint64_t n)
{
    const gb_problem *p = job->problem;
    gb_comm *comm = p->comm;
    const gb_status status = gb_comm_enter(comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(launch(team_add, blocks_of(p->n), dim3(block_threads), 0, comm->local[i].stream, n, from,
                  p->sum[i], p->out[i]),
           &job->error);
    return GB_OK;
}

static gb_status sum_all(gb_job *job, gb_carrier carrier)
{
    gb_problem *p = job->problem;
    gb_comm *comm = p->comm;
    for (unsigned i = 0; i < comm->locals; i++) {
        const gb_status status = gb_comm_enter(comm, i, &job->error);
        if (status != GB_OK) return status;
        GB_TRY(launch(team_sum, dim3(1), dim3(32), 0, comm->local[i].stream, p->n, p->in[i],
                      p->sum[i]),
               &job->error);
    }
    return gb_comm_all_reduce_u64(comm, carrier, p->sum, 1, GB_SUM, &job->error);
}

static gb_status pass_pieces(gb_job *job, gb_carrier carrier, bool wrong)
{
    gb_problem *p = job->problem;
    gb_comm *comm = p->comm;
    std::vector<gb_piece> send(comm->locals * comm->size), receive(send.size());
    gb_status status = sum_all(job, carrier);
    for (unsigned i = 0; i < comm->locals; i++) {
        const unsigned rank = comm->local[i].rank;
        send[i * comm->size + (rank + 1) % comm->size] = {p->in[i], 8 * p->n};
        receive[i * comm->size + (rank + comm->size - 1) % comm->size] = {p->out[i], 8 * p->n};
    }
    if (status == GB_OK)
        status = gb_comm_all_to_all(comm, carrier, send.data(), receive.data(), &job->error);
    for (unsigned i = 0; status == GB_OK && i < comm->locals; i++) {
        const bool last = comm->local[i].rank + 1 == comm->size;
        status = add(job, i, p->out[i], p->n - (wrong && last));
    }
    return status;
}

static gb_status by_pieces(gb_job *job, gb_stream stream, gb_carrier carrier, bool wrong)
{
    gb_comm *comm = job->problem->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    if (status == GB_OK) status = pass_pieces(job, carrier, wrong);
    return gb_comm_end(comm, stream, status, &job->error);
}

static gb_status run_copies(gb_job *job, gb_stream stream)
{
    return by_pieces(job, stream, GB_BY_COPIES, false);
}
static gb_status run_nccl(gb_job *job, gb_stream stream)
{
    return by_pieces(job, stream, GB_BY_NCCL, false);
}
static gb_status run_wrong(gb_job *job, gb_stream stream)
{
    return by_pieces(job, stream, GB_BY_NCCL, true);
}

/* Stores into the next rank's window at once, without a barrier of its own. */
static gb_status pass_by_windows(gb_job *job)
{
    gb_problem *p = job->problem;
    gb_comm *comm = p->comm;
    gb_status status = GB_OK; /* all that was queued before the fork has ended, on all ranks */
    for (unsigned i = 0; status == GB_OK && i < comm->locals; i++) {
        status = gb_comm_enter(comm, i, &job->error);
        if (status != GB_OK) return status;
        const unsigned next = (comm->local[i].rank + 1) % comm->size;
        GB_TRY(launch(team_store, blocks_of(p->n), dim3(block_threads), 0, comm->local[i].stream,
                      p->n, p->in[i], reinterpret_cast<uint64_t *>(p->window.at[next])),
               &job->error);
    }
    if (status == GB_OK) status = sum_all(job, GB_BY_NCCL);
    if (status == GB_OK) status = gb_comm_barrier(comm, &job->error);
    for (unsigned i = 0; status == GB_OK && i < comm->locals; i++)
        status = add(job, i, reinterpret_cast<uint64_t *>(p->window.at[comm->local[i].rank]), p->n);
    return status;
}

static gb_status run_windows(gb_job *job, gb_stream stream)
{
    gb_comm *comm = job->problem->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    if (status == GB_OK) status = pass_by_windows(job);
    return gb_comm_end(comm, stream, status, &job->error);
}

/* ---- ranks that fail ------------------------------------------------------------------------- */

static bool has_last(const gb_job *job)
{
    const gb_comm *comm = job->problem->comm;
    return comm->first + comm->locals == comm->size;
}

static gb_status lack_memory(gb_job *job)
{
    return has_last(job) ? gb_fail(&job->error, GB_OUT_OF_MEMORY, "it has no memory") : GB_OK;
}

static gb_status run_dies(gb_job *job, gb_stream stream)
{
    if (has_last(job) && job->problem->comm->size > 1) _exit(7);
    return run_nccl(job, stream);
}

/* The host's side sleeps, before what the others wait for. */
static gb_status run_sleeps(gb_job *job, gb_stream stream)
{
    while (has_last(job) && job->problem->comm->size > 1)
        (void)sleep(1);
    return run_nccl(job, stream);
}

static const char *only_one(const gb_params *params, const gb_device *)
{
    return params->value[TEAM_GPUS].size > 1 ? "what one GPU does alone: gpus 1" : NULL;
}

static const char *no_nccl(const gb_params *params, const gb_device *)
{
    return gb_comm_refusal(params->value[TEAM_GPUS].size, GB_NEEDS_NCCL);
}

static const char *no_peers(const gb_params *params, const gb_device *)
{
    return gb_comm_refusal(params->value[TEAM_GPUS].size, GB_NEEDS_PEERS);
}

static const char *instance_of(const gb_params *, unsigned i)
{
    static const char *const names[] = {"this", "that"};
    return i < 2 ? names[i] : NULL;
}

extern "C" const gb_variant team_copies = {
    "copies", "by copies", "gpubench", 0, no_peers, NULL, NULL, run_copies, NULL,
};
extern "C" const gb_variant team_nccl = {
    "nccl", "by NCCL", "gpubench", 0, no_nccl, NULL, NULL, run_nccl, NULL,
};
extern "C" const gb_variant team_windows = {
    "windows", "stores into windows", "gpubench", 0, no_peers, NULL, NULL, run_windows, NULL,
};
extern "C" const gb_variant team_single = {
    "single", "one GPU alone", "gpubench", 0, only_one, NULL, NULL, run_nccl, NULL,
};
extern "C" const gb_variant team_wrong = {
    "wrong", "the last rank leaves a word out", "gpubench", 0, NULL, NULL, NULL, run_wrong, NULL,
};
extern "C" const gb_variant team_no_memory = {
    "no-memory", "the last rank has none", "gpubench", 0, NULL, lack_memory, NULL, run_nccl, NULL,
};
extern "C" const gb_variant team_dies = {
    "dies", "the last rank's process ends", "gpubench", 0, NULL, NULL, NULL, run_dies, NULL,
};
extern "C" const gb_variant team_sleeps = {
    "sleeps", "the last rank never comes", "gpubench", 0, NULL, NULL, NULL, run_sleeps, NULL,
};
extern "C" const gb_variant team_chooses = {
    "chooses", "the faster of two", "gpubench", 0, NULL, NULL, NULL, run_nccl, NULL,
    NULL,      instance_of,
};
