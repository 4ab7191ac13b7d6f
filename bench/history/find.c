/* Which runs there are, of what, and in which order. */
#include "bench/history/history.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding --------------------------------------------------------------------------------- */

/* A series is of one make of device, under the same conditions. */
static gb_history_series *series_of(gb_history *history, const gb_side *side,
                                    const gb_result_set *set)
{
    const char *device = gb_device_under(&history->sides.arena, side->model, side->under);
    for (size_t i = 0; i < history->count; i++) {
        gb_history_series *s = &history->series[i];
        if (strcmp(s->experiment, set->experiment) == 0 &&
            strcmp(s->primitive, set->primitive) == 0 && s->simt == set->simt &&
            strcmp(s->device, device) == 0)
            return s;
    }
    history->series = gb_arena_grow(&history->sides.arena, history->series, history->count,
                                    &history->capacity, sizeof *history->series);
    history->series[history->count] = (gb_history_series){.experiment = set->experiment,
                                                          .primitive = set->primitive,
                                                          .device = device,
                                                          .simt = set->simt};
    return &history->series[history->count++];
}

/* Whether rows of an experiment are wanted. */
static bool is_wanted(gb_arena *arena, const gb_choices *chosen, const gb_result_set *set)
{
    const gb_choice *choice = gb_choice_find(chosen, "experiment");
    return !choice || gb_choice_allows(arena, choice, set->experiment);
}

/* Adds the run of a side's rows in a set, if it has any there. */
static void add_run(gb_history *history, const gb_side *side, const gb_result_set *set)
{
    gb_arena *arena = &history->sides.arena;
    const gb_result_row *row = NULL;
    for (size_t r = 0; r < set->row_count && !row; r++)
        if (strcmp(set->rows[r].device, side->device) == 0) row = &set->rows[r];
    if (!row) return;
    gb_history_series *series = series_of(history, side, set);
    series->runs =
        gb_arena_grow(arena, series->runs, series->count, &series->capacity, sizeof *series->runs);
    /* what is known of runs moves when there are more: a copy stays */
    gb_run_facts *facts = gb_arena_alloc(arena, sizeof *facts);
    *facts = *gb_side_run(&history->sides, row);
    series->runs[series->count++] = (gb_history_run){
        .side = side, .facts = facts, .path = row->path, .subject = "", .order = -1};
}

void gb_history_find(gb_history *history, const gb_choices *chosen)
{
    for (size_t i = 0; i < history->sides.count; i++) {
        const gb_side *side = &history->sides.items[i];
        for (size_t s = 0; s < side->results->set_count; s++) {
            const gb_result_set *set = &side->results->sets[s];
            if (!set->published && !set->profile && is_wanted(&history->sides.arena, chosen, set))
                add_run(history, side, set);
        }
    }
}

/* ---- in order -------------------------------------------------------------------------------- */

/* When a run began, as text that sorts; of one without a meta file by its name, which has it where
 * it was moved aside. */
static const char *time_of(const gb_history_run *run)
{
    return *run->facts->started ? run->facts->started : run->path;
}

static int by_time(const void *a, const void *b)
{
    const gb_history_run *x = a, *y = b;
    const int order = strcmp(time_of(x), time_of(y));
    return order ? order : strcmp(x->path, y->path);
}

static int by_commit(const void *a, const void *b)
{
    const gb_history_run *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    /* what was changed besides comes behind the commit itself */
    if (x->facts->source.dirty != y->facts->source.dirty) return x->facts->source.dirty ? 1 : -1;
    return by_time(a, b);
}

static bool same_state(const gb_commit *a, const gb_commit *b)
{
    return !a->dirty && !b->dirty && strcmp(a->hash, b->hash) == 0;
}

/* Of runs of the same sources the last counts. */
static void join_equal(gb_history_series *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        gb_history_run *before = kept ? &s->runs[kept - 1] : NULL, run = s->runs[i];
        const bool equal = before && *run.facts->source.hash &&
                           same_state(&before->facts->source, &run.facts->source) &&
                           same_state(&before->facts->program, &run.facts->program);
        if (equal) {
            run.equal = before->equal + 1;
            *before = run;
        } else {
            s->runs[kept++] = run;
        }
    }
    s->count = kept;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* So many digits tell all commits apart. */
static size_t digits_of(const gb_history *history)
{
    size_t digits = 7;
    for (size_t i = 0; i < history->count; i++)
        for (size_t a = 0; a < history->series[i].count; a++)
            for (size_t b = 0; b < a; b++) {
                const char *x = history->series[i].runs[a].facts->source.hash,
                           *y = history->series[i].runs[b].facts->source.hash;
                while (*x && *y && strcmp(x, y) != 0 && strncmp(x, y, digits) == 0)
                    digits++;
            }
    return digits;
}

static void name_run(gb_arena *arena, gb_history_run *run, size_t digits)
{
    const gb_commit *source = &run->facts->source;
    const char *started = run->facts->started;
    if (*source->hash)
        run->name = gb_arena_printf(arena, "%.*s%s", (int)digits, source->hash,
                                    source->dirty ? "-dirty" : "");
    else if (strlen(started) >= 19) /* 2026-11-25T16:33:16Z */
        run->name = gb_arena_printf(arena, "%.10s %.8s", started, started + 11);
    else
        run->name = strrchr(run->path, '/') ? strrchr(run->path, '/') + 1 : run->path;
}

/* Changes without a commit of their own have one name: they are numbered. */
static void number_runs(gb_arena *arena, gb_history_series *s)
{
    for (size_t i = 1; i < s->count; i++) {
        size_t same = 1;
        for (size_t k = 0; k < i; k++)
            same += strncmp(s->runs[k].name, s->runs[i].name, strlen(s->runs[i].name)) == 0 &&
                    strchr(".", s->runs[k].name[strlen(s->runs[i].name)]);
        if (same > 1) s->runs[i].name = gb_arena_printf(arena, "%s.%zu", s->runs[i].name, same);
    }
}

void gb_history_order(gb_history *history, uint64_t last)
{
    for (size_t i = 0; i < history->count; i++) {
        gb_history_series *s = &history->series[i];
        qsort(s->runs, s->count, sizeof *s->runs, history->by_commit ? by_commit : by_time);
        join_equal(s);
        if (last && s->count > last) {
            s->runs += s->count - last;
            s->count = last;
        }
    }
    const size_t digits = digits_of(history);
    for (size_t i = 0; i < history->count; i++) {
        for (size_t r = 0; r < history->series[i].count; r++)
            name_run(&history->sides.arena, &history->series[i].runs[r], digits);
        number_runs(&history->sides.arena, &history->series[i]);
    }
}
