/* A config as the description of a primitive: its axes with what they take, and all that is not for
 * the driver. */
#include "bench/config/provided.h"

#include "bench/config/parts.h"
#include "bench/util/json_reader.h"
#include "common/protocol/expression.h"
#include "common/text/json.h"
#include "common/text/size.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Said of the two kinds that there are: where their work is done unless "on" says it. */
static const struct {
    const char *primitive;
    bool on_host;
} kinds[] = {{"call", false}, {"command", true}};

enum { MOST_WORDS = 1000 };

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* A value as a text; false of what is none. */
static bool text_of(const cJSON *item, char text[GB_MAX_VALUE])
{
    char path[] = "";
    gb_error unheard;
    gb_json_reader reader = {.file = path, .text = path, .error = &unheard};
    return (cJSON_IsString(item) || cJSON_IsNumber(item)) &&
           gb_json_scalar(&reader, item, "", text, GB_MAX_VALUE);
}

/* The axis of a name, made if need be; NULL beyond one more than a worker takes. */
static cJSON *find_axis(cJSON *axes, const char *name)
{
    cJSON *axis = NULL;
    cJSON_ArrayForEach(axis, axes)
    {
        if (strcmp(member(axis, "name")->valuestring, name) == 0) return axis;
    }
    if (cJSON_GetArraySize(axes) > GB_MAX_AXES) return NULL;
    axis = cJSON_CreateObject();
    cJSON_AddStringToObject(axis, "name", name);
    cJSON_AddStringToObject(axis, "type", "size");
    cJSON_AddArrayToObject(axis, "names");
    cJSON_AddItemToArray(axes, axis);
    return axis;
}

/* The first value that is met is the default; an axis is one of words if one value is no size. */
static void judge_value(cJSON *axis, const char *text)
{
    uint64_t size;
    if (!member(axis, "default")) cJSON_AddStringToObject(axis, "default", text);
    if (!gb_size_parse(text, &size, NULL))
        cJSON_ReplaceItemInObjectCaseSensitive(axis, "type", cJSON_CreateString("name"));
}

/* Adds a word to those of its axis, unless it is there; one more than a worker takes are enough. */
static void add_word(cJSON *axis, const char *text)
{
    cJSON *names = cJSON_GetObjectItemCaseSensitive(axis, "names");
    const cJSON *known = NULL;
    int count = 0;
    if (strcmp(member(axis, "type")->valuestring, "size") == 0) return;
    cJSON_ArrayForEach(known, names)
    {
        if (++count > MOST_WORDS || strcmp(known->valuestring, text) == 0) return;
    }
    cJSON_AddItemToArray(names, cJSON_CreateString(text));
}

typedef void take_value(cJSON *axis, const char *text);

static void take_axis(cJSON *axes, const cJSON *said, take_value *take)
{
    char text[GB_MAX_VALUE];
    cJSON *axis = find_axis(axes, said->string);
    const cJSON *item = NULL;
    if (!axis) return;
    if (cJSON_IsArray(said)) {
        cJSON_ArrayForEach(item, said)
        {
            if (text_of(item, text)) take(axis, text);
        }
    } else if (text_of(cJSON_IsObject(said) ? member(said, "from") : said, text)) {
        take(axis, text);
    }
}

/* What a section, the root or "quick", names in "axes" and "points". */
static void take_section(cJSON *axes, const cJSON *section, take_value *take)
{
    const cJSON *said = NULL, *point = NULL, *points = member(section, "points"),
                *list = member(section, "axes");
    if (cJSON_IsObject(list)) {
        cJSON_ArrayForEach(said, list)
        {
            take_axis(axes, said, take);
        }
    }
    if (!cJSON_IsArray(points)) return;
    cJSON_ArrayForEach(point, points)
    {
        if (!cJSON_IsObject(point)) continue;
        cJSON_ArrayForEach(said, point)
        {
            take_axis(axes, said, take);
        }
    }
}

static void take_all(cJSON *axes, const cJSON *root, take_value *take)
{
    take_section(axes, root, take);
    take_section(axes, member(root, "quick"), take);
}

/* An axis of sizes has no names; of one without a single value gb_config_parse will say so. A
 * result file has an axis at least. */
static void settle_axes(cJSON *axes)
{
    cJSON *axis = NULL;
    if (!axes->child) (void)find_axis(axes, "point");
    cJSON_ArrayForEach(axis, axes)
    {
        if (!member(axis, "default")) cJSON_AddStringToObject(axis, "default", "1");
        if (strcmp(member(axis, "type")->valuestring, "size") == 0)
            cJSON_DeleteItemFromObjectCaseSensitive(axis, "names");
    }
}

/* ---- the description ------------------------------------------------------------------------- */

static int kind_of(const cJSON *root)
{
    const char *name = cJSON_GetStringValue(member(root, "primitive"));
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].primitive, name) == 0) return (int)i;
    return -1;
}

/* All that no other config may say. */
static cJSON *settings_of(const cJSON *root)
{
    cJSON *settings = cJSON_CreateObject();
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, root)
    {
        bool own = false;
        for (const char *const *key = gb_config_keys; *key; key++)
            own |= strcmp(*key, item->string) == 0;
        if (!own || strcmp(item->string, "variants") == 0)
            cJSON_AddItemToObject(settings, item->string, cJSON_Duplicate(item, true));
    }
    return settings;
}

/* Where relative paths of the config begin: its folder. */
static bool add_folder(cJSON *description, const char *path, gb_error *error)
{
    char *whole = realpath(path, NULL), *copy = whole ? whole : realpath(".", NULL);
    if (!copy) {
        gb_fail(error, GB_UNSUPPORTED, "%s: its folder cannot be found", path);
        return false;
    }
    cJSON_AddStringToObject(description, "folder", whole ? dirname(copy) : copy);
    free(copy);
    return true;
}

/* --library begins in the current folder. */
static bool set_library(cJSON *settings, const char *library, gb_error *error)
{
    if (!library) return true;
    char *whole = realpath(library, NULL);
    if (!whole) {
        gb_fail(error, GB_UNSUPPORTED, "--library: there is no %.300s", library);
        return false;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(settings, "library");
    cJSON_AddStringToObject(settings, "library", whole);
    free(whole);
    return true;
}

bool gb_provided_describe(const char *path, const char *text, size_t length, const char *library,
                          cJSON **description, gb_error *error)
{
    const char *at, *why;
    cJSON *root = gb_json_parse(text, length, &at, &why);
    const int kind = cJSON_IsObject(root) ? kind_of(root) : -1;
    *description = NULL;
    if (kind < 0) {
        cJSON_Delete(root);
        return true;
    }
    cJSON *made = cJSON_CreateObject(), *axes = cJSON_CreateArray();
    cJSON_AddStringToObject(made, "primitive", kinds[kind].primitive);
    const char *title = cJSON_GetStringValue(member(root, "title"));
    cJSON_AddStringToObject(made, "title", title ? title : "");
    take_all(axes, root, judge_value);
    take_all(axes, root, add_word);
    settle_axes(axes);
    cJSON_AddItemToObject(made, "axes", axes);
    cJSON *settings = settings_of(root);
    cJSON_AddItemToObject(made, "settings", settings);
    const bool good =
        add_folder(made, path, error) &&
        (strcmp(kinds[kind].primitive, "call") != 0 || set_library(settings, library, error));
    cJSON_Delete(root);
    if (good)
        *description = made;
    else
        cJSON_Delete(made);
    return good;
}

bool gb_provided_on_host(const cJSON *description)
{
    const char *on = cJSON_GetStringValue(member(member(description, "settings"), "on"));
    const int kind = kind_of(description);
    return on ? strcmp(on, "host") == 0 : kind >= 0 && kinds[kind].on_host;
}

void gb_provided_blame(const char *path, const char *text, const char *where, gb_error *error)
{
    char reason[sizeof error->text];
    gb_json_reader reader = {.file = path, .text = text, .error = error};
    memcpy(reason, error->text, sizeof reason);
    snprintf(reader.path, sizeof reader.path, "%s", where);
    gb_json_refuse(&reader, "%s", reason);
}

bool gb_provided_check_amounts(const cJSON *description, const gb_config *config, gb_error *error)
{
    static const char *const amounts[] = {"items", "bytes"};
    const gb_catalogue_primitive *primitive = config->primitive;
    gb_expression_axes axes = {.count = primitive->axis_count};
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        axes.names[i] = primitive->axes[i].name;
        axes.types[i] = primitive->axes[i].type;
    }
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        const char *said =
            cJSON_GetStringValue(member(member(description, "settings"), amounts[i]));
        for (size_t at = 0; said && at < config->point_count; at++) {
            uint64_t value;
            if (gb_expression_value(said, &axes, &config->points[at], &value, error)) continue;
            gb_provided_blame(config->path, config->text, amounts[i], error);
            return false;
        }
    }
    return true;
}
