/* Empties the device's last cache between samples, so that "cold" means that a run finds none of
 * its data there: a buffer of twice its size is written, which drives out whatever was cached, and
 * then read, which drives the written lines back to memory. A CPU device's cache is the host's. */
#include "common/opencl/backend.h"

#include "common/worker/host_cache.h"

/* Where the size of the cache is not known: as much as any device has had so far. */
static const uint64_t unknown_l2_bytes = (uint64_t)128 << 20;

gb_status gb_backend_prepare_evict(gb_backend *backend, gb_error *error)
{
    if (backend->cl.cpu) return gb_host_cache_prepare(error);
    if (backend->evict_buffer) return GB_OK;
    const uint64_t l2 = backend->cl.info.l2_bytes ? backend->cl.info.l2_bytes : unknown_l2_bytes;
    backend->evict_tiles = (2 * l2 + GB_SWEEP_TILE_BYTES - 1) / GB_SWEEP_TILE_BYTES;
    gb_status status = gb_sweeps_open(backend, error);
    if (status == GB_OK)
        status = gb_opencl_buffer(backend->evict_tiles * GB_SWEEP_TILE_BYTES,
                                  "emptying the device's cache", &backend->evict_buffer, error);
    /* The first launch may load the kernels' code, which no sample is to wait for. */
    if (status == GB_OK) status = gb_backend_evict(backend, error);
    if (status != GB_OK) return status;
    GB_CL_TRY(clFinish(backend->cl.queue), error);
    return GB_OK;
}

gb_status gb_backend_evict(gb_backend *backend, gb_error *error)
{
    if (backend->cl.cpu) {
        GB_CL_TRY(clFinish(backend->cl.queue), error);
        gb_host_cache_evict();
        return GB_OK;
    }
    gb_status status = gb_sweep_write(backend, backend->evict_buffer, backend->evict_tiles, error);
    if (status != GB_OK) return status;
    return gb_sweep_read(backend, backend->evict_buffer, backend->evict_tiles, error);
}

void gb_evict_close(gb_backend *backend)
{
    gb_opencl_release(&backend->evict_buffer);
    if (backend->cl.cpu) gb_host_cache_free();
}
