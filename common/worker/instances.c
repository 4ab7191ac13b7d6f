/* Which instance of a variant a job runs: all are tried on the job's own data, caches as its
 * samples will have them, and the fastest goes on. */
#include "common/worker/instances.h"

#include "common/worker/measure.h"

#include <stdlib.h>
#include <string.h>

/* A trial takes at least so many samples, and more while it is short. */
enum { FEWEST = 3, MOST = 15 };
static const double trial_s = 0.02;

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static gb_status prepare(gb_open_job *open, gb_error *error)
{
    gb_job *job = &open->job;
    gb_status status = job->variant->prepare ? job->variant->prepare(job) : GB_OK;
    if (status != GB_OK) *error = job->error;
    return status;
}

/* What prepare made is gone, and the job as it was before. */
static void take_back(gb_open_job *open, uint64_t memory_used)
{
    if (open->job.variant->cleanup) open->job.variant->cleanup(&open->job);
    open->job.state = NULL;
    open->job.memory_used = memory_used;
    open->has_run = open->ungated = false;
}

/* The median time of the job as it is prepared. */
static gb_status time_it(gb_service *service, gb_open_job *open, double *median_s, gb_error *error)
{
    double times[MOST];
    gb_status status = gb_take_samples(service, open, times, FEWEST, error);
    size_t count = FEWEST;
    if (status == GB_OK && times[FEWEST - 1] > 0 && times[FEWEST - 1] * MOST < trial_s) {
        status = gb_take_samples(service, open, times + FEWEST, MOST - FEWEST, error);
        count = MOST;
    }
    if (status != GB_OK) return status;
    qsort(times, count, sizeof *times, by_size);
    *median_s = times[count / 2];
    return GB_OK;
}

/* Writes an instance's name into the job; false if there is none of that number. */
static bool name_instance(gb_job *job, unsigned i)
{
    const char *name = job->variant->instance ? job->variant->instance(job->params, i) : NULL;
    job->instance = i;
    job->instance_name[0] = '\0';
    if (name) strncat(job->instance_name, name, sizeof job->instance_name - 1);
    return name != NULL;
}

gb_status gb_prepare_instance(gb_service *service, gb_open_job *open, cJSON *tried, gb_error *error)
{
    gb_job *job = &open->job;
    const uint64_t memory_used = job->memory_used;
    unsigned best = 0;
    double best_s = 0;
    gb_status status = GB_OK;
    const bool choice = name_instance(job, 1);
    if (choice && open->members > 1)
        return gb_fail(error, GB_UNSUPPORTED,
                       "%s times what it could run and takes the fastest, which several processes "
                       "may not find the same",
                       job->variant->name);
    for (unsigned i = 0; choice && name_instance(job, i); i++) {
        double median_s = 0;
        status = prepare(open, error);
        if (status == GB_OK) status = time_it(service, open, &median_s, error);
        if (status == GB_CRASHED) return status; /* the device cannot be trusted any more */
        take_back(open, memory_used);
        cJSON *trial = cJSON_CreateObject();
        cJSON_AddStringToObject(trial, "name", job->instance_name);
        if (status == GB_OK)
            cJSON_AddNumberToObject(trial, "median_s", median_s);
        else
            cJSON_AddStringToObject(trial, "reason", error->text);
        cJSON_AddItemToArray(tried, trial);
        if (status == GB_OK && (best_s == 0 || median_s < best_s)) {
            best = i;
            best_s = median_s;
        }
    }
    /* Where none could run, the first one says why. */
    *error = (gb_error){GB_OK, ""};
    (void)name_instance(job, best);
    return prepare(open, error);
}
