/* Typed access to parsed JSON with messages that say where. Loading is in json_load.c. */
#include "bench/util/json_reader.h"

#include "bench/util/nearest.h"
#include "common/text/json.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t gb_json_enter(gb_json_reader *reader, const char *member)
{
    size_t before = strlen(reader->path);
    snprintf(reader->path + before, sizeof reader->path - before, "%s%s", before ? "." : "",
             member);
    return before;
}

size_t gb_json_enter_index(gb_json_reader *reader, size_t index)
{
    size_t before = strlen(reader->path);
    snprintf(reader->path + before, sizeof reader->path - before, "[%zu]", index);
    return before;
}

void gb_json_leave(gb_json_reader *reader, size_t before)
{
    reader->path[before] = '\0';
}

/* At a place in the reader's text. */
static void refuse_at(gb_json_reader *reader, const char *at, const char *format, va_list args)
{
    char what[sizeof reader->error->text];
    size_t line, column;
    vsnprintf(what, sizeof what, format, args);
    gb_text_locate(reader->text, at, &line, &column);
    gb_fail(reader->error, GB_UNSUPPORTED, "%s:%zu:%zu: %s%s%s", reader->file, line, column,
            reader->path, *reader->path ? ": " : "", what);
}

bool gb_json_refuse(gb_json_reader *reader, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse_at(reader, gb_json_at(reader->text, reader->path), format, args);
    va_end(args);
    return false;
}

bool gb_json_refuse_name(gb_json_reader *reader, size_t member, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse_at(reader, gb_json_name_at(reader->text, reader->path, member), format, args);
    va_end(args);
    return false;
}

bool gb_json_refuse_item(gb_json_reader *reader, const cJSON *item, const char *expected)
{
    char shown[GB_JSON_SHOWN];
    return gb_json_refuse(reader, "found %s; %s", gb_json_show(item, shown), expected);
}

static void show_number(double number, char *text, size_t capacity)
{
    if (isinf(number))
        snprintf(text, capacity, "a number beyond %s1.8e308", number < 0 ? "-" : "");
    else if (number == floor(number) && fabs(number) < 1e17)
        snprintf(text, capacity, "%.0f", number);
    else
        snprintf(text, capacity, "%.15g", number);
}

const char *gb_json_show(const cJSON *item, char text[GB_JSON_SHOWN])
{
    if (cJSON_IsString(item)) {
        size_t length = strlen(item->valuestring);
        snprintf(text, GB_JSON_SHOWN, "\"%.60s%s\"", item->valuestring, length > 60 ? "..." : "");
    } else if (cJSON_IsNumber(item)) {
        show_number(item->valuedouble, text, GB_JSON_SHOWN);
    } else {
        snprintf(text, GB_JSON_SHOWN, "%s",
                 cJSON_IsTrue(item)     ? "true"
                 : cJSON_IsFalse(item)  ? "false"
                 : cJSON_IsNull(item)   ? "null"
                 : cJSON_IsArray(item)  ? "a list"
                 : cJSON_IsObject(item) ? "an object"
                                        : "nothing");
    }
    return text;
}

static bool is_known(const char *key, const char *const *known)
{
    for (; *known; known++) {
        if (strcmp(key, *known) == 0) return true;
    }
    return false;
}

bool gb_json_check_keys(gb_json_reader *reader, const cJSON *object, const char *what,
                        const char *const *known)
{
    if (!cJSON_IsObject(object)) return gb_json_refuse_item(reader, object, "an object is allowed");
    /* An unknown key ends this, so there are at most as many rounds as known keys. */
    size_t at = 0;
    for (const cJSON *member = object->child; member; member = member->next, at++) {
        if (!is_known(member->string, known)) {
            char word[64], hint[256], names[256];
            snprintf(word, sizeof word, "%s", member->string);
            gb_text_tame(word);
            return gb_json_refuse_name(reader, at, "unknown %s \"%s\"%s; known: %s", what, word,
                                       gb_did_you_mean(hint, sizeof hint, word, known),
                                       gb_join_names(names, sizeof names, known));
        }
        for (const cJSON *earlier = object->child; earlier != member; earlier = earlier->next) {
            if (strcmp(earlier->string, member->string) == 0)
                return gb_json_refuse_name(reader, at,
                                           "the %s \"%s\" is there twice; leave one of them out",
                                           what, member->string);
        }
    }
    return true;
}

bool gb_json_scalar(gb_json_reader *reader, const cJSON *item, const char *expected, char *text,
                    size_t capacity)
{
    if (cJSON_IsString(item)) {
        if (strlen(item->valuestring) >= capacity)
            return gb_json_refuse(reader, "found a text of %zu bytes; at most %zu are allowed",
                                  strlen(item->valuestring), capacity - 1);
        strcpy(text, item->valuestring);
        return true;
    }
    if (!cJSON_IsNumber(item)) return gb_json_refuse_item(reader, item, expected);
    if (fabs(item->valuedouble) >= GB_JSON_EXACT) {
        char shown[GB_JSON_SHOWN];
        return gb_json_refuse(reader,
                              "found %s or a number near it: JSON numbers from 2^53 on lose "
                              "digits; write it as a string, e.g. \"9007199254740993\"",
                              gb_json_show(item, shown));
    }
    show_number(item->valuedouble, text, capacity);
    return true;
}

bool gb_json_whole(gb_json_reader *reader, const cJSON *item, uint64_t least, uint64_t most,
                   const char *expected, uint64_t *value)
{
    char text[64];
    if (!gb_json_scalar(reader, item, expected, text, sizeof text)) return false;
    uint64_t number;
    if (!gb_size_parse(text, &number, NULL) || number < least || number > most)
        return gb_json_refuse_item(reader, item, expected);
    *value = number;
    return true;
}

bool gb_json_string(gb_json_reader *reader, const cJSON *item, size_t most, char **text)
{
    if (!cJSON_IsString(item)) return gb_json_refuse_item(reader, item, "a string is allowed");
    size_t length = strlen(item->valuestring);
    if (length > most)
        return gb_json_refuse(reader, "found a text of %zu bytes; at most %zu are allowed", length,
                              most);
    if (gb_text_unprintable(item->valuestring))
        return gb_json_refuse_item(reader, item,
                                   "line feeds, tabs and other control characters are not "
                                   "allowed, nor bytes that are no UTF-8");
    *text = malloc(length + 1);
    if (!*text) return gb_json_refuse(reader, "not enough memory");
    strcpy(*text, item->valuestring);
    return true;
}
