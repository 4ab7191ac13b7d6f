/* The host's side: memory and its limit, checked copies, errors, events, attributes, launches. */
#include "common/cuda/device.cuh"

#include "tests/simt/tap.h"

#include <stdlib.h>
#include <string.h>
#include <vector>

__device__ static unsigned device_variable = 5;
__constant__ static unsigned constant_variable[4];

__global__ void read_variables(unsigned *out)
{
    out[threadIdx.x] = device_variable + constant_variable[threadIdx.x];
}

template <int FACTOR> __global__ void dynamic_shared(unsigned *out)
{
    GB_DYNAMIC_SHARED();
    unsigned *s = reinterpret_cast<unsigned *>(gb_shared_memory);
    s[threadIdx.x] = threadIdx.x * FACTOR;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void last_shared_byte(unsigned char *out, unsigned bytes)
{
    GB_DYNAMIC_SHARED();
    gb_shared_memory[bytes - 1] = 42;
    *out = gb_shared_memory[bytes - 1];
}

__global__ void nothing() {}

/* A thread-local variable of the host, which the garbage in shared memory must not reach. */
static thread_local unsigned host_variable = 99;

static bool failed_as(cudaError_t expected, cudaError_t code, const char *text)
{
    const bool last = cudaGetLastError() == expected && cudaPeekAtLastError() == cudaSuccess;
    return code == expected && last && strstr(cudaGetErrorString(code), text);
}

static void test_memory()
{
    unsigned char *at = NULL;
    ok(cudaMalloc(&at, 1000) == cudaSuccess && at && at[0] == 0xCB && at[999] == 0xCB,
       "new device memory holds garbage");
    ok((uintptr_t)at % 256 == 0, "and is aligned to 256 bytes");
    ok(failed_as(cudaErrorInvalidValue, cudaMemset(at + 1, 0, 1000), "from byte 1"),
       "a fill past the end is refused");
    char host[16] = "0123456789abcde", back[16];
    ok(failed_as(cudaErrorInvalidValue, cudaMemcpy(at + 990, host, 16, cudaMemcpyHostToDevice),
                 "1000 bytes"),
       "so is a copy past the end");
    ok(failed_as(cudaErrorInvalidValue, cudaMemcpy(host, back, 16, cudaMemcpyHostToDevice),
                 "not in device memory"),
       "so is a copy to the device that goes to the host");
    ok(cudaMemcpy(at, host, 16, cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaMemcpyAsync(at + 500, at, 16, cudaMemcpyDeviceToDevice, NULL) == cudaSuccess &&
           cudaMemcpy(back, at + 500, 16, cudaMemcpyDefault) == cudaSuccess && !strcmp(host, back),
       "copies there, across, and back");
    ok(failed_as(cudaErrorInvalidValue, cudaFree(at + 8), "no address of device memory"),
       "an address within an allocation cannot be freed");
    ok(cudaFree(at) == cudaSuccess && cudaFree(NULL) == cudaSuccess, "its own can, and NULL");
    ok(failed_as(cudaErrorInvalidValue, cudaFree(at), "freed before"), "but not twice");

    void *pinned = NULL, *device = NULL;
    ok(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped) == cudaSuccess &&
           cudaHostGetDevicePointer(&device, pinned, 0) == cudaSuccess && device == pinned &&
           cudaFreeHost(pinned) == cudaSuccess,
       "pinned host memory");
    void *none = &none;
    ok(cudaMalloc(&none, 0) == cudaSuccess && none == NULL, "no bytes have no address");
}

static void test_limit()
{
    const uint64_t before = simt::config.memory;
    simt::config.memory = 1 << 20;
    void *first = NULL, *second = NULL;
    size_t left = 0, total = 0;
    ok(cudaMalloc(&first, 700000) == cudaSuccess, "an allocation below SIMT_MEMORY");
    ok(cudaMemGetInfo(&left, &total) == cudaSuccess && total == 1 << 20 && left == total - 700000,
       "cudaMemGetInfo counts it");
    ok(failed_as(cudaErrorMemoryAllocation, cudaMalloc(&second, 700000), "700000 bytes") && !second,
       "one that no longer fits is out of memory");
    ok(cudaFree(first) == cudaSuccess && cudaMalloc(&second, 700000) == cudaSuccess,
       "after a free it fits");
    (void)cudaFree(second);
    simt::config.memory = before;
    const size_t absurd[] = {SIZE_MAX, SIZE_MAX - 255, (size_t)1 << 62, (size_t)1 << 50};
    for (size_t bytes : absurd)
        ok(failed_as(cudaErrorMemoryAllocation, cudaMalloc(&first, bytes), "out of memory"),
           "%zu bytes are out of memory", bytes);
    simt::config.memory = UINT64_MAX;
    ok(failed_as(cudaErrorMemoryAllocation, cudaMalloc(&first, SIZE_MAX - 10), "out of memory"),
       "so they are without a limit");
    simt::config.memory = before;
}

static void test_symbols()
{
    const unsigned values[4] = {10, 20, 30, 40};
    unsigned six = 6, *out = NULL, *device = NULL;
    (void)cudaHostAlloc(&out, sizeof values, cudaHostAllocMapped);
    (void)cudaHostGetDevicePointer((void **)&device, out, 0);
    ok(cudaMemcpyToSymbol(constant_variable, values, sizeof values) == cudaSuccess &&
           cudaMemcpyToSymbol(device_variable, &six, sizeof six) == cudaSuccess &&
           launch(read_variables, 1, 4, 0, NULL, device) == cudaSuccess && out[0] == 16 &&
           out[3] == 46,
       "__device__ and __constant__ variables");
    ok(failed_as(cudaErrorInvalidValue, cudaMemcpyToSymbol(device_variable, values, 8), "4 bytes"),
       "a copy past a variable's end is refused");
    (void)cudaFreeHost(out);
}

static void test_launches()
{
    unsigned *out = NULL;
    (void)cudaMalloc(&out, 4096);
    ok(launch(dynamic_shared<3>, 1, 64, 256, NULL, out) == cudaSuccess && out[0] == 189 &&
           out[63] == 0,
       "dynamic shared memory inside a template");
    ok(host_variable == 99, "the host's thread-local variables keep their values");
    ok(failed_as(cudaErrorInvalidConfiguration, launch(nothing, 1, 1025, 0, NULL), "1024"),
       "1025 threads are refused");
    ok(failed_as(cudaErrorInvalidConfiguration, launch(nothing, 1, dim3(1, 1, 65), 0, NULL), "z"),
       "so is a block of depth 65");
    ok(failed_as(cudaErrorInvalidConfiguration, launch(nothing, 0, 1, 0, NULL), "grid"),
       "so is an empty grid");
    ok(launch(nothing, dim3(3, 65535), 1, 0, NULL) == cudaSuccess, "a grid of 65535 rows");
    ok(failed_as(cudaErrorInvalidConfiguration, launch(nothing, dim3(1, 65536), 1, 0, NULL),
                 "grid"),
       "one of 65536 rows is refused");

    cudaDeviceProp properties;
    ok(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && !strcmp(properties.name, "simt") &&
           properties.major == GB_ARCH / 100 && properties.warpSize == 32,
       "the device's properties");
    const unsigned optin = (unsigned)properties.sharedMemPerBlockOptin;
    unsigned char *byte = (unsigned char *)out;
    ok(launch(last_shared_byte, 1, 1, 49152, NULL, byte, 49152u) == cudaSuccess && *byte == 42,
       "48 KiB of shared memory");
    ok(failed_as(cudaErrorInvalidValue, launch(last_shared_byte, 1, 1, 49153, NULL, byte, 49153u),
                 "cudaFuncSetAttribute"),
       "more is refused unless the kernel opts in");
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    ok(cudaFuncSetAttribute(last_shared_byte, most, (int)optin) == cudaSuccess &&
           launch(last_shared_byte, 1, 1, optin, NULL, byte, optin) == cudaSuccess && *byte == 42,
       "a kernel that opted in gets %u bytes", optin);
    ok(failed_as(cudaErrorInvalidValue,
                 cudaFuncSetAttribute(last_shared_byte, most, (int)optin + 1), "at most"),
       "no kernel gets more");
    int value = 0;
    ok(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) == cudaSuccess &&
           value == (int)optin,
       "the attribute says the same");
    ok(failed_as(cudaErrorInvalidDevice, cudaSetDevice(64), "SIMT_DEVICES"),
       "there are as many devices as asked for");
    (void)cudaFree(out);
}

static void test_queries()
{
    cudaDeviceProp p;
    (void)cudaGetDeviceProperties(&p, 0);
    const struct {
        cudaDeviceAttr attribute;
        long long expected;
    } attributes[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxGridDimX, 0x7fffffff},
        {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (long long)p.sharedMemPerMultiprocessor},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrComputeCapabilityMajor, GB_ARCH / 100},
        {cudaDevAttrComputeCapabilityMinor, GB_ARCH / 10 % 10},
        {cudaDevAttrClockRate, 0},
        {cudaDevAttrMemoryClockRate, 0},
        {cudaDevAttrGlobalMemoryBusWidth, 0},
        {cudaDevAttrCooperativeLaunch, 0},
    };
    bool right = true;
    for (const auto &a : attributes) {
        int value = -1;
        right &=
            cudaDeviceGetAttribute(&value, a.attribute, 0) == cudaSuccess && value == a.expected;
    }
    ok(right, "every attribute of the device");
    int value = -1;
    char bus[16] = "";
    ok(failed_as(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0),
                 "9999"),
       "one that is unknown is refused");
    ok(failed_as(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1),
                 "number 0"),
       "so is one of a device that is not there");
    ok(cudaSetDevice(0) == cudaSuccess && cudaGetDevice(&value) == cudaSuccess && value == 0 &&
           cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess && !strcmp(bus, "simt") &&
           cudaDeviceReset() == cudaSuccess,
       "the first device is number 0");
    ok(cudaRuntimeGetVersion(&value) == cudaSuccess && value >= 13000 &&
           cudaDriverGetVersion(&value) == cudaSuccess && value == 0,
       "there is a runtime, and no driver");

    cudaFuncAttributes about;
    ok(cudaFuncGetAttributes(&about, nothing) == cudaSuccess && about.maxThreadsPerBlock == 1024 &&
           about.binaryVersion == GB_ARCH / 10 && about.maxDynamicSharedSizeBytes == 49152,
       "the attributes of a kernel");
    ok(failed_as(cudaErrorInvalidValue, cudaFuncSetAttribute(nothing, (cudaFuncAttribute)77, 1),
                 "attribute 77") &&
           cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 50) ==
               cudaSuccess,
       "those that can be set");
    int fits = -1, too_many = -1, too_much = -1;
    ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, nothing, 1024, 0) == cudaSuccess &&
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&too_many, nothing, 1025, 0) ==
               cudaSuccess &&
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(
               &too_much, nothing, 32, p.sharedMemPerBlockOptin + 1) == cudaSuccess &&
           fits == 1 && too_many == 0 && too_much == 0,
       "how many blocks fit");
    ok(failed_as(cudaErrorInvalidValue,
                 cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, nothing, 0, 0), "threads"),
       "a block without threads is refused");

    size_t before = 0, heap = 0;
    ok(cudaDeviceGetLimit(&before, cudaLimitMallocHeapSize) == cudaSuccess && before > 0 &&
           cudaDeviceSetLimit(cudaLimitMallocHeapSize, 12345) == cudaSuccess &&
           cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize) == cudaSuccess && heap == 12345 &&
           cudaDeviceSetLimit(cudaLimitMallocHeapSize, before) == cudaSuccess,
       "the limit of the device's heap");
    ok(failed_as(cudaErrorInvalidValue, cudaDeviceSetLimit((cudaLimit)99, 1), "limit 99") &&
           failed_as(cudaErrorInvalidValue, cudaDeviceGetLimit(&heap, (cudaLimit)99), "limit 99"),
       "other limits are refused");
}

static void test_events()
{
    cudaStream_t stream = NULL;
    cudaEvent_t start = NULL, stop = NULL;
    float ms = -1;
    ok(cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&start) == cudaSuccess &&
           cudaEventCreate(&stop) == cudaSuccess,
       "a stream and two events");
    ok(failed_as(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, stop), "record"),
       "an event that was not recorded has no time");
    ok(failed_as(cudaErrorInvalidResourceHandle, cudaEventRecord(NULL, stream), "no event") &&
           failed_as(cudaErrorInvalidResourceHandle, cudaEventDestroy(NULL), "no event") &&
           failed_as(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL), "no stream"),
       "nothing is no event and no stream");
    (void)cudaEventRecord(start, stream);
    (void)launch(nothing, 100, 256, 0, stream);
    (void)cudaEventRecord(stop, stream);
    ok(cudaEventSynchronize(stop) == cudaSuccess &&
           cudaEventElapsedTime(&ms, start, stop) == cudaSuccess && ms > 0 && ms < 1000,
       "the time between two events (%g ms)", (double)ms);
    ok(cudaStreamQuery(stream) == cudaSuccess && cudaEventQuery(stop) == cudaSuccess &&
           cudaStreamWaitEvent(stream, stop, 0) == cudaSuccess,
       "what was queued is done");
    ok(cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(stop) == cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess,
       "all of them end");
    ok(!strcmp(cudaGetErrorName(cudaErrorLaunchTimeout), "cudaErrorLaunchTimeout") &&
           !strcmp(cudaGetErrorString(cudaSuccess), "no error") &&
           !strcmp(cudaGetErrorString(cudaErrorNotReady), "device not ready"),
       "errors have names and texts");
}

static void test_intrinsics()
{
    ok(__popc(0xf0f0u) == 8 && __popcll(1ull << 63 | 1) == 2 && __clz(1) == 31 && __clz(0) == 32 &&
           __clzll(0) == 64 && __ffs(8) == 4 && __ffs(0) == 0 && __ffsll(1ll << 40) == 41,
       "bit counts");
    ok(__brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u && __brevll(2) == 1ull << 62,
       "bit reversal");
    ok(__umulhi(0xffffffffu, 0xffffffffu) == 0xfffffffeu && __mulhi(-1, 1) == -1 &&
           __umul64hi(~0ull, ~0ull) == ~0ull - 1 && __mul64hi(-1, 1) == -1,
       "upper halves of products");
    ok(__funnelshift_l(0x80000001u, 0x12345678u, 4) == 0x23456788u &&
           __funnelshift_r(0x80000001u, 0x12345678u, 4) == 0x88000000u &&
           __funnelshift_l(1, 2, 32) == 2 && __funnelshift_lc(1, 2, 32) == 1 &&
           __funnelshift_rc(1, 2, 40) == 2,
       "funnel shifts");
    ok(__byte_perm(0x33221100u, 0x77665544u, 0x7340u) == 0x77334400u &&
           __byte_perm(0x000000f0u, 0, 0x8u) == 0xffu + 0xf0f0f000u,
       "byte permutation");
    ok(min(-1, 1u) == 1u && max(-1, 1u) == 0xffffffffu && min(-1, 1) == -1 && max(1ll, -5ll) == 1 &&
           min(1.0f, 2.0f) == 1.0f,
       "min and max of mixed signs compare as unsigned");
    ok(__float_as_uint(1.0f) == 0x3f800000u && __uint_as_float(0x40000000u) == 2.0f, "casts");
}

/* What the environment asks for must be possible; the tests of the compilers see what is not. */
static bool device_is_there()
{
    int count = 0;
    void *page = NULL;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess) code = cudaMalloc(&page, 8192);
    if (code != cudaSuccess) printf("Bail out! %s\n", cudaGetErrorString(code));
    (void)cudaFree(page);
    return code == cudaSuccess;
}

int main()
{
    if (!device_is_there()) return 1;
    test_memory();
    test_limit();
    test_symbols();
    test_launches();
    test_queries();
    test_events();
    test_intrinsics();
    return tap_done();
}
