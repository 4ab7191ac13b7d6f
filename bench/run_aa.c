/* What two equal runs tell of a device's noise. */
#include "bench/run_aa.h"

#include "bench/columns.h"
#include "bench/compare.h"

#include <string.h>

bool gb_aa_folder(char *folder, size_t capacity, const char *results, int pass)
{
    const int length =
        snprintf(folder, capacity, "%s/aa/%s", results, pass == 0 ? "first" : "second");
    return length > 0 && (size_t)length < capacity;
}

static void collect(gb_arena *arena, const gb_comparison *comparison, gb_noise *noise)
{
    gb_noise_builder *builder = gb_noise_begin(arena);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const gb_pair *pair = &comparison->pairs[i];
        const double ratio = pair->ratio.value;
        if (!(ratio > 0) || !(pair->a->time_s > 0)) continue;
        gb_noise_add(builder, pair->a->device, pair->a->scope, !*pair->a->limit_kind,
                     pair->a->time_s, (ratio > 1 ? ratio : 1 / ratio) - 1);
    }
    gb_noise_settle(builder, noise);
}

static void print(const gb_noise *noise, const gb_comparison *comparison, const char *path,
                  FILE *file)
{
    static const char *const headers[] = {"SCOPE",  "RUNS ON",    "TIME",    "ROWS",
                                          "MEDIAN", "99 % BELOW", "LARGEST", NULL};
    static const char *const decades[] = {"1 to 10 us", "10 to 100 us", "0.1 to 1 ms",
                                          "1 to 10 ms", "10 to 100 ms", "0.1 to 1 s",
                                          "1 to 10 s"};
    gb_columns *columns = gb_columns_new(headers);
    for (size_t i = 0; i < noise->count; i++) {
        const gb_noise_class *c = &noise->items[i];
        char rows[24], shares[3][24], time[32];
        const double values[] = {c->median, c->floor, c->largest};
        snprintf(rows, sizeof rows, "%zu", c->rows);
        snprintf(time, sizeof time, "1e%d to 1e%d s", c->decade, c->decade + 1);
        if (c->decade >= -6 && c->decade <= 0)
            snprintf(time, sizeof time, "%s", decades[c->decade + 6]);
        for (int k = 0; k < 3; k++)
            snprintf(shares[k], sizeof shares[k], "%.2f %%", 100 * values[k]);
        gb_columns_add(columns, (const char *[]){c->scope, c->kind, time, rows, shares[0],
                                                 shares[1], shares[2]});
    }
    fprintf(file, "\nDifferences between two equal runs on %s\n\n", comparison->a->device);
    gb_columns_print(file, columns, 0);
    gb_columns_free(columns);
    fprintf(file,
            "\n%zu rows: %zu SAME, %zu UNCLEAR, %zu FASTER, %zu SLOWER (as `gpubench compare` "
            "judges them with these floors)\nnoise:  %s\n",
            comparison->pair_count, comparison->verdicts[GB_SAME], comparison->verdicts[GB_UNCLEAR],
            comparison->verdicts[GB_FASTER], comparison->verdicts[GB_SLOWER], path);
}

bool gb_aa_settle(const char *results, FILE *file, gb_error *error)
{
    gb_sides sides = {0};
    gb_noise noise;
    gb_comparison comparison;
    gb_judging judging = {.alpha = 0.05, .min_effect = 0.01};
    char first[4096], second[4096], path[4096 + 16];
    char *paths[] = {first, second};
    bool good = gb_aa_folder(first, sizeof first, results, 0) &&
                gb_aa_folder(second, sizeof second, results, 1) &&
                gb_sides_load(&sides, paths, 2, error);
    if (good && (sides.count != 2 || strcmp(sides.items[0].device, sides.items[1].device) != 0)) {
        good = false;
        gb_fail(error, GB_WRONG,
                "%s and %s do not hold one device's rows each: give --out another folder", first,
                second);
    }
    if (good) {
        gb_compare_join(&sides, &sides.items[0], &sides.items[1], NULL, &comparison);
        gb_compare_judge(&sides, &judging, &comparison);
        good = comparison.pair_count > 0;
        if (!good) gb_fail(error, GB_WRONG, "no row was measured in both passes");
    }
    if (good) {
        collect(&sides.arena, &comparison, &noise);
        snprintf(path, sizeof path, "%s/aa/noise.csv", results);
        good = gb_noise_write(&noise, path, error);
    }
    if (good) { /* once more, with what is known now */
        judging.noise = &noise;
        gb_compare_join(&sides, &sides.items[0], &sides.items[1], NULL, &comparison);
        gb_compare_judge(&sides, &judging, &comparison);
        print(&noise, &comparison, path, file);
    }
    gb_sides_free(&sides);
    return good;
}
