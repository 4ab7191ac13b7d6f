/* Tries a part of a GPU's multiprocessors (common/cuda/limit.cu) by itself: kernels write down on
 * which multiprocessor each of their blocks runs. `make try-limit`, then build/try-limit N [DEVICE]
 * prints a line a question; exit status 1 if any answer is another than the one wanted. */
#include "common/cuda/limit.cuh"
#include "common/worker/limit.h"

#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SMS = 1024, THREADS = 128, SPIN = 20000, CLUSTER = 8 };

static int failed;
static unsigned *seen; /* of each multiprocessor: blocks that ran there */
static int whole;      /* multiprocessors */

__device__ unsigned multiprocessor()
{
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

/* Long enough that no multiprocessor stays idle. */
__device__ void note(unsigned *at)
{
    const long long begun = clock64();
    if (threadIdx.x == 0) atomicAdd(&at[multiprocessor()], 1u);
    while (clock64() - begun < SPIN)
        ;
}

__global__ void plain(unsigned *at)
{
    note(at);
}

__global__ void together(unsigned *at)
{
    note(at);
    cooperative_groups::this_grid().sync();
}

static void answer(bool good, const char *question, const char *said)
{
    printf("%s - %s: %s\n", good ? "ok" : "NOT OK", question, said);
    failed += !good;
}

static void answer_code(cudaError_t code, cudaError_t wanted, const char *question)
{
    answer(code == wanted, question, cudaGetErrorName(code));
    (void)cudaGetLastError();
}

/* Multiprocessors that ran something since the last call. */
static int used()
{
    static unsigned counts[MOST_SMS];
    int count = 0;
    if (cudaDeviceSynchronize() != cudaSuccess ||
        cudaMemcpy(counts, seen, sizeof counts, cudaMemcpyDeviceToHost) != cudaSuccess ||
        cudaMemset(seen, 0, sizeof counts) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        return -1;
    for (unsigned blocks : counts)
        count += blocks > 0;
    return count;
}

static void expect(int wanted, cudaError_t code, const char *question)
{
    char said[128];
    const int count = code == cudaSuccess ? used() : -1;
    snprintf(said, sizeof said, "%d multiprocessors, wanted %d (%s)", count, wanted,
             cudaGetErrorName(code));
    answer(count == wanted, question, said);
    (void)cudaGetLastError();
}

static cudaError_t launch_plain(cudaStream_t stream)
{
    plain<<<64 * whole, THREADS, 0, stream>>>(seen);
    return cudaGetLastError();
}

static cudaError_t launch_graph(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaError_t code = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (code != cudaSuccess) return code;
    (void)launch_plain(stream);
    code = cudaStreamEndCapture(stream, &graph);
    if (code == cudaSuccess) code = cudaGraphInstantiateWithFlags(&executable, graph, 0);
    if (code == cudaSuccess) code = cudaGraphLaunch(executable, stream);
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

static cudaError_t launch_all_together(int blocks, cudaStream_t stream)
{
    void *arguments[] = {&seen};
    cudaError_t code =
        cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(together),
                                    dim3((unsigned)blocks), dim3(THREADS), arguments, 0, stream);
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

static void try_cooperative(int sms, cudaStream_t stream)
{
    int resident = 0;
    cudaError_t code =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, together, THREADS, 0);
    answer_code(code, cudaSuccess, "occupancy");
    expect(sms, launch_all_together(sms * resident, stream), "as many blocks together as fit");
    answer_code(launch_all_together(sms * resident + 1, stream), cudaErrorCooperativeLaunchTooLarge,
                "one block more is refused");
}

#if CUDART_VERSION >= 12000
static cudaError_t launch_clusters(cudaStream_t stream)
{
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = CLUSTER;
    size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)(64 * whole / CLUSTER * CLUSTER));
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = &size;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, plain, seen);
}
#endif

/* A few multiprocessors may lie in no whole cluster: at most so many are used, and some. */
static void try_clusters(int sms, int major, cudaStream_t stream)
{
#if CUDART_VERSION >= 12000
    if (major < 9) return;
    char said[64];
    const cudaError_t code = launch_clusters(stream);
    const int count = code == cudaSuccess ? used() : -1;
    snprintf(said, sizeof said, "%d multiprocessors of %d (%s)", count, sms,
             cudaGetErrorName(code));
    answer(count > 0 && count <= sms, "clusters of 8 blocks", said);
#else
    (void)sms, (void)major, (void)stream;
#endif
}

/* What the worker and the kernels ask of a context besides launches. */
static void try_context(cudaStream_t stream)
{
    cudaEvent_t begin, end;
    float ms = 0;
    void *host = NULL, *mapped = NULL;
    answer_code(cudaEventCreate(&begin), cudaSuccess, "an event");
    (void)cudaEventCreate(&end);
    (void)cudaEventRecord(begin, stream);
    (void)launch_plain(stream);
    (void)cudaEventRecord(end, stream);
    (void)cudaEventSynchronize(end);
    answer_code(cudaEventElapsedTime(&ms, begin, end), cudaSuccess, "the time between two");
    answer(ms > 0, "... is one", "");
    answer_code(cudaHostAlloc(&host, 64, cudaHostAllocMapped), cudaSuccess, "mapped memory");
    answer_code(cudaHostGetDevicePointer(&mapped, host, 0), cudaSuccess,
                "... as the device has it");
    answer_code(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20), cudaSuccess,
                "the size of the kernels' heap");
    answer_code(cudaCtxResetPersistingL2Cache(), cudaSuccess, "resetting what persists in the L2");
    (void)used();
}

int main(int argc, char **argv)
{
    const unsigned wanted = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 64;
    const int device = argc > 2 ? atoi(argv[2]) : 0;
    cudaDeviceProp properties;
    cudaStream_t before, blocking, free_running;
    gb_error error = {GB_OK, ""};
    unsigned granted = 0;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess ||
        gb_enter_device(device) != cudaSuccess)
        return puts("no such device"), 1;
    whole = properties.multiProcessorCount;
    (void)cudaMalloc(&seen, MOST_SMS * sizeof *seen);
    (void)cudaMemset(seen, 0, MOST_SMS * sizeof *seen);
    (void)cudaStreamCreate(&before);
    printf("%s, %d multiprocessors\n", properties.name, whole);
    expect(whole, launch_plain(before), "the whole device");
    answer(gb_backend_limit(device, (unsigned)whole + 1, &granted, &error) == GB_UNSUPPORTED,
           "more than there are", error.text);
    answer(gb_backend_limit(device, wanted + 1, &granted, &error) == GB_UNSUPPORTED,
           "a number between", error.text);
    strcpy(error.text, "granted");
    answer(gb_backend_limit(device, wanted, &granted, &error) == GB_OK && granted == wanted,
           "the part", error.text);
    if (failed) return 1;
    answer_code(gb_enter_device(device), cudaSuccess, "entering it");
    answer_code(cudaStreamCreate(&blocking), cudaSuccess, "a stream");
    answer_code(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking), cudaSuccess,
                "one that does not wait for stream 0");
    const int sms = (int)granted;
    expect(sms, launch_plain(blocking), "a kernel in a stream");
    expect(sms, launch_plain(free_running), "... in one that does not wait");
    expect(sms, launch_plain(0), "... in stream 0");
    expect(sms, launch_graph(blocking), "... in a graph");
    try_cooperative(sms, blocking);
    try_clusters(sms, properties.major, blocking);
    try_context(blocking);
    expect(sms, launch_plain(blocking), "a kernel after all that");
    (void)cudaStreamDestroy(blocking);
    (void)cudaStreamDestroy(free_running);
    answer(gb_backend_limit(device, 0, &granted, &error) == GB_OK, "no limit", "");
    answer_code(gb_enter_device(device), cudaSuccess, "entering the whole device");
    expect(whole, launch_plain(before), "the whole device again");
    printf("%d answers are not those wanted\n", failed);
    return failed > 0;
}
