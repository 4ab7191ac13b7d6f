/* @NAME@: one thread an element. */
#include "@NAME@.h"

#include "common/cuda/device.cuh"

static __global__ void kernel(uint64_t n, const float *x, float *y)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i] + 1;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const uint64_t n = gb_array_count(job, Y);
    if (n == 0) return GB_OK; /* a grid has a block at least */
    const dim3 blocks((unsigned)((n + 255) / 256)), threads(256);
    return gb_cuda_status(launch(kernel, blocks, threads, 0, gb_cuda_stream(stream), n,
                                 gb_array_of<float>(job, X), gb_array_of<float>(job, Y)),
                          "the launch", &job->error);
}

GB_VARIANT(variant_@ID@) = {
    "@NAME@", "one thread an element", "own", 0, NULL, gb_arrays_prepare, gb_arrays_reset, run, NULL,
};
