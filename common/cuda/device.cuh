/* The one header every .cu file begins with: the CUDA runtime, or its stand-in on the CPU.
 *
 * GB_ARCH is the generation being compiled (350 ... 1200; 0 in nvcc's host pass), so that a kernel
 * can take a generation's code path; -DGB_ARCH=350 makes the simt build take that one. launch() is
 * the only way a kernel is started. */
#ifndef GB_CUDA_DEVICE_CUH
#define GB_CUDA_DEVICE_CUH

#include "common/gpubench.h"

#if defined(__CUDACC__)

#include <cuda_runtime.h>

#if defined(__CUDA_ARCH__)
#define GB_ARCH __CUDA_ARCH__
#else
#define GB_ARCH 0
#endif

/* kernel<<<grid, block, shared_bytes, stream>>>(arguments...), with the launch's own error. */
template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
                   cudaStream_t stream, A... arguments)
{
    kernel<<<grid, block, shared_bytes, stream>>>(static_cast<P>(arguments)...);
    return cudaPeekAtLastError();
}

/* The same for a kernel whose blocks wait for each other: all are on the device together, or it is
 * not started. From Pascal on. */
template <class... P, class... A>
cudaError_t launch_together(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
                            cudaStream_t stream, A... arguments)
{
    const auto go = [&](P... parameters) {
        void *pointers[] = {(void *)&parameters...};
        return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, pointers,
                                           shared_bytes, stream);
    };
    return go(static_cast<P>(arguments)...);
}

#if CUDART_VERSION >= 12000
/* The same for a kernel that calls gb_wait_for_previous before it touches device memory: from
 * Hopper on its blocks are made ready while the kernel before it ends. */
template <class... P, class... A>
cudaError_t launch_next(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
                        cudaStream_t stream, A... arguments)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
}
#else
#define launch_next launch
#endif

#else
#include "common/simt/simt.h"
#define launch_next launch
#define launch_together launch /* as many blocks as device.sms are */
#endif

/* Of a kernel that is launched as usual: the next one may begin to make room. */
__device__ inline void gb_begin_next()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Until the kernels before this one have ended and their writes are seen. Others of the same grid
 * may begin to make room for the next kernel. */
__device__ inline void gb_wait_for_previous()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory");
#endif
}

/* malloc and free of a kernel, from the device's heap (cudaLimitMallocHeapSize); NULL when that is
 * exhausted, as it is for the rest of the context's life where kernels keep what they got. */
__device__ inline void *gb_heap_malloc(size_t bytes)
{
#if defined(__CUDACC__)
    return malloc(bytes);
#else
    return simt::heap_malloc(bytes);
#endif
}

__device__ inline void gb_heap_free(void *at)
{
#if defined(__CUDACC__)
    free(at);
#else
    simt::heap_free(at);
#endif
}

/* A device function that is called, not copied: for what is rare and long. */
#if defined(__CUDACC__)
#define GB_CALLED __noinline__
#else
#define GB_CALLED __attribute__((noinline))
#endif

/* Asks for the line of 128 bytes that holds `at`: it comes to the L2 meanwhile. */
template <class T> __device__ __forceinline__ void gb_prefetch(const T *at)
{
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
    (void)at;
#endif
}

/* All dynamic shared memory has one name and type; kernels cast it. */
#define GB_DYNAMIC_SHARED() extern __shared__ __align__(16) unsigned char gb_shared_memory[]

/* cudaMalloc, with a failure that names what was asked for and what was free. */
static inline gb_status gb_cuda_malloc(void **out, uint64_t bytes, const char *what,
                                       gb_error *error)
{
    *out = NULL;
    cudaError_t code = cudaMalloc(out, bytes);
    if (code == cudaSuccess) return GB_OK;
    (void)cudaGetLastError();
    if (code != cudaErrorMemoryAllocation)
        return gb_fail(error, GB_CRASHED, "%s: %s", what, cudaGetErrorString(code));
    size_t left = 0, all = 0;
    (void)cudaMemGetInfo(&left, &all);
    return gb_fail(error, GB_OUT_OF_MEMORY,
                   "%s: %llu bytes of device memory asked for, %zu of %zu free (%s)", what,
                   (unsigned long long)bytes, left, all, cudaGetErrorString(code));
}

/* cudaMallocHost, with a failure that names what was asked for. */
static inline gb_status gb_cuda_malloc_host(void **out, uint64_t bytes, const char *what,
                                            gb_error *error)
{
    *out = NULL;
    cudaError_t code = cudaMallocHost(out, bytes);
    if (code == cudaSuccess) return GB_OK;
    (void)cudaGetLastError();
    return gb_fail(error, GB_OUT_OF_MEMORY,
                   "%s takes %.3f GB of page-locked host memory: %s; choose a smaller n, or raise "
                   "the limit on locked memory (ulimit -l)",
                   what, 1e-9 * (double)bytes, cudaGetErrorString(code));
}

/* gb_cuda_malloc that counts into job->memory_used and stays within job->memory_limit; *out is NULL
 * after a failure, and job->error says why. The caller frees it with cudaFree. */
static inline gb_status gb_job_malloc(gb_job *job, void **out, uint64_t bytes, const char *what)
{
    *out = NULL;
    gb_status status = gb_job_charge(job, bytes, what);
    if (status != GB_OK) return status;
    status = gb_cuda_malloc(out, bytes, what, &job->error);
    if (status != GB_OK) gb_job_discharge(job, bytes);
    return status;
}

/* A failed call as a status: out of memory is recoverable (the error is cleared), all else means
 * that the device cannot be trusted any more. */
static inline gb_status gb_cuda_status(cudaError_t code, const char *what, gb_error *error)
{
    if (code == cudaSuccess) return GB_OK;
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return gb_fail(error, GB_OUT_OF_MEMORY, "%s: %s", what, cudaGetErrorString(code));
    }
    return gb_fail(error, GB_CRASHED, "%s: %s", what, cudaGetErrorString(code));
}

/* Runs a runtime call; on failure returns its gb_status from the calling function. */
#define GB_TRY(call, error)                                                                 \
    do {                                                                                    \
        cudaError_t gb_try_code = (call);                                                   \
        if (gb_try_code != cudaSuccess) return gb_cuda_status(gb_try_code, #call, (error)); \
    } while (0)

/* Lets a kernel have so many bytes of dynamic shared memory. They have to be asked for if, together
 * with the static part, which is taken to be 16 KiB at most, they may pass 48 KiB. */
template <class Kernel>
static inline gb_status gb_allow_shared(Kernel kernel, size_t bytes, gb_error *error)
{
    if (bytes <= 32 * 1024) return GB_OK;
    GB_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
           error);
    return GB_OK;
}

static inline cudaStream_t gb_cuda_stream(gb_stream stream)
{
    return reinterpret_cast<cudaStream_t>(stream);
}

#endif
