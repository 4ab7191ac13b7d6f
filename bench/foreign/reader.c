/* What the readers of the formats share: members of JSON objects, entries, what our own exports
 * say.
 */
#include "bench/foreign/reader.h"
#include "common/text/text.h"

#include <math.h>
#include <string.h>

/* ---- members --------------------------------------------------------------------------------- */

const cJSON *gb_foreign_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

const char *gb_foreign_copy(gb_foreign_reader *reader, const char *text)
{
    char *copy = gb_arena_strdup(reader->arena, text);
    gb_text_tame(copy);
    return copy;
}

/* Whether a member is there; *good: whether it may be absent. */
static const cJSON *find(gb_foreign_reader *reader, const cJSON *object, const char *name,
                         bool needed, bool *good)
{
    const cJSON *item = gb_foreign_member(object, name);
    *good = item || !needed;
    if (!*good) gb_json_refuse(&reader->json, "\"%s\" is missing", name);
    return item;
}

static bool refuse(gb_foreign_reader *reader, const cJSON *item, const char *name,
                   const char *allowed)
{
    const size_t before = gb_json_enter(&reader->json, name);
    gb_json_refuse_item(&reader->json, item, allowed);
    gb_json_leave(&reader->json, before);
    return false;
}

bool gb_foreign_text(gb_foreign_reader *reader, const cJSON *object, const char *name, bool needed,
                     const char **to)
{
    bool good;
    const cJSON *item = find(reader, object, name, needed, &good);
    if (!item) return good;
    if (!cJSON_IsString(item)) return refuse(reader, item, name, "a text is allowed");
    *to = gb_foreign_copy(reader, item->valuestring);
    return true;
}

bool gb_foreign_number(gb_foreign_reader *reader, const cJSON *object, const char *name,
                       bool needed, double *to)
{
    bool good;
    const cJSON *item = find(reader, object, name, needed, &good);
    if (!item) return good;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || item->valuedouble < 0)
        return refuse(reader, item, name, "a number that is not below 0 is allowed");
    *to = item->valuedouble;
    return true;
}

bool gb_foreign_count(gb_foreign_reader *reader, const cJSON *object, const char *name, bool needed,
                      double most, size_t *to)
{
    double number = (double)*to;
    if (!gb_foreign_number(reader, object, name, needed, &number)) return false;
    if (floor(number) < number || number > most)
        return refuse(reader, gb_foreign_member(object, name), name,
                      "a whole number that is not so large is allowed");
    *to = (size_t)number;
    return true;
}

bool gb_foreign_flag(gb_foreign_reader *reader, const cJSON *object, const char *name, bool *to)
{
    bool good;
    const cJSON *item = find(reader, object, name, false, &good);
    if (!item) return good;
    if (!cJSON_IsBool(item)) return refuse(reader, item, name, "true or false is allowed");
    *to = cJSON_IsTrue(item);
    return true;
}

bool gb_foreign_list(gb_foreign_reader *reader, const cJSON *object, const char *name, bool needed,
                     const cJSON **list)
{
    bool good;
    const cJSON *item = find(reader, object, name, needed, &good), *element;
    *list = NULL;
    if (!item || (cJSON_IsNull(item) && !needed)) return good;
    if (!cJSON_IsArray(item)) return refuse(reader, item, name, "a list is allowed");
    size_t at = 0;
    cJSON_ArrayForEach(element, item)
    {
        if (!cJSON_IsObject(element)) {
            const size_t before = gb_json_enter(&reader->json, name);
            gb_json_enter_index(&reader->json, at);
            gb_json_refuse_item(&reader->json, element, "an object is allowed");
            gb_json_leave(&reader->json, before);
            return false;
        }
        at++;
    }
    *list = item;
    return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

void gb_foreign_entry_start(gb_foreign_entry *entry)
{
    *entry = (gb_foreign_entry){.where = "",
                                .variant = "",
                                .backend = "",
                                .device = "",
                                .under = "",
                                .cache = "warm",
                                .scope = "device",
                                .status = GB_OK,
                                .reason = "",
                                .unit = "",
                                .limit_kind = ""};
}

gb_foreign_entry *gb_foreign_add(gb_foreign_reader *reader)
{
    gb_foreign *file = reader->file;
    file->entries = gb_arena_grow(reader->arena, file->entries, file->count, &file->capacity,
                                  sizeof *file->entries);
    gb_foreign_entry *entry = &file->entries[file->count++];
    gb_foreign_entry_start(entry);
    entry->where = gb_arena_strdup(reader->arena, reader->json.path);
    return entry;
}

void gb_foreign_add_axis(gb_arena *arena, gb_foreign_entry *entry, const char *name,
                         const char *value)
{
    gb_foreign_axis *more = gb_arena_alloc(arena, (entry->axis_count + 1) * sizeof *more);
    if (entry->axis_count) memcpy(more, entry->axes, entry->axis_count * sizeof *more);
    more[entry->axis_count++] = (gb_foreign_axis){name, value};
    entry->axes = more;
}

/* ---- our own exports ------------------------------------------------------------------------- */

static bool own_status(gb_foreign_reader *reader, const cJSON *own, gb_foreign_entry *entry)
{
    const char *status = NULL;
    char known[128];
    if (!gb_foreign_text(reader, own, "status", false, &status)) return false;
    if (!status || gb_status_parse(status, &entry->status)) return true;
    return gb_json_refuse(&reader->json, "unknown status '%.40s'; a status is %s", status,
                          gb_status_list(known, sizeof known));
}

static bool own_axes(gb_foreign_reader *reader, const cJSON *own, gb_foreign_entry *entry)
{
    const cJSON *axes = gb_foreign_member(own, "axes"), *axis;
    if (!cJSON_IsObject(axes)) return gb_json_refuse(&reader->json, "\"axes\" is missing");
    entry->axis_count = 0;
    cJSON_ArrayForEach(axis, axes)
    {
        const char *value = "";
        if (!gb_foreign_text(reader, axes, axis->string, true, &value)) return false;
        gb_foreign_add_axis(reader->arena, entry, gb_foreign_copy(reader, axis->string), value);
    }
    return true;
}

bool gb_foreign_own(gb_foreign_reader *reader, const cJSON *object, gb_foreign_entry *entry)
{
    const cJSON *own = gb_foreign_member(object, "gpubench");
    if (!cJSON_IsObject(own)) return true;
    const size_t before = gb_json_enter(&reader->json, "gpubench");
    const bool good = gb_foreign_text(reader, own, "experiment", true, &entry->experiment) &&
                      gb_foreign_text(reader, own, "primitive", true, &entry->primitive) &&
                      gb_foreign_text(reader, own, "variant", true, &entry->variant) &&
                      gb_foreign_text(reader, own, "backend", true, &entry->backend) &&
                      gb_foreign_text(reader, own, "device", true, &entry->device) &&
                      gb_foreign_text(reader, own, "under", false, &entry->under) &&
                      gb_foreign_text(reader, own, "cache", true, &entry->cache) &&
                      gb_foreign_text(reader, own, "scope", true, &entry->scope) &&
                      gb_foreign_text(reader, own, "unit", true, &entry->unit) &&
                      gb_foreign_text(reader, own, "limit_kind", true, &entry->limit_kind) &&
                      gb_foreign_number(reader, own, "limit_rate", false, &entry->limit_rate) &&
                      gb_foreign_number(reader, own, "items", false, &entry->items) &&
                      own_status(reader, own, entry) && own_axes(reader, own, entry);
    gb_json_leave(&reader->json, before);
    return good;
}
