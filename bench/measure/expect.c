/* A run's progress: rows planned, points expected, and what was learnt of those that are done. */
#include "bench/measure/expect.h"

#include "bench/measure/wanted.h"
#include "bench/util/clock.h"

#include <math.h>

/* How much of the point under way is done, 0 to 1: of its rows those that are written, and of the
 * others, whose samples are not all, by their samples. */
static double part_of_point(const gb_runner *run)
{
    static const double of_samples = 0.9; /* the rest is opening and verifying */
    double done = run->point_done_s;
    for (size_t i = 0; i < run->task_count; i++) {
        const gb_task *task = &run->tasks[i];
        const double taken = (double)task->count / task->sampling.samples;
        if (task->state != GB_TASK_DONE)
            done += task->expected_s * of_samples * (taken < 1 ? taken : 1);
    }
    return run->point_s > 0 ? done / run->point_s : 0;
}

void gb_runner_expect(gb_runner *run)
{
    const double all = gb_remaining_s(&run->remaining);
    const double elapsed = gb_now() - run->progress.point_begun;
    run->progress.left_s = all < 0
                               ? -1
                               : fmax(0, all - run->point_s) +
                                     gb_remaining_within(run->point_s, elapsed, part_of_point(run));
}

void gb_runner_learn(gb_runner *run)
{
    const gb_display *display = &run->display;
    const double wall_s = gb_now() - run->progress.point_begun;
    /* All of its time is theirs. */
    double spent_s = 0;
    for (size_t i = 0; i < display->count; i++)
        spent_s += display->rows[i].spent_s;
    for (size_t i = 0; i < display->count; i++) {
        const gb_display_row *row = &display->rows[i];
        gb_remaining_done(&run->remaining, row->row.variant, 1, row->planned_s,
                          spent_s > 0 ? wall_s * row->spent_s / spent_s : 0);
    }
    run->point_s = run->point_done_s = 0;
    gb_runner_expect(run);
}

size_t gb_runner_plan_tasks(gb_runner *run, size_t point, gb_scope scope, size_t *present)
{
    const double planned_s = gb_estimate_row_s(run->estimate, run->config, point, run->session);
    const size_t count =
        gb_wanted_rows(run->config, run->output, point, scope, run->tasks, present);
    for (size_t i = 0; i < count; i++) {
        run->tasks[i].planned_s = planned_s;
        run->tasks[i].expected_s =
            fmax(0, gb_remaining_row_s(&run->remaining, run->tasks[i].row.variant, planned_s));
    }
    return count;
}

double gb_runner_expect_point(gb_runner *run, size_t point)
{
    double seconds = 0;
    for (unsigned s = 0; s < gb_scope_count(&run->config->measure); s++) {
        size_t present = 0;
        const size_t count =
            gb_runner_plan_tasks(run, point, gb_scope_at(&run->config->measure, s), &present);
        for (size_t i = 0; i < count; i++)
            seconds += run->tasks[i].expected_s;
    }
    return seconds;
}

double gb_runner_plan_all(gb_runner *run, size_t *points)
{
    double seconds = 0;
    *points = 0;
    for (size_t i = 0; i < run->config->point_count; i++) {
        size_t rows = 0;
        for (unsigned s = 0; s < gb_scope_count(&run->config->measure); s++) {
            size_t present = 0;
            const size_t count =
                gb_runner_plan_tasks(run, i, gb_scope_at(&run->config->measure, s), &present);
            for (size_t k = 0; k < count; k++) {
                gb_remaining_plan(&run->remaining, run->tasks[k].row.variant, 1,
                                  run->tasks[k].planned_s);
                seconds += run->tasks[k].planned_s;
            }
            rows += count;
        }
        *points += rows > 0;
    }
    return seconds;
}
