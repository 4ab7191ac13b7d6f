/* The current device as functions for other programs look at it: what kernels are chosen by. */
#ifndef GB_CUDA_CURRENT_DEVICE_CUH
#define GB_CUDA_CURRENT_DEVICE_CUH

#include "common/cuda/device.cuh"

/* *device: index, arch, sms, shared_optin and shared_per_sm of the current device, the rest 0.
 * Costs some queries of the runtime and no synchronization. */
static inline gb_status gb_current_device(gb_device *device, gb_error *error)
{
    int index, major = 0, minor = 0, optin = 0, per_sm = 0;
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
                  {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &per_sm}};
    for (const auto &one : wanted)
        if (status == GB_OK)
            status =
                gb_cuda_status(cudaDeviceGetAttribute(one.value, one.which, index), what, error);
    if (status != GB_OK) return status;
    device->index = index;
    device->arch = 100 * major + 10 * minor;
    device->shared_optin = (uint64_t)optin;
    device->shared_per_sm = (uint64_t)per_sm;
    return GB_OK;
}

#endif
