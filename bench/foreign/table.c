/* Tables of CSV whose columns a map names. */
#include "bench/foreign/reader.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
    gb_arena *arena;
    const char *path;
    const gb_csv *csv;
    const gb_foreign_map *map;
    gb_foreign *file;
    gb_error *error;
    int columns[GB_MAP_ITEMS]; /* of the map's items; -1: none */
    size_t *index, index_size; /* hash table of entry numbers + 1 */
    struct samples {
        double *times;
        size_t count, capacity;
    } * samples; /* of the entries */
    size_t samples_capacity;
} table;

/* ---- columns --------------------------------------------------------------------------------- */

static const char *columns_of(const table *t)
{
    const char *text = t->csv->columns ? t->csv->header[0] : "none";
    for (size_t c = 1; c < t->csv->columns; c++)
        text = gb_arena_printf(t->arena, "%s, %s", text, t->csv->header[c]);
    char *tame = gb_arena_strdup(t->arena, text);
    gb_text_tame(tame);
    return gb_text_cut(tame, 400);
}

static bool find_columns(table *t)
{
    if (!gb_foreign_map_find(t->map, "time")) {
        gb_fail(t->error, GB_WRONG,
                "%s is no result file of gpubench, and of another tool's it is not known which "
                "column is what: --map 'time=COLUMN:ms,variant=COLUMN,n=COLUMN' says so. Its "
                "columns are: %s",
                t->path, columns_of(t));
        return false;
    }
    for (size_t m = 0; m < t->map->count; m++) {
        const gb_map_item *item = &t->map->items[m];
        t->columns[m] = *item->source ? gb_csv_column(t->csv, item->source) : -1;
        if (!*item->source || t->columns[m] >= 0) continue;
        gb_fail(t->error, GB_WRONG, "%s: --map %s=%.60s: there is no such column; there are: %s",
                t->path, item->name, item->source, columns_of(t));
        return false;
    }
    return true;
}

static bool refuse(table *t, size_t row, const char *name, const char *text, const char *what)
{
    gb_fail(t->error, GB_WRONG, "%s: data row %zu, %s: '%.60s' %s", t->path, row + 1, name, text,
            what);
    return false;
}

/* The text of what a map names; "" where it names nothing. */
static const char *text_of(const table *t, size_t row, const char *name)
{
    const gb_map_item *item = gb_foreign_map_find(t->map, name);
    if (!item) return "";
    if (item->text) return item->text;
    const int column = t->columns[item - t->map->items];
    return column < 0 ? "" : t->csv->rows[row][column];
}

/* A number that is not below 0; a blank leaves it as it is where `may_lack`. */
static bool number_of(table *t, size_t row, const char *name, bool may_lack, double *to)
{
    const char *text = text_of(t, row, name);
    const gb_map_item *item = gb_foreign_map_find(t->map, name);
    double number;
    if (!*text && may_lack) return true;
    if (!gb_number_parse(text, &number))
        return refuse(t, row, name, text, "is not a finite decimal number");
    if (number < 0) return refuse(t, row, name, text, "is below 0");
    *to = number * (item && !item->text ? item->unit : 1);
    return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

static const char *copy_of(const table *t, const char *text)
{
    char *copy = gb_arena_strdup(t->arena, text);
    gb_text_tame(copy);
    return copy;
}

static void take_texts(table *t, size_t row, gb_foreign_entry *entry)
{
    const struct {
        const char *name, **to;
    } parts[] = {{"variant", &entry->variant},       {"device", &entry->device},
                 {"cache", &entry->cache},           {"unit", &entry->unit},
                 {"experiment", &entry->experiment}, {"primitive", &entry->primitive},
                 {"backend", &entry->backend}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (gb_foreign_map_find(t->map, parts[i].name))
            *parts[i].to = copy_of(t, text_of(t, row, parts[i].name));
    for (size_t m = 0; m < t->map->count; m++) {
        const gb_map_item *item = &t->map->items[m];
        if (gb_foreign_map_is_part(item->name) || (!*item->source && !item->text)) continue;
        gb_foreign_add_axis(t->arena, entry, item->name, copy_of(t, text_of(t, row, item->name)));
    }
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    } while (*text++);
    return hash;
}

static uint64_t hash_of(const gb_foreign_entry *entry)
{
    uint64_t hash = hash_text(UINT64_C(0xcbf29ce484222325), entry->variant);
    hash = hash_text(hash_text(hash, entry->device), entry->cache);
    for (unsigned a = 0; a < entry->axis_count; a++)
        hash = hash_text(hash, entry->axes[a].value);
    return hash;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same(const gb_foreign_entry *a, const gb_foreign_entry *b)
{
    bool same = same_text(a->variant, b->variant) && same_text(a->device, b->device) &&
                same_text(a->cache, b->cache) && same_text(a->experiment, b->experiment) &&
                same_text(a->primitive, b->primitive);
    for (unsigned i = 0; same && i < a->axis_count; i++)
        same = same_text(a->axes[i].value, b->axes[i].value);
    return same;
}

/* The number of the entry like this one, which is added where there is none. */
static size_t entry_like(table *t, const gb_foreign_entry *like)
{
    gb_foreign *file = t->file;
    size_t at = hash_of(like) & (t->index_size - 1);
    for (; t->index[at]; at = (at + 1) & (t->index_size - 1))
        if (is_same(&file->entries[t->index[at] - 1], like)) return t->index[at] - 1;
    t->samples =
        gb_arena_grow(t->arena, t->samples, file->count, &t->samples_capacity, sizeof *t->samples);
    file->entries =
        gb_arena_grow(t->arena, file->entries, file->count, &file->capacity, sizeof *file->entries);
    t->samples[file->count] = (struct samples){0};
    file->entries[file->count++] = *like;
    t->index[at] = file->count;
    return file->count - 1;
}

static bool read_row(table *t, size_t row)
{
    gb_foreign_entry like;
    double time = 0, count = 0;
    gb_foreign_entry_start(&like);
    like.where = gb_arena_printf(t->arena, "data row %zu", row + 1);
    take_texts(t, row, &like);
    if (!number_of(t, row, "time", false, &time) || !number_of(t, row, "sd", true, &like.sd) ||
        !number_of(t, row, "count", true, &count) || !number_of(t, row, "items", true, &like.items))
        return false;
    const size_t number = entry_like(t, &like);
    gb_foreign_entry *entry = &t->file->entries[number];
    struct samples *of = &t->samples[number];
    if (gb_foreign_map_find(t->map, "sd")) {
        if (of->count++ > 0)
            return refuse(t, row, "time", text_of(t, row, "time"),
                          gb_arena_printf(t->arena,
                                          "is a second mean of the same variant and axes "
                                          "as that of %s: which axis is not mapped?",
                                          entry->where));
        entry->mean = time;
        entry->count = count < 1e15 ? (size_t)count : 0;
        return true;
    }
    of->times = gb_arena_grow(t->arena, of->times, of->count, &of->capacity, sizeof *of->times);
    of->times[of->count++] = time;
    return true;
}

bool gb_foreign_read_table(gb_arena *arena, const char *path, const gb_csv *csv,
                           const gb_foreign_map *map, gb_foreign *file, gb_error *error)
{
    table t = {.arena = arena, .path = path, .csv = csv, .map = map, .file = file, .error = error};
    file->tool = "CSV";
    file->keep = "a row a sample";
    if (!find_columns(&t)) return false;
    for (t.index_size = 64; t.index_size < 2 * csv->row_count;)
        t.index_size *= 2;
    t.index = gb_arena_alloc(arena, t.index_size * sizeof *t.index);
    for (size_t row = 0; row < csv->row_count; row++)
        if (!read_row(&t, row)) return false;
    if (csv->row_count == 0) {
        gb_fail(error, GB_WRONG, "%s holds no row", path);
        return false;
    }
    for (size_t i = 0; i < file->count && !gb_foreign_map_find(map, "sd"); i++) {
        file->entries[i].times = t.samples[i].times;
        file->entries[i].count = t.samples[i].count;
    }
    /* Its columns are where the map has put them already. */
    return gb_foreign_settle(arena, path, NULL, file, error);
}
