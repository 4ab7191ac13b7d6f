/* From rows to entries. */
#include "bench/rows/foreign_of.h"

#include "common/stats/stats.h"

#include <math.h>
#include <string.h>

static void add_row(gb_sides *sides, const gb_result_set *set, const gb_result_row *row,
                    gb_foreign *file)
{
    gb_arena *arena = &sides->arena;
    file->entries =
        gb_arena_grow(arena, file->entries, file->count, &file->capacity, sizeof *file->entries);
    gb_foreign_entry *entry = &file->entries[file->count++];
    *entry = (gb_foreign_entry){.where = "",
                                .experiment = set->experiment,
                                .primitive = set->primitive,
                                .variant = row->variant,
                                .backend = row->backend,
                                .device = row->device,
                                .under = row->under,
                                .model = gb_row_model(row),
                                .cache = row->cache,
                                .scope = row->scope,
                                .status = row->status,
                                .reason = row->reason,
                                .unit = row->unit,
                                .limit_kind = row->limit_kind,
                                .limit_rate = row->limit_rate,
                                .sm_clock_mhz = row->sm_clock_mhz};
    entry->axes = gb_arena_alloc(arena, set->axis_count * sizeof *entry->axes);
    for (unsigned a = 0; a < set->axis_count; a++)
        entry->axes[entry->axis_count++] = (gb_foreign_axis){set->axes[a], row->axis[a]};
    if (row->status != GB_OK) return;
    entry->items = round(row->rate * row->time_s);
    entry->count = row->samples;
    entry->mean = row->time_s;
    if (row->samples > 0) entry->times = gb_side_samples(sides, set, row);
    if (row->samples > 1 && row->time_hi_s > row->time_lo_s)
        entry->sd = (row->time_hi_s - row->time_lo_s) / 2 * sqrt((double)row->samples) /
                    gb_student_t975(row->samples - 1);
}

static gb_export_run run_of(gb_sides *sides, const gb_foreign *file, const gb_result_row *row)
{
    gb_export_run run = {.date = "", .host = ""};
    if (!row || row->source || file->count == 0) return run;
    const gb_run_facts *facts = gb_side_run(sides, row);
    run.date = *facts->ended ? facts->ended : facts->started;
    run.host = facts->node;
    run.sms = facts->sms;
    run.l2_bytes = facts->l2_bytes;
    return run;
}

bool gb_results_export(const char *results, gb_export_format format, const char *path,
                       const char *const *command, size_t command_count, gb_error *error)
{
    gb_sides sides = {0};
    gb_foreign file = {0};
    const gb_result_row *first = NULL;
    char *operand = (char *)results;
    bool good = gb_sides_load(&sides, &operand, 1, error);
    for (size_t s = 0; good && s < sides.operands[0].set_count; s++) {
        const gb_result_set *set = &sides.operands[0].sets[s];
        for (size_t r = 0; r < set->row_count && !set->published && !set->profile; r++) {
            add_row(&sides, set, &set->rows[r], &file);
            if (!first) first = &set->rows[r];
        }
    }
    if (good && file.count == 0) {
        gb_fail(error, GB_WRONG, "%s holds no measured row", results);
        good = false;
    }
    gb_export_run run = {0};
    if (good) run = run_of(&sides, &file, first);
    run.command = command;
    run.command_count = command_count;
    good = good && gb_foreign_export(&file, &run, format, path, error);
    gb_sides_free(&sides);
    return good;
}
