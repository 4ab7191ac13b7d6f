/* Variants that take too much: of the device's heap from within kernels, of its memory from the
 * host. */
#include "tests/worker/primitives/faults/faults.cuh"

#include <stdlib.h>

/* ---- the heap of kernels --------------------------------------------------------------------- */

enum { HEAP_THREADS = 256, HEAP_PIECE = 1024 };

/* Words of device memory: threads that got no piece, pieces that were got. */
struct heap_words {
    unsigned failed;
    unsigned got;
};

/* Every thread takes `pieces` pieces, 0: as many as there are, and writes into each. With `keep`
 * none is given back; with `trust` a failure is not looked for, as in codes that store what malloc
 * returns. */
__global__ void heap_kernel(heap_words *words, unsigned pieces, bool keep, bool trust)
{
    for (unsigned i = 0; pieces == 0 || i < pieces; i++) {
        volatile unsigned *piece = static_cast<unsigned *>(gb_heap_malloc(HEAP_PIECE));
        if (!piece && !trust) {
            atomicAdd(&words->failed, 1u);
            return;
        }
        *piece = i;
        atomicAdd(&words->got, 1u);
        if (!keep) gb_heap_free(const_cast<unsigned *>(piece));
    }
}

static gb_status prepare_heap(gb_job *job)
{
    return gb_cuda_malloc(&job->state, sizeof(heap_words), "scratch", &job->error);
}

static void cleanup_heap(gb_job *job)
{
    (void)cudaFree(job->state);
}

static gb_status use_heap(gb_job *job, gb_stream stream, unsigned pieces, bool keep, bool trust)
{
    cudaStream_t queue = gb_cuda_stream(stream);
    heap_words *words = static_cast<heap_words *>(job->state), found;
    GB_TRY(cudaMemsetAsync(words, 0, sizeof *words, queue), &job->error);
    GB_TRY(launch(heap_kernel, dim3(1), dim3(HEAP_THREADS), 0, queue, words, pieces, keep, trust),
           &job->error);
    GB_TRY(cudaMemcpyAsync(&found, words, sizeof found, cudaMemcpyDeviceToHost, queue),
           &job->error);
    GB_TRY(cudaStreamSynchronize(queue), &job->error);
    size_t limit = 0;
    GB_TRY(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize), &job->error);
    if (found.failed)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "the device's heap is exhausted: %u of %u threads got no piece of %u bytes, "
                       "%u pieces were given out of %zu bytes (cudaLimitMallocHeapSize)",
                       found.failed, (unsigned)HEAP_THREADS, (unsigned)HEAP_PIECE, found.got,
                       limit);
    return faults_compute(job, stream, false);
}

static gb_status run_heap_good(gb_job *job, gb_stream stream)
{
    return use_heap(job, stream, 4, false, false);
}

static gb_status run_heap_counted(gb_job *job, gb_stream stream)
{
    return use_heap(job, stream, 0, true, false);
}

static gb_status run_heap_null(gb_job *job, gb_stream stream)
{
    return use_heap(job, stream, 0, true, true);
}

/* ---- the memory of the device ---------------------------------------------------------------- */

enum { MOST_CHUNKS = 64 };
struct chunks {
    void *memory[MOST_CHUNKS];
    unsigned count;
};

/* Takes part of what is free, in halves, down to pieces of least bytes. */
static gb_status take(gb_job *job, double part, uint64_t least)
{
    chunks *taken = static_cast<chunks *>(calloc(1, sizeof *taken));
    job->state = taken;
    if (!taken) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory");
    size_t left = 0, all = 0;
    GB_TRY(cudaMemGetInfo(&left, &all), &job->error);
    uint64_t wanted = (uint64_t)(part * (double)left), chunk = wanted;
    while (wanted >= least && chunk >= least && taken->count < MOST_CHUNKS) {
        if (cudaMalloc(&taken->memory[taken->count], chunk) == cudaSuccess) {
            taken->count++;
            wanted -= chunk;
            if (chunk > wanted) chunk = wanted;
        } else {
            (void)cudaGetLastError();
            chunk /= 2;
        }
    }
    return GB_OK;
}

static const uint64_t least_chunk = (uint64_t)1 << 20;

static gb_status prepare_taken(gb_job *job)
{
    gb_status status = take(job, 1, least_chunk);
    if (status != GB_OK) return status;
    void *more;
    status = gb_cuda_malloc(&more, 16 * least_chunk, "one buffer more", &job->error);
    if (status == GB_OK) (void)cudaFree(more);
    return status;
}

static gb_status prepare_kept(gb_job *job)
{
    size_t left = 0, all = 0;
    GB_TRY(cudaMemGetInfo(&left, &all), &job->error);
    void *buffer;
    /* More than half: a second time it does not fit. */
    gb_status status = gb_cuda_malloc(&buffer, all / 10 * 6, "60 % of the memory", &job->error);
    job->state = buffer;
    return status;
}

static void give_back(gb_job *job)
{
    chunks *taken = static_cast<chunks *>(job->state);
    for (unsigned i = 0; taken && i < taken->count; i++)
        (void)cudaFree(taken->memory[i]);
    free(taken);
}

static void forget(gb_job *) {}

static gb_status run_good(gb_job *job, gb_stream stream)
{
    return faults_compute(job, stream, false);
}

extern "C" const gb_variant faults_heap_good = {
    "heap-good",  "uses the heap and gives it back",
    "gpubench",   GB_WAITS,
    NULL,         prepare_heap,
    NULL,         run_heap_good,
    cleanup_heap,
};
extern "C" const gb_variant faults_heap_counted = {
    "heap-counted", "exhausts the heap and says so",
    "gpubench",     GB_WAITS,
    NULL,           prepare_heap,
    NULL,           run_heap_counted,
    cleanup_heap,
};
extern "C" const gb_variant faults_heap_null = {
    "heap-null",  "exhausts the heap and goes on",
    "gpubench",   GB_WAITS,
    NULL,         prepare_heap,
    NULL,         run_heap_null,
    cleanup_heap,
};
extern "C" const gb_variant faults_memory_taken = {
    "memory-taken", "takes all memory and wants more",
    "gpubench",     0,
    NULL,           prepare_taken,
    NULL,           run_good,
    give_back,
};
extern "C" const gb_variant faults_memory_leaked = {
    "memory-leaked",
    "the same, and gives nothing back",
    "gpubench",
    0,
    NULL,
    prepare_taken,
    NULL,
    run_good,
    forget,
};
extern "C" const gb_variant faults_memory_kept = {
    "memory-kept", "right, but keeps 60 % of the memory",
    "gpubench",    0,
    NULL,          prepare_kept,
    NULL,          run_good,
    forget,
};
