/* What unit tests on a device begin with: cmocka, and the simt device as it describes itself. */
#ifndef GB_TESTS_HARNESS_DEVICE_CUH
#define GB_TESTS_HARNESS_DEVICE_CUH

#include "common/cuda/device.cuh"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include <cmocka.h>
}

static gb_device device;

/* For a group of tests to begin with. */
static inline int get_device(void **)
{
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return -1;
    device.sms = properties.multiProcessorCount;
    device.memory_bytes = properties.totalGlobalMem;
    device.shared_per_block = properties.sharedMemPerBlock;
    device.arch = 100 * properties.major + 10 * properties.minor;
    snprintf(device.backend, sizeof device.backend, "simt");
    return 0;
}

#endif
