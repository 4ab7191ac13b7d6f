/* What a figure's points stand for. */
#include "bench/report/points.h"

#include "bench/rows/select.h"
#include "common/text/file.h"
#include "common/text/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20, COLUMNS = 5 };
enum { RATE, RATE_LO, RATE_HI, TIME, SPEEDUP };

/* ---- what plot wrote ------------------------------------------------------------------------- */

/* A string as gnuplot has it, "a\"b" or "a\140"."b"; NULL if it is none. */
static const char *string_of(gb_arena *arena, const char *at)
{
    if (*at++ != '"') return NULL;
    char *text = gb_arena_strdup(arena, at), *to = text;
    for (; *at && *at != '\n'; at++) {
        if (strncmp(at, "\".\"", 3) == 0) {
            at += 2;
        } else if (*at == '"') {
            *to = '\0';
            return text;
        } else if (*at == '\\' && isdigit((unsigned char)at[1])) {
            char *end;
            char digits[4] = {at[1], at[2], at[3], '\0'};
            *to++ = (char)strtol(digits, &end, 8);
            at += end - digits;
        } else {
            if (*at == '\\' && at[1]) at++;
            *to++ = *at;
        }
    }
    return NULL;
}

/* What stands behind NAME = at the begin of a line, number from 1: NAME[number] =; NULL: nothing.
 */
static const char *value_of(gb_arena *arena, const char *text, const char *name, size_t number)
{
    const char *head = number ? gb_arena_printf(arena, "\n%s[%zu] = ", name, number)
                              : gb_arena_printf(arena, "\n%s = ", name);
    const char *at = strstr(text, head);
    return at ? at + strlen(head) : NULL;
}

static const char *text_of(gb_arena *arena, const char *text, const char *name, size_t number)
{
    const char *at = value_of(arena, text, name, number);
    const char *found = at ? string_of(arena, at) : NULL;
    return found ? found : "";
}

static size_t count_of(gb_arena *arena, const char *text, const char *name, size_t number)
{
    const char *at = value_of(arena, text, name, number);
    return at ? strtoul(at, NULL, 10) : 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static char *read_file(gb_arena *arena, const char *path)
{
    gb_error error;
    size_t length;
    char *read = gb_file_read(path, "data of a figure", MOST_BYTES, &length, GB_WRONG, &error);
    char *text = read ? gb_arena_strdup(arena, read) : NULL;
    free(read);
    return text;
}

/* The columns of a table of series (bench/plot/data.h) that are shown. */
static bool take_row(gb_arena *arena, char *line, gb_figure_series *s)
{
    static const int places[] = {RATE, RATE_LO, RATE_HI, TIME, -1, -1, SPEEDUP};
    char *rest;
    char *x = strtok_r(line, " ", &rest);
    double values[COLUMNS] = {0};
    for (size_t c = 0; x && c < sizeof places / sizeof *places; c++) {
        const char *word = strtok_r(NULL, " ", &rest);
        double value;
        if (!word) return false;
        if (places[c] >= 0 && gb_number_parse(word, &value)) values[places[c]] = value;
    }
    if (!x) return true;
    s->x[s->count] = gb_arena_strdup(arena, x);
    memcpy(s->rows[s->count++], values, sizeof values);
    return true;
}

static bool take_table(gb_arena *arena, const char *path, gb_figure_series *s)
{
    char *text = read_file(arena, path), *rest;
    size_t lines = 1;
    if (!text || !strstr(text, " speedup ")) return false; /* of a profiler, or of a dump */
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    s->rows = gb_arena_alloc(arena, lines * sizeof *s->rows);
    s->x = gb_arena_alloc(arena, lines * sizeof *s->x);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (*line != '#' && !take_row(arena, line, s)) return false;
    return true;
}

static void take_x(gb_arena *arena, const char *text, gb_figure_data *data)
{
    data->x_axis = text_of(arena, text, "gb_x_axis", 0);
    if (!value_of(arena, text, "gb_x_name", 1)) return;
    while (value_of(arena, text, "gb_x_name", data->x_count + 1))
        data->x_count++;
    data->x_names = gb_arena_alloc(arena, data->x_count * sizeof *data->x_names);
    for (size_t i = 0; i < data->x_count; i++)
        data->x_names[i] = text_of(arena, text, "gb_x_name", i + 1);
}

bool gb_figure_data_read(gb_arena *arena, const char *folder, gb_figure_data *data)
{
    const char *text = read_file(arena, gb_arena_printf(arena, "%s/data.gp", folder));
    if (!text) return false;
    data->title = text_of(arena, text, "gb_title", 0);
    data->subtitle = text_of(arena, text, "gb_subtitle", 0);
    data->unit = text_of(arena, text, "gb_unit", 0);
    take_x(arena, text, data);
    const size_t panels = count_of(arena, text, "gb_panels", 0),
                 last = panels ? count_of(arena, text, "gb_last", panels) : 0;
    data->series = gb_arena_alloc(arena, (last + 1) * sizeof *data->series);
    for (size_t p = 0, s = 0; p < panels; p++) {
        for (; s < last && s < count_of(arena, text, "gb_last", p + 1); s++) {
            gb_figure_series *series = &data->series[s];
            *series =
                (gb_figure_series){.label = text_of(arena, text, "gb_label", s + 1), .panel = p};
            const char *path = strrchr(text_of(arena, text, "gb_file", s + 1), '/');
            if (!path || !take_table(arena, gb_arena_printf(arena, "%s%s", folder, path), series))
                return false;
            data->series_count++;
        }
    }
    return data->series_count > 0;
}

/* ---- which series is which ------------------------------------------------------------------- */

/* A value that the figure may show along y, of the rows that have it. */
typedef struct view {
    int column;
    bool logarithm;
} view;

static double seen(const view *v, const double *row)
{
    return v->logarithm ? log(row[v->column]) : row[v->column];
}

static const gb_figure_series *series_of(const gb_figure_data *data, const gb_svg_series *drawn)
{
    for (size_t i = 0; i < data->series_count; i++)
        if (data->series[i].panel == drawn->panel &&
            strcmp(data->series[i].label, drawn->label) == 0)
            return &data->series[i];
    return NULL;
}

/* The rows of a series that a view shows, in their order; their number is that of the marks, else
 * NULL. */
static const double **shown_rows(gb_arena *arena, const gb_figure_series *s, const view *v,
                                 size_t marks)
{
    const double **rows = gb_arena_alloc(arena, (s->count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->rows[i][v->column] > 0) rows[count++] = s->rows[i];
    return count == marks ? rows : NULL;
}

/* Pairs of a mark's height and what it should show, of all series of a panel. */
typedef struct evidence {
    double *y, *value;
    size_t count, capacity;
} evidence;

static void add_evidence(gb_arena *arena, evidence *e, double y, double value)
{
    size_t capacity = e->capacity;
    e->y = gb_arena_grow(arena, e->y, e->count, &capacity, sizeof *e->y);
    e->value = gb_arena_grow(arena, e->value, e->count, &e->capacity, sizeof *e->value);
    e->y[e->count] = y;
    e->value[e->count++] = value;
}

static bool gather(gb_arena *arena, const gb_figure_data *data, const gb_svg *svg, size_t panel,
                   const view *v, evidence *e)
{
    for (size_t i = 0; i < svg->series_count; i++) {
        const gb_svg_series *drawn = &svg->series[i];
        const gb_figure_series *s = series_of(data, drawn);
        if (drawn->panel != panel || !s || drawn->count == 0) continue;
        const double **rows = shown_rows(arena, s, v, drawn->count);
        if (!rows) return false;
        for (size_t m = 0; m < drawn->count; m++)
            add_evidence(arena, e, drawn->y[m], seen(v, rows[m]));
    }
    return true;
}

/* Whether one straight line goes through all, to half a point; two points always have one, and
 * three are no proof where two are equal. */
static bool lies_on_line(const evidence *e)
{
    size_t low = 0, high = 0;
    for (size_t i = 0; i < e->count; i++) {
        if (e->value[i] < e->value[low]) low = i;
        if (e->value[i] > e->value[high]) high = i;
    }
    if (e->count < 3 || !(e->value[high] > e->value[low])) return false;
    const double slope = (e->y[high] - e->y[low]) / (e->value[high] - e->value[low]);
    for (size_t i = 0; i < e->count; i++)
        if (fabs(e->y[low] + slope * (e->value[i] - e->value[low]) - e->y[i]) > 0.5) return false;
    return slope < 0;
}

/* How a panel shows the data; false: nobody can be sure. */
static bool find_view(gb_arena *arena, const gb_figure_data *data, const gb_svg *svg, size_t panel,
                      view *v)
{
    static const int columns[] = {RATE, TIME, SPEEDUP};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (int logarithm = 0; logarithm < 2; logarithm++) {
            evidence e = {0};
            *v = (view){columns[c], logarithm};
            if (gather(arena, data, svg, panel, v, &e) && lies_on_line(&e)) return true;
        }
    return false;
}

/* ---- for the page ---------------------------------------------------------------------------- */

/* Letters, digits and a few signs as they are, everything else as %XX. */
static const char *encoded(gb_arena *arena, const char *text)
{
    char *result = gb_arena_alloc(arena, 3 * strlen(text) + 1), *to = result;
    for (; *text; text++)
        if (isalnum((unsigned char)*text) || strchr("._-:+", *text))
            *to++ = *text;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*text);
    return result;
}

static const char *x_text(gb_arena *arena, const gb_figure_data *data, const char *x)
{
    const unsigned long number = strtoul(x, NULL, 10);
    const bool named = data->x_names && number >= 1 && number <= data->x_count;
    return encoded(arena, named ? data->x_names[number - 1] : gb_axis_readable(arena, x));
}

/* 3.961e9: as short as JavaScript reads it. */
static const char *number_text(gb_arena *arena, double value)
{
    char *text = gb_arena_printf(arena, "%.4g", value), *e = strstr(text, "e+");
    if (!e) return text;
    const char *digits = e + 2 + strspn(e + 2, "0");
    memmove(e + 1, digits, strlen(digits) + 1);
    return text;
}

static const char *points_of(gb_arena *arena, const gb_figure_data *data, const gb_figure_series *s,
                             const view *v)
{
    const char *text = "";
    for (size_t i = 0; i < s->count; i++) {
        int last = COLUMNS;
        if (!(s->rows[i][v->column] > 0)) continue;
        while (last > 0 && !(s->rows[i][last - 1] > 0))
            last--;
        text =
            gb_arena_printf(arena, "%s%s%s", text, *text ? ";" : "", x_text(arena, data, s->x[i]));
        for (int c = 0; c < last; c++)
            text = gb_arena_printf(arena, "%s %s", text, number_text(arena, s->rows[i][c]));
    }
    return text;
}

/* Whether a series is drawn once more, above: this one is its halo. */
static bool is_drawn_again(const gb_svg *svg, size_t at)
{
    for (size_t i = at + 1; i < svg->series_count; i++)
        if (svg->series[i].panel == svg->series[at].panel &&
            strcmp(svg->series[i].label, svg->series[at].label) == 0)
            return true;
    return false;
}

void gb_figure_match(gb_arena *arena, const gb_figure_data *data, gb_svg *svg)
{
    const size_t panels = svg->series_count ? svg->series[svg->series_count - 1].panel + 1 : 0;
    for (size_t p = 0; p < panels; p++) {
        view v;
        if (!find_view(arena, data, svg, p, &v)) continue;
        for (size_t i = 0; i < svg->series_count; i++) {
            gb_svg_series *drawn = &svg->series[i];
            const gb_figure_series *s = series_of(data, drawn);
            if (drawn->panel == p && s && drawn->count > 0 && !is_drawn_again(svg, i))
                drawn->points = points_of(arena, data, s, &v);
        }
    }
}
