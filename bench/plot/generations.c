/* The data of a figure over generations of GPUs. */
#include "bench/plot/generations.h"

#include "bench/plot/writer.h"
#include "bench/util/share.h"

#include <stdint.h>
#include <string.h>

/* What a panel has. */
enum { RATES, PER_BANDWIDTH, PER_SM_CYCLE, RATIOS, PANELS };

typedef struct generation_writer {
    gb_plot_writer w;
    const gb_generation *of;
    double lowest[PANELS], highest[PANELS]; /* 0: it has nothing */
} generation_writer;

/* ---- words ------------------------------------------------------------------------------------
 */

static const char *labels_of(const generation_writer *g)
{
    const char *text = "";
    for (size_t d = 0; d < g->of->device_count; d++)
        text =
            gb_arena_printf(g->w.b.arena, "%s%s%s", text, d ? ", " : "", g->of->devices[d].label);
    return text;
}

static const char *note_of(const generation_writer *g)
{
    const char *const sentences[] = {g->of->differing, g->of->unnormalised, g->of->left_out};
    const char *note = "";
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (*sentences[i])
            note = gb_arena_printf(g->w.b.arena, "%s%s%s", note, *note ? " " : "", sentences[i]);
    return note;
}

static bool is_measured(const gb_generation *of, size_t device)
{
    for (size_t p = 0; p < of->point_count; p++)
        if (of->points[p].device == device && !of->points[p].printed) return true;
    return false;
}

static void put_devices(generation_writer *g)
{
    gb_plot_writer *w = &g->w;
    const size_t count = g->of->device_count;
    const char **names = gb_arena_alloc(w->b.arena, (count + 1) * sizeof *names), *values = "";
    fprintf(w->gp, "array gb_architecture[%zu]\narray gb_measured[%zu]\n", count, count);
    for (size_t d = 0; d < count; d++) {
        names[d] = g->of->devices[d].label;
        values = gb_arena_printf(w->b.arena, "%s%s%zu", values, d ? " " : "", d + 1);
        gb_plot_put_text(w, gb_plot_element(w, "gb_architecture", d + 1),
                         g->of->devices[d].architecture);
        fprintf(w->gp, "gb_measured[%zu] = %d\n", d + 1, is_measured(g->of, d));
    }
    gb_plot_put_categories(w, "device", names, count);
    gb_plot_put_text(w, "gb_x_values", values);
}

/* ---- series -----------------------------------------------------------------------------------
 */

static void put_number(FILE *file, double value)
{
    if (value > 0)
        fprintf(file, " %.9g", value);
    else
        fputs(" ?", file);
}

static void widen(generation_writer *g, int panel, double value)
{
    if (!(value > 0)) return;
    if (!(g->lowest[panel] > 0) || value < g->lowest[panel]) g->lowest[panel] = value;
    if (value > g->highest[panel]) g->highest[panel] = value;
}

/* Whether the same was measured and is printed. */
static bool has_other(const gb_generation *of, const gb_generation_point *point)
{
    for (size_t p = 0; p < of->point_count; p++)
        if (of->points[p].line == point->line && of->points[p].device == point->device &&
            of->points[p].printed != point->printed)
            return true;
    return false;
}

static void put_point(generation_writer *g, FILE *file, const gb_generation_point *point)
{
    const bool ratio = g->of->query->lines[point->line].over != NULL;
    const double none = 0;
    const unsigned per = g->of->query->per;
    fprintf(file, "%zu", point->device + 1);
    put_number(file, ratio ? none : point->value);
    put_number(file, ratio ? none : point->lo);
    put_number(file, ratio ? none : point->hi);
    fputs(" ? ? ?", file);
    put_number(file, ratio ? point->value : none);
    fputs(" 0 ?", file);
    put_number(file, ratio ? point->lo : none);
    put_number(file, ratio ? point->hi : none);
    put_number(file, per & GB_PER_BANDWIDTH ? point->per_bandwidth : none);
    put_number(file, per & GB_PER_SM_CYCLE ? point->per_sm_cycle : none);
    fprintf(file, " %d\n", has_other(g->of, point));
    g->w.rate_bars |= !ratio && point->hi > point->value;
    g->w.speedup_bars |= ratio && point->hi > point->value;
    widen(g, ratio ? RATIOS : RATES, point->value);
    widen(g, PER_BANDWIDTH, per & GB_PER_BANDWIDTH ? point->per_bandwidth : none);
    widen(g, PER_SM_CYCLE, per & GB_PER_SM_CYCLE ? point->per_sm_cycle : none);
    gb_plot_assume(&g->w, point->row->assumption);
}

static size_t count_points(const gb_generation *of, size_t line, bool printed)
{
    size_t count = 0;
    for (size_t p = 0; p < of->point_count; p++)
        count += of->points[p].line == line && of->points[p].printed == printed;
    return count;
}

static void describe(generation_writer *g, size_t line, bool printed, size_t points)
{
    /* Line types of common.gp: those of papers stand behind 20. */
    enum { PRINTED_STYLE = 20 };
    gb_plot_writer *w = &g->w;
    const gb_generation_line *of = &g->of->query->lines[line];
    gb_plot_put_text(w, gb_plot_element(w, "gb_label", w->drawn),
                     printed ? gb_arena_printf(w->b.arena, "%s, as printed", of->label)
                             : of->label);
    gb_plot_put_text(w, gb_plot_element(w, "gb_name_of_line", w->drawn), of->label);
    gb_plot_put_text(w, gb_plot_element(w, "gb_variant", w->drawn), of->of);
    gb_plot_put_text(w, gb_plot_element(w, "gb_device", w->drawn), "");
    fprintf(w->gp, "gb_style[%zu] = %zu\ngb_published[%zu] = %d\ngb_points[%zu] = %zu\n", w->drawn,
            line + 1 + (printed ? PRINTED_STYLE : 0), w->drawn, printed, w->drawn, points);
    fprintf(w->gp, "gb_line[%zu] = %zu\ngb_is_ratio[%zu] = %d\n", w->drawn, line + 1, w->drawn,
            of->over != NULL);
}

static bool write_series(generation_writer *g, size_t line, bool printed)
{
    gb_plot_writer *w = &g->w;
    const size_t points = count_points(g->of, line, printed);
    if (points == 0) return true;
    const char *path = gb_arena_printf(w->b.arena, "%s/series-%zu.dat", w->folder, ++w->drawn);
    FILE *file = gb_plot_create(w, path);
    if (!file) return false;
    fprintf(file,
            "# %s%s\n# device rate rate_ci95_lo rate_ci95_hi time_s time_ci95_lo_s time_ci95_hi_s "
            "speedup cache_resident best speedup_ci95_lo speedup_ci95_hi per_bandwidth "
            "per_sm_cycle both\n",
            g->of->query->lines[line].of, printed ? ", as printed" : "");
    for (size_t p = 0; p < g->of->point_count; p++)
        if (g->of->points[p].line == line && g->of->points[p].printed == printed)
            put_point(g, file, &g->of->points[p]);
    gb_plot_put_path(w, gb_plot_element(w, "gb_file", w->drawn), path);
    describe(g, line, printed, points);
    return gb_plot_finish(w, file, path);
}

/* All points of a version: of a device that has both, what was measured; behind a blank line those
 * of devices whose place among the others is not known. */
static bool write_joined(generation_writer *g, size_t line, size_t *count)
{
    gb_plot_writer *w = &g->w;
    if (count_points(g->of, line, false) + count_points(g->of, line, true) == 0) return true;
    const char *path = gb_arena_printf(w->b.arena, "%s/table-%zu.dat", w->folder, ++*count);
    FILE *file = gb_plot_create(w, path);
    if (!file) return false;
    size_t last = SIZE_MAX;
    for (size_t p = 0; p < g->of->point_count; p++) {
        const gb_generation_point *point = &g->of->points[p];
        if (point->line != line || point->device == last) continue;
        if (!*g->of->devices[point->device].architecture) fputc('\n', file);
        last = point->device;
        put_point(g, file, point);
    }
    gb_plot_put_path(w, gb_plot_element(w, "gb_joined", *count), path);
    fprintf(w->gp, "gb_joined_line[%zu] = %zu\n", *count, line + 1);
    return gb_plot_finish(w, file, path);
}

static bool write_all_series(generation_writer *g)
{
    static const char *const of_series[] = {
        "gb_file",   "gb_label", "gb_variant",  "gb_device",       "gb_style",  "gb_published",
        "gb_points", "gb_line",  "gb_is_ratio", "gb_name_of_line", "gb_joined", "gb_joined_line"};
    gb_plot_writer *w = &g->w;
    size_t joined = 0;
    for (size_t i = 0; i < sizeof of_series / sizeof *of_series; i++)
        fprintf(w->gp, "array %s[%zu]\n", of_series[i], 2 * g->of->query->line_count);
    for (size_t line = 0; line < g->of->query->line_count; line++)
        if (!write_series(g, line, false) || !write_series(g, line, true) ||
            !write_joined(g, line, &joined))
            return false;
    fprintf(w->gp, "gb_joined_count = %zu\n", joined);
    return true;
}

static void put_panels(const generation_writer *g)
{
    fprintf(g->w.gp, "array gb_lowest[%d]\narray gb_highest[%d]\n", PANELS, PANELS);
    for (int k = 0; k < PANELS; k++)
        fprintf(g->w.gp, "gb_lowest[%d] = %.9g\ngb_highest[%d] = %.9g\n", k + 1, g->lowest[k],
                k + 1, g->highest[k]);
}

/* A line has a type of its own, of which there are so many. */
static bool has_room(const generation_writer *g)
{
    enum { MOST = 7 };
    if (g->of->query->line_count <= MOST) return true;
    gb_fail(g->w.error, GB_WRONG, "%s follows %zu versions, and %d are told apart at most",
            g->w.script->path, g->of->query->line_count, MOST);
    return false;
}

bool gb_plot_generations_write(gb_arena *arena, const char *folder, const gb_plot_script *script,
                               const gb_generation *generation, const gb_plot_target *target,
                               gb_error *error)
{
    generation_writer g = {.w = {.b = {.arena = arena},
                                 .script = script,
                                 .folder = folder,
                                 .assumed = script->assumed ? script->assumed : "",
                                 .error = error},
                           .of = generation};
    gb_plot_writer *w = &g.w;
    const char *draws = gb_share_find(arena, "plots/generations.gp");
    if (!draws) {
        gb_fail(error, GB_WRONG, "there is no plots/generations.gp in any of: %s",
                gb_share_places(arena));
        return false;
    }
    if (!has_room(&g)) return false;
    const char *path = gb_arena_printf(arena, "%s/data.gp", folder);
    w->gp = gb_plot_create(w, path);
    if (!w->gp) return false;
    gb_plot_put_target(w, target, gb_arena_printf(arena, "%s: %s", labels_of(&g), generation->held),
                       note_of(&g));
    gb_plot_put_path(w, "gb_generations", draws);
    gb_plot_put_text(w, "gb_unit", generation->unit);
    fprintf(w->gp, "gb_panels = 1\narray gb_panel_title[1]\narray gb_panel_value[1]\n"
                   "array gb_first[1]\narray gb_last[1]\ngb_panel_title[1] = \"\"\n"
                   "gb_panel_value[1] = \"\"\n");
    put_devices(&g);
    const bool ok = write_all_series(&g);
    fprintf(w->gp, "gb_first[1] = 1\ngb_last[1] = %zu\n", w->drawn);
    put_panels(&g);
    fprintf(w->gp, "gb_rate_bars = %d\ngb_speedup_bars = %d\n", w->rate_bars, w->speedup_bars);
    gb_plot_put_text(w, "gb_assumed", w->assumed);
    return gb_plot_finish(w, w->gp, path) && ok;
}
