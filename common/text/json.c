/* JSON from outside: limits first, then cJSON; and where in the text something stands. */
#include "common/text/json.h"

#include <stdbool.h>
#include <stdlib.h>
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

/* ---- places ---------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Behind a string that begins at the quote `at`. */
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return at + (*at == '"');
}

/* Behind a value of any kind. */
static const char *skip_value(const char *at)
{
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '[' || *at == '{';
        depth -= depth && (*at == ']' || *at == '}');
        at++;
    } while (*at && (depth || !strchr(",]} \t\r\n", *at)));
    return at;
}

/* The first item of a list or object, or the one behind the value at `at`; NULL if there is none.
 */
static const char *first_item(const char *at)
{
    at = skip_blanks(at + 1);
    return *at == '\0' || *at == ']' || *at == '}' ? NULL : at;
}
static const char *next_item(const char *at)
{
    at = skip_blanks(skip_value(at));
    return *at == ',' ? skip_blanks(at + 1) : NULL;
}

/* The value of a member, whose name begins at `at`. */
static const char *value_of(const char *at)
{
    at = skip_blanks(skip_string(at));
    return skip_blanks(at + (*at == ':'));
}

/* How many bytes of the path a member's name takes, as it is written: it, and what a path goes on
 * with; 0 if it begins otherwise. */
static size_t match(const char *name, const char *path)
{
    const size_t length = (size_t)(skip_string(name) - name) - 2;
    if (strncmp(name + 1, path, length) != 0) return 0;
    return strchr(".[", path[length]) ? length : 0; /* the end is in it */
}

/* The member of an object whose name the path begins with, the longest of several, for names may
 * have dots; NULL if there is none. */
static const char *step_into(const char *object, const char **path)
{
    const char *found = NULL;
    size_t longest = 0;
    for (const char *name = first_item(object); name && *name == '"';
         name = next_item(value_of(name))) {
        const size_t length = match(name, *path);
        if (length <= longest) continue;
        longest = length;
        found = value_of(name);
    }
    *path += longest;
    return found;
}

static const char *step_to(const char *list, const char **path)
{
    char *end;
    size_t index = strtoul(*path + 1, &end, 10);
    const char *item = first_item(list);
    for (; item && index > 0; index--)
        item = next_item(item);
    *path = end + (*end == ']');
    return item;
}

const char *gb_json_at(const char *text, const char *path)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *at = skip_blanks(strncmp(text, mark, 3) == 0 ? text + 3 : text), *next = at;
    path += *path == '$';
    while (*path && next) {
        path += *path == '.';
        next = *path == '[' && *at == '[' ? step_to(at, &path)
               : *at == '{'               ? step_into(at, &path)
                                          : NULL;
        if (next) at = next;
    }
    return at;
}

void gb_json_add_positive(cJSON *object, const char *name, double value)
{
    if (value > 0) cJSON_AddNumberToObject(object, name, value);
}

const char *gb_json_name_at(const char *text, const char *path, size_t member)
{
    const char *object = gb_json_at(text, path);
    const char *name = *object == '{' ? first_item(object) : NULL;
    for (; name && member > 0; member--)
        name = next_item(value_of(name));
    return name ? name : object;
}

void gb_text_locate(const char *text, const char *at, size_t *line, size_t *column)
{
    *line = 1;
    *column = 1;
    for (; text < at; text++) {
        if (*text == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)*text & 0xC0) != 0x80) {
            ++*column;
        }
    }
}
