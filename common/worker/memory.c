/* Counts the device memory of a job against its limit. */
#include "common/gpubench.h"

#include <inttypes.h>

gb_status gb_job_charge(gb_job *job, uint64_t bytes, const char *what)
{
    const uint64_t limit = job->memory_limit, used = job->memory_used;
    const uint64_t left = limit > used ? limit - used : 0;
    if (limit && bytes > left)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "%s: %" PRIu64 " bytes of device memory needed, %" PRIu64 " free: "
                       "measure.device_memory allows this job %" PRIu64 " bytes, of which it uses "
                       "%" PRIu64 " already",
                       what, bytes, left, limit, used);
    if (bytes > UINT64_MAX - used)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "%s: %" PRIu64 " bytes of device memory needed, more than can be counted",
                       what, bytes);
    job->memory_used += bytes;
    return GB_OK;
}

void gb_job_discharge(gb_job *job, uint64_t bytes)
{
    job->memory_used -= bytes < job->memory_used ? bytes : job->memory_used;
}
