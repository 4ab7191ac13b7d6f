/* The data of a figure: one table a series, and a gnuplot file that names them. */
#include "bench/plot/data.h"

#include "bench/plot/default.h"
#include "bench/plot/gnuplot.h"
#include "bench/plot/writer.h"
#include "bench/rows/published.h"
#include "common/text/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- data.gp --------------------------------------------------------------------------------- */

static void put_arrays(gb_plot_writer *w)
{
    static const char *const of_panels[] = {"gb_panel_title", "gb_panel_value", "gb_first",
                                            "gb_last",        "gb_limit",       "gb_missing"};
    static const char *const of_series[] = {
        "gb_file",      "gb_label", "gb_variant", "gb_device",   "gb_at",       "gb_best",
        "gb_style",     "gb_level", "gb_points",  "gb_end_rate", "gb_end_time", "gb_end_speedup",
        "gb_published", "gb_under", "gb_peak",    "gb_bandwidth"};
    const size_t most = w->panel_count * w->b.series_count;
    fprintf(w->gp, "gb_panels = %zu\n", w->panel_count);
    for (size_t i = 0; i < sizeof of_panels / sizeof *of_panels; i++)
        fprintf(w->gp, "array %s[%zu]\n", of_panels[i], w->panel_count);
    for (size_t i = 0; i < sizeof of_series / sizeof *of_series; i++)
        fprintf(w->gp, "array %s[%zu]\n", of_series[i], most);
}

/* "n = 1000000", "n = 1000000, H200" */
static const char *panel_title(const gb_plot_writer *w, const gb_plot_panel *panel)
{
    const char *of = panel->device ? panel->source : "";
    if (w->panel_axis < 0) return of;
    return gb_arena_printf(w->b.arena, "%s = %s%s%s", w->b.set->axes[w->panel_axis],
                           gb_axis_shown(w->b.arena, panel->value), *of ? ", " : "", of);
}

static bool write_panel(gb_plot_writer *w, size_t p)
{
    const gb_plot_panel *panel = &w->panels[p];
    gb_plot_put_text(w, gb_plot_element(w, "gb_panel_title", p + 1), panel_title(w, panel));
    gb_plot_put_text(w, gb_plot_element(w, "gb_panel_value", p + 1),
                     panel->value ? gb_axis_shown(w->b.arena, panel->value) : "");
    fprintf(w->gp, "gb_first[%zu] = %zu\n", p + 1, w->drawn + 1);
    /* The paper's come last in the key. */
    for (int published = 0; published < 2; published++)
        for (size_t s = 0; s < w->b.series_count; s++)
            if (w->b.series[s].published == (published == 1) && !gb_plot_write_series(w, s, p))
                return false;
    fprintf(w->gp, "gb_last[%zu] = %zu\n", p + 1, w->drawn);
    return gb_plot_write_limit(w, p);
}

static bool write_panels(gb_plot_writer *w)
{
    w->curves =
        gb_arena_alloc(w->b.arena, (w->panel_count * w->b.series_count + 1) * sizeof *w->curves);
    for (size_t p = 0; p < w->panel_count; p++)
        if (!write_panel(w, p)) return false;
    if (w->drawn > 0) return gb_plot_write_marks(w);
    gb_fail(w->error, GB_UNSUPPORTED,
            "no row of experiment '%s' that it asks for has a rate or a time%s%s (scope %s)",
            w->b.set->experiment, w->script->over ? " beside one of " : "",
            w->script->over ? w->script->over : "", w->b.slice->rows[0]->scope);
    return false;
}

/* Tic labels nearer to one another than this part of a logarithmic axis would run together. */
static const double nearest_label = 1.0 / 60;

/* The label of a tic between single quotes: two of these stand for one, and so do two signs of
 * percent, for gnuplot takes the label for a format of the tic's value. */
static const char *quoted(gb_arena *arena, const char *text)
{
    const char *result = "'";
    for (const char *at = text; *at; at++)
        result =
            gb_arena_printf(arena, strchr("'%", *at) ? "%s%.1s%.1s" : "%s%.1s%.0s", result, at, at);
    return gb_arena_printf(arena, "%s'", result);
}

void gb_plot_put_categories(gb_plot_writer *w, const char *axis, const char *const *names,
                            size_t count)
{
    const char *tics = "";
    fprintf(w->gp, "gb_x_is_named = 1\narray gb_x_name[%zu]\n", count);
    for (size_t x = 0; x < count; x++) {
        tics = gb_arena_printf(w->b.arena, "%s%s%s %zu", tics, x ? ", " : "",
                               quoted(w->b.arena, names[x]), x + 1);
        gb_plot_put_text(w, gb_plot_element(w, "gb_x_name", x + 1), names[x]);
    }
    gb_plot_put_text(w, "gb_x_axis", axis);
    gb_plot_put_text(w, "gb_x_tics", tics);
    gb_plot_put_text(w, "gb_x_tics_log", tics);
    fprintf(w->gp, "gb_x_min = 1\ngb_x_max = %zu\n", count);
}

/* The tics of values that are names: each has its label. */
static void put_categories(gb_plot_writer *w)
{
    const char **names = gb_arena_alloc(w->b.arena, (w->x_count + 1) * sizeof *names);
    for (size_t x = 0; x < w->x_count; x++)
        names[x] = gb_axis_shown(w->b.arena, w->x_values[x]);
    gb_plot_put_categories(w, w->b.set->axes[w->x_axis], names, w->x_count);
}

static void put_x(gb_plot_writer *w)
{
    const char *values = "";
    for (size_t x = 0; x < w->x_count; x++)
        values = gb_arena_printf(w->b.arena, "%s%s%s", values, x ? " " : "", gb_plot_place(w, x));
    gb_plot_put_text(w, "gb_x_values", values);
    if (w->script->categories) {
        put_categories(w);
        return;
    }
    fprintf(w->gp, "gb_x_is_named = 0\n");
    const char *first = w->x_values[0], *last = w->x_values[w->x_count - 1];
    double low = strtod(first, NULL), labelled = 0;
    double span = low > 0 ? log(strtod(last, NULL) / low) : 0;
    const char *tics = "", *sparse = "";
    for (size_t x = 0; x < w->x_count; x++) {
        const char *value = w->x_values[x], *comma = x ? ", " : "";
        bool label = labelled <= 0 || log(strtod(value, NULL) / labelled) >= span * nearest_label;
        if (label) labelled = strtod(value, NULL);
        tics = gb_arena_printf(w->b.arena, "%s%s'%s' %s", tics, comma, value, value);
        sparse =
            gb_arena_printf(w->b.arena, "%s%s'%s' %s", sparse, comma, label ? value : "", value);
    }
    gb_plot_put_text(w, "gb_x_axis", w->b.set->axes[w->x_axis]);
    gb_plot_put_text(w, "gb_x_tics", tics);
    gb_plot_put_text(w, "gb_x_tics_log", sparse);
    fprintf(w->gp, "gb_x_min = %s\ngb_x_max = %s\n", first, last);
}

/* A sentence of the foot, if there is anything to say. */
static void say(const gb_plot_writer *w, const char **note, const char *sentence, const char *list)
{
    if (*list)
        *note =
            gb_arena_printf(w->b.arena, "%s%s%s: %s.", *note, **note ? " " : "", sentence, list);
}

/* What stands at the foot of a figure whatever it shows. */
static const char *note_of(const gb_plot_writer *w)
{
    const char *note = w->b.set->simt ? "The simt device runs the kernels on the CPU: these are "
                                        "not a GPU's times."
                                      : "";
    say(w, &note,
        gb_arena_printf(w->b.arena, "Not drawn, for %s has fewer than %zu values there",
                        w->script->x, w->least_points),
        w->left_out);
    say(w, &note, "Not drawn, for nothing was measured there", w->empty);
    say(w, &note, "Measured, too, and without room here", w->crowded);
    say(w, &note,
        gb_arena_printf(w->b.arena, "Not drawn, for %d panels are the most", GB_PLOT_MOST_PANELS),
        w->too_many);
    if (*w->script->remark)
        note = gb_arena_printf(w->b.arena, "%s%s%s", note, *note ? " " : "", w->script->remark);
    return note;
}

/* What a rate counts: "keys". */
static const char *unit_of(const gb_plot_writer *w)
{
    for (size_t i = 0; i < w->b.slice->row_count; i++)
        if (*w->b.slice->rows[i]->unit) return w->b.slice->rows[i]->unit;
    return "items";
}

/* What was measured, where, and what the points share. */
static const char *subtitle_of(const gb_plot_writer *w)
{
    const gb_slice *slice = w->b.slice;
    const char *devices = "";
    for (size_t d = 0; d < slice->device_count; d++)
        devices = gb_arena_printf(w->b.arena, "%s%s%s", devices, d ? ", " : "", slice->devices[d]);
    return gb_arena_printf(w->b.arena, "%s%s%s: %s",
                           w->b.set->published ? "" : w->b.set->experiment,
                           w->b.set->published ? "" : " on ", devices, slice->held);
}

static bool lacks_axis(const gb_plot_writer *w, const char *axis)
{
    gb_fail(w->error, GB_WRONG,
            "%s asks for the axis '%s', which experiment '%s' does not have; its axes: %s",
            w->script->path, axis, w->b.set->experiment, gb_result_axes(w->b.arena, w->b.set));
    return false;
}

static bool has_axes(const gb_plot_writer *w)
{
    const gb_result_set *set = w->b.set;
    const gb_plot_script *script = w->script;
    const char *const names[] = {script->x, script->panels, script->largest, script->per};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && gb_result_axis(set, names[i]) < 0) return lacks_axis(w, names[i]);
    for (size_t i = 0; i < script->over_at.count; i++)
        if (gb_result_axis(set, script->over_at.items[i].name) < 0)
            return lacks_axis(w, script->over_at.items[i].name);
    return true;
}

/* Whether the set has a row of the variant that the script needs, a paper's anywhere. */
static bool has_needed(const gb_plot_writer *w)
{
    const gb_layout_variant *needs = &w->script->needs;
    const gb_result_set *set = w->b.set;
    if (!needs->name) return true;
    for (size_t i = 0; i < set->row_count; i++) {
        bool there = strcmp(set->rows[i].variant, needs->name) == 0;
        for (size_t k = 0; k < needs->at.count && there && !set->published; k++) {
            int axis = gb_result_axis(set, needs->at.items[k].name);
            there = axis >= 0 && strcmp(set->rows[i].axis[axis], needs->at.items[k].value) == 0;
        }
        if (there) return true;
    }
    gb_fail(w->error, GB_UNSUPPORTED, "experiment '%s' has no row of %s", set->experiment,
            needs->label);
    return false;
}

static void make_panels(gb_plot_writer *w)
{
    const gb_table_builder *b = &w->b;
    const char **values = NULL;
    w->panel_count = 1;
    if (w->panel_axis >= 0)
        values = gb_axis_values(b->arena, b->slice->rows, b->slice->row_count,
                                (unsigned)w->panel_axis, &w->panel_count);
    w->panels = gb_arena_alloc(b->arena, (w->panel_count + 1) * sizeof *w->panels);
    for (size_t p = 0; p < w->panel_count; p++)
        w->panels[p] = (gb_plot_panel){.value = values ? values[p] : NULL};
}

/* "one value", "2 values" */
static const char *count_of_values(const gb_plot_writer *w, size_t count)
{
    return count == 1 ? "one value" : gb_arena_printf(w->b.arena, "%zu values", count);
}

static bool prepare(gb_plot_writer *w)
{
    const gb_table_builder *b = &w->b;
    if (!has_axes(w) || !has_needed(w)) return false;
    w->x_axis = (unsigned)gb_result_axis(b->set, w->script->x);
    w->panel_axis = w->script->panels ? gb_result_axis(b->set, w->script->panels) : -1;
    w->axis_drawn[w->x_axis] = true;
    if (w->panel_axis >= 0) w->axis_drawn[w->panel_axis] = true;
    w->x_values =
        gb_axis_values(b->arena, b->slice->rows, b->slice->row_count, w->x_axis, &w->x_count);
    make_panels(w);
    const size_t least =
        w->script->categories && w->script->several_x < 2 ? 2 : w->script->several_x;
    if ((w->panel_count == 0 || w->x_count < least) && !w->script->generic) {
        gb_fail(w->error, GB_UNSUPPORTED, "experiment '%s' was measured with %s of %s",
                b->set->experiment, count_of_values(w, w->x_count), w->script->x);
        return false;
    }
    for (size_t i = 0; i < w->x_count && !w->script->categories; i++) {
        double number;
        if (gb_number_parse(w->x_values[i], &number)) continue;
        gb_fail(w->error, GB_WRONG, "%s draws '%s' along x, but its value '%s' is no number",
                w->script->path, w->script->x, w->x_values[i]);
        return false;
    }
    return true;
}

bool gb_plot_data_write(gb_arena *arena, const char *folder, const gb_plot_script *script,
                        const gb_result_set *set, const gb_slice *slice, const gb_result_set *paper,
                        const gb_plot_target *target, gb_error *error)
{
    gb_plot_writer w = {.b = {.arena = arena,
                              .layout = &script->layout,
                              .set = set,
                              .slice = slice,
                              .paper = gb_published_beside(set, slice->rows[0]->scope, paper)},
                        .script = script,
                        .gpus = &script->gpus,
                        .folder = folder,
                        .assumed = script->assumed ? script->assumed : "",
                        .left_out = "",
                        .crowded = "",
                        .gaps = "",
                        .unlisted = "",
                        .empty = "",
                        .too_many = "",
                        .error = error};
    if (!prepare(&w)) return false;
    gb_table_make_series(&w.b);
    gb_plot_choose(&w);
    gb_plot_keep_drawn_panels(&w);
    if (script->generic) gb_plot_keep_few_panels(&w, GB_PLOT_MOST_PANELS);
    gb_plot_keep_drawn_x(&w);
    if (w.most_points > 0 && w.most_points < script->several_x) {
        gb_fail(error, GB_UNSUPPORTED,
                "of experiment '%s' what it draws was measured with %s of %s", set->experiment,
                count_of_values(&w, w.most_points), script->x);
        return false;
    }
    char *path = gb_arena_printf(arena, "%s/data.gp", folder);
    w.gp = gb_plot_create(&w, path);
    if (!w.gp) return false;
    gb_plot_put_target(&w, target, subtitle_of(&w), note_of(&w));
    gb_plot_put_text(&w, "gb_unit", unit_of(&w));
    put_x(&w);
    put_arrays(&w);
    bool ok = write_panels(&w);
    fprintf(w.gp, "gb_resident = %d\n", w.resident);
    fprintf(w.gp, "gb_rated = %d\n", gb_result_set_is_rated(set));
    fprintf(w.gp, "gb_rate_min = %.9g\ngb_rate_max = %.9g\n", w.rate_min, w.rate_max);
    fprintf(w.gp, "gb_limit_max = %.9g\n", w.limit_max);
    fprintf(w.gp, "gb_time_min = %.9g\ngb_time_max = %.9g\n", w.time_min, w.time_max);
    fprintf(w.gp, "gb_speedup_min = %.9g\ngb_speedup_max = %.9g\n", w.speedup_min, w.speedup_max);
    fprintf(w.gp, "gb_rate_bars = %d\ngb_time_bars = %d\ngb_speedup_bars = %d\n", w.rate_bars,
            w.time_bars, w.speedup_bars);
    gb_plot_put_text(&w, "gb_assumed", w.assumed);
    gb_plot_put_text(&w, "gb_unlisted", w.unlisted);
    fprintf(w.gp, "gb_few = %d\ngb_is_speedup = %d\ngb_device_panels = %zu\n", w.few,
            script->over != NULL, w.by_device ? slice->device_count : 0);
    gb_plot_put_text(&w, "gb_limit_label", w.limit_label ? w.limit_label : "");
    return gb_plot_finish(&w, w.gp, path) && ok;
}
