/* The toy's one variant. */
#include "common/cuda/device.cuh"
#include "kernels/toy/toy.h"

static __global__ void saxpy(uint64_t n, float a, const float *x, const float *y, float *out)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const uint64_t n = gb_array_count(job, TOY_OUT);
    if (n == 0) return GB_OK;
    return gb_cuda_status(launch(saxpy, dim3((unsigned)((n + 127) / 128)), dim3(128), 0,
                                 gb_cuda_stream(stream), n, 2.0f, gb_array_of<float>(job, TOY_X),
                                 gb_array_of<float>(job, TOY_Y), gb_array_of<float>(job, TOY_OUT)),
                          "saxpy", &job->error);
}

extern "C" const gb_variant toy_saxpy = {
    "saxpy", "one thread an element", "gpubench", 0, NULL, gb_arrays_prepare, NULL, run, NULL,
};
