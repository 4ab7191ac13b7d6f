/* Comparisons for people. */
#include "bench/compare_print.h"

#include "bench/table_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is divided by, in words. */
static const char *const view_units[GB_VIEW_COUNT] = {
    [GB_VIEW_PLAIN] = "",
    [GB_VIEW_SM_CLOCK] = "per multiprocessor and clock",
    [GB_VIEW_BANDWIDTH] = "per byte/s of copy bandwidth",
    [GB_VIEW_WATT] = "per watt"};

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

/* Ratios keep the digits that tell them from 1. */
static const char *ratio_text(gb_arena *arena, double ratio)
{
    if (!(ratio > 0)) return "";
    return gb_significant(arena, ratio, ratio > 0.9 && ratio < 1.1 ? 4 : 3);
}

static const char *interval_text(gb_arena *arena, const gb_ratio *r)
{
    if (!(r->lo > 0)) return "none";
    return gb_arena_printf(arena, "%s to %s", ratio_text(arena, r->lo), ratio_text(arena, r->hi));
}

static const char *p_text(gb_arena *arena, const gb_pair *pair)
{
    if (!pair->tested) return "";
    if (pair->p_holm < 0.0001) return "<0.0001";
    return gb_arena_printf(arena, "%.*f", pair->p_holm < 0.01 ? 4 : 2, pair->p_holm);
}

static const char *percent(gb_arena *arena, double part)
{
    return gb_arena_printf(arena, "%s %%", gb_significant(arena, 100 * part, 2));
}

/* ---- grids ----------------------------------------------------------------------------------- */

static gb_table_panel *add_panel(gb_arena *arena, gb_table *table, const char *title,
                                 const char *const *head, size_t columns, size_t stubs)
{
    table->panels = gb_arena_grow(arena, table->panels, table->panel_count, &table->panel_capacity,
                                  sizeof *table->panels);
    gb_table_panel *panel = &table->panels[table->panel_count++];
    *panel = (gb_table_panel){.title = title, .columns = columns, .stubs = stubs};
    panel->head = gb_arena_alloc(arena, columns * sizeof *panel->head);
    memcpy(panel->head, head, columns * sizeof *head);
    return panel;
}

static void add_line(gb_arena *arena, gb_table_panel *panel, const char *const *cells)
{
    size_t capacity = panel->row_capacity;
    panel->begins_block = gb_arena_grow(arena, panel->begins_block, panel->row_count,
                                        &panel->block_capacity, sizeof *panel->begins_block);
    panel->rows =
        gb_arena_grow(arena, panel->rows, panel->row_count, &capacity, sizeof *panel->rows);
    panel->row_capacity = capacity;
    const char **line = gb_arena_alloc(arena, panel->columns * sizeof *line);
    memcpy(line, cells, panel->columns * sizeof *cells);
    panel->begins_block[panel->row_count] = false;
    panel->rows[panel->row_count++] = line;
}

static void add_remark(gb_arena *arena, gb_table *table, const char *text)
{
    table->remarks = gb_arena_grow(arena, table->remarks, table->remark_count,
                                   &table->remark_capacity, sizeof *table->remarks);
    table->remarks[table->remark_count++] = text;
}

/* ---- by experiment and variant --------------------------------------------------------------- */

typedef struct summary {
    const char *experiment, *variant;
    size_t pairs, verdicts[GB_VERDICT_COUNT];
    double *ratios; /* of those that have one */
    size_t ratio_count, capacity;
} summary;

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static summary *summarise(gb_arena *arena, const gb_comparison *c, size_t *count)
{
    size_t capacity = 0;
    summary *list = NULL;
    *count = 0;
    for (size_t i = 0; i < c->pair_count; i++) {
        const gb_pair *pair = &c->pairs[i];
        size_t at = *count; /* pairs of one experiment and variant are near each other */
        while (at > 0 && (strcmp(list[at - 1].variant, pair->a->variant) != 0 ||
                          strcmp(list[at - 1].experiment, pair->set->experiment) != 0))
            at--;
        if (at == 0) {
            list = gb_arena_grow(arena, list, *count, &capacity, sizeof *list);
            list[*count] =
                (summary){.experiment = pair->set->experiment, .variant = pair->a->variant};
            at = ++*count;
        }
        summary *s = &list[at - 1];
        s->pairs++;
        s->verdicts[pair->verdict]++;
        if (!(pair->ratio.value > 0)) continue;
        s->ratios =
            gb_arena_grow(arena, s->ratios, s->ratio_count, &s->capacity, sizeof *s->ratios);
        s->ratios[s->ratio_count++] = pair->ratio.value;
    }
    return list;
}

static void fill_summary(gb_arena *arena, const gb_comparison *c, gb_table *table)
{
    static const char *const head[] = {"experiment", "variant", "rows",  "FASTER", "SLOWER",
                                       "SAME",       "UNCLEAR", "least", "median", "most"};
    size_t count;
    summary *list = summarise(arena, c, &count);
    gb_table_panel *panel = add_panel(arena, table, "Ratios by variant", head, 10, 2);
    const char *last = "";
    for (size_t i = 0; i < count; i++) {
        summary *s = &list[i];
        if (s->ratios) qsort(s->ratios, s->ratio_count, sizeof *s->ratios, ascending);
        const char *cells[10] = {strcmp(last, s->experiment) == 0 ? "" : s->experiment, s->variant,
                                 gb_arena_printf(arena, "%zu", s->pairs)};
        for (int v = 0; v < GB_VERDICT_COUNT; v++)
            cells[3 + v] = s->verdicts[v] ? gb_arena_printf(arena, "%zu", s->verdicts[v]) : "";
        const size_t n = s->ratio_count;
        cells[7] = n ? ratio_text(arena, s->ratios[0]) : "";
        cells[8] = n ? ratio_text(arena, s->ratios[(n - 1) / 2]) : "";
        cells[9] = n ? ratio_text(arena, s->ratios[n - 1]) : "";
        add_line(arena, panel, cells);
        panel->begins_block[panel->row_count - 1] = *cells[0] && i > 0;
        last = s->experiment;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The axes of a set that its pairs do not all have the same value on. */
static const bool *shown_axes(gb_arena *arena, const gb_comparison *c, const gb_result_set *set)
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

static const char *conditions(gb_arena *arena, const gb_pair *pair)
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
    in_common all = {list[0]->set->experiment, conditions(arena, list[0]),
                     unit_text(arena, list[0], list[0]->a), false};
    for (size_t i = 0; i < count; i++) {
        keep(&all.experiment, list[i]->set->experiment);
        keep(&all.conditions, conditions(arena, list[i]));
        keep(&all.unit, unit_text(arena, list[i], list[i]->a));
        keep(&all.unit, unit_text(arena, list[i], list[i]->b));
        all.tested |= list[i]->tested;
    }
    return all;
}

static const char *rows_title(gb_arena *arena, const in_common *all, size_t count, size_t of,
                              bool every)
{
    const char *title =
        gb_arena_printf(arena,
                        every        ? "All %zu rows"
                        : count < of ? "The %zu rows that differ most, of %zu that are not the "
                                       "SAME (--rows all shows every one)"
                                     : "The %zu rows that are not the SAME",
                        count, of);
    const char *parts[] = {all->experiment, all->conditions, all->unit}, *text = "";
    for (size_t i = 0; i < 3; i++)
        if (parts[i] && *parts[i])
            text = gb_arena_printf(arena, "%s%s%s", text, *text ? ", " : "", parts[i]);
    return *text ? gb_arena_printf(arena, "%s: %s", title, text) : title;
}

/* The verdict comes before the values: where a grid is too narrow for all, they are the ones that
 * can be missed. */
static void fill_rows(gb_arena *arena, const gb_comparison *c, gb_table *table, long rows)
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
            if (pair->set != last) shown = shown_axes(arena, c, last = pair->set);
            const char *values[COLUMNS] = {
                pair->set->experiment,
                pair->a->variant,
                gb_pair_point(arena, pair->set, pair->a, shown),
                conditions(arena, pair),
                gb_verdict_names[pair->verdict],
                ratio_text(arena, pair->ratio.value),
                interval_text(arena, &pair->ratio),
                p_text(arena, pair),
                value_text(arena, pair, pair->a, all.unit ? "" : unit_text(arena, pair, pair->a)),
                value_text(arena, pair, pair->b, all.unit ? "" : unit_text(arena, pair, pair->b))};
            memcpy(cells, values, sizeof cells);
        }
        for (size_t k = 0; k < COLUMNS; k++)
            if (wanted[k]) line[columns++] = cells[k];
        if (i > 0)
            add_line(arena, panel, line);
        else
            panel = add_panel(arena, table, rows_title(arena, &all, count, of, rows == GB_ALL_ROWS),
                              line, columns, 2 + (size_t)wanted[0] + wanted[3]);
    }
}

/* ---- what is missing ------------------------------------------------------------------------- */

/* "octree-stars (8: morton 4, morton-parts 4), octree (2: ...)": rows by experiment and variant. */
static const char *missing_text(gb_arena *arena, const gb_comparison *c, bool of_b, const char *why,
                                size_t *count)
{
    typedef struct heap {
        const char *experiment, *variant;
        size_t rows;
    } heap;
    heap *heaps = NULL;
    size_t heap_count = 0, capacity = 0;
    *count = 0;
    for (size_t i = 0; i < c->unpaired_count; i++) {
        const gb_unpaired *u = &c->unpaired[i];
        if (u->of_b != of_b || strcmp(u->why, why) != 0) continue;
        ++*count;
        size_t at = 0;
        while (at < heap_count && (strcmp(heaps[at].experiment, u->set->experiment) != 0 ||
                                   strcmp(heaps[at].variant, u->row->variant) != 0))
            at++;
        if (at == heap_count) {
            heaps = gb_arena_grow(arena, heaps, heap_count, &capacity, sizeof *heaps);
            heaps[heap_count++] = (heap){u->set->experiment, u->row->variant, 0};
        }
        heaps[at].rows++;
    }
    const char *text = "";
    for (size_t i = 0; i < heap_count; i++) {
        const bool first = i == 0 || strcmp(heaps[i].experiment, heaps[i - 1].experiment) != 0;
        text = gb_arena_printf(arena, "%s%s%s%s%s %zu", text,
                               i == 0  ? ""
                               : first ? "; "
                                       : ", ",
                               first ? heaps[i].experiment : "", first ? ": " : "",
                               heaps[i].variant, heaps[i].rows);
    }
    return text;
}

static void fill_missing(gb_arena *arena, const gb_comparison *c, gb_table *table)
{
    size_t count;
    for (int of_b = 0; of_b < 2; of_b++) {
        const char *text = missing_text(arena, c, of_b, "", &count);
        if (count)
            add_remark(arena, table,
                       gb_arena_printf(arena, "%zu row%s of %s alone: %s", count,
                                       count == 1 ? "" : "s", of_b ? "B" : "A", text));
        /* every other reason, once */
        for (size_t i = 0; i < c->unpaired_count; i++) {
            const gb_unpaired *u = &c->unpaired[i];
            bool seen = !*u->why || u->of_b != of_b;
            for (size_t k = 0; k < i && !seen; k++)
                seen = c->unpaired[k].of_b == of_b && strcmp(c->unpaired[k].why, u->why) == 0;
            if (seen) continue;
            text = missing_text(arena, c, of_b, u->why, &count);
            add_remark(arena, table,
                       gb_arena_printf(arena, "%zu row%s of %s not compared (%s): %s", count,
                                       count == 1 ? "" : "s", of_b ? "B" : "A", u->why, text));
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *caption_of(gb_sides *sides, const gb_judging *judging, const gb_comparison *c)
{
    gb_arena *arena = &sides->arena;
    double most = 0;
    for (size_t i = 0; i < c->pair_count; i++)
        most = fmax(most, c->pairs[i].effect);
    const char *effect = percent(arena, judging->min_effect);
    if (c->pair_count && most > judging->min_effect)
        effect = gb_arena_printf(arena,
                                 "%s, or where more of it is seen between two equal runs, "
                                 "that much (up to %s)",
                                 effect, percent(arena, most));
    return gb_arena_printf(
        arena,
        "B / A is the ratio of rates%s%s: above 1 where B is the faster. FASTER and SLOWER: beyond "
        "chance (Mann-Whitney, Holm's correction over %zu tests, alpha %s; of rows without samples "
        "the 95 %% interval) and by %s at least. SAME: the interval is within that.",
        judging->view == GB_VIEW_PLAIN ? "" : " ", view_units[judging->view], c->tests,
        gb_arena_printf(arena, "%g", judging->alpha), effect);
}

void gb_compare_print(gb_sides *sides, const gb_judging *judging, const gb_comparison *c,
                      gb_table_format format, long rows, FILE *file)
{
    gb_arena *arena = &sides->arena;
    gb_table table = {.title = gb_arena_printf(arena, "A: %s; B: %s", c->a->label, c->b->label),
                      .caption = caption_of(sides, judging, c)};
    if (c->pair_count) fill_summary(arena, c, &table);
    if (rows != 0) fill_rows(arena, c, &table, rows);
    fill_missing(arena, c, &table);
    add_remark(arena, &table,
               gb_arena_printf(arena,
                               "%zu rows compared: %zu FASTER, %zu SLOWER, %zu SAME, %zu "
                               "UNCLEAR%s",
                               c->pair_count, c->verdicts[GB_FASTER], c->verdicts[GB_SLOWER],
                               c->verdicts[GB_SAME], c->verdicts[GB_UNCLEAR],
                               c->broken ? gb_arena_printf(arena,
                                                           "; %zu that are ok in A failed in "
                                                           "B",
                                                           c->broken)
                                         : ""));
    gb_table_write(arena, &table, format, file);
}

void gb_compare_warn(const gb_judging *judging, const gb_comparison *c)
{
    static const char other_clocks[] =
        "measured at other clocks (by more than 2 %): --per sm-clock takes them out, or measure "
        "again on a device that is not throttled";
    static const char *const remedies[GB_DIFFERS_COUNT] = {
        "measured with another cache mode; --cache warm or --cache cold compares like with like",
        "measured in another scope; --scope device compares like with like",
        "measured with another CUDA Toolkit: code may differ although the source does not",
        "measured with another driver", other_clocks};
    for (int d = 0; d < GB_DIFFERS_COUNT; d++)
        if (c->differing[d])
            fprintf(stderr, "gpubench compare: note: %zu of %zu rows were %s\n", c->differing[d],
                    c->pair_count, remedies[d]);
    if (c->axes_differ)
        fprintf(stderr,
                "gpubench compare: left out: experiments whose axes differ between A and B: "
                "%s\n",
                c->axes_differ);
    if (c->simt_apart)
        fprintf(stderr,
                "gpubench compare: left out: times of the simt device are the CPU's and are "
                "not set beside a GPU's\n");
    if (c->hopeless)
        fprintf(
            stderr,
            "gpubench compare: note: %zu rows have too few samples to stand out among %zu tests, "
            "however large a difference: take more samples (--samples of `gpubench run`), or "
            "compare fewer rows at once (--experiment NAME, --AXIS VALUE)\n",
            c->hopeless, c->tests);
    for (unsigned side = 0; side < 2; side++)
        if (c->said_by >> side & 1)
            fprintf(stderr,
                    "gpubench compare: note: what %s is divided by is not measured: a data "
                    "sheet says it (plots/gpus.csv)\n",
                    side ? c->b->label : c->a->label);
    const bool measured[] = {!c->a->published, !c->b->published};
    const gb_side *sides[] = {c->a, c->b};
    for (int i = 0; i < 2; i++) {
        bool known = !measured[i] || (i == 1 && strcmp(sides[0]->device, sides[1]->device) == 0);
        for (size_t k = 0; judging->noise && k < judging->noise->count && !known; k++)
            known = strcmp(judging->noise->items[k].device, sides[i]->device) == 0;
        if (!known)
            fprintf(stderr,
                    "gpubench compare: note: the noise of %s is not known, so that %g %% is "
                    "taken for the smallest effect whatever it is: `gpubench run CONFIG "
                    "--aa` measures it\n",
                    sides[i]->device, 100 * judging->min_effect);
    }
}
