/* Of rows that are the best over some axes: with which values they were. */
#include "bench/table/axes.h"
#include "bench/table/build.h"
#include "bench/table/cells.h"

#include <string.h>

/* More points with one value than this are counted, not named. */
enum { MOST_NAMED = 6 };

void gb_table_keep_best(gb_table_builder *b, const gb_table_series *s, const gb_result_row *row)
{
    if (!row->best || row->status != GB_OK) return;
    const gb_table_best best = {(size_t)(s - b->series), row};
    for (size_t i = 0; i < b->best_count; i++)
        if (b->best[i].series == best.series && b->best[i].row == row) return;
    b->best = gb_arena_grow(b->arena, b->best, b->best_count, &b->best_capacity, sizeof *b->best);
    b->best[b->best_count++] = best;
}

/* "radius 1", "x 512, radius 1": where a row stands; of a point that `last` has in common the value
 * of the last axis alone. */
static const char *place(gb_table_builder *b, const gb_result_row *row, const gb_result_row *last,
                         const bool drawn[GB_MAX_AXES])
{
    const char *text = "";
    unsigned axes = 0, only = 0;
    for (unsigned a = 0; a < b->set->axis_count; a++)
        if (drawn[a]) {
            axes++;
            only = a;
        }
    if (axes == 1 && last) return row->axis[only];
    for (unsigned a = 0; a < b->set->axis_count; a++)
        if (drawn[a])
            text = gb_arena_printf(b->arena, "%s%s%s %s", text, *text ? " and " : "",
                                   b->set->axes[a], gb_axis_readable(b->arena, row->axis[a]));
    return text;
}

/* Rows of a series with the same values. */
typedef struct group {
    const char *value, *places;
    const gb_result_row *last;
    size_t count;
} group;

/* The most frequent first, else in order of appearance. */
static void sort_groups(group *groups, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const group moved = groups[i];
        size_t at = i;
        for (; at > 0 && groups[at - 1].count < moved.count; at--)
            groups[at] = groups[at - 1];
        groups[at] = moved;
    }
}

const char *gb_table_best_text(gb_table_builder *b, size_t series, const bool drawn[GB_MAX_AXES])
{
    group *groups = gb_arena_alloc(b->arena, (b->best_count + 1) * sizeof *groups);
    size_t group_count = 0, total = 0;
    unsigned failed = 0;
    bool choice = false;
    for (size_t i = 0; i < b->best_count; i++) {
        const gb_result_row *row = b->best[i].row;
        if (b->best[i].series != series) continue;
        size_t g = 0;
        while (g < group_count && strcmp(groups[g].value, row->best) != 0)
            g++;
        if (g == group_count) groups[group_count++] = (group){.value = row->best, .places = ""};
        groups[g].places =
            gb_arena_printf(b->arena, "%s%s%s", groups[g].places, *groups[g].places ? ", " : "",
                            place(b, row, groups[g].last, drawn));
        groups[g].last = row;
        groups[g].count++;
        total++;
        choice |= row->rivals > 1 || row->failed > 0;
        failed += row->failed;
    }
    if (!choice) return NULL;
    sort_groups(groups, group_count);
    const char *text = "";
    for (size_t g = 0; g < group_count; g++) {
        const char *places = groups[g].places;
        if (groups[g].count > MOST_NAMED)
            places = gb_arena_printf(b->arena, "%zu of %zu", groups[g].count, total);
        text = gb_arena_printf(b->arena, "%s%s%s", text, *text ? ", " : "", groups[g].value);
        if (group_count > 1) text = gb_arena_printf(b->arena, "%s (%s)", text, places);
    }
    if (failed > 0) text = gb_arena_printf(b->arena, "%s; %u failed", text, failed);
    return text;
}

/* "block/x": the axes over which a series' rows are the best, but for those that it is held at. */
static const char *best_axes(const gb_table_builder *b, const gb_table_series *s)
{
    const char *text = "";
    for (size_t i = 0; i < b->layout->best_axis_count; i++) {
        const char *name = b->layout->best_axes[i];
        bool held = false;
        for (size_t k = 0; s->at && k < s->at->count; k++)
            held |= strcmp(s->at->items[k].name, name) == 0;
        if (!held) text = gb_arena_printf(b->arena, "%s%s%s", text, *text ? "/" : "", name);
    }
    return text;
}

void gb_table_add_best_remarks(gb_table_builder *b)
{
    bool drawn[GB_MAX_AXES];
    gb_error none = {0};
    if (!gb_table_drawn_axes(b->arena, b->layout, b->set, drawn, &none)) return;
    for (size_t s = 0; s < b->series_count; s++) {
        const char *text = gb_table_best_text(b, s, drawn);
        if (!text) continue;
        gb_table_add_remark(b->arena, b->table,
                            gb_arena_printf(b->arena, "%s, %s: best %s %s", b->series[s].label,
                                            b->series[s].source, best_axes(b, &b->series[s]),
                                            text));
    }
}
