/* Variants whose kernels fail, or cannot be launched. */
#include "tests/worker/primitives/faults/faults.cuh"

#include <assert.h>
#include <stdlib.h>

/* What a kernel needs to know that the compiler must not: all zero. */
struct secrets {
    volatile unsigned *word; /* device memory, zero for ever */
    unsigned *spare;         /* device memory, 64 words */
    unsigned runs;
};

static gb_status prepare(gb_job *job)
{
    secrets *mine = static_cast<secrets *>(calloc(1, sizeof *mine));
    job->state = mine;
    if (!mine) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory");
    void *memory;
    gb_status status = gb_cuda_malloc(&memory, 256, "scratch", &job->error);
    if (status != GB_OK) return status;
    mine->spare = static_cast<unsigned *>(memory);
    mine->word = mine->spare + 63;
    GB_TRY(cudaMemset(memory, 0, 256), &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    secrets *mine = static_cast<secrets *>(job->state);
    if (mine) (void)cudaFree(mine->spare);
    free(mine);
}

/* ---- kernels --------------------------------------------------------------------------------- */

__global__ void endless_kernel(volatile unsigned *word)
{
    while (*word == 0) {
    }
}

__global__ void store_kernel(volatile unsigned *word, uint64_t address)
{
    *reinterpret_cast<volatile unsigned *>(address + *word) = 1;
}

__global__ void trap_kernel(volatile unsigned *word)
{
    if (*word == 0) __trap();
}

__global__ void assert_kernel(volatile unsigned *word)
{
    assert(*word == 1);
}

/* Never inlined and never a loop: every call has 1 KiB of its own that the next one reads. */
__device__ __attribute__((noinline)) unsigned descend(volatile unsigned *word, unsigned depth,
                                                      unsigned *above)
{
    volatile unsigned mine[256];
    mine[depth % 256] = above[depth % 7] + *word;
    if (*word != 0) return mine[depth % 5];
    return descend(word, depth + 1, const_cast<unsigned *>(mine)) + mine[depth % 3];
}

__global__ void recursive_kernel(volatile unsigned *word, unsigned *spare)
{
    spare[0] = descend(word, 0, spare);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static secrets *secrets_of(gb_job *job)
{
    return static_cast<secrets *>(job->state);
}

static gb_status run_endless(gb_job *job, gb_stream stream)
{
    GB_TRY(
        launch(endless_kernel, dim3(1), dim3(32), 0, gb_cuda_stream(stream), secrets_of(job)->word),
        &job->error);
    return faults_compute(job, stream, false);
}

/* Right when it is verified first; it hangs in its samples. */
static gb_status run_endless_late(gb_job *job, gb_stream stream)
{
    return secrets_of(job)->runs++ < 3 ? faults_compute(job, stream, false)
                                       : run_endless(job, stream);
}

static gb_status store_at(gb_job *job, gb_stream stream, uint64_t address)
{
    gb_status status = faults_compute(job, stream, false);
    if (status != GB_OK) return status;
    GB_TRY(launch(store_kernel, dim3(1), dim3(1), 0, gb_cuda_stream(stream), secrets_of(job)->word,
                  address),
           &job->error);
    return GB_OK;
}

/* An address that no allocation has, on a GPU or a CPU. */
static const uint64_t wild = 0x1000;

static gb_status run_illegal_address(gb_job *job, gb_stream stream)
{
    return store_at(job, stream, wild);
}

static gb_status run_misaligned(gb_job *job, gb_stream stream)
{
    return store_at(job, stream, reinterpret_cast<uint64_t>(secrets_of(job)->spare) + 1);
}

static gb_status run_trap(gb_job *job, gb_stream stream)
{
    GB_TRY(launch(trap_kernel, dim3(1), dim3(1), 0, gb_cuda_stream(stream), secrets_of(job)->word),
           &job->error);
    return GB_OK;
}

static gb_status run_assert(gb_job *job, gb_stream stream)
{
    GB_TRY(
        launch(assert_kernel, dim3(1), dim3(1), 0, gb_cuda_stream(stream), secrets_of(job)->word),
        &job->error);
    return GB_OK;
}

static gb_status run_stack_overflow(gb_job *job, gb_stream stream)
{
    const secrets *mine = secrets_of(job);
    GB_TRY(launch(recursive_kernel, dim3(1), dim3(1), 0, gb_cuda_stream(stream), mine->word,
                  mine->spare),
           &job->error);
    return GB_OK;
}

static gb_status run_too_many_threads(gb_job *job, gb_stream stream)
{
    GB_TRY(
        launch(trap_kernel, dim3(1), dim3(4096), 0, gb_cuda_stream(stream), secrets_of(job)->word),
        &job->error);
    return GB_OK;
}

static gb_status run_too_much_shared(gb_job *job, gb_stream stream)
{
    GB_TRY(launch(trap_kernel, dim3(1), dim3(32), (size_t)1 << 20, gb_cuda_stream(stream),
                  secrets_of(job)->word),
           &job->error);
    return GB_OK;
}

/* The fault is on a stream that nobody waits for: some later call reports it. */
static gb_status run_async(gb_job *job, gb_stream stream)
{
    cudaStream_t other;
    GB_TRY(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), &job->error);
    cudaError_t code =
        launch(store_kernel, dim3(1), dim3(1), 0, other, secrets_of(job)->word, wild);
    (void)cudaStreamDestroy(other); /* returns at once; what is queued goes on */
    if (code != cudaSuccess) return gb_cuda_status(code, "the kernel beside", &job->error);
    return faults_compute(job, stream, false);
}

static gb_status run_good(gb_job *job, gb_stream stream)
{
    return faults_compute(job, stream, false);
}

/* Right to the end: its cleanup breaks the context. */
static void break_context(gb_job *job)
{
    const secrets *mine = secrets_of(job);
    if (mine && mine->spare)
        (void)launch(store_kernel, dim3(1), dim3(1), 0, cudaStream_t(NULL), mine->word, wild);
    cleanup(job);
}

static const char *needs_gpu(const gb_params *, const gb_device *device)
{
    return device->backend[0] == 's' ? "the CPU stores at any address" : NULL;
}

extern "C" const gb_variant faults_endless = {
    "endless", "a kernel that never ends", "gpubench", 0, NULL, prepare, NULL, run_endless, cleanup,
};
extern "C" const gb_variant faults_endless_late = {
    "endless-late", "never ends in its samples",
    "gpubench",     0,
    NULL,           prepare,
    NULL,           run_endless_late,
    cleanup,
};
extern "C" const gb_variant faults_illegal_address = {
    "illegal-address",
    "stores at a wild address",
    "gpubench",
    0,
    NULL,
    prepare,
    NULL,
    run_illegal_address,
    cleanup,
};
extern "C" const gb_variant faults_misaligned = {
    "misaligned", "stores a word at an odd address",
    "gpubench",   0,
    needs_gpu,    prepare,
    NULL,         run_misaligned,
    cleanup,
};
extern "C" const gb_variant faults_trap = {
    "trap", "calls __trap", "gpubench", 0, NULL, prepare, NULL, run_trap, cleanup,
};
extern "C" const gb_variant faults_assert = {
    "assert", "fails an assertion", "gpubench", 0, NULL, prepare, NULL, run_assert, cleanup,
};
extern "C" const gb_variant faults_stack_overflow = {
    "stack-overflow",
    "calls itself for ever",
    "gpubench",
    0,
    NULL,
    prepare,
    NULL,
    run_stack_overflow,
    cleanup,
};
extern "C" const gb_variant faults_too_many_threads = {
    "too-many-threads",
    "launches 4096 threads a block",
    "gpubench",
    0,
    NULL,
    prepare,
    NULL,
    run_too_many_threads,
    cleanup,
};
extern "C" const gb_variant faults_too_much_shared = {
    "too-much-shared",
    "launches with 1 MiB of shared memory",
    "gpubench",
    0,
    NULL,
    prepare,
    NULL,
    run_too_much_shared,
    cleanup,
};
extern "C" const gb_variant faults_async = {
    "async",    "fails on a stream that nobody waits for",
    "gpubench", 0,
    NULL,       prepare,
    NULL,       run_async,
    cleanup,
};
extern "C" const gb_variant faults_poison_context = {
    "poison-context", "fails in its cleanup", "gpubench", 0, NULL, prepare, NULL,
    run_good,         break_context,
};
