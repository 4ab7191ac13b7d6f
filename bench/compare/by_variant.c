/* Comparisons of one side with several others in one table: a line a variant, a column a side. */
#include "bench/compare/by_variant.h"

#include "bench/table/build.h"
#include "bench/table/numbers.h"
#include "common/stats/sort.h"
#include "common/text/csv.h"

#include <string.h>

/* What one other side has of a variant. */
typedef struct cell {
    double *prices; /* times as long as in A, a row each, ascending once all are there */
    size_t count, capacity;
    size_t lacking;     /* rows that are ok in A and failed here */
    const char *reason; /* of the first of these, or of none at all; NULL: there is none */
} cell;

typedef struct line {
    const char *experiment, *variant;
    cell *cells; /* of each comparison */
} line;

typedef struct lines {
    gb_arena *arena;
    line *list;
    size_t count, capacity;
    size_t sides;
} lines;

/* ---- what there is ----------------------------------------------------------------------------
 */

/* The line of a variant; new ones come behind those of their experiment. */
static line *line_of(lines *l, const char *experiment, const char *variant)
{
    size_t behind = l->count;
    for (size_t i = 0; i < l->count; i++) {
        if (strcmp(l->list[i].experiment, experiment) != 0) continue;
        if (strcmp(l->list[i].variant, variant) == 0) return &l->list[i];
        behind = i + 1;
    }
    l->list = gb_arena_grow(l->arena, l->list, l->count, &l->capacity, sizeof *l->list);
    memmove(&l->list[behind + 1], &l->list[behind], (l->count++ - behind) * sizeof *l->list);
    l->list[behind] = (line){experiment, variant,
                             gb_arena_alloc(l->arena, l->sides * sizeof *l->list[behind].cells)};
    return &l->list[behind];
}

static void add_price(gb_arena *arena, cell *to, double ratio)
{
    to->prices = gb_arena_grow(arena, to->prices, to->count, &to->capacity, sizeof *to->prices);
    to->prices[to->count++] = 1 / ratio;
}

/* "unsupported: needs cp.async (Ampere, sm_80)" */
static const char *reason_of(gb_arena *arena, const gb_unpaired *u)
{
    if (!*u->row->reason) return u->why;
    return gb_arena_printf(arena, "%s: %s", u->why, u->row->reason);
}

/* Rows that one of them has not, or that failed in A, say nothing. */
static void add_comparison(lines *l, const gb_comparison *c, size_t side)
{
    for (size_t i = 0; i < c->pair_count; i++) {
        const gb_pair *pair = &c->pairs[i];
        if (!(pair->ratio.value > 0)) continue;
        line *to = line_of(l, pair->set->experiment, pair->a->variant);
        add_price(l->arena, &to->cells[side], pair->ratio.value);
    }
    for (size_t i = 0; i < c->unpaired_count; i++) {
        const gb_unpaired *u = &c->unpaired[i];
        if (!u->of_b || !*u->why) continue;
        cell *to = &line_of(l, u->set->experiment, u->row->variant)->cells[side];
        to->lacking++;
        if (!to->reason) to->reason = reason_of(l->arena, u);
    }
}

static lines collect(gb_arena *arena, const gb_comparison *list, size_t count)
{
    lines l = {.arena = arena, .sides = count};
    for (size_t i = 0; i < count; i++)
        add_comparison(&l, &list[i], i);
    for (size_t i = 0; i < l.count; i++)
        for (size_t side = 0; side < count; side++) {
            cell *of = &l.list[i].cells[side];
            gb_sort_values(of->prices, of->count);
            if (!of->count && !of->lacking) of->reason = "not measured";
        }
    return l;
}

static double median_of(const cell *of)
{
    return gb_sorted_quantile(of->prices, of->count, 0.5);
}

/* ---- for people -------------------------------------------------------------------------------
 */

/* What tells a side from A: "code of sm_35" of "NVIDIA H200 (code of sm_35)" beside an "NVIDIA
 * H200", else all of it. */
static const char *short_label(gb_arena *arena, const gb_side *a, const gb_side *side)
{
    const size_t model = strlen(side->model), length = strlen(side->label);
    const bool bracketed = strcmp(a->model, side->model) == 0 && length > model + 3 &&
                           strncmp(side->label, side->model, model) == 0 &&
                           strncmp(side->label + model, " (", 2) == 0;
    if (!bracketed) return side->label;
    return gb_arena_printf(arena, "%.*s", (int)(length - model - 3), side->label + model + 2);
}

/* "1.27 (1.02 to 1.66)¹", "1.27" of one row, "-²". */
static const char *cell_text(gb_arena *arena, gb_table *table, const cell *of)
{
    const char *note = of->reason, *text = "-";
    if (of->count && of->lacking)
        note = gb_arena_printf(arena, "without %zu of %zu rows: %s", of->lacking,
                               of->lacking + of->count, of->reason);
    if (of->count) text = gb_significant(arena, median_of(of), 3);
    if (of->count > 1)
        text =
            gb_arena_printf(arena, "%s (%s to %s)", text, gb_significant(arena, of->prices[0], 3),
                            gb_significant(arena, of->prices[of->count - 1], 3));
    if (!note) return text;
    return gb_arena_printf(arena, "%s%s", text, gb_table_add_note(arena, table, note));
}

static bool of_one_experiment(const lines *l)
{
    for (size_t i = 1; i < l->count; i++)
        if (strcmp(l->list[i].experiment, l->list[0].experiment) != 0) return false;
    return true;
}

static void fill(gb_arena *arena, const gb_comparison *list, const lines *l, gb_table *table)
{
    const size_t stubs = of_one_experiment(l) ? 1 : 2;
    gb_table_panel *panel = gb_table_add_panel(arena, table, "", stubs + l->sides, stubs);
    const char *last = "";
    if (stubs == 2) panel->head[0] = "experiment";
    panel->head[stubs - 1] = "variant";
    for (size_t side = 0; side < l->sides; side++)
        panel->head[stubs + side] = short_label(arena, list[side].a, list[side].b);
    for (size_t i = 0; i < l->count; i++) {
        const line *of = &l->list[i];
        const bool begins = strcmp(last, of->experiment) != 0;
        const char **cells = gb_table_add_line(arena, panel, begins && i > 0);
        if (stubs == 2 && begins) cells[0] = of->experiment;
        cells[stubs - 1] = of->variant;
        for (size_t side = 0; side < l->sides; side++)
            cells[stubs + side] = cell_text(arena, table, &of->cells[side]);
        last = of->experiment;
    }
}

static void write_table(gb_sides *sides, const gb_comparison *list, size_t count,
                        gb_table_format format, FILE *file)
{
    gb_arena *arena = &sides->arena;
    const lines l = collect(arena, list, count);
    gb_table table = {
        .title = gb_arena_printf(arena, "How many times as long as A: %s", list[0].a->label),
        .label = gb_arena_printf(arena, "compare by variant %s", list[0].a->label),
        .caption = "The time of a row over that of the same row of A: the median over a variant's "
                   "rows, and in brackets from the least to the most where there are several. "
                   "Below 1 it is the faster. -: no row can be compared, and why."};
    fill(arena, list, &l, &table);
    gb_table_write(arena, &table, format, file);
}

/* ---- for programs -----------------------------------------------------------------------------
 */

static void write_csv(gb_sides *sides, const gb_comparison *list, size_t count, FILE *file)
{
    const lines l = collect(&sides->arena, list, count);
    fputs("a,b,experiment,variant,rows,median,least,most,lacking,reason\n", file);
    for (size_t i = 0; i < l.count; i++)
        for (size_t side = 0; side < count; side++) {
            const cell *of = &l.list[i].cells[side];
            gb_csv_put(file, list[side].a->label, true);
            gb_csv_put(file, list[side].b->label, false);
            gb_csv_put(file, l.list[i].experiment, false);
            gb_csv_put(file, l.list[i].variant, false);
            fprintf(file, ",%zu", of->count);
            if (of->count)
                fprintf(file, ",%.9g,%.9g,%.9g", median_of(of), of->prices[0],
                        of->prices[of->count - 1]);
            else
                fputs(",,,", file);
            fprintf(file, ",%zu", of->lacking);
            gb_csv_put(file, of->reason ? of->reason : "", false);
            putc('\n', file);
        }
}

bool gb_compare_by_variant(gb_sides *sides, const gb_comparison *list, size_t count,
                           const char *format, FILE *file)
{
    static const char *const names[] = {
        [GB_TABLE_TEXT] = "text", [GB_TABLE_MARKDOWN] = "markdown", [GB_TABLE_LATEX] = "latex"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(format, names[i]) != 0) continue;
        write_table(sides, list, count, (gb_table_format)i, file);
        return true;
    }
    if (strcmp(format, "csv") != 0) return false;
    write_csv(sides, list, count, file);
    return true;
}
