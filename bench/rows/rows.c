/* Rows in memory: their axes, finding and adding them. */
#include "bench/rows/rows.h"

#include "common/text/number.h"

#include <stdlib.h>
#include <string.h>

const char gb_best[] = "best";
const char gb_any[] = "*";

int gb_result_axis(const gb_result_set *set, const char *name)
{
    for (unsigned a = 0; a < set->axis_count; a++)
        if (strcmp(set->axes[a], name) == 0) return (int)a;
    return -1;
}

bool gb_result_set_is_rated(const gb_result_set *set)
{
    bool rated = false;
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        rated |= row->rate > 0;
        if (row->source && row->status == GB_OK && row->time_s > 0 && !(row->rate > 0))
            return false;
    }
    return rated;
}

char *gb_result_axes(gb_arena *arena, const gb_result_set *set)
{
    char *text = gb_arena_strdup(arena, set->axes[0]);
    for (unsigned a = 1; a < set->axis_count; a++)
        text = gb_arena_printf(arena, "%s, %s", text, set->axes[a]);
    return text;
}

int gb_axis_compare(const char *a, const char *b)
{
    double x, y;
    bool number_a = gb_number_parse(a, &x), number_b = gb_number_parse(b, &y);
    if (number_a && number_b) return (x > y) - (x < y);
    return (int)number_b - (int)number_a;
}

/* ---- finding -------------------------------------------------------------------------------- */

/* FNV-1a over a string and its terminator. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    } while (*text++);
    return hash;
}

static uint64_t hash_row(const gb_result_set *set, const gb_result_row *row)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned a = 0; a < set->axis_count; a++)
        hash = hash_text(hash, row->axis[a]);
    hash = hash_text(hash, row->variant);
    hash = hash_text(hash, row->device);
    hash = hash_text(hash, row->cache);
    hash = hash_text(hash, row->scope);
    return hash_text(hash, row->quantity);
}

static bool same_row(const gb_result_set *set, const gb_result_row *a, const gb_result_row *b)
{
    for (unsigned i = 0; i < set->axis_count; i++)
        if (strcmp(a->axis[i], b->axis[i]) != 0) return false;
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->cache, b->cache) == 0 && strcmp(a->scope, b->scope) == 0 &&
           strcmp(a->quantity, b->quantity) == 0;
}

/* The slot of a row equal to *key, or the empty slot where it belongs. */
static size_t *find_slot(const gb_result_set *set, const gb_result_row *key)
{
    size_t at = hash_row(set, key) & (set->index_size - 1);
    while (set->index[at] && !same_row(set, &set->rows[set->index[at] - 1], key))
        at = (at + 1) & (set->index_size - 1);
    return &set->index[at];
}

const gb_result_row *gb_result_find(const gb_result_set *set, const gb_result_row *key)
{
    if (set->row_count == 0) return NULL;
    size_t number = *find_slot(set, key);
    return number ? &set->rows[number - 1] : NULL;
}

void gb_result_set_index(gb_arena *arena, gb_result_set *set)
{
    set->index = gb_arena_alloc(arena, set->index_size * sizeof *set->index);
    for (size_t i = 0; i < set->row_count; i++)
        *find_slot(set, &set->rows[i]) = i + 1;
}

void gb_result_set_add(gb_arena *arena, gb_result_set *set, const gb_result_row *row)
{
    if (2 * (set->row_count + 1) > set->index_size) {
        set->index_size = set->index_size ? set->index_size * 2 : 64;
        gb_result_set_index(arena, set);
    }
    size_t *slot = find_slot(set, row);
    if (*slot) {
        set->rows[*slot - 1] = *row;
        return;
    }
    set->rows =
        gb_arena_grow(arena, set->rows, set->row_count, &set->row_capacity, sizeof *set->rows);
    set->rows[set->row_count++] = *row;
    *slot = set->row_count;
}

const char *gb_row_point(gb_arena *arena, const gb_result_set *set, const gb_result_row *row)
{
    const char *text = "";
    for (unsigned a = 0; a < set->axis_count; a++)
        text = gb_arena_printf(arena, "%s%s%s=%s", text, a ? ";" : "", set->axes[a], row->axis[a]);
    return text;
}

void gb_results_free(gb_results *results)
{
    for (size_t i = 0; i < results->file_count; i++)
        gb_csv_free(results->files[i]);
    gb_arena_free(&results->arena);
    *results = (gb_results){0};
}
