/* Result files and papers' numbers: each row is found again, each table can be drawn. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tables.h"

#include "bench/rows/rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_error error = {GB_OK, ""};
    gb_csv *csv = gb_csv_parse(fuzz_text(data, size), size, "in.csv", &error);
    if (!csv) return 0; /* fuzz_csv.c looks at these */
    gb_results results = {0};
    bool good = gb_results_add_table(&results, "in.csv", csv, &error);
    if (!good) require_message(&error, "in.csv");
    for (size_t s = 0; good && s < results.set_count; s++) {
        const gb_result_set *set = &results.sets[s];
        REQUIRE(set->axis_count >= 1 && set->axis_count <= GB_MAX_AXES);
        REQUIRE(!gb_name_mistake(set->primitive));
        REQUIRE(set->published || !gb_name_mistake(set->experiment));
        for (size_t r = 0; r < set->row_count; r++)
            REQUIRE(gb_result_find(set, &set->rows[r]) == &set->rows[r]);
        fuzz_draw(&results.arena, set, NULL);
    }
    gb_results_free(&results);
    return 0;
}
