/* Reading the file of a config, and looking at its primitive alone. */
#include "bench/config/source.h"

#include "bench/util/json_reader.h"
#include "common/text/file.h"
#include "common/text/json.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20 };

static char *find_primitive(const gb_config_source *source)
{
    const char *at, *why;
    cJSON *root = gb_json_parse(source->text, source->length, &at, &why);
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "primitive"));
    char *copy = name && *name ? strdup(name) : NULL;
    cJSON_Delete(root);
    return copy;
}

bool gb_config_read(gb_config_source *source, const char *path, gb_error *error)
{
    *source = (gb_config_source){.path = strdup(path)};
    if (!source->path) {
        gb_fail(error, GB_UNSUPPORTED, "%s: not enough memory", path);
        return false;
    }
    source->text =
        gb_file_read(path, "a config", MOST_BYTES, &source->length, GB_UNSUPPORTED, error);
    if (source->text) source->primitive = find_primitive(source);
    return source->text != NULL;
}

void gb_config_source_free(gb_config_source *source)
{
    free(source->path);
    free(source->text);
    free(source->primitive);
    *source = (gb_config_source){0};
}

char *gb_config_take_text(gb_config_source *source)
{
    char *text = source->text;
    source->text = NULL;
    return text;
}

void gb_config_blame_primitive(const gb_config_source *source, gb_error *error)
{
    gb_error where = *error;
    gb_json_reader reader = {.file = source->path, .text = source->text, .error = error};
    gb_json_enter(&reader, "primitive");
    gb_json_refuse(&reader, "%s", where.text);
    error->status = where.status;
}
