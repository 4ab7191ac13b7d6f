/* Empties the L2 between samples, so that "cold" means that a run finds none of its data there.
 *
 * A buffer of twice the L2 is written, which drives out whatever was cached, and then read from its
 * start, which drives the written lines back to memory: without the second pass the timed run would
 * pay for writing back the evictor's dirty lines. */
#include "common/cuda/backend.cuh"
#include "common/worker/host_cache.h"

#if defined(__CUDACC__)

/* Where the size of the cache is not known: as much as any device has had so far. */
static const uint64_t unknown_l2_bytes = 128ull << 20;

gb_status gb_backend_prepare_evict(gb_backend *backend, gb_error *error)
{
    if (backend->evict_buffer) return GB_OK;
    uint64_t l2 = backend->device.l2_bytes ? backend->device.l2_bytes : unknown_l2_bytes;
    uint64_t tile_bytes = GB_SWEEP_TILE * sizeof(uint4);
    uint64_t tiles = (2 * l2 + tile_bytes - 1) / tile_bytes;
    void *buffer = NULL;
    GB_TRY(cudaMalloc(&buffer, tiles * tile_bytes), error);
    backend->evict_buffer = static_cast<uint4 *>(buffer);
    backend->evict_units = tiles * GB_SWEEP_TILE;
    /* Loads the kernels' code, which must not happen behind a gate. */
    gb_status status = gb_backend_evict(backend, error);
    return status == GB_OK ? gb_wait(backend, error) : status;
}

/* A part of the L2 that a variant has set aside for lines that stay (an access policy window) is
 * one that no sweep empties: they become lines like others first. That call takes effect at once,
 * not in the stream's order. */
static gb_status reset_persisting(gb_backend *backend, gb_error *error)
{
#if CUDART_VERSION >= 11000
    if (backend->device.arch < 800) return GB_OK; /* has no such part */
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    GB_TRY(cudaCtxResetPersistingL2Cache(), error);
#endif
    return GB_OK;
}

gb_status gb_backend_evict(gb_backend *backend, gb_error *error)
{
    gb_status status = reset_persisting(backend, error);
    if (status != GB_OK) return status;
    GB_TRY(gb_launch_write(backend->evict_buffer, backend->evict_units, 0, backend->stream), error);
    GB_TRY(
        gb_launch_read(backend->evict_buffer, backend->evict_units, backend->sink, backend->stream),
        error);
    return GB_OK;
}

void gb_evict_close(gb_backend *backend)
{
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
