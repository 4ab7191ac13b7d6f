/* What binds rows, for people. */
#include "bench/compare/explain_print.h"

#include "bench/table/numbers.h"
#include "common/stats/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *percent(gb_arena *arena, double part)
{
    return gb_arena_printf(arena, "%.0f %%", 100 * part);
}

/* ---- what the devices have ------------------------------------------------------------------- */

const char *gb_origin_text(gb_origin origin, gb_resource resource)
{
    if (origin == GB_MEASURED) return resource == GB_OF_MEMORY ? "copies, measured" : "measured";
    return origin == GB_BY_SHEET      ? "data sheets"
           : origin == GB_SAME_DEVICE ? "the same device"
                                      : "unknown";
}

/* "4.3 T", with three digits. */
static const char *amount(gb_arena *arena, double value, double unit, const char *name)
{
    return gb_arena_printf(arena, "%s %s", gb_significant(arena, value / unit, 3), name);
}

static void add_line(gb_arena *arena, gb_table_panel *panel, const char *what, const char *a,
                     const char *b, double ratio, const char *origin)
{
    const char *cells[] = {what, a, b, ratio > 0 ? gb_significant(arena, ratio, 3) : "", origin};
    memcpy(gb_table_add_line(arena, panel, false), cells, sizeof cells);
}

static void add_resource(gb_arena *arena, const gb_explanation *x, gb_table_panel *panel,
                         gb_resource resource, const char *what, double unit, const char *name)
{
    const gb_line *line = &x->line[resource];
    const bool known = line->ratio > 0 && line->origin != GB_SAME_DEVICE;
    add_line(arena, panel, what, known ? amount(arena, line->a, unit, name) : "",
             known ? amount(arena, line->b, unit, name) : "", line->ratio,
             gb_origin_text(line->origin, resource));
}

static void fill_devices(gb_arena *arena, const gb_explanation *x, gb_table *table)
{
    gb_table_panel *panel = gb_table_add_panel(arena, table, "What the devices have", 5, 1);
    const char *const head[] = {"of", "A", "B", "B / A", "by"};
    memcpy(panel->head, head, sizeof head);
    add_resource(arena, x, panel, GB_OF_MEMORY, "memory: bandwidth", 1e12, "TB/s");
    add_resource(arena, x, panel, GB_OF_L2, "L2: size x SM clock (assumed)", 1048576.0 * 1e9,
                 "MiB GHz");
    if (x->sms_a > 0 && x->sms_b > 0)
        add_line(arena, panel, "multiprocessors", gb_arena_printf(arena, "%.0f", x->sms_a),
                 gb_arena_printf(arena, "%.0f", x->sms_b), x->sms_b / x->sms_a, "");
    add_resource(arena, x, panel, GB_OF_CLOCK, "latency: SM clock", 1e9, "GHz");
    add_resource(arena, x, panel, GB_OF_ISSUE, "issue: multiprocessors x SM clock", 1e9, "GHz");
    if (x->launch_a_s > 0 && x->launch_b_s > 0)
        add_line(arena, panel, "launch: an empty kernel, 1 / time",
                 amount(arena, x->launch_a_s, 1e-6, "µs"), amount(arena, x->launch_b_s, 1e-6, "µs"),
                 x->launch_a_s / x->launch_b_s, "measured");
}

/* ---- by experiment and variant --------------------------------------------------------------- */

static int by_ratio(const void *x, const void *y)
{
    const double a = ((const gb_ratio *)x)->value, b = ((const gb_ratio *)y)->value;
    return (a > b) - (a < b);
}

static void take(gb_arena *arena, gb_explained_variant *v, const gb_pair *pair,
                 const gb_explained *e)
{
    v->rows++;
    v->counts[e->binding]++;
    if (pair->ratio.value > 0) {
        v->ratios =
            gb_arena_grow(arena, v->ratios, v->ratio_count, &v->ratio_capacity, sizeof *v->ratios);
        v->ratios[v->ratio_count++] = pair->ratio;
    }
    const gb_ratio part = gb_memory_part(pair, e);
    if (part.lo < 0) return;
    v->parts = gb_arena_grow(arena, v->parts, v->part_count, &v->part_capacity, sizeof *v->parts);
    v->parts[v->part_count++] = part.value;
}

static bool is_of(const gb_explained_variant *v, const gb_pair *pair, bool of_host)
{
    return v->set == pair->set && v->of_host == of_host &&
           strcmp(v->variant, pair->a->variant) == 0;
}

static void settle(gb_explained_variant *v)
{
    for (int k = 1; k < GB_BINDING_COUNT; k++)
        if (v->counts[k] > v->counts[v->most]) v->most = (gb_binding)k;
    if (v->ratio_count) qsort(v->ratios, v->ratio_count, sizeof *v->ratios, by_ratio);
    gb_sort_values(v->parts, v->part_count);
}

gb_explained_variant *gb_explained_variants(gb_arena *arena, const gb_explanation *x, size_t *count)
{
    const gb_comparison *c = x->comparison;
    gb_explained_variant *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < c->pair_count; i++) {
        const gb_pair *pair = &c->pairs[i];
        const bool of_host = x->items[i].binding == GB_BOUND_HOST;
        size_t at = *count; /* pairs of one experiment and variant are near each other */
        while (at > 0 && !is_of(&list[at - 1], pair, of_host))
            at--;
        if (at == 0) {
            list = gb_arena_grow(arena, list, *count, &capacity, sizeof *list);
            list[*count] = (gb_explained_variant){.experiment = pair->set->experiment,
                                                  .variant = pair->a->variant,
                                                  .set = pair->set,
                                                  .of_host = of_host};
            at = ++*count;
        }
        take(arena, &list[at - 1], pair, &x->items[i]);
    }
    for (size_t i = 0; i < *count; i++)
        settle(&list[i]);
    return list;
}

/* The most frequent of those that are not said yet; -1: none is left. */
static int most_frequent(const size_t counts[GB_BINDING_COUNT], const bool said[GB_BINDING_COUNT])
{
    int most = -1;
    for (int k = 0; k < GB_BINDING_COUNT; k++)
        if (!said[k] && counts[k] && (most < 0 || counts[k] > counts[most])) most = k;
    return most;
}

/* "memory 12, between 8, launch 3". */
static const char *counts_text(gb_arena *arena, const size_t counts[GB_BINDING_COUNT])
{
    bool said[GB_BINDING_COUNT] = {false};
    const char *text = "";
    for (int most; (most = most_frequent(counts, said)) >= 0; said[most] = true)
        text = gb_arena_printf(arena, "%s%s%s %zu", text, *text ? ", " : "", gb_binding_words[most],
                               counts[most]);
    return text;
}

/* "memory", "memory 12 of 20". */
static const char *most_text(gb_arena *arena, const gb_explained_variant *v)
{
    const char *word = gb_binding_words[v->most];
    return v->counts[v->most] == v->rows
               ? word
               : gb_arena_printf(arena, "%s %zu of %zu", word, v->counts[v->most], v->rows);
}

static void fill_variants(gb_arena *arena, const gb_explanation *x, gb_table *table)
{
    enum { COLUMNS = 8 };
    const char *const head[COLUMNS] = {"experiment", "variant", "rows", "bound by",
                                       "least",      "median",  "most", "memory"};
    size_t count;
    const gb_explained_variant *list = gb_explained_variants(arena, x, &count);
    gb_table_panel *panel =
        gb_table_add_panel(arena, table, "B / A by variant, and what it goes with", COLUMNS, 2);
    memcpy(panel->head, head, sizeof head);
    const char *last = "";
    for (size_t i = 0; i < count; i++) {
        const gb_explained_variant *v = &list[i];
        const size_t n = v->ratio_count, m = v->part_count;
        const char *cells[COLUMNS] = {
            strcmp(last, v->experiment) == 0 ? "" : v->experiment,
            v->of_host ? gb_arena_printf(arena, "%s (host)", v->variant) : v->variant,
            gb_arena_printf(arena, "%zu", v->rows),
            most_text(arena, v),
            n ? gb_significant(arena, v->ratios[0].value, 3) : "",
            n ? gb_significant(arena, v->ratios[(n - 1) / 2].value, 3) : "",
            n ? gb_significant(arena, v->ratios[n - 1].value, 3) : "",
            m ? percent(arena, v->parts[(m - 1) / 2]) : ""};
        memcpy(gb_table_add_line(arena, panel, *cells[0] && i > 0), cells, sizeof cells);
        last = v->experiment;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

const char *gb_explained_text(gb_arena *arena, const gb_explained *e)
{
    const char *text = gb_binding_words[e->binding];
    if (gb_is_between(e->binding))
        text = gb_arena_printf(arena, "%s (%s %s%s)%s", text, gb_resource_names[e->first],
                               percent(arena, e->part.value),
                               e->rest == GB_OF_ISSUE ? ""
                                                      : gb_arena_printf(arena, ", else %s",
                                                                        gb_resource_names[e->rest]),
                               e->fits >> GB_OF_L2 & 1 ? " or L2" : "");
    return *e->why ? gb_arena_printf(arena, "%s (%s)", text, e->why) : text;
}

static bool is_usual(const gb_explained_variant *list, size_t count, const gb_pair *pair,
                     gb_binding binding)
{
    for (size_t i = 0; i < count; i++)
        if (is_of(&list[i], pair, binding == GB_BOUND_HOST)) return list[i].most == binding;
    return false;
}

/* The numbers of those that are shown, and how many there are to choose from. */
static size_t *choose_rows(gb_arena *arena, const gb_explanation *x, long rows, size_t *count,
                           size_t *of)
{
    const gb_comparison *c = x->comparison;
    size_t variants, *chosen = gb_arena_alloc(arena, (c->pair_count + 1) * sizeof *chosen);
    const gb_explained_variant *list = gb_explained_variants(arena, x, &variants);
    *count = *of = 0;
    for (size_t i = 0; i < c->pair_count; i++) {
        if (rows != GB_ALL_ROWS && is_usual(list, variants, &c->pairs[i], x->items[i].binding))
            continue;
        if (rows == GB_ALL_ROWS || *count < (size_t)rows) chosen[(*count)++] = i;
        ++*of;
    }
    return chosen;
}

static const char *rows_title(gb_arena *arena, size_t count, size_t of, bool every)
{
    const char *rows = of == 1 ? "row is" : "rows are";
    if (every) return gb_arena_printf(arena, "All %zu row%s", count, count == 1 ? "" : "s");
    return gb_arena_printf(arena, "%zu %s bound otherwise than most of their variant%s", of, rows,
                           count < of ? gb_arena_printf(arena,
                                                        ", of which these are the first %zu "
                                                        "(--rows all shows every one)",
                                                        count)
                                      : "");
}

/* The interval by which it was decided. */
static const char *widened_text(gb_arena *arena, const gb_explained *e)
{
    if (!(e->lo > 0)) return "";
    return gb_arena_printf(arena, "%s to %s", gb_significant(arena, e->lo, 3),
                           gb_significant(arena, e->hi, 3));
}

static void fill_rows(gb_arena *arena, const gb_explanation *x, long rows, gb_table *table)
{
    enum { COLUMNS = 7 };
    const char *const head[COLUMNS] = {"experiment", "variant", "point",     "",
                                       "bound by",   "B / A",   "with noise"};
    size_t count, of;
    const size_t *chosen = choose_rows(arena, x, rows, &count, &of);
    if (count == 0) return;
    gb_table_panel *panel = gb_table_add_panel(
        arena, table, rows_title(arena, count, of, rows == GB_ALL_ROWS), COLUMNS, 4);
    memcpy(panel->head, head, sizeof head);
    const gb_result_set *last = NULL;
    const bool *shown = NULL;
    for (size_t i = 0; i < count; i++) {
        const gb_pair *pair = &x->comparison->pairs[chosen[i]];
        const gb_explained *e = &x->items[chosen[i]];
        if (pair->set != last) shown = gb_compare_shown_axes(arena, x->comparison, pair->set);
        const char *cells[COLUMNS] = {pair->set == last ? "" : pair->set->experiment,
                                      pair->a->variant,
                                      gb_pair_point(arena, pair->set, pair->a, shown),
                                      gb_pair_conditions(arena, pair),
                                      gb_explained_text(arena, e),
                                      gb_ratio_value_text(arena, &pair->ratio),
                                      widened_text(arena, e)};
        memcpy(gb_table_add_line(arena, panel, *cells[0] && i > 0), cells, sizeof cells);
        last = pair->set;
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What the words that stand in the table mean. */
static void add_words(gb_arena *arena, const gb_explanation *x, gb_table *table)
{
    static const char *const meanings[GB_BINDING_COUNT] = {
        [GB_BOUND_BY_SMS] = "issue or latency: the devices have as many multiprocessors",
        [GB_BOUND_BY_LAUNCH] = "launch: takes less than two empty kernels",
        [GB_BOUND_BY_BLOCKS] = "blocks: both begin blocks as fast as they can",
        [GB_BOUND_MOSTLY_MEMORY] = "mostly memory: between lines, memory 75 % of the time or more",
        [GB_BOUND_BETWEEN] = "between: two lines that each account for a part, as the rows say",
        [GB_BOUND_MOSTLY_SMS] = "mostly SMs: between lines, memory 25 % of the time or less",
        [GB_BOUND_FASTER] = "faster than either: B is, than all that it has more of explains",
        [GB_BOUND_SLOWER] = "slower than either: B is, than all that it has less of explains",
        [GB_BOUND_CACHED] = "in one L2 alone: the work fits into the L2 of one device",
        [GB_BOUND_UNDECIDED] = "undecided: --rows all says why",
        [GB_BOUND_HOST] = "host: runs on the host, or with transfers from and to it",
        [GB_BOUND_UNKNOWN] = "unknown: too little is known of a device"};
    for (int k = 0; k < GB_BINDING_COUNT; k++)
        if (x->counts[k] && meanings[k]) gb_table_add_remark(arena, table, meanings[k]);
}

void gb_explain_add(gb_arena *arena, const gb_explanation *x, gb_table *table)
{
    fill_devices(arena, x, table);
    fill_variants(arena, x, table);
    add_words(arena, x, table);
}

static const char *caption_of(gb_arena *arena, const gb_judging *judging)
{
    return gb_arena_printf(
        arena,
        "B / A is the ratio of rates. A row is bound by that whose ratio lies within the row's "
        "95 %% interval, widened by %s %% or, where more of it is seen between two equal runs, "
        "that much. memory: its part of the time, in the mean of both and the median row, if the "
        "rest goes with issue slots.",
        gb_significant(arena, 100 * judging->min_effect, 2));
}

static void put_table(gb_compare_output *out, const gb_explanation *x, gb_table_format format)
{
    const gb_comparison *c = x->comparison;
    gb_arena *arena = &out->sides->arena;
    if (gb_compare_left_out(c)) return;
    gb_table table = {.title = gb_arena_printf(arena, "What binds it: A: %s; B: %s",
                                               gb_compare_name(arena, c->a),
                                               gb_compare_name(arena, c->b)),
                      .label = gb_arena_printf(arena, "explain %s %s", c->a->label, c->b->label),
                      .caption = caption_of(arena, out->judging)};
    if (out->tables++) putc('\n', out->file);
    gb_explain_add(arena, x, &table);
    if (out->rows != 0) fill_rows(arena, x, out->rows, &table);
    gb_compare_add_missing(arena, c, &table);
    gb_table_add_remark(arena, &table,
                        gb_arena_printf(arena, "%zu row%s: %s", c->pair_count,
                                        c->pair_count == 1 ? "" : "s",
                                        counts_text(arena, x->counts)));
    gb_table_write(arena, &table, format, out->file);
}

static void put_text(void *output, const void *explanation)
{
    put_table(output, explanation, GB_TABLE_TEXT);
}

static void put_markdown(void *output, const void *explanation)
{
    put_table(output, explanation, GB_TABLE_MARKDOWN);
}

static void put_latex(void *output, const void *explanation)
{
    put_table(output, explanation, GB_TABLE_LATEX);
}

const gb_exporter gb_explain_exporters[] = {
    {"text", NULL, put_text, NULL},
    {"markdown", NULL, put_markdown, NULL},
    {"latex", NULL, put_latex, NULL},
    {"csv", gb_explain_begin_csv, gb_explain_put_csv, NULL},
    {"json", gb_explain_begin_json, gb_explain_put_json, gb_compare_end_json},
    {NULL, NULL, NULL, NULL}};
