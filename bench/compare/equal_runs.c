/* What equal runs tell of a device's noise. */
#include "bench/compare/equal_runs.h"

#include "bench/compare/compare.h"
#include "bench/rows/ratio.h"
#include "bench/util/columns.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Intervals of fewer samples are too wide to tell noise by. */
enum { FEWEST_SAMPLES = 10, PAIRS = GB_AA_PASSES * (GB_AA_PASSES - 1) / 2 };

typedef struct aa {
    gb_sides sides;
    gb_comparison comparisons[PAIRS];
    gb_noise noise;
    char path[4096 + 16];
} aa;

bool gb_aa_folder(char *folder, size_t capacity, const char *results, int pass)
{
    static const char *const names[GB_AA_PASSES] = {"first", "second", "third"};
    const int length = snprintf(folder, capacity, "%s/aa/%s", results, names[pass]);
    return length > 0 && (size_t)length < capacity;
}

/* Every two passes with what is known of the noise by now. Returns how many rows met. */
static size_t compare_passes(aa *a, const gb_noise *noise)
{
    const gb_judging judging = {.alpha = 0.05, .min_effect = 0.01, .noise = noise};
    size_t rows = 0, at = 0;
    for (int i = 0; i < GB_AA_PASSES; i++) {
        for (int k = i + 1; k < GB_AA_PASSES; k++) {
            gb_comparison *c = &a->comparisons[at++];
            gb_compare_join(&a->sides, &a->sides.items[i], &a->sides.items[k], NULL, c);
            gb_compare_judge(&a->sides, &judging, c);
            rows += c->pair_count;
        }
    }
    return rows;
}

static bool has_enough_samples(const gb_pair *pair)
{
    return pair->a->samples >= FEWEST_SAMPLES && pair->b->samples >= FEWEST_SAMPLES;
}

static void make_noise(aa *a, size_t most)
{
    gb_arena *arena = &a->sides.arena;
    gb_noise_row *rows = gb_arena_alloc(arena, (most + 1) * sizeof *rows);
    double *differences = gb_arena_alloc(arena, (most + 1) * sizeof *differences);
    size_t count = 0;
    for (int p = 0; p < PAIRS; p++) {
        for (size_t i = 0; i < a->comparisons[p].pair_count; i++) {
            const gb_pair *pair = &a->comparisons[p].pairs[i];
            const gb_ratio *r = &pair->ratio;
            if (!(r->lo > 0) || !has_enough_samples(pair)) continue;
            rows[count] = gb_noise_row_of(pair->set, pair->a);
            differences[count++] = (r->hi > 1 / r->lo ? r->hi : 1 / r->lo) - 1;
        }
    }
    gb_noise_make(arena, rows, differences, count, &a->noise);
}

static const char *time_text(const gb_noise_class *c, char text[32])
{
    static const char *const decades[] = {"1 to 10 us", "10 to 100 us", "0.1 to 1 ms",
                                          "1 to 10 ms", "10 to 100 ms", "0.1 to 1 s",
                                          "1 to 10 s"};
    if (*c->variant)
        snprintf(text, 32, "%s", "any");
    else if (c->decade >= -6 && c->decade <= 0)
        snprintf(text, 32, "%s", decades[c->decade + 6]);
    else
        snprintf(text, 32, "1e%d to 1e%d s", c->decade, c->decade + 1);
    return text;
}

static void print(const aa *a, FILE *file)
{
    static const char *const headers[] = {"SCOPE",  "RUNS ON",    "VARIANT", "TIME", "ROWS",
                                          "MEDIAN", "99 % BELOW", "LARGEST", NULL};
    gb_columns *columns = gb_columns_new(headers);
    for (size_t i = 0; i < a->noise.count; i++) {
        const gb_noise_class *c = &a->noise.items[i];
        char rows[24], shares[3][24], time[32];
        const double values[] = {c->median, c->floor, c->largest};
        snprintf(rows, sizeof rows, "%zu", c->rows);
        for (int k = 0; k < 3; k++)
            snprintf(shares[k], sizeof shares[k], "%.2f %%", 100 * values[k]);
        gb_columns_add(columns,
                       (const char *[]){c->scope, c->kind, *c->variant ? c->variant : "(others)",
                                        time_text(c, time), rows, shares[0], shares[1], shares[2]});
    }
    size_t rows = 0, few = 0, verdicts[GB_VERDICT_COUNT] = {0};
    for (int p = 0; p < PAIRS; p++) {
        for (size_t i = 0; i < a->comparisons[p].pair_count; i++) {
            const gb_pair *pair = &a->comparisons[p].pairs[i];
            if (!has_enough_samples(pair)) {
                few++;
                continue;
            }
            rows++;
            verdicts[pair->verdict]++;
        }
    }
    fprintf(file, "\nHow far apart equal runs may be found on %s\n\n", a->sides.items[0].model);
    gb_columns_print(file, columns, 0);
    gb_columns_free(columns);
    fprintf(
        file,
        "\n%d runs, %zu pairs of rows: %zu SAME (%.2f %%), %zu UNCLEAR, %zu FASTER, %zu SLOWER, "
        "as `gpubench compare`\njudges them with these floors\n",
        GB_AA_PASSES, rows, verdicts[GB_SAME],
        100 * (double)verdicts[GB_SAME] / (double)(rows ? rows : 1), verdicts[GB_UNCLEAR],
        verdicts[GB_FASTER], verdicts[GB_SLOWER]);
    if (few > 0)
        fprintf(file, "left out: %zu pairs of rows with fewer than %d samples\n", few,
                FEWEST_SAMPLES);
    fprintf(file, "noise:  %s\n", a->path);
}

static bool load(aa *a, const char *results, gb_error *error)
{
    char folders[GB_AA_PASSES][4096];
    char *paths[GB_AA_PASSES];
    for (int i = 0; i < GB_AA_PASSES; i++) {
        paths[i] = folders[i];
        if (gb_aa_folder(folders[i], sizeof folders[i], results, i)) continue;
        gb_fail(error, GB_WRONG, "the name of the folder %s is too long", results);
        return false;
    }
    snprintf(a->path, sizeof a->path, "%s/aa/noise.csv", results);
    if (!gb_sides_load(&a->sides, paths, GB_AA_PASSES, error)) return false;
    bool same = a->sides.count == GB_AA_PASSES;
    for (size_t i = 1; same && i < a->sides.count; i++)
        same = strcmp(a->sides.items[i].model, a->sides.items[0].model) == 0;
    if (!same)
        gb_fail(error, GB_WRONG,
                "the folders below %s/aa do not hold the rows of one device each: give --out "
                "another folder",
                results);
    return same;
}

bool gb_aa_settle(const char *results, FILE *file, gb_error *error)
{
    aa *a = calloc(1, sizeof *a);
    if (!a) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return false;
    }
    bool good = load(a, results, error);
    if (good) {
        const size_t rows = compare_passes(a, NULL);
        make_noise(a, rows);
        good = a->noise.count > 0;
        if (!good)
            gb_fail(error, GB_WRONG,
                    "no row was measured twice with at least %d samples, so that nothing can be "
                    "said of noise",
                    FEWEST_SAMPLES);
    }
    if (good) good = gb_noise_write(&a->noise, a->path, error);
    if (good) { /* once more, with what is known now */
        compare_passes(a, &a->noise);
        print(a, file);
    }
    gb_sides_free(&a->sides);
    free(a);
    return good;
}
