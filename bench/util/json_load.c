/* From text to parsed JSON, or to the line and column where it stops being JSON. */
#include "bench/util/json_reader.h"
#include "common/text/json.h"

#include <ctype.h>
#include <string.h>

/* What surrounds a place: how many lists and objects are open, whether the innermost is an object,
 * and whether the place lies in a string. */
typedef struct surroundings {
    unsigned depth;
    bool in_object, in_string;
} surroundings;

static surroundings survey(const char *text, const char *at)
{
    bool object[GB_JSON_DEPTH + 1] = {false};
    surroundings s = {0};
    for (; text < at; text++) {
        if (s.in_string && *text == '\\' && text + 1 < at)
            text++;
        else if (*text == '"')
            s.in_string = !s.in_string;
        else if (!s.in_string && (*text == '[' || *text == '{') && s.depth < GB_JSON_DEPTH)
            object[++s.depth] = *text == '{';
        else if (!s.in_string && (*text == ']' || *text == '}') && s.depth > 0)
            s.depth--;
    }
    s.in_object = object[s.depth];
    return s;
}

/* The last character before a place that is no blank; NUL if there is none. */
static char last_before(const char *text, const char *at)
{
    while (at > text && strchr(" \t\r\n", at[-1]))
        at--;
    return at > text ? at[-1] : '\0';
}

/* Whether the string around a place ends at all. */
static bool string_ends(const char *at)
{
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at == '"';
}

/* cJSON reports the place after the first character of something that should be a string but does
 * not begin or not end like one. The character itself is what people look for. */
static const char *correct_place(const char *text, const char *at)
{
    if (at == text) return at;
    if (at[-1] == '"' && survey(text, at).in_string && !string_ends(at)) return at - 1;
    char last = last_before(text, at - 1);
    bool key = (last == ',' || last == '{') && survey(text, at - 1).in_object;
    return key && !strchr("\" \t\r\n", at[-1]) ? at - 1 : at;
}

/* The usual reasons why a place stops a JSON parser; "" if none fits. */
static const char *advice(const char *text, const char *at)
{
    char last = last_before(text, at);
    if (survey(text, at).in_string)
        return "; after a backslash one of \" \\ / b f n r t u0000 is allowed";
    if (*at == '"' && !string_ends(at + 1)) return "; this string is not closed";
    if ((*at == ']' || *at == '}') && last == ',') return "; leave out the comma before it";
    if (*at == '/' || *at == '#') return "; JSON has no comments";
    if (*at == '\'') return "; JSON strings stand in double quotes";
    if (*at == '.' || *at == '+') return "; JSON numbers begin with a digit or a minus sign";
    if (last == ',' || last == '{' || last == '[' || last == ':' || last == '\0')
        return "; a value or a name in double quotes belongs here";
    if (last == '"' || last == '}' || last == ']' || isalnum((unsigned char)last))
        return "; is a comma, a colon or a bracket missing before it?";
    return "";
}

static void refuse_place(const char *file, const char *text, const char *at, const char *why,
                         gb_error *error)
{
    size_t line, column;
    gb_text_locate(text, at, &line, &column);
    gb_fail(error, GB_UNSUPPORTED, "%s:%zu:%zu: found %s, which no such file needs", file, line,
            column, why);
}

static void refuse_syntax(const char *file, const char *text, const char *at, gb_error *error)
{
    size_t line, column;
    at = correct_place(text, at);
    gb_text_locate(text, at, &line, &column);
    if (*at == '\0') {
        gb_fail(error, GB_UNSUPPORTED,
                "%s:%zu:%zu: the file ends before its JSON does; is a bracket or a quote not "
                "closed?",
                file, line, column);
    } else {
        gb_fail(error, GB_UNSUPPORTED, "%s:%zu:%zu: JSON syntax error, found '%.*s'%s", file, line,
                column, (int)strcspn(at, "\r\n") < 24 ? (int)strcspn(at, "\r\n") : 24, at,
                advice(text, at));
    }
}

cJSON *gb_json_read(const char *file, const char *text, size_t length, gb_error *error)
{
    const char *at, *why;
    cJSON *root = gb_json_parse(text, length, &at, &why);
    if (!root && why)
        refuse_place(file, text, at, why, error);
    else if (!root)
        refuse_syntax(file, text, at, error);
    return root;
}
