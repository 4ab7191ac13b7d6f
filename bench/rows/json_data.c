/* Members of the JSON files that come with gpubench. */
#include "bench/rows/json_data.h"

#include "bench/util/share.h"
#include "common/text/file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_TEXT = 2000, MOST_ITEMS = 1000 };

cJSON *gb_json_share(gb_arena *arena, const char *relative, gb_json_reader *reader, gb_error *error)
{
    size_t length;
    const char *path = gb_share_find(arena, relative);
    if (!path) {
        gb_fail(error, GB_WRONG, "there is no %s in any of: %s", relative, gb_share_places(arena));
        return NULL;
    }
    char *read = gb_file_read(path, "a file of rules", MOST_BYTES, &length, GB_WRONG, error);
    if (!read) return NULL;
    const char *text = gb_arena_strndup(arena, read, length);
    free(read);
    *reader = (gb_json_reader){.file = path, .text = text, .error = error};
    cJSON *root = gb_json_read(path, text, length, error);
    if (!root) return NULL;
    uint64_t schema;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, "schema");
    const size_t before = gb_json_enter(reader, "schema");
    const bool good = gb_json_whole(reader, item, 1, 1, "this gpubench reads schema 1", &schema);
    gb_json_leave(reader, before);
    if (good) return root;
    cJSON_Delete(root);
    return NULL;
}

static bool take_text(gb_json_reader *reader, gb_arena *arena, const cJSON *item, const char **text)
{
    char *copy;
    if (cJSON_IsString(item) && !*item->valuestring)
        return gb_json_refuse(reader, "a text that is not empty is allowed");
    if (!gb_json_string(reader, item, MOST_TEXT, &copy)) return false;
    *text = gb_arena_strdup(arena, copy);
    free(copy);
    return true;
}

bool gb_json_text(gb_json_reader *reader, gb_arena *arena, const cJSON *object, const char *key,
                  bool needed, const char **text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item && needed) return gb_json_refuse(reader, "\"%s\" is missing", key);
    if (!item) return true;
    const size_t before = gb_json_enter(reader, key);
    const bool good = take_text(reader, arena, item, text);
    gb_json_leave(reader, before);
    return good;
}

bool gb_json_texts(gb_json_reader *reader, gb_arena *arena, const cJSON *object, const char *key,
                   const char ***texts, size_t *count)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;
    *texts = NULL;
    *count = 0;
    if (!list) return true;
    const size_t before = gb_json_enter(reader, key);
    bool good = cJSON_IsArray(list) && cJSON_GetArraySize(list) <= MOST_ITEMS;
    if (!good) gb_json_refuse_item(reader, list, "a list of up to 1000 texts is allowed");
    if (good) *texts = gb_arena_alloc(arena, (size_t)cJSON_GetArraySize(list) * sizeof **texts + 1);
    cJSON_ArrayForEach(item, list)
    {
        if (!good) break;
        const size_t at = gb_json_enter_index(reader, *count);
        good = take_text(reader, arena, item, &(*texts)[*count]);
        *count += good;
        gb_json_leave(reader, at);
    }
    gb_json_leave(reader, before);
    return good;
}

bool gb_json_number(gb_json_reader *reader, const cJSON *object, const char *key, double least,
                    double most, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) return true;
    const size_t before = gb_json_enter(reader, key);
    const bool good =
        cJSON_IsNumber(item) && item->valuedouble >= least && item->valuedouble <= most;
    char shown[GB_JSON_SHOWN];
    if (good)
        *value = item->valuedouble;
    else
        gb_json_refuse(reader, "found %s; a number from %g to %g is allowed",
                       gb_json_show(item, shown), least, most);
    gb_json_leave(reader, before);
    return good;
}

bool gb_json_flag(gb_json_reader *reader, const cJSON *object, const char *key, bool *flag)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) return true;
    const size_t before = gb_json_enter(reader, key);
    const bool good =
        cJSON_IsBool(item) || gb_json_refuse_item(reader, item, "true or false is allowed");
    if (good) *flag = cJSON_IsTrue(item);
    gb_json_leave(reader, before);
    return good;
}

bool gb_json_terms(gb_json_reader *reader, gb_arena *arena, const cJSON *object, const char *key,
                   gb_terms *terms)
{
    const char *text = "", *why;
    if (!gb_json_text(reader, arena, object, key, false, &text)) return false;
    const size_t before = gb_json_enter(reader, key);
    const bool good = gb_terms_parse(arena, text, terms, &why) || gb_json_refuse(reader, "%s", why);
    gb_json_leave(reader, before);
    return good;
}

bool gb_json_objects(gb_json_reader *reader, const cJSON *object, const char *key, bool needed,
                     const cJSON **first, size_t *count)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    *first = NULL;
    *count = 0;
    if (!list && !needed) return true;
    const size_t before = gb_json_enter(reader, key);
    const int size = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    const bool good = (size > 0 && size <= MOST_ITEMS) ||
                      gb_json_refuse_item(reader, list, "a list of one to 1000 objects is allowed");
    gb_json_leave(reader, before);
    if (!good || !list) return false;
    *first = list->child;
    *count = (size_t)size;
    return true;
}
