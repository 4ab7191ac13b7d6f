/* Containers that many threads fill and empty without locks, and what goes wrong with them. */
#include "tests/worker/primitives/lockfree/lockfree.h"

#include "common/cuda/device.cuh"

#include <stdlib.h>
#include <string.h>

enum { threads = 64, buckets = 16, first_bucket = 8 };
static const unsigned none = 0xffffffffu;

/* All of a container, in device memory. */
struct state {
    unsigned size, heap, lock, turn;
    unsigned bucket[buckets]; /* push: where each begins in cells, 0: nowhere yet */
    unsigned head;            /* untagged */
    unsigned long long tagged;
};

struct gb_problem {
    unsigned n;
    state *shared;
    unsigned *cells; /* 4 n + 4096: room for buckets that nobody needs, or successors of nodes */
    unsigned *out;   /* n: a permutation of 0 to n - 1 */
    unsigned *host;  /* n */
};

void lockfree_close(gb_problem *problem)
{
    if (!problem) return;
    cudaFree(problem->shared);
    cudaFree(problem->cells);
    cudaFree(problem->out);
    free(problem->host);
    free(problem);
}

static gb_status allocate(gb_problem *problem, gb_error *error)
{
    const size_t n = problem->n;
    GB_TRY(cudaMalloc(&problem->shared, sizeof *problem->shared), error);
    GB_TRY(cudaMalloc(&problem->cells, (4 * n + 4096) * sizeof(unsigned)), error);
    GB_TRY(cudaMalloc(&problem->out, n * sizeof(unsigned)), error);
    problem->host = static_cast<unsigned *>(calloc(n, sizeof(unsigned)));
    return problem->host ? GB_OK : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
}

gb_status lockfree_open(const gb_params *params, uint64_t, const gb_device *, gb_problem **out,
                        gb_error *error)
{
    *out = NULL;
    gb_problem *problem = static_cast<gb_problem *>(calloc(1, sizeof *problem));
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
    problem->n = (unsigned)params->value[0].size;
    const gb_status status = allocate(problem, error);
    if (status == GB_OK)
        *out = problem;
    else
        lockfree_close(problem);
    return status;
}

gb_status lockfree_poison(gb_job *job, gb_stream stream)
{
    const gb_problem *problem = job->problem;
    GB_TRY(
        cudaMemsetAsync(problem->out, 0xff, problem->n * sizeof(unsigned), gb_cuda_stream(stream)),
        &job->error);
    return GB_OK;
}

gb_status lockfree_check(gb_job *job, gb_stream stream)
{
    const gb_problem *problem = job->problem;
    const unsigned n = problem->n;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    GB_TRY(cudaMemcpy(problem->host, problem->out, n * sizeof(unsigned), cudaMemcpyDeviceToHost),
           &job->error);
    for (unsigned i = 0; i < n; i++) {
        unsigned found = 0;
        for (unsigned k = 0; k < n; k++)
            found += problem->host[k] == i;
        if (found != 1)
            return gb_fail(&job->error, GB_WRONG, "element %u came out %u times", i, found);
    }
    return GB_OK;
}

/* Empty containers; for the stacks, n nodes in them. */
static gb_status reset(gb_job *job, gb_stream stream)
{
    const gb_problem *problem = job->problem;
    state fresh = {};
    fresh.heap = 1;
    fresh.head = 0;
    GB_TRY(cudaMemcpyAsync(problem->shared, &fresh, sizeof fresh, cudaMemcpyHostToDevice,
                           gb_cuda_stream(stream)),
           &job->error);
    for (unsigned i = 0; i < problem->n; i++)
        problem->host[i] = i + 1 < problem->n ? i + 1 : none;
    GB_TRY(cudaMemcpyAsync(problem->cells, problem->host, problem->n * sizeof(unsigned),
                           cudaMemcpyHostToDevice, gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

__device__ static unsigned thread_number()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* A vector whose buckets double, each made by whoever needs it first: after LFVector of Dechev,
 * Pirkelbauer and Stroustrup (2006). */
__global__ void push_kernel(unsigned n, state *shared, unsigned *cells, unsigned *out)
{
    const unsigned i = thread_number();
    if (i >= n) return;
    const unsigned at = atomicAdd(&shared->size, 1u) + first_bucket;
    const unsigned bits = 31u - (unsigned)__clz((int)at), bucket = bits - 3;
    unsigned begin = atomicAdd(&shared->bucket[bucket], 0u);
    if (begin == 0) {
        const unsigned mine = atomicAdd(&shared->heap, 1u << bits);
        begin = atomicCAS(&shared->bucket[bucket], 0u, mine);
        if (begin == 0) begin = mine;
    }
    unsigned *cell = &cells[begin % (4 * n + 2048) + at - (1u << bits)];
    atomicExch(cell, i);
    out[at - first_bucket] = atomicAdd(cell, 0u);
}

/* Takes a node and puts it back, a few times, then takes one for good. The head has a tag that
 * every change counts up, so that it never comes back. */
__global__ void stack_kernel(unsigned n, state *shared, unsigned *next, unsigned *out)
{
    const unsigned i = thread_number();
    if (i >= n) return;
    for (int round = 0; round < 2; round++) {
        unsigned long long old, changed;
        unsigned node;
        do {
            old = atomicAdd(&shared->tagged, 0ull);
            node = (unsigned)old;
            changed = ((old >> 32) + 1) << 32 | atomicAdd(&next[node % n], 0u);
        } while (node == none || atomicCAS(&shared->tagged, old, changed) != old);
        if (round == 1) {
            out[i] = node;
            return;
        }
        do {
            old = atomicAdd(&shared->tagged, 0ull);
            atomicExch(&next[node], (unsigned)old);
            changed = ((old >> 32) + 1) << 32 | node;
        } while (atomicCAS(&shared->tagged, old, changed) != old);
    }
}

/* The same without the tag: ABA. It gives up in time, for a broken list may be a ring. */
__global__ void untagged_kernel(unsigned n, state *shared, unsigned *next, unsigned *out)
{
    const unsigned i = thread_number();
    if (i >= n) return;
    for (int round = 0; round < 2; round++) {
        unsigned node, successor;
        for (int tries = 0;; tries++) {
            if (tries == 1000) return;
            node = atomicAdd(&shared->head, 0u);
            if (node == none) continue;
            successor = atomicAdd(&next[node], 0u);
            if (atomicCAS(&shared->head, node, successor) == node) break;
        }
        if (round == 1) {
            out[i] = node;
            return;
        }
        unsigned old;
        do {
            old = atomicAdd(&shared->head, 0u);
            atomicExch(&next[node], old);
        } while (atomicCAS(&shared->head, old, node) != old);
    }
}

/* Lanes of a warp wait for each other: right from Volta on. */
__global__ void spin_lock_kernel(unsigned n, state *shared, unsigned *, unsigned *out)
{
    const unsigned i = thread_number();
    if (i >= n) return;
    while (atomicCAS(&shared->lock, 0u, 1u) != 0u) {
    }
    out[shared->turn++] = i;
    atomicExch(&shared->lock, 0u);
}

/* A plain counter: only where threads are left at plain accesses it loses a turn. */
__global__ void unlocked_kernel(unsigned n, state *shared, unsigned *, unsigned *out)
{
    const unsigned i = thread_number();
    if (i < n) out[shared->turn++] = i;
}

/* Everybody waits for a turn that never comes. */
__global__ void nobody_kernel(unsigned n, state *shared, unsigned *, unsigned *out)
{
    const unsigned i = thread_number();
    if (i >= n) return;
    out[i] = i;
    while (atomicAdd(&shared->turn, 0u) == 0) {
    }
}

typedef void (*kernel)(unsigned, state *, unsigned *, unsigned *);

template <kernel K> static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *problem = job->problem;
    return gb_cuda_status(launch(K, dim3((problem->n + threads - 1) / threads), dim3(threads), 0,
                                 gb_cuda_stream(stream), problem->n, problem->shared,
                                 problem->cells, problem->out),
                          "a container", &job->error);
}

/* Fails in a worker's third run, whatever the schedule. */
static gb_status run_moody(gb_job *job, gb_stream stream)
{
    static unsigned runs;
    return ++runs == 3 ? GB_OK : run<push_kernel>(job, stream);
}

static const char *on_cpu_alone(const gb_params *, const gb_device *device)
{
    if (strcmp(device->backend, "simt") == 0) return NULL;
    return "a mistake that may hang a GPU; the simt device alone runs it";
}

#define VARIANT(name, text, summary, unsupported, kernel) \
    const gb_variant name = {text, summary, "gpubench", 0, unsupported, NULL, reset, kernel, NULL}

extern "C" {
VARIANT(lockfree_push, "push", "a vector of doubling buckets", NULL, run<push_kernel>);
VARIANT(lockfree_stack, "stack", "a stack with a tag", NULL, run<stack_kernel>);
VARIANT(lockfree_untagged, "untagged", "a stack without: ABA", on_cpu_alone, run<untagged_kernel>);
VARIANT(lockfree_spin_lock, "spin-lock", "a lock within a warp", NULL, run<spin_lock_kernel>);
VARIANT(lockfree_unlocked, "unlocked", "a counter without a lock", on_cpu_alone,
        run<unlocked_kernel>);
VARIANT(lockfree_nobody, "nobody", "waits for nobody", on_cpu_alone, run<nobody_kernel>);
VARIANT(lockfree_moody, "moody", "fails once", on_cpu_alone, run_moody);
}
