/* The noise of a device: reading, writing and making its classes. */
#include "bench/noise.h"

#include "bench/result_rows.h"
#include "bench/results_files.h"
#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "schema,device,scope,kind,decade,rows,difference_median,difference_p99,difference_max";

static bool take_row(gb_arena *arena, const gb_csv *csv, size_t row, const char *path,
                     gb_noise *noise, gb_error *error)
{
    static const char *const numbers[] = {"decade", "rows", "difference_median", "difference_p99",
                                          "difference_max"};
    double value[5];
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
                         .decade = (int)value[0],
                         .rows = (size_t)value[1],
                         .median = value[2],
                         .floor = value[3],
                         .largest = value[4]};
    return true;
}

bool gb_noise_load(gb_arena *arena, const char *path, gb_noise *noise, gb_error *error)
{
    gb_csv *csv = gb_csv_read(path, error);
    if (!csv) return false;
    bool good = true;
    static const char *const columns[] = {"schema", "device", "scope", "kind", "difference_p99"};
    for (size_t i = 0; good && i < sizeof columns / sizeof *columns; i++) {
        good = gb_csv_column(csv, columns[i]) >= 0;
        if (!good)
            gb_fail(error, GB_WRONG,
                    "%s has no column '%s': it is no noise.csv of `gpubench run --aa`", path,
                    columns[i]);
    }
    for (size_t row = 0; good && row < csv->row_count; row++)
        good = take_row(arena, csv, row, path, noise, error);
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

const gb_noise_class *gb_noise_find(const gb_noise *noise, const char *device, const char *scope,
                                    bool cpu, double time_s)
{
    const gb_noise_class *best = NULL;
    const int decade = time_s > 0 ? decade_of(time_s) : 0;
    for (size_t i = 0; noise && i < noise->count; i++) {
        const gb_noise_class *c = &noise->items[i];
        if (strcmp(c->device, device) != 0 || strcmp(c->scope, scope) != 0 ||
            strcmp(c->kind, cpu ? "cpu" : "gpu") != 0)
            continue;
        if (!best || abs(c->decade - decade) < abs(best->decade - decade)) best = c;
    }
    return best;
}

/* ---- making them ----------------------------------------------------------------------------- */

typedef struct heap {
    gb_noise_class class;
    double *differences;
    size_t capacity;
} heap;

struct gb_noise_builder {
    gb_arena *arena;
    heap *heaps;
    size_t count, capacity;
};

gb_noise_builder *gb_noise_begin(gb_arena *arena)
{
    gb_noise_builder *builder = gb_arena_alloc(arena, sizeof *builder);
    builder->arena = arena;
    return builder;
}

void gb_noise_add(gb_noise_builder *b, const char *device, const char *scope, bool cpu,
                  double time_s, double difference)
{
    const int decade = decade_of(time_s);
    const char *kind = cpu ? "cpu" : "gpu";
    size_t i = 0;
    for (; i < b->count; i++) {
        const gb_noise_class *c = &b->heaps[i].class;
        if (strcmp(c->device, device) == 0 && strcmp(c->scope, scope) == 0 &&
            strcmp(c->kind, kind) == 0 && c->decade == decade)
            break;
    }
    if (i == b->count) {
        b->heaps = gb_arena_grow(b->arena, b->heaps, b->count, &b->capacity, sizeof *b->heaps);
        b->heaps[b->count++] =
            (heap){.class = {.device = device, .scope = scope, .kind = kind, .decade = decade}};
    }
    heap *h = &b->heaps[i];
    h->differences = gb_arena_grow(b->arena, h->differences, h->class.rows, &h->capacity,
                                   sizeof *h->differences);
    h->differences[h->class.rows++] = fabs(difference);
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static int by_class(const void *x, const void *y)
{
    const gb_noise_class *a = x, *b = y;
    int order = strcmp(a->device, b->device);
    if (!order) order = strcmp(a->scope, b->scope);
    if (!order) order = -strcmp(a->kind, b->kind); /* gpu first */
    return order ? order : (a->decade > b->decade) - (a->decade < b->decade);
}

/* The smallest of count ascending values that at least this part of them do not exceed. */
static double part_below(const double *values, size_t count, double part)
{
    size_t at = (size_t)ceil(part * (double)count);
    return values[at > 0 ? at - 1 : 0];
}

void gb_noise_settle(gb_noise_builder *b, gb_noise *noise)
{
    *noise = (gb_noise){.items = gb_arena_alloc(b->arena, (b->count + 1) * sizeof *noise->items)};
    for (size_t i = 0; i < b->count; i++) {
        heap *h = &b->heaps[i];
        const size_t count = h->class.rows;
        qsort(h->differences, count, sizeof *h->differences, ascending);
        h->class.median = part_below(h->differences, count, 0.5);
        h->class.floor = part_below(h->differences, count, 0.99);
        h->class.largest = h->differences[count - 1];
        noise->items[noise->count++] = h->class;
    }
    noise->capacity = noise->count;
    qsort(noise->items, noise->count, sizeof *noise->items, by_class);
}
