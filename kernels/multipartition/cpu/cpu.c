/* Variant cpu: the sequential counting sort, one core, two passes over the keys. */
#include "kernels/multipartition/experiment.h"

static gb_status prepare(gb_job *job)
{
    return mp_problem_host(job->problem, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    struct gb_problem *p = job->problem;
    (void)stream;
    mp_oracle(&p->shape, &p->host_bin, p->host_keys_in, p->host_payload_in, p->host_keys_out,
              p->host_payload_out, p->host_offsets);
    return GB_OK;
}

const gb_variant mp_cpu = {
    .name = "cpu",
    .summary = "sequential counting sort on one core: the oracle, timed",
    .origin = "gpubench",
    .flags = GB_STABLE | GB_HOST,
    .prepare = prepare,
    .run = run,
};
