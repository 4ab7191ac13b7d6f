/* Rows that follow from those of a set: rates in another unit, and the best over an axis. */
#include "bench/rows/derive.h"

#include "common/protocol/flags.h"
#include "common/text/size.h"

#include <string.h>

static bool lacks(gb_arena *arena, const gb_result_set *set, const char *axis, const char *what,
                  gb_error *error)
{
    gb_fail(error, GB_WRONG, "%s the axis '%s', which experiment '%s' does not have; its axes: %s",
            what, axis, set->experiment, gb_result_axes(arena, set));
    return false;
}

/* ---- another unit ---------------------------------------------------------------------------- */

static bool scale_row(const gb_result_set *set, const gb_scale_by *scale, int axis,
                      gb_result_row *row, gb_error *error)
{
    bool is_rate = *row->quantity == '\0' || strcmp(row->quantity, "rate") == 0;
    if (!is_rate || strcmp(row->unit, scale->unit) == 0) return true;
    size_t i = 0;
    while (i < scale->count && !gb_size_same(scale->values[i], row->axis[axis]))
        i++;
    if (i == scale->count) {
        gb_fail(error, GB_WRONG,
                "there is no factor from %s to %s for %s %s, which experiment '%s' has: name it "
                "beside those of the other values",
                *row->unit ? row->unit : "items", scale->unit, scale->axis, row->axis[axis],
                set->experiment);
        return false;
    }
    const double factor = scale->factors[i];
    row->rate *= factor;
    row->rate_lo *= factor;
    row->rate_hi *= factor;
    row->limit_rate *= factor;
    row->unit = scale->unit;
    return true;
}

/* ---- the best -------------------------------------------------------------------------------- */

/* Whether a row beats the best so far of those that differ from it in one axis. */
static bool beats(const gb_result_row *row, const gb_result_row *best)
{
    if (row->status != GB_OK)
        return best->status == GB_UNSUPPORTED && row->status != GB_UNSUPPORTED;
    if (best->status != GB_OK) return true;
    if (row->speedup > 0) return row->speedup > best->speedup;
    if (row->rate > 0) return row->rate > best->rate;
    return row->time_s > 0 && (best->time_s <= 0 || row->time_s < best->time_s);
}

static void add_best_over(gb_arena *arena, gb_result_set *set, unsigned axis)
{
    const size_t count = set->row_count;
    for (size_t i = 0; i < count; i++) {
        gb_result_row row = set->rows[i];
        const char *value = row.axis[axis];
        if (strcmp(value, gb_best) == 0 || strcmp(value, gb_any) == 0)
            continue; /* a paper's, over more than we know */
        row.axis[axis] = gb_best;
        if (!row.best) { /* else they are counted already */
            row.rivals = row.status == GB_OK;
            row.failed = row.status != GB_OK && row.status != GB_UNSUPPORTED;
        }
        row.best = row.best ? gb_arena_printf(arena, "%s/%s", row.best, value) : value;
        const gb_result_row *best = gb_result_find(set, &row);
        if (best) {
            const unsigned rivals = row.rivals + best->rivals, failed = row.failed + best->failed;
            if (!beats(&row, best)) row = *best;
            row.rivals = rivals;
            row.failed = failed;
        }
        gb_result_set_add(arena, set, &row);
    }
}

bool gb_results_derive(gb_arena *arena, const gb_result_set *set, const gb_derivation *what,
                       gb_result_set *derived, gb_error *error)
{
    const gb_scale_by *scale = what->scale;
    size_t dropped = 0, kept = 0;
    const int scale_axis = scale ? gb_result_axis(set, scale->axis) : -1;
    if (scale && scale_axis < 0)
        return lacks(arena, set, scale->axis, "rates are to be scaled by", error);
    *derived = *set;
    derived->rows = NULL;
    derived->index = NULL;
    derived->row_count = derived->row_capacity = derived->index_size = 0;
    for (size_t i = 0; i < set->row_count; i++) {
        gb_result_row row = set->rows[i];
        if (what->no_cache_resident && !set->simt && row.flags & GB_FLAG_CACHE_RESIDENT) {
            dropped++;
            continue;
        }
        kept += row.status == GB_OK;
        if (scale && !scale_row(set, scale, scale_axis, &row, error)) return false;
        gb_result_set_add(arena, derived, &row);
    }
    if (dropped > 0 && kept == 0) {
        gb_fail(error, GB_UNSUPPORTED,
                "every row of experiment '%s' that has a rate is flagged cache-resident, and those "
                "are not wanted "
                "here: measure larger inputs",
                set->experiment);
        return false;
    }
    for (size_t i = 0; i < what->best_count; i++) {
        const int axis = gb_result_axis(set, what->best[i]);
        if (axis < 0)
            return lacks(arena, set, what->best[i], "the best is to be taken over", error);
        add_best_over(arena, derived, (unsigned)axis);
    }
    return true;
}
