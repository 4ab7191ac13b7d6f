/* Blocks of `gpubench compare --by-variant`: every number of a cell against the pairs of rows that
 * compare tells programs, and every reason against the result files. */
#include "tests/delivery/document_numbers.h"

#include "bench/rows/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct compare_check {
    document *d;
    const block *b;
    gb_csv *pairs;
    gb_results results;
    const char **sides; /* B, in the order of the columns */
    size_t side_count;
    const char *experiment; /* of the line before; "": they are all of one */
} compare_check;

/* The pairs of one cell, and the rows that B has not. */
typedef struct group {
    double *prices;
    size_t count, lacking;
} group;

static const char *field(const compare_check *c, size_t row, const char *name)
{
    for (size_t k = 0; k < c->pairs->columns; k++)
        if (strcmp(c->pairs->header[k], name) == 0) return c->pairs->rows[row][k];
    return "";
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static group group_of(const compare_check *c, const char *variant, const char *side)
{
    group g = {gb_arena_alloc(&c->d->arena, (c->pairs->row_count + 1) * sizeof *g.prices), 0, 0};
    for (size_t r = 0; r < c->pairs->row_count; r++) {
        if (strcmp(field(c, r, "variant"), variant) != 0 || strcmp(field(c, r, "b"), side) != 0 ||
            (*c->experiment && strcmp(field(c, r, "experiment"), c->experiment) != 0))
            continue;
        if (*field(c, r, "ratio")) g.prices[g.count++] = 1 / strtod(field(c, r, "ratio"), NULL);
        g.lacking += begins(field(c, r, "missing"), "b: ");
    }
    qsort(g.prices, g.count, sizeof *g.prices, ascending);
    return g;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool is_number(const char **text, double value)
{
    printed number;
    if (!parse_printed(*text, &number)) return false;
    *text = number.rest;
    return rounds_to(value, &number);
}

static bool take(const char **text, const char *words)
{
    const bool there = begins(*text, words);
    if (there) *text += strlen(words);
    return there;
}

static void check_cell(compare_check *c, size_t i, const char *variant, size_t side,
                       const char *text)
{
    const group g = group_of(c, variant, c->sides[side]);
    const char *at = unmarked(&c->d->arena, text);
    if (strcmp(at, "-") == 0 && g.count == 0) return;
    bool good = g.count > 0 && is_number(&at, g.prices[(g.count - 1) / 2]);
    if (good && g.count > 1)
        good = take(&at, " (") && is_number(&at, g.prices[0]) && take(&at, " to ") &&
               is_number(&at, g.prices[g.count - 1]) && take(&at, ")");
    if (good && !*at)
        c->d->found++;
    else
        lose(c->d, c->b, i, "%s, %s: the rows do not say %s", variant, c->sides[side], text);
}

static void check_line(compare_check *c, size_t i, const char **cells, size_t count)
{
    const size_t stubs = count > c->side_count ? count - c->side_count : 0;
    if (stubs < 1 || stubs > 2) {
        lose(c->d, c->b, i, "%zu cells for %zu sides", count, c->side_count);
        return;
    }
    if (strcmp(cells[stubs - 1], "variant") == 0) {
        for (size_t side = 0; side < c->side_count; side++)
            if (!strstr(c->sides[side], cells[stubs + side]))
                lose(c->d, c->b, i, "column %s is not %s", cells[stubs + side], c->sides[side]);
        return;
    }
    if (stubs == 2 && *cells[0]) c->experiment = cells[0];
    for (size_t side = 0; side < c->side_count; side++)
        check_cell(c, i, cells[stubs - 1], side, cells[stubs + side]);
}

/* ---- what stands around them ----------------------------------------------------------------- */

/* "unsupported: needs cp.async", as some row has it. */
static bool is_reason(const compare_check *c, const char *text)
{
    for (size_t s = 0; s < c->results.set_count; s++)
        for (size_t r = 0; r < c->results.sets[s].row_count; r++) {
            const gb_result_row *row = &c->results.sets[s].rows[r];
            const char *at = text;
            if (take(&at, gb_status_name(row->status)) && (!*at || take(&at, ": ")) &&
                strcmp(at, row->reason) == 0)
                return true;
        }
    return strcmp(text, "not measured") == 0;
}

/* Whether some cell is without so many of so many rows. */
static bool is_lacking(compare_check *c, size_t lacking, size_t rows)
{
    c->experiment = "";
    for (size_t r = 0; r < c->pairs->row_count; r++) {
        c->experiment = field(c, r, "experiment");
        const group g = group_of(c, field(c, r, "variant"), field(c, r, "b"));
        if (g.lacking == lacking && g.count + g.lacking == rows) return true;
    }
    return false;
}

static bool is_note(compare_check *c, const char *text)
{
    size_t digits = 0;
    while ((unsigned char)text[digits] > 127)
        digits++;
    const char *at = text + digits;
    if (!digits || !take(&at, " ")) return false;
    if (!take(&at, "without ")) return is_reason(c, at);
    char *end;
    const size_t lacking = strtoul(at, &end, 10);
    at = end;
    if (!take(&at, " of ")) return false;
    const size_t rows = strtoul(at, &end, 10);
    at = end;
    return take(&at, " rows: ") && is_lacking(c, lacking, rows) && is_reason(c, at);
}

static bool is_title(const compare_check *c, const char *text)
{
    const char *at = text;
    return take(&at, "**How many times as long as A: ") && c->pairs->row_count > 0 &&
           take(&at, field(c, 0, "a")) && strcmp(at, "**") == 0;
}

static bool is_caption(const char *text)
{
    const char *at = strstr(text, "Below ");
    return at && begins(at, "Below 1 it is the faster. ");
}

/* ---- the block ------------------------------------------------------------------------------- */

/* The command without what makes one table of it, and its sides. */
static bool load(compare_check *c, gb_error *error)
{
    gb_arena *arena = &c->d->arena;
    const char *command = gb_arena_printf(arena, "%s compare", c->d->gpubench);
    bool operands = true, by_variant = false;
    for (size_t i = 1; i < c->b->word_count; i++) {
        const char *word = c->b->words[i];
        operands = operands && *word != '-';
        if (operands && !gb_results_add(&c->results, word, error)) return false;
        if (strcmp(word, "--by-variant") == 0)
            by_variant = true;
        else
            command = gb_arena_printf(arena, "%s '%s'", command, word);
    }
    if (!by_variant) gb_fail(error, GB_WRONG, "compare without --by-variant: nobody looks it up");
    c->pairs =
        by_variant
            ? csv_of_command(c->d, gb_arena_printf(arena, "%s --format csv 2>/dev/null", command))
            : NULL;
    return c->pairs != NULL;
}

static void find_sides(compare_check *c)
{
    c->sides = gb_arena_alloc(&c->d->arena, (c->pairs->row_count + 1) * sizeof *c->sides);
    for (size_t r = 0; r < c->pairs->row_count; r++) {
        const char *side = field(c, r, "b");
        if (c->side_count == 0 || strcmp(c->sides[c->side_count - 1], side) != 0)
            c->sides[c->side_count++] = side;
    }
}

void check_compare(document *d, const block *b)
{
    compare_check c = {.d = d, .b = b, .experiment = ""};
    gb_error error = {0};
    if (b->line_count > 1 && begins(b->lines[1], "Not measured on this device yet")) return;
    const bool good = load(&c, &error);
    if (good)
        find_sides(&c);
    else
        lose(d, b, 0, "%s", error.text);
    for (size_t i = 0; good && i < b->line_count; i++) {
        size_t count;
        const char *line = b->lines[i], **cells = cells_of(&d->arena, line, &count);
        if (cells && !begins(cells[0], "---"))
            check_line(&c, i, cells, count);
        else if (!cells && has_number(line) && !is_title(&c, line) && !is_caption(line) &&
                 !is_note(&c, line))
            lose(d, b, i, "nothing says: %s", line);
    }
    gb_csv_free(c.pairs);
    gb_results_free(&c.results);
}
