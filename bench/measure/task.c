/* One row in the making: how many samples to ask for, when they are enough, when time is up. */
#include "bench/measure/task.h"

#include "bench/util/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A request for samples takes about this long, so that the variants of a point take turns fast
 * enough for slow drift to meet them all alike, and rarely enough to cost nothing. */
static const double request_s = 5e-3;
/* At least so many turns, where there are as many samples: those of one turn share a state of the
 * device that the next does not, and an interval that takes samples for independent is then too
 * narrow. Of the 672 rows of multipartition.json on an H200, 100 samples each, 191 were flagged
 * autocorrelated with 20 samples a turn, 134 with 5, 82 to 95 with 4 and 19 to 50 with 2, at 7, 6,
 * 10 and 13 % of the time outside kernels, which should stay under 10 %. */
enum { FEWEST_TURNS = 20 };

/* A function on the CPU that takes so long does not run only to be verified: its verified runs are
 * samples. */
static const double long_run_s = 0.1;

/* Closing and asking for the clocks cost the row nothing, but a worker that does not answer is to
 * be noticed as soon as in the row's other requests: within its limit, or this. */
static const double least_closing_s = 3;

static double closing_limit_s(const gb_task_context *context)
{
    return fmin(gb_worker_limit_s(), fmax(context->measure->time_limit_s, least_closing_s));
}

/* The number of samples after which to stop or think again. */
static unsigned target_of(const gb_task *task)
{
    return task->target ? task->target : task->sampling.samples;
}

static const char *variant_name(const gb_task_context *context, const gb_task *task)
{
    return context->link->primitive->variants[task->row.variant].name;
}

/* What is left of the task's time; an error if nothing is. */
static gb_status time_left(const gb_task_context *context, const gb_task *task, double *left_s,
                           gb_error *error)
{
    *left_s = context->measure->time_limit_s - task->spent_s;
    if (*left_s > 0) return GB_OK;
    return gb_fail(error, GB_TIMEOUT,
                   "the time limit of %.3g s was used up after %u samples; raise time_limit_s or "
                   "take fewer samples",
                   context->measure->time_limit_s, task->count);
}

/* A request that got no answer in what was left of the time says what the limit is. */
static gb_status explain(const gb_task_context *context, gb_status status, gb_error *error)
{
    if (status != GB_TIMEOUT || gb_worker_used_up_cpu(context->link->session->worker))
        return status;
    gb_error why = *error;
    return gb_fail(error, GB_TIMEOUT,
                   "the time limit of %.3g s ended (raise time_limit_s if it is only slow): %.420s",
                   context->measure->time_limit_s, why.text);
}

static gb_status verify(const gb_task_context *context, gb_task *task, const char *when,
                        gb_error *error)
{
    double left_s;
    gb_status status = time_left(context, task, &left_s, error);
    if (status != GB_OK) return status;
    double begun = gb_now(), run_s = 0;
    const bool samples =
        !task->sampling.automatic && context->link->primitive->variants[task->row.variant].host;
    status = gb_job_verify(context->link, task->job, left_s, samples ? &run_s : NULL, &task->told,
                           error);
    task->judged_s = run_s >= long_run_s ? run_s : 0;
    if (task->told.redone) task->row.flags |= GB_FLAG_REDONE;
    task->row.blocks = task->told.blocks;
    task->verify_s = gb_now() - begun;
    task->spent_s += task->verify_s;
    if (status == GB_WRONG) {
        gb_error why = *error;
        gb_fail(error, GB_WRONG, "%s its samples: %.440s", when, why.text);
    }
    return explain(context, status, error);
}

/* A device that is never idle is soon slowed down by its power limit, and that is what is measured
 * then: before a request for samples it may rest, in proportion to what they will take. */
static void rest(const gb_task_context *context, double seconds)
{
    if (seconds <= 0) return;
    struct timespec left = {.tv_sec = (time_t)seconds};
    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    double begun = gb_now();
    nanosleep(&left, NULL);
    context->link->rest_s += gb_now() - begun;
}

/* One request for samples into times. */
static gb_status take(const gb_task_context *context, gb_task *task, unsigned count, double *times,
                      gb_error *error)
{
    double left_s;
    gb_status status = time_left(context, task, &left_s, error);
    if (status != GB_OK) return status;
    rest(context, context->measure->rest * task->per_sample_s * count);
    double begun = gb_now();
    status = gb_job_sample(context->link, task->job, count, left_s, times, &task->told, error);
    task->last_judged = false;
    if (task->told.ungated) task->row.flags |= GB_FLAG_UNGATED;
    double wall_s = gb_now() - begun;
    task->spent_s += wall_s;
    task->per_sample_s = wall_s / count;
    if (task->briefest_s == 0 || task->per_sample_s < task->briefest_s)
        task->briefest_s = task->per_sample_s;
    return explain(context, status, error);
}

static bool reserve(gb_task *task, unsigned capacity)
{
    if (capacity <= task->capacity) return true;
    if (capacity < 2 * task->capacity) capacity = 2 * task->capacity;
    double *samples = realloc(task->samples, capacity * sizeof *samples);
    if (!samples) return false;
    task->samples = samples;
    task->capacity = capacity;
    return true;
}

/* The run that was judged becomes a sample. */
static gb_status add_judged(gb_task *task, gb_error *error)
{
    if (!reserve(task, task->count + 1))
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the samples");
    task->samples[task->count++] = task->judged_s;
    task->last_judged = true;
    if (task->per_sample_s == 0) task->per_sample_s = task->judged_s;
    return GB_OK;
}

/* Its clocks being unknown is no failure; a worker that dies of the question is. */
static gb_status read_clocks(const gb_task_context *context, gb_task *task, gb_error *error)
{
    gb_status status =
        gb_job_telemetry(context->link, closing_limit_s(context), &task->row.reading, error);
    return gb_worker_alive(context->link->session->worker) ? GB_OK : status;
}

static gb_status warm_up(const gb_task_context *context, gb_task *task, gb_error *error)
{
    unsigned count = task->sampling.warmup;
    if (count == 0 || !gb_task_wants(context, task)) return GB_OK;
    double *times = malloc(count * sizeof *times);
    if (!times) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for %u times", count);
    gb_status status = take(context, task, count, times, error);
    free(times);
    return status;
}

/* A job that is opened again, with samples kept from before, may find another instance the fastest:
 * its row names both. */
static void name_instance(gb_task *task)
{
    char *named = task->row.instance, before[GB_MAX_TEXT];
    if (strcmp(named, task->told.instance) == 0) return;
    memcpy(before, named, sizeof before);
    const char *between = task->count && before[0] ? ", then " : "";
    snprintf(named, GB_MAX_TEXT, "%.56s%s%.60s", *between ? before : "", between,
             task->told.instance);
}

gb_status gb_task_open(const gb_task_context *context, gb_task *task, gb_error *error)
{
    gb_row *row = &task->row;
    double left_s;
    gb_status status = time_left(context, task, &left_s, error);
    if (status != GB_OK) return status;
    if (!row->started_utc[0]) gb_utc_now(row->started_utc);
    gb_job_request request = {.variant = variant_name(context, task),
                              .params = row->point,
                              .seed = context->seed,
                              .cold = row->cold,
                              .scope = row->scope,
                              .device_memory = context->measure->device_memory};
    double begun = gb_now(), spent_s = task->spent_s;
    status =
        gb_job_open(context->link, &request, left_s, &task->job, &row->work, &task->told, error);
    task->spent_s += gb_now() - begun;
    if (status != GB_OK) return explain(context, status, error);
    name_instance(task);
    task->has_job = row->opened = true;
    const bool wanting = task->count < target_of(task);
    status = verify(context, task, "before", error);
    if (status == GB_OK && wanting && task->judged_s > 0 && task->sampling.warmup == 0)
        status = add_judged(task, error);
    if (status == GB_OK) status = warm_up(context, task, error);
    if (status == GB_OK && wanting && task->judged_s > 0 && !gb_task_wants(context, task))
        status = read_clocks(context, task, error);
    if (status == GB_OK) task->state = GB_TASK_OPEN;
    task->open_s = task->spent_s - spent_s;
    return status;
}

bool gb_task_wants(const gb_task_context *context, const gb_task *task)
{
    const unsigned with_last = task->count + (task->judged_s > 0);
    if (with_last >= target_of(task)) return false;
    if (task->count < task->sampling.samples) return true;
    /* The second verification has to fit into the time limit as well. */
    double after = task->spent_s + 2 * task->verify_s + task->per_sample_s;
    return after <= context->measure->time_limit_s;
}

unsigned gb_auto_target(const gb_measure *measure, const double *samples, unsigned count)
{
    if (count >= measure->max_samples) return count;
    gb_stats stats = gb_stats_of(samples, count);
    if (gb_stats_rel_ci(&stats) <= measure->max_rel_ci) return count;
    /* Every look is a chance to stop at an interval that is too narrow by luck. */
    unsigned step = count < 4 ? 1 : count / 4;
    return step < measure->max_samples - count ? count + step : measure->max_samples;
}

/* How many samples to ask for at once. */
static unsigned turn(const gb_task *task)
{
    unsigned target = target_of(task), most = target / FEWEST_TURNS, count = 1;
    if (task->briefest_s > 0 && request_s / task->briefest_s < (double)most)
        count = (unsigned)(request_s / task->briefest_s);
    else
        count = most;
    if (count < 1) count = 1;
    return count < target - task->count ? count : target - task->count;
}

gb_status gb_task_sample(const gb_task_context *context, gb_task *task, gb_error *error)
{
    unsigned count = turn(task);
    if (!reserve(task, task->count + count))
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the samples");
    gb_status status = take(context, task, count, task->samples + task->count, error);
    if (status != GB_OK) return status;
    task->count += count;
    if (task->sampling.automatic && task->count == target_of(task))
        task->target = gb_auto_target(context->measure, task->samples, task->count);
    if (gb_task_wants(context, task)) return GB_OK;
    /* Now, while the device still runs as it did for the samples. */
    return read_clocks(context, task, error);
}

/* Judges what ran last. That run is the last sample, where the first verification told that it can
 * be; should it be too quick for that this time, a sample is taken after all. */
static gb_status judge_last(const gb_task_context *context, gb_task *task, gb_error *error)
{
    const bool lacks_one = task->judged_s > 0 && task->count < target_of(task);
    if (!lacks_one && task->last_judged) return GB_OK;
    gb_status status = verify(context, task, "after", error);
    if (status != GB_OK || !lacks_one) return status;
    if (task->judged_s > 0) return add_judged(task, error);
    status = gb_task_sample(context, task, error);
    return status == GB_OK ? verify(context, task, "after", error) : status;
}

unsigned gb_stats_flags(const gb_stats *stats, double max_rel_ci)
{
    unsigned flags = 0;
    if (gb_stats_rel_ci(stats) > max_rel_ci) flags |= GB_FLAG_UNSTABLE;
    if (stats->outliers) flags |= GB_FLAG_OUTLIERS;
    if (stats->drift) flags |= GB_FLAG_DRIFT;
    if (stats->autocorrelated) flags |= GB_FLAG_AUTOCORRELATED;
    return flags;
}

static void fill_row(const gb_task_context *context, gb_task *task, const gb_stats *stats)
{
    gb_row *row = &task->row;
    const gb_catalogue_variant *variant = &context->link->primitive->variants[row->variant];
    row->status = GB_OK;
    row->stats = *stats;
    row->flags |= gb_stats_flags(stats, context->measure->max_rel_ci);
    if (row->reading.throttle[0]) row->flags |= GB_FLAG_THROTTLED;
    if (!variant->host && row->work.footprint > 0 && row->work.footprint <= context->l2_bytes)
        row->flags |= GB_FLAG_CACHE_RESIDENT;
}

gb_status gb_task_finish(const gb_task_context *context, gb_task *task, gb_error *error)
{
    gb_status status = judge_last(context, task, error);
    if (status != GB_OK) return status;
    task->has_job = false;
    /* What a kernel broke may show only when its memory is freed. */
    status = gb_job_close(context->link, task->job, closing_limit_s(context), error);
    if (status != GB_OK) return status;
    gb_stats stats = gb_stats_of(task->samples, task->count);
    if (stats.count == 0)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the statistics of %u samples",
                       task->count);
    if (!(stats.max > 0))
        return gb_fail(error, GB_CRASHED,
                       "all times are zero, of %u samples: the timer is too coarse for so short a "
                       "run, or the worker does not time; take a larger size",
                       task->count);
    fill_row(context, task, &stats);
    task->state = GB_TASK_DONE;
    return GB_OK;
}

void gb_task_close(const gb_task_context *context, gb_task *task)
{
    gb_error error;
    if (task->has_job && gb_worker_alive(context->link->session->worker))
        gb_job_close(context->link, task->job, closing_limit_s(context), &error);
    task->has_job = false;
}

void gb_task_fail(const gb_task_context *context, gb_task *task, gb_status status,
                  const char *reason)
{
    gb_row *row = &task->row;
    gb_task_close(context, task);
    row->status = status;
    row->flags = 0;
    row->reading = (gb_reading){0};
    snprintf(row->reason, sizeof row->reason, "%s", reason);
    task->state = GB_TASK_DONE;
    task->count = 0;
}

cJSON *gb_task_sittings(const gb_task *task, const char *run_id)
{
    cJSON *sittings = task->sittings ? cJSON_Duplicate(task->sittings, true) : cJSON_CreateArray();
    if (task->count == task->kept) return sittings;
    cJSON *sitting = cJSON_CreateObject();
    cJSON_AddStringToObject(sitting, "run_id", run_id);
    cJSON_AddNumberToObject(sitting, "samples", task->count - task->kept);
    cJSON_AddItemToArray(sittings, sitting);
    return sittings;
}

void gb_task_free(gb_task *task)
{
    gb_job_told_free(&task->told);
    cJSON_Delete(task->sittings);
    task->sittings = NULL;
    free(task->samples);
    task->samples = NULL;
    task->count = task->capacity = 0;
}
