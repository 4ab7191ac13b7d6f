/* Blocks of `gpubench claims`: verdicts and counts against what it tells programs, speed-ups and
 * changes of rates against the rows. */
#include "tests/delivery/document_numbers.h"

#include "bench/claims/claims.h"
#include "bench/rows/select.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct claims_check {
    document *d;
    const block *b;
    gb_csv *csv;        /* of --format csv */
    gb_results results; /* of what the block names */
    gb_claims claims;
    const char *device; /* of the table */
    const char *paper;  /* of the panel */
} claims_check;

const char *all_devices(document *d)
{
    const char *text = "", *last = "";
    glob_t found = {0};
    glob("results/*/*.meta.json", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        const char *folder = gb_arena_strndup(&d->arena, path, (size_t)(strrchr(path, '/') - path));
        if (strcmp(folder, last) == 0 || strcmp(folder, "results/simt") == 0) continue;
        text = gb_arena_printf(&d->arena, "%s %s", text, folder);
        last = folder;
    }
    globfree(&found);
    return text;
}

/* The next number of a text, without the digits of a power; *text moves behind it. */
static bool next_number(const char **text, size_t *number)
{
    char *end;
    *text += strcspn(*text, "0123456789");
    if (!**text) return false;
    *number = strtoul(*text, &end, 10);
    *text = end;
    return true;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* "Of what these measurements can show 8 hold, ...": the verdicts of a device. */
static void check_counts(claims_check *c, size_t i, const char *device, const char *text)
{
    size_t number, counted = 0;
    for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++) {
        size_t of = 0;
        for (size_t r = 0; r < c->csv->row_count; r++)
            of += strcmp(gb_csv_field(c->csv, r, "verdict"), gb_claim_verdict_names[v]) == 0 &&
                  strcmp(gb_csv_field(c->csv, r, "device"), device) == 0;
        if (!next_number(&text, &number) || number != of)
            lose(c->d, c->b, i, "%zu claims are %s on %s", of, gb_claim_verdict_names[v], device);
        else
            c->d->found++;
        counted += of;
    }
    if (counted == 0) lose(c->d, c->b, i, "there are no claims on '%s'", device);
    if (next_number(&text, &number) && number != 95)
        lose(c->d, c->b, i, "the intervals are of 95 %%");
    if (has_number(text)) lose(c->d, c->b, i, "nothing says '%s'", text);
}

/* ---- what was measured ----------------------------------------------------------------------- */

static const gb_claim *claim_of(const claims_check *c, const char *statement)
{
    for (size_t i = 0; i < c->claims.count; i++)
        if (strcmp(c->claims.items[i].statement, statement) == 0 &&
            strcmp(c->claims.items[i].paper, c->paper) == 0)
            return &c->claims.items[i];
    return NULL;
}

static bool lists(gb_arena *arena, const char *names, const char *name)
{
    return strstr(gb_arena_printf(arena, ";%s;", names), gb_arena_printf(arena, ";%s;", name)) !=
           NULL;
}

/* Whether two rows are of one point but for this axis. */
static bool are_beside(const gb_result_set *set, const gb_result_row *a, const gb_result_row *b,
                       const char *but)
{
    if (strcmp(a->cache, b->cache) != 0 || strcmp(a->scope, b->scope) != 0) return false;
    for (unsigned x = 0; x < set->axis_count; x++)
        if (strcmp(set->axes[x], but) != 0 && strcmp(a->axis[x], b->axis[x]) != 0) return false;
    return true;
}

/* Whether the ratio of some two rows that the claim is about is printed so. */
static bool is_some_ratio(const claims_check *c, const gb_claim *claim, const gb_result_set *set,
                          const printed *number)
{
    gb_arena *arena = &c->d->arena;
    const bool change = claim->quantity == GB_CLAIM_CHANGE;
    const char *below = change ? claim->variant : claim->baseline;
    const char *but = change ? claim->along : claim->best_over;
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *a = &set->rows[i];
        if (a->status != GB_OK || strcmp(a->device, c->device) != 0 ||
            !lists(arena, claim->variant, a->variant))
            continue;
        for (size_t k = 0; k < set->row_count; k++) {
            const gb_result_row *b = &set->rows[k];
            if (b->status == GB_OK && strcmp(b->device, c->device) == 0 && a != b &&
                lists(arena, below, b->variant) && are_beside(set, a, b, but) &&
                rounds_to(a->rate / b->rate, number))
                return true;
        }
    }
    return false;
}

/* What is behind a ratio and its interval: " ±0.02", " (1.34 to 1.46)", " unstable". */
static const char *behind_interval(const char *text)
{
    printed half;
    if (begins(text, " ±") && parse_printed(text + strlen(" ±"), &half)) return half.rest;
    if (begins(text, " (") && strchr(text, ')')) return strchr(text, ')') + 1;
    return begins(text, " unstable") ? text + strlen(" unstable") : text;
}

/* "1.78 ±0.02 to 8.65 ±0.06; 10 of 10 points", "up to 1.40 ±0.02; ...": ratios of rows. */
static void check_ratios(claims_check *c, size_t i, const gb_claim *claim, const char *text)
{
    static const char up[] = "up to ", to[] = " to ";
    const gb_result_set *set = NULL;
    printed number;
    if (claim->quantity != GB_CLAIM_SPEEDUP && claim->quantity != GB_CLAIM_CHANGE) return;
    for (size_t k = 0; k < c->results.set_count; k++)
        if (strcmp(c->results.sets[k].experiment, claim->experiment) == 0)
            set = &c->results.sets[k];
    if (begins(text, up)) text += strlen(up);
    while (set && parse_printed(text, &number)) {
        if (is_some_ratio(c, claim, set, &number))
            c->d->found++;
        else
            lose(c->d, c->b, i, "no two rows of %s have the ratio %s", claim->experiment, text);
        text = behind_interval(number.rest);
        if (!begins(text, to)) return;
        text += strlen(to);
    }
}

/* The paper's number. */
static bool is_value(gb_arena *arena, const char *cell, const char *value, const char *unit)
{
    return strcmp(cell, value) == 0 ||
           strcmp(cell, gb_arena_printf(arena, "%s %s", gb_axis_readable(arena, value), unit)) ==
               0 ||
           strcmp(cell, gb_arena_printf(arena, "%g %%", 100 * strtod(value, NULL))) == 0;
}

/* Whether a text is another one without its beginning. */
static bool ends(const char *text, const char *with)
{
    const size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

/* "NVIDIA RTX A4500 (Ampere)" */
static const char *said_of(gb_arena *arena, const gb_csv *csv, size_t row)
{
    const char *device = gb_csv_field(csv, row, "said_of");
    const char *generation = gb_csv_field(csv, row, "generation");
    return *generation ? gb_arena_printf(arena, "%s (%s)", device, generation) : device;
}

static void check_claim(claims_check *c, size_t i, const char **cells)
{
    gb_arena *arena = &c->d->arena;
    const gb_claim *claim = claim_of(c, cells[1]);
    for (size_t r = 0; r < c->csv->row_count && claim; r++) {
        const gb_csv *csv = c->csv;
        if (strcmp(gb_csv_field(csv, r, "statement"), cells[1]) != 0 ||
            strcmp(gb_csv_field(csv, r, "paper"), c->paper) != 0 ||
            strcmp(gb_csv_field(csv, r, "device"), c->device) != 0)
            continue;
        const char *reason = gb_csv_field(csv, r, "reason");
        const char *measured = gb_arena_printf(arena, "%s%s%s", gb_csv_field(csv, r, "measured"),
                                               *reason ? "; " : "", reason);
        if (strcmp(cells[0], gb_csv_field(csv, r, "verdict")) != 0)
            lose(c->d, c->b, i, "the verdict is %s", gb_csv_field(csv, r, "verdict"));
        else if (!ends(said_of(arena, csv, r), cells[2]))
            lose(c->d, c->b, i, "that was said of %s", said_of(arena, csv, r));
        else if (strcmp(cells[4], measured) != 0)
            lose(c->d, c->b, i, "measured: %s", measured);
        else if (!is_value(arena, cells[3], claim->value, claim->unit))
            lose(c->d, c->b, i, "the paper has %s", claim->value);
        else {
            c->d->found++;
            check_ratios(c, i, claim, cells[4]);
        }
        return;
    }
    lose(c->d, c->b, i, "there is no such claim of %s", c->paper);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void check_line(claims_check *c, size_t i, const char *line)
{
    static const char title[] = "**The papers' claims on ", counts[] = "Of what ", item[] = "- **";
    gb_arena *arena = &c->d->arena;
    size_t count;
    const char **cells = cells_of(arena, line, &count);
    if (cells && count == 5 && strcmp(cells[0], "verdict") == 0) {
        if (!ends(c->device, cells[4])) lose(c->d, c->b, i, "measured on %s", c->device);
    } else if (cells && count == 5 && !begins(cells[0], "---")) {
        check_claim(c, i, cells);
    } else if (begins(line, title)) {
        c->device =
            gb_arena_strndup(arena, line + strlen(title), strcspn(line + strlen(title), "*"));
        bool known = false;
        for (size_t r = 0; r < c->csv->row_count && !known; r++)
            known = strcmp(gb_csv_field(c->csv, r, "device"), c->device) == 0;
        if (!known) lose(c->d, c->b, i, "nothing was measured on %s", c->device);
    } else if (begins(line, counts)) {
        check_counts(c, i, c->device, line);
    } else if (begins(line, item)) {
        const char *name = line + strlen(item), *end = strstr(name, "**: ");
        if (end)
            check_counts(c, i, gb_arena_strndup(arena, name, (size_t)(end - name)),
                         end + strlen("**: "));
        else
            lose(c->d, c->b, i, "no count: %s", line);
    } else if (!cells && *line) {
        if (has_number(line)) lose(c->d, c->b, i, "nothing says '%s'", line);
        c->paper = line;
    }
}

void check_claims(document *d, const block *b)
{
    claims_check c = {.d = d, .b = b, .device = "", .paper = ""};
    gb_error error = {0};
    const char *operands = "";
    for (size_t i = 1; i < b->word_count && !begins(b->words[i], "--"); i++)
        operands =
            gb_arena_printf(&d->arena, "%s %s", operands,
                            strcmp(b->words[i], "$DEVICES") == 0 ? all_devices(d) : b->words[i]);
    c.csv = csv_of_command(
        d, gb_arena_printf(&d->arena, "%s claims%s --format csv", d->gpubench, operands));
    bool good = c.csv && gb_claims_load_all(&d->arena, &c.claims, &error);
    for (char *rest = gb_arena_strdup(&d->arena, operands), *path;
         good && (path = strsep(&rest, " "));)
        good = !*path || gb_results_add(&c.results, path, &error);
    for (size_t i = 0; good && i < b->line_count; i++)
        check_line(&c, i, b->lines[i]);
    if (!good) lose(d, b, 0, "%s", error.text);
    gb_csv_free(c.csv);
    gb_results_free(&c.results);
}
