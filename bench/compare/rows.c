/* Comparisons for people: the rows that are shown. */
#include "bench/compare/print.h"
#include "bench/rows/elsewhere.h"
#include "bench/table/build.h"
#include "bench/table/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ----------------------------------------------------------------------------------- */

/* 133 G, 0.997 k, 15.2 m: three digits and a prefix. */
static const char *prefixed(gb_arena *arena, double value)
{
    static const struct {
        double factor;
        const char *prefix;
    } prefixes[] = {{1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                    {1, ""},     {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
    size_t i = 0;
    while (i + 1 < sizeof prefixes / sizeof *prefixes && value < prefixes[i].factor * 0.9995)
        i++;
    return gb_arena_printf(arena, "%s %s", gb_significant(arena, value / prefixes[i].factor, 3),
                           prefixes[i].prefix);
}

/* Whether a pair has times alone. */
static bool is_timed(const gb_pair *pair)
{
    return !(pair->a->rate > 0) || !(pair->b->rate > 0);
}

static const char *unit_text(gb_arena *arena, const gb_pair *pair, const gb_result_row *row)
{
    if (is_timed(pair)) return "s";
    /* "keys" is what is counted, "flop/s" a rate already */
    return strchr(row->unit, '/') ? row->unit : gb_arena_printf(arena, "%s/s", row->unit);
}

static const char *value_text(gb_arena *arena, const gb_pair *pair, const gb_result_row *row,
                              const char *unit)
{
    return gb_arena_printf(arena, "%s%s", prefixed(arena, is_timed(pair) ? row->time_s : row->rate),
                           unit);
}

static const char *p_text(gb_arena *arena, const gb_pair *pair)
{
    if (!pair->tested) return "";
    if (pair->p_holm < 0.0001) return "<0.0001";
    return gb_arena_printf(arena, "%.*f", pair->p_holm < 0.01 ? 4 : 2, pair->p_holm);
}

/* ---- rows ------------------------------------------------------------------------------------ */

const bool *gb_compare_shown_axes(gb_arena *arena, const gb_comparison *c, const gb_result_set *set)
{
    bool *shown = gb_arena_alloc(arena, GB_MAX_AXES);
    const gb_result_row *first = NULL;
    for (size_t i = 0; i < c->pair_count; i++) {
        if (c->pairs[i].set != set) continue;
        const gb_result_row *row = c->pairs[i].a;
        if (!first) first = row;
        for (unsigned a = 0; a < set->axis_count; a++)
            shown[a] |= strcmp(row->axis[a], first->axis[a]) != 0;
    }
    return shown;
}

static double distance(const gb_pair *pair)
{
    return pair->ratio.value > 0 ? fabs(log(pair->ratio.value)) : 0;
}

static int by_distance(const void *x, const void *y)
{
    const gb_pair *a = *(const gb_pair *const *)x, *b = *(const gb_pair *const *)y;
    const double of_a = distance(a), of_b = distance(b);
    if (of_a != of_b) return of_a < of_b ? 1 : -1;
    return (a > b) - (a < b);
}

/* Those that are shown, and how many there are to choose from. */
static const gb_pair **choose_rows(gb_arena *arena, const gb_comparison *c, long rows,
                                   size_t *count, size_t *of)
{
    const gb_pair **chosen = gb_arena_alloc(arena, (c->pair_count + 1) * sizeof *chosen);
    *count = 0;
    for (size_t i = 0; i < c->pair_count; i++)
        if (rows == GB_ALL_ROWS || c->pairs[i].verdict != GB_SAME)
            chosen[(*count)++] = &c->pairs[i];
    *of = *count;
    if (rows == GB_ALL_ROWS || *count <= (size_t)rows) return chosen;
    qsort(chosen, *count, sizeof *chosen, by_distance);
    *count = (size_t)rows;
    return chosen;
}

const char *gb_pair_conditions(gb_arena *arena, const gb_pair *pair)
{
    const char *text = pair->a->cache;
    if (pair->differs & GB_DIFFERS_CACHE)
        text = gb_arena_printf(arena, "%s/%s", pair->a->cache, pair->b->cache);
    if (pair->differs & GB_DIFFERS_SCOPE)
        return gb_arena_printf(arena, "%s %s/%s", text, pair->a->scope, pair->b->scope);
    if (strcmp(pair->a->scope, "host-to-host") == 0)
        return gb_arena_printf(arena, "%s, host-to-host", text);
    return text;
}

/* What all rows shown have in common is said in the title and not in each. */
typedef struct in_common {
    const char *experiment, *conditions, *unit; /* NULL: not the same */
    bool tested;                                /* some row is */
} in_common;

static void keep(const char **kept, const char *text)
{
    if (*kept && strcmp(*kept, text) != 0) *kept = NULL;
}

static in_common common_of(gb_arena *arena, const gb_pair *const *list, size_t count)
{
    in_common all = {list[0]->set->experiment, gb_pair_conditions(arena, list[0]),
                     unit_text(arena, list[0], list[0]->a), false};
    for (size_t i = 0; i < count; i++) {
        keep(&all.experiment, list[i]->set->experiment);
        keep(&all.conditions, gb_pair_conditions(arena, list[i]));
        keep(&all.unit, unit_text(arena, list[i], list[i]->a));
        keep(&all.unit, unit_text(arena, list[i], list[i]->b));
        all.tested |= list[i]->tested;
    }
    return all;
}

static const char *rows_title(gb_arena *arena, const in_common *all, size_t count, size_t of,
                              bool every)
{
    const char *rows = count == 1 ? "row" : "rows", *title;
    if (every)
        title = gb_arena_printf(arena, "All %zu %s", count, rows);
    else if (count < of)
        title = gb_arena_printf(arena,
                                "The %zu %s that differ%s most, of %zu that are not the SAME "
                                "(--rows all shows every one)",
                                count, rows, count == 1 ? "s" : "", of);
    else
        title = gb_arena_printf(arena, "The %zu %s that %s not the SAME", count, rows,
                                count == 1 ? "is" : "are");
    const char *parts[] = {all->experiment, all->conditions, all->unit}, *text = "";
    for (size_t i = 0; i < 3; i++)
        if (parts[i] && *parts[i])
            text = gb_arena_printf(arena, "%s%s%s", text, *text ? ", " : "", parts[i]);
    return *text ? gb_arena_printf(arena, "%s: %s", title, text) : title;
}

/* The mark of the note that says where others printed a row of a pair; "" of all other pairs. */
static const char *note_mark(gb_arena *arena, const gb_pair *pair, gb_table *table)
{
    const bool of_b = pair->set_b->elsewhere;
    if (!of_b && !pair->set->elsewhere) return "";
    return gb_table_add_note(arena, table,
                             of_b ? gb_elsewhere_note(arena, pair->set_b, pair->b)
                                  : gb_elsewhere_note(arena, pair->set, pair->a));
}

void gb_compare_add_notes(gb_arena *arena, const gb_comparison *c, gb_table *table)
{
    for (size_t i = 0; i < c->pair_count; i++)
        note_mark(arena, &c->pairs[i], table);
}

/* The verdict comes before the values: where a grid is too narrow for all, they are the ones that
 * can be missed. */
void gb_compare_add_rows(gb_arena *arena, const gb_comparison *c, long rows, gb_table *table)
{
    enum { COLUMNS = 10 };
    size_t count, of;
    const gb_pair **list = choose_rows(arena, c, rows, &count, &of);
    if (count == 0) return;
    const in_common all = common_of(arena, list, count);
    const bool wanted[COLUMNS] = {!all.experiment, true, true, !all.conditions, true, true, true,
                                  all.tested,      true, true};
    const char *cells[COLUMNS] = {"experiment", "variant", "point", "",  "verdict",
                                  "B / A",      "95 %",    "p",     "A", "B"};
    gb_table_panel *panel = NULL;
    const gb_result_set *last = NULL;
    const bool *shown = NULL;
    for (size_t i = 0; i <= count; i++) { /* the head, then the rows */
        const char *line[COLUMNS];
        size_t columns = 0;
        if (i > 0) {
            const gb_pair *pair = list[i - 1];
            if (!last || pair->set != last) {
                last = pair->set;
                shown = gb_compare_shown_axes(arena, c, last);
            }
            const char *values[COLUMNS] = {
                pair->set->experiment,
                gb_arena_printf(arena, "%s%s", pair->a->variant, note_mark(arena, pair, table)),
                gb_pair_point(arena, pair->set, pair->a, shown),
                gb_pair_conditions(arena, pair),
                gb_verdict_words[pair->verdict],
                gb_ratio_value_text(arena, &pair->ratio),
                gb_ratio_interval_text(arena, &pair->ratio),
                p_text(arena, pair),
                value_text(arena, pair, pair->a, all.unit ? "" : unit_text(arena, pair, pair->a)),
                value_text(arena, pair, pair->b, all.unit ? "" : unit_text(arena, pair, pair->b))};
            memcpy(cells, values, sizeof cells);
        }
        for (size_t k = 0; k < COLUMNS; k++)
            if (wanted[k]) line[columns++] = cells[k];
        if (i == 0) {
            panel = gb_table_add_panel(arena, table,
                                       rows_title(arena, &all, count, of, rows == GB_ALL_ROWS),
                                       columns, 2 + (size_t)wanted[0] + wanted[3]);
            memcpy(panel->head, line, columns * sizeof *line);
        } else {
            memcpy(gb_table_add_line(arena, panel, false), line, columns * sizeof *line);
        }
    }
}
