/* A rank's own sort: hybrid's, or CUB's. */
#include "kernels/radix-sort-multi/local_sort.h"

#include "common/cuda/cub_sort.cuh"
#include "common/cuda/current_device.cuh"

/* ---- ours ------------------------------------------------------------------------------------ */

static uint64_t scratch_of(const rs_shape *shape, const gb_device *device, uint64_t n, bool apart)
{
    rs_shape some = *shape;
    some.n = n;
    return hy_sorts(&some, device) ? hy_scratch_bytes(&some, device, apart)
                                   : os_scratch_bytes(&some, device);
}

uint64_t ms_sort_scratch(const rs_shape *shape, const gb_device *device, uint64_t most, bool apart)
{
    /* Not more for more elements everywhere: the sort's buckets have 4096 keys on average at most,
     * so that their number doubles behind 4096 times a power of two, and beyond 300 Mi another sort
     * begins. With fewer bits hybrid either needs as much, or leaves all to onesweep. */
    uint64_t bytes = 0;
    const auto ask = [&](uint64_t n) {
        const uint64_t now = n <= most ? scratch_of(shape, device, n, apart) : 0;
        if (now > bytes) bytes = now;
    };
    ask(most);
    ask((uint64_t)300 << 20);
    for (unsigned bits = 0; bits < 28; bits++) {
        ask(((uint64_t)4097 << bits) - 1);
        ask((uint64_t)4097 << bits);
    }
    for (unsigned part = 1; part < 64; part++)
        ask(most / 64 * part);
    return bytes + bytes / 64 + 256; /* between these, tables differ by some pages */
}

gb_status ms_sort(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                  const hy_apart *apart, cudaStream_t stream, gb_error *error)
{
    if (hy_sorts(shape, device)) return hy_sort_elements(shape, device, data, apart, stream, error);
    const gb_status status = apart ? hy_join(shape, data, apart, stream, error) : GB_OK;
    return status == GB_OK ? ms_sort_common(shape, device, data, stream, error) : status;
}

gb_status ms_sort_common(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                         cudaStream_t stream, gb_error *error)
{
    GB_TRY(cudaMemsetAsync(data->scratch, 0, os_cleared_bytes(shape), stream), error);
    return os_sort(shape, device, data, stream, error);
}

/* ---- CUB's ----------------------------------------------------------------------------------- */

#if GB_HAS_CUB

static gb_cub_sort cub_sort_of(const rs_shape *shape, uint64_t n)
{
    gb_cub_sort s = {};
    const bool wide = shape->type == RS_U64;
    s.key_bytes = rs_key_bytes(shape->type);
    s.value_bytes = shape->payload;
    s.n = n;
    s.end_bit = (int)shape->end_bit;
    s.way.wide = CUDART_VERSION >= 12000;
    if (shape->payload)
        s.sort = wide ? gb_cub_sort_pairs<false, uint64_t, uint32_t>
                      : gb_cub_sort_pairs<false, uint32_t, uint32_t>;
    else
        s.sort = wide ? gb_cub_sort_keys<false, uint64_t> : gb_cub_sort_keys<false, uint32_t>;
    return s;
}

gb_status ms_cub_scratch(const rs_shape *shape, uint64_t most, uint64_t *bytes, gb_error *error)
{
    gb_cub_sort s = cub_sort_of(shape, most);
    const cudaError_t asked = s.sort(&s, NULL);
    if (asked == cudaErrorNotSupported)
        return gb_fail(error, GB_UNSUPPORTED,
                       "this worker was built without CUB's sorts of such types (-DGB_CUB_FEW)");
    GB_TRY(asked, error);
    *bytes = s.bytes + 256;
    return GB_OK;
}

gb_status ms_cub_sort(const rs_shape *shape, const void *keys_in, const uint32_t *payload_in,
                      void *keys_out, uint32_t *payload_out, uint64_t n, void *scratch,
                      uint64_t bytes, cudaStream_t stream, gb_error *error)
{
    gb_cub_sort s = cub_sort_of(shape, n);
    if (n == 0) return GB_OK;
    s.keys_in = keys_in;
    s.keys_out = keys_out;
    s.values_in = payload_in;
    s.values_out = payload_out;
    s.memory = scratch;
    s.bytes = bytes;
    GB_TRY(s.sort(&s, stream), error);
    return GB_OK;
}

const char *ms_cub_name(void)
{
    gb_cub_way way = {};
    way.wide = CUDART_VERSION >= 12000;
    return gb_cub_way_name(&way);
}

const char *ms_cub_refuses(const gb_device *, uint64_t n)
{
    return n > GB_CUB_MOST ? "at most 2^32 - 1 elements a GPU in a worker that CUDA 11 built"
                           : NULL;
}

#else

gb_status ms_cub_scratch(const rs_shape *shape, uint64_t most, uint64_t *bytes, gb_error *error)
{
    gb_device device;
    const gb_status status = gb_current_device(&device, error);
    *bytes = status == GB_OK ? ms_sort_scratch(shape, &device, most, false) : 0;
    return status;
}

gb_status ms_cub_sort(const rs_shape *shape, const void *keys_in, const uint32_t *payload_in,
                      void *keys_out, uint32_t *payload_out, uint64_t n, void *scratch,
                      uint64_t bytes, cudaStream_t stream, gb_error *error)
{
    gb_device device;
    rs_shape all = *shape;
    const os_sort_data data = {keys_in, payload_in, keys_out, payload_out, scratch, NULL};
    const gb_status status = gb_current_device(&device, error);
    (void)bytes;
    all.n = n;
    return n && status == GB_OK ? ms_sort(&all, &device, &data, NULL, stream, error) : status;
}

const char *ms_cub_name(void)
{
    return "our sort in the place of CUB, which simt has not";
}

const char *ms_cub_refuses(const gb_device *, uint64_t)
{
    return NULL;
}

#endif
