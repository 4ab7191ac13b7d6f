/* The runs of a series as one experiment with an axis more. */
#include "bench/history/history.h"
#include "common/text/number.h"

#include <string.h>

/* Whether a name is a number, too, as 1234567 is: then none of them may stand as it is, or some of
 * the values of the axis would have an order of their own. */
static bool has_number(const gb_history_series *s)
{
    double number;
    for (size_t i = 0; i < s->count; i++)
        if (gb_number_parse(s->runs[i].name, &number)) return true;
    return false;
}

static void add_rows(gb_arena *arena, gb_result_set *set, const gb_history_series *s, size_t run,
                     const char *name)
{
    const gb_side *side = s->runs[run].side;
    for (size_t k = 0; k < side->results->set_count; k++) {
        const gb_result_set *of = &side->results->sets[k];
        if (of->published || of->profile || of->simt != s->simt ||
            strcmp(of->experiment, s->experiment) != 0)
            continue;
        for (size_t r = 0; r < of->row_count; r++) {
            gb_result_row row = of->rows[r];
            if (strcmp(row.device, side->device) != 0) continue;
            row.axis[0] = name;
            for (unsigned a = 1; a < set->axis_count; a++) {
                const int at = gb_result_axis(of, set->axes[a]);
                row.axis[a] = at < 0 ? "" : of->rows[r].axis[at];
            }
            row.device = s->device;
            gb_result_set_add(arena, set, &row);
        }
    }
}

/* The last run's axes behind the new one, as many as there is room for. */
static void take_axes(gb_result_set *set, const gb_history_series *s)
{
    const gb_side *side = s->runs[s->count - 1].side;
    for (size_t k = 0; k < side->results->set_count; k++) {
        const gb_result_set *of = &side->results->sets[k];
        if (of->published || of->profile || of->simt != s->simt ||
            strcmp(of->experiment, s->experiment) != 0)
            continue;
        set->axis_count = 1;
        for (unsigned a = 0; a < of->axis_count && set->axis_count < GB_MAX_AXES; a++)
            set->axes[set->axis_count++] = of->axes[a];
    }
}

gb_result_set *gb_history_rows(gb_arena *arena, const gb_history_series *s, bool by_commit)
{
    gb_result_set *set = gb_arena_alloc(arena, sizeof *set);
    const char *before = has_number(s) ? "g" : "";
    *set = (gb_result_set){.experiment = s->experiment,
                           .primitive = s->primitive,
                           .simt = s->simt,
                           .scope = "",
                           .axes = {by_commit ? "commit" : "run"}};
    take_axes(set, s);
    for (size_t i = 0; i < s->count; i++)
        add_rows(arena, set, s, i, gb_arena_printf(arena, "%s%s", before, s->runs[i].name));
    return set;
}
