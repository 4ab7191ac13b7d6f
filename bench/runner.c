/* Running a plan. The variants of a point are open at the same time and sampled in turns; when the
 * worker dies of one of them, that one's row says so, the worker is replaced, and the others go on
 * with the samples they have. */
#include "bench/runner.h"

#include "bench/interrupt.h"
#include "bench/task.h"
#include "bench/worker_child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct runner {
    gb_session *session;
    gb_output *output;
    const gb_config *config;
    const gb_estimate *estimate;
    gb_run_totals *totals;
    gb_progress progress;
    gb_link link;
    gb_task_context context;
    gb_task *tasks; /* room for the rows of one point */
    bool broken;
    gb_error *error;
} runner;

/* ---- the plan ------------------------------------------------------------------------------- */

/* Fills tasks (if not NULL) with the rows of a point that are wanted; returns how many. */
static size_t plan_point(const gb_config *config, const gb_output *output, size_t point,
                         gb_task *tasks, size_t *present)
{
    const gb_params *params = &config->points[point];
    size_t count = 0;
    for (unsigned cold = 0; cold < 2; cold++) {
        if (!(cold ? config->measure.cold : config->measure.warm)) continue;
        for (unsigned i = 0; i < config->variant_count; i++) {
            unsigned variant = config->variants[i];
            if (config->filter && !gb_filter_passes(config->filter, params, (int)variant)) continue;
            if (output && gb_output_has(output, params, variant, cold)) {
                ++*present;
                continue;
            }
            if (tasks)
                tasks[count] =
                    (gb_task){.row = {.point = params, .variant = variant, .cold = cold != 0}};
            count++;
        }
    }
    return count;
}

size_t gb_run_rows_left(const gb_config *config, const gb_output *output)
{
    size_t count = 0, present = 0;
    for (size_t i = 0; i < config->point_count; i++)
        count += plan_point(config, output, i, NULL, &present);
    return count;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static bool stopped(const runner *run)
{
    return gb_interrupted || run->broken;
}

static void note_failure(runner *run, const gb_row *row)
{
    char point[GB_POINT_TEXT];
    run->totals->failed++;
    if (run->totals->failed > GB_NOTED_FAILURES) return;
    gb_progress_note(&run->progress, "%s: %s at %s (%s): %s", gb_status_name(row->status),
                     run->config->primitive->variants[row->variant].name,
                     gb_point_text(run->config->primitive, row->point, point),
                     gb_cache_name(row->cold), row->reason);
    if (run->totals->failed == GB_NOTED_FAILURES)
        gb_progress_note(&run->progress, "further failures are in %s", run->output->files.csv);
}

/* The median and its interval have no columns: they go with the samples, into the meta file. */
static void add_median(runner *run, const gb_row *row)
{
    char point[GB_POINT_TEXT];
    cJSON *median = cJSON_CreateObject();
    cJSON_AddStringToObject(median, "point",
                            gb_point_text(run->config->primitive, row->point, point));
    cJSON_AddStringToObject(median, "variant", run->config->primitive->variants[row->variant].name);
    cJSON_AddStringToObject(median, "cache", gb_cache_name(row->cold));
    cJSON_AddNumberToObject(median, "median_s", row->stats.median);
    cJSON_AddNumberToObject(median, "lo_s", row->stats.median_lo);
    cJSON_AddNumberToObject(median, "hi_s", row->stats.median_hi);
    if (row->stats.autocorrelated)
        cJSON_AddNumberToObject(median, "ci95_widening", row->stats.widening);
    cJSON_AddItemToArray(run->totals->medians, median);
}

/* Writes the row of a task that is done. */
static void write_row(runner *run, gb_task *task)
{
    const gb_row *row = &task->row;
    gb_run_totals *totals = run->totals;
    if (!gb_output_write(run->output, row, task->samples, task->count, run->error)) {
        run->broken = true;
        return;
    }
    totals->rows[row->status]++;
    for (int i = 0; i < GB_FLAG_COUNT; i++)
        totals->flags[i] += row->flags >> i & 1;
    if (row->status == GB_OK) {
        add_median(run, row);
        double width = gb_stats_rel_ci(&row->stats);
        if (width > totals->widest_ci) totals->widest_ci = width;
        if (row->stats.widening > totals->widening) totals->widening = row->stats.widening;
        if (row->reading.throttle[0])
            snprintf(totals->throttle, sizeof totals->throttle, "%s", row->reading.throttle);
    } else if (row->status != GB_UNSUPPORTED) {
        note_failure(run, row);
    }
    gb_progress_row(&run->progress, task->weight);
    gb_task_free(task);
    if (!gb_output_settle(run->output, run->error)) run->broken = true;
}

/* ---- trouble -------------------------------------------------------------------------------- */

/* What a worker has cost since its start; NULL: there is none any more. */
static void add_costs(gb_run_totals *totals, const gb_worker *worker)
{
    if (!worker) return;
    totals->wait_s += gb_worker_wait_s(worker);
    totals->requests += gb_worker_requests(worker);
}

/* Puts a fresh worker in the place of a dead one; what was open is to be opened again. */
static void replace_worker(runner *run, gb_task *tasks, size_t count)
{
    gb_error why = {GB_OK, ""};
    for (size_t i = 0; i < count; i++) {
        tasks[i].has_job = false;
        if (tasks[i].state == GB_TASK_OPEN) tasks[i].state = GB_TASK_WAITING;
    }
    run->totals->replaced++;
    add_costs(run->totals, run->session->worker);
    if (!gb_session_restart(run->session, &why)) {
        gb_fail(run->error, GB_CRASHED, "the worker died and cannot be replaced: %.400s", why.text);
        run->broken = true;
    }
}

static bool any_job_beside(const gb_task *tasks, size_t count, const gb_task *task)
{
    for (size_t i = 0; i < count; i++) {
        if (&tasks[i] != task && tasks[i].has_job) return true;
    }
    return false;
}

/* Deals with a task that a request failed for. */
static void settle(runner *run, gb_task *tasks, size_t count, gb_task *task, gb_status status,
                   const gb_error *error)
{
    bool alive = gb_worker_alive(run->session->worker);
    /* A request that was abandoned because of a signal says nothing about its variant. */
    if (gb_interrupted) return;
    if (status == GB_OUT_OF_MEMORY && alive && any_job_beside(tasks, count, task)) {
        gb_task_close(&run->context, task);
        task->state = GB_TASK_DEFERRED;
        return;
    }
    char reason[sizeof error->text + 64];
    snprintf(reason, sizeof reason, "%s%s", error->text,
             status == GB_OUT_OF_MEMORY && task->alone ? " (with nothing else open)" : "");
    gb_task_fail(&run->context, task, status, reason);
    write_row(run, task);
    if (!gb_worker_alive(run->session->worker) && !stopped(run)) replace_worker(run, tasks, count);
}

/* ---- a group of rows that are measured together --------------------------------------------- */

static void show(runner *run, const gb_task *task, const char *doing)
{
    const gb_measure *measure = &run->config->measure;
    unsigned wanted = measure->automatic && task->count >= measure->samples ? measure->max_samples
                                                                            : measure->samples;
    gb_progress_sample(&run->progress, run->config->primitive->variants[task->row.variant].name,
                       task->count, doing ? 0 : wanted, doing);
}

/* Opens what waits; a worker that dies of one makes the others wait again. */
static void open_waiting(runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; i < count && !stopped(run); i++) {
        if (tasks[i].state != GB_TASK_WAITING) continue;
        gb_error error = {GB_OK, ""};
        show(run, &tasks[i], "opening");
        tasks[i].alone = !any_job_beside(tasks, count, &tasks[i]);
        gb_status status = gb_task_open(&run->context, &tasks[i], &error);
        if (status != GB_OK) settle(run, tasks, count, &tasks[i], status, &error);
    }
}

/* True if a task is in that state. */
static gb_task *first_in(gb_task *tasks, size_t count, gb_task_state state)
{
    for (size_t i = 0; i < count; i++) {
        if (tasks[i].state == state) return &tasks[i];
    }
    return NULL;
}

/* Samples all open tasks of a cache mode in turns until each has what it wants, or until one has to
 * be opened again. Warm and cold ones do not mix: evictions would cool what is meant to be warm. */
static void sample_in_turns(runner *run, gb_task *tasks, size_t count, bool cold)
{
    for (bool wanting = true; wanting && !stopped(run);) {
        wanting = false;
        for (size_t i = 0; i < count && !stopped(run); i++) {
            gb_task *task = &tasks[i];
            if (task->state != GB_TASK_OPEN || task->row.cold != cold ||
                !gb_task_wants(&run->context, task))
                continue;
            gb_error error = {GB_OK, ""};
            wanting = true;
            show(run, task, NULL);
            gb_status status = gb_task_sample(&run->context, task, &error);
            if (status != GB_OK) {
                settle(run, tasks, count, task, status, &error);
                if (first_in(tasks, count, GB_TASK_WAITING)) return;
            } else if (task->row.reading.sm_clock_mhz > 0) {
                run->progress.sm_clock_mhz = task->row.reading.sm_clock_mhz;
                run->progress.temperature_c = task->row.reading.temperature_c;
            }
        }
    }
}

/* Verifies, closes and writes what has all its samples. */
static void finish_open(runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; i < count && !stopped(run); i++) {
        if (tasks[i].state != GB_TASK_OPEN) continue;
        gb_error error = {GB_OK, ""};
        show(run, &tasks[i], "verifying");
        gb_status status = gb_task_finish(&run->context, &tasks[i], &error);
        if (status == GB_OK)
            write_row(run, &tasks[i]);
        else
            settle(run, tasks, count, &tasks[i], status, &error);
    }
}

/* Measures tasks side by side, then, one by one, those that did not fit beside the others. Every
 * worker that dies takes one task with it, so this ends. */
static void run_group(runner *run, gb_task *tasks, size_t count)
{
    while (!stopped(run)) {
        open_waiting(run, tasks, count);
        if (first_in(tasks, count, GB_TASK_WAITING)) continue;
        for (int cold = 0; cold < 2; cold++) {
            if (!first_in(tasks, count, GB_TASK_WAITING)) sample_in_turns(run, tasks, count, cold);
        }
        if (first_in(tasks, count, GB_TASK_WAITING)) continue;
        finish_open(run, tasks, count);
        if (first_in(tasks, count, GB_TASK_WAITING)) continue;
        gb_task *next = first_in(tasks, count, GB_TASK_DEFERRED);
        if (!next) break;
        next->state = GB_TASK_WAITING;
    }
    for (size_t i = 0; i < count; i++) {
        gb_task_close(&run->context, &tasks[i]);
        gb_task_free(&tasks[i]);
    }
}

/* ---- points --------------------------------------------------------------------------------- */

/* "5 ok, 1 unsupported": how many rows of each status have come since before. */
static const char *summarise(const gb_run_totals *totals, const size_t before[GB_STATUS_COUNT],
                             char text[128])
{
    size_t used = 0;
    strcpy(text, "nothing");
    for (int i = 0; i < GB_STATUS_COUNT; i++) {
        size_t rows = totals->rows[i] - before[i];
        if (rows)
            used += (size_t)snprintf(text + used, 128 - used, "%s%zu %s", used ? ", " : "", rows,
                                     gb_status_name((gb_status)i));
    }
    return text;
}

static void run_point(runner *run, size_t point)
{
    size_t present = 0, before[GB_STATUS_COUNT];
    size_t count = plan_point(run->config, run->output, point, run->tasks, &present);
    char text[GB_POINT_TEXT], summary[128];
    run->totals->resumed += present;
    if (count == 0) return;
    run->totals->points++;
    memcpy(before, run->totals->rows, sizeof before);
    gb_progress_point(&run->progress,
                      gb_point_text(run->config->primitive, &run->config->points[point], text));
    double weight =
        gb_estimate_row_s(run->estimate, run->config, point, run->session->copy_bytes_per_s);
    for (size_t i = 0; i < count; i++)
        run->tasks[i].weight = weight;
    size_t group = run->config->measure.order == GB_ORDER_SEQUENTIAL ? 1 : count;
    for (size_t i = 0; i < count && !stopped(run); i += group)
        run_group(run, run->tasks + i, group);
    if (!run->broken && !gb_output_sync(run->output, run->error)) run->broken = true;
    gb_progress_point_done(&run->progress, summarise(run->totals, before, summary));
}

/* Expected seconds of all rows that are left, and at how many points. */
static double total_weight(const runner *run, size_t *points)
{
    double weight = 0;
    *points = 0;
    for (size_t i = 0; i < run->config->point_count; i++) {
        size_t present = 0, count = plan_point(run->config, run->output, i, NULL, &present);
        *points += count > 0;
        weight += (double)count *
                  gb_estimate_row_s(run->estimate, run->config, i, run->session->copy_bytes_per_s);
    }
    return weight;
}

gb_run_end gb_run_config(gb_session *session, gb_output *output, const gb_estimate *estimate,
                         gb_run_totals *totals, gb_error *error)
{
    const gb_config *config = output->setup.config;
    runner run = {.session = session,
                  .output = output,
                  .config = config,
                  .estimate = estimate,
                  .totals = totals,
                  .error = error};
    run.link = (gb_link){.session = session, .primitive = config->primitive};
    run.context =
        (gb_task_context){&run.link, &config->measure, config->seed, session->device->l2_bytes};
    run.tasks = calloc((size_t)config->variant_count * 2, sizeof *run.tasks);
    if (!run.tasks) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return GB_RUN_BROKEN;
    }
    size_t points;
    double weight = total_weight(&run, &points), wait_s = gb_worker_wait_s(session->worker);
    unsigned long requests = gb_worker_requests(session->worker);
    totals->medians = cJSON_CreateArray();
    gb_progress_start(&run.progress, points, weight);
    for (size_t i = 0; i < config->point_count && !stopped(&run); i++)
        run_point(&run, i);
    gb_progress_clear(&run.progress);
    free(run.tasks);
    totals->busy_s += run.link.busy_s;
    add_costs(totals, session->worker);
    totals->wait_s -= wait_s;
    totals->sync_s = output->sync_s;
    totals->requests -= requests;
    return run.broken ? GB_RUN_BROKEN : gb_interrupted ? GB_RUN_INTERRUPTED : GB_RUN_COMPLETE;
}
