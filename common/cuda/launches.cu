/* Which kernels a run launches and what their machine code needs, so that a row can say with how
 * many registers a library's kernel was compiled and whether so many blocks were the limit.
 *
 * All launches of the executable, libraries' included, go through the few functions of the CUDA
 * runtime that are wrapped here (the linker's --wrap), which costs a launch a test of one word. */
#include "common/cuda/backend.cuh"
#include "common/cuda/limit.cuh"

#include <string.h>

#if defined(__CUDACC__)
#include <cxxabi.h>
#include <pthread.h>
#include <stdlib.h>

/* A kernel, as the runtime knows it, and the size of its blocks. */
typedef struct launched {
    const void *function;
    unsigned threads;
    size_t dynamic_bytes;
    uint64_t launches, blocks;
} launched;

enum { MOST_KERNELS = 64 };

static struct {
    pthread_mutex_t lock; /* variants may launch from several threads */
    bool on;
    launched kernels[MOST_KERNELS];
    size_t count;
} recorder = {PTHREAD_MUTEX_INITIALIZER, false, {}, 0};

static void note(const void *function, dim3 grid, dim3 block, size_t dynamic_bytes)
{
    if (!recorder.on) return;
    const unsigned threads = block.x * block.y * block.z;
    pthread_mutex_lock(&recorder.lock);
    size_t i = 0;
    while (i < recorder.count &&
           (recorder.kernels[i].function != function || recorder.kernels[i].threads != threads ||
            recorder.kernels[i].dynamic_bytes != dynamic_bytes))
        i++;
    if (i < MOST_KERNELS) {
        launched *kernel = &recorder.kernels[i];
        if (i == recorder.count) {
            *kernel = {function, threads, dynamic_bytes, 0, 0};
            recorder.count++;
        }
        kernel->launches++;
        kernel->blocks += (uint64_t)grid.x * grid.y * grid.z;
    }
    pthread_mutex_unlock(&recorder.lock);
}

void gb_backend_record_launches(gb_backend *, bool on)
{
    if (on) recorder.count = 0;
    recorder.on = on;
}

/* The kernel's name as C++ has it. */
static void name_of(const void *function, char *name, size_t capacity)
{
    const char *mangled = NULL;
    *name = '\0';
#if CUDART_VERSION >= 12030
    if (cudaFuncGetName(&mangled, function) != cudaSuccess) mangled = NULL;
#else
    (void)function; /* the runtime does not tell */
#endif
    if (!mangled) return;
    int status = 0;
    char *plain = abi::__cxa_demangle(mangled, NULL, NULL, &status);
    strncpy(name, plain ? plain : mangled, capacity - 1);
    name[capacity - 1] = '\0';
    free(plain);
}

static void describe(const launched *from, gb_kernel *kernel)
{
    *kernel = gb_kernel();
    name_of(from->function, kernel->name, sizeof kernel->name);
    kernel->launches = from->launches;
    kernel->blocks = from->blocks;
    kernel->threads = from->threads;
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, from->function) == cudaSuccess) {
        kernel->registers = attributes.numRegs;
        kernel->local_bytes = attributes.localSizeBytes;
        kernel->shared_bytes = attributes.sharedSizeBytes + from->dynamic_bytes;
    }
    int blocks = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, from->function, (int)from->threads,
                                                      from->dynamic_bytes) == cudaSuccess)
        kernel->blocks_per_sm = blocks;
    (void)cudaGetLastError(); /* what is not known is 0 */
}

size_t gb_backend_launched(gb_backend *, gb_kernel *kernels, size_t most)
{
    for (size_t i = 0; i < recorder.count && i < most; i++)
        describe(&recorder.kernels[i], &kernels[i]);
    return recorder.count;
}

/* Dynamic shared memory for a launch: where it is more than the worker is held to, more than any
 * device has, so that the runtime itself refuses it and remembers that it did. */
static size_t held_to(size_t shared_bytes)
{
    return shared_bytes <= gb_shared_optin(SIZE_MAX) ? shared_bytes : (size_t)1 << 30;
}

extern "C" {
#if CUDART_VERSION >= 13000
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared_bytes, cudaStream_t stream)
{
    note((const void *)kernel, grid, block, shared_bytes);
    return __real___cudaLaunchKernel(kernel, grid, block, arguments, held_to(shared_bytes), stream);
}
#endif

cudaError_t __real_cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes, cudaStream_t stream)
{
    note(function, grid, block, shared_bytes);
    return __real_cudaLaunchKernel(function, grid, block, arguments, held_to(shared_bytes), stream);
}

cudaError_t __real_cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t,
                                               cudaStream_t);
cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                               void **arguments, size_t shared_bytes,
                                               cudaStream_t stream)
{
    note(function, grid, block, shared_bytes);
    return __real_cudaLaunchCooperativeKernel(function, grid, block, arguments,
                                              held_to(shared_bytes), stream);
}

#if CUDART_VERSION >= 11080
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                       void **arguments)
{
    cudaLaunchConfig_t held = *config;
    note(function, config->gridDim, config->blockDim, config->dynamicSmemBytes);
    held.dynamicSmemBytes = held_to(config->dynamicSmemBytes);
    return __real_cudaLaunchKernelExC(&held, function, arguments);
}
#endif
}

#else

void gb_backend_record_launches(gb_backend *, bool) {}

size_t gb_backend_launched(gb_backend *, gb_kernel *, size_t)
{
    return 0;
}

#endif
