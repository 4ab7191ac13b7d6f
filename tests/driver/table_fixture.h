/* What the tests of tables share: results read from a fixture, a table made from them, comparison
 * with a golden file. */
#ifndef GB_TESTS_DRIVER_TABLE_FIXTURE_H
#define GB_TESTS_DRIVER_TABLE_FIXTURE_H

#include "bench/rows/published.h"
#include "bench/table/axes.h"
#include "bench/table/build.h"
#include "tests/harness/whole_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FIXTURE "tests/fixtures/multipartition-fixture.csv"
#define QUICK_FIXTURE "tests/fixtures/multipartition-quick-fixture.csv"
#define LAYOUT "plots/multipartition.table.json"
#define PUBLISHED "results/published/multipartition-table1.csv"

static inline void load(gb_results *results, const char *path)
{
    gb_error error = {0};
    if (!gb_results_add(results, path, &error)) fail_msg("%s: %s", path, error.text);
}

/* The text of all tables of the first set of a file, beside the published numbers. layout: NULL for
 * the plain one. The caller frees it. */
static inline char *table_of(const char *path, const char *layout_path, const gb_choices *chosen,
                             gb_table_format format)
{
    gb_arena arena = {0};
    gb_results results = {0}, published = {0};
    gb_table_layout layout;
    gb_slices slices;
    bool drawn[GB_MAX_AXES];
    const gb_result_set *paper = NULL;
    gb_error error = {0};
    gb_choices none = {0};
    char *text = NULL;
    size_t size;

    load(&results, path);
    const gb_result_set *set = &results.sets[0];
    bool ok = true;
    if (layout_path)
        ok = gb_table_layout_load(&arena, layout_path, &layout, &error);
    else
        layout = gb_table_layout_plain(&arena, set);
    ok = ok && gb_published_pair(&results, set, NULL, layout.paper, &published, &paper, &error) &&
         gb_table_drawn_axes(&arena, &layout, set, drawn, &error) &&
         gb_table_derive(&arena, &layout, drawn, &set, &paper, &error) &&
         gb_results_slice(&arena, set, drawn, &layout.where, chosen ? chosen : &none, &slices,
                          &error);
    FILE *file = open_memstream(&text, &size);
    for (size_t i = 0; ok && i < slices.count; i++) {
        gb_table table;
        gb_table_build(&arena, &layout, set, &slices.items[i], &(gb_table_printed){.paper = paper},
                       &table);
        gb_table_write(&arena, &table, format, file);
    }
    fclose(file);
    gb_results_free(&results);
    gb_results_free(&published);
    gb_arena_free(&arena);
    if (!ok) fail_msg("%s", error.text);
    return text;
}

/* Fails with the first line that differs. GPUBENCH_UPDATE_GOLDEN=1 writes the golden file instead,
 * for review with git diff. */
static inline void assert_golden(const char *path, const char *text)
{
    if (getenv("GPUBENCH_UPDATE_GOLDEN")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
        return;
    }
    char *golden = whole_file(path);
    if (!golden) fail_msg("%s is missing", path);
    const char *a = golden, *b = text;
    for (int line = 1; *a || *b; line++) {
        size_t length_a = strcspn(a, "\n"), length_b = strcspn(b, "\n");
        if (length_a != length_b || strncmp(a, b, length_a) != 0)
            fail_msg("%s: line %d\n  expected: %.*s\n  found:    %.*s", path, line, (int)length_a,
                     a, (int)length_b, b);
        if (a[length_a] != b[length_b]) fail_msg("%s: it ends in line %d", path, line);
        a += length_a + (a[length_a] == '\n');
        b += length_b + (b[length_b] == '\n');
    }
    free(golden);
}

#endif
