/* Which rows of an experiment one table or figure shows: the slices that choices leave. */
#include "bench/rows/select.h"

#include "bench/worker/catalogue.h"
#include "common/text/size.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE = GB_MAX_AXES, SCOPE, DIMENSIONS };
enum { MOST_SLICES = 1000 };

/* ---- dimensions ------------------------------------------------------------------------------ */

static const char *dimension_name(const gb_result_set *set, unsigned dimension)
{
    if (dimension == CACHE) return "cache";
    if (dimension == SCOPE) return "scope";
    return set->axes[dimension];
}

static const char *dimension_value(const gb_result_row *row, unsigned dimension)
{
    if (dimension == CACHE) return row->cache;
    if (dimension == SCOPE) return row->scope;
    return row->axis[dimension];
}

static const char **distinct(gb_arena *arena, const gb_result_row *const *rows, size_t row_count,
                             unsigned dimension, size_t *count)
{
    size_t capacity = 0;
    const char **values = gb_arena_grow(arena, NULL, 0, &capacity, sizeof *values);
    *count = 0;
    for (size_t i = 0; i < row_count; i++) {
        const char *value = dimension_value(rows[i], dimension);
        /* Rows come in runs of one value: the last one found is the likeliest. */
        size_t at = *count;
        while (at > 0 && strcmp(values[at - 1], value) != 0)
            at--;
        if (at > 0) continue;
        values = gb_arena_grow(arena, values, *count + 1, &capacity, sizeof *values);
        values[(*count)++] = value;
    }
    /* Insertion sort: stable, so that names keep their order of appearance. */
    for (size_t i = 1; i < *count; i++) {
        const char *value = values[i];
        size_t at = i;
        for (; at > 0 && gb_axis_compare(values[at - 1], value) > 0; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
    values[*count] = NULL;
    return values;
}

const char **gb_axis_values(gb_arena *arena, const gb_result_row *const *rows, size_t row_count,
                            unsigned axis, size_t *count)
{
    return distinct(arena, rows, row_count, axis, count);
}

const char *gb_axis_readable(gb_arena *arena, const char *value)
{
    uint64_t size;
    char text[32];
    if (!gb_size_parse(value, &size, NULL) || size < 1000000) return value;
    return gb_arena_strdup(arena, gb_size_format(size, text, sizeof text));
}

const char *gb_axis_shown(gb_arena *arena, const char *value)
{
    static const char file[] = "file:";
    if (strncmp(value, file, strlen(file)) != 0) return gb_axis_readable(arena, value);
    const char *slash = strrchr(value, '/');
    return slash && slash[1] ? slash + 1 : value + strlen(file);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* A dimension that is held: the values that make slices. */
typedef struct held {
    unsigned dimension;
    const char **values;
    size_t count, at;
} held;

typedef struct slicer {
    gb_arena *arena;
    const gb_result_set *set;
    const gb_choices *preferred, *chosen;
    gb_slices *slices;
    gb_error *error;
} slicer;

/* with: what else was wanted of the rows that have these values, or "". */
static void refuse_choice(slicer *s, const char *with, const gb_choice *choice, const char **values,
                          size_t count)
{
    gb_fail(s->error, GB_UNSUPPORTED, "no row of experiment '%s'%s has %s = %s; there is: %s",
            s->set->experiment, with, choice->name, choice->value,
            gb_values_listed(s->arena, values, count));
}

/* The values that a wish allows, into kept and left. Of a preference "max|range" the first part
 * counts of which there is a value. */
static size_t sift(slicer *s, const held *h, const gb_choice *wish, const char **kept,
                   const char **left, size_t *left_count)
{
    gb_choice part = {wish->name, NULL};
    size_t kept_count = 0;
    for (const char *at = wish->value; at && kept_count == 0;) {
        const size_t length = strcspn(at, "|");
        part.value = gb_arena_strndup(s->arena, at, length);
        at = at[length] ? at + length + 1 : NULL;
        *left_count = 0;
        for (size_t i = 0; i < h->count; i++) {
            if (gb_choice_allows(s->arena, &part, h->values[i]))
                kept[kept_count++] = h->values[i];
            else
                left[(*left_count)++] = h->values[i];
        }
    }
    return kept_count;
}

/* Reduces the values of a dimension to those wanted; false if none of a choice was measured. */
static bool choose_values(slicer *s, held *h)
{
    const char *name = dimension_name(s->set, h->dimension);
    const gb_choice *choice = gb_choice_find(s->chosen, name), *wish = choice;
    static const gb_choice warm = {"cache", "warm"}, device = {"scope", "device"};
    if (!wish) wish = gb_choice_find(s->preferred, name);
    if (!wish && h->dimension == CACHE) wish = &warm;
    if (!wish && h->dimension == SCOPE) wish = &device;
    if (!wish) return true;

    const char **kept = gb_arena_alloc(s->arena, (h->count + 1) * sizeof *kept);
    const char **left = gb_arena_alloc(s->arena, (h->count + 1) * sizeof *left);
    size_t left_count = 0, kept_count = sift(s, h, wish, kept, left, &left_count);
    /* Published rows say nothing of cache and scope. */
    bool unsaid = h->count == 1 && *h->values[0] == '\0';
    if (kept_count == 0 && choice && !unsaid) {
        refuse_choice(s, "", choice, h->values, h->count);
        return false;
    }
    if (kept_count == 0) return true;
    h->values = kept;
    h->count = kept_count;
    if (!choice && left_count > 0)
        s->slices->hidden = gb_arena_printf(s->arena, "%s%s%s %s (--%s all)",
                                            s->slices->hidden ? s->slices->hidden : "",
                                            s->slices->hidden ? "; " : "", name,
                                            gb_values_listed(s->arena, left, left_count), name);
    return true;
}

/* The rows that the choices of drawn axes leave; NULL and *error if there are none. */
static const gb_result_row **chosen_rows(slicer *s, const bool drawn[GB_MAX_AXES], size_t *count)
{
    const gb_result_set *set = s->set;
    const gb_result_row **rows = gb_arena_alloc(s->arena, (set->row_count + 1) * sizeof *rows);
    const char *with = "";
    const gb_choice *variants = gb_choice_find(s->chosen, "variant");
    *count = 0;
    for (size_t i = 0; i < set->row_count; i++)
        if (!variants || gb_choice_allows(s->arena, variants, set->rows[i].variant))
            rows[(*count)++] = &set->rows[i];
    if (*count == 0 && variants) {
        gb_fail(s->error, GB_UNSUPPORTED, "no row of experiment '%s' is of the variants %s",
                set->experiment, variants->value);
        return NULL;
    }
    for (unsigned a = 0; a < set->axis_count; a++) {
        const gb_choice *choice = drawn[a] ? gb_choice_find(s->chosen, set->axes[a]) : NULL;
        if (!choice) continue;
        size_t value_count, kept = 0;
        const char **values = distinct(s->arena, rows, *count, a, &value_count);
        for (size_t i = 0; i < *count; i++)
            if (gb_choice_allows(s->arena, choice, rows[i]->axis[a])) rows[kept++] = rows[i];
        if (kept == 0) {
            refuse_choice(s, with, choice, values, value_count);
            return NULL;
        }
        *count = kept;
        with = gb_arena_printf(s->arena, "%s %s %s = %s", with, *with ? "and" : "with",
                               choice->name, choice->value);
    }
    return rows;
}

static const char *held_caption(slicer *s, const held *held_dimensions, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        const held *h = &held_dimensions[i];
        const char *name = dimension_name(s->set, h->dimension), *value = h->values[h->at];
        if (*value == '\0') continue;
        bool after = h->dimension == CACHE || h->dimension == SCOPE || strcmp(value, gb_best) == 0;
        value = gb_axis_shown(s->arena, value);
        text = gb_arena_printf(s->arena, "%s%s%s %s", text, *text ? ", " : "", after ? value : name,
                               after ? name : value);
    }
    return text;
}

/* Part of a file's name, so whatever a value holds ("file:/data/x"), it stays in its folder; with a
 * changed or shortened one goes the slice's number, for two may become alike. */
static const char *slice_suffix(slicer *s, const held *held_dimensions, size_t count)
{
    enum { LONGEST = 100 };
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_.+";
    char *text = gb_arena_strdup(s->arena, "");
    for (size_t i = 0; i < count; i++) {
        const held *h = &held_dimensions[i];
        if (h->count > 1)
            text = gb_arena_printf(s->arena, "%s%s%s", text, *text ? "-" : "",
                                   gb_axis_readable(s->arena, h->values[h->at]));
    }
    bool changed = strlen(text) > LONGEST;
    if (changed) text[LONGEST] = '\0';
    for (char *at = text; *(at += strspn(at, plain));) {
        *at = '_';
        changed = true;
    }
    return changed ? gb_arena_printf(s->arena, "%s-%zu", text, s->slices->count + 1) : text;
}

static void add_slice(slicer *s, const gb_result_row **rows, size_t row_count,
                      const held *held_dimensions, size_t held_count)
{
    gb_slice slice = {.rows = gb_arena_alloc(s->arena, (row_count + 1) * sizeof *slice.rows)};
    size_t capacity = 0;
    for (size_t i = 0; i < row_count; i++) {
        bool in = true;
        for (size_t h = 0; h < held_count && in; h++)
            in = strcmp(dimension_value(rows[i], held_dimensions[h].dimension),
                        held_dimensions[h].values[held_dimensions[h].at]) == 0;
        if (!in) continue;
        slice.rows[slice.row_count++] = rows[i];
        size_t d = 0;
        while (d < slice.device_count && strcmp(slice.devices[d], rows[i]->device) != 0)
            d++;
        if (d < slice.device_count) continue;
        slice.devices = gb_arena_grow(s->arena, slice.devices, slice.device_count, &capacity,
                                      sizeof *slice.devices);
        slice.devices[slice.device_count++] = rows[i]->device;
    }
    if (slice.row_count == 0) return;
    slice.variants = gb_choice_find(s->chosen, "variant");
    slice.held = gb_arena_strdup(s->arena, held_caption(s, held_dimensions, held_count));
    slice.suffix = gb_arena_strdup(s->arena, slice_suffix(s, held_dimensions, held_count));
    s->slices->items[s->slices->count++] = slice;
}

bool gb_results_slice(gb_arena *arena, const gb_result_set *set, const bool drawn[GB_MAX_AXES],
                      const gb_choices *preferred, const gb_choices *chosen, gb_slices *slices,
                      gb_error *error)
{
    *slices = (gb_slices){0};
    slicer s = {arena, set, preferred, chosen, slices, error};
    size_t row_count;
    const gb_result_row **rows = chosen_rows(&s, drawn, &row_count);
    if (!rows) return false;

    held held_dimensions[DIMENSIONS];
    size_t held_count = 0, combinations = 1;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        if (d < GB_MAX_AXES && (d >= set->axis_count || drawn[d])) continue;
        held *h = &held_dimensions[held_count++];
        *h = (held){.dimension = d};
        h->values = distinct(arena, rows, row_count, d, &h->count);
        if (!choose_values(&s, h)) return false;
        combinations *= h->count;
        if (combinations <= MOST_SLICES) continue;
        gb_fail(error, GB_UNSUPPORTED,
                "experiment '%s' would take more than %d tables or figures, one for each value of "
                "what they do not show: choose values with --%s VALUE[,VALUE...]",
                set->experiment, MOST_SLICES, dimension_name(set, d));
        return false;
    }

    slices->items = gb_arena_alloc(arena, combinations * sizeof *slices->items);
    for (size_t c = 0; c < combinations; c++) {
        add_slice(&s, rows, row_count, held_dimensions, held_count);
        /* The last dimension turns fastest. */
        for (size_t h = held_count; h-- > 0;) {
            if (++held_dimensions[h].at < held_dimensions[h].count) break;
            held_dimensions[h].at = 0;
        }
    }
    if (slices->count > 0) return true;
    /* Warm was measured in one scope and device in another, say, but never both together. */
    gb_fail(error, GB_UNSUPPORTED, "no row of experiment '%s' has all that is wanted at once%s%s",
            set->experiment, slices->hidden ? "; choose among what else there is: " : "",
            slices->hidden ? slices->hidden : "");
    return false;
}
