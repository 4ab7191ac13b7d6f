/* The data of a figure that is drawn from a file of `gpubench dump`. */
#include "bench/plot/dump.h"

#include "bench/plot/default.h"
#include "bench/plot/writer.h"
#include "bench/rows/select.h"

#include <string.h>

typedef struct dump_writer {
    gb_plot_writer w;
    const gb_dump_file *file;
    bool varies[GB_MAX_AXES], variants_vary, devices_vary;
    int panel_axis; /* -1: one panel */
    const char **panels;
    size_t panel_count;
    const char **labels; /* of each table */
} dump_writer;

/* ---- what the tables differ in --------------------------------------------------------------- */

static void find_differences(dump_writer *d)
{
    const gb_dump_table *tables = d->file->tables;
    for (size_t i = 1; i < d->file->table_count; i++) {
        for (unsigned a = 0; a < d->file->axis_count; a++)
            d->varies[a] |= strcmp(tables[i].axis[a], tables[0].axis[a]) != 0;
        d->variants_vary |= strcmp(tables[i].variant, tables[0].variant) != 0;
        d->devices_vary |= strcmp(tables[i].device, tables[0].device) != 0;
    }
}

static const char *variant_label(const dump_writer *d, const char *variant)
{
    const gb_table_layout *layout = &d->w.script->layout;
    for (size_t i = 0; i < layout->variant_count; i++)
        if (strcmp(layout->variants[i].name, variant) == 0) return layout->variants[i].label;
    return variant;
}

/* "dist plummer", "n 16M" */
static const char *axis_text(const dump_writer *d, unsigned axis, const char *value)
{
    return gb_arena_printf(d->w.b.arena, "%s %s", d->file->axes[axis],
                           gb_axis_shown(d->w.b.arena, value));
}

static void append(const dump_writer *d, const char **text, const char *part)
{
    *text = gb_arena_printf(d->w.b.arena, "%s%s%s", *text, **text ? ", " : "", part);
}

static const char *label_of(const dump_writer *d, const gb_dump_table *table)
{
    const char *text = "";
    if (d->variants_vary) append(d, &text, variant_label(d, table->variant));
    for (unsigned a = 0; a < d->file->axis_count; a++)
        if (d->varies[a] && (int)a != d->panel_axis)
            append(d, &text, axis_text(d, a, table->axis[a]));
    if (d->devices_vary) append(d, &text, table->device);
    return *text ? text : variant_label(d, table->variant);
}

/* What all tables share. */
static const char *subtitle_of(const dump_writer *d)
{
    const gb_dump_table *first = &d->file->tables[0];
    const char *text = "";
    if (!d->variants_vary) append(d, &text, variant_label(d, first->variant));
    for (unsigned a = 0; a < d->file->axis_count; a++)
        if (!d->varies[a]) append(d, &text, axis_text(d, a, first->axis[a]));
    return gb_arena_printf(d->w.b.arena, "%s: %s",
                           d->devices_vary ? "several devices" : first->device, text);
}

/* Labels are the same in all panels; a style is the number of a label. */
static int style_of(const dump_writer *d, size_t table)
{
    int style = 0;
    for (size_t i = 0; i <= table; i++) {
        size_t before = 0;
        while (before < i && strcmp(d->labels[before], d->labels[i]) != 0)
            before++;
        if (before == i) style++;
        if (strcmp(d->labels[i], d->labels[table]) == 0) break;
    }
    return style;
}

/* Gives the tables labels, of which there may be as many as are told apart. */
static bool label_tables(dump_writer *d)
{
    const size_t count = d->file->table_count;
    int most = 0;
    d->labels = gb_arena_alloc(d->w.b.arena, count * sizeof *d->labels);
    for (size_t t = 0; t < count; t++)
        d->labels[t] = label_of(d, &d->file->tables[t]);
    for (size_t t = 0; t < count; t++)
        if (style_of(d, t) > most) most = style_of(d, t);
    if (most <= GB_PLOT_MOST_SERIES) return true;
    gb_fail(d->w.error, GB_UNSUPPORTED,
            "%s has tables of %d variants, points and devices, and %d are told apart in a figure "
            "at most: dump fewer into a file",
            d->file->name, most, GB_PLOT_MOST_SERIES);
    return false;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool write_table(dump_writer *d, size_t number, const char *path)
{
    const gb_csv *csv = d->file->csv;
    const gb_dump_table *table = &d->file->tables[number];
    FILE *to = gb_plot_create(&d->w, path);
    if (!to) return false;
    for (size_t c = d->file->first_column; c < csv->columns; c++)
        fprintf(to, "%s%s", c > d->file->first_column ? " " : "", csv->header[c]);
    fputc('\n', to);
    for (size_t i = 0; i < table->row_count; i++) {
        char *const *fields = csv->rows[table->rows[i]];
        for (size_t c = d->file->first_column; c < csv->columns; c++)
            fprintf(to, "%s%s", c > d->file->first_column ? " " : "",
                    !*fields[c] || strchr(fields[c], ' ') ? "?" : fields[c]);
        fputc('\n', to);
    }
    return gb_plot_finish(&d->w, to, path);
}

static bool put_table(dump_writer *d, size_t number)
{
    gb_plot_writer *w = &d->w;
    const gb_dump_table *table = &d->file->tables[number];
    const char *path = gb_arena_printf(w->b.arena, "%s/table-%zu.dat", w->folder, ++w->drawn);
    gb_plot_put_path(w, gb_plot_element(w, "gb_file", w->drawn), path);
    gb_plot_put_text(w, gb_plot_element(w, "gb_label", w->drawn), d->labels[number]);
    gb_plot_put_text(w, gb_plot_element(w, "gb_variant", w->drawn), table->variant);
    gb_plot_put_text(w, gb_plot_element(w, "gb_device", w->drawn), table->device);
    fprintf(w->gp, "gb_style[%zu] = %d\n", w->drawn, style_of(d, number));
    fprintf(w->gp, "gb_published[%zu] = 0\ngb_points[%zu] = %zu\n", w->drawn, w->drawn,
            table->row_count);
    return write_table(d, number, path);
}

static bool put_panels(dump_writer *d)
{
    gb_plot_writer *w = &d->w;
    static const char *const of_panels[] = {"gb_panel_title", "gb_panel_value", "gb_first",
                                            "gb_last"};
    static const char *const of_tables[] = {"gb_file",  "gb_label",     "gb_variant", "gb_device",
                                            "gb_style", "gb_published", "gb_points"};
    gb_plot_put_text(w, "gb_assumed", w->script->assumed ? w->script->assumed : "");
    fprintf(w->gp, "gb_panels = %zu\n", d->panel_count);
    for (size_t i = 0; i < sizeof of_panels / sizeof *of_panels; i++)
        fprintf(w->gp, "array %s[%zu]\n", of_panels[i], d->panel_count);
    for (size_t i = 0; i < sizeof of_tables / sizeof *of_tables; i++)
        fprintf(w->gp, "array %s[%zu]\n", of_tables[i], d->file->table_count);
    for (size_t p = 0; p < d->panel_count; p++) {
        const bool one = d->panel_axis < 0;
        gb_plot_put_text(w, gb_plot_element(w, "gb_panel_value", p + 1),
                         one ? "" : gb_axis_shown(w->b.arena, d->panels[p]));
        gb_plot_put_text(w, gb_plot_element(w, "gb_panel_title", p + 1),
                         one ? "" : axis_text(d, (unsigned)d->panel_axis, d->panels[p]));
        fprintf(w->gp, "gb_first[%zu] = %zu\n", p + 1, w->drawn + 1);
        for (size_t t = 0; t < d->file->table_count; t++)
            if ((one || strcmp(d->file->tables[t].axis[d->panel_axis], d->panels[p]) == 0) &&
                !put_table(d, t))
                return false;
        fprintf(w->gp, "gb_last[%zu] = %zu\n", p + 1, w->drawn);
    }
    return true;
}

/* The values of the panels' axis, in the order in which they come. */
static bool find_panels(dump_writer *d)
{
    const char *name = d->w.script->panels;
    size_t capacity = 0;
    d->panel_axis = -1;
    d->panel_count = 1;
    for (unsigned a = 0; name && a < d->file->axis_count; a++)
        if (strcmp(d->file->axes[a], name) == 0) d->panel_axis = (int)a;
    if (name && d->panel_axis < 0) {
        gb_fail(d->w.error, GB_WRONG, "%s asks for the axis '%s', which %s does not have",
                d->w.script->path, name, d->file->name);
        return false;
    }
    if (d->panel_axis < 0) return true;
    d->panel_count = 0;
    for (size_t t = 0; t < d->file->table_count; t++) {
        const char *value = d->file->tables[t].axis[d->panel_axis];
        size_t p = 0;
        while (p < d->panel_count && strcmp(d->panels[p], value) != 0)
            p++;
        if (p < d->panel_count) continue;
        d->panels =
            gb_arena_grow(d->w.b.arena, d->panels, d->panel_count, &capacity, sizeof *d->panels);
        d->panels[d->panel_count++] = value;
    }
    return true;
}

bool gb_plot_dump_write(gb_arena *arena, const char *folder, const gb_plot_script *script,
                        const gb_dump_file *file, const gb_plot_target *target, gb_error *error)
{
    dump_writer d = {.w = {.b = {.arena = arena, .layout = &script->layout},
                           .script = script,
                           .folder = folder,
                           .error = error},
                     .file = file};
    find_differences(&d);
    if (!find_panels(&d) || !label_tables(&d)) return false;
    char *path = gb_arena_printf(arena, "%s/data.gp", folder);
    d.w.gp = gb_plot_create(&d.w, path);
    if (!d.w.gp) return false;
    gb_plot_put_target(&d.w, target, subtitle_of(&d), "");
    const bool ok = put_panels(&d);
    return gb_plot_finish(&d.w, d.w.gp, path) && ok;
}
