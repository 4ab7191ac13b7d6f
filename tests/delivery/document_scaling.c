/* Blocks of `gpubench scaling`: what it shows people against what it tells programs of the same
 * rows, the times that it calls measured against the result file, the links against its meta file.
 */
#include "tests/delivery/document_numbers.h"

#include "bench/rows/rows.h"
#include "common/text/size.h"
#include "tests/harness/whole_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scaling_check {
    document *d;
    const block *b;
    gb_csv *csv; /* the points, in the order of the table's lines */
    size_t next; /* of them */
    gb_results results;
} scaling_check;

enum {
    VARIANT,
    POINT,
    GPUS,
    KIND,
    TIME,
    EXPECTED,
    OFF,
    SHARE,
    SPEEDUP,
    EFFICIENCY,
    LIMIT,
    COLUMNS
};

static double number_of(const scaling_check *c, const char *column)
{
    return strtod(gb_csv_field(c->csv, c->next, column), NULL);
}

static bool is_told(const scaling_check *c, const char *column)
{
    return *gb_csv_field(c->csv, c->next, column) != '\0';
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The number that a text begins with, which has to be `value`, and `then` behind it; what follows
 * that. NULL: it is another. */
static const char *past(const char *text, double value, const char *then)
{
    printed number;
    if (!text || !parse_printed(text, &number) || !rounds_to(value, &number) ||
        !begins(number.rest, then))
        return NULL;
    return number.rest + strlen(then);
}

static bool ends(const char *text)
{
    return text && !*text;
}

/* "0.878", or "0.878 (0.836 to 0.921)" where there are ends. */
static bool is_between(const scaling_check *c, const char *cell, double scale, const char *value,
                       const char *lo, const char *hi)
{
    if (!is_told(c, value)) return !*cell;
    const double at = number_of(c, value) * scale;
    if (!(number_of(c, lo) > 0)) return ends(past(cell, at, ""));
    cell = past(cell, at, " (");
    cell = past(cell, number_of(c, lo) * scale, " to ");
    return ends(past(cell, number_of(c, hi) * scale, ")"));
}

/* "1.622 ±0.007" where it was measured, the wider half of the interval, rounded up. */
static bool is_ratio(const scaling_check *c, const char *cell, bool measured, const char *value,
                     const char *lo, const char *hi)
{
    printed half;
    if (!measured || strchr(cell, '(')) return is_between(c, cell, 1, value, lo, hi);
    if (!is_told(c, value)) return !*cell;
    const double at = number_of(c, value);
    const double wider = fmax(at - number_of(c, lo), number_of(c, hi) - at);
    cell = past(cell, at, " ±");
    return cell && parse_printed(cell, &half) && !*half.rest && half.value >= wider * (1 - 1e-4) &&
           half.value - wider <= pow(10, -half.decimals);
}

/* "n 32Mi, dist cube, strong": each of it is the point's. */
static bool is_of_point(const scaling_check *c, const char *text)
{
    gb_arena *arena = &c->d->arena;
    const char *point =
        gb_arena_printf(arena, ";%s;cache=%s;", gb_csv_field(c->csv, c->next, "point"),
                        gb_csv_field(c->csv, c->next, "cache"));
    char *rest = gb_arena_strdup(arena, text);
    for (char *part; (part = strsep(&rest, ","));) {
        part += strspn(part, " ");
        char *value = part;
        const char *name = strsep(&value, " ");
        uint64_t size;
        if (!value) {
            if (!strstr(point, gb_arena_printf(arena, "=%s;", name))) return false;
        } else if (gb_size_parse(value, &size, NULL)) {
            if (!strstr(point, gb_arena_printf(arena, ";%s=%llu;", name, (unsigned long long)size)))
                return false;
        } else if (!strstr(point, gb_arena_printf(arena, ";%s=%s;", name, value))) {
            return false;
        }
    }
    return true;
}

static bool is_in_results(const scaling_check *c, double time)
{
    for (size_t s = 0; s < c->results.set_count; s++)
        for (size_t r = 0; r < c->results.sets[s].row_count; r++)
            if (fabs(c->results.sets[s].rows[r].time_s / time - 1) < 1e-6) return true;
    return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_right(const scaling_check *c, const char **cells)
{
    if (c->next == c->csv->row_count) return false;
    const bool measured = strcmp(gb_csv_field(c->csv, c->next, "kind"), "measured") == 0;
    const bool expects = measured && number_of(c, "gpus") > 1;
    if (measured && !is_in_results(c, number_of(c, "time_s"))) return false;
    if (*cells[VARIANT] && strcmp(cells[VARIANT], gb_csv_field(c->csv, c->next, "variant")) != 0)
        return false;
    if (*cells[POINT] && !is_of_point(c, cells[POINT])) return false;
    if (!begins(cells[KIND], measured ? "measured" : "projected")) return false;
    if (expects && !(ends(past(cells[EXPECTED], number_of(c, "expected_s") * 1e3, "")) &&
                     lround(100 * (number_of(c, "expected_over_measured") - 1)) ==
                         strtol(cells[OFF], NULL, 10)))
        return false;
    return ends(past(cells[GPUS], number_of(c, "gpus"), "")) &&
           (measured ? ends(past(cells[TIME], number_of(c, "time_s") * 1e3, ""))
                     : is_between(c, cells[TIME], 1e3, "time_s", "time_lo_s", "time_hi_s")) &&
           (number_of(c, "gpus") < 2
                ? !*cells[SHARE]
                : ends(past(cells[SHARE], 100 * number_of(c, "not_work_share"), ""))) &&
           is_ratio(c, cells[SPEEDUP], measured, "speedup", "speedup_lo", "speedup_hi") &&
           is_ratio(c, cells[EFFICIENCY], measured, "efficiency", "efficiency_lo",
                    "efficiency_hi") &&
           (is_told(c, "efficiency_limit")
                ? past(cells[LIMIT], number_of(c, "efficiency_limit"), " ") != NULL
                : !*cells[LIMIT]);
}

/* The worst pair of GPUs: what a GPU sends a second while both do, and the longest way of a store.
 */
static bool read_links(document *d, const char *path, double *bytes_per_s, double *latency_s)
{
    char *text = whole_file(
        gb_arena_printf(&d->arena, "%.*s.meta.json", (int)(strlen(path) - strlen(".csv")), path));
    cJSON *meta = cJSON_Parse(text);
    const cJSON *pair, *pairs = cJSON_GetObjectItem(cJSON_GetObjectItem(meta, "links"), "pairs");
    *bytes_per_s = INFINITY;
    *latency_s = 0;
    cJSON_ArrayForEach(pair, pairs)
    {
        const double both = cJSON_GetNumberValue(cJSON_GetObjectItem(pair, "both_bytes_per_s")) / 2;
        *bytes_per_s = fmin(*bytes_per_s, both);
        *latency_s = fmax(*latency_s, cJSON_GetNumberValue(cJSON_GetObjectItem(pair, "store_s")));
    }
    cJSON_Delete(meta);
    free(text);
    return *latency_s > 0 && !isinf(*bytes_per_s);
}

static bool is_right_line(const scaling_check *c, const char *line, const char *path)
{
    static const char links[] = "Between GPUs of ", colon[] = ": ";
    double bytes_per_s, latency_s;
    gb_arena *arena = &c->d->arena;
    const size_t row = c->next < c->csv->row_count ? c->next : c->csv->row_count - 1;
    const char *device = gb_csv_field(c->csv, row, "device");
    if (begins(line, "Speed-up and efficiency")) {
        static const char *const numbers[] = {"95", "2", NULL};
        return has_numbers(line, numbers);
    }
    if (begins(line, links)) {
        const char *at = strstr(line, device);
        if (at != line + strlen(links) || !read_links(c->d, path, &bytes_per_s, &latency_s))
            return false;
        at = past(at + strlen(device) + strlen(colon), bytes_per_s / 1e9,
                  " GB/s each way while both send, ");
        return ends(past(at, latency_s * 1e6, " µs."));
    }
    const char *title =
        gb_arena_printf(arena, "%s on %s", gb_csv_field(c->csv, row, "experiment"), device);
    if (!begins(line, title)) return !has_number(line);
    line += strlen(title);
    return !*line || (begins(line, colon) && is_of_point(c, line + strlen(colon)));
}

void check_scaling(document *d, const block *b)
{
    scaling_check c = {.d = d, .b = b};
    gb_error error = {0};
    const char *words = "";
    for (size_t i = 1; i < b->word_count; i++)
        words = gb_arena_printf(&d->arena, "%s %s", words, b->words[i]);
    c.csv = csv_of_command(
        d, gb_arena_printf(&d->arena, "%s scaling%s --format csv 2>/dev/null", d->gpubench, words));
    const bool good =
        c.csv && c.csv->row_count > 0 && gb_results_add(&c.results, b->words[1], &error);
    for (size_t i = 0; good && i < b->line_count; i++) {
        size_t count;
        const char **cells = cells_of(&d->arena, b->lines[i], &count);
        if (!cells) {
            if (!is_right_line(&c, b->lines[i], b->words[1]))
                lose(d, b, i, "nothing says '%s'", b->lines[i]);
        } else if (count != COLUMNS) {
            lose(d, b, i, "a table of other columns");
        } else if (strcmp(cells[VARIANT], "variant") != 0 && !begins(cells[VARIANT], "---")) {
            if (is_right(&c, cells))
                d->found += 3;
            else
                lose(d, b, i, "that is not what is known of %s GPUs", cells[GPUS]);
            c.next++;
        }
    }
    if (!good) lose(d, b, 0, "%s", error.text);
    if (good && c.next != c.csv->row_count) lose(d, b, 0, "lines are missing");
    gb_results_free(&c.results);
    gb_csv_free(c.csv);
}
