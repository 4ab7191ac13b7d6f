/* Each run against the one before, and what became of it since. */
#include "bench/history/history.h"

#include <string.h>

typedef struct judge {
    gb_history *history;
    const gb_history_wishes *wishes;
    gb_choices chosen; /* those of the wishes, and this experiment */
} judge;

static void compare(judge *j, const gb_history_run *a, const gb_history_run *b, gb_comparison *c)
{
    gb_compare_join(&j->history->sides, a->side, b->side, &j->chosen, c);
    gb_compare_judge(&j->history->sides, &j->wishes->judging, c);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static gb_history_group *group_of(gb_arena *arena, gb_history_step *step, const gb_result_row *row)
{
    for (size_t i = 0; i < step->group_count; i++) {
        gb_history_group *group = &step->groups[i];
        if (strcmp(group->variant, row->variant) == 0 && strcmp(group->cache, row->cache) == 0 &&
            strcmp(group->scope, row->scope) == 0)
            return group;
    }
    step->groups = gb_arena_grow(arena, step->groups, step->group_count, &step->group_capacity,
                                 sizeof *step->groups);
    step->groups[step->group_count] =
        (gb_history_group){.variant = row->variant, .cache = row->cache, .scope = row->scope};
    return &step->groups[step->group_count++];
}

static void make_groups(gb_arena *arena, gb_history_step *step)
{
    for (size_t i = 0; i < step->comparison.pair_count; i++) {
        const gb_pair *pair = &step->comparison.pairs[i];
        gb_history_group *group = group_of(arena, step, pair->a);
        group->pairs = gb_arena_grow(arena, group->pairs, group->count, &group->capacity,
                                     sizeof(const gb_pair *));
        group->pairs[group->count++] = pair;
        group->verdicts[pair->verdict]++;
    }
}

/* ---- since then ------------------------------------------------------------------------------ */

/* What a row that was slower is in the last run. */
static bool is_still_slower(const gb_comparison *last, const gb_pair *pair)
{
    for (size_t i = 0; i < last->pair_count; i++)
        if (last->pairs[i].a == pair->a) return last->pairs[i].verdict == GB_SLOWER;
    return false;
}

static void look_since(judge *j, const gb_history_series *s, size_t at)
{
    gb_history_step *step = &s->steps[at];
    if (step->comparison.verdicts[GB_SLOWER] == 0 && step->comparison.broken == 0) return;
    step->last = &step->comparison;
    if (at + 1 < s->count) {
        step->last = gb_arena_alloc(&j->history->sides.arena, sizeof *step->last);
        compare(j, &s->runs[at - 1], &s->runs[s->count - 1], step->last);
    }
    for (size_t g = 0; g < step->group_count; g++) {
        gb_history_group *group = &step->groups[g];
        for (size_t i = 0; i < group->count; i++)
            group->still += group->pairs[i]->verdict == GB_SLOWER &&
                            is_still_slower(step->last, group->pairs[i]);
        j->history->still_slower += group->still;
    }
    step->still_broken = step->comparison.broken && step->last->broken;
    j->history->still_slower += step->still_broken;
}

static void judge_series(judge *j, gb_history_series *s)
{
    gb_arena *arena = &j->history->sides.arena;
    s->steps = gb_arena_alloc(arena, (s->count + 1) * sizeof *s->steps);
    j->chosen = (gb_choices){0};
    for (size_t i = 0; j->wishes->chosen && i < j->wishes->chosen->count; i++)
        gb_choices_add(arena, &j->chosen, j->wishes->chosen->items[i].name,
                       j->wishes->chosen->items[i].value);
    gb_choices_add(arena, &j->chosen, "experiment", s->experiment);
    for (size_t i = 1; i < s->count; i++) {
        compare(j, &s->runs[i - 1], &s->runs[i], &s->steps[i].comparison);
        make_groups(arena, &s->steps[i]);
    }
    for (size_t i = 1; i < s->count; i++)
        look_since(j, s, i);
}

/* Fills in the steps. */
static void judge_all(gb_history *history, const gb_history_wishes *wishes)
{
    judge j = {.history = history, .wishes = wishes};
    for (size_t i = 0; i < history->count; i++)
        judge_series(&j, &history->series[i]);
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool gb_history_read(gb_history *history, char **paths, size_t count,
                     const gb_history_wishes *wishes, gb_error *error)
{
    gb_arena *arena = &history->sides.arena;
    size_t file_count = 0;
    char **files = gb_result_files_below(arena, paths, count, &file_count, error);
    const bool good =
        files && gb_sides_load(&history->sides, files, file_count, error) &&
        (!wishes->beside || gb_noise_load_beside(arena, files, file_count, wishes->beside, error));
    if (good) {
        gb_history_find(history, wishes->chosen);
        gb_history_ask_git(history, gb_result_folder(arena, paths[0]));
        gb_history_order(history, wishes->last);
        judge_all(history, wishes);
    }
    if (good && history->count == 0)
        gb_fail(error, GB_WRONG, "there is no measured row%s in the %zu result files of %s",
                wishes->chosen && wishes->chosen->count ? " of those that were chosen" : "",
                file_count, paths[0]);
    return good && history->count > 0;
}

void gb_history_free(gb_history *history)
{
    gb_sides_free(&history->sides);
    *history = (gb_history){0};
}
