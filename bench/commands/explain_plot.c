/* The figure of `gpubench compare --explain`: its rows as a table that plots/explain.gp draws. */
#include "bench/commands/explain_plot.h"

#include "bench/commands/made_table_plot.h"
#include "bench/compare/explain_print.h"
#include "bench/util/csv_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IN_COLUMN = 60 }; /* lines, of a figure that a page holds */

/* Points nearer to one another than this part of a ratio would be drawn above one another. */
static const double smallest_step = 0.002;

typedef struct writer {
    gb_arena *arena;
    const gb_explanation *x;
    const char *device, *rows; /* what the figure is of */
    const char *lines;         /* what each row says of the devices, behind its own */
    FILE *to;
    size_t column, line, most_lines;
} writer;

/* How a row is drawn: 1: memory, 2: between, 3: multiprocessors, 4: otherwise. */
static int class_of(gb_binding binding)
{
    switch (binding) {
    case GB_BOUND_BY_MEMORY:
    case GB_BOUND_MOSTLY_MEMORY:
        return 1;
    case GB_BOUND_BETWEEN:
        return 2;
    case GB_BOUND_BY_ISSUE:
    case GB_BOUND_BY_LATENCY:
    case GB_BOUND_BY_SMS:
    case GB_BOUND_MOSTLY_SMS:
        return 3;
    default:
        return 4;
    }
}

/* A name as the table of a figure holds it: a field ends at a blank. */
static const char *field(gb_arena *arena, const char *name)
{
    const char *text = "";
    for (const char *at = name; *at; at++)
        text = *at == ' ' ? gb_arena_printf(arena, "%s\u00a0", text)
                          : gb_arena_printf(arena, "%s%c", text, *at);
    return text;
}

static void put_line(writer *w, const char *kind, const char *name)
{
    fputs("1,explain,compare", w->to);
    gb_csv_put(w->to, w->rows, false);
    gb_csv_put(w->to, w->device, false);
    fprintf(w->to, ",0,%zu,%zu,%s", w->column, w->line, kind);
    gb_csv_put(w->to, field(w->arena, name), false);
}

static void put_head(writer *w, const char *experiment)
{
    put_line(w, "head", experiment);
    fprintf(w->to, ",?,?,?,0%s\n", w->lines);
}

/* A row each, those that cannot be told apart once. */
static void put_points(writer *w, const gb_explained_variant *v)
{
    const gb_comparison *c = w->x->comparison;
    double last[5] = {0};
    for (size_t i = 0; i < c->pair_count; i++) {
        const gb_pair *pair = &c->pairs[i];
        const int class = class_of(w->x->items[i].binding);
        if (pair->set != v->set || strcmp(pair->a->variant, v->variant) != 0 ||
            w->x->items[i].binding == GB_BOUND_HOST || !(pair->ratio.value > 0) ||
            fabs(log(pair->ratio.value / fmax(last[class], 1e-9))) < smallest_step)
            continue;
        last[class] = pair->ratio.value;
        put_line(w, "point", "");
        fprintf(w->to, ",?,%.6g,?,%d%s\n", pair->ratio.value, class, w->lines);
    }
}

static void put_variant(writer *w, const gb_explained_variant *v)
{
    const size_t n = v->ratio_count;
    put_line(w, "variant", v->variant);
    fprintf(w->to, ",%.6g,%.6g,%.6g,0%s\n", v->ratios[0].value, v->ratios[(n - 1) / 2].value,
            v->ratios[n - 1].value, w->lines);
    put_points(w, v);
}

static bool is_drawn(const gb_explained_variant *v)
{
    return !v->of_host && v->ratio_count > 0;
}

/* Experiments below one another, from column to column; one that goes on in the next is named there
 * again. */
static size_t put_variants(writer *w)
{
    size_t count, drawn = 0, lines = 0;
    const gb_explained_variant *list = gb_explained_variants(w->arena, w->x, &count);
    const gb_result_set *last = NULL;
    for (size_t i = 0; i < count; i++)
        if (is_drawn(&list[i])) {
            lines += 1 + (list[i].set != last);
            last = list[i].set;
        }
    const size_t columns = (lines + MOST_IN_COLUMN - 1) / MOST_IN_COLUMN;
    w->most_lines = columns ? (lines + columns - 1) / columns + 1 : 0;
    w->column = 1;
    last = NULL;
    for (size_t i = 0; i < count; i++) {
        const gb_explained_variant *v = &list[i];
        if (!is_drawn(v)) continue;
        if (w->line + (v->set != last) >= w->most_lines && w->column < columns) {
            w->column++;
            w->line = 0;
            last = NULL;
        }
        if (v->set != last) {
            w->line++;
            put_head(w, v->experiment);
        }
        w->line++;
        put_variant(w, v);
        last = v->set;
        drawn++;
    }
    return drawn;
}

/* What every row of the table says of the devices. */
static const char *lines_of(gb_arena *arena, const gb_explanation *x)
{
    const char *text = "";
    for (int r = 0; r < GB_RESOURCE_COUNT; r++)
        text = gb_arena_printf(arena, "%s,%.6g", text, x->line[r].ratio); /* 0: unknown */
    return text;
}

/* The table as a CSV file in memory; NULL and *error. */
static gb_csv *table_of(gb_arena *arena, const gb_explanation *x, const char *path, gb_error *error)
{
    char *text = NULL;
    size_t size = 0;
    const gb_comparison *c = x->comparison;
    writer w = {.arena = arena,
                .x = x,
                .device = gb_arena_printf(arena, "%s over %s", c->b->label, c->a->label),
                .rows = gb_arena_printf(arena, "%zu rows of the same experiment, variant and point",
                                        c->pair_count - x->counts[GB_BOUND_HOST]),
                .lines = lines_of(arena, x),
                .to = open_memstream(&text, &size)};
    if (!w.to) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return NULL;
    }
    fputs("schema,dump,primitive,variant,device,seed,column,line,kind,name,least,median,most,class,"
          "memory,l2,issue,latency\n",
          w.to);
    const size_t drawn = put_variants(&w);
    fclose(w.to);
    if (drawn == 0) {
        free(text);
        gb_fail(error, GB_WRONG, "there is nothing to draw: no row is the GPU's own");
        return NULL;
    }
    return gb_csv_load_text(text, size, path, error);
}

bool gb_explain_plot(gb_arena *arena, const gb_explanation *explanation, const char *path,
                     gb_error *error)
{
    gb_csv *csv = table_of(arena, explanation, path, error);
    return csv && gb_made_table_plot(arena, "explain", csv, path, error);
}
