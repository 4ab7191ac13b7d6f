/* The "axes" and "points" sections, and the points that they stand for. */
#include "bench/config/parts.h"
#include "common/protocol/axis_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The primitive's axes as a NULL-terminated list, for messages about unknown ones. */
static void axis_names(const gb_catalogue_primitive *primitive, const char **names)
{
    for (unsigned i = 0; i < primitive->axis_count; i++)
        names[i] = primitive->axes[i].name;
    names[primitive->axis_count] = NULL;
}

static bool read_value(gb_json_reader *reader, const cJSON *item, const gb_catalogue_axis *axis,
                       gb_value *value)
{
    char text[GB_MAX_VALUE];
    const char *expected = axis->type == GB_AXIS_SIZE
                               ? "a whole number, or a size in a string such as \"32M\" or \"16Ki\""
                               : "one of the axis's names in a string";
    if (!gb_json_scalar(reader, item, expected, text, sizeof text)) return false;
    gb_error reason;
    if (gb_axis_parse_value(axis, text, value, &reason)) return true;
    return gb_json_refuse(reader, "%s", reason.text);
}

/* ---- duplicates: sort references, then equal neighbours ------------------------------------- */

typedef struct reference {
    const gb_value *values; /* one for an axis, one an axis for a point */
    unsigned count;
    size_t index;
} reference;

static int compare_values(const reference *x, const reference *y)
{
    for (unsigned i = 0; i < x->count; i++) {
        const gb_value *a = &x->values[i], *b = &y->values[i];
        if (a->size != b->size) return a->size < b->size ? -1 : 1;
        int text = a->text == b->text ? 0 : strcmp(a->text, b->text);
        if (text) return text;
    }
    return 0;
}

static int compare_references(const void *a, const void *b)
{
    const reference *x = a, *y = b;
    int values = compare_values(x, y);
    return values ? values : x->index < y->index ? -1 : x->index > y->index;
}

/* Refuses the first of count entries (each of width values, stride apart) that repeats another. */
static bool check_unique(gb_json_reader *reader, const gb_value *values, size_t count,
                         unsigned width, size_t stride)
{
    if (count < 2) return true;
    reference *references = malloc(count * sizeof *references);
    if (!references) return gb_json_refuse(reader, "not enough memory for %zu entries", count);
    for (size_t i = 0; i < count; i++)
        references[i] = (reference){values + i * stride, width, i};
    qsort(references, count, sizeof *references, compare_references);

    size_t repeats = SIZE_MAX, repeated = 0;
    for (size_t i = 1; i < count; i++) {
        if (references[i].index >= repeats) continue;
        if (compare_values(&references[i - 1], &references[i]) != 0) continue;
        repeats = references[i].index;
        repeated = references[i - 1].index;
    }
    free(references);
    if (repeats == SIZE_MAX) return true;
    gb_json_enter_index(reader, repeats);
    if (width == 1)
        return gb_json_refuse(reader, "\"%s\" is there already, at [%zu]; leave one of them out",
                              values[repeats * stride].text, repeated);
    return gb_json_refuse(reader, "this point is there already, at [%zu]; leave one of them out",
                          repeated);
}

/* ---- axes ----------------------------------------------------------------------------------- */

static gb_value *make_values(gb_json_reader *reader, size_t count)
{
    gb_value *values = NULL;
    if (count > GB_MOST_POINTS)
        gb_json_refuse(reader, "%zu values; at most %d points are allowed", count, GB_MOST_POINTS);
    else if (!(values = calloc(count, sizeof *values)))
        gb_json_refuse(reader, "not enough memory for %zu values", count);
    return values;
}

/* {"from":32,"to":2048,"step":32}: both ends count, the upper one if a step meets it. */
static bool read_range(gb_json_reader *reader, const cJSON *object, const gb_catalogue_axis *axis,
                       gb_value **values, size_t *count)
{
    static const char *const keys[] = {"from", "to", "step", NULL};
    if (axis->type != GB_AXIS_SIZE)
        return gb_json_refuse_item(reader, object, "an axis of names takes a list of names");
    if (!gb_json_check_keys(reader, object, "key", keys)) return false;

    uint64_t bounds[3];
    for (unsigned i = 0; i < 3; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, keys[i]);
        if (!item)
            return gb_json_refuse(reader,
                                  "\"%s\" is missing; a range is "
                                  "{\"from\": 32, \"to\": 2048, \"step\": 32}",
                                  keys[i]);
        size_t before = gb_json_enter(reader, keys[i]);
        gb_value value;
        if (i < 2 && !read_value(reader, item, axis, &value)) return false;
        if (i == 2 && !gb_json_whole(reader, item, 1, UINT64_MAX,
                                     "a whole number from 1 on is allowed", &value.size))
            return false;
        bounds[i] = value.size;
        gb_json_leave(reader, before);
    }
    if (bounds[0] > bounds[1])
        return gb_json_refuse(reader, "\"from\" (%" PRIu64 ") is above \"to\" (%" PRIu64 ")",
                              bounds[0], bounds[1]);

    uint64_t steps = (bounds[1] - bounds[0]) / bounds[2];
    *count = steps < SIZE_MAX ? (size_t)steps + 1 : SIZE_MAX;
    *values = make_values(reader, *count);
    if (!*values) return false;
    for (size_t i = 0; i < *count; i++) {
        if (!gb_axis_value_of_size(bounds[0] + i * bounds[2], &(*values)[i]))
            return gb_json_refuse(reader, "not enough memory for %zu values", *count);
    }
    return true;
}

static bool read_axis(gb_json_reader *reader, const cJSON *item, const gb_catalogue_axis *axis,
                      gb_value **values, size_t *count)
{
    if (cJSON_IsObject(item)) return read_range(reader, item, axis, values, count);
    if (!cJSON_IsArray(item)) {
        *count = 1;
        *values = make_values(reader, 1);
        return *values && read_value(reader, item, axis, *values);
    }
    if (!item->child)
        return gb_json_refuse(reader,
                              "found an empty list; give at least one value, or leave the axis out "
                              "for its default (%s)",
                              axis->fallback);
    *count = (size_t)cJSON_GetArraySize(item);
    *values = make_values(reader, *count);
    if (!*values) return false;
    size_t index = 0;
    for (const cJSON *element = item->child; element; element = element->next, index++) {
        size_t before = gb_json_enter_index(reader, index);
        if (!read_value(reader, element, axis, &(*values)[index])) return false;
        gb_json_leave(reader, before);
    }
    return check_unique(reader, *values, *count, 1, 1);
}

static bool read_axes(gb_json_reader *reader, const cJSON *axes, gb_plan *plan)
{
    const char *names[GB_MAX_AXES + 1];
    axis_names(plan->primitive, names);
    if (!gb_json_check_keys(reader, axes, "axis", names)) return false;
    for (const cJSON *item = axes->child; item; item = item->next) {
        unsigned axis = (unsigned)gb_catalogue_axis_index(plan->primitive, item->string);
        size_t before = gb_json_enter(reader, item->string);
        if (!read_axis(reader, item, &plan->primitive->axes[axis], &plan->values[axis],
                       &plan->counts[axis]))
            return false;
        plan->order[plan->given++] = axis;
        gb_json_leave(reader, before);
    }
    return true;
}

/* ---- points --------------------------------------------------------------------------------- */

/* The default of every axis; the catalogue has seen to it that they parse. */
static gb_params fallback_point(const gb_catalogue_primitive *primitive, bool small)
{
    gb_params point;
    memset(&point, 0, sizeof point);
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        const gb_catalogue_axis *axis = &primitive->axes[i];
        (void)gb_axis_parse_value(axis, small ? axis->small : axis->fallback, &point.value[i],
                                  NULL);
    }
    return point;
}

static bool read_point(gb_json_reader *reader, const cJSON *object, const char *const *names,
                       const gb_catalogue_primitive *primitive, gb_params *point)
{
    if (!gb_json_check_keys(reader, object, "axis", names)) return false;
    for (const cJSON *item = object->child; item; item = item->next) {
        int axis = gb_catalogue_axis_index(primitive, item->string);
        size_t before = gb_json_enter(reader, item->string);
        if (!read_value(reader, item, &primitive->axes[axis], &point->value[axis])) return false;
        gb_json_leave(reader, before);
    }
    return true;
}

/* More points than half the memory holds would end in the kernel's out-of-memory killer rather than
 * in a message. */
static bool check_memory(gb_json_reader *reader, size_t points)
{
    double needed = (double)points * sizeof(gb_params);
    double present = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (needed <= present / 2) return true;
    return gb_json_refuse(reader,
                          "%zu points need %.1f GB of memory here, more than half of what this "
                          "machine has; split the config, or use --filter",
                          points, needed / 1e9);
}

static bool read_points(gb_json_reader *reader, const cJSON *list, gb_plan *plan)
{
    const char *names[GB_MAX_AXES + 1];
    axis_names(plan->primitive, names);
    if (!cJSON_IsArray(list))
        return gb_json_refuse_item(reader, list, "a list of objects is allowed, one a point");
    if (!list->child) return gb_json_refuse(reader, "found an empty list; give at least one point");

    size_t count = (size_t)cJSON_GetArraySize(list), index = 0;
    if (!check_memory(reader, count)) return false;
    plan->listed = true;
    plan->points = malloc(count * sizeof *plan->points);
    plan->left_out = calloc(count, sizeof *plan->left_out);
    if (!plan->points || !plan->left_out)
        return gb_json_refuse(reader, "not enough memory for %zu points", count);
    const gb_params fallback = fallback_point(plan->primitive, false);
    for (const cJSON *item = list->child; item; item = item->next, index++) {
        plan->points[index] = fallback;
        for (unsigned i = 0; i < plan->primitive->axis_count; i++)
            if (!cJSON_GetObjectItemCaseSensitive(item, names[i])) plan->left_out[index] |= 1u << i;
        size_t before = gb_json_enter_index(reader, index);
        if (!read_point(reader, item, names, plan->primitive, &plan->points[index])) return false;
        gb_json_leave(reader, before);
    }
    plan->point_count = count;
    return check_unique(reader, plan->points->value, count, GB_MAX_AXES, GB_MAX_AXES);
}

bool gb_plan_read(gb_json_reader *reader, const cJSON *section, gb_plan *plan)
{
    const cJSON *axes = cJSON_GetObjectItemCaseSensitive(section, "axes");
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(section, "points");
    if (axes && points)
        return gb_json_refuse(reader, "found both \"axes\" and \"points\"; points are either the "
                                      "product of axes or a list: leave one of them out");
    size_t before = gb_json_enter(reader, axes ? "axes" : "points");
    if (axes && !read_axes(reader, axes, plan)) return false;
    if (points && !read_points(reader, points, plan)) return false;
    gb_json_leave(reader, before);
    return true;
}

void gb_plan_override(gb_plan *plan, gb_plan *later)
{
    if (!later->listed && later->given == 0) return;
    if (later->listed || plan->listed) {
        gb_plan_free(plan);
        *plan = *later;
    } else {
        for (unsigned i = 0; i < later->given; i++) {
            unsigned axis = later->order[i];
            if (!plan->values[axis]) plan->order[plan->given++] = axis;
            free(plan->values[axis]);
            plan->values[axis] = later->values[axis];
            plan->counts[axis] = later->counts[axis];
        }
    }
    *later = (gb_plan){.primitive = plan->primitive};
}

/* Leaves out points that repeat an earlier one. False without memory. */
static bool drop_repeated(gb_plan *plan)
{
    const size_t count = plan->point_count;
    reference *references = malloc((count + 1) * sizeof *references);
    bool *repeats = calloc(count + 1, sizeof *repeats);
    const bool good = references && repeats;
    for (size_t i = 0; good && i < count; i++)
        references[i] = (reference){plan->points[i].value, GB_MAX_AXES, i};
    if (good) qsort(references, count, sizeof *references, compare_references);
    for (size_t i = 1; good && i < count; i++)
        repeats[references[i].index] = compare_values(&references[i - 1], &references[i]) == 0;
    if (good) plan->point_count = 0;
    for (size_t i = 0; good && i < count; i++) {
        if (repeats[i]) continue;
        plan->left_out[plan->point_count] = plan->left_out[i];
        plan->points[plan->point_count++] = plan->points[i];
    }
    free(references);
    free(repeats);
    return good;
}

bool gb_plan_shrink(gb_json_reader *reader, gb_plan *plan)
{
    plan->small = true;
    if (!plan->listed) return true;
    const gb_params small = fallback_point(plan->primitive, true);
    for (size_t i = 0; i < plan->point_count; i++)
        for (unsigned a = 0; a < plan->primitive->axis_count; a++)
            if (plan->left_out[i] >> a & 1) plan->points[i].value[a] = small.value[a];
    return drop_repeated(plan) ||
           gb_json_refuse(reader, "not enough memory for %zu points", plan->point_count);
}

char *gb_plan_small(const gb_plan *plan)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (unsigned i = 0; file && i < plan->primitive->axis_count; i++) {
        const gb_catalogue_axis *axis = &plan->primitive->axes[i];
        bool left_out = !plan->listed && !plan->values[i];
        for (size_t k = 0; k < plan->point_count && !left_out; k++)
            left_out = plan->left_out[k] >> i & 1;
        if (left_out && strcmp(axis->small, axis->fallback) != 0)
            fprintf(file, "%s%s = %s instead of %s", ftell(file) > 0 ? ", " : "", axis->name,
                    axis->small, axis->fallback);
    }
    const bool whole = file && !ferror(file);
    if (file && fclose(file) == 0 && whole) return text;
    free(text);
    return NULL;
}

void gb_plan_free(gb_plan *plan)
{
    for (unsigned i = 0; i < GB_MAX_AXES; i++)
        free(plan->values[i]);
    free(plan->points);
    free(plan->left_out);
    *plan = (gb_plan){.primitive = plan->primitive};
}

/* ---- expansion ------------------------------------------------------------------------------ */

static bool wanted(const gb_filter *filter, const gb_params *point, const unsigned *variants,
                   unsigned variant_count)
{
    if (!filter) return true;
    for (unsigned i = 0; i < variant_count; i++) {
        if (gb_filter_passes(filter, point, (int)variants[i])) return true;
    }
    return false;
}

static bool append(gb_json_reader *reader, const gb_params *point, size_t most, gb_params **points,
                   size_t *count, size_t *capacity)
{
    if (*count == *capacity) {
        size_t larger = *capacity ? *capacity * 2 : 1024;
        if (larger > most) larger = most;
        if (!check_memory(reader, larger)) return false;
        gb_params *moved = realloc(*points, larger * sizeof *moved);
        if (!moved) return gb_json_refuse(reader, "not enough memory for %zu points", larger);
        *points = moved;
        *capacity = larger;
    }
    (*points)[(*count)++] = *point;
    return true;
}

static bool count_product(gb_json_reader *reader, const gb_plan *plan, size_t *total)
{
    double product = 1;
    for (unsigned i = 0; i < plan->given; i++)
        product *= (double)plan->counts[plan->order[i]];
    if (product <= GB_MOST_POINTS) {
        *total = (size_t)product;
        return true;
    }
    gb_json_enter(reader, "axes");
    return gb_json_refuse(reader,
                          "the product of the axes is %.0f points; at most %d are allowed: shorten "
                          "an axis, or list the \"points\"",
                          product, GB_MOST_POINTS);
}

bool gb_plan_expand(gb_json_reader *reader, const gb_plan *plan, const gb_filter *filter,
                    const unsigned *variants, unsigned variant_count, gb_params **points,
                    size_t *point_count)
{
    size_t total = plan->point_count, capacity = 0;
    *points = NULL;
    *point_count = 0;
    if (!plan->listed && !count_product(reader, plan, &total)) return false;

    gb_params point = fallback_point(plan->primitive, plan->small);
    for (size_t number = 0; number < total; number++) {
        if (plan->listed) {
            point = plan->points[number];
        } else { /* the digits of a mixed-radix number, the last axis its lowest digit */
            size_t rest = number;
            for (unsigned i = plan->given; i-- > 0;) {
                unsigned axis = plan->order[i];
                point.value[axis] = plan->values[axis][rest % plan->counts[axis]];
                rest /= plan->counts[axis];
            }
        }
        if (!wanted(filter, &point, variants, variant_count)) continue;
        if (!append(reader, &point, total, points, point_count, &capacity)) {
            free(*points);
            *points = NULL;
            *point_count = 0;
            return false;
        }
    }
    return true;
}
