/* A region for profilers: what they are to look at lies between cudaProfilerStart and
 * cudaProfilerStop (`ncu --profile-from-start off`), after one launch of a kernel of its own that
 * parts it from the region before. */
#include "common/cuda/backend.cuh"

#if defined(__CUDACC__)
#include <cuda_profiler_api.h>

/* Its name is what scripts/profile.sh looks for. */
__global__ void gb_profile_begins() {}

gb_status gb_backend_profile(gb_backend *backend, gb_region region, void *context, gb_error *error)
{
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    GB_TRY(cudaProfilerStart(), error);
    GB_TRY(launch(gb_profile_begins, dim3(1), dim3(1), 0, backend->stream), error);
    gb_status status = region(context, gb_stream_of(backend));
    cudaError_t waited = cudaStreamSynchronize(backend->stream);
    cudaError_t stopped = cudaProfilerStop();
    if (status != GB_OK) return status;
    GB_TRY(waited, error);
    GB_TRY(stopped, error);
    return GB_OK;
}

#else

/* There is no profiler of GPUs here: a plain run, so that the request can be tried. */
gb_status gb_backend_profile(gb_backend *backend, gb_region region, void *context, gb_error *error)
{
    gb_status status = region(context, gb_stream_of(backend));
    if (status != GB_OK) return status;
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    return GB_OK;
}

#endif
