/* For AddressSanitizer and ThreadSanitizer: runs the bug that is named, or kernels without
 * one. The sanitizer ends the program or does not. */
#include "tests/simt/failures.cuh"

#include "common/cuda/scan.cuh"
#include "tests/simt/buffer.h"

#include <string>

/* Barriers, __syncwarp, shuffles and atomics as they should be. */
__global__ void reverse_twice(unsigned *out, unsigned *sum)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const unsigned mine = s[255 - threadIdx.x];
    __syncthreads();
    s[threadIdx.x] = mine;
    __syncwarp();
    out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1] + __shfl_sync(0xffffffffu, mine, 3);
    atomicAdd(sum, mine);
}

static cudaError_t run_sound()
{
    buffer<unsigned> out(1024), sum(1);
    cudaError_t code = launch(reverse_twice, 4, 256, 0, NULL, out.at, sum.at);
    if (code == cudaSuccess && sum.read()[0] != 4 * 255 * 128) code = cudaErrorUnknown;
    return code;
}

static cudaError_t run_named(const std::string &name)
{
    buffer<unsigned> out(256), counter(1);
    if (name == "sound") return run_sound();
    if (name == "race") return launch(missing_barrier, 1, 256, 0, NULL, out.at);
    if (name == "overrun") return launch(shared_overrun, 1, 64, 256, NULL, out.at);
    if (name == "global") return launch(shared_overrun, 1, 300, 1204, NULL, out.at);
    if (name == "failing") { /* abandoned stacks must not confuse what comes after */
        if (launch(half_shuffle, 1, 64, 0, NULL, out.at) != cudaErrorLaunchFailure)
            return cudaErrorUnknown;
        return run_sound();
    }
    fprintf(stderr, "usage: sanitized sound|race|overrun|global|failing\n");
    return cudaErrorInvalidValue;
}

int main(int argc, char **argv)
{
    const cudaError_t code = run_named(argc > 1 ? argv[1] : "");
    if (code != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(code));
    return code != cudaSuccess;
}
