/* Variant round-trip: bytes from page-locked host memory to the device and as many back, both at
 * once on two streams. What a sort of more than the device holds is compared with: everything has
 * to cross the bus once in each direction. Its rate counts the bytes of one direction. */
#include "common/cuda/device.cuh"
#include "kernels/null/null.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct round_trip {
    null_locked host;
    cudaStream_t in, out;
    cudaEvent_t begun, in_done, out_done;
} round_trip;

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return params->value[NULL_BYTES].size ? NULL : "there is nothing to copy: give bytes";
}

static gb_status locked(gb_job *job, unsigned char **out, uint64_t bytes, const char *what)
{
    cudaError_t code = cudaMallocHost((void **)out, bytes);
    if (code == cudaSuccess) return GB_OK;
    (void)cudaGetLastError();
    *out = NULL;
    return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                   "%s takes %.3f GB of page-locked host memory: %s; copy fewer bytes, or raise "
                   "the limit on locked memory (ulimit -l)",
                   what, 1e-9 * (double)bytes, cudaGetErrorString(code));
}

static gb_status prepare(gb_job *job)
{
    const gb_problem *p = job->problem;
    round_trip *r = (round_trip *)calloc(1, sizeof *r);
    if (!r) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    job->state = r;
    gb_status status = locked(job, &r->host.source, p->bytes, "the source");
    if (status == GB_OK)
        status = locked(job, &r->host.target, p->bytes + NULL_GUARD_BYTES, "the target");
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(r->host.source, p->source, p->bytes, cudaMemcpyDeviceToHost), &job->error);
    GB_TRY(cudaStreamCreateWithFlags(&r->in, cudaStreamNonBlocking), &job->error);
    GB_TRY(cudaStreamCreateWithFlags(&r->out, cudaStreamNonBlocking), &job->error);
    cudaEvent_t *const events[] = {&r->begun, &r->in_done, &r->out_done};
    for (cudaEvent_t *event : events)
        GB_TRY(cudaEventCreateWithFlags(event, cudaEventDisableTiming), &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    round_trip *r = (round_trip *)job->state;
    if (!r) return;
    cudaEvent_t const events[] = {r->begun, r->in_done, r->out_done};
    for (cudaEvent_t event : events)
        if (event) (void)cudaEventDestroy(event);
    if (r->in) (void)cudaStreamDestroy(r->in);
    if (r->out) (void)cudaStreamDestroy(r->out);
    if (r->host.source) (void)cudaFreeHost(r->host.source);
    if (r->host.target) (void)cudaFreeHost(r->host.target);
    free(r);
    job->state = NULL;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const round_trip *r = (const round_trip *)job->state;
    cudaStream_t queue = gb_cuda_stream(stream);
    GB_TRY(cudaEventRecord(r->begun, queue), &job->error);
    GB_TRY(cudaStreamWaitEvent(r->in, r->begun, 0), &job->error);
    GB_TRY(cudaStreamWaitEvent(r->out, r->begun, 0), &job->error);
    GB_TRY(cudaMemcpyAsync(p->target, r->host.source, p->bytes, cudaMemcpyHostToDevice, r->in),
           &job->error);
    GB_TRY(cudaMemcpyAsync(r->host.target, p->source, p->bytes, cudaMemcpyDeviceToHost, r->out),
           &job->error);
    GB_TRY(cudaEventRecord(r->in_done, r->in), &job->error);
    GB_TRY(cudaEventRecord(r->out_done, r->out), &job->error);
    GB_TRY(cudaStreamWaitEvent(queue, r->in_done, 0), &job->error);
    GB_TRY(cudaStreamWaitEvent(queue, r->out_done, 0), &job->error);
    return GB_OK;
}

extern "C" {
const gb_variant null_round_trip = {
    "round-trip", "host to device and device to host at once, page-locked: the bus",
    "gpubench",   GB_OWN_TRANSFERS,
    unsupported,  prepare,
    NULL,         run,
    cleanup,
};

bool null_round_trips(const gb_variant *variant)
{
    return variant->prepare == prepare;
}

void null_round_trip_poison(gb_job *job)
{
    memset(static_cast<const null_locked *>(job->state)->target, NULL_POISON,
           job->problem->bytes + NULL_GUARD_BYTES);
}

gb_status null_round_trip_check(gb_job *job)
{
    const gb_problem *p = job->problem;
    const null_locked *host = static_cast<const null_locked *>(job->state);
    for (uint64_t u = 0; u * 16 < p->bytes; u++) {
        const gb_random4 four = null_unit(p->seed, u);
        const uint64_t left = p->bytes - u * 16, size = left < 16 ? left : 16;
        if (memcmp(host->target + u * 16, four.word, size) != 0)
            return gb_fail(&job->error, GB_WRONG,
                           "bytes %" PRIu64 " to %" PRIu64
                           " that came to the host are not the source's",
                           (u * 16), (u * 16 + size - 1));
        if (memcmp(host->source + u * 16, four.word, size) != 0)
            return gb_fail(&job->error, GB_WRONG,
                           "bytes %" PRIu64 " to %" PRIu64 " of the host's source changed",
                           (u * 16), (u * 16 + size - 1));
    }
    for (uint64_t i = 0; i < NULL_GUARD_BYTES; i++)
        if (host->target[p->bytes + i] != NULL_POISON)
            return gb_fail(&job->error, GB_WRONG,
                           "byte %" PRIu64 " at the host is written, which lies behind the copy",
                           (p->bytes + i));
    return GB_OK;
}
}
