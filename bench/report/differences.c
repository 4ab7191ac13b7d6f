/* Several devices: which is the faster at what, with verdicts (bench/compare). */
#include "bench/report/sections.h"

#include "bench/compare/explain_print.h"
#include "bench/report/html.h"
#include "bench/table/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of an experiment, or of all. */
typedef struct tally {
    const char *experiment;
    size_t pairs, verdicts[GB_VERDICT_COUNT];
    gb_ratio *ratios; /* of those that have one: B over A */
    size_t ratio_count, capacity;
} tally;

static void take(gb_arena *arena, tally *t, const gb_pair *pair)
{
    t->pairs++;
    t->verdicts[pair->verdict]++;
    if (!(pair->ratio.value > 0)) return;
    t->ratios = gb_arena_grow(arena, t->ratios, t->ratio_count, &t->capacity, sizeof *t->ratios);
    t->ratios[t->ratio_count++] = pair->ratio;
}

static int ascending(const void *x, const void *y)
{
    const double a = ((const gb_ratio *)x)->value, b = ((const gb_ratio *)y)->value;
    return (a > b) - (a < b);
}

/* "NVIDIA H200" as "H200": columns are narrow. */
static const char *short_label(const gb_side *side)
{
    return strncmp(side->label, "NVIDIA ", 7) == 0 ? side->label + 7 : side->label;
}

/* A over B where a ratio says B over A. */
static gb_ratio inverse(const gb_ratio *r)
{
    gb_ratio inverse = {.value = 1 / r->value, .unstable = r->unstable};
    if (r->lo > 0) inverse.lo = 1 / r->hi, inverse.hi = 1 / r->lo;
    return inverse;
}

/* "H200, 1.12 times": who is the faster where ratios say B over A, and by how much. */
static const char *faster_text(gb_arena *arena, const gb_comparison *c, const gb_ratio *ratio)
{
    const bool b = ratio->value >= 1;
    const gb_ratio of_a = inverse(ratio);
    return gb_arena_printf(arena, "%s, %s times", short_label(b ? c->b : c->a),
                           gb_ratio_text(arena, b ? ratio : &of_a));
}

/* The tallies of a comparison's experiments, in its order. */
static tally *tallies_of(gb_arena *arena, const gb_comparison *c, size_t *count)
{
    tally *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < c->pair_count; i++) {
        const char *experiment = c->pairs[i].set->experiment;
        size_t at = 0;
        while (at < *count && strcmp(list[at].experiment, experiment) != 0)
            at++;
        if (at == *count) {
            list = gb_arena_grow(arena, list, *count, &capacity, sizeof *list);
            list[(*count)++] = (tally){.experiment = experiment};
        }
        take(arena, &list[at], &c->pairs[i]);
    }
    for (size_t i = 0; i < *count; i++)
        if (list[i].ratio_count)
            qsort(list[i].ratios, list[i].ratio_count, sizeof *list[i].ratios, ascending);
    return list;
}

static gb_table table_of(gb_arena *arena, const gb_comparison *c)
{
    enum { COLUMNS = 9 };
    gb_table table = {.title = gb_arena_printf(arena, "%s and %s", c->a->label, c->b->label)};
    size_t count;
    const tally *list = tallies_of(arena, c, &count);
    gb_table_panel *panel = gb_table_add_panel(arena, &table, table.title, COLUMNS, 1);
    const char *const head[COLUMNS] = {"experiment",
                                       "rows",
                                       gb_arena_printf(arena, "%s faster", short_label(c->a)),
                                       gb_arena_printf(arena, "%s faster", short_label(c->b)),
                                       "the same",
                                       "unclear",
                                       "in the median the faster",
                                       gb_arena_printf(arena, "most for %s", short_label(c->a)),
                                       gb_arena_printf(arena, "most for %s", short_label(c->b))};
    static const gb_verdict order[] = {GB_SLOWER, GB_FASTER, GB_SAME, GB_UNCLEAR};
    memcpy(panel->head, head, sizeof head);
    for (size_t i = 0; i < count; i++) {
        const tally *t = &list[i];
        const size_t n = t->ratio_count;
        const char *cells[COLUMNS] = {
            t->experiment, gb_arena_printf(arena, "%zu", t->pairs), "", "", "", "", "", "", ""};
        for (size_t v = 0; v < sizeof order / sizeof *order; v++)
            cells[2 + v] = gb_arena_printf(arena, "%zu", t->verdicts[order[v]]);
        if (n) {
            const gb_ratio most_of_a = inverse(&t->ratios[0]);
            cells[6] = faster_text(arena, c, &t->ratios[(n - 1) / 2]);
            cells[7] = gb_ratio_text(arena, &most_of_a);
            cells[8] = gb_ratio_text(arena, &t->ratios[n - 1]);
        }
        memcpy(gb_table_add_line(arena, panel, false), cells, sizeof cells);
    }
    return table;
}

static void put_explanation(gb_report *r, const gb_comparison *c)
{
    gb_arena *arena = &r->sides.arena;
    gb_table table = {.title = "",
                      .caption = gb_arena_printf(arena,
                                                 "A is %s, B is %s. memory: its part of the time, "
                                                 "in the mean of both and the median row, if the "
                                                 "rest goes with issue slots.",
                                                 c->a->label, c->b->label)};
    gb_explanation explanation;
    gb_explain(&r->sides, c, &explanation);
    gb_explain_add(arena, &explanation, &table);
    fputs("<details><summary>What binds them: memory, issue slots, latency</summary>\n", r->file);
    gb_html_table(arena, r->file, &table, 0);
    fputs("</details>\n", r->file);
}

static void put_comparison(gb_report *r, const gb_comparison *c, const gb_judging *judging)
{
    enum { ROWS = 20 };
    gb_arena *arena = &r->sides.arena;
    const gb_table table = table_of(arena, c);
    gb_table rows = {.title = "",
                     .caption =
                         gb_arena_printf(arena, "A is %s, B is %s.", c->a->label, c->b->label)};
    gb_report_put(
        r, "<h3>", table.title,
        gb_arena_printf(arena,
                        "</h3>\n<p>Rows of the same experiment, variant and point: %zu. Beyond "
                        "chance, and by %g %% or the noise of either device at least, ",
                        c->pair_count, 100 * judging->min_effect));
    gb_report_put(r, "", c->b->label,
                  gb_arena_printf(arena, " is the faster in %zu, ", c->verdicts[GB_FASTER]));
    gb_report_put(r, "", c->a->label,
                  gb_arena_printf(arena, " in %zu; %zu are the same, of %zu nothing is sure.</p>\n",
                                  c->verdicts[GB_SLOWER], c->verdicts[GB_SAME],
                                  c->verdicts[GB_UNCLEAR]));
    gb_html_table(arena, r->file, &table, 0);
    gb_compare_add_rows(arena, c, ROWS, &rows);
    fputs("<details><summary>The rows that differ most</summary>\n", r->file);
    gb_html_table(arena, r->file, &rows, 0);
    fputs("</details>\n", r->file);
    put_explanation(r, c);
}

void gb_report_put_differences(gb_report *r, const gb_report_plan *plan)
{
    const gb_judging judging = {.alpha = 0.05, .min_effect = 0.01, .noise = &r->noise};
    const gb_choices all = {0};
    size_t shown = 0;
    if (plan->device_count < 2) return;
    fputs("<section id=\"differences\"><h2>Differences between devices</h2>\n", r->file);
    for (size_t a = 0; a < plan->side_count; a++)
        for (size_t b = a + 1; b < plan->side_count; b++) {
            gb_comparison c = {0};
            if (strcmp(plan->sides[a]->device, plan->sides[b]->device) == 0) continue;
            gb_compare_join(&r->sides, plan->sides[a], plan->sides[b], &all, &c);
            gb_compare_judge(&r->sides, &judging, &c);
            if (c.pair_count == 0) continue;
            put_comparison(r, &c, &judging);
            shown++;
        }
    if (shown == 0)
        fputs("<p>No row of one has a partner on another: of the same experiment, variant and "
              "point.</p>\n",
              r->file);
    fputs("</section>\n", r->file);
}
