/* Table layouts: those that are taken draw real rows. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tables.h"

#include "bench/rows/rows.h"

#include <math.h>

static gb_results results;

static void free_results(void)
{
    gb_results_free(&results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_error error = {GB_OK, ""};
    if (!results.set_count) {
        REQUIRE(
            gb_results_add(&results, "tests/fixtures/multipartition-quick-fixture.csv", &error));
        atexit(free_results);
    }
    gb_arena arena = {0};
    gb_table_layout layout;
    char *text = fuzz_text(data, size);
    if (gb_table_layout_parse(&arena, "in.json", text, size, &layout, &error)) {
        REQUIRE(layout.row_axis_count >= 1 && layout.row_axis_count <= GB_MAX_AXES);
        REQUIRE(layout.digits >= 1 && layout.digits <= 9);
        REQUIRE(layout.scale > 0 && isfinite(layout.scale));
        REQUIRE(!gb_text_unprintable(layout.title) && *layout.title);
        fuzz_draw(&arena, &results.sets[0], &layout);
    } else {
        require_message(&error, "in.json:");
    }
    free(text);
    gb_arena_free(&arena);
    return 0;
}
