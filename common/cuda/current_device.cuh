/* The current device as functions for other programs look at it: what kernels are chosen by. */
#ifndef GB_CUDA_CURRENT_DEVICE_CUH
#define GB_CUDA_CURRENT_DEVICE_CUH

#include "common/cuda/device.cuh"

#include <stdio.h>
#include <string.h>

/* What a copy is likely to read and write in a second on a device, from the clock and the width of
 * its memory; 0 where the runtime does not tell them. Measured copies reach 0.87 to 0.90 of that.
 * To ask for the clock takes a part of a millisecond, so it is asked for once: neither changes. */
static inline double gb_ask_copy_rate(int index)
{
    int khz = 0, bits = 0;
    if (cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, index) != cudaSuccess ||
        cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, index) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    const double of_peak = 0.89, transfers = 2; /* a clock */
    return khz > 0 && bits > 0 ? of_peak * transfers * 1e3 * khz * bits / 8 : 0;
}
static inline double gb_likely_copy_rate(int index)
{
    enum { REMEMBERED = 64 };
    static uint64_t rates[REMEMBERED]; /* 0: not asked for yet, or not told */
    if (index < 0 || index >= REMEMBERED) return gb_ask_copy_rate(index);
    uint64_t rate = __atomic_load_n(&rates[index], __ATOMIC_RELAXED);
    if (rate == 0) {
        rate = (uint64_t)gb_ask_copy_rate(index);
        __atomic_store_n(&rates[index], rate, __ATOMIC_RELAXED);
    }
    return (double)rate;
}

#if defined(__CUDACC__)
/* "GPU-6ba7b810-9dad-11d1-80b4-00c04fd430c8" */
static inline void gb_format_uuid(const cudaUUID_t *uuid, char *text, size_t capacity)
{
    unsigned char byte[16];
    memcpy(byte, uuid->bytes, sizeof byte);
    snprintf(text, capacity,
             "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", byte[0],
             byte[1], byte[2], byte[3], byte[4], byte[5], byte[6], byte[7], byte[8], byte[9],
             byte[10], byte[11], byte[12], byte[13], byte[14], byte[15]);
}
#endif

/* The name and the UUID ("simt" there) of a device. */
static inline gb_status gb_device_identity(int index, char *name, size_t name_size, char *uuid,
                                           size_t uuid_size, gb_error *error)
{
    cudaDeviceProp properties;
    GB_TRY(cudaGetDeviceProperties(&properties, index), error);
    snprintf(name, name_size, "%.*s", (int)name_size - 1, properties.name);
#if defined(__CUDACC__)
    gb_format_uuid(&properties.uuid, uuid, uuid_size);
#else
    snprintf(uuid, uuid_size, "simt");
#endif
    return GB_OK;
}

/* *device: index, arch, sms, shared_optin, shared_per_sm, l2_bytes and what a copy is likely to
 * move of the current device, the rest 0. Costs some queries of the runtime and no synchronization.
 */
static inline gb_status gb_current_device(gb_device *device, gb_error *error)
{
    int index, major = 0, minor = 0, optin = 0, per_sm = 0, l2 = 0;
    const char *what = "the current device";
    *device = gb_device{};
    gb_status status = gb_cuda_status(cudaGetDevice(&index), what, error);
    const struct {
        cudaDeviceAttr which;
        int *value;
    } wanted[] = {{cudaDevAttrComputeCapabilityMajor, &major},
                  {cudaDevAttrComputeCapabilityMinor, &minor},
                  {cudaDevAttrMultiProcessorCount, &device->sms},
                  {cudaDevAttrMaxSharedMemoryPerBlockOptin, &optin},
                  {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &per_sm},
                  {cudaDevAttrL2CacheSize, &l2}};
    for (const auto &one : wanted)
        if (status == GB_OK)
            status =
                gb_cuda_status(cudaDeviceGetAttribute(one.value, one.which, index), what, error);
    if (status != GB_OK) return status;
    device->index = index;
    device->arch = 100 * major + 10 * minor;
    device->shared_optin = (uint64_t)optin;
    device->shared_per_sm = (uint64_t)per_sm;
    device->l2_bytes = (uint64_t)l2;
    device->copy_bytes_per_s = gb_likely_copy_rate(index);
    return GB_OK;
}

#endif
