/* What of a figure is drawn: which panels, values of x and line types. */
#include "bench/plot/writer.h"

#include <string.h>

/* Line types of common.gp: those of the papers. */
enum { PAPER_STYLE = 20, PAPER_STYLES = 4 };

/* Adds a panel to a list of those that are not drawn. */
static void drop_panel(gb_plot_writer *w, const char **list, const char *panel)
{
    *list = gb_arena_printf(w->b.arena, "%s%s%s", *list, **list ? ", " : "",
                            gb_axis_shown(w->b.arena, panel));
}

/* Whether there are results at several values of x where the panels' axis has a value. */
static bool has_several_x(const gb_plot_writer *w, const char *panel)
{
    const char *first = NULL;
    for (size_t i = 0; i < w->b.slice->row_count; i++) {
        const gb_result_row *row = w->b.slice->rows[i];
        if (row->status != GB_OK || strcmp(row->axis[w->panel_axis], panel) != 0) continue;
        if (first && strcmp(first, row->axis[w->x_axis]) != 0) return true;
        first = row->axis[w->x_axis];
    }
    return false;
}

void gb_plot_keep_curves(gb_plot_writer *w)
{
    size_t kept = 0;
    for (size_t p = 0; p < w->panel_count; p++) {
        const char *panel = w->panel_values[p];
        if (has_several_x(w, panel))
            w->panel_values[kept++] = panel;
        else
            drop_panel(w, &w->left_out, panel);
    }
    w->panel_count = kept;
}

/* Whether some panel has a value of a series. */
static bool is_drawn(gb_plot_writer *w, size_t series)
{
    for (size_t p = 0; p < w->panel_count; p++)
        if (gb_plot_has_series(w, series, p)) return true;
    return false;
}

void gb_plot_choose_styles(gb_plot_writer *w)
{
    int measured = 0, published = 0;
    w->styles = gb_arena_alloc(w->b.arena, (w->b.series_count + 1) * sizeof *w->styles);
    for (size_t s = 0; s < w->b.series_count; s++) {
        if (!is_drawn(w, s)) continue;
        if (w->b.series[s].published)
            w->styles[s] = PAPER_STYLE + published++ % PAPER_STYLES + 1;
        else
            w->styles[s] = measured++ % GB_PLOT_STYLES + 1;
    }
}

/* Whether a panel has any series. */
static bool has_any(gb_plot_writer *w, size_t panel)
{
    for (size_t s = 0; s < w->b.series_count; s++)
        if (gb_plot_has_series(w, s, panel)) return true;
    return false;
}

void gb_plot_keep_drawn_panels(gb_plot_writer *w)
{
    size_t kept = 0;
    bool *any = gb_arena_alloc(w->b.arena, (w->panel_count + 1) * sizeof *any);
    for (size_t p = 0; p < w->panel_count; p++)
        kept += any[p] = has_any(w, p);
    if (kept == 0 || w->panel_axis < 0) return;
    kept = 0;
    for (size_t p = 0; p < w->panel_count; p++) {
        const char *panel = w->panel_values[p];
        if (any[p])
            w->panel_values[kept++] = panel;
        else
            drop_panel(w, &w->empty, panel);
    }
    w->panel_count = kept;
}

void gb_plot_keep_drawn_x(gb_plot_writer *w)
{
    size_t kept = 0;
    for (size_t x = 0; x < w->x_count; x++)
        if (gb_plot_has_x(w, x)) w->x_values[kept++] = w->x_values[x];
    if (kept > 0) w->x_count = kept; /* else there are levels alone, or nothing at all */
}

void gb_plot_keep_few_panels(gb_plot_writer *w, size_t most)
{
    if (w->panel_count <= most) return;
    size_t kept = 0;
    for (size_t p = 0; p < w->panel_count; p++) {
        const char *panel = w->panel_values[p];
        /* number `kept` of the evenly spread ones */
        if (kept < most && p == kept * (w->panel_count - 1) / (most - 1))
            w->panel_values[kept++] = panel;
        else
            drop_panel(w, &w->too_many, panel);
    }
    w->panel_count = kept;
}
