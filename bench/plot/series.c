/* The tables of a figure: a series, and the limit that the memory sets. */
#include "bench/plot/writer.h"
#include "bench/rows/ratio.h"
#include "common/protocol/flags.h"

#include <stdlib.h>
#include <string.h>

static void put_number(FILE *file, bool known, double value)
{
    if (known)
        fprintf(file, " %.9g", value);
    else
        fputs(" ?", file);
}

/* A value with its interval. One that goes below 0 ends at next to nothing, which logarithmic axes
 * have a place for. */
static void put_interval(FILE *file, double value, double lo, double hi)
{
    const bool wide = value > 0 && hi > value;
    put_number(file, value > 0, value);
    put_number(file, wide, lo > 0 ? lo : 1e-9 * value);
    put_number(file, wide, hi);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* A point of a panel: the values of the axes, cache and scope in a row. */
static gb_result_row point_at(const gb_plot_writer *w, size_t panel, size_t x)
{
    gb_result_row point = *w->b.slice->rows[0];
    point.axis[w->x_axis] = w->x_values[x];
    if (w->panel_axis >= 0) point.axis[w->panel_axis] = w->panels[panel].value;
    return point;
}

/* Whether a panel is for a series: its own device's, and any paper's. */
static bool is_for(const gb_plot_writer *w, const gb_table_series *s, size_t panel)
{
    const char *device = w->panels[panel].device;
    return w->styles[s - w->b.series] &&
           (s->published || !device || strcmp(device, s->device) == 0);
}

/* The row in which a paper prints at this point how much faster than the script's variant `over` it
 * is; NULL: it does not. */
static const gb_result_row *printed_speedup(const gb_plot_writer *w, const gb_table_series *s,
                                            const gb_result_row *point)
{
    if (!s->published || !w->script->over) return NULL;
    const gb_result_row *row = gb_table_row(&w->b, s, point, s->variant, "speedup");
    const bool fits = row && row->status == GB_OK && strcmp(row->baseline, w->script->over) == 0;
    return fits && row->speedup > 0 ? row : NULL;
}

/* The row of the script's variant `over`, at the point or where the script says. */
static const gb_result_row *held_against(const gb_plot_writer *w, const gb_table_series *s,
                                         const gb_result_row *point, const char *quantity)
{
    return gb_table_row_over(&w->b, s, point, w->script->over, &w->script->over_at, quantity);
}

/* How much faster than the script's variant `over` a row is: the quotient of the rates or times,
 * with its interval where both have one; {0}: one of them is not there. */
static gb_ratio speedup_of(const gb_plot_writer *w, const gb_table_series *s,
                           const gb_result_row *row, const gb_result_row *point)
{
    const gb_result_row *base = held_against(w, s, point, "rate");
    if (!base) base = held_against(w, s, point, "time");
    if (!base || base->status != GB_OK) return (gb_ratio){0};
    /* Rates, where there are any: elsewhere (over_at) there may be another number of items. */
    if (base->rate > 0 && row->rate > 0) {
        gb_mean above, below;
        const bool sure = gb_cost_of_row(base, &above) & gb_cost_of_row(row, &below);
        return sure ? gb_ratio_of_means(&above, &below)
                    : (gb_ratio){.value = row->rate / base->rate};
    }
    if (!(base->time_s > 0) || !(row->time_s > 0)) return (gb_ratio){0};
    return gb_ratio_of_rows(NULL, base, NULL, row, NULL);
}

/* A series' row at a point; NULL if there is none or it has no value. *speedup: over the script's
 * variant; {0} where it names none. */
static const gb_result_row *value_at(const gb_plot_writer *w, const gb_table_series *s,
                                     size_t panel, size_t x, gb_ratio *speedup)
{
    *speedup = (gb_ratio){0};
    if (!is_for(w, s, panel)) return NULL;
    gb_result_row point = point_at(w, panel, x);
    const gb_result_row *row = gb_table_row(&w->b, s, &point, s->variant, "rate");
    const gb_result_row *printed = printed_speedup(w, s, &point);
    *speedup = (gb_ratio){.value = printed ? printed->speedup : 0};
    if (!row) row = s->published ? gb_table_row(&w->b, s, &point, s->variant, "time") : NULL;
    /* A paper may say how much faster, and not how fast. */
    if (!row || row->status != GB_OK || (row->rate <= 0 && row->time_s <= 0)) return printed;
    if (!w->script->over) return row;
    if (strcmp(s->variant, w->script->over) == 0 && row == held_against(w, s, &point, "rate"))
        return NULL; /* it would be 1 throughout */
    if (!printed) *speedup = speedup_of(w, s, row, &point);
    if (w->script->per) *speedup = gb_table_ratio_per(w->b.set, w->script->per, &point, speedup);
    return speedup->value > 0 ? row : NULL;
}

const char *gb_plot_place(const gb_plot_writer *w, size_t x)
{
    return w->script->categories ? gb_arena_printf(w->b.arena, "%zu", x + 1) : w->x_values[x];
}

/* ---- series ---------------------------------------------------------------------------------- */

const char *gb_plot_label(const gb_plot_writer *w, const gb_table_series *s)
{
    if (!s->published && (w->by_device || w->b.slice->device_count == 1)) return s->label;
    const char *label = s->label;
    for (size_t i = 0; i < w->script->published_count && s->published; i++)
        if (strcmp(w->script->published[i].name, s->variant) == 0)
            label = w->script->published[i].label;
    return gb_arena_printf(w->b.arena, "%s, %s", label, s->source);
}

/* Widens a range, which is 0 to 0 before the first value, by a value if it is one. */
static void widen(double *low, double *high, double value)
{
    if (value <= 0) return;
    if (*low == 0 || value < *low) *low = value;
    if (value > *high) *high = value;
}

/* The same by a value and its interval, as far as that leaves room for the others. */
static void widen_by(double *low, double *high, double value, double lo, double hi)
{
    static const double most = 1.3;
    widen(low, high, value);
    if (!(value > 0) || !(hi > value)) return;
    widen(low, high, hi < most * value ? hi : most * value);
    widen(low, high, lo > value / most ? lo : value / most);
}

/* "fused=2", "block=32x1x1 fused=2": where the script holds the series. */
static const char *held_at(const gb_plot_writer *w, const gb_table_series *s)
{
    const char *text = "";
    for (size_t i = 0; s->at && i < s->at->count; i++)
        text = gb_arena_printf(w->b.arena, "%s%s%s=%s", text, i ? " " : "", s->at->items[i].name,
                               s->at->items[i].value);
    return text;
}

static const char *table_head(const gb_plot_writer *w)
{
    const char *x = w->b.set->axes[w->x_axis];
    if (w->b.set->profile)
        return gb_arena_printf(w->b.arena,
                               "# %s l1_hit_rate l2_hit_rate dram_read_bytes_per_item "
                               "dram_write_bytes_per_item time_s\n",
                               x);
    return gb_arena_printf(w->b.arena,
                           "# %s rate rate_ci95_lo rate_ci95_hi time_s time_ci95_lo_s "
                           "time_ci95_hi_s speedup cache_resident best speedup_ci95_lo "
                           "speedup_ci95_hi\n",
                           x);
}

static void put_row(gb_plot_writer *w, FILE *file, const char *place, const gb_result_row *row,
                    const gb_ratio *speedup)
{
    const bool resident = row->flags & GB_FLAG_CACHE_RESIDENT;
    fputs(place, file);
    if (w->b.set->profile) {
        for (size_t c = 0; c < GB_PROFILE_COUNT; c++)
            put_number(file, row->profile[c] >= 0, row->profile[c]);
        put_number(file, row->time_s > 0, row->time_s);
    } else {
        put_interval(file, row->rate, row->rate_lo, row->rate_hi);
        put_interval(file, row->time_s, row->time_lo_s, row->time_hi_s);
        put_number(file, speedup->value > 0, speedup->value);
        fprintf(file, " %d %s", resident, row->best ? row->best : "?");
        put_number(file, speedup->hi > 0, speedup->lo);
        put_number(file, speedup->hi > 0, speedup->hi);
    }
    fputc('\n', file);
    w->resident |= resident;
    w->rate_bars |= row->rate > 0 && row->rate_hi > row->rate;
    w->time_bars |= row->time_s > 0 && row->time_hi_s > row->time_s;
    w->speedup_bars |= speedup->hi > speedup->value;
    widen_by(&w->rate_min, &w->rate_max, row->rate, row->rate_lo, row->rate_hi);
    widen_by(&w->time_min, &w->time_max, row->time_s, row->time_lo_s, row->time_hi_s);
    widen_by(&w->speedup_min, &w->speedup_max, speedup->value, speedup->lo, speedup->hi);
    gb_plot_assume(w, row->assumption);
}

/* What a paper prints as the best over x: a level from the first value of x to the last. */
static const gb_result_row *level_of(const gb_plot_writer *w, const gb_table_series *s,
                                     size_t panel)
{
    if (!s->published || w->script->over || !is_for(w, s, panel)) return NULL;
    gb_result_row point = point_at(w, panel, 0);
    point.axis[w->x_axis] = gb_best;
    const gb_result_row *row = gb_table_row(&w->b, s, &point, s->variant, "rate");
    return row && row->status == GB_OK && row->rate > 0 ? row : NULL;
}

/* The series' lines in data.gp. */
static void describe_series(gb_plot_writer *w, size_t series, size_t points, double level)
{
    const gb_table_series *s = &w->b.series[series];
    const gb_gpu *gpu = gb_gpu_find(w->gpus, gb_device_model(w->b.set, s->device));
    const char *best = gb_table_best_text(&w->b, series, w->axis_drawn);
    const char *label = gb_plot_label(w, s);
    if (level > 0)
        label =
            gb_arena_printf(w->b.arena, "%s, highest over %s", label, w->b.set->axes[w->x_axis]);
    gb_plot_put_text(w, gb_plot_element(w, "gb_label", w->drawn), label);
    gb_plot_put_text(w, gb_plot_element(w, "gb_variant", w->drawn), s->variant);
    gb_plot_put_text(w, gb_plot_element(w, "gb_device", w->drawn), s->source);
    gb_plot_put_text(w, gb_plot_element(w, "gb_at", w->drawn), held_at(w, s));
    gb_plot_put_text(w, gb_plot_element(w, "gb_best", w->drawn), best ? best : "");
    fprintf(w->gp, "gb_style[%zu] = %d\ngb_published[%zu] = %d\ngb_level[%zu] = %.9g\n", w->drawn,
            w->styles[series], w->drawn, s->published, w->drawn, level);
    fprintf(w->gp, "gb_points[%zu] = %zu\n", w->drawn, points);
    fprintf(w->gp, "gb_bandwidth[%zu] = %.9g\ngb_peak[%zu] = %.9g\n", w->drawn,
            gpu ? gpu->bytes_per_s : 0, w->drawn, gpu ? gpu->flop_per_s : 0);
}

/* The values at the end of a curve, by which the key orders them. */
static void put_end(const gb_plot_writer *w, const gb_result_row *row, const gb_ratio *speedup)
{
    fprintf(w->gp, "gb_end_rate[%zu] = %.9g\ngb_end_time[%zu] = %.9g\n", w->drawn, row->rate,
            w->drawn, row->time_s);
    fprintf(w->gp, "gb_end_speedup[%zu] = %.9g\n", w->drawn, speedup->value);
}

bool gb_plot_has_series(gb_plot_writer *w, size_t series, size_t panel)
{
    const gb_table_series *s = &w->b.series[series];
    gb_ratio speedup;
    for (size_t x = 0; x < w->x_count; x++)
        if (value_at(w, s, panel, x, &speedup)) return true;
    return level_of(w, s, panel) != NULL;
}

bool gb_plot_has_x(gb_plot_writer *w, size_t panel, size_t x)
{
    gb_ratio speedup;
    for (size_t s = 0; s < w->b.series_count; s++)
        if (value_at(w, &w->b.series[s], panel, x, &speedup)) return true;
    return false;
}

double gb_plot_value(const gb_plot_writer *w, size_t series, size_t panel, size_t x)
{
    gb_ratio speedup;
    const gb_result_row *row = value_at(w, &w->b.series[series], panel, x, &speedup);
    if (!row) return 0;
    return w->script->over ? speedup.value : row->rate > 0 ? row->rate : row->time_s;
}

const gb_result_row *gb_plot_row(const gb_plot_writer *w, size_t series, size_t panel, size_t x)
{
    const gb_table_series *s = &w->b.series[series];
    const gb_result_row point = point_at(w, panel, x);
    return gb_table_row(&w->b, s, &point, s->variant, "rate");
}

bool gb_plot_write_series(gb_plot_writer *w, size_t series, size_t panel)
{
    const gb_table_series *s = &w->b.series[series];
    const gb_result_row *level = level_of(w, s, panel);
    size_t points = 0;
    gb_ratio speedup;
    w->b.best_count = 0; /* of this table alone */
    for (size_t x = 0; x < w->x_count; x++) {
        const gb_result_row *row = value_at(w, s, panel, x, &speedup);
        if (row) gb_table_keep_best(&w->b, s, row);
        points += row != NULL;
    }
    if (points == 0 && !level) return true;

    w->curves[w->drawn++] = (gb_plot_curve){series, panel};
    char *path = gb_arena_printf(w->b.arena, "%s/series-%zu.dat", w->folder, w->drawn);
    FILE *file = gb_plot_create(w, path);
    if (!file) return false;
    fprintf(file, "# %s, %s\n%s", s->variant, s->source, table_head(w));
    const gb_result_row *end = level;
    gb_ratio end_speedup = {0};
    for (size_t x = 0; x < w->x_count; x++) {
        const gb_result_row *row = value_at(w, s, panel, x, &speedup);
        if (!row) continue;
        put_row(w, file, gb_plot_place(w, x), row, &speedup);
        end = row;
        end_speedup = speedup;
    }
    put_end(w, end, &end_speedup);
    if (points == 0) {
        put_row(w, file, gb_plot_place(w, 0), level, &(gb_ratio){0});
        put_row(w, file, gb_plot_place(w, w->x_count - 1), level, &(gb_ratio){0});
    }
    gb_plot_put_path(w, gb_plot_element(w, "gb_file", w->drawn), path);
    describe_series(w, series, points, points == 0 ? level->rate : 0);
    return gb_plot_finish(w, file, path);
}

/* ---- the limit ------------------------------------------------------------------------------- */

/* A measured row at a point that says the limit: that of the bandwidth is the point's, whatever the
 * variant; that of the blocks which a variant launches is its own. */
static const gb_result_row *limit_at(const gb_plot_writer *w, size_t panel, size_t x)
{
    for (size_t s = 0; s < w->b.series_count; s++) {
        /* Elsewhere another limit may hold: fused steps move fewer bytes. */
        const gb_table_series *series = &w->b.series[s];
        if (series->published || (series->at && series->at->count)) continue;
        if (w->panels[panel].device && strcmp(series->device, w->panels[panel].device) != 0)
            continue;
        gb_result_row point = point_at(w, panel, x);
        const gb_result_row *row = gb_table_row(&w->b, series, &point, series->variant, "");
        if (row && row->limit_rate > 0 && strcmp(row->limit_kind, "blocks") != 0) return row;
    }
    return NULL;
}

/* Devices have their own limits, so one is drawn only in panels of one device. */
bool gb_plot_write_limit(gb_plot_writer *w, size_t panel)
{
    char *path = gb_arena_printf(w->b.arena, "%s/limit-%zu.dat", w->folder, panel + 1);
    size_t points = 0;
    for (size_t x = 0; x < w->x_count; x++)
        points += limit_at(w, panel, x) != NULL;
    const bool one = w->by_device || w->b.slice->device_count == 1;
    if (!w->script->limit || points == 0 || !one) {
        gb_plot_put_path(w, gb_plot_element(w, "gb_limit", panel + 1), "");
        return true;
    }
    FILE *file = gb_plot_create(w, path);
    if (!file) return false;
    fprintf(file, "# %s limit_rate\n", w->b.set->axes[w->x_axis]);
    for (size_t x = 0; x < w->x_count; x++) {
        const gb_result_row *row = limit_at(w, panel, x);
        if (!row) continue;
        fprintf(file, "%s %.9g\n", gb_plot_place(w, x), row->limit_rate);
        if (row->limit_rate > w->limit_max) w->limit_max = row->limit_rate;
        char *kind = gb_arena_strdup(w->b.arena, *row->limit_kind ? row->limit_kind : "bandwidth");
        for (char *at = kind; *at; at++)
            if (*at == '_' || *at == '-') *at = ' ';
        w->limit_label = gb_arena_printf(w->b.arena, "physical limit (%s)", kind);
    }
    gb_plot_put_path(w, gb_plot_element(w, "gb_limit", panel + 1), path);
    return gb_plot_finish(w, file, path);
}
