/* Samples that are carried from one run to the next. */
#include "bench/measure/sittings.h"

#include "common/protocol/conditions.h"

#include <stdlib.h>
#include <string.h>

bool gb_sittings_begin(gb_runner *run, gb_error *error)
{
    char note[GB_PATH_SIZE + 512];
    gb_unfinished *kept = &run->unfinished;
    if (!gb_unfinished_begin(kept, run->output, run->session, note, sizeof note, error))
        return false;
    if (*note) fprintf(stderr, "note: %s\n", note);
    if (kept->count)
        fprintf(stderr, "note: goes on from %zu samples of %zu row%s that %s not finished\n",
                gb_unfinished_samples(kept), kept->count, kept->count == 1 ? "" : "s",
                kept->count == 1 ? "was" : "were");
    return true;
}

static void adopt(gb_runner *run, gb_task *task, gb_unfinished_row *from)
{
    task->samples = from->samples;
    task->count = task->capacity = task->kept = from->count;
    task->sittings = from->sittings;
    task->spent_s = from->spent_s;
    task->row.reading = from->reading;
    memcpy(task->row.started_utc, from->started_utc, sizeof from->started_utc);
    memcpy(task->row.instance, from->instance, sizeof from->instance);
    from->samples = NULL;
    from->sittings = NULL;
    if (task->sampling.automatic && task->count >= task->sampling.samples)
        task->target = gb_auto_target(&run->config->measure, task->samples, task->count);
}

void gb_sittings_adopt(gb_runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; run->unfinished.count && i < count; i++) {
        const gb_row *row = &tasks[i].row;
        char point[GB_POINT_TEXT];
        gb_unfinished_row kept;
        gb_row_point_text(run->config, row->point, row->scope, point);
        if (!gb_unfinished_take(&run->unfinished, point,
                                run->config->primitive->variants[row->variant].name,
                                gb_cache_name(row->cold), &kept))
            continue;
        adopt(run, &tasks[i], &kept);
        gb_unfinished_row_free(&kept);
    }
}

/* Moves the samples of a task into what is kept. */
static void keep(gb_runner *run, gb_task *task)
{
    const gb_row *row = &task->row;
    char point[GB_POINT_TEXT];
    gb_unfinished_row kept = {
        .point = strdup(gb_row_point_text(run->config, row->point, row->scope, point)),
        .variant = strdup(run->config->primitive->variants[row->variant].name),
        .cache = strdup(gb_cache_name(row->cold)),
        .samples = task->samples,
        .count = task->count,
        /* to be opened again costs the row nothing */
        .spent_s = task->spent_s - (task->state == GB_TASK_OPEN ? task->open_s : 0),
        .reading = row->reading,
        .sittings = gb_task_sittings(task, run->output->setup.run_id)};
    memcpy(kept.started_utc, row->started_utc, sizeof kept.started_utc);
    memcpy(kept.instance, row->instance, sizeof kept.instance);
    task->samples = NULL;
    task->count = task->capacity = 0;
    const bool whole = kept.point && kept.variant && kept.cache;
    if (!whole) gb_unfinished_row_free(&kept);
    if (!whole || !gb_unfinished_put(&run->unfinished, &kept))
        gb_progress_note(&run->progress, "no memory for samples of a row that is not finished");
}

void gb_sittings_keep(gb_runner *run, gb_task *tasks, size_t count)
{
    for (size_t i = 0; gb_runner_stopped(run) && i < count; i++)
        if (tasks[i].state != GB_TASK_DONE && tasks[i].count > 0) keep(run, &tasks[i]);
}

bool gb_sittings_end(gb_runner *run, gb_error *error)
{
    const gb_unfinished *kept = &run->unfinished;
    if (!gb_unfinished_write(&run->unfinished, run->output, error)) return false;
    if (kept->count && gb_runner_stopped(run))
        gb_progress_note(&run->progress,
                         "kept %zu samples of %zu row%s that %s not finished; --resume goes on "
                         "from them",
                         gb_unfinished_samples(kept), kept->count, kept->count == 1 ? "" : "s",
                         kept->count == 1 ? "is" : "are");
    return true;
}
