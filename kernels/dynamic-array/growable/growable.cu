/* Variants growable, growable-push and growable-readable: the array of growable.h, pushed onto in
 * bulk, by single elements from divergent code, and in bulk so that others may read meanwhile. */
#include "kernels/dynamic-array/growable/state.cuh"

/* The paper's interface: threads go through the input and push what they like. */
static __global__ void __launch_bounds__(1024)
    push_each(const uint32_t *__restrict__ in, uint64_t n, da_below keep, gb_growable_view v)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const uint32_t e = in[i];
        if (keep(e)) gb_push_back(v, e);
    }
}

/* Where the grid says how many blocks, they have 1024 threads. */
template <int HOW> static cudaError_t push_by_few(const gb_job *job, cudaStream_t stream)
{
    enum { THREADS = 1024, VECTORS = 2 };
    const gb_problem *p = job->problem;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    const uint64_t tiles = gb_tile<uint32_t, THREADS, VECTORS>::tiles_of(p->shape.n);
    return launch(gb_push_kept_by_few<uint32_t, THREADS, VECTORS, HOW, da_below>,
                  dim3(p->shape.blocks), dim3(THREADS), 0, stream, gb_growable_view_of(a->array),
                  p->in, p->shape.n, tiles, da_test_of(p));
}

template <int HOW> static gb_status run_bulk(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    cudaStream_t queue = gb_cuda_stream(stream);
    const cudaError_t code = p->shape.blocks
                                 ? push_by_few<HOW>(job, queue)
                                 : gb_push_kept<uint32_t, HOW>(gb_growable_view_of(a->array), p->in,
                                                               p->shape.n, da_test_of(p), queue);
    return gb_cuda_status(code, "a bulk push", &job->error);
}

static gb_status run_single(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    dim3 block, grid = da_grid_of(job, &block);
    GB_TRY(launch(push_each, grid, block, 0, gb_cuda_stream(stream), p->in, p->shape.n,
                  da_test_of(p), gb_growable_view_of(a->array)),
           &job->error);
    return GB_OK;
}

#define VARIANT(name, text, summary, run)                \
    const gb_variant name = {text,                       \
                             summary,                    \
                             "gpubench",                 \
                             0,                          \
                             NULL,                       \
                             da_growable_prepare_mapped, \
                             da_growable_reset,          \
                             run,                        \
                             da_growable_cleanup}

extern "C" {
VARIANT(da_growable, "growable", "grows by granules of a pool; one reservation a tile",
        run_bulk<GB_PUSH_ANY>);
VARIANT(da_growable_push, "growable-push", "the same array, single elements from divergent threads",
        run_single);
VARIANT(da_growable_readable, "growable-readable",
        "growable, and what is stored can be read while others push", run_bulk<GB_PUSH_READABLE>);
}
