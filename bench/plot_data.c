/* The data of a figure: one table a series, and a gnuplot file that names them. */
#include "bench/plot_data.h"
#include "bench/plot_gnuplot.h"
#include "bench/published.h"

#include "bench/table_cells.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAPER_STYLE = 20 };

typedef struct writer {
    gb_table_builder b; /* what there is to draw; its table is not used */
    const gb_plot_script *script;
    const char *folder;
    unsigned x_axis;
    int panel_axis; /* -1: one panel */
    const char **x_values, **panel_values;
    size_t x_count, panel_count;
    FILE *gp; /* data.gp */
    size_t drawn;
    double rate_min, rate_max;
    const char *limit_label;
    gb_error *error;
} writer;

static FILE *create(writer *w, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) gb_fail(w->error, GB_WRONG, "cannot write %s: %s", path, strerror(errno));
    return file;
}

static bool finish(writer *w, FILE *file, const char *path)
{
    bool ok = !ferror(file);
    ok = fclose(file) == 0 && ok;
    if (!ok) gb_fail(w->error, GB_WRONG, "cannot write %s: %s", path, strerror(errno));
    return ok;
}

/* name = "text", as gnuplot reads it. It would run what stands between backquotes and expand @name,
 * so those stand there as octal digits, of which it reads as many as follow: hence the new string
 * behind them. */
static void put_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "%s = \"", name);
    for (; *text; text++) {
        if (iscntrl((unsigned char)*text) || *text == '`' || *text == '@')
            fprintf(file, "\\%03o\".\"", (unsigned char)*text);
        else
            fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fputs("\"\n", file);
}

static void put_path(writer *w, const char *name, const char *path)
{
    put_text(w->gp, name, gb_gnuplot_path(w->b.arena, path));
}

static const char *element(writer *w, const char *array, size_t number)
{
    return gb_arena_printf(w->b.arena, "%s[%zu]", array, number);
}

static void put_number(FILE *file, double value)
{
    if (value > 0)
        fprintf(file, " %.9g", value);
    else
        fputs(" ?", file);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* A point of a panel: the values of the axes, cache and scope in a row. */
static gb_result_row point_at(const writer *w, size_t panel, size_t x)
{
    gb_result_row point = *w->b.slice->rows[0];
    point.axis[w->x_axis] = w->x_values[x];
    if (w->panel_axis >= 0) point.axis[w->panel_axis] = w->panel_values[panel];
    return point;
}

/* How much faster than the script's variant `over` a row is: what the paper prints, else the
 * quotient of the rates or times; 0: one of them is not there. */
static double speedup_of(const writer *w, const gb_table_series *s, const gb_result_row *row,
                         const gb_result_row *point)
{
    const char *over = w->script->over;
    if (s->published) {
        const gb_result_row *printed = gb_table_row(&w->b, s, point, s->variant, "speedup");
        if (printed && printed->status == GB_OK && strcmp(printed->baseline, over) == 0)
            return printed->speedup;
    }
    const gb_result_row *base = gb_table_row(&w->b, s, point, over, "rate");
    if (!base) base = gb_table_row(&w->b, s, point, over, "time");
    if (!base || base->status != GB_OK) return 0;
    /* At one point there are as many items. */
    if (base->rate > 0 && row->rate > 0) return row->rate / base->rate;
    return base->time_s > 0 && row->time_s > 0 ? base->time_s / row->time_s : 0;
}

/* A series' row at a point; NULL if there is none or it has no value. *speedup: over the script's
 * variant; 0 where it names none. */
static const gb_result_row *value_at(const writer *w, const gb_table_series *s, size_t panel,
                                     size_t x, double *speedup)
{
    gb_result_row point = point_at(w, panel, x);
    const gb_result_row *row = gb_table_row(&w->b, s, &point, s->variant, "rate");
    *speedup = 0;
    if (!row) row = s->published ? gb_table_row(&w->b, s, &point, s->variant, "time") : NULL;
    if (!row || row->status != GB_OK || (row->rate <= 0 && row->time_s <= 0)) return NULL;
    if (!w->script->over) return row;
    if (strcmp(s->variant, w->script->over) == 0) return NULL; /* it would be 1 throughout */
    *speedup = speedup_of(w, s, row, &point);
    return *speedup > 0 ? row : NULL;
}

/* Where a value stands along x: itself, or its number among the categories. */
static const char *x_place(const writer *w, size_t x)
{
    return w->script->categories ? gb_arena_printf(w->b.arena, "%zu", x + 1) : w->x_values[x];
}

static const char *series_label(const writer *w, const gb_table_series *s)
{
    if (!s->published && w->b.slice->device_count == 1) return s->label;
    return gb_arena_printf(w->b.arena, "%s, %s", s->label, s->source);
}

static const char *table_head(const writer *w)
{
    return gb_arena_printf(w->b.arena,
                           "# %s rate rate_ci95_lo rate_ci95_hi time_s time_ci95_lo_s "
                           "time_ci95_hi_s speedup\n",
                           w->b.set->axes[w->x_axis]);
}

static bool write_series(writer *w, const gb_table_series *s, size_t panel, int style)
{
    size_t points = 0;
    double speedup;
    for (size_t x = 0; x < w->x_count; x++)
        points += value_at(w, s, panel, x, &speedup) != NULL;
    if (points == 0) return true;

    w->drawn++;
    char *path = gb_arena_printf(w->b.arena, "%s/series-%zu.dat", w->folder, w->drawn);
    FILE *file = create(w, path);
    if (!file) return false;
    fprintf(file, "# %s, %s\n%s", s->variant, s->source, table_head(w));
    for (size_t x = 0; x < w->x_count; x++) {
        const gb_result_row *row = value_at(w, s, panel, x, &speedup);
        if (!row) continue;
        fputs(x_place(w, x), file);
        const double columns[] = {row->rate,      row->rate_lo,   row->rate_hi, row->time_s,
                                  row->time_lo_s, row->time_hi_s, speedup};
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            put_number(file, columns[c]);
        fputc('\n', file);
        if (row->rate > w->rate_max) w->rate_max = row->rate;
        if (row->rate > 0 && (w->rate_min == 0 || row->rate < w->rate_min)) w->rate_min = row->rate;
    }
    put_path(w, element(w, "gb_file", w->drawn), path);
    put_text(w->gp, element(w, "gb_label", w->drawn), series_label(w, s));
    fprintf(w->gp, "gb_style[%zu] = %d\n", w->drawn, style);
    return finish(w, file, path);
}

/* ---- the limit ------------------------------------------------------------------------------- */

/* A measured row at a point that says the limit; the limit is the point's, whatever the variant. */
static const gb_result_row *limit_at(const writer *w, size_t panel, size_t x)
{
    for (size_t s = 0; s < w->b.series_count; s++) {
        if (w->b.series[s].published) continue;
        gb_result_row point = point_at(w, panel, x);
        const gb_result_row *row =
            gb_table_row(&w->b, &w->b.series[s], &point, w->b.series[s].variant, "");
        if (row && row->limit_rate > 0) return row;
    }
    return NULL;
}

/* Devices have their own limits, so one is drawn only where one device is. */
static bool write_limit(writer *w, size_t panel)
{
    char *path = gb_arena_printf(w->b.arena, "%s/limit-%zu.dat", w->folder, panel + 1);
    size_t points = 0;
    for (size_t x = 0; x < w->x_count; x++)
        points += limit_at(w, panel, x) != NULL;
    if (!w->script->limit || points == 0 || w->b.slice->device_count != 1) {
        put_path(w, element(w, "gb_limit", panel + 1), "");
        return true;
    }
    FILE *file = create(w, path);
    if (!file) return false;
    fprintf(file, "# %s limit_rate\n", w->b.set->axes[w->x_axis]);
    for (size_t x = 0; x < w->x_count; x++) {
        const gb_result_row *row = limit_at(w, panel, x);
        if (!row) continue;
        fprintf(file, "%s %.9g\n", x_place(w, x), row->limit_rate);
        char *kind = gb_arena_strdup(w->b.arena, *row->limit_kind ? row->limit_kind : "bandwidth");
        for (char *at = kind; *at; at++)
            if (*at == '_' || *at == '-') *at = ' ';
        w->limit_label = gb_arena_printf(w->b.arena, "physical limit (%s)", kind);
    }
    put_path(w, element(w, "gb_limit", panel + 1), path);
    return finish(w, file, path);
}

/* ---- data.gp --------------------------------------------------------------------------------- */

static void put_arrays(writer *w)
{
    size_t most = w->panel_count * w->b.series_count;
    fprintf(w->gp, "gb_panels = %zu\n", w->panel_count);
    fprintf(w->gp, "array gb_panel_title[%zu]\narray gb_first[%zu]\narray gb_last[%zu]\n",
            w->panel_count, w->panel_count, w->panel_count);
    fprintf(w->gp, "array gb_limit[%zu]\narray gb_file[%zu]\narray gb_label[%zu]\n", w->panel_count,
            most, most);
    fprintf(w->gp, "array gb_style[%zu]\n", most);
}

/* One line type a variant and device; the paper's shares the variant's place. */
static int style_of(const writer *w, size_t number)
{
    const gb_table_series *s = &w->b.series[number];
    int style = 1;
    for (size_t i = 0; i < number; i++) {
        if (s->published ? w->b.series[i].published : !w->b.series[i].published) style++;
    }
    return s->published ? PAPER_STYLE + style : style;
}

static bool write_panels(writer *w)
{
    for (size_t p = 0; p < w->panel_count; p++) {
        const char *title = "";
        if (w->panel_axis >= 0)
            title = gb_arena_printf(w->b.arena, "%s = %s", w->b.set->axes[w->panel_axis],
                                    gb_axis_readable(w->b.arena, w->panel_values[p]));
        put_text(w->gp, element(w, "gb_panel_title", p + 1), title);
        fprintf(w->gp, "gb_first[%zu] = %zu\n", p + 1, w->drawn + 1);
        /* The paper's come last in the key. */
        for (int published = 0; published < 2; published++)
            for (size_t s = 0; s < w->b.series_count; s++)
                if (w->b.series[s].published == (published == 1) &&
                    !write_series(w, &w->b.series[s], p, style_of(w, s)))
                    return false;
        fprintf(w->gp, "gb_last[%zu] = %zu\n", p + 1, w->drawn);
        if (!write_limit(w, p)) return false;
    }
    if (w->drawn == 0)
        gb_fail(w->error, GB_UNSUPPORTED,
                "no row of experiment '%s' that it asks for has a rate or a time%s%s (scope %s)",
                w->b.set->experiment, w->script->over ? " beside one of " : "",
                w->script->over ? w->script->over : "", w->b.slice->rows[0]->scope);
    return w->drawn > 0;
}

/* Tic labels nearer to one another than this part of a logarithmic axis would run together. */
static const double nearest_label = 1.0 / 28;

/* The tics of values that are names: each has its label. */
static void put_categories(writer *w)
{
    const char *tics = "";
    for (size_t x = 0; x < w->x_count; x++)
        tics =
            gb_arena_printf(w->b.arena, "%s%s'%s' %zu", tics, x ? ", " : "", w->x_values[x], x + 1);
    put_text(w->gp, "gb_x_axis", w->b.set->axes[w->x_axis]);
    put_text(w->gp, "gb_x_tics", tics);
    put_text(w->gp, "gb_x_tics_log", tics);
    fprintf(w->gp, "gb_x_min = 1\ngb_x_max = %zu\n", w->x_count);
}

static void put_x(writer *w)
{
    if (w->script->categories) {
        put_categories(w);
        return;
    }
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
    put_text(w->gp, "gb_x_axis", w->b.set->axes[w->x_axis]);
    put_text(w->gp, "gb_x_tics", tics);
    put_text(w->gp, "gb_x_tics_log", sparse);
    fprintf(w->gp, "gb_x_min = %s\ngb_x_max = %s\n", first, last);
}

static void put_target(writer *w, const gb_plot_target *target)
{
    put_text(w->gp, "gb_format", target->format);
    put_path(w, "gb_output", target->output);
    put_path(w, "gb_common", target->common);
    fprintf(w->gp, "gb_columns = %d\ngb_lines = %d\ngb_colour = %d\n", target->columns,
            target->lines, target->colour);
    const gb_slice *slice = w->b.slice;
    const char *devices = "";
    for (size_t d = 0; d < slice->device_count; d++)
        devices = gb_arena_printf(w->b.arena, "%s%s%s", devices, d ? ", " : "", slice->devices[d]);
    put_text(w->gp, "gb_title", w->script->title);
    put_text(w->gp, "gb_subtitle", gb_arena_printf(w->b.arena, "%s: %s", devices, slice->held));
    put_text(w->gp, "gb_note",
             w->b.set->simt ? "The simt device runs the kernels on the CPU: these are not a GPU's "
                              "times."
                            : "");
}

static bool has_axes(const writer *w)
{
    const gb_result_set *set = w->b.set;
    const char *const names[] = {w->script->x, w->script->panels, w->script->largest};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!names[i] || gb_result_axis(set, names[i]) >= 0) continue;
        gb_fail(w->error, GB_WRONG,
                "%s asks for the axis '%s', which experiment '%s' does not have; its axes: %s",
                w->script->path, names[i], set->experiment, gb_result_axes(w->b.arena, set));
        return false;
    }
    return true;
}

static bool prepare(writer *w)
{
    const gb_table_builder *b = &w->b;
    if (!has_axes(w)) return false;
    w->x_axis = (unsigned)gb_result_axis(b->set, w->script->x);
    w->panel_axis = w->script->panels ? gb_result_axis(b->set, w->script->panels) : -1;
    w->x_values =
        gb_axis_values(b->arena, b->slice->rows, b->slice->row_count, w->x_axis, &w->x_count);
    w->panel_count = 1;
    if (w->panel_axis >= 0)
        w->panel_values = gb_axis_values(b->arena, b->slice->rows, b->slice->row_count,
                                         (unsigned)w->panel_axis, &w->panel_count);
    if (w->script->categories && w->x_count < 2) {
        gb_fail(w->error, GB_UNSUPPORTED, "experiment '%s' was measured with one value of %s",
                b->set->experiment, w->script->x);
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
    writer w = {.b = {.arena = arena,
                      .layout = &script->layout,
                      .set = set,
                      .slice = slice,
                      .paper = gb_published_beside(set, slice->rows[0]->scope, paper)},
                .script = script,
                .folder = folder,
                .error = error};
    if (!prepare(&w)) return false;
    gb_table_make_series(&w.b);
    char *path = gb_arena_printf(arena, "%s/data.gp", folder);
    w.gp = create(&w, path);
    if (!w.gp) return false;
    put_target(&w, target);
    put_x(&w);
    put_arrays(&w);
    bool ok = write_panels(&w);
    fprintf(w.gp, "gb_rate_min = %.9g\ngb_rate_max = %.9g\n", w.rate_min, w.rate_max);
    put_text(w.gp, "gb_limit_label", w.limit_label ? w.limit_label : "");
    return finish(&w, w.gp, path) && ok;
}
