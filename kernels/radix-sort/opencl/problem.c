/* A point's data in the OpenCL worker: made on the host from the seed, kept on device or host as
 * jobs ask, freed. */
#include "kernels/radix-sort/opencl/data.h"

#include <stdlib.h>
#include <string.h>

/* ---- generation ------------------------------------------------------------------------------ */

static gb_status dist_of(const gb_problem *p, gb_dist *dist, gb_error *error)
{
    char why[160];
    if (gb_dist_of(p->dist, p->seed, p->shape.n, dist, why)) return GB_OK;
    return gb_fail(error, GB_UNSUPPORTED, "%s", why);
}

/* Elements on their way to memory, or to a fingerprint. */
typedef struct making {
    gb_dist dist;
    rs_type type;
    bool numbered; /* elements have a payload */
    uint64_t first;
    void *keys;
    uint32_t *payload;
    rs_hash sums[RS_MOST_THREADS];
} making;

static void make_part(void *context, unsigned thread, uint64_t begin, uint64_t end)
{
    const making *m = context;
    (void)thread;
    for (uint64_t i = begin; i < end; i++) {
        rs_store_key(m->type, m->keys, i, rs_make_key(&m->dist, m->type, m->first + i));
        if (m->payload) m->payload[i] = (uint32_t)(m->first + i);
    }
}

static void hash_part(void *context, unsigned thread, uint64_t begin, uint64_t end)
{
    making *m = context;
    rs_hash sum = {0, 0, 0};
    for (uint64_t i = begin; i < end; i++)
        rs_hash_add(&sum, i, rs_make_key(&m->dist, m->type, i), m->numbered ? (uint32_t)i : 0);
    m->sums[thread] = sum;
}

gb_status rs_make_slice(const gb_problem *p, uint64_t begin, uint64_t count, void *keys,
                        uint32_t *payload, gb_error *error)
{
    making m = {.type = p->shape.type, .first = begin, .keys = keys, .payload = payload};
    gb_status status = dist_of(p, &m.dist, error);
    return status == GB_OK ? rs_share_out(count, make_part, &m, error) : status;
}

gb_status rs_find_truth(const gb_problem *p, rs_hash *truth, gb_error *error)
{
    making m = {.type = p->shape.type, .numbered = p->shape.payload};
    gb_status status = dist_of(p, &m.dist, error);
    *truth = (rs_hash){0, 0, 0};
    if (status == GB_OK) status = rs_share_out(p->shape.n, hash_part, &m, error);
    for (unsigned i = 0; i < RS_MOST_THREADS; i++) {
        truth->a += m.sums[i].a;
        truth->b += m.sums[i].b;
        truth->ordered += m.sums[i].ordered;
    }
    return status;
}

/* ---- device memory --------------------------------------------------------------------------- */

gb_status rs_fill_device(const gb_problem *p, gb_error *error)
{
    const gb_opencl *cl = gb_opencl_selected();
    const size_t size = rs_key_bytes(p->shape.type);
    const uint64_t n = p->shape.n, slice = n < RS_SLICE ? n : (uint64_t)RS_SLICE;
    char *keys = malloc(slice * (size + 4) + 8);
    if (!keys) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a slice of the input");
    uint32_t *payload = (uint32_t *)(void *)(keys + slice * size);
    gb_status status = GB_OK;
    for (uint64_t begin = 0; status == GB_OK && begin < n; begin += slice) {
        const uint64_t count = n - begin < slice ? n - begin : slice;
        status = rs_make_slice(p, begin, count, keys, payload, error);
        if (status == GB_OK)
            status = gb_opencl_status(clEnqueueWriteBuffer(cl->queue, rs_buffer(p->keys_in),
                                                           CL_TRUE, begin * size, count * size,
                                                           keys, 0, NULL, NULL),
                                      "writing the input", error);
        if (status == GB_OK && p->payload_in)
            status =
                gb_opencl_status(clEnqueueWriteBuffer(cl->queue, rs_buffer(p->payload_in), CL_TRUE,
                                                      begin * 4, count * 4, payload, 0, NULL, NULL),
                                 "writing the input's payload", error);
    }
    free(keys);
    return status;
}

static void free_device(gb_problem *p)
{
    void *arrays[] = {p->keys_in, p->keys_out, p->payload_in, p->payload_out};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        cl_mem buffer = rs_buffer(arrays[i]);
        gb_opencl_release(&buffer);
    }
    p->keys_in = p->keys_out = NULL;
    p->payload_in = p->payload_out = NULL;
}

/* n elements and 16 bytes of slack, as struct gb_problem says. */
static gb_status device_array(gb_problem *p, void **array, size_t element, const char *what,
                              gb_error *error)
{
    cl_mem buffer = NULL;
    gb_status status = gb_opencl_buffer(p->shape.n * element + 16, what, &buffer, error);
    *array = buffer;
    return status;
}

static gb_status make_device(gb_problem *p, gb_error *error)
{
    const size_t key = rs_key_bytes(p->shape.type);
    void *payload_in = NULL, *payload_out = NULL;
    gb_status status = device_array(p, &p->keys_in, key, "the input", error);
    if (status == GB_OK) status = device_array(p, &p->keys_out, key, "the output", error);
    if (status == GB_OK && p->shape.payload)
        status = device_array(p, &payload_in, 4, "the input's payload", error);
    if (status == GB_OK && p->shape.payload)
        status = device_array(p, &payload_out, 4, "the output's payload", error);
    p->payload_in = payload_in;
    p->payload_out = payload_out;
    if (status == GB_OK && !p->brought) status = rs_fill_device(p, error);
    if (status != GB_OK) free_device(p);
    return status;
}

gb_status rs_problem_device(gb_job *job)
{
    gb_problem *p = job->problem;
    const uint64_t arrays = p->shape.payload ? 4 : 2;
    gb_status status = gb_job_charge(
        job, 2 * rs_element_bytes(&p->shape) * p->shape.n + 16 * arrays, "input and output");
    return status == GB_OK && !p->keys_in ? make_device(p, &job->error) : status;
}

/* ---- host memory ----------------------------------------------------------------------------- */

/* Page-locked where the platform does so for CL_MEM_ALLOC_HOST_PTR (NVIDIA's does). */
static gb_status host_array(cl_mem *pinned, uint64_t bytes, const char *what, void **array,
                            gb_error *error)
{
    const gb_opencl *cl = gb_opencl_selected();
    cl_int code;
    *array = NULL;
    *pinned = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes + 16,
                             NULL, &code);
    if (*pinned)
        *array = clEnqueueMapBuffer(cl->queue, *pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    bytes + 16, 0, NULL, NULL, &code);
    if (*array) return GB_OK;
    gb_fail(error, GB_OUT_OF_MEMORY,
            "%s takes %.3f GB of page-locked host memory: %s; choose a smaller n", what,
            1e-9 * (double)(bytes + 16), gb_opencl_name(code));
    return GB_OUT_OF_MEMORY;
}

static void free_host(gb_problem *p)
{
    const gb_opencl *cl = gb_opencl_selected();
    rs_data *data = p->checker;
    void *arrays[] = {p->host_keys_in, p->host_keys_out, p->host_payload_in, p->host_payload_out};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i])
            (void)clEnqueueUnmapMemObject(cl->queue, data->pinned[i], arrays[i], 0, NULL, NULL);
        gb_opencl_release(&data->pinned[i]);
    }
    p->host_keys_in = p->host_keys_out = NULL;
    p->host_payload_in = p->host_payload_out = NULL;
}

gb_status rs_problem_host(gb_job *job)
{
    gb_problem *p = job->problem;
    rs_data *data = p->checker;
    const uint64_t bytes = p->shape.n * rs_key_bytes(p->shape.type);
    gb_error *error = &job->error;
    void *payload_in = NULL, *payload_out = NULL;
    if (p->host_keys_in) return GB_OK;
    gb_status status = host_array(&data->pinned[0], bytes, "the input", &p->host_keys_in, error);
    if (status == GB_OK)
        status = host_array(&data->pinned[1], bytes, "the output", &p->host_keys_out, error);
    if (status == GB_OK && p->shape.payload)
        status = host_array(&data->pinned[2], p->shape.n * 4, "the payload", &payload_in, error);
    if (status == GB_OK && p->shape.payload)
        status = host_array(&data->pinned[3], p->shape.n * 4, "the payload", &payload_out, error);
    p->host_payload_in = payload_in;
    p->host_payload_out = payload_out;
    if (status == GB_OK)
        status = rs_make_slice(p, 0, p->shape.n, p->host_keys_in, p->host_payload_in, error);
    if (status != GB_OK) free_host(p);
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

gb_status rs_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_problem *p = calloc(1, sizeof *p);
    rs_data *data = calloc(1, sizeof *data);
    if (!p || !data) {
        free(p);
        free(data);
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    }
    p->checker = data;
    p->shape = rs_shape_of(params);
    p->seed = seed;
    p->device = device;
    p->dist = params->value[RS_DIST].text;
    gb_status status = rs_find_truth(p, &data->truth, error);
    if (status == GB_OK)
        *out = p;
    else
        rs_close(p);
    return status;
}

void rs_close(gb_problem *p)
{
    if (!p) return;
    free_device(p);
    if (p->checker) free_host(p);
    free(p->checker);
    free(p);
}

/* ---- scope host-to-host ---------------------------------------------------------------------- */

/* Both copies need both sides' arrays; the first call makes what is missing, in the untimed run
 * that precedes every sample. */
static gb_status need_both_sides(gb_job *job)
{
    gb_status status = rs_problem_host(job);
    return status == GB_OK && !job->problem->keys_in ? rs_problem_device(job) : status;
}

gb_status rs_upload(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    cl_command_queue queue = gb_opencl_of(stream)->queue;
    gb_status status = need_both_sides(job);
    if (status != GB_OK || p->shape.n == 0) return status;
    GB_CL_TRY(clEnqueueWriteBuffer(queue, rs_buffer(p->keys_in), CL_FALSE, 0,
                                   p->shape.n * rs_key_bytes(p->shape.type), p->host_keys_in, 0,
                                   NULL, NULL),
              &job->error);
    if (p->payload_in)
        GB_CL_TRY(clEnqueueWriteBuffer(queue, rs_buffer(p->payload_in), CL_FALSE, 0, p->shape.n * 4,
                                       p->host_payload_in, 0, NULL, NULL),
                  &job->error);
    return GB_OK;
}

gb_status rs_download(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    cl_command_queue queue = gb_opencl_of(stream)->queue;
    if (p->shape.n == 0) return GB_OK;
    GB_CL_TRY(clEnqueueReadBuffer(queue, rs_buffer(p->keys_out), CL_FALSE, 0,
                                  p->shape.n * rs_key_bytes(p->shape.type), p->host_keys_out, 0,
                                  NULL, NULL),
              &job->error);
    if (p->payload_out)
        GB_CL_TRY(clEnqueueReadBuffer(queue, rs_buffer(p->payload_out), CL_FALSE, 0, p->shape.n * 4,
                                      p->host_payload_out, 0, NULL, NULL),
                  &job->error);
    return GB_OK;
}

/* ---- poison ---------------------------------------------------------------------------------- */

bool rs_output_on_host(const gb_job *job)
{
    return (job->variant->flags & GB_HOST) || job->scope == GB_SCOPE_HOST_TO_HOST;
}

gb_status rs_poison(gb_job *job, gb_stream stream)
{
    enum { GARBAGE = 0xA5 };
    const cl_uchar garbage = GARBAGE;
    gb_problem *p = job->problem;
    const uint64_t bytes = p->shape.n * rs_key_bytes(p->shape.type);
    cl_command_queue queue = gb_opencl_of(stream)->queue;
    if (rs_output_on_host(job)) {
        gb_status status = rs_problem_host(job);
        if (status != GB_OK) return status;
        memset(p->host_keys_out, GARBAGE, bytes);
        if (p->host_payload_out) memset(p->host_payload_out, GARBAGE, p->shape.n * 4);
    }
    if (p->keys_out && bytes)
        GB_CL_TRY(clEnqueueFillBuffer(queue, rs_buffer(p->keys_out), &garbage, 1, 0, bytes, 0, NULL,
                                      NULL),
                  &job->error);
    if (p->payload_out && bytes)
        GB_CL_TRY(clEnqueueFillBuffer(queue, rs_buffer(p->payload_out), &garbage, 1, 0,
                                      p->shape.n * 4, 0, NULL, NULL),
                  &job->error);
    return GB_OK;
}
