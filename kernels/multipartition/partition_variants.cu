/* The partitions of our own as variants. */
#include "common/cuda/device.cuh"
#include "kernels/multipartition/partition.h"

static mp_request request_of(const gb_problem *p)
{
    mp_request r = {};
    r.keys_in = p->keys_in;
    r.payload_in = p->payload_in;
    r.keys_out = p->keys_out;
    r.payload_out = p->payload_out;
    r.offsets = p->offsets;
    r.n = p->shape.n;
    r.key_bytes = p->shape.key_bytes;
    r.payload_bytes = p->shape.payload_bytes;
    r.function = p->shape.function;
    r.bin = p->bin;
    return r;
}

static gb_status prepare(gb_job *job, mp_method method)
{
    const mp_request r = request_of(job->problem);
    return gb_cuda_malloc(&job->state, mp_partition_scratch(method, &r, job->device) + 256,
                          "the partition's scratch", &job->error);
}

static gb_status run(gb_job *job, gb_stream stream, mp_method method)
{
    const mp_request r = request_of(job->problem);
    return mp_partition(method, &r, job->device, job->state, stream, &job->error);
}

static const char *refuses(const gb_params *params, const gb_device *device, mp_method method)
{
    const mp_shape shape = mp_shape_of(params);
    return mp_partition_refuses(method, shape.key_bytes, shape.payload_bytes, shape.bins, device);
}

static void cleanup(gb_job *job)
{
    (void)cudaFree(job->state);
    job->state = NULL;
}

/* A variant's functions take no argument that says which it is: one set for each. */
#define VARIANT(variable, method, name, summary, flags)                                         \
    static gb_status variable##_prepare(gb_job *job)                                            \
    {                                                                                           \
        return prepare(job, method);                                                            \
    }                                                                                           \
    static gb_status variable##_run(gb_job *job, gb_stream stream)                              \
    {                                                                                           \
        return run(job, stream, method);                                                        \
    }                                                                                           \
    static const char *variable##_unsupported(const gb_params *params, const gb_device *device) \
    {                                                                                           \
        return refuses(params, device, method);                                                 \
    }                                                                                           \
    extern "C" const gb_variant variable = {                                                    \
        name, summary,        "gpubench", flags, variable##_unsupported, variable##_prepare,    \
        NULL, variable##_run, cleanup};

VARIANT(mp_unstable, MP_UNSTABLE, "unstable",
        "one pass into regions foreseen from a sample, groups written from shared memory", 0)
VARIANT(mp_stable, MP_STABLE, "stable",
        "one pass, counted before, ranks by votes, groups written from shared memory", GB_STABLE)
VARIANT(mp_unstable_two_pass, MP_UNSTABLE_TWO_PASS, "unstable-two-pass",
        "by the bin's upper bits, then within those by the lower ones", 0)
VARIANT(mp_stable_two_pass, MP_STABLE_TWO_PASS, "stable-two-pass",
        "by the bin's lower bits, then by the upper ones", GB_STABLE)
