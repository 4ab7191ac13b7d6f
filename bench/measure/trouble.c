/* Rows of a run, and what to do when something fails: which row says so, who is asked again, when
 * the worker is replaced. */
#include "bench/measure/trouble.h"

#include "bench/record/totals.h"
#include "bench/util/interrupt.h"
#include "bench/util/quoted.h"
#include "bench/util/shell.h"
#include "bench/worker/under_options.h"
#include "common/protocol/conditions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many workers in a row that end or speak before they are asked end the run. */
enum { MOST_IDLE = 3 };

/* ---- rows ----------------------------------------------------------------------------------- */

bool gb_runner_stopped(const gb_runner *run)
{
    return gb_interrupted || run->broken;
}

/* The filter that only one row passes. False if it does not fit. */
static bool filter_of(const gb_config *config, const gb_row *row, char *filter, size_t capacity)
{
    const gb_catalogue_primitive *primitive = config->primitive;
    char value[2 * GB_MAX_VALUE];
    size_t used =
        (size_t)snprintf(filter, capacity, "variant == %s", primitive->variants[row->variant].name);
    for (unsigned i = 0; i < primitive->axis_count && used < capacity; i++) {
        (void)gb_quoted_write(value, sizeof value, row->point->value[i].text, "()!=<>&|");
        used += (size_t)snprintf(filter + used, capacity - used, " && %s == %s",
                                 primitive->axes[i].name, value);
    }
    return used < capacity;
}

/* How to see the first failure by itself. */
static void advise(gb_runner *run, const gb_row *row)
{
    const gb_config *config = run->config;
    const gb_output_setup *setup = &run->output->setup;
    char filter[2 * GB_POINT_TEXT];
    char numbers[GB_UNDER_NUMBERS][16];
    const char *words[14 + GB_UNDER_OPTIONS] = {program_invocation_name, "run", config->path};
    size_t count = 3;
    if (!filter_of(config, row, filter, sizeof filter)) return;
    if (setup->worker_spec) {
        words[count++] = "--worker";
        words[count++] = setup->worker_spec;
    }
    if (setup->device_spec) {
        words[count++] = "--device";
        words[count++] = setup->device_spec;
    }
    count += gb_under_as_options(&setup->under, words + count, numbers);
    if (config->can_be_quick) words[count++] = config->quick ? "--quick" : "--full";
    words[count++] = "--filter";
    words[count++] = filter;
    words[count++] = "--out";
    words[count++] = "alone";
    words[count++] = "--verbose";
    char *command = gb_shell_line(words, count);
    if (command) gb_progress_note(&run->progress, "  alone: %s", command);
    free(command);
}

static void note_failure(gb_runner *run, const gb_row *row)
{
    char point[GB_POINT_TEXT];
    run->totals->failed++;
    if (run->totals->failed > GB_NOTED_FAILURES) return;
    gb_progress_note(&run->progress, "%s: %s at %s (%s): %s", gb_status_name(row->status),
                     run->config->primitive->variants[row->variant].name,
                     gb_point_text(run->config->primitive, row->point, point),
                     gb_cache_name(row->cold), row->reason);
    if (run->totals->failed == 1) advise(run, row);
    if (run->totals->failed == GB_NOTED_FAILURES)
        gb_progress_note(&run->progress, "further failures are in %s", run->output->files.csv);
}

/* The median and its interval have no columns: they go with the samples, into the meta file. */
static void add_median(gb_runner *run, const gb_task *task)
{
    const gb_row *row = &task->row;
    char point[GB_POINT_TEXT];
    cJSON *median = cJSON_CreateObject();
    cJSON_AddStringToObject(median, "point",
                            gb_row_point_text(run->config, row->point, row->scope, point));
    cJSON_AddStringToObject(median, "variant", run->config->primitive->variants[row->variant].name);
    cJSON_AddStringToObject(median, "cache", gb_cache_name(row->cold));
    cJSON_AddNumberToObject(median, "median_s", row->stats.median);
    cJSON_AddNumberToObject(median, "lo_s", row->stats.median_lo);
    cJSON_AddNumberToObject(median, "hi_s", row->stats.median_hi);
    if (row->stats.autocorrelated)
        cJSON_AddNumberToObject(median, "ci95_widening", row->stats.widening);
    if (task->sittings)
        cJSON_AddItemToObject(median, "sittings",
                              gb_task_sittings(task, run->output->setup.run_id));
    /* What was tried before one instance was chosen. */
    if (task->told.instances)
        cJSON_AddItemToObject(median, "instances", cJSON_Duplicate(task->told.instances, true));
    cJSON_AddItemToArray(run->totals->medians, median);
}

static bool same_kernel(const cJSON *a, const cJSON *b)
{
    static const char *const members[] = {"variant", "name", "threads", "shared_bytes"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!cJSON_Compare(cJSON_GetObjectItemCaseSensitive(a, members[i]),
                           cJSON_GetObjectItemCaseSensitive(b, members[i]), true))
            return false;
    return true;
}

/* What the machine code of a row's kernels needs, into the meta file: a kernel once a variant, with
 * the first point that it was met at. */
static void add_kernels(gb_runner *run, const gb_task *task)
{
    const gb_row *row = &task->row;
    const cJSON *kernel = NULL, *known = NULL;
    char point[GB_POINT_TEXT];
    gb_row_point_text(run->config, row->point, row->scope, point);
    cJSON_ArrayForEach(kernel, task->told.kernels)
    {
        cJSON *entry = cJSON_Duplicate(kernel, true);
        cJSON_DeleteItemFromObjectCaseSensitive(entry, "launches");
        cJSON_AddStringToObject(entry, "variant",
                                run->config->primitive->variants[row->variant].name);
        if (row->instance[0]) cJSON_AddStringToObject(entry, "instance", row->instance);
        cJSON_AddStringToObject(entry, "point", point);
        bool is_known = false;
        cJSON_ArrayForEach(known, run->totals->kernels)
        {
            is_known |= same_kernel(known, entry);
        }
        if (is_known)
            cJSON_Delete(entry);
        else
            cJSON_AddItemToArray(run->totals->kernels, entry);
    }
}

void gb_runner_write_row(gb_runner *run, gb_task *task)
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
        add_median(run, task);
        add_kernels(run, task);
        double width = gb_stats_rel_ci(&row->stats);
        if (width > totals->widest_ci) totals->widest_ci = width;
        if (row->stats.widening > totals->widening) totals->widening = row->stats.widening;
        if (row->reading.throttle[0])
            snprintf(totals->throttle, sizeof totals->throttle, "%s", row->reading.throttle);
    } else if (row->status != GB_UNSUPPORTED) {
        note_failure(run, row);
    }
    gb_display_add(&run->display, row, task->planned_s, task->spent_s);
    run->point_done_s += task->expected_s;
    gb_task_free(task);
    if (!gb_output_settle(run->output, run->error)) run->broken = true;
}

/* ---- trouble -------------------------------------------------------------------------------- */

void gb_runner_add_costs(gb_run_totals *totals, const gb_worker *worker)
{
    if (!worker) return;
    totals->wait_s += gb_worker_wait_s(worker);
    totals->requests += gb_worker_requests(worker);
}

void gb_runner_write_lost(gb_runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; i < count && !gb_runner_stopped(run); i++) {
        if (tasks[i].state == GB_TASK_DONE) continue;
        gb_task_fail(&run->context, &tasks[i], GB_CRASHED, run->lost.text);
        gb_runner_write_row(run, &tasks[i]);
    }
}

/* There is no worker to go on with: the end of the run, or of the rows of the other one. */
static void give_up(gb_runner *run, gb_task *tasks, size_t count, const gb_error *why)
{
    char name[200];
    if (run->session == run->own) {
        *run->error = *why;
        run->broken = run->no_worker = true;
    } else if (!gb_interrupted) {
        gb_worker_short_name(run->session->command, name, sizeof name);
        gb_fail(&run->lost, GB_CRASHED, "%s: %.300s", name, why->text);
        gb_runner_write_lost(run, tasks, count);
    }
}

void gb_runner_replace_worker(gb_runner *run, gb_task *tasks, size_t count)
{
    gb_error why = {GB_OK, ""};
    for (size_t i = 0; i < count; i++) {
        tasks[i].has_job = false;
        if (tasks[i].state != GB_TASK_OPEN) continue;
        tasks[i].state = GB_TASK_WAITING;
        tasks[i].spent_s -= tasks[i].open_s; /* to be opened again is no fault of its own */
    }
    run->totals->replaced += !gb_worker_alive(run->session->worker);
    run->link.memory_free_bytes = 0;
    gb_runner_add_costs(run->totals, run->session->worker);
    if (!gb_session_restart(run->session, &why)) {
        const gb_error last = why;
        gb_fail(&why, GB_CRASHED, "the worker cannot be replaced: %.400s", last.text);
        give_up(run, tasks, count, &why);
    } else if (*run->session->note) {
        gb_progress_note(&run->progress, "note: %s", run->session->note);
    }
}

bool gb_runner_any_job_beside(const gb_task *tasks, size_t count, const gb_task *task)
{
    for (size_t i = 0; i < count; i++) {
        if (&tasks[i] != task && tasks[i].has_job) return true;
    }
    return false;
}

/* The worker failed between two requests. Whose fault it was cannot be known for sure: what was
 * asked last is tried once more if it is still open. NULL: the task that was about to ask is not to
 * blame, and nobody else; the worker was replaced. Workers that do nothing else end the run. */
static gb_task *blame(gb_runner *run, gb_task *tasks, size_t count, const gb_error *error)
{
    for (size_t i = 0; i < count; i++) {
        bool last = tasks[i].job == run->link.last_job && tasks[i].state != GB_TASK_DONE;
        if (last && tasks[i].strikes++ > 0) return &tasks[i];
    }
    gb_progress_note(&run->progress, "note: %s; replaced, and what was open is opened again",
                     error->text);
    if (++run->idle == MOST_IDLE) {
        gb_error why;
        gb_fail(&why, GB_CRASHED, "%d workers in a row failed before they were asked: %.400s",
                MOST_IDLE, error->text);
        give_up(run, tasks, count, &why);
        return NULL;
    }
    gb_runner_replace_worker(run, tasks, count);
    return NULL;
}

/* A worker in which something failed is not trusted with the others' data: a kernel that writes
 * past its output, leaks or fills the device's heap is seen as a wrong answer or a failed
 * allocation here, and would be seen as the next variant's fault there. */
void gb_runner_settle(gb_runner *run, gb_task *tasks, size_t count, gb_task *task, gb_status status,
                      const gb_error *error)
{
    const gb_worker *worker = run->session->worker;
    /* A request that was abandoned because of a signal says nothing about its variant. */
    if (gb_interrupted) return;
    if (!gb_worker_alive(worker) && gb_worker_failed_idle(worker)) {
        task = blame(run, tasks, count, error);
        if (!task) return;
    } else if (status == GB_OUT_OF_MEMORY && gb_worker_alive(worker) &&
               gb_runner_any_job_beside(tasks, count, task)) {
        /* What a kernel found too small (the device's heap) stays so for the others. */
        bool ran = task->has_job;
        gb_task_close(&run->context, task);
        task->state = GB_TASK_DEFERRED;
        if (ran || !gb_worker_alive(worker)) gb_runner_replace_worker(run, tasks, count);
        return;
    }
    char reason[sizeof error->text + sizeof run->own->no_other + 64];
    const bool homeless = status == GB_UNSUPPORTED && *run->own->no_other &&
                          run->config->primitive->variants[task->row.variant].elsewhere;
    snprintf(reason, sizeof reason, "%s%s%s%s%s", error->text,
             status == GB_OUT_OF_MEMORY && task->alone ? " (with nothing else open)" : "",
             homeless ? " (" : "", homeless ? run->own->no_other : "", homeless ? ")" : "");
    gb_task_fail(&run->context, task, status, reason);
    gb_runner_write_row(run, task);
    if (!gb_runner_stopped(run) && (status != GB_UNSUPPORTED || !gb_worker_alive(worker)))
        gb_runner_replace_worker(run, tasks, count);
}

bool gb_runner_begin_other(gb_runner *run, gb_task *tasks, size_t count)
{
    gb_error why = {GB_OK, ""};
    run->session = run->link.session = run->own->other;
    run->link.memory_free_bytes = 0;
    run->idle = 0;
    if (run->lost.text[0]) {
        gb_runner_write_lost(run, tasks, count);
        return false;
    }
    if (gb_session_restart(run->session, &why)) {
        if (*run->session->note) gb_progress_note(&run->progress, "note: %s", run->session->note);
        return true;
    }
    give_up(run, tasks, count, &why);
    return false;
}

void gb_runner_end_other(gb_runner *run)
{
    gb_session *other = run->session;
    gb_runner_add_costs(run->totals, other->worker);
    gb_worker_stop(other->worker);
    other->worker = NULL;
    run->session = run->link.session = run->own;
    run->link.memory_free_bytes = 0;
    run->idle = 0;
}

void gb_runner_see_to_memory(gb_runner *run, gb_task *tasks, size_t count)
{
    double free_bytes = run->link.memory_free_bytes;
    if (gb_runner_stopped(run) || gb_runner_any_job_beside(tasks, count, NULL) ||
        !gb_session_lacks_memory(run->session, free_bytes))
        return;
    gb_progress_note(&run->progress,
                     "note: %.3g GB of device memory are not free again with nothing open: a "
                     "variant of this point keeps them; the worker is replaced",
                     (run->session->memory_free_bytes - free_bytes) * 1e-9);
    gb_runner_replace_worker(run, tasks, count);
}
