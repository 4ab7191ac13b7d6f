/* The functions of multipartition.h: they look at the current device, and check what they get. */
#include "common/cuda/current_device.cuh"
#include "kernels/multipartition/partition/partition.h"
#include "kernels/multipartition/partition/tuning.h"

#include "common/protocol/tuning.h"
#include "common/text/file.h"

#include <stdlib.h>

enum { MP_MOST_BINS = 1 << 20, MP_ALIGNED = 16, MP_SCRATCH_ALIGNED = 256 };

static thread_local gb_error last_error;

/* Sets the thread's error and returns the status. */
template <class... A> static mp_status fails(mp_status status, const char *format, A... arguments)
{
    (void)gb_fail(&last_error, GB_UNSUPPORTED, format, arguments...);
    return status;
}

/* What of a request does not need its arrays. */
static mp_status check_sizes(const mp_request *r)
{
    if (r->key_bytes != 4 && r->key_bytes != 8)
        return fails(MP_INVALID, "key_bytes is %u; it may be 4 or 8", r->key_bytes);
    if (r->payload_bytes != 0 && r->payload_bytes != 4 && r->payload_bytes != 8 &&
        r->payload_bytes != 16)
        return fails(MP_INVALID, "payload_bytes is %u; it may be 0, 4, 8 or 16", r->payload_bytes);
    if (r->bins < 1 || r->bins > MP_MOST_BINS)
        return fails(MP_INVALID, "bins is %u; it may be 1 to %d", r->bins, (int)MP_MOST_BINS);
    if (r->function == MP_MAX)
        return fails(MP_UNSUPPORTED,
                     "function MP_MAX is none of a request; MP_SPLITTERS with the limits "
                     "ceil(b (max + 1) / bins), b from 1 on, has the same bins");
    if ((unsigned)r->function > MP_SPLITTERS)
        return fails(MP_INVALID, "function is %d; it may be 0 (MP_RANGE) to %d (MP_SPLITTERS)",
                     (int)r->function, (int)MP_SPLITTERS);
    if ((unsigned)r->method >= MP_METHODS)
        return fails(MP_INVALID, "method is %d; it may be 0 (MP_AUTO) to %d", (int)r->method,
                     (int)MP_METHODS - 1);
    if ((unsigned)r->keys > MP_KEYS_SORTED)
        return fails(MP_INVALID, "keys is %d; it may be 0 (MP_KEYS_ANY) to %d (MP_KEYS_SORTED)",
                     (int)r->keys, (int)MP_KEYS_SORTED);
    return MP_OK;
}

static mp_status check_array(const void *array, const char *name)
{
    if (!array) return fails(MP_INVALID, "%s is NULL", name);
    if ((uintptr_t)array % MP_ALIGNED)
        return fails(MP_INVALID, "%s is not aligned to %d bytes", name, (int)MP_ALIGNED);
    return MP_OK;
}

static mp_status check_arrays(const mp_request *r)
{
    const struct {
        const void *array;
        const char *name;
        bool needed;
    } all[] = {{r->offsets, "offsets", true},
               {r->keys_in, "keys_in", r->n > 0},
               {r->keys_out, "keys_out", r->n > 0},
               {r->payload_in, "payload_in", r->n > 0 && r->payload_bytes},
               {r->payload_out, "payload_out", r->n > 0 && r->payload_bytes},
               {r->limits, "limits", r->n > 0 && r->function == MP_SPLITTERS && r->bins > 1}};
    for (const auto &one : all) {
        const mp_status status = one.needed ? check_array(one.array, one.name) : MP_OK;
        if (status != MP_OK) return status;
    }
    return MP_OK;
}

/* *r with a method that can do it, on the current device; *bytes: of scratch that it needs. */
static mp_status resolve(mp_request *r, gb_device *device, const mp_tuned **nearest,
                         uint64_t *bytes)
{
    *bytes = 0;
    const mp_status status = check_sizes(r);
    if (status != MP_OK) return status;
    if (gb_current_device(device, &last_error) != GB_OK) return MP_CUDA;
    if (r->method == MP_AUTO) r->method = mp_choose(r, device, nearest);
    const char *refusal = r->n ? mp_measure(r, device, bytes) : NULL;
    return refusal ? fails(MP_UNSUPPORTED, "%s", refusal) : MP_OK;
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
    if (status == MP_OK) status = check_arrays(&r);
    if (status != MP_OK) return status;
    if (needed > scratch_bytes || (needed && !scratch))
        return fails(MP_NO_SCRATCH, "scratch has %llu bytes; %llu are needed",
                     (unsigned long long)(scratch ? scratch_bytes : 0), (unsigned long long)needed);
    if ((uintptr_t)scratch % MP_SCRATCH_ALIGNED)
        return fails(MP_NO_SCRATCH, "scratch is not aligned to %d bytes", (int)MP_SCRATCH_ALIGNED);
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
