/* What the simulations of statistics share: synthetic times from the counter-based generator with
 * fixed seeds, and tables of what came out, which docs/statistics.md has to agree with. */
#ifndef GB_TESTS_COMMON_STATS_FIXTURE_H
#define GB_TESTS_COMMON_STATS_FIXTURE_H

#include "common/random.h"
#include "common/stats/stats.h"
#include "common/stats/two.h"
#include "tests/harness/whole_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EXPERIMENTS = 10000 };
#define STATISTICS_DOC "docs/statistics.md"

/* count numbers from 0 to 1, both excluded. */
static inline void draw_uniform(uint64_t seed, uint32_t stream, size_t count, double *x)
{
    for (size_t i = 0; i < count; i += 4) {
        gb_random4 r = gb_random(seed, stream, i / 4);
        for (size_t k = 0; k < 4 && i + k < count; k++)
            x[i + k] = (r.word[k] + 0.5) / 4294967296.0;
    }
}

/* count numbers of the standard normal distribution (Box and Muller 1958). */
static inline void draw_normal(uint64_t seed, uint32_t stream, size_t count, double *x)
{
    for (size_t i = 0; i < count; i += 4) {
        gb_random4 r = gb_random(seed, stream, i / 4);
        for (size_t k = 0; k < 4; k += 2) {
            double radius = sqrt(-2 * log((r.word[k] + 0.5) / 4294967296.0));
            double angle = 6.283185307179586 * (r.word[k + 1] / 4294967296.0);
            if (i + k < count) x[i + k] = radius * cos(angle);
            if (i + k + 1 < count) x[i + k + 1] = radius * sin(angle);
        }
    }
}

/* Of two groups, 400 samples together at most. */
static inline double p_of(const double *a, size_t count_a, const double *b, size_t count_b)
{
    double scratch[400];
    assert_true(count_a + count_b <= sizeof scratch / sizeof *scratch);
    return gb_mann_whitney(a, count_a, b, count_b, scratch);
}

static inline void replace_block(const char *doc, const char *begin, const char *end,
                                 const char *table)
{
    FILE *file = fopen(STATISTICS_DOC, "wb");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(begin - doc), doc, table, end);
    fclose(file);
}

/* The same but for numbers that differ by no more than what another libm may make of them: one in
 * the last digit of whole numbers, else 0.1. */
static inline void assert_agrees(const char *name, const char *said, const char *found)
{
    const char *a = said, *b = found;
    while (*a || *b) {
        char *after_a, *after_b;
        double x = strtod(a, &after_a), y = strtod(b, &after_b);
        bool numbers = after_a != a && after_b != b;
        bool whole = !memchr(a, '.', (size_t)(after_a - a));
        double tolerance = whole ? 1 : 0.1000001;
        if (numbers ? fabs(x - y) > tolerance : *a != *b)
            fail_msg("%s, table %s: it says \"%.60s\", simulation \"%.60s\"; look at what changed, "
                     "and if it is right, write it there with GPUBENCH_UPDATE_GOLDEN=1",
                     STATISTICS_DOC, name, a, b);
        a = numbers ? after_a : a + 1;
        b = numbers ? after_b : b + 1;
    }
}

/* Compares a table with the block of that name in the documentation, between <!-- NAME:begin -->
 * and
 * <!-- NAME:end -->. GPUBENCH_UPDATE_GOLDEN=1 writes it there instead. Frees the table. */
static inline void assert_documented(const char *name, char *table)
{
    char *doc = whole_file(STATISTICS_DOC), begin_mark[64], end_mark[64];
    assert_non_null(doc);
    snprintf(begin_mark, sizeof begin_mark, "<!-- %s:begin -->\n", name);
    snprintf(end_mark, sizeof end_mark, "<!-- %s:end -->", name);
    char *begin = strstr(doc, begin_mark), *end = strstr(doc, end_mark);
    if (!begin || !end) fail_msg("%s has no table %s", STATISTICS_DOC, name);
    begin += strlen(begin_mark);
    if (getenv("GPUBENCH_UPDATE_GOLDEN")) {
        replace_block(doc, begin, end, table);
    } else {
        char *said = strndup(begin, (size_t)(end - begin));
        assert_agrees(name, said, table);
        free(said);
    }
    free(doc);
    free(table);
}

static inline void assert_within(const char *what, double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%s: %.4g is not from %.4g to %.4g", what, value, low, high);
}

#endif
