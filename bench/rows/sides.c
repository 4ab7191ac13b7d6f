/* Loading what is compared. */
#include "bench/rows/sides.h"

#include "bench/rows/foreign.h"
#include "bench/util/share.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- sides ----------------------------------------------------------------------------------- */

static gb_side *side_of(gb_sides *sides, const gb_results *results, const char *path,
                        const gb_result_row *row)
{
    for (size_t i = 0; i < sides->count; i++)
        if (sides->items[i].results == results && strcmp(sides->items[i].device, row->device) == 0)
            return &sides->items[i];
    sides->items = gb_arena_grow(&sides->arena, sides->items, sides->count, &sides->capacity,
                                 sizeof *sides->items);
    sides->items[sides->count] = (gb_side){.path = path,
                                           .device = row->device,
                                           .model = gb_row_model(row),
                                           .under = row->under,
                                           .label = row->device,
                                           .results = results,
                                           .published = true,
                                           .elsewhere = true};
    return &sides->items[sides->count++];
}

static void add_sides(gb_sides *sides, const gb_results *results, const char *path)
{
    for (size_t s = 0; s < results->set_count; s++) {
        const gb_result_set *set = &results->sets[s];
        for (size_t r = 0; !set->profile && r < set->row_count; r++) {
            gb_side *side = side_of(sides, results, path, &set->rows[r]);
            side->published &= set->published;
            side->elsewhere &= set->elsewhere;
        }
    }
}

/* Sides whose devices have one name, such as files of one folder or a paper's, are told apart by
 * their paths; those that were printed elsewhere, by that first. */
static void label_sides(gb_sides *sides)
{
    for (size_t i = 0; i < sides->count; i++) {
        gb_side *side = &sides->items[i];
        if (side->elsewhere)
            side->label = gb_arena_printf(&sides->arena, "%s (elsewhere)", side->device);
        for (size_t j = 0; j < sides->count; j++)
            if (j != i && strcmp(side->device, sides->items[j].device) == 0 &&
                side->elsewhere == sides->items[j].elsewhere)
                side->label = gb_arena_printf(&sides->arena, "%s (%s)", side->device, side->path);
    }
}

static bool add_operand(gb_sides *sides, const char *path, const char *named, gb_error *error)
{
    gb_results *results = &sides->operands[sides->operand_count];
    sides->named[sides->operand_count++] = named;
    results->seen = &sides->seen;
    results->map = sides->map;
    return gb_results_add(results, path, error);
}

/* The folder of what others printed, if an operand is that of published numbers; NULL. */
static const char *elsewhere_of(gb_sides *sides, const char *path)
{
    struct stat of, published;
    const char *share = gb_share_find(&sides->arena, "results/published");
    if (!share || stat(path, &of) != 0 || stat(share, &published) != 0) return NULL;
    if (of.st_dev != published.st_dev || of.st_ino != published.st_ino) return NULL;
    return gb_share_find(&sides->arena, "results/published/elsewhere");
}

static bool load_operand(gb_sides *sides, const char *path, gb_error *error)
{
    const char *named = path;
    if (strcmp(path, "published") == 0 && access(path, F_OK) != 0)
        path = gb_share_find(&sides->arena, "results/published");
    if (path) {
        const char *elsewhere = elsewhere_of(sides, path);
        return add_operand(sides, path, named, error) &&
               (!elsewhere || add_operand(sides, elsewhere, elsewhere, error));
    }
    gb_fail(error, GB_WRONG, "there is no results/published in any of: %s",
            gb_share_places(&sides->arena));
    return false;
}

bool gb_sides_load(gb_sides *sides, char **paths, size_t count, gb_error *error)
{
    /* Behind each there may be one of what others printed. */
    sides->operands = calloc(2 * count, sizeof *sides->operands);
    sides->named = calloc(2 * count, sizeof *sides->named);
    if (!sides->operands || !sides->named) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return false;
    }
    /* Needed for some views alone, which say so where it is not there. */
    if (gb_share_find(&sides->arena, "results/published/gpus.csv") &&
        !gb_gpus_load(&sides->arena, "gpus.csv", &sides->gpus, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!load_operand(sides, paths[i], error)) return false;
    gb_foreign_adopt(sides->operands, sides->operand_count);
    gb_places_tell_apart(&sides->arena, sides->operands, sides->operand_count);
    for (size_t i = 0; i < sides->operand_count; i++)
        add_sides(sides, &sides->operands[i], sides->named[i]);
    label_sides(sides);
    return true;
}

void gb_sides_free(gb_sides *sides)
{
    for (size_t i = 0; i < sides->run_count; i++)
        gb_samples_file_free(sides->runs[i].samples);
    for (size_t i = 0; i < sides->operand_count; i++)
        gb_results_free(&sides->operands[i]);
    free(sides->operands);
    free(sides->named);
    gb_arena_free(&sides->arena);
    *sides = (gb_sides){0};
}

/* ---- runs ------------------------------------------------------------------------------------ */

static gb_known_run *run_of(gb_sides *sides, const gb_result_row *row)
{
    for (size_t i = sides->run_count; i-- > 0;)
        if (strcmp(sides->runs[i].facts.csv, row->path) == 0) return &sides->runs[i];
    sides->runs = gb_arena_grow(&sides->arena, sides->runs, sides->run_count, &sides->run_capacity,
                                sizeof *sides->runs);
    gb_known_run *run = &sides->runs[sides->run_count++];
    *run = (gb_known_run){.facts = gb_run_facts_read(&sides->arena, row->path)};
    return run;
}

const gb_run_facts *gb_side_run(gb_sides *sides, const gb_result_row *row)
{
    return &run_of(sides, row)->facts;
}

/* How many rows of a file have been measured, and how many of them have no samples. */
static size_t count_lacking(const gb_sides *sides, const gb_known_run *run, size_t *measured)
{
    size_t lacking = 0;
    *measured = 0;
    for (size_t o = 0; o < sides->operand_count; o++)
        for (size_t s = 0; s < sides->operands[o].set_count; s++) {
            const gb_result_set *set = &sides->operands[o].sets[s];
            for (size_t r = 0; r < set->row_count; r++) {
                const gb_result_row *row = &set->rows[r];
                if (row->status != GB_OK || row->samples == 0) continue;
                if (strcmp(row->path, run->facts.csv) != 0) continue;
                ++*measured;
                lacking += !gb_samples_of(run->samples, set, row);
            }
        }
    return lacking;
}

/* Verdicts by intervals are others than those by samples: which they are is said. */
static void tell_lacking(const gb_sides *sides, const gb_known_run *run, const char *path)
{
    size_t measured;
    const size_t lacking = count_lacking(sides, run, &measured);
    const size_t bad = gb_samples_bad_line(run->samples);
    char line[64] = "";
    if (lacking == 0) return;
    if (bad) snprintf(line, sizeof line, " (line %zu is the first that makes no sense)", bad);
    fprintf(stderr,
            "note: %zu of %zu rows of %s have no samples of their mean in %s%s; they are compared "
            "by their intervals\n",
            lacking, measured, run->facts.csv, path, line);
}

/* Another tool's rows bring their samples with them, if their file has any. */
static const double *foreign_samples(gb_known_run *run, const gb_result_row *row)
{
    if (row->times || run->told) return row->times;
    run->told = true;
    fprintf(stderr,
            "note: %s has rows without samples, which are compared by mean and deviation%s%s\n",
            row->path, row->source->keep ? "; to have them kept: " : "",
            row->source->keep ? row->source->keep : "");
    return NULL;
}

const double *gb_side_samples(gb_sides *sides, const gb_result_set *set, const gb_result_row *row)
{
    gb_known_run *run = run_of(sides, row);
    if (row->source) return foreign_samples(run, row);
    if (!run->samples) {
        gb_error error;
        const char *path = gb_beside_result(&sides->arena, run->facts.csv, ".samples.csv");
        run->samples = gb_samples_read(path, &error);
        if (!run->samples) {
            fprintf(stderr, "gpubench: %s\n", error.text);
            run->samples = gb_samples_read("", &error);
        }
        if (run->samples) tell_lacking(sides, run, path);
    }
    return run->samples ? gb_samples_of(run->samples, set, row) : NULL;
}
