/* What the writers of the formats share. */
#include "bench/foreign/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gb_export_own(cJSON *object, const gb_foreign_entry *entry)
{
    cJSON *own = cJSON_AddObjectToObject(object, "gpubench");
    const struct {
        const char *name, *text;
    } texts[] = {{"experiment", entry->experiment},
                 {"primitive", entry->primitive},
                 {"variant", entry->variant},
                 {"backend", entry->backend},
                 {"device", *entry->under ? entry->model : entry->device},
                 {"cache", entry->cache},
                 {"scope", entry->scope},
                 {"status", gb_status_name(entry->status)},
                 {"unit", entry->unit},
                 {"limit_kind", entry->limit_kind}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cJSON_AddStringToObject(own, texts[i].name, texts[i].text);
    if (*entry->under) cJSON_AddStringToObject(own, "under", entry->under);
    if (entry->items > 0) cJSON_AddNumberToObject(own, "items", entry->items);
    if (entry->limit_rate > 0) cJSON_AddNumberToObject(own, "limit_rate", entry->limit_rate);
    cJSON *axes = cJSON_AddObjectToObject(own, "axes");
    for (unsigned a = 0; a < entry->axis_count; a++)
        cJSON_AddStringToObject(axes, entry->axes[a].name, entry->axes[a].value);
}

char *gb_export_name(const gb_foreign *file, const gb_foreign_entry *entry)
{
    bool experiments = false, caches = false, scopes = false;
    for (size_t i = 0; i < file->count; i++) {
        const gb_foreign_entry *other = &file->entries[i];
        experiments |= strcmp(other->experiment, entry->experiment) != 0;
        caches |= strcmp(other->cache, entry->cache) != 0;
        scopes |= strcmp(other->scope, entry->scope) != 0;
    }
    char *name = NULL;
    const int length =
        asprintf(&name, "%s%s%s%s%s%s%s", experiments ? entry->experiment : "",
                 experiments ? "/" : "", entry->variant, caches ? "/cache:" : "",
                 caches ? entry->cache : "", scopes ? "/scope:" : "", scopes ? entry->scope : "");
    return length < 0 ? NULL : name;
}

bool gb_export_put(FILE *out, cJSON *object, bool first)
{
    char *text = cJSON_Print(object);
    cJSON_Delete(object);
    if (!text) return false;
    fprintf(out, "%s%s", first ? "\n" : ",\n", text);
    cJSON_free(text);
    return true;
}
