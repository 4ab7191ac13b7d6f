/* Comparisons for people. */
#include "bench/compare/print.h"

#include "bench/table/build.h"
#include "bench/table/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is divided by, in words. */
static const char *const view_units[GB_VIEW_COUNT] = {
    [GB_VIEW_PLAIN] = "",
    [GB_VIEW_SM_CLOCK] = "per multiprocessor and clock",
    [GB_VIEW_BANDWIDTH] = "per byte/s of copy bandwidth",
    [GB_VIEW_WATT] = "per watt"};

static const char *percent(gb_arena *arena, double part)
{
    return gb_arena_printf(arena, "%s %%", gb_significant(arena, 100 * part, 2));
}

/* ---- by experiment and variant --------------------------------------------------------------- */

typedef struct summary {
    const char *experiment, *variant;
    size_t pairs, verdicts[GB_VERDICT_COUNT];
    gb_ratio *ratios; /* of those that have one */
    size_t ratio_count, capacity;
} summary;

static int ascending(const void *x, const void *y)
{
    double a = ((const gb_ratio *)x)->value, b = ((const gb_ratio *)y)->value;
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
        s->ratios[s->ratio_count++] = pair->ratio;
    }
    return list;
}

static void fill_summary(gb_arena *arena, const gb_comparison *c, gb_table *table)
{
    const char *const head[] = {"experiment",
                                "variant",
                                "rows",
                                gb_verdict_words[GB_FASTER],
                                gb_verdict_words[GB_SLOWER],
                                "SAME",
                                "UNCLEAR",
                                "least",
                                "median",
                                "most"};
    size_t count;
    summary *list = summarise(arena, c, &count);
    gb_table_panel *panel = gb_table_add_panel(arena, table, "B / A by variant", 10, 2);
    memcpy(panel->head, head, sizeof head);
    const char *last = "";
    for (size_t i = 0; i < count; i++) {
        summary *s = &list[i];
        if (s->ratio_count) qsort(s->ratios, s->ratio_count, sizeof *s->ratios, ascending);
        const char *cells[10] = {strcmp(last, s->experiment) == 0 ? "" : s->experiment, s->variant,
                                 gb_arena_printf(arena, "%zu", s->pairs)};
        for (int v = 0; v < GB_VERDICT_COUNT; v++)
            cells[3 + v] = s->verdicts[v] ? gb_arena_printf(arena, "%zu", s->verdicts[v]) : "";
        const size_t n = s->ratio_count;
        cells[7] = n ? gb_ratio_text(arena, &s->ratios[0]) : "";
        cells[8] = n ? gb_ratio_text(arena, &s->ratios[(n - 1) / 2]) : "";
        cells[9] = n ? gb_ratio_text(arena, &s->ratios[n - 1]) : "";
        memcpy(gb_table_add_line(arena, panel, *cells[0] && i > 0), cells, sizeof cells);
        last = s->experiment;
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

void gb_compare_add_missing(gb_arena *arena, const gb_comparison *c, gb_table *table)
{
    size_t count;
    for (int of_b = 0; of_b < 2; of_b++) {
        const char *text = missing_text(arena, c, of_b, "", &count);
        if (count)
            gb_table_add_remark(arena, table,
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
            gb_table_add_remark(arena, table,
                                gb_arena_printf(arena, "%zu row%s of %s not compared (%s): %s",
                                                count, count == 1 ? "" : "s", of_b ? "B" : "A",
                                                u->why, text));
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

const char *gb_compare_name(gb_arena *arena, const gb_side *side)
{
    return side->published && !side->elsewhere ? gb_arena_printf(arena, "%s (paper)", side->label)
                                               : side->label;
}

/* How much faster the faster one of a pair is. */
static gb_ratio advantage(const gb_pair *pair)
{
    const gb_ratio *r = &pair->ratio;
    if (pair->verdict == GB_FASTER) return *r;
    return (gb_ratio){.value = 1 / r->value, .lo = 1 / r->hi, .hi = 1 / r->lo};
}

/* "1.48 ±0.01 to 5.85 ±0.06 times as fast, 3.69 ±0.02 in the median": by how much the rows of a
 * verdict are apart. */
static const char *advantage_text(gb_arena *arena, const gb_comparison *c, gb_verdict verdict)
{
    gb_ratio *list = gb_arena_alloc(arena, (c->pair_count + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < c->pair_count; i++)
        if (c->pairs[i].verdict == verdict) list[count++] = advantage(&c->pairs[i]);
    qsort(list, count, sizeof *list, ascending);
    const char *least = gb_ratio_text(arena, &list[0]);
    if (count == 1) return gb_arena_printf(arena, "%s times as fast", least);
    return gb_arena_printf(arena, "%s to %s times as fast, %s in the median", least,
                           gb_ratio_text(arena, &list[count - 1]),
                           gb_ratio_text(arena, &list[(count - 1) / 2]));
}

/* Who is the faster, where, and by how much; the one that is so more often comes first. */
static const char *faster_text(gb_arena *arena, const gb_judging *judging, const gb_comparison *c)
{
    const gb_side *const sides[] = {c->b, c->a};
    const gb_verdict of[] = {GB_FASTER, GB_SLOWER};
    const size_t first = c->verdicts[GB_SLOWER] > c->verdicts[GB_FASTER];
    const char *text = "";
    for (size_t i = 0; i < 2; i++) {
        const size_t side = i ? !first : first, rows = c->verdicts[of[side]];
        if (rows == 0) continue;
        text = gb_arena_printf(arena, "%s%s is faster than %s%s%s at %zu of %zu points: %s. ", text,
                               gb_compare_name(arena, sides[side]),
                               gb_compare_name(arena, sides[!side]),
                               judging->view == GB_VIEW_PLAIN ? "" : " ", view_units[judging->view],
                               rows, c->pair_count, advantage_text(arena, c, of[side]));
    }
    if (!*text) return "Neither is found to be faster. ";
    return text;
}

/* By what it is decided that one is the faster. */
static const char *test_text(gb_arena *arena, const gb_judging *judging, const gb_comparison *c)
{
    if (c->tests == 0) return "by the 95 % interval, since there are no samples of both to test";
    return gb_arena_printf(arena, "Mann-Whitney, Holm's correction over %zu test%s, alpha %g%s",
                           c->tests, c->tests == 1 ? "" : "s", judging->alpha,
                           c->tests < c->pair_count ? "; of rows without samples the 95 % interval"
                                                    : "");
}

static const char *elsewhere_text(const gb_comparison *c)
{
    if (!c->a->elsewhere && !c->b->elsewhere) return "";
    return c->b->elsewhere ? "B is what others printed, and no result that is reproduced here. "
                           : "A is what others printed, and no result that is reproduced here. ";
}

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
        "%s%sB / A is the ratio of rates%s%s: above 1 where B is the faster. One is called faster "
        "where that is beyond chance (%s) and by %s at least; SAME: the interval is within that.",
        elsewhere_text(c), faster_text(arena, judging, c),
        judging->view == GB_VIEW_PLAIN ? "" : " ", view_units[judging->view],
        test_text(arena, judging, c), effect);
}

/* "72 rows compared: A faster in 70, B faster in 2; 3 that are ok in A failed in B" */
static const char *counts_text(gb_arena *arena, const gb_comparison *c)
{
    const char *text =
        gb_arena_printf(arena, "%zu row%s compared", c->pair_count, c->pair_count == 1 ? "" : "s");
    const char *between = ": ";
    for (int v = 0; v < GB_VERDICT_COUNT; v++) {
        if (c->verdicts[v] == 0) continue;
        text = gb_arena_printf(arena, "%s%s%s in %zu", text, between, gb_verdict_words[v],
                               c->verdicts[v]);
        between = ", ";
    }
    if (c->broken == 0) return text;
    return gb_arena_printf(arena, "%s; %zu that are ok in A failed in B", text, c->broken);
}

static void put_table(gb_compare_output *out, const gb_comparison *c, gb_table_format format)
{
    gb_sides *sides = out->sides;
    gb_arena *arena = &sides->arena;
    if (gb_compare_left_out(c)) return;
    gb_table table = {.title = gb_arena_printf(arena, "A: %s; B: %s", gb_compare_name(arena, c->a),
                                               gb_compare_name(arena, c->b)),
                      .label = gb_arena_printf(arena, "compare %s %s", c->a->label, c->b->label),
                      .caption = caption_of(sides, out->judging, c)};
    if (out->tables++) putc('\n', out->file);
    gb_compare_add_notes(arena, c, &table);
    fill_summary(arena, c, &table);
    if (out->rows != 0) gb_compare_add_rows(arena, c, out->rows, &table);
    gb_compare_add_missing(arena, c, &table);
    gb_table_add_remark(arena, &table, counts_text(arena, c));
    gb_table_write(arena, &table, format, out->file);
}

static void put_text(void *output, const void *comparison)
{
    put_table(output, comparison, GB_TABLE_TEXT);
}

static void put_markdown(void *output, const void *comparison)
{
    put_table(output, comparison, GB_TABLE_MARKDOWN);
}

static void put_latex(void *output, const void *comparison)
{
    put_table(output, comparison, GB_TABLE_LATEX);
}

const gb_exporter gb_compare_exporters[] = {
    {"text", NULL, put_text, NULL},
    {"markdown", NULL, put_markdown, NULL},
    {"latex", NULL, put_latex, NULL},
    {"csv", gb_compare_begin_csv, gb_compare_put_csv, NULL},
    {"json", gb_compare_begin_json, gb_compare_put_json, gb_compare_end_json},
    {NULL, NULL, NULL, NULL}};

/* ---- on stderr ------------------------------------------------------------------------------- */

void gb_compare_warn(const gb_judging *judging, const gb_comparison *c, bool told)
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
            "however large a difference: take more samples (--samples of `gpubench run`, more "
            "repetitions of another tool), or "
            "compare fewer rows at once (--experiment NAME, --AXIS VALUE)\n",
            c->hopeless, c->tests);
    for (unsigned side = 0; side < 2; side++)
        if (c->said_by >> side & 1)
            fprintf(stderr,
                    "gpubench compare: note: what %s is divided by is not measured: a data "
                    "sheet says it (results/published/gpus.csv)\n",
                    side ? c->b->label : c->a->label);
    const bool measured[] = {!c->a->published && !told, !c->b->published};
    const gb_side *sides[] = {c->a, c->b};
    for (int i = 0; i < 2; i++) {
        bool known = !measured[i] || (i == 1 && strcmp(sides[0]->model, sides[1]->model) == 0);
        for (size_t k = 0; judging->noise && k < judging->noise->count && !known; k++)
            known = strcmp(judging->noise->items[k].device, sides[i]->model) == 0;
        if (!known)
            fprintf(stderr,
                    "gpubench compare: note: the noise of %s is not known, so that %g %% is "
                    "taken for the smallest effect whatever it is: `gpubench run CONFIG "
                    "--aa` measures it\n",
                    sides[i]->model, 100 * judging->min_effect);
    }
}
