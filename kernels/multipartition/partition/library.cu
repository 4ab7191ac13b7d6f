/* The functions of multipartition.h: they look at the current device, and check what they get. */
#include "common/cuda/current_device.cuh"
#include "kernels/multipartition/partition/request.cuh"
#include "kernels/multipartition/partition/tuning.h"

#include "common/protocol/tuning.h"
#include "common/text/file.h"

#include <stdlib.h>

static thread_local gb_error last_error;

/* *r with a method that can do it, on the current device; *bytes: of scratch that it needs. */
static mp_status resolve(mp_request *r, gb_device *device, const mp_tuned **nearest,
                         uint64_t *bytes)
{
    *bytes = 0;
    const mp_status status = mp_check_sizes(r, &last_error);
    if (status != MP_OK) return status;
    if (gb_current_device(device, &last_error) != GB_OK) return MP_CUDA;
    if (r->method == MP_AUTO) r->method = mp_choose(r, device, nearest);
    const char *refusal = r->n ? mp_measure(r, device, bytes) : NULL;
    return refusal ? mp_fails(&last_error, MP_UNSUPPORTED, "%s", refusal) : MP_OK;
}

extern "C" mp_status mp_partition_choose(const mp_request *request, mp_method *method,
                                         const char **measured_on)
{
    mp_request r = *request;
    gb_device device;
    const mp_tuned *nearest = NULL;
    uint64_t bytes;
    r.method = MP_AUTO;
    const mp_status status = resolve(&r, &device, &nearest, &bytes);
    *method = r.method;
    if (measured_on) *measured_on = nearest ? nearest->gpu : "";
    return status;
}

extern "C" mp_status mp_partition_scratch(const mp_request *request, uint64_t *bytes)
{
    mp_request r = *request;
    gb_device device;
    const mp_status status = resolve(&r, &device, NULL, bytes);
    if (status != MP_OK) *bytes = 0;
    return status;
}

extern "C" mp_status mp_partition(const mp_request *request, void *scratch, uint64_t scratch_bytes,
                                  void *stream)
{
    mp_request r = *request;
    gb_device device;
    uint64_t needed;
    mp_status status = resolve(&r, &device, NULL, &needed);
    if (status == MP_OK) status = mp_check_arrays(&r, &last_error);
    if (status == MP_OK) status = mp_check_scratch(scratch, scratch_bytes, needed, &last_error);
    if (status != MP_OK) return status;
    if (mp_queue_partition(&r, &device, scratch, (gb_stream)stream, &last_error) != GB_OK)
        return MP_CUDA;
    return MP_OK;
}

extern "C" mp_status mp_partition_load_tuning(const char *path)
{
    enum { MOST_TABLE = 16 << 20, PATH = 4096 };
    gb_device device;
    char uuid[64], cached[PATH];
    size_t length;
    if (gb_current_device(&device, &last_error) != GB_OK ||
        gb_device_identity(device.index, device.name, sizeof device.name, uuid, sizeof uuid,
                           &last_error) != GB_OK)
        return MP_CUDA;
    if (!path && !gb_tuning_path(uuid, "multipartition", cached, sizeof cached, &last_error))
        return MP_INVALID;
    if (!path) path = cached;
    char *text = gb_file_read(path, "a table of `gpubench tune`", MOST_TABLE, &length, GB_WRONG,
                              &last_error);
    if (!text) return MP_INVALID;
    const gb_status status = mp_tuning_take(text, length, path, &device, NULL, &last_error);
    free(text);
    return status == GB_OK ? MP_OK : MP_INVALID;
}

extern "C" const char *mp_partition_error(void)
{
    return last_error.text;
}
