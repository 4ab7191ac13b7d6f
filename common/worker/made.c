/* What all primitives that are made from a description have in common. The driver says what a
 * config says, and every mistake is named by its place there. */
#include "common/worker/made.h"

#include "common/protocol/columns.h"
#include "common/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1000 };

static const char *const common_keys[] = {"unit", "items", "bytes", "on", NULL};

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

bool gb_made_refuse(gb_provision *provision, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    snprintf(provision->path, sizeof provision->path, "%s", path);
    provision->error.status = GB_UNSUPPORTED;
    vsnprintf(provision->error.text, sizeof provision->error.text, format, args);
    va_end(args);
    return false;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static bool is_listed(const char *const *list, const char *name)
{
    for (; list && *list; list++)
        if (strcmp(*list, name) == 0) return true;
    return false;
}

bool gb_made_check_keys(gb_provision *provision, const cJSON *object, const char *path,
                        const char *const *known, const char *const *besides)
{
    const char *all[32] = {NULL};
    size_t count = 0;
    const char *const *lists[] = {known, besides};
    for (size_t i = 0; i < 2; i++)
        for (const char *const *key = lists[i]; key && *key && count < 31; key++)
            all[count++] = *key;
    for (const cJSON *item = object->child; item; item = item->next) {
        char names[256], at[GB_MAX_TEXT];
        if (is_listed(all, item->string)) continue;
        snprintf(at, sizeof at, "%s%s%s", path, *path ? "." : "", item->string);
        return gb_made_refuse(provision, at, "unknown key; allowed%s: %s",
                              *path ? "" : " here, beyond what every config may have",
                              gb_join_names(names, sizeof names, all));
    }
    return true;
}

const cJSON *gb_made_item(const gb_made *made, int entry, const char *key, char *path)
{
    const cJSON *variant =
        entry < 0 ? NULL : cJSON_GetArrayItem(member(made->settings, "variants"), entry);
    const cJSON *own = member(variant, key), *found = own ? own : member(made->settings, key);
    if (path && own)
        snprintf(path, GB_MAX_TEXT, "variants[%d].%s", entry, key);
    else if (path)
        snprintf(path, GB_MAX_TEXT, "%s", key);
    return found;
}

bool gb_made_text(gb_provision *provision, const gb_made *made, int entry, const char *key,
                  bool required, const char **text)
{
    char path[GB_MAX_TEXT];
    const cJSON *item = gb_made_item(made, entry, key, path);
    *text = cJSON_GetStringValue(item);
    if (!item && !required) return true;
    if (!item && entry >= 0) snprintf(path, sizeof path, "variants[%d]", entry);
    if (!item) return gb_made_refuse(provision, entry < 0 ? "" : path, "\"%s\" is missing", key);
    return (*text && **text && !gb_text_unprintable(*text)) ||
           gb_made_refuse(provision, path,
                          "a text is allowed, neither empty nor with control "
                          "characters");
}

bool gb_made_path(const gb_made *made, const char *path, char *whole, size_t capacity)
{
    const int length = *path == '/' ? snprintf(whole, capacity, "%s", path)
                                    : snprintf(whole, capacity, "%s/%s", made->folder, path);
    return length >= 0 && (size_t)length < capacity;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static bool check_axis_name(gb_provision *provision, const gb_made *made, const char *name,
                            const char *path)
{
    const size_t length = strlen(name);
    const bool word = *name >= 'a' && *name <= 'z' && length < 40 &&
                      strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
    if (!word)
        return gb_made_refuse(provision, path,
                              "an axis is a column of the result file: small letters, digits and "
                              "'_' are allowed, a letter first, 39 in all");
    if (gb_column_is_taken(name) || strcmp(name, "variant") == 0)
        return gb_made_refuse(provision, path,
                              "a column of result files has this name already: call it otherwise");
    for (unsigned i = 0; i < made->terms.count; i++)
        if (strcmp(made->terms.names[i], name) == 0)
            return gb_made_refuse(provision, path, "two axes share this name");
    return true;
}

/* Values of axes stand in CSV files, in lists on command lines and in keys like "n=1;bins=2|cpu".
 */
static bool is_word(const char *text)
{
    const size_t length = strlen(text);
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c > '~' || strchr("\"'`,;|=", *c)) return false;
    return length > 0 && length < GB_MAX_TEXT && text[length - 1] != ':';
}

static const char *const *read_words(gb_provision *provision, const cJSON *axis, const char *path)
{
    const cJSON *list = member(axis, "names"), *item = NULL;
    if (cJSON_GetArraySize(list) > MOST_WORDS) {
        gb_made_refuse(provision, path, "at most %d words are allowed", MOST_WORDS);
        return NULL;
    }
    const char **words = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *words);
    size_t count = 0;
    cJSON_ArrayForEach(item, list)
    {
        const char *word = cJSON_GetStringValue(item);
        if (!words || !word || !is_word(word)) {
            gb_made_refuse(provision, path,
                           "\"%.60s\" is no word: 1 to %d plain characters without blanks, quotes "
                           "and , ; | = are allowed, the last no colon",
                           word ? word : "", GB_MAX_TEXT - 1);
            free(words);
            return NULL;
        }
        words[count++] = word;
    }
    return words;
}

static bool read_axis(gb_provision *provision, const gb_made_kind *kind, gb_made *made,
                      const cJSON *item)
{
    static const char *const nothing[] = {NULL};
    char path[GB_MAX_TEXT];
    const char *name = cJSON_GetStringValue(member(item, "name"));
    const char *fallback = cJSON_GetStringValue(member(item, "default"));
    const char *type = cJSON_GetStringValue(member(item, "type"));
    if (!name || !fallback || !type)
        return gb_made_refuse(provision, "axes", "an axis has a name, a type and a default");
    snprintf(path, sizeof path, "axes.%s", name);
    if (made->terms.count == GB_MAX_AXES)
        return gb_made_refuse(provision, path, "at most %d axes are allowed", GB_MAX_AXES);
    if (!check_axis_name(provision, made, name, path)) return false;
    gb_axis *axis = &made->axes[made->terms.count];
    *axis = (gb_axis){.name = name,
                      .type = strcmp(type, "size") == 0 ? GB_AXIS_SIZE : GB_AXIS_NAME,
                      .help = "of the config",
                      .fallback = fallback,
                      .max = kind->most,
                      .nasty = nothing};
    if (axis->type == GB_AXIS_NAME && !kind->words)
        return gb_made_refuse(provision, path,
                              "found \"%.60s\"; the values are handed over as numbers: whole "
                              "numbers and sizes such as \"32M\" are allowed",
                              fallback);
    if (axis->type == GB_AXIS_NAME && !(axis->names = read_words(provision, item, path)))
        return false;
    made->terms.names[made->terms.count] = name;
    made->terms.types[made->terms.count++] = axis->type;
    return true;
}

/* ---- amounts --------------------------------------------------------------------------------- */

static uint64_t amount(const gb_made *made, const char *text, uint64_t otherwise,
                       const gb_params *params)
{
    gb_error unheard; /* the driver has tried all points */
    uint64_t value = otherwise;
    if (*text && !gb_expression_value(text, &made->terms, params, &value, &unheard)) return 0;
    return value;
}

static gb_work work_of(const gb_primitive *primitive, const gb_params *params)
{
    const gb_made *made = (const gb_made *)primitive;
    const uint64_t bytes = amount(made, made->bytes, 0, params);
    return (gb_work){
        .items = amount(made, made->items, 1, params), .bytes = bytes, .footprint = bytes};
}

static bool read_amount(gb_provision *provision, const gb_made *made, const char *key,
                        const char **text)
{
    gb_error why;
    if (!gb_made_text(provision, made, -1, key, false, text)) return false;
    if (!*text) *text = "";
    if (!**text || gb_expression_value(*text, &made->terms, NULL, NULL, &why)) return true;
    return gb_made_refuse(provision, key, "%s", why.text);
}

/* ---- variants -------------------------------------------------------------------------------- */

static bool check_variant_name(gb_provision *provision, const gb_made *made, unsigned at,
                               const char *path)
{
    const char *name = made->variants[at]->name, *mistake = gb_name_mistake(name);
    if (mistake) return gb_made_refuse(provision, path, "\"%.60s\": %s", name, mistake);
    for (unsigned i = 0; i < at; i++)
        if (strcmp(made->variants[i]->name, name) == 0)
            return gb_made_refuse(provision, path,
                                  "\"%.60s\" is the name of two variants: give each a \"name\" of "
                                  "its own",
                                  name);
    return true;
}

static bool read_variant(gb_provision *provision, const gb_made_kind *kind, gb_made *made,
                         int entry)
{
    const unsigned at = made->variant_count;
    char path[GB_MAX_TEXT] = "";
    const char *on = NULL;
    const cJSON *item = cJSON_GetArrayItem(member(made->settings, "variants"), entry);
    if (entry >= 0) snprintf(path, sizeof path, "variants[%d]", entry);
    if (entry >= 0 && !cJSON_IsObject(item))
        return gb_made_refuse(provision, path,
                              "an object is allowed, such as {\"name\": \"v2\"}; "
                              "what it does not say is as the config says");
    if (entry >= 0 && !gb_made_check_keys(provision, item, path, (const char *[]){"name", NULL},
                                          kind->variant_keys))
        return false;
    gb_variant *variant = calloc(1, kind->variant_bytes);
    if (!variant) return gb_made_refuse(provision, path, "not enough memory");
    made->variants[made->variant_count++] = variant;
    const cJSON *name = member(item, "name");
    variant->name = cJSON_GetStringValue(name);
    variant->origin = "the config";
    if (name && !variant->name) return gb_made_refuse(provision, path, "\"name\" is a text");
    if (!gb_made_text(provision, made, entry, "on", false, &on)) return false;
    if (on && strcmp(on, "host") != 0 && strcmp(on, "device") != 0)
        return gb_made_refuse(provision, "on", "found \"%.60s\"; \"device\" or \"host\" is allowed",
                              on);
    const bool gpu = strcmp(provision->device.backend, "cuda") == 0;
    if (!gpu || (on ? strcmp(on, "host") == 0 : kind->on_host)) variant->flags |= GB_HOST;
    return kind->read_variant(provision, made, entry, variant) &&
           check_variant_name(provision, made, at, path);
}

static bool read_variants(gb_provision *provision, const gb_made_kind *kind, gb_made *made)
{
    const cJSON *list = member(made->settings, "variants");
    if (list && (!cJSON_IsArray(list) || !list->child))
        return gb_made_refuse(provision, "variants", "a list of at least one object is allowed");
    const int count = cJSON_GetArraySize(list);
    made->variants = calloc((size_t)count + 2, sizeof *made->variants);
    if (!made->variants) return gb_made_refuse(provision, "variants", "not enough memory");
    if (!list) return read_variant(provision, kind, made, -1);
    for (int i = 0; i < count; i++)
        if (!read_variant(provision, kind, made, i)) return false;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool read_whole(gb_provision *provision, const gb_made_kind *kind, gb_made *made,
                       const gb_primitive *registered)
{
    const cJSON *axes = member(made->description, "axes"), *item = NULL;
    const char *title = cJSON_GetStringValue(member(made->description, "title")), *unit;
    made->settings = member(made->description, "settings");
    made->folder = cJSON_GetStringValue(member(made->description, "folder"));
    if (!cJSON_IsObject(made->settings) || !cJSON_IsArray(axes) || !made->folder || !title)
        return gb_made_refuse(provision, "", "a description has title, folder, axes and settings");
    cJSON_ArrayForEach(item, axes)
    {
        if (!read_axis(provision, kind, made, item)) return false;
    }
    static const char *const variants[] = {"variants", NULL};
    const char *known[32] = {NULL};
    size_t count = 0;
    for (const char *const *key = common_keys; *key; key++)
        known[count++] = *key;
    for (const char *const *key = kind->keys; *key && count < 31; key++)
        known[count++] = *key;
    if (!gb_made_check_keys(provision, made->settings, "", known, variants) ||
        !gb_made_text(provision, made, -1, "unit", false, &unit) ||
        !read_amount(provision, made, "items", &made->items) ||
        !read_amount(provision, made, "bytes", &made->bytes))
        return false;
    made->primitive = (gb_primitive){.name = registered->name,
                                     .title = *title ? title : registered->title,
                                     .unit = unit           ? unit
                                             : *made->items ? "items"
                                                            : "runs",
                                     .axes = made->axes,
                                     .axis_count = made->terms.count,
                                     .work_of = work_of};
    if (!read_variants(provision, kind, made)) return false;
    made->primitive.variants = made->variants;
    return true;
}

static void free_made(gb_made *made)
{
    for (unsigned i = 0; i < made->variant_count; i++)
        free((void *)made->variants[i]);
    for (unsigned i = 0; i < GB_MAX_AXES; i++)
        free((void *)made->axes[i].names);
    free((void *)made->variants);
    cJSON_Delete(made->description);
    free(made);
}

gb_made *gb_made_read(gb_provision *provision, const gb_made_kind *kind,
                      const gb_primitive *registered)
{
    gb_made *made = calloc(1, sizeof *made);
    if (made) made->description = cJSON_Duplicate(provision->description, true);
    if (!made || !made->description)
        gb_made_refuse(provision, "", "not enough memory");
    else if (read_whole(provision, kind, made, registered))
        return made;
    if (made) free_made(made);
    return NULL;
}
