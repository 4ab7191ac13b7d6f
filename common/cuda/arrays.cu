/* The arrays of a point. Poison is the complement of what is expected, so that no element which was
 * left out looks right. */
#include "common/cuda/arrays.h"

#include "common/cuda/device.cuh"
#include "common/distributions.h"

#include <cmath>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTE = 0xA5 };

/* An array on both sides; NULL where it has no such part. */
typedef struct sides {
    const gb_array *said;
    uint64_t count, bytes;
    unsigned char *device;   /* bytes, then the guard */
    unsigned char *pristine; /* device: the input of what is worked on in place */
    unsigned char *input;    /* host: bytes */
    unsigned char *expected; /* host: bytes */
    unsigned char *found;    /* host: bytes and guard; output of variants on the CPU */
    unsigned char *locked_in, *locked_out; /* page-locked: bytes; made by the first upload */
} sides;

typedef struct gb_problem {
    unsigned count;
    uint64_t device_bytes;
    sides array[GB_MOST_ARRAYS];
    void *on_host[GB_MOST_ARRAYS]; /* what variants on the CPU read and write */
} gb_problem;

static const struct {
    const char *name;
    unsigned bytes;
} elements[] = {{"uint8_t", 1}, {"uint32_t", 4}, {"int32_t", 4}, {"uint64_t", 8},
                {"int64_t", 8}, {"float", 4},    {"double", 8}};

static bool is_input(const sides *a)
{
    return a->said->use != GB_ARRAY_OUT;
}

static bool is_output(const sides *a)
{
    return a->said->use != GB_ARRAY_IN;
}

/* Whether a job's data are carried between host and device around its run. */
static bool is_carried(const gb_job *job)
{
    return job->scope == GB_SCOPE_HOST_TO_HOST &&
           !(job->variant->flags & (GB_HOST | GB_OWN_TRANSFERS));
}

/* ---- input ----------------------------------------------------------------------------------- */

/* Element i: the distribution's key as the type holds it, in its order also where it is below. */
template <class T> __device__ inline T element_at(const gb_dist &dist, uint64_t below, uint64_t i)
{
    if constexpr (sizeof(T) <= 4) {
        const uint32_t key = gb_dist_key(&dist, i);
        return below ? (T)((uint64_t)key * below >> 32) : (T)(key >> (32 - 8 * sizeof(T)));
    } else {
        const uint64_t key = gb_dist_key64(&dist, GB_STREAM_LOW, i);
        return below ? (T)__umul64hi(key, below) : (T)key;
    }
}

template <> __device__ inline float element_at<float>(const gb_dist &dist, uint64_t, uint64_t i)
{
    return (float)(gb_dist_key(&dist, i) >> 8) * 0x1p-24f;
}

template <> __device__ inline double element_at<double>(const gb_dist &dist, uint64_t, uint64_t i)
{
    return (double)(gb_dist_key64(&dist, GB_STREAM_LOW, i) >> 11) * 0x1p-53;
}

template <class T>
static __global__ void fill_array(gb_dist dist, uint64_t below, uint64_t count, T *out)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        out[i] = element_at<T>(dist, below, i);
}

template <class T> static cudaError_t fill_on_device(const sides *a, const gb_dist &dist)
{
    const uint64_t blocks = (a->count + 2047) / 2048;
    return launch(fill_array<T>, dim3((unsigned)(blocks < 2048 ? blocks : 2048)), dim3(128), 0, 0,
                  dist, a->said->below, a->count, reinterpret_cast<T *>(a->device));
}

static cudaError_t fill_typed(const sides *a, const gb_dist &dist)
{
    switch (a->said->type) {
    case GB_U8:
        return fill_on_device<uint8_t>(a, dist);
    case GB_U32:
        return fill_on_device<uint32_t>(a, dist);
    case GB_I32:
        return fill_on_device<int32_t>(a, dist);
    case GB_U64:
        return fill_on_device<uint64_t>(a, dist);
    case GB_I64:
        return fill_on_device<int64_t>(a, dist);
    case GB_F32:
        return fill_on_device<float>(a, dist);
    case GB_F64:
        return fill_on_device<double>(a, dist);
    }
    return cudaErrorInvalidValue;
}

/* The value of the axis of that name, or the name itself. */
static const char *dist_name(const gb_arrays *table, const gb_array *said, const gb_params *params)
{
    for (unsigned i = 0; said->dist && i < table->axis_count; i++)
        if (strcmp(table->axes[i].name, said->dist) == 0) return params->value[i].text;
    return said->dist ? said->dist : "uniform";
}

const char *gb_arrays_mistake(const gb_arrays *table, const gb_params *params)
{
    for (const gb_array *said = table->arrays; said->name; said++) {
        gb_dist dist;
        char why[160];
        if (said->use != GB_ARRAY_OUT && !said->fill &&
            !gb_dist_of(dist_name(table, said, params), 0, 1, &dist, why))
            return gb_reason("%s", why);
    }
    return NULL;
}

static gb_status make_input(const gb_arrays *table, const gb_params *params, uint64_t seed,
                            sides *a, gb_error *error)
{
    const unsigned bits = 8 * elements[a->said->type].bytes;
    if (bits < 64 && a->said->below > (uint64_t)1 << bits)
        return gb_fail(error, GB_UNSUPPORTED, "%s: no %s is as large as %" PRIu64, a->said->name,
                       elements[a->said->type].name, a->said->below - 1);
    if (a->said->fill) {
        a->said->fill(params, seed, a->input);
        GB_TRY(cudaMemcpy(a->device, a->input, a->bytes, cudaMemcpyHostToDevice), error);
    } else {
        gb_dist dist;
        char why[160];
        if (!gb_dist_of(dist_name(table, a->said, params), seed, a->count, &dist, why))
            return gb_fail(error, GB_UNSUPPORTED, "%s: %s", a->said->name, why);
        if (a->count) GB_TRY(fill_typed(a, dist), error);
        GB_TRY(cudaMemcpy(a->input, a->device, a->bytes, cudaMemcpyDeviceToHost), error);
    }
    if (a->pristine)
        GB_TRY(cudaMemcpy(a->pristine, a->device, a->bytes, cudaMemcpyDeviceToDevice), error);
    return GB_OK;
}

/* ---- life ------------------------------------------------------------------------------------ */

static gb_status host_part(unsigned char **part, uint64_t bytes, const sides *a, gb_error *error)
{
    *part = (unsigned char *)calloc(bytes ? bytes : 1, 1);
    if (*part) return GB_OK;
    return gb_fail(error, GB_OUT_OF_MEMORY, "%s: no host memory for %" PRIu64 " bytes",
                   a->said->name, bytes);
}

static gb_status device_part(gb_problem *p, unsigned char **part, const sides *a, gb_error *error)
{
    void *memory = NULL;
    const uint64_t bytes = a->bytes + GB_ARRAY_GUARD;
    const gb_status status = gb_cuda_malloc(&memory, bytes, a->said->name, error);
    *part = static_cast<unsigned char *>(memory);
    if (status == GB_OK) p->device_bytes += bytes;
    return status;
}

static gb_status allocate(gb_problem *p, sides *a, gb_error *error)
{
    gb_status status = device_part(p, &a->device, a, error);
    if (status == GB_OK && a->said->use == GB_ARRAY_IN_OUT)
        status = device_part(p, &a->pristine, a, error);
    if (status == GB_OK && is_input(a)) status = host_part(&a->input, a->bytes, a, error);
    if (status == GB_OK && is_output(a)) status = host_part(&a->expected, a->bytes, a, error);
    if (status == GB_OK && is_output(a))
        status = host_part(&a->found, a->bytes + GB_ARRAY_GUARD, a, error);
    return status;
}

static gb_status make_all(gb_problem *p, const gb_arrays *table, const gb_params *params,
                          uint64_t seed, gb_error *error)
{
    void *for_oracle[GB_MOST_ARRAYS];
    for (const gb_array *said = table->arrays; said->name; said++) {
        if (p->count == GB_MOST_ARRAYS)
            return gb_fail(error, GB_UNSUPPORTED, "more than %d arrays", (int)GB_MOST_ARRAYS);
        const unsigned i = p->count++;
        sides *a = &p->array[i];
        a->said = said;
        a->count = said->count(params);
        if (a->count > UINT64_MAX / 16)
            return gb_fail(error, GB_UNSUPPORTED, "%s: %" PRIu64 " elements", said->name, a->count);
        a->bytes = a->count * elements[said->type].bytes;
        gb_status status = allocate(p, a, error);
        if (status == GB_OK && is_input(a))
            status = make_input(table, params, seed ^ gb_mix64(i), a, error);
        if (status != GB_OK) return status;
        if (said->use == GB_ARRAY_IN_OUT && a->bytes) memcpy(a->expected, a->input, a->bytes);
        p->on_host[i] = is_output(a) ? a->found : a->input;
        for_oracle[i] = is_output(a) ? a->expected : a->input;
    }
    table->oracle(params, for_oracle);
    return GB_OK;
}

gb_status gb_arrays_open(const gb_arrays *table, const gb_params *params, uint64_t seed,
                         gb_problem **out, gb_error *error)
{
    *out = NULL;
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a point");
    const gb_status status = make_all(problem, table, params, seed, error);
    if (status == GB_OK)
        *out = problem;
    else
        gb_arrays_close(problem);
    return status;
}

void gb_arrays_close(gb_problem *problem)
{
    for (unsigned i = 0; problem && i < problem->count; i++) {
        sides *a = &problem->array[i];
        (void)cudaFree(a->device);
        (void)cudaFree(a->pristine);
        if (a->locked_in) (void)cudaFreeHost(a->locked_in);
        if (a->locked_out) (void)cudaFreeHost(a->locked_out);
        free(a->input);
        free(a->expected);
        free(a->found);
    }
    free(problem);
}

/* ---- a variant's ----------------------------------------------------------------------------- */

gb_status gb_arrays_prepare(gb_job *job)
{
    return gb_job_charge(job, job->problem->device_bytes, "the point's arrays");
}

gb_status gb_arrays_reset(gb_job *job, gb_stream stream)
{
    for (unsigned i = 0; i < job->problem->count; i++) {
        const sides *a = &job->problem->array[i];
        if (!a->pristine || !a->bytes) continue;
        if (job->variant->flags & GB_HOST)
            memcpy(a->found, a->input, a->bytes);
        else
            GB_TRY(cudaMemcpyAsync(a->device, a->pristine, a->bytes, cudaMemcpyDeviceToDevice,
                                   gb_cuda_stream(stream)),
                   &job->error);
    }
    return GB_OK;
}

/* The i-th array; a mistake of the primitive's author ends the worker. */
static const sides *array_of(const gb_job *job, unsigned i)
{
    if (i < job->problem->count) return &job->problem->array[i];
    fprintf(stderr,
            "gpubench: %s has %u arrays, the first is number 0: there is none of number %u\n",
            job->primitive->name, job->problem->count, i);
    abort();
}

void *gb_array_at(const gb_job *job, unsigned i, gb_element type)
{
    const sides *a = array_of(job, i);
    if (a->said->type != type) {
        fprintf(stderr, "gpubench: array %s of %s holds %s, and %s takes it for %s\n",
                a->said->name, job->primitive->name, elements[a->said->type].name,
                job->variant->name, elements[type].name);
        abort();
    }
    return job->variant->flags & GB_HOST ? job->problem->on_host[i] : a->device;
}

uint64_t gb_array_count(const gb_job *job, unsigned i)
{
    return array_of(job, i)->count;
}

void *const *gb_arrays_on_host(const gb_job *job)
{
    return job->problem->on_host;
}

/* ---- between host and device ----------------------------------------------------------------- */

static gb_status lock(unsigned char **locked, const sides *a, gb_error *error)
{
    void *memory = NULL;
    const gb_status status = gb_cuda_malloc_host(&memory, a->bytes + 1, a->said->name, error);
    *locked = static_cast<unsigned char *>(memory);
    return status;
}

/* What copies begin and end in, made by the untimed run that goes before every sample. */
static gb_status lock_both(sides *a, gb_error *error)
{
    gb_status status = GB_OK;
    if (is_output(a) && !a->locked_out) status = lock(&a->locked_out, a, error);
    if (status != GB_OK || !is_input(a) || a->locked_in) return status;
    status = lock(&a->locked_in, a, error);
    if (status == GB_OK && a->bytes) memcpy(a->locked_in, a->input, a->bytes);
    return status;
}

gb_status gb_arrays_upload(gb_job *job, gb_stream stream)
{
    for (unsigned i = 0; i < job->problem->count; i++) {
        sides *a = &job->problem->array[i];
        const gb_status status = lock_both(a, &job->error);
        if (status != GB_OK) return status;
        if (!is_input(a) || !a->bytes) continue;
        GB_TRY(cudaMemcpyAsync(a->device, a->locked_in, a->bytes, cudaMemcpyHostToDevice,
                               gb_cuda_stream(stream)),
               &job->error);
    }
    return GB_OK;
}

gb_status gb_arrays_download(gb_job *job, gb_stream stream)
{
    for (unsigned i = 0; i < job->problem->count; i++) {
        const sides *a = &job->problem->array[i];
        if (!is_output(a) || !a->bytes) continue;
        GB_TRY(cudaMemcpyAsync(a->locked_out, a->device, a->bytes, cudaMemcpyDeviceToHost,
                               gb_cuda_stream(stream)),
               &job->error);
    }
    return GB_OK;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Output becomes what it must not be, and so does input that is to be carried there. */
static gb_status poison_array(const gb_job *job, sides *a, cudaStream_t stream, gb_error *error)
{
    if (is_carried(job) && is_input(a))
        GB_TRY(cudaMemsetAsync(a->device, GUARD_BYTE, a->bytes, stream), error);
    if (!is_output(a)) return GB_OK;
    for (uint64_t i = 0; i < a->bytes; i++)
        a->found[i] = (unsigned char)~a->expected[i];
    memset(a->found + a->bytes, GUARD_BYTE, GB_ARRAY_GUARD);
    if (a->locked_out && a->bytes) memcpy(a->locked_out, a->found, a->bytes);
    if (job->variant->flags & GB_HOST) return GB_OK;
    GB_TRY(cudaMemcpyAsync(a->device, a->found, a->bytes + GB_ARRAY_GUARD, cudaMemcpyHostToDevice,
                           stream),
           error);
    return GB_OK;
}

gb_status gb_arrays_poison(gb_job *job, gb_stream stream)
{
    if (job->memory_used < job->problem->device_bytes)
        return gb_fail(
            &job->error, GB_CRASHED,
            "the variant does not count its memory: its prepare is gb_arrays_prepare, or "
            "calls it");
    for (unsigned i = 0; i < job->problem->count; i++) {
        const gb_status status =
            poison_array(job, &job->problem->array[i], gb_cuda_stream(stream), &job->error);
        if (status != GB_OK) return status;
    }
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static void put_element(char *text, size_t capacity, gb_element type, const unsigned char *at)
{
    union {
        uint8_t u8;
        uint32_t u32;
        int32_t i32;
        uint64_t u64;
        int64_t i64;
        float f32;
        double f64;
    } value;
    memcpy(&value, at, elements[type].bytes);
    switch (type) {
    case GB_U8:
        snprintf(text, capacity, "%u", value.u8);
        return;
    case GB_U32:
        snprintf(text, capacity, "%" PRIu32, value.u32);
        return;
    case GB_I32:
        snprintf(text, capacity, "%" PRId32, value.i32);
        return;
    case GB_U64:
        snprintf(text, capacity, "%" PRIu64, value.u64);
        return;
    case GB_I64:
        snprintf(text, capacity, "%" PRId64, value.i64);
        return;
    case GB_F32:
        snprintf(text, capacity, "%.9g", (double)value.f32);
        return;
    case GB_F64:
        snprintf(text, capacity, "%.17g", value.f64);
        return;
    }
}

/* The index of the first element that is not near enough; count if there is none. */
template <class T> static uint64_t first_far(const sides *a)
{
    for (uint64_t i = 0; i < a->count; i++) {
        T found, expected;
        memcpy(&found, a->found + i * sizeof(T), sizeof(T));
        memcpy(&expected, a->expected + i * sizeof(T), sizeof(T));
        const double is = found, should = expected;
        if (found == expected || (std::isnan(is) && std::isnan(should))) continue;
        const double most = a->said->absolute + a->said->relative * fabs(should);
        if (!(fabs(is - should) <= most) || std::isinf(should)) return i;
    }
    return a->count;
}

static uint64_t first_other(const unsigned char *a, const unsigned char *b, uint64_t bytes)
{
    if (!bytes || memcmp(a, b, bytes) == 0) return bytes;
    uint64_t i = 0;
    while (a[i] == b[i])
        i++;
    return i;
}

static uint64_t first_wrong(const sides *a)
{
    if (a->said->type == GB_F32) return first_far<float>(a);
    if (a->said->type == GB_F64) return first_far<double>(a);
    return first_other(a->found, a->expected, a->bytes) / elements[a->said->type].bytes;
}

static bool is_poison(const sides *a, uint64_t i)
{
    const unsigned bytes = elements[a->said->type].bytes;
    for (uint64_t at = i * bytes; at < (i + 1) * bytes; at++)
        if (a->found[at] != (unsigned char)~a->expected[at]) return false;
    return true;
}

static gb_status judge_output(const sides *a, gb_error *error)
{
    const uint64_t wrong = first_wrong(a);
    for (unsigned i = 0; wrong == a->count && i < GB_ARRAY_GUARD; i++)
        if (a->found[a->bytes + i] != GUARD_BYTE)
            return gb_fail(error, GB_WRONG,
                           "byte %u behind the end of %s (%" PRIu64 " elements) is "
                           "written",
                           i, a->said->name, a->count);
    if (wrong == a->count) return GB_OK;
    char found[40], expected[40];
    const uint64_t at = wrong * elements[a->said->type].bytes;
    put_element(found, sizeof found, a->said->type, a->found + at);
    put_element(expected, sizeof expected, a->said->type, a->expected + at);
    if (is_poison(a, wrong))
        return gb_fail(error, GB_WRONG,
                       "element %" PRIu64 " of %s (%" PRIu64 " elements) is not written; %s is "
                       "expected there",
                       wrong, a->said->name, a->count, expected);
    return gb_fail(error, GB_WRONG,
                   "element %" PRIu64 " of %s (%" PRIu64 " elements) is %s, not %s", wrong,
                   a->said->name, a->count, found, expected);
}

/* Brings output into found, from where the run has left it. */
static gb_status fetch_output(const gb_job *job, sides *a, gb_error *error)
{
    if (job->variant->flags & GB_HOST) return GB_OK;
    GB_TRY(cudaMemcpy(a->found, a->device, a->bytes + GB_ARRAY_GUARD, cudaMemcpyDeviceToHost),
           error);
    if (is_carried(job) && a->bytes) memcpy(a->found, a->locked_out, a->bytes);
    return GB_OK;
}

/* Input is the other jobs' as well. */
static gb_status judge_input(const sides *a, unsigned char *slice, uint64_t room, gb_error *error)
{
    for (uint64_t begin = 0; begin < a->bytes; begin += room) {
        const uint64_t bytes = a->bytes - begin < room ? a->bytes - begin : room;
        GB_TRY(cudaMemcpy(slice, a->device + begin, bytes, cudaMemcpyDeviceToHost), error);
        const uint64_t other = first_other(slice, a->input + begin, bytes);
        if (other < bytes)
            return gb_fail(error, GB_WRONG,
                           "element %" PRIu64 " of %s, which is input, has changed",
                           (begin + other) / elements[a->said->type].bytes, a->said->name);
    }
    return GB_OK;
}

gb_status gb_arrays_check(gb_job *job, gb_stream stream)
{
    enum { ROOM = 1 << 22 };
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    unsigned char *slice = (unsigned char *)malloc(ROOM);
    if (!slice) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    gb_status status = GB_OK;
    for (unsigned i = 0; status == GB_OK && i < job->problem->count; i++) {
        sides *a = &job->problem->array[i];
        if (is_output(a)) status = fetch_output(job, a, &job->error);
        if (status == GB_OK && is_output(a)) status = judge_output(a, &job->error);
        if (status == GB_OK && !is_output(a)) status = judge_input(a, slice, ROOM, &job->error);
    }
    free(slice);
    return status;
}
