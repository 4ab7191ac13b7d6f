/* Blocks of `gpubench project --validate`: what it sums up of its guesses against what it tells
 * programs of each, and the times that these call true against the result files. */
#include "tests/delivery/document_numbers.h"

#include "bench/rows/rows.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct project_check {
    document *d;
    const block *b;
    gb_csv *csv; /* the guesses */
    double *times;
    size_t time_count, time_capacity;
    const char *last; /* the head of the table's last column */
} project_check;

static const double limit = 1.5; /* as docs/project.md says */

static const char *text_of(const project_check *c, size_t row, const char *column)
{
    return gb_csv_field(c->csv, row, column);
}

static double number_of(const project_check *c, size_t row, const char *column)
{
    return strtod(text_of(c, row, column), NULL);
}

/* The logarithm of guessed over true. */
static double error_of(const project_check *c, size_t row)
{
    return log(number_of(c, row, "guessed_s") / number_of(c, row, "true_s"));
}

static bool prints(const char *cell, double value)
{
    printed number;
    return parse_printed(cell, &number) && !*number.rest && rounds_to(value, &number);
}

/* ---- sums ------------------------------------------------------------------------------------ */

enum { PRIMITIVE, KIND, CARD, GUESSES, TYPICAL, OF90, TENDENCY, WORST, COLUMNS };

static int by_size(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void check_sum(project_check *c, size_t i, const char **cells)
{
    double *off = gb_arena_alloc(&c->d->arena, (c->csv->row_count + 1) * sizeof *off);
    double sum = 0, signs = 0;
    size_t count = 0;
    for (size_t r = 0; r < c->csv->row_count; r++) {
        if (strcmp(text_of(c, r, "primitive"), cells[PRIMITIVE]) != 0 ||
            strcmp(text_of(c, r, "kind"), cells[KIND]) != 0 ||
            strcmp(text_of(c, r, "held"), cells[CARD]) != 0)
            continue;
        sum += fabs(error_of(c, r));
        signs += error_of(c, r);
        off[count++] = fabs(error_of(c, r));
    }
    if (count == 0) {
        lose(c->d, c->b, i, "there is no such guess");
        return;
    }
    qsort(off, count, sizeof *off, by_size);
    const size_t of90 = (9 * count + 9) / 10; /* so many of the smallest are 90 % at least */
    if (prints(cells[GUESSES], (double)count) && prints(cells[TYPICAL], exp(sum / (double)count)) &&
        prints(cells[OF90], exp(off[of90 - 1])) &&
        prints(cells[TENDENCY], exp(signs / (double)count)) &&
        prints(cells[WORST], exp(off[count - 1])))
        c->d->found += 5;
    else
        lose(c->d, c->b, i, "the guesses do not come to this");
}

/* ---- where it is wrong ----------------------------------------------------------------------- */

enum { WHERE_PRIMITIVE, WHERE_HELD, WHERE_VARIANT, WHERE_POINT, TOO_FAR, GUESSED, TRUTH, FACTOR };

static bool is_of(const project_check *c, size_t r, const char **cells)
{
    const char *held =
        gb_arena_printf(&c->d->arena, "%s, %s", text_of(c, r, "kind"), text_of(c, r, "held"));
    return strcmp(text_of(c, r, "primitive"), cells[WHERE_PRIMITIVE]) == 0 &&
           strcmp(text_of(c, r, "variant"), cells[WHERE_VARIANT]) == 0 &&
           strcmp(held, cells[WHERE_HELD]) == 0;
}

static void check_where(project_check *c, size_t i, const char **cells)
{
    size_t off = 0, all = 0, furthest = 0;
    for (size_t r = 0; r < c->csv->row_count; r++) {
        if (!is_of(c, r, cells)) continue;
        if (all == 0 || fabs(error_of(c, r)) > fabs(error_of(c, furthest))) furthest = r;
        all++;
        off += exp(fabs(error_of(c, r))) > limit;
    }
    const char *counts = gb_arena_printf(&c->d->arena, "%zu of %zu", off, all);
    if (all > 0 && strcmp(cells[TOO_FAR], counts) == 0 &&
        begins(cells[WHERE_POINT], text_of(c, furthest, "experiment")) &&
        prints(cells[GUESSED], number_of(c, furthest, "guessed_s") * 1e3) &&
        prints(cells[TRUTH], number_of(c, furthest, "true_s") * 1e3) &&
        prints(cells[FACTOR], exp(error_of(c, furthest))))
        c->d->found += 5;
    else
        lose(c->d, c->b, i, "no guess that is furthest off says this");
}

/* ---- words ----------------------------------------------------------------------------------- */

static void check_words(project_check *c, size_t i, const char *line)
{
    static const char *const caption[] = {"90", "90", "1.50", NULL};
    bool good = !has_number(line);
    if (begins(line, "What is known was left out")) good = has_numbers(line, caption);
    if (begins(line, "No guess is off by more")) {
        good = has_numbers(line, caption + 2);
        for (size_t r = 0; r < c->csv->row_count; r++)
            good = good && exp(fabs(error_of(c, r))) <= limit;
    }
    if (!good) lose(c->d, c->b, i, "nothing says '%s'", line);
}

/* ---- true times ------------------------------------------------------------------------------ */

static void take_times(project_check *c, const gb_results *results)
{
    for (size_t s = 0; s < results->set_count; s++)
        for (size_t r = 0; r < results->sets[s].row_count; r++) {
            c->times = gb_arena_grow(&c->d->arena, c->times, c->time_count, &c->time_capacity,
                                     sizeof *c->times);
            c->times[c->time_count++] = results->sets[s].rows[r].time_s;
        }
}

static bool read_times(project_check *c, const char *folders, gb_error *error)
{
    bool good = true;
    char *rest = gb_arena_strdup(&c->d->arena, folders);
    for (char *folder; good && (folder = strsep(&rest, " "));) {
        glob_t found = {0};
        glob(folder, 0, NULL, &found);
        glob(gb_arena_printf(&c->d->arena, "%s/under/multiprocessors-*", folder), GLOB_APPEND, NULL,
             &found);
        for (size_t i = 0; good && i < found.gl_pathc; i++) {
            gb_results results = {0};
            good = gb_results_add(&results, found.gl_pathv[i], error);
            take_times(c, &results);
            gb_results_free(&results);
        }
        globfree(&found);
    }
    qsort(c->times, c->time_count, sizeof *c->times, by_size);
    return good;
}

static bool is_measured(const project_check *c, double time)
{
    size_t lo = 0, hi = c->time_count;
    while (lo < hi) {
        const size_t middle = (lo + hi) / 2;
        if (c->times[middle] < time * (1 - 1e-6))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < c->time_count && c->times[lo] <= time * (1 + 1e-6);
}

static void check_truths(project_check *c)
{
    for (size_t r = 0; r < c->csv->row_count; r++)
        if (strcmp(text_of(c, r, "kind"), "printed") != 0 &&
            !is_measured(c, number_of(c, r, "true_s"))) {
            lose(c->d, c->b, 0, "no row has the time %s", text_of(c, r, "true_s"));
            return;
        }
}

void check_project(document *d, const block *b)
{
    project_check c = {.d = d, .b = b};
    gb_error error = {0};
    const char *words = "", *folders = "";
    for (size_t i = 1; i < b->word_count; i++) {
        const char *word = strcmp(b->words[i], "$DEVICES") == 0 ? all_devices(d) : b->words[i];
        words = gb_arena_printf(&d->arena, "%s %s", words, word);
        if (!begins(word, "--")) folders = words;
    }
    c.csv = csv_of_command(
        d, gb_arena_printf(&d->arena, "%s project%s --format csv 2>/dev/null", d->gpubench, words));
    const bool good = c.csv && read_times(&c, folders, &error);
    for (size_t i = 0; good && i < b->line_count; i++) {
        size_t count;
        const char **cells = cells_of(&d->arena, b->lines[i], &count);
        if (!cells)
            check_words(&c, i, b->lines[i]);
        else if (count != COLUMNS)
            lose(d, b, i, "a table of other columns");
        else if (strcmp(cells[0], "primitive") == 0)
            c.last = cells[WORST];
        else if (!begins(cells[0], "---") && c.last && strcmp(c.last, "factor") == 0)
            check_where(&c, i, cells);
        else if (!begins(cells[0], "---"))
            check_sum(&c, i, cells);
    }
    if (good) check_truths(&c);
    if (!good) lose(d, b, 0, "%s", error.text);
    gb_csv_free(c.csv);
}
