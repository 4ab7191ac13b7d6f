/* Running a plan. The variants of a point are open at the same time and sampled in turns; when the
 * worker dies of one of them, that one's row says so, the worker is replaced, and the others go on
 * with the samples they have. */
#include "bench/measure/runner.h"

#include "bench/config/other_worker.h"
#include "bench/measure/expect.h"
#include "bench/measure/sittings.h"
#include "bench/measure/trouble.h"
#include "bench/measure/wanted.h"
#include "bench/record/totals.h"
#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/util/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a group of rows that are measured together --------------------------------------------- */

static const double lasting_s = 0.1;

static void show(gb_runner *run, const gb_task *task, const char *doing)
{
    gb_runner_expect(run);
    const gb_sampling *sampling = &task->sampling;
    unsigned wanted = sampling->automatic && task->count >= sampling->samples
                          ? run->config->measure.max_samples
                          : sampling->samples;
    /* What may take long is shown at once, and stands there meanwhile. */
    if (doing || task->per_sample_s > lasting_s) run->progress.shown_at = 0;
    gb_progress_sample(&run->progress, run->config->primitive->variants[task->row.variant].name,
                       task->count, doing ? 0 : wanted, doing);
}

static bool needs_fresh_worker(const gb_runner *run, const gb_task *task)
{
    return run->config->primitive->variants[task->row.variant].fresh_worker;
}

/* Opens what waits; a worker that dies of one makes the others wait again. */
static void open_waiting(gb_runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; i < count && !gb_runner_stopped(run); i++) {
        if (tasks[i].state != GB_TASK_WAITING) continue;
        gb_error error = {GB_OK, ""};
        show(run, &tasks[i], "opening");
        const bool wants_fresh = needs_fresh_worker(run, &tasks[i]);
        if (gb_session_too_used(run->session, wants_fresh)) {
            gb_runner_replace_worker(run, tasks, count);
            if (gb_runner_stopped(run) || tasks[i].state != GB_TASK_WAITING) return;
        }
        gb_session_use(run->session, wants_fresh);
        tasks[i].alone = !gb_runner_any_job_beside(tasks, count, &tasks[i]);
        gb_status status = gb_task_open(&run->context, &tasks[i], &error);
        if (status == GB_OK)
            run->idle = 0;
        else
            gb_runner_settle(run, tasks, count, &tasks[i], status, &error);
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
static void sample_in_turns(gb_runner *run, gb_task *tasks, size_t count, bool cold)
{
    for (bool wanting = true; wanting && !gb_runner_stopped(run);) {
        wanting = false;
        for (size_t i = 0; i < count && !gb_runner_stopped(run); i++) {
            gb_task *task = &tasks[i];
            if (task->state != GB_TASK_OPEN || task->row.cold != cold ||
                !gb_task_wants(&run->context, task))
                continue;
            gb_error error = {GB_OK, ""};
            wanting = true;
            show(run, task, NULL);
            gb_status status = gb_task_sample(&run->context, task, &error);
            if (status != GB_OK) {
                gb_runner_settle(run, tasks, count, task, status, &error);
                if (first_in(tasks, count, GB_TASK_WAITING)) return;
                continue;
            }
            run->idle = 0;
            if (task->row.reading.sm_clock_mhz > 0) {
                run->progress.sm_clock_mhz = task->row.reading.sm_clock_mhz;
                run->progress.temperature_c = task->row.reading.temperature_c;
            }
        }
    }
}

/* Verifies, closes and writes what has all its samples. */
static void finish_open(gb_runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; i < count && !gb_runner_stopped(run); i++) {
        if (tasks[i].state != GB_TASK_OPEN) continue;
        gb_error error = {GB_OK, ""};
        show(run, &tasks[i], "verifying");
        gb_status status = gb_task_finish(&run->context, &tasks[i], &error);
        if (status == GB_OK) {
            run->idle = 0;
            gb_runner_write_row(run, &tasks[i]);
        } else {
            gb_runner_settle(run, tasks, count, &tasks[i], status, &error);
        }
    }
}

/* Measures tasks side by side, then, one by one, those that did not fit beside the others or want a
 * worker of their own. Every worker that dies takes one task with it, so this ends. */
static void run_group(gb_runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (needs_fresh_worker(run, &tasks[i])) tasks[i].state = GB_TASK_DEFERRED;
    }
    gb_sittings_adopt(run, tasks, count);
    while (!gb_runner_stopped(run)) {
        open_waiting(run, tasks, count);
        if (first_in(tasks, count, GB_TASK_WAITING)) continue;
        for (int cold = 0; cold < 2; cold++) {
            if (!first_in(tasks, count, GB_TASK_WAITING)) sample_in_turns(run, tasks, count, cold);
        }
        if (first_in(tasks, count, GB_TASK_WAITING)) continue;
        finish_open(run, tasks, count);
        if (first_in(tasks, count, GB_TASK_WAITING)) continue;
        gb_runner_see_to_memory(run, tasks, count);
        gb_task *next = first_in(tasks, count, GB_TASK_DEFERRED);
        if (!next) break;
        next->state = GB_TASK_WAITING;
    }
    gb_sittings_keep(run, tasks, count);
    for (size_t i = 0; i < count; i++) {
        gb_task_close(&run->context, &tasks[i]);
        gb_task_free(&tasks[i]);
    }
}

/* ---- the other worker ----------------------------------------------------------------------- */

/* Puts the rows of variants that the other worker has behind the others, which keep their order;
 * returns how many those are. */
static size_t set_apart(const gb_runner *run, gb_task *tasks, size_t count)
{
    size_t own = 0;
    for (size_t i = 0; i < count; i++) {
        gb_task task = tasks[i];
        if (gb_other_runs(run->own, run->config->primitive, task.row.variant)) {
            tasks[i].row.backend = run->own->other->catalogue->backend;
            continue;
        }
        memmove(&tasks[own + 1], &tasks[own], (i - own) * sizeof *tasks);
        tasks[own++] = task;
    }
    return own;
}

/* One row after the other, with nobody else at work: the run's own worker has no job open, and the
 * other one is there for as long as this takes, so that neither's memory is missed by the other. */
static void run_others(gb_runner *run)
{
    gb_task *const tasks = run->others;
    const size_t count = run->other_count;
    run->other_count = 0;
    if (count == 0 || gb_runner_stopped(run)) return;
    bool there = gb_runner_begin_other(run, tasks, count);
    for (size_t i = 0; there && i < count && !gb_runner_stopped(run); i++) {
        run_group(run, &tasks[i], 1);
        there = !run->lost.text[0];
        if (!there) gb_runner_write_lost(run, tasks + i + 1, count - i - 1);
    }
    gb_runner_end_other(run);
}

/* ---- points --------------------------------------------------------------------------------- */

/* "5 ok, 1 unsupported": how many rows of each status have come since before. */
static void summarise(const gb_run_totals *totals, const size_t before[GB_STATUS_COUNT],
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
}

/* Says, once, why none of several variants, or the only one, can run a point: the table tells it
 * later, but a wrong path or a value that nobody takes is better known at once. Only where all were
 * asked, and each at once. */
static void say_why_none(gb_runner *run, const size_t before[GB_STATUS_COUNT], size_t wanted)
{
    const gb_display *display = &run->display;
    const size_t unsupported = run->totals->rows[GB_UNSUPPORTED] - before[GB_UNSUPPORTED];
    if (unsupported < wanted) return;
    const gb_row *last = &display->rows[display->count - 1].row;
    if (strcmp(last->reason, run->said.text) == 0) return;
    const char *name = run->config->primitive->variants[last->variant].name;
    bool alone = true;
    for (size_t i = 0; i < display->count; i++)
        alone &= display->rows[i].row.variant == last->variant;
    if (alone)
        gb_progress_note(&run->progress, "note: %s cannot do %s: %s", name,
                         run->progress.point_text, last->reason);
    else
        gb_progress_note(&run->progress, "note: no variant of this run can do %s; %s: %s",
                         run->progress.point_text, name, last->reason);
    snprintf(run->said.text, sizeof run->said.text, "%s", last->reason);
}

/* Measures the rows of a point in one scope, but for those that wait for the other worker. */
static void run_scope(gb_runner *run, size_t point, gb_scope scope)
{
    size_t present = 0;
    run->task_count = gb_runner_plan_tasks(run, point, scope, &present);
    const size_t own = set_apart(run, run->tasks, run->task_count);
    const size_t group = run->config->measure.order == GB_ORDER_SEQUENTIAL ? 1 : own;
    for (size_t i = 0; i < own && !gb_runner_stopped(run); i += group)
        run_group(run, run->tasks + i, group);
    memcpy(run->others + run->other_count, run->tasks + own,
           (run->task_count - own) * sizeof *run->tasks);
    run->other_count += run->task_count - own;
    run->task_count = 0;
}

/* The point's end: its rows on stdout, a line in a log. wanted: how many rows it has in all;
 * SIZE_MAX where some were there before. */
static void end_point(gb_runner *run, const size_t before[GB_STATUS_COUNT], size_t wanted)
{
    char summary[128];
    summarise(run->totals, before, summary);
    if (gb_runner_stopped(run))
        strncat(summary, ", not finished", sizeof summary - strlen(summary) - 1);
    else
        gb_runner_learn(run);
    gb_progress_point_done(&run->progress, summary);
    gb_progress_clear(&run->progress);
    if (!run->manner->silent)
        gb_display_print(&run->display, run->progress.point_text, gb_terminal_columns(stdout),
                         stdout);
    /* On a terminal the rows have just said it. */
    if (!gb_is_terminal(stdout) && !run->manner->silent) say_why_none(run, before, wanted);
    gb_display_next(&run->display);
}

/* Drawing takes of the run no more than this part, and is done every so often at most. */
static const double live_part = 0.05, live_every_s = 1;

/* Draws what there is. Here no request is under way, so that it takes nothing from what is measured
 * but the time that the device then rests. */
static void draw_live(gb_runner *run)
{
    const double now = gb_now();
    gb_error note = {GB_OK, ""};
    if (!run->live || !run->progress.terminal || now < run->live_next || gb_runner_stopped(run))
        return;
    char *drawn = run->live->draw(run->live->context, &note);
    const double took = gb_now() - now, pause = took / live_part;
    run->live_next = gb_now() + (pause > live_every_s ? pause : live_every_s);
    if (drawn) gb_progress_figure(&run->progress, drawn);
    if (*note.text && !gb_interrupted) gb_progress_note(&run->progress, "note: %s", note.text);
}

static void run_point(gb_runner *run, size_t point)
{
    size_t present = 0, before[GB_STATUS_COUNT];
    char text[GB_DISPLAY_POINT];
    size_t left = gb_wanted_count(run->config, run->output, point, &present);
    run->totals->resumed += present;
    if (left == 0) return;
    run->totals->points++;
    memcpy(before, run->totals->rows, sizeof before);
    gb_progress_point(&run->progress,
                      gb_display_point(&run->display, &run->config->points[point], text));
    run->point_s = gb_runner_expect_point(run, point);
    run->point_done_s = 0;
    /* One scope after the other: copies between host and device would disturb what has none. */
    for (unsigned s = 0; s < gb_scope_count(&run->config->measure); s++)
        run_scope(run, point, gb_scope_at(&run->config->measure, s));
    run_others(run);
    if (!run->broken && !gb_output_sync(run->output, run->error)) run->broken = true;
    end_point(run, before, present ? SIZE_MAX : left);
    draw_live(run);
}

/* Whether a point would end too late: what its rows are expected to take is then too long. */
static bool ends_too_late(gb_runner *run, size_t point)
{
    const double until = run->manner->until;
    if (until <= 0 || run->totals->points == 0) return false;
    return gb_now() + gb_runner_expect_point(run, point) > until;
}

/* A run that takes more than a minute says so before its first row. */
static void say_how_long(const gb_runner *run, double seconds)
{
    const gb_config *config = run->config;
    char text[32];
    if (seconds < 60 || !gb_estimate_is_known(run->session)) return;
    fprintf(stderr, "%s: about %s (%s)", config->name, gb_duration(seconds, text),
            gb_estimate_source(run->session));
    if (gb_estimate_is_simt(run->session) && !config->quick)
        fputs(config->can_be_quick
                  ? "; without --full it takes less"
                  : "; a smaller size, in a \"quick\" section or by --filter, takes "
                    "less",
              stderr);
    putc('\n', stderr);
}

/* Room for the rows of a point, what is shown of them, and what an earlier run has kept. */
static bool prepare(gb_runner *run)
{
    const gb_config *config = run->config;
    run->tasks = calloc((size_t)config->variant_count * 2, sizeof *run->tasks);
    run->others = calloc((size_t)config->variant_count * 4, sizeof *run->others);
    if (gb_display_begin(&run->display, config) && run->tasks && run->others &&
        gb_remaining_begin(&run->remaining, config->primitive->variant_count,
                           gb_estimate_is_known(run->session)))
        return gb_sittings_begin(run, run->error);
    gb_fail(run->error, GB_CRASHED, "out of memory");
    return false;
}

/* What is not finished is kept: not on a disk that has failed already. */
static gb_run_end finish(gb_runner *run)
{
    gb_error why = {GB_OK, ""};
    gb_progress_clear(&run->progress);
    if ((!run->broken || run->no_worker) && !gb_sittings_end(run, &why)) {
        if (run->broken) gb_progress_note(&run->progress, "gpubench run: %s", run->error->text);
        *run->error = why;
        run->broken = true;
    }
    return run->broken             ? GB_RUN_BROKEN
           : gb_interrupted        ? GB_RUN_INTERRUPTED
           : run->totals->left_out ? GB_RUN_LIMITED
                                   : GB_RUN_COMPLETE;
}

static void clear(gb_runner *run)
{
    free(run->tasks);
    free(run->others);
    gb_block_free(&run->progress.figure);
    gb_unfinished_free(&run->unfinished);
    gb_display_free(&run->display);
    gb_remaining_free(&run->remaining);
}

gb_run_end gb_run_config(gb_session *session, gb_output *output, const gb_estimate *estimate,
                         const gb_run_manner *manner, gb_run_totals *totals, gb_error *error)
{
    const gb_config *config = output->setup.config;
    gb_runner run = {.session = session,
                     .own = session,
                     .output = output,
                     .config = config,
                     .estimate = estimate,
                     .totals = totals,
                     .live = manner->live,
                     .manner = manner,
                     .error = error};
    run.link = (gb_link){.session = session, .primitive = config->primitive};
    run.context =
        (gb_task_context){&run.link, &config->measure, config->seed, session->device->l2_bytes};
    if (!prepare(&run)) {
        clear(&run);
        return GB_RUN_BROKEN;
    }
    size_t points;
    double seconds = gb_runner_plan_all(&run, &points), wait_s = gb_worker_wait_s(session->worker);
    unsigned long requests = gb_worker_requests(session->worker);
    totals->medians = cJSON_CreateArray();
    totals->kernels = cJSON_CreateArray();
    if (manner->until <= 0) say_how_long(&run, seconds);
    char device[GB_SESSION_DEVICE];
    if (points && !manner->silent)
        gb_display_title(&run.display, gb_session_device(session, device),
                         gb_estimate_is_simt(session), points, stdout);
    gb_progress_start(&run.progress, manner->title, points);
    for (size_t i = 0; i < config->point_count && !gb_runner_stopped(&run); i++) {
        if (ends_too_late(&run, i))
            totals->left_out++;
        else
            run_point(&run, i);
    }
    const gb_run_end end = finish(&run);
    clear(&run);
    totals->busy_s += run.link.busy_s;
    totals->rest_s += run.link.rest_s;
    gb_runner_add_costs(totals, session->worker);
    totals->wait_s -= wait_s;
    totals->sync_s = output->sync_s;
    totals->requests -= requests;
    return end;
}
