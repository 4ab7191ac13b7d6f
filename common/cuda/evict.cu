/* Empties the L2 between samples, so that "cold" means that a run finds none of its data there.
 *
 * A buffer of twice the L2 is written, which drives out whatever was cached, and then read from its
 * start, which drives the written lines back to memory: without the second pass the timed run would
 * pay for writing back the evictor's dirty lines. All devices of the set are emptied. */
#include "common/cuda/backend.cuh"
#include "common/cuda/limit.cuh"
#include "common/cuda/set.h"
#include "common/worker/host_cache.h"

#include <new>

#if defined(__CUDACC__)

/* Where the size of the cache is not known: as much as any device has had so far. */
static const uint64_t unknown_l2_bytes = 128ull << 20;

/* The evictor of another device than the backend's. */
struct gb_other_evict {
    int device;
    uint4 *buffer;
    unsigned *sink;
    cudaStream_t stream;
    gb_other_evict *next;
};

static gb_status allocate(uint64_t units, uint4 **buffer, gb_error *error)
{
    void *at = NULL;
    GB_TRY(cudaMalloc(&at, units * sizeof(uint4)), error);
    *buffer = static_cast<uint4 *>(at);
    return GB_OK;
}

static bool is_known(const gb_backend *backend, int device)
{
    bool known = device == backend->device.index;
    for (const gb_other_evict *other = backend->evict_others; other; other = other->next)
        known |= other->device == device;
    return known;
}

/* Whatever was made is in the list, so that closing frees it. */
static gb_status add_other(gb_backend *backend, int device, gb_error *error)
{
    gb_other_evict *other = new (std::nothrow) gb_other_evict();
    void *sink = NULL;
    if (!other) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for emptying a cache");
    other->device = device;
    other->next = backend->evict_others;
    backend->evict_others = other;
    GB_TRY(gb_enter_device(device), error);
    GB_TRY(cudaStreamCreateWithFlags(&other->stream, cudaStreamNonBlocking), error);
    GB_TRY(cudaMalloc(&sink, sizeof(unsigned)), error);
    other->sink = static_cast<unsigned *>(sink);
    return allocate(backend->evict_units, &other->buffer, error);
}

/* The others of the set, as it is now. */
static gb_status prepare_others(gb_backend *backend, gb_error *error)
{
    const gb_set *set = gb_set_now();
    gb_status status = GB_OK;
    for (unsigned i = 0; i < set->size && status == GB_OK; i++)
        if (!is_known(backend, set->device[i])) status = add_other(backend, set->device[i], error);
    GB_TRY(gb_enter_device(backend->device.index), error);
    return status;
}

static gb_status prepare_own(gb_backend *backend, gb_error *error)
{
    uint64_t l2 = backend->device.l2_bytes ? backend->device.l2_bytes : unknown_l2_bytes;
    uint64_t tile_bytes = GB_SWEEP_TILE * sizeof(uint4);
    uint64_t tiles = (2 * l2 + tile_bytes - 1) / tile_bytes;
    const gb_status status = allocate(tiles * GB_SWEEP_TILE, &backend->evict_buffer, error);
    if (status == GB_OK) backend->evict_units = tiles * GB_SWEEP_TILE;
    return status;
}

gb_status gb_backend_prepare_evict(gb_backend *backend, gb_error *error)
{
    if (backend->evict_buffer) return GB_OK;
    gb_status status = prepare_own(backend, error);
    if (status == GB_OK) status = prepare_others(backend, error);
    /* Loads the kernels' code, which must not happen behind a gate. */
    if (status == GB_OK) status = gb_backend_evict(backend, error);
    return status == GB_OK ? gb_wait(backend, error) : status;
}

/* A part of the L2 that a variant has set aside for lines that stay (an access policy window) is
 * one that no sweep empties: they become lines like others first. That call takes effect at once,
 * not in the stream's order. */
static gb_status reset_persisting(const gb_backend *backend, cudaStream_t stream, gb_error *error)
{
#if CUDART_VERSION >= 11000
    if (backend->device.arch < 800) return GB_OK; /* has no such part */
    GB_TRY(cudaStreamSynchronize(stream), error);
    GB_TRY(cudaCtxResetPersistingL2Cache(), error);
#endif
    return GB_OK;
}

/* Of the current device. */
static gb_status sweep(const gb_backend *backend, uint4 *buffer, unsigned *sink,
                       cudaStream_t stream, gb_error *error)
{
    gb_status status = reset_persisting(backend, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(gb_launch_write(buffer, backend->evict_units, 0, stream), error);
    GB_TRY(gb_launch_read(buffer, backend->evict_units, sink, stream), error);
    return GB_OK;
}

gb_status gb_backend_evict(gb_backend *backend, gb_error *error)
{
    gb_status status = GB_OK;
    /* Others have nothing left of the run before: a variant's stream waits for all its ranks. */
    if (backend->evict_others) GB_TRY(cudaStreamSynchronize(backend->stream), error);
    for (const gb_other_evict *other = backend->evict_others; other && status == GB_OK;
         other = other->next) {
        GB_TRY(gb_enter_device(other->device), error);
        status = sweep(backend, other->buffer, other->sink, other->stream, error);
    }
    for (const gb_other_evict *other = backend->evict_others; other && status == GB_OK;
         other = other->next)
        GB_TRY(cudaStreamSynchronize(other->stream), error);
    if (backend->evict_others) GB_TRY(gb_enter_device(backend->device.index), error);
    if (status != GB_OK) return status;
    return sweep(backend, backend->evict_buffer, backend->sink, backend->stream, error);
}

void gb_evict_close(gb_backend *backend)
{
    while (backend->evict_others) {
        gb_other_evict *other = backend->evict_others;
        backend->evict_others = other->next;
        (void)gb_enter_device(other->device);
        (void)cudaFree(other->buffer);
        (void)cudaFree(other->sink);
        if (other->stream) (void)cudaStreamDestroy(other->stream);
        delete other;
        (void)gb_enter_device(backend->device.index);
    }
    (void)cudaFree(backend->evict_buffer);
    backend->evict_buffer = NULL;
}

#else

/* The device's memory is the process's own, and its cache the CPU's. */

gb_status gb_backend_prepare_evict(gb_backend *, gb_error *error)
{
    return gb_host_cache_prepare(error);
}

gb_status gb_backend_evict(gb_backend *backend, gb_error *error)
{
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    gb_host_cache_evict();
    return GB_OK;
}

void gb_evict_close(gb_backend *)
{
    gb_host_cache_free();
}

#endif
