/* JSON from outside: limits first, then cJSON. */
#include "common/text/json.h"

#include <stdbool.h>
#include <string.h>

/* The first place that breaks a limit, and *why; NULL if none does. Brackets and commas count
 * values whether they stand where JSON allows them or not, never fewer than cJSON would make. */
static const char *over_limit(const char *text, size_t length, const char **why)
{
    size_t depth = 0, values = 1;
    bool in_string = false;
    for (const char *at = text; at < text + length; at++) {
        if (*at == '\0') {
            *why = "a NUL character";
            return at;
        }
        if (*at == '\\') { /* outside strings it is no JSON anyway */
            *why = "a NUL character";
            if (strncmp(at + 1, "u0000", 5) == 0) return at;
            if (at[1]) at++;
            continue;
        }
        if (*at == '"') in_string = !in_string;
        if (in_string) continue;
        bool opens = *at == '[' || *at == '{';
        values += opens || *at == ',';
        depth += opens;
        if ((*at == ']' || *at == '}') && depth > 0) depth--;
        *why = "more than 64 levels";
        if (depth > GB_JSON_DEPTH) return at;
        *why = "more than 2000000 values";
        if (values > GB_JSON_VALUES) return at;
    }
    *why = NULL;
    return NULL;
}

cJSON *gb_json_parse(const char *text, size_t length, const char **at, const char **why)
{
    *at = over_limit(text, length, why);
    if (*at) return NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(text, length + 1, at, true);
    if (!*at) *at = text;
    return root;
}
