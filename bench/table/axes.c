/* Which axes a layout draws, and the rows that follow from its wishes. */
#include "bench/table/axes.h"

#include <string.h>

bool gb_table_drawn_axes(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                         bool drawn[GB_MAX_AXES], gb_error *error)
{
    for (unsigned a = 0; a < GB_MAX_AXES; a++)
        drawn[a] = false;
    for (size_t i = 0; i <= layout->row_axis_count; i++) {
        const char *name = i < layout->row_axis_count ? layout->row_axes[i] : layout->column_axis;
        if (!name) continue;
        int axis = gb_result_axis(set, name);
        if (axis < 0) {
            gb_fail(error, GB_WRONG,
                    "%s draws the axis '%s', which experiment '%s' does not have; its axes: %s "
                    "(--table plain prints one row a point)",
                    layout->path, name, set->experiment, gb_result_axes(arena, set));
            return false;
        }
        drawn[axis] = true;
    }
    return true;
}

/* What is shown under a name is held at values of axes that there are. */
static bool holds_axes(gb_arena *arena, const gb_table_layout *layout, const char *shown,
                       const gb_choices *at, const gb_result_set *set, gb_error *error)
{
    for (size_t i = 0; i < at->count; i++) {
        if (gb_result_axis(set, at->items[i].name) >= 0) continue;
        gb_fail(error, GB_WRONG,
                "%s holds '%s' at a value of '%s', which is no axis of experiment '%s'; its axes: "
                "%s",
                layout->path, shown, at->items[i].name, set->experiment,
                gb_result_axes(arena, set));
        return false;
    }
    return true;
}

static bool knows_axes(gb_arena *arena, const gb_table_layout *layout,
                       const bool drawn[GB_MAX_AXES], const gb_result_set *set, gb_error *error)
{
    for (size_t i = 0; i < layout->best_axis_count; i++) {
        int axis = gb_result_axis(set, layout->best_axes[i]);
        if (axis < 0 || !drawn[axis]) continue; /* if it is none, gb_results_derive says so */
        gb_fail(error, GB_WRONG, "%s takes the best over the axis '%s', which it draws",
                layout->path, layout->best_axes[i]);
        return false;
    }
    for (size_t v = 0; v < layout->variant_count; v++)
        if (!holds_axes(arena, layout, layout->variants[v].name, &layout->variants[v].at, set,
                        error))
            return false;
    for (size_t r = 0; r < layout->ratio_count; r++) {
        const gb_layout_ratio *ratio = &layout->ratios[r];
        const gb_choice per = {.name = ratio->per, .value = ""};
        const gb_choices parts = {.items = (gb_choice[]){per}, .count = ratio->per != NULL};
        if (!holds_axes(arena, layout, ratio->label, &ratio->at, set, error) ||
            !holds_axes(arena, layout, ratio->label, &ratio->over_at, set, error) ||
            !holds_axes(arena, layout, ratio->label, &parts, set, error))
            return false;
    }
    return true;
}

bool gb_table_derive_printed(gb_arena *arena, const gb_table_layout *layout,
                             const gb_result_set **set, gb_error *error)
{
    const gb_derivation what = {layout->scale_by, layout->best_axes, layout->best_axis_count,
                                layout->no_cache_resident};
    if (!*set || (!what.scale && what.best_count == 0 && !what.no_cache_resident)) return true;
    gb_result_set *derived = gb_arena_alloc(arena, sizeof *derived);
    if (!gb_results_derive(arena, *set, &what, derived, error)) return false;
    *set = derived;
    return true;
}

bool gb_table_derive(gb_arena *arena, gb_table_layout *layout, const bool drawn[GB_MAX_AXES],
                     const gb_result_set **set, const gb_result_set **paper, gb_error *error)
{
    if (!knows_axes(arena, layout, drawn, *set, error) ||
        !gb_table_derive_printed(arena, layout, set, error) ||
        !gb_table_derive_printed(arena, layout, paper, error))
        return false;
    for (size_t i = 0; i < layout->best_axis_count; i++)
        gb_choices_add(arena, &layout->where, layout->best_axes[i], gb_best);
    return true;
}
