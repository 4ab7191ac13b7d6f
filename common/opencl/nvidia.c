/* What NVIDIA's OpenCL does not tell, asked of the driver: its "global memory cache" is the sum of
 * the L1 caches, not the L2. libcuda is opened at run time; the prototypes and numbers below are
 * those of NVIDIA's published CUDA Driver API reference, nothing of its header is needed. */
#include "common/opencl/backend.h"

#include <dlfcn.h>
#include <string.h>

enum {
    L2_CACHE_SIZE = 38,                  /* CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, bytes */
    MAX_THREADS_PER_MULTIPROCESSOR = 39, /* CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_... */
    MAX_SHARED_PER_MULTIPROCESSOR = 81,  /* ..._MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, bytes */
};

/* POSIX lets dlsym's object pointer be used as a function pointer; ISO C has no cast for it. */
static bool load(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}

bool gb_opencl_ask_cuda(const char *pci_bus_id, gb_device *info)
{
    int (*init)(unsigned flags);
    int (*by_bus_id)(int *device, const char *id);
    int (*attribute)(int *value, int which, int device);
    int device = 0, l2 = 0, threads = 0, shared = 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    /* The library stays: NVIDIA's OpenCL uses it as well. */
    if (!load(library, "cuInit", &init, sizeof init) ||
        !load(library, "cuDeviceGetByPCIBusId", &by_bus_id, sizeof by_bus_id) ||
        !load(library, "cuDeviceGetAttribute", &attribute, sizeof attribute))
        return false;
    if (init(0) != 0 || by_bus_id(&device, pci_bus_id) != 0 ||
        attribute(&l2, L2_CACHE_SIZE, device) != 0 ||
        attribute(&threads, MAX_THREADS_PER_MULTIPROCESSOR, device) != 0 ||
        attribute(&shared, MAX_SHARED_PER_MULTIPROCESSOR, device) != 0)
        return false;
    info->l2_bytes = (uint64_t)l2;
    info->threads_per_sm = threads;
    info->shared_per_sm = (uint64_t)shared;
    return true;
}
