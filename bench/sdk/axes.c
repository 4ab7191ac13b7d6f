/* Axes from a command line, and as source text. */
#include "bench/sdk/axes.h"

#include "common/distributions.h"
#include "common/protocol/columns.h"
#include "common/text/size.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 64 };

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    gb_arena *arena;
    gb_error *error;
    const char *values[MOST_VALUES];
} reader;

static bool refuse(reader *r, const gb_new_axis *axis, const char *what, const char *allowed)
{
    gb_fail(r->error, GB_UNSUPPORTED, "--axes: axis %.40s: %.80s: %s", axis->name, what, allowed);
    return false;
}

static bool add(reader *r, gb_new_axis *axis, const char *value)
{
    if (axis->count == MOST_VALUES) return refuse(r, axis, value, "at most 64 values");
    r->values[axis->count++] = value;
    return true;
}

static bool add_size(reader *r, gb_new_axis *axis, uint64_t size)
{
    char text[32];
    if (axis->count == 0 || size < axis->least) axis->least = size;
    if (axis->count == 0 || size > axis->most) axis->most = size;
    return add(r, axis, gb_arena_strdup(r->arena, gb_size_format(size, text, sizeof text)));
}

/* "1M..64M": doubled from the first to the last. */
static bool add_range(reader *r, gb_new_axis *axis, char *text)
{
    char *last = strstr(text, "..");
    const char *why;
    uint64_t from, to;
    *last = '\0';
    if (!gb_size_parse(text, &from, &why) || !gb_size_parse(last + 2, &to, &why) || from == 0 ||
        from > to)
        return refuse(r, axis, gb_arena_printf(r->arena, "%s..%s", text, last + 2),
                      "A..B goes from a size to one that is not smaller (1M..64M), not from 0");
    uint64_t size = from;
    for (; size < to; size = size <= to / 2 ? 2 * size : to)
        if (!add_size(r, axis, size)) return false;
    return add_size(r, axis, to);
}

static bool is_word(const char *text)
{
    return *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_.+-") == strlen(text);
}

static bool add_name(reader *r, gb_new_axis *axis, const char *text)
{
    gb_dist dist;
    char why[160];
    if (axis->dist && !gb_dist_of(text, 0, 1, &dist, why)) return refuse(r, axis, text, why);
    if (!axis->dist && !is_word(text))
        return refuse(r, axis, text,
                      "a value is a size (64, 32M) or a name of letters, digits and _.+-");
    return add(r, axis, gb_arena_strdup(r->arena, text));
}

static bool add_value(reader *r, gb_new_axis *axis, char *text)
{
    uint64_t size;
    const bool is_size = gb_size_parse(text, &size, NULL) || strstr(text, "..");
    if (axis->count == 0) axis->size = is_size && !axis->dist;
    if (axis->size != (is_size && !axis->dist))
        return refuse(r, axis, text, "an axis has sizes or names, not both");
    if (!axis->size) return add_name(r, axis, text);
    return strstr(text, "..") ? add_range(r, axis, text) : add_size(r, axis, size);
}

static bool read_values(reader *r, gb_new_axis *axis, char *text)
{
    char *save;
    for (char *value = strtok_r(text, "|", &save); value; value = strtok_r(NULL, "|", &save))
        if (!add_value(r, axis, value)) return false;
    if (axis->count == 0) return refuse(r, axis, "", "it has no values: n=1M|4M, n=1M..64M");
    const char **kept = gb_arena_alloc(r->arena, axis->count * sizeof *kept);
    memcpy(kept, r->values, axis->count * sizeof *kept);
    axis->values = kept;
    for (size_t i = 0; i < axis->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(kept[i], kept[j]) == 0) return refuse(r, axis, kept[i], "it is there twice");
    return true;
}

static bool check_name(reader *r, const gb_new_axes *axes, const gb_new_axis *axis)
{
    const char *name = axis->name;
    if (!islower((unsigned char)*name) || strlen(name) > 30 ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
        return refuse(r, axis, "no name of an axis",
                      "one is lower-case letters, digits and _, 30 "
                      "at most, a letter first");
    if (gb_column_is_taken(name))
        return refuse(r, axis, "no name of an axis", "result files have a column of this name");
    for (const gb_new_axis *other = axes->axis; other < axis; other++)
        if (strcmp(other->name, name) == 0) return refuse(r, axis, name, "it is there twice");
    return true;
}

static bool read_axis(reader *r, gb_new_axes *axes, char *text)
{
    char *is = strchr(text, '=');
    if (!is || axes->count == GB_MAX_AXES) {
        gb_fail(r->error, GB_UNSUPPORTED,
                "--axes: %.80s: at most %d axes, such as n=1M..64M,bins=64|256,dist=uniform|zipf",
                text, (int)GB_MAX_AXES);
        return false;
    }
    *is = '\0';
    gb_new_axis *axis = &axes->axis[axes->count];
    *axis =
        (gb_new_axis){.name = gb_arena_strdup(r->arena, text), .dist = strcmp(text, "dist") == 0};
    if (!check_name(r, axes, axis) || !read_values(r, axis, is + 1)) return false;
    if (strcmp(axis->name, "n") == 0 && !axis->size)
        return refuse(r, axis, axis->values[0], "n is how many elements: n=1M..64M");
    axes->count++;
    return true;
}

static bool names_n(const char *text)
{
    return strncmp(text, "n=", 2) == 0 || strstr(text, ",n=");
}

/* n first, as the templates have it. */
static void put_n_first(gb_new_axes *axes)
{
    unsigned at = 0;
    while (strcmp(axes->axis[at].name, "n") != 0)
        at++;
    const gb_new_axis n = axes->axis[at];
    memmove(&axes->axis[1], &axes->axis[0], at * sizeof n);
    axes->axis[0] = n;
}

bool gb_new_axes_parse(gb_arena *arena, const char *text, gb_new_axes *axes, gb_error *error)
{
    reader r = {.arena = arena, .error = error};
    const char *separator = *text ? "," : "";
    char *all = names_n(text) ? gb_arena_strdup(arena, text)
                              : gb_arena_printf(arena, "n=1M..64M%s%s", separator, text),
         *save;
    *axes = (gb_new_axes){0};
    for (char *axis = strtok_r(all, ",", &save); axis; axis = strtok_r(NULL, ",", &save))
        if (!read_axis(&r, axes, axis)) return false;
    put_n_first(axes);
    return true;
}

/* ---- as source text -------------------------------------------------------------------------- */

static const char *upper(gb_arena *arena, const char *name)
{
    char *text = gb_arena_strdup(arena, name);
    for (char *at = text; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

/* "a", "b" */
static const char *quoted(gb_arena *arena, const char *const *values, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = gb_arena_printf(arena, "%s%s\"%s\"", text, i ? ", " : "", values[i]);
    return text;
}

static const char *range_of(gb_arena *arena, const gb_new_axis *axis)
{
    if (strcmp(axis->name, "n") == 0)
        return "        .min = 0,\n"
               "        .max = (uint64_t)1 << 36,\n"
               "        .nasty = LIST(\"0\", \"1\", \"31\", \"32\", \"33\", \"255\", "
               "\"256\", "
               "\"257\", \"1000\", \"4097\", \"100003\"),\n"
               "        .small = \"10k\"";
    if (axis->dist)
        return "        .names = gb_dist_names,\n"
               "        .nasty = gb_dist_nasty";
    if (!axis->size)
        return gb_arena_printf(arena,
                               "        .names = LIST(%s),\n"
                               "        .nasty = LIST(%s)",
                               quoted(arena, axis->values, axis->count),
                               quoted(arena, axis->values, axis->count));
    return gb_arena_printf(arena,
                           "        .min = %" PRIu64 ",\n"
                           "        .max = %" PRIu64 ",\n"
                           "        .nasty = LIST(\"%" PRIu64 "\", \"%" PRIu64 "\")",
                           axis->least, axis->most, axis->least, axis->most);
}

const char *gb_new_axes_table(gb_arena *arena, const gb_new_axes *axes)
{
    const char *text = "";
    for (const gb_new_axis *axis = axes->axis; axis < axes->axis + axes->count; axis++) {
        const char *help = strcmp(axis->name, "n") == 0 ? "how many elements" : axis->name;
        text = gb_arena_printf(arena,
                               "%s    [AXIS_%s] = {\n"
                               "        .name = \"%s\",\n"
                               "        .type = %s,\n"
                               "        .help = %s%s%s,\n"
                               "        .fallback = \"%s\",\n"
                               "%s,\n"
                               "    },\n",
                               text, upper(arena, axis->name), axis->name,
                               axis->size ? "GB_AXIS_SIZE" : "GB_AXIS_NAME", axis->dist ? "" : "\"",
                               axis->dist ? "gb_dist_help" : help, axis->dist ? "" : "\"",
                               axis->values[0], range_of(arena, axis));
    }
    return text;
}

const char *gb_new_axes_names(gb_arena *arena, const gb_new_axes *axes)
{
    const char *text = "";
    for (unsigned i = 0; i < axes->count; i++)
        text = gb_arena_printf(arena, "%sAXIS_%s, ", text, upper(arena, axes->axis[i].name));
    return text;
}

const char *gb_new_axes_config(gb_arena *arena, const gb_new_axes *axes)
{
    const char *text = "";
    for (unsigned i = 0; i < axes->count; i++) {
        const gb_new_axis *axis = &axes->axis[i];
        text = gb_arena_printf(arena, "%s%s\"%s\": [%s]", text, i ? ", " : "", axis->name,
                               quoted(arena, axis->values, axis->count));
    }
    return text;
}
