/* `gpubench run` of a config whose primitive is made from it: functions of a library, a program. */
#include "bench/commands/run.h"

#include "bench/config/provided.h"
#include "bench/worker/provide.h"

#include <stdio.h>
#include <string.h>

static bool refuse(const char *text)
{
    fprintf(stderr, "gpubench run: %s\n", text);
    return false;
}

bool gb_run_describe(const gb_run_command *c, gb_run_item *item)
{
    gb_error error = {GB_OK, ""};
    const gb_config_source *source = &item->source;
    return gb_provided_describe(source->path, source->text, source->length, c->library,
                                &item->description, &error) ||
           refuse(error.text);
}

bool gb_run_check_library(const gb_run_command *c)
{
    bool used = !c->library;
    for (size_t i = 0; i < c->count; i++)
        used |= c->items[i].description && strcmp(c->items[i].source.primitive, "call") == 0;
    return used || refuse("--library is for a config of primitive call, which names the functions "
                          "of a library; docs/configs.md shows one");
}

bool gb_run_provide(gb_run_item *item)
{
    gb_error error = {GB_OK, ""};
    gb_provide_place place;
    if (!item->description) return true;
    if (!item->session->worker && !gb_session_restart(item->session, &error))
        return refuse(error.text);
    item->made = gb_session_provide(item->session, item->description, &place, &error);
    if (item->made) return true;
    if (error.status != GB_CRASHED && error.status != GB_TIMEOUT)
        gb_provided_blame(item->source.path, item->source.text, place.path, &error);
    return refuse(error.text);
}

bool gb_run_provide_again(const gb_run_item *item, gb_error *error)
{
    return gb_session_provide_again(item->session, item->description, error);
}

/* ---- the files behind it --------------------------------------------------------------------- */

static void tell_file(const char *folder, const char *path, FILE *told)
{
    if (path && *path == '/')
        fprintf(told, "file %s\n", path);
    else if (path)
        fprintf(told, "file %s/%s\n", folder, path);
}

/* What an object names: a library, or a program that is not looked for on PATH. */
static void tell_named(const char *folder, const cJSON *object, FILE *told)
{
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(object, "command");
    const char *program = cJSON_GetStringValue(cJSON_GetArrayItem(words, 0));
    tell_file(folder, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "library")),
              told);
    if (program && strchr(program, '/')) tell_file(folder, program, told);
}

void gb_run_tell_made(const gb_run_item *item, FILE *told)
{
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(item->description, "settings");
    const cJSON *folder = cJSON_GetObjectItemCaseSensitive(item->description, "folder");
    const cJSON *variant = NULL;
    if (!cJSON_IsString(folder)) return;
    tell_named(folder->valuestring, settings, told);
    cJSON_ArrayForEach(variant, cJSON_GetObjectItemCaseSensitive(settings, "variants"))
    {
        tell_named(folder->valuestring, variant, told);
    }
}
