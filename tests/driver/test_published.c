/* Published numbers: complete, and consistent with one another. */
#include "common/text/number.h"
#include "tests/driver/table_fixture.h"

#include "bench/claims/claims.h"
#include "bench/rows/elsewhere.h"
#include "bench/rows/gpus.h"
#include "bench/rows/papers.h"
#include "bench/rows/ratio.h"

#include <math.h>

static const gb_result_set *table1(gb_results *results)
{
    load(results, PUBLISHED);
    assert_int_equal(results->set_count, 1);
    return &results->sets[0];
}

static void every_cell_is_there(void **state)
{
    (void)state;
    gb_results results = {0};
    const gb_result_set *set = table1(&results);
    static const struct {
        const char *variant, *quantity;
        gb_status status;
        size_t cells;
    } expected[] = {
        {"multipartition", "rate", GB_OK, 4 * 15},
        {"multisplit", "rate", GB_OK, 4 * 3},
        {"multisplit", "rate", GB_UNSUPPORTED, 4 * (4 + 8)},
        {"multipartition", "speedup", GB_OK, 4 * 3},
        {"multipartition", "speedup", GB_UNSUPPORTED, 4 * 4},
    };
    size_t total = 0;
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        size_t cells = 0;
        for (size_t i = 0; i < set->row_count; i++)
            cells += strcmp(set->rows[i].variant, expected[e].variant) == 0 &&
                     strcmp(set->rows[i].quantity, expected[e].quantity) == 0 &&
                     set->rows[i].status == expected[e].status;
        assert_int_equal(cells, expected[e].cells);
        total += cells;
    }
    assert_int_equal(set->row_count, total);
    gb_results_free(&results);
}

static const gb_result_row *at(const gb_result_set *set, const char *n, const char *bins,
                               const char *variant, const char *quantity)
{
    gb_result_row point = *set->rows;
    point.axis[gb_result_axis(set, "n")] = n;
    point.axis[gb_result_axis(set, "bins")] = bins;
    return gb_published_find(set, set, &point, variant, "NVIDIA RTX A4500", quantity);
}

static void values_are_the_printed_ones(void **state)
{
    (void)state;
    gb_results results = {0};
    const gb_result_set *set = table1(&results);
    const gb_result_row *row = at(set, "32000000", "256", "multipartition", "rate");
    assert_true(row->rate == 33.4e9);
    assert_int_equal(row->digits, 3);
    assert_true(fabs(row->rate_hi / row->rate - 1.005) < 1e-12);
    assert_true(at(set, "32000000", "256", "multisplit", "rate")->rate == 18.3e9);
    assert_true(at(set, "32000000", "256", "multipartition", "speedup")->speedup == 1.83);
    row = at(set, "1000000", "12288", "multipartition", "rate");
    assert_true(row->rate == 7.4e9);
    assert_int_equal(row->digits, 2);
    assert_true(at(set, "8000000", "512", "multipartition", "rate")->rate == 8.4e9);
    assert_int_equal(at(set, "8000000", "512", "multisplit", "rate")->status, GB_UNSUPPORTED);
    assert_null(at(set, "2000000", "512", "multisplit", "rate"));
    gb_results_free(&results);
}

/* What no paper says and a table or figure rests on is said in each of its rows, briefly enough for
 * the foot of a figure. */
static void assumptions_are_said(void **state)
{
    (void)state;
    static const char *const files[] = {PUBLISHED, "results/published/radix-sort-table1.csv",
                                        "results/published/stencil-figure3.csv",
                                        "results/published/octree-claims.csv"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        gb_results results = {0};
        load(&results, files[f]);
        for (size_t i = 0; i < results.sets[0].row_count; i++) {
            const gb_result_row *row = &results.sets[0].rows[i];
            const size_t length = strlen(row->assumption);
            if (row->status == GB_OK && (length == 0 || length >= 80))
                fail_msg("%s: the assumption of %s has %zu characters: '%s'", files[f],
                         row->variant, length, row->assumption);
        }
        gb_results_free(&results);
    }
}

/* A rate printed as 16.7 lies in [16.65, 16.75]; the printed speed-up must be possible for such
 * rates, itself rounded to two decimals. */
static void speedups_follow_from_rates(void **state)
{
    (void)state;
    gb_results results = {0};
    const gb_result_set *set = table1(&results);
    size_t checked = 0;
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        if (strcmp(row->quantity, "speedup") != 0 || row->status != GB_OK) continue;
        const char *n = row->axis[gb_result_axis(set, "n")];
        const char *bins = row->axis[gb_result_axis(set, "bins")];
        double of = at(set, n, bins, "multipartition", "rate")->rate;
        double over = at(set, n, bins, "multisplit", "rate")->rate;
        double least = (of - 0.05e9) / (over + 0.05e9), most = (of + 0.05e9) / (over - 0.05e9);
        if (row->speedup + 0.005 < least || row->speedup - 0.005 > most)
            fail_msg("n %s, bins %s: printed %.2f, the rates give %.3f to %.3f", n, bins,
                     row->speedup, least, most);
        checked++;
    }
    assert_int_equal(checked, 12);
    gb_results_free(&results);
}

/* Radix sort: all ten rows; the speed-ups are possible for times that were rounded to four
 * decimals, themselves rounded or cut to two. */
static void radix_sort_is_whole(void **state)
{
    (void)state;
    gb_results results = {0};
    load(&results, "results/published/radix-sort-table1.csv");
    const gb_result_set *set = &results.sets[0];
    size_t checked = 0;
    assert_int_equal(set->row_count, 30);
    assert_string_equal(set->scope, "host-to-host");
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        assert_int_equal(row->status, GB_OK);
        if (strcmp(row->quantity, "speedup") != 0) continue;
        const gb_result_row *gpu =
            gb_published_find(set, set, row, "opencl-lsd1", "unnamed GPU", "time");
        const gb_result_row *cpu =
            gb_published_find(set, set, row, "cpu-lsd1", "unnamed CPU", "time");
        assert_non_null(gpu);
        assert_non_null(cpu);
        double least = (cpu->time_s - 5e-5) / (gpu->time_s + 5e-5) - 0.01;
        double most = (cpu->time_s + 5e-5) / (gpu->time_s - 5e-5) + 0.005;
        if (row->speedup < least || row->speedup > most)
            fail_msg("n %s: printed %.2f, the times give %.3f to %.3f", row->axis[0], row->speedup,
                     least, most);
        checked++;
    }
    assert_int_equal(checked, 10);
    gb_results_free(&results);
}

/* Stencils: four radii of each GPU, found wherever x was measured and however many steps; the
 * printed range of their ratios follows from them, cut to one decimal. */
static void stencil_is_whole(void **state)
{
    (void)state;
    static const char path[] = "results/published/stencil-figure3.csv";
    static const char *const radii[] = {"1", "2", "3", "4"};
    gb_results results = {0}, measured = {0};
    gb_error error = {0};
    load(&results, path);
    load(&measured, "tests/fixtures/stencil-fixture.csv");
    const gb_result_set *set = &results.sets[0];
    assert_int_equal(set->row_count, 8);
    double least = 1e9, most = 0;
    for (size_t r = 0; r < 4; r++) {
        gb_result_row point = measured.sets[0].rows[0];
        point.axis[gb_result_axis(&measured.sets[0], "x")] = gb_best;
        point.axis[gb_result_axis(&measured.sets[0], "radius")] = radii[r];
        point.axis[gb_result_axis(&measured.sets[0], "steps")] = "7";
        const gb_result_row *k80 =
            gb_published_find(set, &measured.sets[0], &point, "best", "NVIDIA K80", "rate");
        const gb_result_row *p100 =
            gb_published_find(set, &measured.sets[0], &point, "best", "NVIDIA P100", "rate");
        assert_non_null(k80);
        assert_non_null(p100);
        assert_string_equal(k80->unit, "flop/s");
        const double ratio = p100->rate / k80->rate;
        least = ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
    }
    gb_arena arena = {0};
    gb_claims claims = {0};
    assert_true(gb_claims_load(&arena, path, &claims, &error));
    double printed[2] = {0};
    size_t ratios = 0;
    for (size_t i = 0; i < claims.count; i++) {
        if (claims.items[i].quantity != GB_CLAIM_DEVICE_RATIO) continue;
        assert_true(ratios < 2);
        assert_string_equal(claims.items[i].along, "radius");
        assert_true(gb_number_parse(claims.items[i].value, &printed[ratios++]));
    }
    assert_int_equal(ratios, 2);
    assert_true(printed[0] == 3.6 && printed[1] == 5.4);
    assert_true(floor(10 * least) / 10 == printed[0]);
    assert_true(floor(10 * most) / 10 == printed[1]);
    gb_arena_free(&arena);
    gb_results_free(&results);
    gb_results_free(&measured);
}

/* Octrees: the one number about a point, found whatever the grid and the pool were; claims apart.
 */
static void octree_is_whole(void **state)
{
    (void)state;
    gb_results results = {0};
    load(&results, "results/published/octree-claims.csv");
    const gb_result_set *set = &results.sets[0];
    assert_int_equal(set->row_count, 1);
    gb_result_row point = *set->rows;
    assert_string_equal(point.axis[gb_result_axis(set, "n")], "16000000");
    assert_string_equal(point.axis[gb_result_axis(set, "dist")], "cube");
    point.axis[gb_result_axis(set, "grid")] = "full";
    point.axis[gb_result_axis(set, "pool")] = "100";
    const gb_result_row *row = gb_published_find(set, set, &point, "octreebuild-lf-as-published",
                                                 "NVIDIA RTX A4500", "speedup");
    assert_non_null(row);
    assert_true(row->speedup == 1.84);
    assert_string_equal(row->baseline, "burtscher-pingali-as-published");
    gb_results_free(&results);
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* Whether a text has a word between quotes or, in a list of a claim, alone. */
static bool names(const char *text, const char *before, const char *word, const char *after)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "%s%s%s", before, word, after);
    return strstr(text, quoted) != NULL;
}

/* Each variant of a list separated by ';' stands in a config's list of variants. */
static void has_variants(const gb_claim *claim, const char *config, const char *list)
{
    char variant[64];
    for (size_t length; *list; list += length + (list[length] == ';')) {
        length = strcspn(list, ";");
        snprintf(variant, sizeof variant, "%.*s", (int)length, list);
        if (!names(config, "\"", variant, "\""))
            fail_msg("%s, '%s': configs/%s.json does not run %s", claim->paper, claim->statement,
                     claim->experiment, variant);
    }
}

static void every_claim_can_be_tested(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_papers papers = {0};
    gb_claims claims = {0};
    gb_error error = {0};
    if (!gb_claims_load_all(&arena, &claims, &error) || !gb_papers_load(&arena, &papers, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < claims.count; i++) {
        const gb_claim *claim = &claims.items[i];
        assert_non_null(gb_paper_find(&papers, claim->paper));
        assert_string_equal(claim->primitive, gb_paper_find(&papers, claim->paper)->primitive);
        assert_true(*claim->locator && *claim->device && *claim->scope);
        char path[128];
        snprintf(path, sizeof path, "configs/%s.json", claim->experiment);
        char *config = whole_file(path);
        if (!config) fail_msg("%s: there is no %s", claim->paper, path);
        assert_true(names(config, "\"primitive\": \"", claim->primitive, "\""));
        /* the best of all variants is none */
        if (claim->quantity != GB_CLAIM_DEVICE_RATIO) has_variants(claim, config, claim->variant);
        has_variants(claim, config, claim->baseline);
        if (!names(config, "\"", claim->scope, "\""))
            fail_msg("%s, '%s': %s does not measure %s", claim->paper, claim->statement, path,
                     claim->scope);
        /* a number that is not the paper's is said to be ours */
        if (!*claim->value && strpbrk(claim->condition.text, "23456789"))
            assert_non_null(strstr(claim->note, "ead here as"));
        free(config);
    }
    assert_true(papers.count >= 5);
    for (size_t p = 0; p < papers.count; p++) {
        const gb_paper *paper = &papers.items[p];
        bool has = false;
        for (size_t i = 0; i < claims.count; i++)
            has |= strcmp(claims.items[i].paper, paper->name) == 0;
        if (!has) fail_msg("%s has no claims", paper->name);
        if (strcmp(paper->title, paper->name) == 0)
            fail_msg("%s has no title in results/published/papers.json", paper->name);
    }
    gb_arena_free(&arena);
}

/* The value of a claim about a quantity, found by a part of its statement. */
static double claimed(const gb_claims *claims, const char *paper, const char *statement)
{
    for (size_t i = 0; i < claims->count; i++) {
        double value = 0;
        if (strcmp(claims->items[i].paper, paper) == 0 &&
            strstr(claims->items[i].statement, statement) &&
            gb_number_parse(claims->items[i].value, &value))
            return value;
    }
    fail_msg("%s has no claim '%s' with a number", paper, statement);
    return 0;
}

static double radix_time(const gb_result_set *set, const char *variant, const char *device,
                         const char *n)
{
    for (size_t i = 0; i < set->row_count; i++)
        if (strcmp(set->rows[i].axis[gb_result_axis(set, "n")], n) == 0)
            return gb_published_find(set, set, &set->rows[i], variant, device, "time")->time_s;
    return 0;
}

static double rounded(double value)
{
    return round(100 * value) / 100;
}

/* What follows from the tables is what follows from the tables. */
static void claims_follow_from_tables(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_claims claims = {0};
    gb_error error = {0};
    gb_results results = {0}, radix = {0};
    assert_true(gb_claims_load_all(&arena, &claims, &error));
    const gb_result_set *set = table1(&results);
    const gb_result_row *best = at(set, "32000000", "256", "multipartition", "speedup");
    for (size_t i = 0; i < set->row_count; i++)
        if (strcmp(set->rows[i].quantity, "speedup") == 0)
            assert_true(set->rows[i].speedup <= best->speedup);
    assert_true(claimed(&claims, "multipartition", "up to 1.83 times") == best->speedup);
    assert_true(claimed(&claims, "multipartition", "up to 83 %") == best->speedup);
    const double at40 = at(set, "32000000", "40", "multipartition", "rate")->rate,
                 at361 = at(set, "32000000", "361", "multipartition", "rate")->rate,
                 at512 = at(set, "32000000", "512", "multipartition", "rate")->rate;
    assert_true(claimed(&claims, "multipartition", "(40 to 361)") == rounded(at361 / at40));
    assert_true(claimed(&claims, "multipartition", "(361 to 512)") == rounded(at512 / at361));
    assert_true(claimed(&claims, "multipartition", "beyond 0.5 %") == 0.005);

    load(&radix, "results/published/radix-sort-table1.csv");
    const gb_result_set *sort = &radix.sets[0];
    double most = 0;
    for (size_t i = 0; i < sort->row_count; i++) {
        const gb_result_row *row = &sort->rows[i];
        if (strcmp(row->quantity, "speedup") != 0) continue;
        most = fmax(most, row->speedup);
    }
    assert_true(claimed(&claims, "radix-sort", "up to 38.36") == most);
    const double at50 = 50e6 / radix_time(sort, "opencl-lsd1", "unnamed GPU", "50000000"),
                 at200 = 200e6 / radix_time(sort, "opencl-lsd1", "unnamed GPU", "200000000");
    const double rate210 = 210e6 / radix_time(sort, "opencl-lsd1", "unnamed GPU", "210000000");
    assert_true(claimed(&claims, "radix-sort", "linear in n") == rounded(at200 / at50));
    assert_true(claimed(&claims, "radix-sort", "falls at 210") == rounded(rate210 / at200));
    assert_true(claimed(&claims, "octree", "up to 1.84") == 1.84);
    gb_results_free(&radix);
    gb_results_free(&results);
    gb_arena_free(&arena);
}

static void found_by_name(void **state)
{
    (void)state;
    gb_results published = {0};
    gb_error error = {0};
    assert_true(gb_published_load(&published, "multipartition-table1.csv", &error));
    gb_results_free(&published);
    published = (gb_results){0};
    assert_false(gb_published_load(&published, "no-such-paper.csv", &error));
    assert_non_null(strstr(error.text, "results/published/no-such-paper.csv"));
    gb_results_free(&published);
    published = (gb_results){0};
    assert_false(gb_published_load(&published, FIXTURE, &error));
    assert_non_null(strstr(error.text, "holds measured results"));
    gb_results_free(&published);
}

/* A repository, or a work that papers.json has. */
static bool is_known_source(const gb_papers *papers, const char *source)
{
    bool known = strchr(source, '/');
    for (size_t i = 0; i < papers->references.count; i++)
        known |= strcmp(papers->references.items[i].called, source) == 0;
    return known;
}

static void check_elsewhere(const gb_result_set *set, const gb_result_row *row, const gb_gpus *gpus)
{
    if (!gb_gpu_find(gpus, row->device)) fail_msg("gpus.csv has no %s", row->device);
    assert_true(*row->locator);
    assert_true(row->year >= 2010 && row->year <= 2026);
    if (!*row->assumption || strlen(row->assumption) >= 80)
        fail_msg("%s, %s: assumption '%s'", set->experiment, row->device, row->assumption);
    /* whichever is printed, the other follows from the number of keys */
    const char *n = row->axis[gb_result_axis(set, "n")];
    if (strcmp(n, gb_best) == 0) {
        assert_true(row->rate > 0 && row->time_s == 0);
        return;
    }
    assert_true(fabs(row->rate * row->time_s / strtod(n, NULL) - 1) < 1e-9);
    assert_string_equal(row->unit, "keys");
}

static void elsewhere_is_whole(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_papers papers = {0};
    gb_gpus gpus = {0};
    gb_error error = {0};
    gb_results results = {0};
    size_t rows = 0;
    assert_true(gb_papers_load(&arena, &papers, &error));
    assert_true(gb_gpus_load(&arena, "gpus.csv", &gpus, &error));
    if (!gb_elsewhere_load(&results, &error)) fail_msg("%s", error.text);
    for (size_t s = 0; s < results.set_count; s++) {
        const gb_result_set *set = &results.sets[s];
        assert_true(set->published && set->elsewhere);
        if (!is_known_source(&papers, set->experiment))
            fail_msg("'%s' is no repository and no work in papers.json", set->experiment);
        for (size_t r = 0; r < set->row_count; r++)
            check_elsewhere(set, &set->rows[r], &gpus);
        rows += set->row_count;
    }
    assert_int_equal(rows, 41 + 3);
    gb_results_free(&results);
    gb_arena_free(&arena);
}

/* As it is printed, and what follows. */
static void elsewhere_is_a_rate_or_a_time(void **state)
{
    (void)state;
    gb_results results = {0};
    load(&results, "results/published/elsewhere/radix-sort.csv");
    const gb_result_row *timed = NULL, *rated = NULL;
    for (size_t s = 0; s < results.set_count; s++)
        for (size_t r = 0; r < results.sets[s].row_count; r++) {
            const gb_result_row *row = &results.sets[s].rows[r];
            if (row->time_s == 5.631e-3) timed = row;
            if (row->rate == 29.4e9) rated = row;
        }
    assert_non_null(timed);
    assert_string_equal(timed->device, "NVIDIA H100 80GB HBM3");
    assert_string_equal(timed->said_cache, "cold");
    assert_true(fabs(timed->rate - 268435456 / 5.631e-3) < 1);
    assert_int_equal(timed->digits, 4);
    assert_non_null(rated);
    /* as unsure as the last digit that is printed: 0.05 of 29.4, 0.0005 of 5.631 */
    gb_mean cost;
    assert_true(gb_cost_of_row(rated, &cost));
    assert_true(fabs(1.96 * sqrt(cost.variance) / cost.value * 29.4 - 0.05) < 1e-4);
    gb_room room = {0};
    const gb_ratio ratio = gb_ratio_of_rows(&room, timed, NULL, rated, NULL);
    const double half = hypot(0.05 / 29.4, 0.0005 / 5.631);
    assert_true(fabs((ratio.hi - ratio.lo) / 2 / ratio.value / half - 1) < 0.01);
    gb_room_free(&room);
    assert_true(fabs(rated->time_s - 268435456 / 29.4e9) < 1e-12);
    gb_results_free(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_is_there),
        cmocka_unit_test(values_are_the_printed_ones),
        cmocka_unit_test(assumptions_are_said),
        cmocka_unit_test(speedups_follow_from_rates),
        cmocka_unit_test(radix_sort_is_whole),
        cmocka_unit_test(stencil_is_whole),
        cmocka_unit_test(octree_is_whole),
        cmocka_unit_test(every_claim_can_be_tested),
        cmocka_unit_test(claims_follow_from_tables),
        cmocka_unit_test(found_by_name),
        cmocka_unit_test(elsewhere_is_whole),
        cmocka_unit_test(elsewhere_is_a_rate_or_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
