/* Whether a request is one: what library.cu, and multipartition.hpp with functions of a program's
 * own, check before anything is queued. Each returns MP_OK, or fills *error. */
#ifndef GB_MULTIPARTITION_REQUEST_CUH
#define GB_MULTIPARTITION_REQUEST_CUH

#include "kernels/multipartition/partition/partition.h"

enum { MP_MOST_BINS = 1 << 20, MP_ALIGNED = 16, MP_SCRATCH_ALIGNED = 256 };

/* Fills *error and returns the status. */
template <class... A>
static mp_status mp_fails(gb_error *error, mp_status status, const char *format, A... arguments)
{
    (void)gb_fail(error, GB_UNSUPPORTED, format, arguments...);
    return status;
}

/* What of a request does not need its arrays. */
static inline mp_status mp_check_sizes(const mp_request *r, gb_error *error)
{
    if (r->key_bytes != 4 && r->key_bytes != 8)
        return mp_fails(error, MP_INVALID, "key_bytes is %u; it may be 4 or 8", r->key_bytes);
    if (r->payload_bytes != 0 && r->payload_bytes != 4 && r->payload_bytes != 8 &&
        r->payload_bytes != 16)
        return mp_fails(error, MP_INVALID, "payload_bytes is %u; it may be 0, 4, 8 or 16",
                        r->payload_bytes);
    if (r->bins < 1 || r->bins > MP_MOST_BINS)
        return mp_fails(error, MP_INVALID, "bins is %u; it may be 1 to %d", r->bins,
                        (int)MP_MOST_BINS);
    if (r->function == MP_MAX)
        return mp_fails(error, MP_UNSUPPORTED,
                        "function MP_MAX is none of a request; MP_SPLITTERS with the limits "
                        "ceil(b (max + 1) / bins), b from 1 on, has the same bins");
    if ((unsigned)r->function > MP_SPLITTERS)
        return mp_fails(error, MP_INVALID,
                        "function is %d; it may be 0 (MP_RANGE) to %d (MP_SPLITTERS)",
                        (int)r->function, (int)MP_SPLITTERS);
    if ((unsigned)r->method >= MP_METHODS)
        return mp_fails(error, MP_INVALID, "method is %d; it may be 0 (MP_AUTO) to %d",
                        (int)r->method, (int)MP_METHODS - 1);
    if ((unsigned)r->keys > MP_KEYS_FEW)
        return mp_fails(error, MP_INVALID,
                        "keys is %d; it may be 0 (MP_KEYS_ANY) to %d (MP_KEYS_FEW)", (int)r->keys,
                        (int)MP_KEYS_FEW);
    return MP_OK;
}

static inline mp_status mp_check_array(const void *array, const char *name, gb_error *error)
{
    if (!array) return mp_fails(error, MP_INVALID, "%s is NULL", name);
    if ((uintptr_t)array % MP_ALIGNED)
        return mp_fails(error, MP_INVALID, "%s is not aligned to %d bytes", name, (int)MP_ALIGNED);
    return MP_OK;
}

static inline mp_status mp_check_arrays(const mp_request *r, gb_error *error)
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
        const mp_status status = one.needed ? mp_check_array(one.array, one.name, error) : MP_OK;
        if (status != MP_OK) return status;
    }
    if (r->n && r->keys_in == r->keys_out)
        return mp_fails(error, MP_INVALID,
                        "keys_out is keys_in: a partition leaves its input as it is");
    if (r->n && r->payload_bytes && r->payload_in == r->payload_out)
        return mp_fails(error, MP_INVALID,
                        "payload_out is payload_in: a partition leaves its input as it is");
    return MP_OK;
}

static inline mp_status mp_check_scratch(const void *scratch, uint64_t bytes, uint64_t needed,
                                         gb_error *error)
{
    if (needed > bytes || (needed && !scratch))
        return mp_fails(error, MP_NO_SCRATCH, "scratch has %llu bytes; %llu are needed",
                        (unsigned long long)(scratch ? bytes : 0), (unsigned long long)needed);
    if ((uintptr_t)scratch % MP_SCRATCH_ALIGNED)
        return mp_fails(error, MP_NO_SCRATCH, "scratch is not aligned to %d bytes",
                        (int)MP_SCRATCH_ALIGNED);
    return MP_OK;
}

#endif
