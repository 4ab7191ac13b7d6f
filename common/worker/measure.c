/* Answers `verify`, `sample` and `profile`: runs an open job and judges, times or shows it. */
#include "common/worker/measure.h"

#include "common/worker/clock.h"
#include "common/worker/host_cache.h"
#include "common/worker/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 1000000, GATE_FAILURES = 3 };

/* ---- running --------------------------------------------------------------------------------- */

/* Whether the data of a run are carried between host and device in the timed region, around run. A
 * variant on the CPU has them where they are; one that moves them itself does so in run. */
static bool transfers(const gb_job *job)
{
    return job->scope == GB_SCOPE_HOST_TO_HOST &&
           !(job->variant->flags & (GB_HOST | GB_OWN_TRANSFERS));
}

/* The timed region. */
static gb_status run_region(void *context, gb_stream stream)
{
    gb_job *job = context;
    gb_status status = GB_OK;
    if (transfers(job)) status = job->primitive->upload(job, stream);
    if (status == GB_OK) status = job->variant->run(job, stream);
    if (status == GB_OK && transfers(job)) status = job->primitive->download(job, stream);
    return status;
}

static gb_status poison_region(void *context, gb_stream stream)
{
    gb_job *job = context;
    return job->primitive->poison(job, stream);
}

static gb_status reset_region(void *context, gb_stream stream)
{
    gb_job *job = context;
    return job->variant->reset ? job->variant->reset(job, stream) : GB_OK;
}

static gb_status check_region(void *context, gb_stream stream)
{
    gb_job *job = context;
    return job->primitive->check(job, stream);
}

/* Puts the step that failed before the reason, for an error of the device surfaces at whichever
 * call waits for it. */
static void name_step(gb_error *error, const gb_job *job, const char *step)
{
    char text[sizeof error->text];
    memcpy(text, error->text, sizeof text);
    snprintf(error->text, sizeof error->text, "%s of %s: %.400s", step, job->variant->name,
             text[0] ? text : "it failed without giving a reason");
}

/* One step with its wait, untimed. */
static gb_status run_step(gb_service *service, gb_job *job, const char *name, gb_region region,
                          gb_error *error)
{
    job->error = (gb_error){GB_OK, ""};
    gb_status status = region(job, gb_backend_stream(service->backend));
    if (status != GB_OK)
        *error = job->error;
    else
        status = gb_backend_sync(service->backend, error);
    if (status != GB_OK) name_step(error, job, name);
    return status;
}

/* A time that an earlier run has told and no sample has taken; it stays if seconds is NULL. */
static bool told(gb_open_job *open, double *seconds)
{
    return open->job.variant->told && open->job.variant->told(&open->job, seconds);
}

/* A run that is no sample: nor is what it tells. */
static gb_status run_untimed(gb_service *service, gb_open_job *open, gb_error *error)
{
    gb_status status = run_step(service, &open->job, "reset", reset_region, error);
    double start = gb_clock_s();
    if (status == GB_OK) status = run_step(service, &open->job, "run", run_region, error);
    if (status != GB_OK) return status;
    open->run_s = gb_clock_s() - start;
    open->has_run = true;
    for (double unused; told(open, &unused);) {
    }
    return GB_OK;
}

/* ---- one run, timed -------------------------------------------------------------------------- */

/* A variant on the CPU is timed by the host's clock. On a GPU everything that can be queued without
 * waiting goes behind the gate; copies from and to the host may wait, and so may GB_WAITS. */
static gb_clock clock_of(const gb_open_job *open)
{
    if (open->job.variant->flags & (GB_HOST | GB_HOST_CLOCK)) return GB_CLOCK_HOST;
    bool waits = open->ungated || open->job.waits || transfers(&open->job) ||
                 (open->job.variant->flags & (GB_WAITS | GB_OWN_TRANSFERS));
    return waits ? GB_CLOCK_EVENTS : GB_CLOCK_GATED;
}

static gb_status evict(gb_service *service, const gb_open_job *open, gb_error *error)
{
    if (!(open->job.variant->flags & GB_HOST)) return gb_backend_evict(service->backend, error);
    gb_host_cache_evict();
    return GB_OK;
}

/* One run, timed; *expired as in gb_backend_time. */
static gb_status sample_once(gb_service *service, gb_open_job *open, double *seconds, bool *expired,
                             gb_error *error)
{
    gb_job *job = &open->job;
    if (told(open, seconds)) return GB_OK;
    job->error = (gb_error){GB_OK, ""};
    gb_status status = reset_region(job, gb_backend_stream(service->backend));
    if (status != GB_OK) {
        *error = job->error;
        name_step(error, job, "reset");
        return status;
    }
    if (open->cold) status = evict(service, open, error);
    if (status != GB_OK) return status;
    status =
        gb_backend_time(service->backend, clock_of(open), run_region, job, seconds, expired, error);
    if (status != GB_OK) {
        if (!error->text[0]) *error = job->error;
        name_step(error, job, "run");
    } else if (job->variant->told && !told(open, seconds)) {
        status = gb_fail(error, GB_CRASHED, "%s has told no time", job->variant->name);
    }
    return status;
}

/* Whether a run leaves caches behind that help the next one: on the CPU that does not always
 * show, where a run begins without a context it finds none, and where it begins with a new input of
 * many times the cache's size that has displaced whatever was left. */
static bool leaves_caches_warm(const gb_open_job *open)
{
    const uint64_t l2_bytes = open->job.device->l2_bytes;
    if (open->job.variant->flags & GB_HOST_CLOCK) return false;
    if (transfers(&open->job) && l2_bytes > 0 && open->footprint > 4 * l2_bytes) return false;
    return !(open->job.variant->flags & GB_HOST) ||
           gb_host_cache_helps(open->footprint, open->run_s);
}

/* ---- verify ---------------------------------------------------------------------------------- */

/* Which kernels the last run launched, and of how many blocks in all. */
static void add_kernels(gb_service *service, cJSON *answer)
{
    enum { MOST = 64 };
    gb_kernel *kernels = malloc(MOST * sizeof *kernels);
    const size_t count = kernels ? gb_backend_launched(service->backend, kernels, MOST) : 0;
    double blocks = 0;
    cJSON *list = count ? cJSON_AddArrayToObject(answer, "kernels") : NULL;
    for (size_t i = 0; i < count && i < MOST; i++) {
        const gb_kernel *kernel = &kernels[i];
        blocks += (double)kernel->blocks;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", kernel->name);
        cJSON_AddNumberToObject(object, "launches", (double)kernel->launches);
        cJSON_AddNumberToObject(object, "threads", kernel->threads);
        cJSON_AddNumberToObject(object, "registers", kernel->registers);
        cJSON_AddNumberToObject(object, "local_bytes", (double)kernel->local_bytes);
        cJSON_AddNumberToObject(object, "shared_bytes", (double)kernel->shared_bytes);
        cJSON_AddNumberToObject(object, "blocks_per_sm", kernel->blocks_per_sm);
        cJSON_AddItemToArray(list, object);
    }
    if (count && count <= MOST) cJSON_AddNumberToObject(answer, "blocks", blocks);
    free(kernels);
}

/* A run of a function on the CPU that the check follows can be a sample as well: what took so long
 * that caches do not show, or found them emptied, took no other time for being checked. *seconds is
 * 0 where it is none. */
static gb_status run_sampled(gb_service *service, gb_open_job *open, double *seconds,
                             gb_error *error)
{
    bool expired = false;
    gb_status status = sample_once(service, open, seconds, &expired, error);
    if (status == GB_OK) status = gb_backend_sync(service->backend, error);
    if (status != GB_OK) return status;
    open->run_s = *seconds;
    open->has_run = true;
    if (!open->cold && leaves_caches_warm(open)) *seconds = 0;
    return GB_OK;
}

/* Whether a verification may be asked for a sample of this job. */
static bool can_sample_verified(const gb_open_job *open)
{
    return (open->job.variant->flags & GB_HOST) && !(open->job.variant->flags & GB_PROCESS) &&
           !open->job.variant->told;
}

void gb_handle_verify(gb_service *service, const cJSON *request, cJSON *answer)
{
    gb_open_job *open = gb_find_job(service, request, answer);
    if (!open) return;
    gb_backend_team_at_work(open->members);
    gb_job *job = &open->job;
    gb_error error = {GB_OK, ""};
    const bool sampled = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(request, "sample")) &&
                         can_sample_verified(open);
    double start = gb_clock_s(), sample_s = 0;
    service->warm = NULL; /* the checker reads everything */
    gb_status status = run_step(service, job, "poison", poison_region, &error);
    gb_backend_begin_schedule(service->backend);
    gb_backend_record_launches(service->backend, true);
    if (status == GB_OK)
        status = sampled ? run_sampled(service, open, &sample_s, &error)
                         : run_untimed(service, open, &error);
    gb_backend_record_launches(service->backend, false);
    gb_backend_end_schedule(service->backend);
    bool wrong = false, redone = false;
    if (status == GB_OK) {
        job->error = (gb_error){GB_OK, ""};
        status = check_region(job, gb_backend_stream(service->backend));
        wrong = status == GB_WRONG;
        error = job->error;
        if (status == GB_OK || wrong) {
            gb_error late = {GB_OK, ""};
            gb_status synced = gb_backend_sync(service->backend, &late);
            if (synced != GB_OK) {
                status = synced;
                error = late;
                wrong = false;
            }
        }
        if (status != GB_OK && !wrong) name_step(&error, job, "check");
    }
    if (status == GB_OK && job->primitive->redone) {
        status = job->primitive->redone(job, &redone);
        if (status != GB_OK) {
            error = job->error;
            name_step(&error, job, "redone");
        }
    }
    double busy_s = gb_clock_s() - start;
    if (status != GB_OK && !wrong) {
        gb_refuse_failure(service, answer, status, &error);
        return;
    }
    cJSON_AddStringToObject(answer, "verdict", wrong ? "wrong" : "ok");
    if (wrong) {
        cJSON_AddStringToObject(answer, "reason",
                                error.text[0] ? error.text : "the checker gave no reason");
    }
    cJSON_AddBoolToObject(answer, "redone", redone);
    if (sample_s > 0) cJSON_AddNumberToObject(answer, "time_s", sample_s);
    add_kernels(service, answer);
    cJSON_AddNumberToObject(answer, "busy_s", busy_s);
}

/* ---- sample ---------------------------------------------------------------------------------- */

/* One sample for sure: again when the gate gave up, and without it for good when it gave up
 * GATE_FAILURES times in a row. With other processes at once, and it is not taken again: they have
 * taken theirs. */
static gb_status take_sample(gb_service *service, gb_open_job *open, double *seconds,
                             gb_error *error)
{
    for (int failures = 0;;) {
        bool expired = false;
        gb_status status = sample_once(service, open, seconds, &expired, error);
        if (status != GB_OK || !expired) return status;
        if (++failures == GATE_FAILURES || open->members > 1) {
            open->ungated = true;
            fprintf(stderr,
                    "gpubench worker: %s cannot be queued without waiting for the device (or a "
                    "profiler or a full launch queue waits for it): its times include the host's "
                    "launch latency from here on\n",
                    open->job.variant->name);
            if (open->members > 1) return GB_OK;
        }
    }
}

/* A kernel's code is loaded when it is first launched, which waits for the device: a job that has
 * not been verified runs once untimed. So does one whose turn it is after another job: a warm
 * sample finds the caches as the variant's own last run left them. A job of several processes
 * always does, since of each another one may have had the turn before. */
static gb_status take_turn(gb_service *service, gb_open_job *open, gb_error *error)
{
    const bool cooled = service->warm != open && leaves_caches_warm(open) && !told(open, NULL);
    if (!open->has_run || (!open->cold && cooled) || open->members > 1) {
        gb_status status = run_untimed(service, open, error);
        if (status != GB_OK) return status;
    }
    service->warm = open;
    return GB_OK;
}

gb_status gb_take_samples(gb_service *service, gb_open_job *open, double *times_s, size_t count,
                          gb_error *error)
{
    gb_status turn = take_turn(service, open, error);
    if (turn != GB_OK) return turn;
    for (size_t i = 0; i < count; i++) {
        gb_status status = take_sample(service, open, &times_s[i], error);
        if (status != GB_OK) return status;
    }
    gb_status status = gb_backend_sync(service->backend, error);
    if (status != GB_OK) name_step(error, &open->job, "run");
    return status;
}

void gb_handle_sample(gb_service *service, const cJSON *request, cJSON *answer)
{
    gb_open_job *open = gb_find_job(service, request, answer);
    if (!open) return;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, "count");
    uint64_t count;
    if (!cJSON_IsNumber(item) || !gb_request_whole(item, &count) || count < 1 ||
        count > MAX_SAMPLES) {
        gb_refuse(answer, "protocol", "\"count\" must be a whole number from 1 to %d", MAX_SAMPLES);
        return;
    }
    double *times_s = malloc(count * sizeof *times_s);
    if (!times_s) {
        gb_refuse(answer, "out_of_memory", "no host memory for the samples");
        return;
    }
    gb_error error = {GB_OK, ""};
    gb_backend_team_at_work(open->members);
    double start = gb_clock_s();
    gb_status status = gb_take_samples(service, open, times_s, count, &error);
    double busy_s = gb_clock_s() - start;
    if (status != GB_OK) {
        gb_refuse_failure(service, answer, status, &error);
    } else {
        cJSON_AddItemToObject(answer, "times_s", cJSON_CreateDoubleArray(times_s, (int)count));
        if (open->ungated) cJSON_AddTrueToObject(answer, "ungated");
        if (open->job.variant->told) cJSON_AddTrueToObject(answer, "told");
        cJSON_AddNumberToObject(answer, "busy_s", busy_s);
    }
    free(times_s);
}

/* ---- profile --------------------------------------------------------------------------------- */

/* One run, as a sample has it, where a profiler looks. */
static gb_status profile_once(gb_service *service, gb_open_job *open, gb_error *error)
{
    gb_job *job = &open->job;
    gb_status status = take_turn(service, open, error);
    if (status == GB_OK) status = run_step(service, job, "reset", reset_region, error);
    if (status == GB_OK && open->cold) status = evict(service, open, error);
    if (status != GB_OK) return status;
    job->error = (gb_error){GB_OK, ""};
    status = gb_backend_profile(service->backend, run_region, job, error);
    if (status == GB_OK) return GB_OK;
    if (!error->text[0]) *error = job->error;
    name_step(error, job, "run");
    return status;
}

void gb_handle_profile(gb_service *service, const cJSON *request, cJSON *answer)
{
    gb_open_job *open = gb_find_job(service, request, answer);
    if (!open) return;
    if (open->job.variant->flags & GB_HOST) {
        gb_refuse(answer, "unsupported", "it runs on the CPU: a profiler of GPUs sees nothing");
        return;
    }
    gb_error error = {GB_OK, ""};
    gb_backend_team_at_work(open->members);
    double start = gb_clock_s();
    gb_status status = profile_once(service, open, &error);
    if (status != GB_OK)
        gb_refuse_failure(service, answer, status, &error);
    else
        cJSON_AddNumberToObject(answer, "busy_s", gb_clock_s() - start);
}
