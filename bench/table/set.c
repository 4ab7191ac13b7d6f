/* The tables of an experiment. */
#include "bench/table/set.h"

#include "bench/rows/elsewhere.h"
#include "bench/rows/published.h"
#include "bench/rows/run_facts.h"
#include "bench/table/axes.h"
#include "bench/table/elsewhere.h"
#include "bench/util/share.h"
#include "common/text/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The layout asked for, else that of the experiment, else that of the primitive, else the plain
 * one. */
static bool find_layout(gb_arena *arena, const gb_table_wishes *wishes, const gb_result_set *set,
                        gb_table_layout *layout, gb_error *error)
{
    const char *names[] = {wishes->layout ? wishes->layout : set->experiment, set->primitive};
    for (size_t i = 0; i < (wishes->layout ? 1 : 2); i++) {
        if (wishes->layout && strcmp(wishes->layout, "plain") == 0) break;
        if (!wishes->layout && gb_name_mistake(names[i])) continue; /* the title of a paper */
        char *path = gb_share_find(arena, gb_arena_printf(arena, "plots/%s.table.json", names[i]));
        const char *own = path || set->published || !set->row_count || gb_name_mistake(names[i])
                              ? NULL
                              : gb_plots_beside_config(arena, set->rows[0].path);
        char *beside = own ? gb_arena_printf(arena, "%s/%s.table.json", own, names[i]) : NULL;
        if (beside && access(beside, R_OK) == 0) path = beside;
        if (!path && wishes->layout && access(wishes->layout, R_OK) == 0)
            path = gb_arena_strdup(arena, wishes->layout);
        if (path) return gb_table_layout_load(arena, path, layout, error);
        if (!wishes->layout) continue;
        gb_fail(error, GB_WRONG,
                "--table %s: there is no plots/%s.table.json in any of: %s. --table plain needs "
                "none; GPUBENCH_SHARE names the folder that holds plots/",
                wishes->layout, wishes->layout, gb_share_places(arena));
        return false;
    }
    /* A primitive of one's own needs none; of those that come along one is missing with all others.
     */
    const bool foreign = set->row_count > 0 && set->rows[0].source;
    if (!wishes->layout && !foreign && !gb_share_find(arena, "plots/default.gp"))
        fprintf(stderr,
                "gpubench table: no layout plots/%s.table.json in any of: %s; one row a point "
                "is printed\n",
                set->primitive, gb_share_places(arena));
    *layout = gb_table_layout_plain(arena, set);
    return true;
}

/* What LaTeX's label is made of: "multipartition zipf NVIDIA H200". */
static const char *label_of(gb_arena *arena, const gb_result_set *set, const gb_slice *slice)
{
    const char *label = gb_arena_printf(
        arena, "%s %s", set->published ? set->primitive : set->experiment, slice->suffix);
    for (size_t d = 0; d < slice->device_count; d++)
        label = gb_arena_printf(arena, "%s %s", label, slice->devices[d]);
    return label;
}

static void add_elsewhere(gb_arena *arena, const gb_results *from, const gb_result_set *set,
                          gb_table_printed *printed, size_t *capacity)
{
    const gb_result_set *found;
    for (size_t at = 0; (found = gb_elsewhere_next(from, set, &at));) {
        printed->elsewhere = gb_arena_grow(arena, printed->elsewhere, printed->elsewhere_count,
                                           capacity, sizeof *printed->elsewhere);
        printed->elsewhere[printed->elsewhere_count++] = found;
    }
}

/* What others printed of the set: what is among the results, and if it is wanted all that there is.
 */
static bool find_elsewhere(gb_arena *arena, const gb_results *results, const gb_result_set *set,
                           const gb_table_wishes *wishes, gb_results *published,
                           gb_table_printed *printed, gb_error *error)
{
    size_t capacity = 0;
    if (set->published || set->simt) return true;
    add_elsewhere(arena, results, set, printed, &capacity);
    if (!wishes->elsewhere || printed->elsewhere_count) return true;
    if (!gb_elsewhere_load(published, error)) return false;
    add_elsewhere(arena, published, set, printed, &capacity);
    return true;
}

bool gb_tables_of_set(gb_arena *arena, const gb_results *results, const gb_result_set *set,
                      const gb_table_wishes *wishes, gb_results *published, gb_tables *tables,
                      gb_error *error)
{
    gb_table_layout layout;
    gb_table_printed printed = {0};
    bool drawn[GB_MAX_AXES];
    gb_slices slices;
    *tables = (gb_tables){0};
    if (set->profile) {
        gb_fail(
            error, GB_UNSUPPORTED,
            "%s is a profile: `gpubench plot` draws it, and the file itself has a line a kernel",
            set->experiment);
        return false;
    }
    if (set->elsewhere)
        return gb_table_of_elsewhere(arena, results, set, &wishes->chosen, tables, error);
    if (!find_layout(arena, wishes, set, &layout, error)) return false;
    if (!wishes->no_paper && !gb_published_pair(results, set, wishes->paper, layout.paper,
                                                published, &printed.paper, error))
        return false;
    if (!find_elsewhere(arena, results, set, wishes, published, &printed, error)) return false;
    for (size_t i = 0; i < printed.elsewhere_count; i++)
        if (!gb_table_derive_printed(arena, &layout, &printed.elsewhere[i], error)) return false;
    if (!gb_table_drawn_axes(arena, &layout, set, drawn, error) ||
        !gb_table_derive(arena, &layout, drawn, &set, &printed.paper, error) ||
        !gb_results_slice(arena, set, drawn, &layout.where, &wishes->chosen, &slices, error))
        return false;
    tables->items = gb_arena_alloc(arena, (slices.count + 1) * sizeof *tables->items);
    for (; tables->count < slices.count; tables->count++) {
        gb_table *table = &tables->items[tables->count];
        const gb_slice *slice = &slices.items[tables->count];
        gb_table_build(arena, &layout, set, slice, &printed, table);
        table->label = label_of(arena, set, slice);
        tables->elsewhere |= table->elsewhere;
        if (wishes->records) gb_table_add_records(arena, &layout, set, slice, &printed, table);
    }
    tables->hidden = slices.hidden;
    return true;
}
