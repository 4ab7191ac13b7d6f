/* What of a figure is drawn: which panels, values of x and series, and their line types. */
#include "bench/plot/default.h"
#include "bench/plot/writer.h"

#include <string.h>

/* Line types of common.gp: those of the papers. */
enum { PAPER_STYLE = 20, PAPER_STYLES = 8 };
/* Fewer points make no curve. */
enum { LEAST_CURVE = 3 };

/* ---- panels ---------------------------------------------------------------------------------- */

/* Adds a panel to a list of those that are not drawn. */
static void drop_panel(gb_plot_writer *w, const char **list, const gb_plot_panel *panel)
{
    *list = gb_arena_printf(w->b.arena, "%s%s%s%s%s", *list, **list ? ", " : "",
                            panel->value ? gb_axis_shown(w->b.arena, panel->value) : "",
                            panel->value && panel->device ? " on " : "",
                            panel->device ? panel->source : "");
}

/* At how many values of x a panel has one of a series. */
static size_t points_of(gb_plot_writer *w, size_t panel)
{
    size_t count = 0;
    for (size_t x = 0; x < w->x_count; x++)
        count += gb_plot_has_x(w, panel, x);
    return count;
}

/* Whether a panel has any series; a level has no point. */
static bool has_any(gb_plot_writer *w, size_t panel)
{
    for (size_t s = 0; s < w->b.series_count; s++)
        if (gb_plot_has_series(w, s, panel)) return true;
    return false;
}

/* The fewest points that a panel is drawn for. */
static size_t least_points(const gb_plot_writer *w, size_t most)
{
    const size_t several = w->script->several_x;
    if (w->script->categories || most < LEAST_CURVE || several > LEAST_CURVE) return several;
    return LEAST_CURVE;
}

void gb_plot_keep_drawn_panels(gb_plot_writer *w)
{
    size_t kept = 0, most = 0;
    for (size_t p = 0; p < w->panel_count; p++) {
        const size_t points = points_of(w, p);
        if (points > most) most = points;
    }
    w->most_points = most;
    w->few = most > 0 && most < LEAST_CURVE;
    bool any = false;
    for (size_t p = 0; p < w->panel_count && !any; p++)
        any = has_any(w, p);
    if (!any) return;
    const size_t least = least_points(w, most);
    for (size_t p = 0; p < w->panel_count; p++) {
        const gb_plot_panel panel = w->panels[p];
        if (!has_any(w, p))
            drop_panel(w, &w->empty, &panel);
        else if (w->panel_count > 1 && most > 0 && points_of(w, p) < least)
            drop_panel(w, &w->left_out, &panel);
        else
            w->panels[kept++] = panel;
    }
    w->least_points = least;
    w->panel_count = kept;
}

void gb_plot_keep_drawn_x(gb_plot_writer *w)
{
    size_t kept = 0;
    for (size_t x = 0; x < w->x_count; x++) {
        bool drawn = false;
        for (size_t p = 0; p < w->panel_count && !drawn; p++)
            drawn = gb_plot_has_x(w, p, x);
        if (drawn) w->x_values[kept++] = w->x_values[x];
    }
    if (kept > 0) w->x_count = kept; /* else there are levels alone, or nothing at all */
}

/* ---- series ---------------------------------------------------------------------------------- */

bool gb_plot_is_alike(const gb_table_series *a, const gb_table_series *b)
{
    return a->variant == b->variant && a->at == b->at && a->published == b->published;
}

/* Whether some panel has a value of a series. */
static bool is_drawn(gb_plot_writer *w, size_t series)
{
    for (size_t p = 0; p < w->panel_count; p++)
        if (gb_plot_has_series(w, series, p)) return true;
    return false;
}

/* Which series have something to draw, and are not left out on purpose. */
static void choose_series(gb_plot_writer *w)
{
    w->styles = gb_arena_alloc(w->b.arena, (w->b.series_count + 1) * sizeof *w->styles);
    for (size_t s = 0; s < w->b.series_count; s++)
        w->styles[s] = 1;
    for (size_t s = 0; s < w->b.series_count; s++) {
        const gb_table_series *of = &w->b.series[s];
        /* who chooses variants wants these, whatever the script is about */
        const bool left =
            of->further && !w->b.slice->variants && gb_plot_script_leaves(w->script, of->variant);
        w->styles[s] = !left && is_drawn(w, s);
    }
}

/* The number of variants of which something measured is drawn. */
static size_t count_variants(const gb_plot_writer *w)
{
    size_t count = 0;
    for (size_t s = 0; s < w->b.series_count; s++) {
        bool first = w->styles[s] && !w->b.series[s].published;
        for (size_t k = 0; k < s && first; k++)
            first = !w->styles[k] || !gb_plot_is_alike(&w->b.series[k], &w->b.series[s]);
        count += first;
    }
    return count;
}

/* The series that stand for a device; NULL: nothing was measured on it. */
static const gb_table_series *series_on(const gb_plot_writer *w, const char *device)
{
    for (size_t s = 0; s < w->b.series_count; s++)
        if (!w->b.series[s].published && strcmp(w->b.series[s].device, device) == 0)
            return &w->b.series[s];
    return NULL;
}

/* A device is a colour where one variant is drawn, else a panel. */
static void split_devices(gb_plot_writer *w)
{
    const gb_slice *slice = w->b.slice;
    if (slice->device_count < 2 || w->b.set->published || w->script->devices_together) return;
    if (count_variants(w) < 2 && slice->device_count <= GB_PLOT_MOST_SERIES) return;
    const size_t count = w->panel_count * slice->device_count;
    gb_plot_panel *panels = gb_arena_alloc(w->b.arena, (count + 1) * sizeof *panels);
    for (size_t p = 0; p < w->panel_count; p++) {
        for (size_t d = 0; d < slice->device_count; d++) {
            const gb_table_series *one = series_on(w, slice->devices[d]);
            panels[p * slice->device_count + d] =
                (gb_plot_panel){.value = w->panels[p].value,
                                .device = slice->devices[d],
                                .source = one ? one->source : slice->devices[d]};
        }
    }
    w->panels = panels;
    w->panel_count = count;
    w->by_device = true;
}

/* Adds a name to a list of them, each once. */
static void add_name(gb_plot_writer *w, const char **list, const char *name)
{
    if (!strstr(gb_arena_printf(w->b.arena, ", %s,", *list),
                gb_arena_printf(w->b.arena, ", %s,", name)))
        *list = gb_arena_printf(w->b.arena, "%s%s%s", *list, **list ? ", " : "", name);
}

/* The style of a series that is drawn like one before it: the same variant in another device's
 * panel. 0: it has none yet. */
static int style_before(const gb_plot_writer *w, size_t series)
{
    for (size_t k = 0; k < series && w->by_device; k++)
        if (w->styles[k] && gb_plot_is_alike(&w->b.series[k], &w->b.series[series]) &&
            !w->b.series[k].published)
            return w->styles[k];
    return 0;
}

/* Gives the series of one kind line types; those for which there is no room are named instead. */
static int give_styles(gb_plot_writer *w, bool published, int used, int most)
{
    int next = 0;
    for (size_t s = 0; s < w->b.series_count; s++) {
        const gb_table_series *of = &w->b.series[s];
        if (!w->styles[s] || of->published != published) continue;
        const int before = style_before(w, s);
        if (!before && used + next >= most && !w->script->devices_together) {
            add_name(w, &w->crowded, gb_plot_label(w, of));
            w->styles[s] = 0;
        } else {
            w->styles[s] = (before ? before : ++next + (published ? PAPER_STYLE : 0));
        }
    }
    return next;
}

/* Gives each series that is drawn a line type of its own, the same in all panels. */
static void choose_styles(gb_plot_writer *w)
{
    const bool many = w->script->many != NULL;
    const int papers = give_styles(w, true, 0, many ? PAPER_STYLES : GB_PLOT_MOST_SERIES - 1);
    give_styles(w, false, many ? 0 : papers, many ? GB_PLOT_STYLES : GB_PLOT_MOST_SERIES);
}

static bool is_in_slice(const gb_plot_writer *w, const char *device)
{
    for (size_t d = 0; d < w->b.slice->device_count; d++)
        if (strcmp(w->b.slice->devices[d], device) == 0) return true;
    return false;
}

/* Names the devices that were measured, but not where the figure looks. */
static void name_elsewhere(gb_plot_writer *w)
{
    const char *before = "";
    for (size_t i = 0; i < w->b.set->row_count && !w->b.set->published; i++) {
        const gb_result_row *row = &w->b.set->rows[i];
        if (row->status != GB_OK || strcmp(row->device, before) == 0) continue;
        before = row->device;
        if (!is_in_slice(w, row->device)) add_name(w, &w->empty, row->device);
    }
}

void gb_plot_choose(gb_plot_writer *w)
{
    name_elsewhere(w);
    choose_series(w);
    split_devices(w);
    choose_styles(w);
    for (size_t i = 0; i < w->b.slice->row_count; i++) {
        const gb_result_row *row = w->b.slice->rows[i];
        if (row->status == GB_OK && !w->b.set->published && !w->script->generic &&
            !gb_plot_script_lists(w->script, row->variant) &&
            !gb_plot_script_leaves(w->script, row->variant))
            add_name(w, &w->unlisted, row->variant);
    }
}

/* How many panels have the value of this one: a device each. */
static size_t devices_at(const gb_plot_writer *w, size_t panel)
{
    size_t count = 0;
    for (size_t p = 0; p < w->panel_count; p++)
        count += strcmp(w->panels[p].value, w->panels[panel].value) == 0;
    return count;
}

static bool is_first_of_value(const gb_plot_writer *w, size_t panel)
{
    for (size_t p = 0; p < panel; p++)
        if (strcmp(w->panels[p].value, w->panels[panel].value) == 0) return false;
    return true;
}

/* How many values have panels of so many devices. */
static size_t values_with(const gb_plot_writer *w, size_t devices)
{
    size_t count = 0;
    for (size_t p = 0; p < w->panel_count; p++)
        count += is_first_of_value(w, p) && devices_at(w, p) >= devices;
    return count;
}

/* Of the values with panels of so many devices `wanted` ones, evenly spread; each of the others is
 * noted. */
static bool *choose_values(gb_plot_writer *w, size_t devices, size_t wanted)
{
    bool *kept = gb_arena_alloc(w->b.arena, w->panel_count * sizeof *kept);
    const size_t count = values_with(w, devices);
    size_t chosen = 0, at = 0;
    for (size_t p = 0; p < w->panel_count; p++) {
        if (!is_first_of_value(w, p)) continue;
        const bool fits = devices_at(w, p) >= devices;
        const bool takes = fits && (wanted == 1 || at == chosen * (count - 1) / (wanted - 1));
        at += fits;
        if (takes && chosen < wanted) {
            chosen++;
            for (size_t k = p; k < w->panel_count; k++)
                kept[k] |= strcmp(w->panels[k].value, w->panels[p].value) == 0;
        } else {
            drop_panel(w, &w->too_many, &(gb_plot_panel){.value = w->panels[p].value});
        }
    }
    return kept;
}

void gb_plot_keep_few_panels(gb_plot_writer *w, size_t most)
{
    if (w->panel_count <= most || w->panel_axis < 0) return;
    size_t devices = 1, kept = 0;
    for (size_t p = 0; p < w->panel_count; p++)
        if (devices_at(w, p) > devices) devices = devices_at(w, p);
    const size_t room = most / devices > 0 ? most / devices : 1;
    const size_t wanted = room < values_with(w, 1) ? room : values_with(w, 1);
    const bool *keep = choose_values(w, values_with(w, devices) >= wanted ? devices : 1, wanted);
    for (size_t p = 0; p < w->panel_count; p++)
        if (keep[p]) w->panels[kept++] = w->panels[p];
    w->panel_count = kept;
}
