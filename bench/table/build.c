/* From rows and a layout to a table of ready text: its panels, blocks and lines. */
#include "bench/table/build.h"

#include "bench/rows/published.h"
#include "bench/table/cells.h"

#include <stdlib.h>
#include <string.h>

/* ---- points ---------------------------------------------------------------------------------- */

/* A row and where its values of the row axes stand in their order. */
typedef struct ranked_row {
    const gb_result_row *row;
    size_t rank[GB_MAX_AXES];
} ranked_row;

static int by_rank(const void *left, const void *right)
{
    const ranked_row *a = left, *b = right;
    for (size_t i = 0; i < GB_MAX_AXES; i++)
        if (a->rank[i] != b->rank[i]) return a->rank[i] < b->rank[i] ? -1 : 1;
    return 0;
}

const gb_result_row **gb_table_points(gb_table_builder *b, const unsigned *axes, size_t axis_count,
                                      size_t *count)
{
    const gb_slice *slice = b->slice;
    ranked_row *ranked = gb_arena_alloc(b->arena, (slice->row_count + 1) * sizeof *ranked);
    for (size_t i = 0; i < slice->row_count; i++)
        ranked[i].row = slice->rows[i];
    for (size_t a = 0; a < axis_count; a++) {
        size_t value_count;
        const char **values =
            gb_axis_values(b->arena, slice->rows, slice->row_count, axes[a], &value_count);
        for (size_t i = 0; i < slice->row_count; i++)
            while (strcmp(values[ranked[i].rank[a]], slice->rows[i]->axis[axes[a]]) != 0)
                ranked[i].rank[a]++;
    }
    qsort(ranked, slice->row_count, sizeof *ranked, by_rank);
    const gb_result_row **points =
        gb_arena_alloc(b->arena, (slice->row_count + 1) * sizeof *points);
    *count = 0;
    for (size_t i = 0; i < slice->row_count; i++)
        if (i == 0 || by_rank(&ranked[i - 1], &ranked[i]) != 0) points[(*count)++] = ranked[i].row;
    return points;
}

/* ---- panels ---------------------------------------------------------------------------------- */

static const char *axis_text(gb_table_builder *b, unsigned axis, const char *value)
{
    return gb_layout_axis_text(b->arena, b->layout, b->set->axes[axis], value);
}

/* The variants as rows, the values of an axis as columns. */
static void fill_axis_panel(gb_table_builder *b, const char *title, const unsigned *row_axes,
                            const gb_result_row **points, size_t point_count, unsigned column_axis,
                            const char **values, size_t value_count)
{
    size_t stubs = b->layout->row_axis_count + 2;
    gb_table_panel *panel =
        gb_table_add_panel(b->arena, b->table, title, stubs + value_count, stubs);
    for (size_t a = 0; a + 2 < stubs; a++)
        panel->head[a] = b->set->axes[row_axes[a]];
    panel->head[stubs - 2] = "version";
    panel->head[stubs - 1] = "device";
    for (size_t v = 0; v < value_count; v++)
        panel->head[stubs + v] = axis_text(b, column_axis, values[v]);

    const char **cells = gb_arena_alloc(b->arena, (value_count + 1) * sizeof *cells);
    for (size_t p = 0; p < point_count; p++) {
        const char *last_label = "";
        bool begins = true;
        for (size_t s = 0; s < b->series_count; s++) {
            const gb_table_series *line = &b->series[s];
            size_t notes = b->table->note_count;
            b->assumed = (gb_table_assumed){0};
            for (size_t v = 0; v < value_count; v++) {
                gb_result_row at = *points[p];
                at.axis[column_axis] = values[v];
                cells[v] = gb_table_cell(b, line, &at);
            }
            if (!gb_table_says_something(line, cells, value_count)) {
                b->table->note_count = notes; /* of a line that is not printed */
                continue;
            }
            const char **out = gb_table_add_line(b->arena, panel, begins);
            for (size_t a = 0; begins && a + 2 < stubs; a++)
                out[a] = axis_text(b, row_axes[a], points[p]->axis[row_axes[a]]);
            if (strcmp(last_label, line->label) != 0) out[stubs - 2] = line->label;
            out[stubs - 1] = gb_table_marked(b, line->source, &b->assumed);
            memcpy(&out[stubs], cells, value_count * sizeof *cells);
            last_label = line->label;
            begins = false;
        }
    }
}

static bool contains(const char **list, size_t count, const char *value)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], value) == 0) return true;
    return false;
}

/* The numbers of the columns, of these names, that come in the layout's panel p and in none before;
 * in the one behind its last, all that are left. Returns how many. */
static size_t panel_part(const gb_table_layout *layout, size_t p, const char **names, size_t count,
                         bool *used, size_t *part)
{
    const gb_layout_panel *panel = p < layout->panel_count ? &layout->panels[p] : NULL;
    size_t part_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (used[i] || (panel && !contains(panel->values, panel->value_count, names[i]))) continue;
        used[i] = true;
        part[part_count++] = i;
    }
    return part_count;
}

/* The title of that panel; of_rest where it holds what the layout's panels have left. */
static const char *panel_title(const gb_table_layout *layout, size_t p, const char *of_rest)
{
    if (p < layout->panel_count) return layout->panels[p].title;
    return layout->panel_count > 0 ? of_rest : "";
}

/* The layout's panels, each with those of its values that were measured, and one for the rest. */
static void fill_axis_panels(gb_table_builder *b, const unsigned *row_axes,
                             const gb_result_row **points, size_t point_count, unsigned column_axis)
{
    size_t count;
    const char **values =
        gb_axis_values(b->arena, b->slice->rows, b->slice->row_count, column_axis, &count);
    bool *used = gb_arena_alloc(b->arena, count + 1);
    size_t *part = gb_arena_alloc(b->arena, (count + 1) * sizeof *part);
    const char **chosen = gb_arena_alloc(b->arena, (count + 1) * sizeof *chosen);
    const char *of_rest =
        gb_arena_printf(b->arena, "Further values of %s", b->set->axes[column_axis]);
    for (size_t p = 0; p <= b->layout->panel_count; p++) {
        size_t part_count = panel_part(b->layout, p, values, count, used, part);
        for (size_t i = 0; i < part_count; i++)
            chosen[i] = values[part[i]];
        if (part_count > 0)
            fill_axis_panel(b, panel_title(b->layout, p, of_rest), row_axes, points, point_count,
                            column_axis, chosen, part_count);
    }
}

/* Whether one of the cells holds a number or a failure: something else than "-" or nothing. */
static bool holds_something(const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i][0] && cells[i][0] != '-') return true;
    return false;
}

/* Some series as columns, a point a row. Where the columns come in several panels, a point that
 * none of a panel's series can run has no row there. */
static void fill_variant_panel(gb_table_builder *b, const char *title, const unsigned *row_axes,
                               const gb_result_row **points, size_t point_count,
                               const gb_table_series **series, size_t series_count)
{
    size_t stubs = b->layout->row_axis_count, kept = 0;
    const gb_table_series **columns =
        gb_arena_alloc(b->arena, (series_count + 1) * sizeof *columns);
    gb_table_assumed *assumed = gb_arena_alloc(b->arena, (series_count + 1) * sizeof *assumed);
    const char **cells = gb_arena_alloc(b->arena, (series_count + point_count + 1) * sizeof *cells);
    size_t notes = b->table->note_count;
    for (size_t s = 0; s < series_count; s++) {
        b->assumed = (gb_table_assumed){0};
        for (size_t p = 0; p < point_count; p++)
            cells[p] = gb_table_cell(b, series[s], points[p]);
        if (!gb_table_says_something(series[s], cells, point_count)) continue;
        assumed[kept] = b->assumed;
        columns[kept++] = series[s];
    }
    b->table->note_count = notes; /* those of what is printed come again */
    if (kept == 0) return;
    bool one_source = true;
    for (size_t s = 1; s < kept; s++)
        one_source &= strcmp(columns[s]->source, columns[0]->source) == 0;

    gb_table_panel *panel = gb_table_add_panel(b->arena, b->table, title, stubs + kept, stubs);
    for (size_t a = 0; a < stubs; a++)
        panel->head[a] = b->set->axes[row_axes[a]];
    for (size_t s = 0; s < kept; s++) {
        const char *head = columns[s]->label;
        if (!one_source) head = gb_arena_printf(b->arena, "%s, %s", head, columns[s]->source);
        panel->head[stubs + s] = gb_table_marked(b, head, &assumed[s]);
    }
    for (size_t p = 0; p < point_count; p++) {
        notes = b->table->note_count;
        for (size_t s = 0; s < kept; s++)
            cells[s] = gb_table_cell(b, columns[s], points[p]);
        if (b->layout->panel_count > 0 && !holds_something(cells, kept)) {
            b->table->note_count = notes;
            continue;
        }
        const char **out = gb_table_add_line(b->arena, panel, false);
        for (size_t a = 0; a < stubs; a++)
            out[a] = axis_text(b, row_axes[a], points[p]->axis[row_axes[a]]);
        memcpy(&out[stubs], cells, kept * sizeof *cells);
    }
}

/* The layout's panels, each with its variants, and one for the rest. */
static void fill_variant_panels(gb_table_builder *b, const unsigned *row_axes,
                                const gb_result_row **points, size_t point_count)
{
    size_t count = b->series_count;
    bool *used = gb_arena_alloc(b->arena, count + 1);
    size_t *part = gb_arena_alloc(b->arena, (count + 1) * sizeof *part);
    const char **names = gb_arena_alloc(b->arena, (count + 1) * sizeof *names);
    const gb_table_series **chosen = gb_arena_alloc(b->arena, (count + 1) * sizeof *chosen);
    for (size_t s = 0; s < count; s++)
        names[s] = b->series[s].variant;
    for (size_t p = 0; p <= b->layout->panel_count; p++) {
        size_t part_count = panel_part(b->layout, p, names, count, used, part);
        for (size_t i = 0; i < part_count; i++)
            chosen[i] = &b->series[part[i]];
        if (part_count > 0)
            fill_variant_panel(b, panel_title(b->layout, p, "Further variants"), row_axes, points,
                               point_count, chosen, part_count);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Which cells have their intervals. */
static const char *intervals_of(const gb_table_layout *layout)
{
    if (layout->ratio_count == 0) return "95 % intervals where wider than ±0.5 %";
    return layout->variant_count == 0 && !layout->further_variants
               ? "95 % intervals"
               : "95 % intervals of ratios and of values where wider than ±0.5 %";
}

static char *caption_of(const gb_table_builder *b)
{
    const char *devices = "";
    for (size_t d = 0; d < b->slice->device_count; d++)
        devices = gb_arena_printf(b->arena, "%s%s%s", devices, d ? ", " : "", b->slice->devices[d]);
    unsigned long most = 0, fewest = 0;
    for (size_t i = 0; i < b->slice->row_count; i++) {
        unsigned long samples = b->slice->rows[i]->samples;
        if (samples > most) most = samples;
        if (samples > 0 && (fewest == 0 || samples < fewest)) fewest = samples;
    }
    const char *from = fewest < most ? gb_arena_printf(b->arena, "%lu", fewest) : "up";
    const char *counted =
        most > 0 ? gb_arena_printf(b->arena, ", %s to %lu samples a value, %s%s", from, most,
                                   intervals_of(b->layout),
                                   fewest == 1 ? ", n = 1: one sample, which has none" : "")
                 : "";
    const char *shown =
        b->layout->variant_count == 0 && !b->layout->further_variants
            ? "Ratios of rates"
            : gb_arena_printf(b->arena, "%s in %s",
                              b->layout->quantity == GB_QUANTITY_RATE ? "Throughput" : "Time",
                              b->layout->unit);
    return gb_arena_printf(
        b->arena, "%s. %s %s: %s%s.%s", shown,
        b->set->published ? "Printed by the paper for" : "Measured on", devices, b->slice->held,
        counted,
        b->set->simt ? " The simt device runs the kernels on the CPU to check them: these are not "
                       "a GPU's times and are not set beside any."
                     : "");
}

/* What an asterisk says. */
static const char *star_note(const gb_table_builder *b)
{
    return gb_arena_printf(
        b->arena, "measured while the clock was throttled%s%s%s: see the flags in the result file",
        b->sticky
            ? ", the times drifted or resembled those before (their interval is then too narrow)"
            : " or the times drifted",
        b->redone ? ", or the work was done anew (redone)" : "",
        b->ungated ? ", or the host's launching is in the time (ungated)" : "");
}

static gb_table_builder builder_of(gb_arena *arena, const gb_table_layout *layout,
                                   const gb_result_set *set, const gb_slice *slice,
                                   const gb_table_printed *printed, gb_table *table)
{
    static const gb_table_printed none;
    const char *scope = slice->rows[0]->scope;
    if (!printed) printed = &none;
    gb_table_builder b = {.arena = arena,
                          .layout = layout,
                          .set = set,
                          .slice = slice,
                          .paper = gb_published_beside(set, scope, printed->paper),
                          .table = table};
    b.elsewhere = gb_arena_alloc(arena, (printed->elsewhere_count + 1) * sizeof *b.elsewhere);
    for (size_t i = 0; i < printed->elsewhere_count; i++)
        if (gb_published_beside(set, scope, printed->elsewhere[i]))
            b.elsewhere[b.elsewhere_count++] = printed->elsewhere[i];
    return b;
}

void gb_table_build(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                    const gb_slice *slice, const gb_table_printed *printed, gb_table *table)
{
    *table = (gb_table){.title = layout->title};
    gb_table_builder b = builder_of(arena, layout, set, slice, printed, table);
    unsigned row_axes[GB_MAX_AXES] = {0};
    for (size_t a = 0; a < layout->row_axis_count; a++)
        row_axes[a] = (unsigned)gb_result_axis(set, layout->row_axes[a]);
    table->caption = caption_of(&b);
    gb_table_make_series(&b);
    size_t point_count;
    const gb_result_row **points =
        gb_table_points(&b, row_axes, layout->row_axis_count, &point_count);
    if (layout->column_axis)
        fill_axis_panels(&b, row_axes, points, point_count,
                         (unsigned)gb_result_axis(set, layout->column_axis));
    else
        fill_variant_panels(&b, row_axes, points, point_count);
    gb_table_add_best_remarks(&b);
    if (layout->ranges) gb_table_add_range_remarks(&b);
    if (b.unstable)
        gb_table_add_remark(arena, table,
                            "unstable: the samples scatter so much that the 95 % interval would "
                            "reach 0; take more of them.");
    table->star_note = star_note(&b);
}

/* The axes that the layout draws. */
static size_t drawn_axes(const gb_table_builder *b, unsigned axes[GB_MAX_AXES])
{
    size_t count = 0;
    for (size_t a = 0; a < b->layout->row_axis_count; a++)
        axes[count++] = (unsigned)gb_result_axis(b->set, b->layout->row_axes[a]);
    if (b->layout->column_axis)
        axes[count++] = (unsigned)gb_result_axis(b->set, b->layout->column_axis);
    return count;
}

void gb_table_add_records(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                          const gb_slice *slice, const gb_table_printed *printed, gb_table *table)
{
    gb_table_builder b = builder_of(arena, layout, set, slice, printed, table);
    unsigned axes[GB_MAX_AXES] = {0};
    const size_t axis_count = drawn_axes(&b, axes);
    size_t count;
    const gb_result_row **points = gb_table_points(&b, axes, axis_count, &count);
    gb_table_make_series(&b);
    for (size_t p = 0; p < count; p++)
        for (size_t s = 0; s < b.series_count; s++) {
            gb_table_record record;
            if (!gb_table_value(&b, &b.series[s], points[p], &record)) continue;
            table->records = gb_arena_grow(arena, table->records, table->record_count,
                                           &table->record_capacity, sizeof *table->records);
            table->records[table->record_count++] = record;
        }
}
