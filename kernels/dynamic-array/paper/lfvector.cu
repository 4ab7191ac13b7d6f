/* Variants lfvector-*: the paper's two ways to grow, and what is wrong with the second. Its text
 * has the second one's new_bucket, says that threads wait in a loop, and breaks off before that
 * loop: all loops here are readings or reconstructions of it. */
#include "common/cuda/grid.cuh"
#include "kernels/dynamic-array/paper/lfvector.cuh"

#include <stdlib.h>
#include <string.h>

typedef struct array {
    da_state state;
    lf_vector vector;
    uint64_t places; /* that v.holes has bits for */
} array;

static __global__ void free_buckets(lf_vector v)
{
    const unsigned b = threadIdx.x;
    gb_heap_free(v.a[b]);
    v.a[b] = nullptr;
    v.isbucket[b] = 0;
    if (b) return;
    *v.size = 0;
    *v.counts = {};
}

static gb_status view(gb_job *job, da_view *view)
{
    const array *a = static_cast<const array *>(job->state);
    uint32_t *bucket[DA_BUCKETS];
    unsigned size;
    lf_counts counts;
    GB_TRY(cudaMemcpy(bucket, a->vector.a, sizeof bucket, cudaMemcpyDeviceToHost), &job->error);
    GB_TRY(cudaMemcpy(&size, a->vector.size, sizeof size, cudaMemcpyDeviceToHost), &job->error);
    GB_TRY(cudaMemcpy(&counts, a->vector.counts, sizeof counts, cudaMemcpyDeviceToHost),
           &job->error);
    gb_status status = da_view_reserve(view, DA_BUCKETS, &job->error);
    if (status != GB_OK) return status;
    view->size = size;
    view->lost = counts.lost;
    view->holes = a->vector.holes;
    view->allocations = counts.taken - counts.freed;
    for (unsigned b = 0; b < DA_BUCKETS; b++) {
        const uint64_t room = (uint64_t)DA_FIRST_BUCKET << b;
        da_view_add(view, bucket[b], room - DA_FIRST_BUCKET, room);
    }
    return GB_OK;
}

/* The heap's size is the context's for good once a kernel has called malloc: another one needs a
 * fresh worker, which GB_FRESH_WORKER is for. */
static gb_status set_heap(gb_job *job, uint64_t bytes)
{
    size_t now = 0;
    GB_TRY(cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize), &job->error);
    if (now == bytes) return GB_OK;
    GB_TRY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes), &job->error);
    return GB_OK;
}

static gb_status allocate(gb_job *job, array *a)
{
    lf_vector *v = &a->vector;
    a->places = job->problem->shape.n;
    GB_TRY(cudaMalloc(&v->size, sizeof *v->size), &job->error);
    GB_TRY(cudaMalloc(&v->a, DA_BUCKETS * sizeof *v->a), &job->error);
    GB_TRY(cudaMalloc(&v->isbucket, DA_BUCKETS * sizeof *v->isbucket), &job->error);
    GB_TRY(cudaMalloc(&v->counts, sizeof *v->counts), &job->error);
    GB_TRY(cudaMalloc(&v->holes, a->places / 32 * 4 + 4), &job->error);
    GB_TRY(cudaMemset(v->a, 0, DA_BUCKETS * sizeof *v->a), &job->error);
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    array *a = (array *)calloc(1, sizeof *a);
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an array");
    a->state.view = view;
    job->state = a;
    gb_status status = set_heap(job, job->problem->shape.heap);
    return status == GB_OK ? allocate(job, a) : status;
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    const array *a = static_cast<const array *>(job->state);
    cudaStream_t queue = gb_cuda_stream(stream);
    GB_TRY(launch(free_buckets, dim3(1), dim3(DA_BUCKETS), 0, queue, a->vector), &job->error);
    GB_TRY(cudaMemsetAsync(a->vector.holes, 0, a->places / 32 * 4 + 4, queue), &job->error);
    return GB_OK;
}

template <class Method> static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const array *a = static_cast<const array *>(job->state);
    const unsigned blocks = p->shape.blocks ? p->shape.blocks : 2 * (unsigned)job->device->sms;
    GB_TRY(launch(lf_push<Method>, dim3(blocks), dim3(1024), 0, gb_cuda_stream(stream), p->in,
                  p->shape.n, (uint32_t)p->shape.kept, a->vector),
           &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    array *a = static_cast<array *>(job->state);
    if (!a) return;
    lf_vector *v = &a->vector;
    if (v->a && v->isbucket && v->size && v->counts) {
        (void)launch(free_buckets, dim3(1), dim3(DA_BUCKETS), 0, 0, *v);
        (void)cudaDeviceSynchronize();
    }
    (void)cudaFree(v->size);
    (void)cudaFree(v->a);
    (void)cudaFree(v->isbucket);
    (void)cudaFree(v->counts);
    (void)cudaFree(v->holes);
    free(a);
    job->state = NULL;
}

static const char *one_block(const gb_params *params, const gb_device *)
{
    if (da_shape_of(params).blocks != 1)
        return "it is published for one block and hangs with more (lfvector-busy-wait-grid shows "
               "it): use grid blocks:1";
    return da_starts_empty(params);
}

static const char *many_blocks(const gb_params *params, const gb_device *)
{
    if (da_shape_of(params).blocks == 1)
        return "with one block it is lfvector-busy-wait: use another grid";
    return da_starts_empty(params);
}

static const char *any_grid(const gb_params *params, const gb_device *)
{
    return da_starts_empty(params);
}

#define VARIANT(name, text, summary, origin, flags, unsupported, method, differs) \
    const gb_variant name = {                                                     \
        text,        summary, origin, GB_FRESH_WORKER | (flags),                  \
        unsupported, prepare, reset,  run<method>,                                \
        cleanup,     differs, NULL,                                               \
    }

extern "C" {
VARIANT(da_lfvector_cas, "lfvector-cas",
        "every thread mallocs a bucket, compare-and-swap installs one", "Meneses, section 2.1",
        GB_KNOWN_TO_FAIL, any_grid, lf_cas,
        "mallocs are counted, and a place without memory is marked as lost, where the text writes "
        "through a null pointer");
VARIANT(da_lfvector_busy_wait, "lfvector-busy-wait",
        "one thread mallocs, the others wait; one block", "Meneses, section 2.2", 0, one_block,
        lf_busy_wait<lf_weak>,
        "the waiting loop is our reading, for the text breaks off before it: a weak load that the "
        "compiler cannot leave out; mallocs are counted");
VARIANT(
    da_lfvector_busy_wait_hoisted, "lfvector-busy-wait-hoisted",
    "the same, its waiting loop reconstructed as while (a[b] == nullptr): nvcc 13 leaves it out",
    "Meneses, section 2.2", GB_KNOWN_TO_FAIL, any_grid, lf_busy_wait<lf_plain>,
    "the waiting loop is reconstructed, for the text breaks off before it: the plainest one "
    "there is; mallocs are counted");
VARIANT(da_lfvector_busy_wait_grid, "lfvector-busy-wait-grid",
        "lfvector-busy-wait with many blocks", "Meneses, section 2.2", GB_KNOWN_TO_FAIL,
        many_blocks, lf_busy_wait<lf_weak>, "as lfvector-busy-wait does");
VARIANT(da_lfvector_busy_wait_acquire, "lfvector-busy-wait-acquire",
        "the cure: a thread that waits looks past the L1", "gpubench", 0, any_grid,
        lf_busy_wait<lf_strong>, NULL);
}
