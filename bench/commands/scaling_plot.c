/* The figure of `gpubench scaling`: its points as a table that plots/scaling.gp draws. */
#include "bench/commands/scaling_plot.h"

#include "bench/commands/made_table_plot.h"
#include "bench/util/csv_load.h"
#include "common/text/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 6 };

/* What a line of the table is. */
typedef enum kind {
    MEASURED,
    PROJECTED,
    BRIDGE /* the last measured point, from which a line leads to what is projected */
} kind;

static void put_number(FILE *to, double value)
{
    if (value > 0)
        fprintf(to, ",%.6g", value);
    else
        fputs(",?", to);
}

static void put_point(FILE *to, const char *of_what, const gb_scaling_series *series,
                      const gb_scaling_point *point, kind of)
{
    const gb_ratio *e = &point->efficiency;
    fputs("1,scaling", to);
    gb_csv_put(to, series->set->primitive, false);
    gb_csv_put(to, series->row->variant, false);
    gb_csv_put(to, series->row->device, false);
    gb_csv_put(to, of_what, false);
    gb_csv_put(to, series->readable, false);
    fprintf(to, ",0,%u,%d", point->gpus, of);
    put_number(to, e->value);
    put_number(to, e->lo > 0 ? e->lo : e->value);
    put_number(to, e->lo > 0 ? e->hi : e->value);
    put_number(to, point->limit);
    putc('\n', to);
}

/* Returns how many of its points are drawn. */
static size_t put_series(FILE *to, const char *of_what, const gb_scaling_series *series)
{
    const gb_scaling_point *last = NULL;
    size_t drawn = 0;
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].row) last = &series->points[i];
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].row && series->points[i].efficiency.value > 0) {
            put_point(to, of_what, series, &series->points[i], MEASURED);
            drawn++;
        }
    for (size_t i = 0; i < series->count && drawn; i++) {
        if (!series->points[i].row) put_point(to, of_what, series, &series->points[i], PROJECTED);
        if (&series->points[i] == last) put_point(to, of_what, series, last, BRIDGE);
    }
    return drawn;
}

/* One experiment, with few enough points. */
static bool fits(const gb_scaling *s, gb_error *error)
{
    size_t panels = 0;
    for (size_t i = 0; i < s->count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = strcmp(s->series[k].readable, s->series[i].readable) == 0;
        panels += !seen;
        if (strcmp(s->series[i].set->experiment, s->series[0].set->experiment) == 0) continue;
        gb_fail(error, GB_WRONG,
                "--plot draws one experiment, and there are more: --experiment %s chooses",
                s->series[0].set->experiment);
        return false;
    }
    if (panels <= MOST_PANELS) return true;
    gb_fail(error, GB_WRONG,
            "--plot would take a panel for each of %zu points, and draws %d at most: choose with "
            "--AXIS VALUE, such as --%s",
            panels, MOST_PANELS, s->series[0].rules->size);
    return false;
}

bool gb_scaling_plot(gb_arena *arena, const gb_scaling *scaling, const char *path, gb_error *error)
{
    char *text = NULL;
    size_t size = 0, drawn = 0;
    if (!fits(scaling, error)) return false;
    FILE *to = open_memstream(&text, &size);
    if (!to) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return false;
    }
    fputs("schema,dump,primitive,variant,device,experiment,at,seed,gpus,kind,efficiency,lo,hi,"
          "limit\n",
          to);
    const gb_scaling_series *first = &scaling->series[0];
    const char *of_what = gb_arena_printf(arena, "%s%s%s", first->set->experiment,
                                          *first->held ? ": " : "", first->held);
    for (size_t i = 0; i < scaling->count; i++)
        drawn += put_series(to, of_what, &scaling->series[i]);
    fclose(to);
    if (drawn == 0) {
        free(text);
        gb_fail(error, GB_WRONG,
                "there is nothing to draw: no row of what is held against says what one GPU alone "
                "takes");
        return false;
    }
    gb_csv *csv = gb_csv_load_text(text, size, path, error);
    return csv && gb_made_table_plot(arena, "scaling", csv, path, error);
}
