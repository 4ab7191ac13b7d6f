/* The partitions of our own as variants. */
#include "common/cuda/device.cuh"
#include "kernels/multipartition/partition/partition.h"
#include "kernels/multipartition/partition/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of keys of a distribution. */
static mp_keys keys_of(const char *dist)
{
    if (strcmp(dist, "sorted") == 0) return MP_KEYS_SORTED;
    if (strcmp(dist, "zipf") == 0) return MP_KEYS_SKEWED;
    if (strcmp(dist, "constant") == 0 || strncmp(dist, "distinct:", 9) == 0) return MP_KEYS_FEW;
    return MP_KEYS_ANY;
}

/* The sizes of a request. */
static mp_request request_of_point(const gb_params *params, mp_method method, bool stable)
{
    const mp_shape shape = mp_shape_of(params);
    mp_request r = {};
    r.n = shape.n;
    r.bins = shape.bins;
    r.key_bytes = shape.key_bytes;
    r.payload_bytes = shape.payload_bytes;
    r.function = shape.function;
    r.method = method;
    r.stable = stable;
    r.keys = keys_of(params->value[MP_DIST].text);
    return r;
}

/* A job's state: the request, with the method chosen, and its scratch. */
typedef struct partition_state {
    mp_request request;
    void *scratch;
} partition_state;

static gb_status prepare(gb_job *job, mp_method method, bool stable)
{
    const gb_problem *p = job->problem;
    partition_state *state = (partition_state *)calloc(1, sizeof *state);
    job->state = state;
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the request");
    mp_request *r = &state->request;
    *r = request_of_point(job->params, method, stable);
    r->keys_in = p->keys_in;
    r->payload_in = p->payload_in;
    r->keys_out = p->keys_out;
    r->payload_out = p->payload_out;
    r->offsets = p->offsets;
    r->salt = (uint32_t)p->seed | 1; /* a run is as another with the same seed */
    r->limits = r->key_bytes == 8 ? (const void *)p->bin.limits64 : (const void *)p->bin.limits;
    if (method == MP_AUTO) {
        r->method = mp_choose(r, job->device, NULL);
        snprintf(job->instance_name, sizeof job->instance_name, "%s", mp_method_name(r->method));
    }
    return gb_cuda_malloc(&state->scratch, mp_scratch_bytes(r, job->device) + 256,
                          "the partition's scratch", &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const partition_state *state = (const partition_state *)job->state;
    return mp_queue_partition(&state->request, job->device, state->scratch, stream, &job->error);
}

extern "C" gb_status mp_was_redone(gb_job *job, bool *redone)
{
    *redone = false;
    if (job->variant->run != run) return GB_OK;
    const partition_state *state = (const partition_state *)job->state;
    return mp_partition_redone(&state->request, job->device, state->scratch, redone, &job->error);
}

static const char *refuses(const gb_params *params, const gb_device *device, mp_method method,
                           bool stable)
{
    mp_request r = request_of_point(params, method, stable);
    if (r.function == MP_MAX)
        return "function max is the paper's: the library's partitions do not have it, but any "
               "limits (splitters)";
    if (method == MP_AUTO && !mp_tuning_points())
        return "no GPU was measured: `gpubench tune` measures this one";
    if (method == MP_AUTO) r.method = mp_choose(&r, device, NULL);
    return mp_refusal(&r, device);
}

static void cleanup(gb_job *job)
{
    partition_state *state = (partition_state *)job->state;
    if (state) (void)cudaFree(state->scratch);
    free(state);
    job->state = NULL;
}

/* A variant's functions take no argument that says which it is: one set for each. */
#define VARIANT(variable, method, stable, name, summary)                                        \
    static gb_status variable##_prepare(gb_job *job)                                            \
    {                                                                                           \
        return prepare(job, method, stable);                                                    \
    }                                                                                           \
    static const char *variable##_unsupported(const gb_params *params, const gb_device *device) \
    {                                                                                           \
        return refuses(params, device, method, stable);                                         \
    }                                                                                           \
    extern "C" const gb_variant variable = {name,                                               \
                                            summary,                                            \
                                            "gpubench",                                         \
                                            (stable) ? (unsigned)GB_STABLE : 0u,                \
                                            variable##_unsupported,                             \
                                            variable##_prepare,                                 \
                                            NULL,                                               \
                                            run,                                                \
                                            cleanup};

VARIANT(mp_unstable, MP_UNSTABLE, false, "unstable",
        "one pass into regions foreseen from a sample, groups written from shared memory")
VARIANT(mp_unstable_counted, MP_UNSTABLE_COUNTED, false, "unstable-counted",
        "one pass into regions counted before, groups written from shared memory")
VARIANT(mp_unstable_tiles, MP_UNSTABLE_TILES, false, "unstable-tiles",
        "one pass into foreseen regions, tiles sorted in shared memory and written run by run")
VARIANT(mp_unstable_tiles_counted, MP_UNSTABLE_TILES_COUNTED, false, "unstable-tiles-counted",
        "the same into regions counted before")
VARIANT(mp_unstable_resident, MP_UNSTABLE_RESIDENT, false, "unstable-resident",
        "small inputs, which stay on the chip between counting and writing")
VARIANT(mp_unstable_two_pass, MP_UNSTABLE_TWO_PASS, false, "unstable-two-pass",
        "by the bin's upper bits, then within those by the lower ones")
VARIANT(mp_unstable_sampled_two_pass, MP_UNSTABLE_SAMPLED_TWO_PASS, false,
        "unstable-sampled-two-pass",
        "the same, upper bits foreseen from a sample, bins counted while keys move by them")
VARIANT(mp_unstable_tiles_two_pass, MP_UNSTABLE_TILES_TWO_PASS, false, "unstable-tiles-two-pass",
        "by the bin's upper bits, then within those by the lower ones, both as "
        "unstable-tiles-counted")
VARIANT(mp_stable, MP_STABLE, true, "stable",
        "one pass, counted before, ranks by votes, groups written from shared memory")
VARIANT(mp_stable_two_pass, MP_STABLE_TWO_PASS, true, "stable-two-pass",
        "by the bin's lower bits, then by the upper ones")
VARIANT(mp_stable_drawn, MP_STABLE_DRAWN, true, "stable-drawn",
        "one pass, counted before, slots drawn in turn and each draw proved")
VARIANT(mp_stable_drawn_two_pass, MP_STABLE_DRAWN_TWO_PASS, true, "stable-drawn-two-pass",
        "by the bin's lower bits, then by the upper ones, both as stable-drawn")
VARIANT(mp_stable_drawn_three_pass, MP_STABLE_DRAWN_THREE_PASS, true, "stable-drawn-three-pass",
        "by the bin's lowest bits, the middle ones and the uppermost, all as stable-drawn")
VARIANT(mp_stable_tiles, MP_STABLE_TILES, true, "stable-tiles",
        "one pass, counted before, tiles sorted in shared memory and written run by run")
VARIANT(mp_stable_tiles_two_pass, MP_STABLE_TILES_TWO_PASS, true, "stable-tiles-two-pass",
        "by the bin's lower bits, then by the upper ones, both as stable-tiles")
VARIANT(mp_stable_resident, MP_STABLE_RESIDENT, true, "stable-resident",
        "small inputs, which stay on the chip between ranking and writing")
VARIANT(mp_auto, MP_AUTO, false, "auto",
        "the fastest of ours, by what was measured on this device or one like it")
VARIANT(mp_auto_stable, MP_AUTO, true, "auto-stable", "the fastest stable one of ours, by the same")
