/* Blocks of `gpubench standings`, and of what equal runs differ by. */
#include "tests/delivery/document_numbers.h"

#include "bench/rows/noise.h"
#include "bench/rows/peers.h"
#include "bench/rows/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct standings_check {
    document *d;
    const block *b;
    gb_csv *csv; /* of --format csv --all */
    gb_results results;
    gb_peers peers;
} standings_check;

enum { WHAT, OURS, OTHER, OUR_RATE, OTHER_RATE, RATIO, INTERVAL, COLUMNS };

/* ---- points ---------------------------------------------------------------------------------- */

static double number_of(const gb_csv *csv, size_t row, const char *column)
{
    return strtod(gb_csv_field(csv, row, column), NULL);
}

/* Whether a cell prints a number, or nothing where there is none. */
static bool prints(const char *cell, double value)
{
    printed number;
    if (!*cell) return !(value > 0);
    return parse_printed(cell, &number) && !*number.rest && rounds_to(value, &number);
}

/* "1.38 to 1.39" */
static bool prints_interval(gb_arena *arena, const char *cell, double lo, double hi)
{
    const char *to = strstr(cell, " to ");
    if (!to) return !(lo > 0) && (strcmp(cell, "none") == 0 || strcmp(cell, "unstable") == 0);
    return prints(gb_arena_strndup(arena, cell, (size_t)(to - cell)), lo) &&
           prints(to + strlen(" to "), hi);
}

/* Whether a point of the file is what the words mean: all axes that they name have these values
 * there ("partition, n 32Mi, bins 4096"). */
static bool is_point(gb_arena *arena, const gb_csv *csv, size_t row, const char *words)
{
    const char *contest = gb_csv_field(csv, row, "contest");
    const char *point = gb_arena_printf(arena, ";%s;", gb_csv_field(csv, row, "point"));
    if (strcmp(gb_csv_field(csv, row, "what"), words) == 0) return true;
    if (!begins(words, contest) || !begins(words + strlen(contest), ", ")) return false;
    char *rest = gb_arena_strdup(arena, words + strlen(contest) + 2);
    for (char *part; (part = strsep(&rest, ","));) {
        part += strspn(part, " ");
        const size_t length = strcspn(part, " ");
        const char *axis = gb_arena_printf(arena, ";%.*s=", (int)length, part);
        const char *at = strstr(point, axis);
        if (!at) return false;
        at += strlen(axis);
        const char *value = gb_arena_strndup(arena, at, strcspn(at, ";"));
        if (strcmp(gb_axis_readable(arena, value), part + length + 1) != 0) return false;
    }
    return true;
}

/* Whether a row of the results has this rate. */
static bool is_measured(const standings_check *c, const char *variant, double rate)
{
    for (size_t s = 0; s < c->results.set_count; s++)
        for (size_t i = 0; i < c->results.sets[s].row_count; i++) {
            const gb_result_row *row = &c->results.sets[s].rows[i];
            if (strcmp(row->variant, variant) == 0 && fabs(row->rate - rate) < 1e-6 * rate)
                return true;
        }
    return false;
}

static bool is_peers(const standings_check *c, const char *name, double rate)
{
    for (size_t i = 0; i < c->peers.count; i++)
        if (strcmp(c->peers.items[i].name, name) == 0 &&
            fabs(c->peers.items[i].rate - rate) < 1e-6 * rate)
            return true;
    return false;
}

static void check_standing(standings_check *c, size_t i, const char **cells)
{
    gb_arena *arena = &c->d->arena;
    const char *name = unmarked(arena, cells[OTHER]);
    for (size_t r = 0; r < c->csv->row_count; r++) {
        const gb_csv *csv = c->csv;
        const double ours = number_of(csv, r, "ours_rate"), other = number_of(csv, r, "other_rate");
        if (!is_point(arena, csv, r, cells[WHAT]) ||
            strcmp(gb_csv_field(csv, r, "ours"), cells[OURS]) != 0 ||
            strcmp(gb_csv_field(csv, r, "other"), name) != 0 ||
            !prints(cells[OUR_RATE], ours / 1e9) || !prints(cells[OTHER_RATE], other / 1e9) ||
            !prints(cells[RATIO], number_of(csv, r, "ratio")) ||
            !prints(cells[RATIO], ours / other) ||
            !prints_interval(arena, cells[INTERVAL], number_of(csv, r, "ratio_ci95_lo"),
                             number_of(csv, r, "ratio_ci95_hi")))
            continue;
        const bool from_peer = strcmp(gb_csv_field(csv, r, "other_source"), "printed") == 0;
        if (!is_measured(c, cells[OURS], ours) ||
            !(from_peer ? is_peers(c, name, other) : is_measured(c, name, other)))
            lose(c->d, c->b, i, "no row has one of the two rates");
        else
            c->d->found += 2;
        return;
    }
    lose(c->d, c->b, i, "%s: there are no such standings", cells[WHAT]);
}

/* ---- words below ----------------------------------------------------------------------------- */

static size_t count_of(const gb_csv *csv, const char *contest, const char *verdict)
{
    size_t count = 0;
    for (size_t r = 0; r < csv->row_count; r++)
        count += (!contest || strcmp(gb_csv_field(csv, r, "contest"), contest) == 0) &&
                 (strcmp(gb_csv_field(csv, r, "verdict"), verdict) == 0 ||
                  (!*verdict && strcmp(gb_csv_field(csv, r, "verdict"), "alone") != 0));
    return count;
}

/* Whether a text has this number next; *text moves behind it. */
static bool takes(const char **text, size_t number)
{
    char *end;
    *text += strcspn(*text, "0123456789");
    if (!**text || strtoul(*text, &end, 10) != number) return false;
    *text = end;
    return true;
}

/* "Ahead at 429 of 479 points, level at 1, behind at 49 (ahead: partition 75 of 86; ...)": and no
 * further number. */
static bool is_closing(const standings_check *c, const char *text)
{
    const gb_csv *csv = c->csv;
    if (!takes(&text, count_of(csv, NULL, "ahead")) || !takes(&text, count_of(csv, NULL, "")) ||
        !takes(&text, count_of(csv, NULL, "level")) || !takes(&text, count_of(csv, NULL, "behind")))
        return false;
    const char *last = "";
    for (size_t r = 0; r < csv->row_count; r++) {
        const char *contest = gb_csv_field(csv, r, "contest");
        if (strcmp(contest, last) == 0 || count_of(csv, contest, "") == 0) continue;
        last = contest;
        if (!takes(&text, count_of(csv, contest, "ahead")) ||
            !takes(&text, count_of(csv, contest, "")))
            return false;
    }
    const size_t alone = count_of(csv, NULL, "alone");
    return (alone == 0 || takes(&text, alone)) && !has_number(text);
}

/* What is said of a printed rate: a peer's row, word by word. */
static bool is_peers_note(const standings_check *c, const char *text)
{
    for (size_t i = 0; i < c->peers.count; i++) {
        const gb_peer *p = &c->peers.items[i];
        const char *note =
            gb_arena_printf(&c->d->arena, " %s%s%s%s%s%s on %s, printed: %s, %s%s%s", p->name,
                            *p->version ? " " : "", p->version, *p->licence ? " (" : "", p->licence,
                            *p->licence ? ")" : "", p->device, p->source, p->measured,
                            *p->note ? "; " : "", p->note);
        const char *at = strchr(text, ' '); /* behind the mark */
        if (at && strcmp(at, note) == 0) return true;
    }
    return false;
}

static void check_words(standings_check *c, size_t i, const char *line)
{
    static const char title[] = "**How ours stands on ", caption[] = "Rates in 10⁹/s, cold L2";
    const char *text = line;
    bool good = !has_number(line);
    if (begins(line, title)) {
        const char *device = gb_arena_strndup(&c->d->arena, line + strlen(title),
                                              strcspn(line + strlen(title), "*"));
        good = c->csv->row_count && strcmp(gb_csv_field(c->csv, 0, "device"), device) == 0;
    } else if (begins(line, caption)) {
        text += strlen(caption);
        good = takes(&text, 95) && !has_number(text);
    } else if (!good) {
        good = is_closing(c, line) || is_peers_note(c, line);
        c->d->found += good;
    }
    if (!good) lose(c->d, c->b, i, "nothing says '%s'", line);
}

static void check_head(standings_check *c, size_t i, const char **cells, size_t count)
{
    static const char *const head[COLUMNS] = {
        "what", "ours", "best of others", "ours, 10⁹/s", "theirs", "ratio", "95 %"};
    for (size_t k = 0; k < COLUMNS; k++)
        if (count != COLUMNS || strcmp(cells[k], head[k]) != 0) {
            lose(c->d, c->b, i, "the head of standings has %d cells: %s", COLUMNS, head[k]);
            return;
        }
}

void check_standings(document *d, const block *b)
{
    standings_check c = {.d = d, .b = b};
    gb_error error = {0};
    c.csv = csv_of_command(d, gb_arena_printf(&d->arena,
                                              "%s standings %s --all --format csv 2>/dev/null",
                                              d->gpubench, b->words[1]));
    const bool good = c.csv && gb_peers_load(&d->arena, &c.peers, &error) &&
                      gb_results_add(&c.results, b->words[1], &error);
    for (size_t i = 0; good && i < b->line_count; i++) {
        size_t count;
        const char **cells = cells_of(&d->arena, b->lines[i], &count);
        if (!cells)
            check_words(&c, i, b->lines[i]);
        else if (count != COLUMNS || strcmp(cells[0], "what") == 0)
            check_head(&c, i, cells, count);
        else if (!begins(cells[0], "---"))
            check_standing(&c, i, cells);
    }
    if (!good) lose(d, b, 0, "%s", error.text);
    gb_csv_free(c.csv);
    gb_results_free(&c.results);
}

/* ---- noise ----------------------------------------------------------------------------------- */

/* "10 to 100 µs", "growable, any time" */
static bool is_class(gb_arena *arena, const gb_noise_class *k, const char *text)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    char *end;
    if (*k->variant) return strcmp(text, gb_arena_printf(arena, "%s, any time", k->variant)) == 0;
    if (begins(text, "10^"))
        return strcmp(text, gb_arena_printf(arena, "10^%d to 10^%d s", k->decade, k->decade + 1)) ==
               0;
    const double from = strtod(text, &end), to = begins(end, " to ") ? strtod(end + 4, &end) : 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (*end == ' ' && strcmp(end + 1, units[i].unit) == 0)
            return fabs(from * units[i].scale / pow(10, k->decade) - 1) < 1e-9 &&
                   fabs(to * units[i].scale / pow(10, k->decade + 1) - 1) < 1e-9;
    return false;
}

/* The line above the table: what it calls half and all is no number, the others are these. */
static bool is_noise_caption(const char *line)
{
    return begins(line, "Rows by their mean time") &&
           strstr(line, "Half, 99 % and all of the rows") &&
           strstr(line, "the far end of the 95 % interval of the ratio.");
}

static bool has_noise_of(const gb_noise *noise, const char *device)
{
    for (size_t k = 0; k < noise->count; k++)
        if (strcmp(noise->items[k].device, device) == 0) return true;
    return false;
}

static bool prints_share(const char *cell, double share)
{
    printed number;
    return parse_printed(cell, &number) && strcmp(number.rest, " %") == 0 &&
           rounds_to(100 * share, &number);
}

void check_noise(document *d, const block *b)
{
    gb_noise noise = {0};
    gb_error error = {0};
    const char *device = "";
    static const char title[] = "**How far apart equal runs may be found on ";
    if (!gb_noise_load(&d->arena, b->words[1], &noise, &error)) {
        for (size_t i = 0; i < b->line_count; i++)
            if (has_number(b->lines[i])) lose(d, b, i, "%s", error.text);
        return;
    }
    for (size_t i = 0; i < b->line_count; i++) {
        size_t count;
        const char *line = b->lines[i], **cells = cells_of(&d->arena, line, &count);
        bool good = !has_number(line) || is_noise_caption(line);
        if (begins(line, title)) {
            device = gb_arena_strndup(&d->arena, line + strlen(title),
                                      strcspn(line + strlen(title), "*"));
            good = has_noise_of(&noise, device);
        } else if (cells && count == 7) {
            good = strcmp(cells[0], "mean time") == 0 || begins(cells[0], "---");
            for (size_t k = 0; k < noise.count && !good; k++) {
                const gb_noise_class *of = &noise.items[k];
                good = strcmp(of->device, device) == 0 && is_class(&d->arena, of, cells[0]) &&
                       strcmp(of->scope, cells[1]) == 0 && strcmp(of->kind, cells[2]) == 0 &&
                       strtoul(cells[3], NULL, 10) == of->rows &&
                       prints_share(cells[4], of->median) && prints_share(cells[5], of->floor) &&
                       prints_share(cells[6], of->largest);
                d->found += good;
            }
        }
        if (!good) lose(d, b, i, "%s has no such class", b->words[1]);
    }
}
