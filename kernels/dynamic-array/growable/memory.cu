/* Memory for a growable array's pool: by the driver's virtual memory management (CUDA 10.2:
 * addresses are reserved, memory is made and mapped), or one allocation where there is none. */
#include "memory.h"

#include <stdlib.h>

#if defined(__CUDACC__) && CUDART_VERSION >= 11030
#include <cuda.h>
#define GB_HAS_MAPPING 1
#else
#define GB_HAS_MAPPING 0
#endif

/* A piece that was mapped at once. */
typedef struct piece {
    size_t begin, bytes;
    unsigned long long handle;
} piece;

struct gb_mapping {
    char *base;
    size_t most, mapped, unit; /* unit: what can be mapped, in bytes; 0: all was allocated */
    bool lent;                 /* allocated by somebody else, who frees it */
    int device;
    piece *pieces;
    size_t count, room;
};

#if GB_HAS_MAPPING

/* The driver's functions, found at run time so that nothing links against libcuda. */
typedef struct functions {
    CUresult (*reserve)(CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long);
    CUresult (*release_addresses)(CUdeviceptr, size_t);
    CUresult (*create)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
                       unsigned long long);
    CUresult (*release)(CUmemGenericAllocationHandle);
    CUresult (*map)(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long);
    CUresult (*unmap)(CUdeviceptr, size_t);
    CUresult (*set_access)(CUdeviceptr, size_t, const CUmemAccessDesc *, size_t);
    CUresult (*granularity)(size_t *, const CUmemAllocationProp *,
                            CUmemAllocationGranularity_flags);
    CUresult (*attribute)(int *, CUdevice_attribute, CUdevice);
} functions;

static bool find(const char *name, void *function)
{
    void **found = static_cast<void **>(function);
#if CUDART_VERSION >= 12050
    cudaDriverEntryPointQueryResult result;
    const cudaError_t code =
        cudaGetDriverEntryPointByVersion(name, found, 11030, cudaEnableDefault, &result);
#elif CUDART_VERSION >= 12000
    cudaDriverEntryPointQueryResult result;
    const cudaError_t code = cudaGetDriverEntryPoint(name, found, cudaEnableDefault, &result);
#else
    const cudaError_t code = cudaGetDriverEntryPoint(name, found, cudaEnableDefault);
#endif
    if (code == cudaSuccess && *found) return true;
    (void)cudaGetLastError();
    return false;
}

/* NULL: the driver has not all of them. */
static const functions *driver()
{
    static functions f;
    static const bool all = find("cuMemAddressReserve", &f.reserve) &&
                            find("cuMemAddressFree", &f.release_addresses) &&
                            find("cuMemCreate", &f.create) && find("cuMemRelease", &f.release) &&
                            find("cuMemMap", &f.map) && find("cuMemUnmap", &f.unmap) &&
                            find("cuMemSetAccess", &f.set_access) &&
                            find("cuMemGetAllocationGranularity", &f.granularity) &&
                            find("cuDeviceGetAttribute", &f.attribute);
    return all ? &f : NULL;
}

static CUmemAllocationProp properties(const gb_mapping *m)
{
    CUmemAllocationProp p = {};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = m->device;
    return p;
}

static cudaError_t code_of(CUresult result)
{
    if (result == CUDA_SUCCESS) return cudaSuccess;
    return result == CUDA_ERROR_OUT_OF_MEMORY ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

/* Reserves addresses; false: this device cannot, and has to allocate. */
static bool reserve(gb_mapping *m)
{
    const functions *f = driver();
    int can = 0;
    size_t unit = 0;
    CUdeviceptr base = 0;
    if (!f || cudaFree(NULL) != cudaSuccess) return false;
    if (f->attribute(&can, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, m->device) ||
        !can)
        return false;
    const CUmemAllocationProp p = properties(m);
    if (f->granularity(&unit, &p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) || unit == 0) return false;
    m->most = (m->most + unit - 1) / unit * unit;
    if (f->reserve(&base, m->most, 0, 0, 0)) return false;
    m->unit = unit;
    m->base = reinterpret_cast<char *>(base);
    return true;
}

static cudaError_t map_piece(gb_mapping *m, size_t bytes)
{
    const functions *f = driver();
    const CUmemAllocationProp p = properties(m);
    const CUdeviceptr at = reinterpret_cast<CUdeviceptr>(m->base) + m->mapped;
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle handle;
    access.location = p.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CUresult result = f->create(&handle, bytes, &p, 0);
    if (result) return code_of(result);
    result = f->map(at, bytes, 0, handle, 0);
    if (!result) {
        result = f->set_access(at, bytes, &access, 1);
        if (result) (void)f->unmap(at, bytes);
    }
    if (result) {
        (void)f->release(handle);
        return code_of(result);
    }
    m->pieces[m->count++] = {m->mapped, bytes, handle};
    m->mapped += bytes;
    return cudaSuccess;
}

static void unmap_all(gb_mapping *m)
{
    const functions *f = driver();
    for (size_t i = 0; i < m->count; i++) {
        (void)f->unmap(reinterpret_cast<CUdeviceptr>(m->base) + m->pieces[i].begin,
                       m->pieces[i].bytes);
        (void)f->release(m->pieces[i].handle);
    }
    m->count = m->mapped = 0;
}

static void release(gb_mapping *m)
{
    (void)driver()->release_addresses(reinterpret_cast<CUdeviceptr>(m->base), m->most);
}

#else
static bool reserve(gb_mapping *)
{
    return false;
}
static cudaError_t map_piece(gb_mapping *, size_t)
{
    return cudaErrorNotSupported;
}
static void unmap_all(gb_mapping *) {}
static void release(gb_mapping *) {}
#endif

cudaError_t gb_mapping_create(gb_mapping **out, size_t most)
{
    *out = NULL;
    gb_mapping *m = (gb_mapping *)calloc(1, sizeof *m);
    if (!m) return cudaErrorMemoryAllocation;
    m->most = most;
    cudaError_t code = cudaGetDevice(&m->device);
    if (code == cudaSuccess && !reserve(m))
        code = cudaMalloc(reinterpret_cast<void **>(&m->base), m->most ? m->most : 1);
    if (code == cudaSuccess)
        *out = m;
    else
        free(m);
    return code;
}

cudaError_t gb_mapping_lend(gb_mapping **out, void *memory, size_t bytes)
{
    gb_mapping *m = *out = (gb_mapping *)calloc(1, sizeof *m);
    if (!m) return cudaErrorMemoryAllocation;
    m->base = static_cast<char *>(memory);
    m->most = bytes;
    m->lent = true;
    return cudaSuccess;
}

cudaError_t gb_mapping_extend(gb_mapping *m, size_t bytes)
{
    if (bytes > m->most) return cudaErrorMemoryAllocation;
    if (bytes <= m->mapped) return cudaSuccess;
    if (!m->unit) {
        m->mapped = bytes;
        return cudaSuccess;
    }
    if (m->count == m->room) {
        const size_t room = m->room ? 2 * m->room : 16;
        piece *pieces = (piece *)realloc(m->pieces, room * sizeof *pieces);
        if (!pieces) return cudaErrorMemoryAllocation;
        m->pieces = pieces;
        m->room = room;
    }
    return map_piece(m, (bytes - m->mapped + m->unit - 1) / m->unit * m->unit);
}

cudaError_t gb_mapping_drop(gb_mapping *m)
{
    if (m->unit) unmap_all(m);
    m->mapped = 0;
    return cudaSuccess;
}

void *gb_mapping_base(const gb_mapping *m)
{
    return m->base;
}
size_t gb_mapping_mapped(const gb_mapping *m)
{
    return m->mapped;
}

void gb_mapping_destroy(gb_mapping *m)
{
    if (!m) return;
    if (m->unit) {
        unmap_all(m);
        release(m);
    } else if (!m->lent) {
        (void)cudaFree(m->base);
    }
    free(m->pieces);
    free(m);
}
