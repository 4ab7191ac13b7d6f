/* Both sides of a sort as a program's first call. Timed is all of a process: its start, the driver
 * and its context, the program or module, memory, keys in, the sort, keys out, its end. Keys come
 * and go in memory that it shares with the worker, not page-locked, as a program's own are. */
#include "kernels/radix-sort/paper/first_call.h"

#include "common/worker/fresh_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t most_keys = (uint64_t)1 << 27;

/* What lies in the shared memory, at its beginning. Arrays are given by where they lie in it. */
typedef struct shared_point {
    rs_shape shape;
    uint64_t memory_limit;
    uint64_t keys_in, keys_out, payload_in, payload_out; /* payload: 0 where there is none */
} shared_point;

/* The next array of so many bytes and 16 of slack; *end is where the one after it may begin. */
static uint64_t lay_out(uint64_t *end, uint64_t bytes)
{
    const uint64_t at = *end;
    *end += (bytes + 16 + 63) / 64 * 64;
    return at;
}

/* Returns the bytes of all. */
static uint64_t lay_out_point(const rs_shape *shape, shared_point *point)
{
    uint64_t end = 0;
    (void)lay_out(&end, sizeof *point);
    *point = (shared_point){.shape = *shape};
    point->keys_in = lay_out(&end, shape->n * rs_key_bytes(shape->type));
    point->keys_out = lay_out(&end, shape->n * rs_key_bytes(shape->type));
    if (shape->payload) {
        point->payload_in = lay_out(&end, shape->n * 4);
        point->payload_out = lay_out(&end, shape->n * 4);
    }
    return end;
}

static void *array_at(void *shared, uint64_t at)
{
    return at ? (char *)shared + at : NULL;
}

/* ---- the side that waits --------------------------------------------------------------------- */

/* The variant's job. */
typedef struct first_call {
    gb_fresh fresh;
    char inner[GB_MAX_TEXT]; /* the variant that the process runs */
} first_call;

const char *rs_first_call_unsupported(const gb_params *params, const gb_device *device)
{
    if (params->value[RS_N].size <= most_keys) return rs_no_wide_payload(params, device);
    return gb_reason("what a first call costs beside the sort is lost in larger inputs: at most "
                     "%llu keys",
                     (unsigned long long)most_keys);
}

gb_status rs_first_call_prepare(gb_job *job)
{
    static const char suffix[] = "-first-call";
    const rs_shape *shape = &job->problem->shape;
    const char *name = job->variant->name;
    gb_status status = rs_problem_host(job);
    if (status != GB_OK) return status;
    first_call *s = job->state = calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    snprintf(s->inner, sizeof s->inner, "%.*s", (int)(strlen(name) - strlen(suffix)), name);
    shared_point point;
    status = gb_fresh_open(&s->fresh, lay_out_point(shape, &point), &job->error);
    if (status != GB_OK) return status;
    point.memory_limit = job->memory_limit;
    memcpy(s->fresh.data, &point, sizeof point);
    return GB_OK;
}

void rs_first_call_cleanup(gb_job *job)
{
    first_call *s = job->state;
    if (!s) return;
    gb_fresh_close(&s->fresh);
    free(s);
    job->state = NULL;
}

/* The input as it was; of the last output nothing is left that a process which does nothing could
 * be taken to have written. */
gb_status rs_first_call_reset(gb_job *job, gb_stream stream)
{
    enum { GARBAGE = 0x5A };
    const first_call *s = job->state;
    const struct gb_problem *p = job->problem;
    const shared_point *point = s->fresh.data;
    const uint64_t bytes = p->shape.n * rs_key_bytes(p->shape.type);
    (void)stream;
    memcpy(array_at(s->fresh.data, point->keys_in), p->host_keys_in, bytes);
    memset(array_at(s->fresh.data, point->keys_out), GARBAGE, bytes);
    if (!p->shape.payload) return GB_OK;
    memcpy(array_at(s->fresh.data, point->payload_in), p->host_payload_in, p->shape.n * 4);
    memset(array_at(s->fresh.data, point->payload_out), GARBAGE, p->shape.n * 4);
    return GB_OK;
}

/* The copy to where the checker looks is in the time: 0.1 % of it. */
gb_status rs_first_call_run(gb_job *job, gb_stream stream)
{
    const first_call *s = job->state;
    const struct gb_problem *p = job->problem;
    const shared_point *point = s->fresh.data;
    (void)stream;
    gb_status status = gb_fresh_run(&s->fresh, job, s->inner, &job->error);
    if (status != GB_OK) return status;
    memcpy(p->host_keys_out, array_at(s->fresh.data, point->keys_out),
           p->shape.n * rs_key_bytes(p->shape.type));
    if (p->shape.payload)
        memcpy(p->host_payload_out, array_at(s->fresh.data, point->payload_out), p->shape.n * 4);
    return GB_OK;
}

/* ---- the fresh process ----------------------------------------------------------------------- */

static gb_status sort_once(gb_job *job, gb_stream stream)
{
    gb_status status = job->variant->prepare(job);
    if (status == GB_OK) status = rs_upload(job, stream);
    if (status == GB_OK) status = job->variant->run(job, stream);
    return status == GB_OK ? rs_download(job, stream) : status;
}

gb_status rs_run_fresh(const gb_variant *variant, void *shared, gb_stream stream, gb_error *error)
{
    const shared_point *point = shared;
    struct gb_problem *p = calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = point->shape;
    p->brought = true;
    p->host_keys_in = array_at(shared, point->keys_in);
    p->host_keys_out = array_at(shared, point->keys_out);
    p->host_payload_in = array_at(shared, point->payload_in);
    p->host_payload_out = array_at(shared, point->payload_out);
    gb_job job = {.variant = variant,
                  .problem = p,
                  .scope = GB_SCOPE_HOST_TO_HOST,
                  .memory_limit = point->memory_limit};
    gb_status status = sort_once(&job, stream);
    *error = job.error;
    variant->cleanup(&job);
    p->host_keys_in = p->host_keys_out = NULL; /* the shared memory's */
    p->host_payload_in = p->host_payload_out = NULL;
    rs_close(p);
    return status;
}
