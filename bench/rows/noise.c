/* The noise of a device: reading, writing and making its classes. */
#include "bench/rows/noise.h"

#include "bench/rows/rows.h"
#include "bench/util/csv_load.h"
#include "bench/util/replace.h"
#include "common/stats/sort.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "schema,device,scope,kind,primitive,variant,decade,rows,difference_median,difference_p99,"
    "difference_max";

/* The folder of results that a file is of: FOLDER/aa/noise.csv lies beside FOLDER's. */
static const char *folder_of(gb_arena *arena, const char *path)
{
    char *folder = gb_result_home(arena, path);
    if (gb_text_ends(folder, "/aa")) folder[strlen(folder) - strlen("/aa")] = '\0';
    return folder;
}

static bool take_row(gb_arena *arena, const gb_csv *csv, size_t row, const char *path,
                     gb_noise *noise, gb_error *error)
{
    static const char *const numbers[] = {"decade", "rows", "difference_median", "difference_p99",
                                          "difference_max"};
    double value[5];
    if (strcmp(gb_csv_field(csv, row, "schema"), "1") != 0) {
        gb_fail(error, GB_WRONG,
                "%s: data row %zu is of schema %.20s; this gpubench reads schema 1", path, row + 1,
                gb_csv_field(csv, row, "schema"));
        return false;
    }
    for (size_t c = 0; c < csv->columns; c++)
        gb_text_tame(csv->rows[row][c]);
    for (size_t i = 0; i < 5; i++) {
        const char *text = gb_csv_field(csv, row, numbers[i]);
        if (gb_number_parse(text, &value[i]) && (i == 0 || value[i] >= 0) && fabs(value[i]) < 1e9)
            continue;
        gb_fail(error, GB_WRONG,
                "%s: data row %zu, column %s: '%.80s' is no number that can be "
                "there; measure it anew with `gpubench run CONFIG --aa`",
                path, row + 1, numbers[i], text);
        return false;
    }
    noise->items =
        gb_arena_grow(arena, noise->items, noise->count, &noise->capacity, sizeof *noise->items);
    noise->items[noise->count++] =
        (gb_noise_class){.device = gb_arena_strdup(arena, gb_csv_field(csv, row, "device")),
                         .scope = gb_arena_strdup(arena, gb_csv_field(csv, row, "scope")),
                         .kind = gb_arena_strdup(arena, gb_csv_field(csv, row, "kind")),
                         .primitive = gb_arena_strdup(arena, gb_csv_field(csv, row, "primitive")),
                         .variant = gb_arena_strdup(arena, gb_csv_field(csv, row, "variant")),
                         .decade = (int)value[0],
                         .rows = (size_t)value[1],
                         .median = value[2],
                         .floor = value[3],
                         .largest = value[4],
                         .file = path};
    return true;
}

bool gb_noise_load(gb_arena *arena, const char *path, gb_noise *noise, gb_error *error)
{
    gb_csv *csv = gb_csv_load(path, error);
    if (!csv) return false;
    bool good = true;
    static const char *const columns[] = {"schema",    "device",  "scope",         "kind",
                                          "primitive", "variant", "difference_p99"};
    for (size_t i = 0; good && i < sizeof columns / sizeof *columns; i++) {
        good = gb_csv_column(csv, columns[i]) >= 0;
        if (!good)
            gb_fail(error, GB_WRONG,
                    "%s has no column '%s': it is no noise.csv of `gpubench run --aa`", path,
                    columns[i]);
    }
    const size_t first = noise->count;
    const char *file = gb_arena_strdup(arena, path), *folder = folder_of(arena, path);
    for (size_t row = 0; good && row < csv->row_count; row++)
        good = take_row(arena, csv, row, file, noise, error);
    for (size_t i = first; i < noise->count; i++)
        noise->items[i].folder = folder;
    gb_csv_free(csv);
    return good;
}

bool gb_noise_write(const gb_noise *noise, const char *path, gb_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        return false;
    }
    fprintf(file, "%s\n", header);
    for (size_t i = 0; i < noise->count; i++) {
        const gb_noise_class *c = &noise->items[i];
        fputs("1", file);
        gb_csv_put(file, c->device, false);
        gb_csv_put(file, c->scope, false);
        gb_csv_put(file, c->kind, false);
        gb_csv_put(file, c->primitive, false);
        gb_csv_put(file, c->variant, false);
        fprintf(file, ",%d,%zu,%.4g,%.4g,%.4g\n", c->decade, c->rows, c->median, c->floor,
                c->largest);
    }
    const bool written = fclose(file) == 0 && gb_files_replace(path, text, size, error);
    free(text);
    return written;
}

static int decade_of(double time_s)
{
    return (int)floor(log10(time_s) + 1e-9);
}

static const char *kind_of(bool cpu)
{
    return cpu ? "cpu" : "gpu";
}

/* Whether a class and a row agree in all but variant and decade. */
static bool is_like(const gb_noise_class *c, const gb_noise_row *row)
{
    return strcmp(c->device, row->device) == 0 && strcmp(c->scope, row->scope) == 0 &&
           strcmp(c->kind, kind_of(row->cpu)) == 0;
}

static bool is_variant(const gb_noise_class *c, const gb_noise_row *row)
{
    return strcmp(c->variant, row->variant) == 0 && strcmp(c->primitive, row->primitive) == 0;
}

/* Whether a class is of the folder that the row is from: of itself, or of the passes in its aa. */
static bool is_beside(const gb_noise_class *c, const gb_noise_row *row)
{
    if (!c->folder || !row->folder) return false;
    const size_t length = strlen(c->folder);
    if (strncmp(c->folder, row->folder, length) != 0) return false;
    return row->folder[length] == '\0' || strncmp(row->folder + length, "/aa/", 4) == 0;
}

const gb_noise_class *gb_noise_find(const gb_noise *noise, const gb_noise_row *row)
{
    const gb_noise_class *best = NULL;
    const int decade = row->time_s > 0 ? decade_of(row->time_s) : 0;
    bool beside = false;
    for (size_t i = 0; noise && i < noise->count && !beside; i++)
        beside = is_like(&noise->items[i], row) && is_beside(&noise->items[i], row);
    for (size_t i = 0; noise && i < noise->count; i++) {
        const gb_noise_class *c = &noise->items[i];
        if (!is_like(c, row) || (beside && !is_beside(c, row))) continue;
        if (is_variant(c, row)) return c;
        if (!*c->variant && (!best || abs(c->decade - decade) < abs(best->decade - decade)))
            best = c;
    }
    return best;
}

/* ---- making them ----------------------------------------------------------------------------- */

/* Noisier than the median variant by this factor, a variant has a class of its own. */
static const double own_class = 3;

/* A class being made and the differences in it. */
typedef struct heap {
    gb_noise_class class;
    double *differences;
    size_t capacity;
} heap;

typedef struct heaps {
    gb_arena *arena;
    heap *items;
    size_t count, capacity;
} heaps;

static void add_to(heaps *all, const gb_noise_row *row, bool by_variant, double difference)
{
    const int decade = by_variant || !(row->time_s > 0) ? 0 : decade_of(row->time_s);
    size_t i = 0;
    while (i < all->count && !(is_like(&all->items[i].class, row) &&
                               (by_variant ? is_variant(&all->items[i].class, row)
                                           : all->items[i].class.decade == decade)))
        i++;
    if (i == all->count) {
        all->items =
            gb_arena_grow(all->arena, all->items, all->count, &all->capacity, sizeof *all->items);
        all->items[all->count++] = (heap){.class = {.device = row->device,
                                                    .scope = row->scope,
                                                    .kind = kind_of(row->cpu),
                                                    .primitive = by_variant ? row->primitive : "",
                                                    .variant = by_variant ? row->variant : "",
                                                    .decade = decade}};
    }
    heap *h = &all->items[i];
    h->differences = gb_arena_grow(all->arena, h->differences, h->class.rows, &h->capacity,
                                   sizeof *h->differences);
    h->differences[h->class.rows++] = difference;
}

static int by_class(const void *x, const void *y)
{
    const gb_noise_class *a = x, *b = y;
    int order = strcmp(a->device, b->device);
    if (!order) order = strcmp(a->scope, b->scope);
    if (!order) order = -strcmp(a->kind, b->kind); /* gpu first */
    if (!order) order = strcmp(a->primitive, b->primitive);
    if (!order) order = strcmp(a->variant, b->variant);
    return order ? order : (a->decade > b->decade) - (a->decade < b->decade);
}

static void settle(heap *h)
{
    const size_t count = h->class.rows;
    gb_sort_values(h->differences, count);
    h->class.median = gb_sorted_quantile(h->differences, count, 0.5);
    h->class.floor = gb_sorted_quantile(h->differences, count, 0.99);
    h->class.largest = h->differences[count - 1];
}

/* The median of the floors of the variants that are like this one. */
static double usual_floor(const heaps *variants, const heap *of)
{
    double *floors = gb_arena_alloc(variants->arena, variants->count * sizeof *floors);
    size_t count = 0;
    for (size_t i = 0; i < variants->count; i++) {
        const gb_noise_class *c = &variants->items[i].class;
        if (strcmp(c->device, of->class.device) == 0 && strcmp(c->scope, of->class.scope) == 0 &&
            strcmp(c->kind, of->class.kind) == 0)
            floors[count++] = c->floor;
    }
    gb_sort_values(floors, count);
    return gb_sorted_quantile(floors, count, 0.5);
}

void gb_noise_make(gb_arena *arena, const gb_noise_row *rows, const double *differences,
                   size_t count, gb_noise *noise)
{
    heaps variants = {.arena = arena}, others = {.arena = arena};
    for (size_t i = 0; i < count; i++)
        add_to(&variants, &rows[i], true, differences[i]);
    for (size_t i = 0; i < variants.count; i++)
        settle(&variants.items[i]);
    *noise = (gb_noise){0};
    for (size_t i = 0; i < variants.count; i++) {
        const heap *h = &variants.items[i];
        if (h->class.floor <= own_class * usual_floor(&variants, h)) continue;
        noise->items = gb_arena_grow(arena, noise->items, noise->count, &noise->capacity,
                                     sizeof *noise->items);
        noise->items[noise->count++] = h->class;
    }
    const size_t own = noise->count;
    for (size_t i = 0; i < count; i++) {
        bool apart = false;
        for (size_t k = 0; k < own && !apart; k++)
            apart = is_like(&noise->items[k], &rows[i]) && is_variant(&noise->items[k], &rows[i]);
        if (!apart) add_to(&others, &rows[i], false, differences[i]);
    }
    for (size_t i = 0; i < others.count; i++) {
        settle(&others.items[i]);
        noise->items = gb_arena_grow(arena, noise->items, noise->count, &noise->capacity,
                                     sizeof *noise->items);
        noise->items[noise->count++] = others.items[i].class;
    }
    if (noise->items) qsort(noise->items, noise->count, sizeof *noise->items, by_class);
}
