/* The functions of sort.h: they look at the current device, and check what they get. */
#include "common/cuda/current_device.cuh"
#include "kernels/radix-sort/hybrid/hybrid.h"
#include "kernels/radix-sort/keys.h"
#include "kernels/radix-sort/onesweep/onesweep.h"
#include "kernels/segmented-sort/segmented/segmented.h"

enum { RS_ALIGNED = 16, RS_SCRATCH_ALIGNED = 256 };

static thread_local gb_error last_error;

/* Sets the thread's error and returns the status. */
template <class... A> static rs_status fails(rs_status status, const char *format, A... arguments)
{
    (void)gb_fail(&last_error, GB_UNSUPPORTED, format, arguments...);
    return status;
}

/* What of a request does not need its arrays. */
static rs_status check_sizes(const rs_sort_request *r)
{
    if ((unsigned)r->type >= RS_TYPES)
        return fails(RS_INVALID, "type is %d; it may be 0 (RS_U32) to %d (RS_F64)", (int)r->type,
                     (int)RS_F64);
    if (r->payload_bytes != 0 && r->payload_bytes != 4 && r->payload_bytes != 8 &&
        r->payload_bytes != 16)
        return fails(RS_INVALID, "payload_bytes is %u; it may be 0, 4, 8 or 16", r->payload_bytes);
    const unsigned width = 8 * (unsigned)rs_key_bytes(r->type);
    if (r->end_bit > width)
        return fails(RS_INVALID, "end_bit is %u; keys of this type have %u bits", r->end_bit,
                     width);
    if (r->begin_bit > (r->end_bit ? r->end_bit : width))
        return fails(RS_INVALID, "begin_bit is %u, behind end_bit, which is %u", r->begin_bit,
                     r->end_bit ? r->end_bit : width);
    const uint64_t most = r->payload_bytes ? (uint64_t)1 << 32 : (uint64_t)1 << 40;
    if (r->n > most)
        return fails(RS_INVALID, "n is %llu; it may be at most %llu%s", (unsigned long long)r->n,
                     (unsigned long long)most, r->payload_bytes ? " with a payload" : "");
    return RS_OK;
}

/* The same of segments, once the rest is known to be right. */
static rs_status check_segments(const rs_sort_request *r)
{
    const unsigned width = 8 * (unsigned)rs_key_bytes(r->type);
    if (!r->offsets)
        return r->segments
                   ? fails(RS_INVALID, "there are %u segments, and offsets is NULL", r->segments)
                   : RS_OK;
    if (r->begin_bit || (r->end_bit && r->end_bit != width))
        return fails(RS_INVALID, "segments are sorted by all bits: begin_bit and end_bit are 0");
    if (r->payload_bytes > sizeof(uint32_t))
        return fails(RS_INVALID, "payload_bytes is %u; with segments it may be 0 or 4",
                     r->payload_bytes);
    const char *refusal = sg_refuses(r->n);
    if (refusal) return fails(RS_INVALID, "n is %llu: %s", (unsigned long long)r->n, refusal);
    if (r->n && !r->segments) return fails(RS_INVALID, "segments is 0, and n is not");
    return RS_OK;
}

static rs_status check_array(const void *array, const char *name)
{
    if (!array) return fails(RS_INVALID, "%s is NULL", name);
    if ((uintptr_t)array % RS_ALIGNED)
        return fails(RS_INVALID, "%s is not aligned to %d bytes", name, (int)RS_ALIGNED);
    return RS_OK;
}

static rs_status check_arrays(const rs_sort_request *r)
{
    const struct {
        const void *array;
        const char *name;
        bool needed;
    } all[] = {{r->keys_in, "keys_in", true},
               {r->keys_out, "keys_out", true},
               {r->payload_in, "payload_in", r->payload_bytes != 0},
               {r->payload_out, "payload_out", r->payload_bytes != 0}};
    for (const auto &one : all) {
        const rs_status status = one.needed ? check_array(one.array, one.name) : RS_OK;
        if (status != RS_OK) return status;
    }
    if (r->keys_in == r->keys_out)
        return fails(RS_INVALID, "keys_out is keys_in: a sort leaves its input as it is");
    if (r->payload_bytes && r->payload_in == r->payload_out)
        return fails(RS_INVALID, "payload_out is payload_in: a sort leaves its input as it is");
    return RS_OK;
}

static rs_shape shape_of(const rs_sort_request *r)
{
    const unsigned width = 8 * (unsigned)rs_key_bytes(r->type);
    return rs_shape{r->n,
                    r->type,
                    r->payload_bytes,
                    r->descending != 0,
                    r->begin_bit,
                    r->end_bit ? r->end_bit : width};
}

/* Whether the request may be given to a sort that does not keep the order of equal keys, if that
 * takes such keys. Integers alone that are equal in all bits cannot be told apart; the two zeros,
 * which are equal, can. */
static bool may_be_hybrid(const rs_sort_request *r, const rs_shape *shape)
{
    const bool whole = shape->begin_bit == 0 && shape->end_bit == 8 * rs_key_bytes(shape->type);
    return !r->stable || (whole && !rs_is_float(shape->type) && !shape->payload);
}

/* How a request is sorted. */
typedef struct way {
    rs_shape shape;
    gb_device device;
    bool hybrid, copies; /* copies: no bit counts */
    bool segmented;
    uint64_t bytes; /* of scratch */
} way;

static rs_status resolve(const rs_sort_request *r, way *w)
{
    *w = way{};
    rs_status status = check_sizes(r);
    if (status == RS_OK) status = check_segments(r);
    if (status != RS_OK || r->n == 0) return status;
    if (gb_current_device(&w->device, &last_error) != GB_OK) return RS_CUDA;
    w->shape = shape_of(r);
    w->copies = w->shape.begin_bit == w->shape.end_bit;
    if (w->copies) return RS_OK;
    w->segmented = r->offsets != NULL;
    if (w->segmented) {
        w->bytes = sg_scratch_bytes(&w->shape, r->segments, &w->device);
        return RS_OK;
    }
    w->hybrid = may_be_hybrid(r, &w->shape) && hy_sorts(&w->shape, &w->device);
    w->bytes = w->hybrid ? hy_scratch_bytes(&w->shape, &w->device, false)
                         : os_scratch_bytes(&w->shape, &w->device);
    return RS_OK;
}

extern "C" rs_status rs_sort_scratch(const rs_sort_request *request, uint64_t *bytes)
{
    way w;
    const rs_status status = resolve(request, &w);
    *bytes = status == RS_OK ? w.bytes : 0;
    return status;
}

static gb_status copy(const rs_sort_request *r, cudaStream_t stream)
{
    GB_TRY(cudaMemcpyAsync(r->keys_out, r->keys_in, r->n * rs_key_bytes(r->type),
                           cudaMemcpyDeviceToDevice, stream),
           &last_error);
    if (r->payload_bytes)
        GB_TRY(cudaMemcpyAsync(r->payload_out, r->payload_in, r->n * r->payload_bytes,
                               cudaMemcpyDeviceToDevice, stream),
               &last_error);
    return GB_OK;
}

static gb_status sort(const rs_sort_request *r, const way *w, void *scratch, cudaStream_t stream)
{
    if (w->copies) return copy(r, stream);
    if (w->segmented) {
        const sg_sort_data data = {r->keys_in,  static_cast<const uint32_t *>(r->payload_in),
                                   r->keys_out, static_cast<uint32_t *>(r->payload_out),
                                   r->offsets,  r->segments,
                                   scratch};
        return sg_sort(&w->shape, &w->device, &data, stream, &last_error);
    }
    const os_sort_data data = {r->keys_in,  static_cast<const uint32_t *>(r->payload_in),
                               r->keys_out, static_cast<uint32_t *>(r->payload_out),
                               scratch,     NULL};
    if (w->hybrid) return hy_sort_elements(&w->shape, &w->device, &data, NULL, stream, &last_error);
    GB_TRY(cudaMemsetAsync(scratch, 0, os_cleared_bytes(&w->shape), stream), &last_error);
    return os_sort(&w->shape, &w->device, &data, stream, &last_error);
}

extern "C" rs_status rs_sort(const rs_sort_request *request, void *scratch, uint64_t scratch_bytes,
                             void *stream)
{
    way w;
    rs_status status = resolve(request, &w);
    if (status != RS_OK || request->n == 0) return status;
    status = check_arrays(request);
    if (status != RS_OK) return status;
    if (w.bytes > scratch_bytes || (w.bytes && !scratch))
        return fails(RS_NO_SCRATCH, "scratch has %llu bytes; %llu are needed",
                     (unsigned long long)(scratch ? scratch_bytes : 0),
                     (unsigned long long)w.bytes);
    if ((uintptr_t)scratch % RS_SCRATCH_ALIGNED)
        return fails(RS_NO_SCRATCH, "scratch is not aligned to %d bytes", (int)RS_SCRATCH_ALIGNED);
    return sort(request, &w, scratch, gb_cuda_stream((gb_stream)stream)) == GB_OK ? RS_OK : RS_CUDA;
}

extern "C" const char *rs_sort_error(void)
{
    return last_error.text;
}
