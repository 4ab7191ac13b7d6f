/* A worker's answer in JSON, read with checks: each value, or the first thing that is wrong. */
#include "bench/worker/answer_reader.h"

#include "common/text/limits.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* More than any worker has: what looks names up takes time with the square of their number. */
enum { MOST_ENTRIES = 1000, MOST_TEXT = 8192 };

void gb_answer_refuse(gb_answer_reader *r, const char *member, const char *what)
{
    if (r->failed) return;
    r->failed = true;
    gb_fail(
        r->error, GB_CRASHED,
        "the worker's description makes no sense: %s%s%s: %s; it was built from another version "
        "of gpubench: rebuild both together",
        r->where, *r->where && *member ? "." : "", member, what);
}

void *gb_answer_allocate(gb_answer_reader *r, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    (void)r;
    if (!memory) gb_memory_gone("gpubench", count * size); /* no fault of the worker's */
    return memory;
}

char *gb_answer_copy(gb_answer_reader *r, const char *text)
{
    char *copied = gb_answer_allocate(r, strlen(text) + 1, 1);
    return copied ? strcpy(copied, text) : NULL;
}

char *gb_answer_text(gb_answer_reader *r, const cJSON *object, const char *member, bool required)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!item && !required) return gb_answer_copy(r, "");
    if (!item || !cJSON_IsString(item)) {
        gb_answer_refuse(r, member, item ? "not a string" : "missing");
        return NULL;
    }
    if (gb_text_unprintable(item->valuestring)) {
        gb_answer_refuse(r, member, "a control character, or a byte that is no UTF-8");
        return NULL;
    }
    if (strlen(item->valuestring) > MOST_TEXT) {
        gb_answer_refuse(r, member, "longer than 8192 bytes");
        return NULL;
    }
    if (required && !*item->valuestring) gb_answer_refuse(r, member, "an empty string");
    return gb_answer_copy(r, item->valuestring);
}

char *gb_answer_name(gb_answer_reader *r, const cJSON *object, const char *member)
{
    char *name = gb_answer_text(r, object, member, true);
    const char *mistake = name ? gb_name_mistake(name) : NULL;
    if (mistake) gb_answer_refuse(r, member, mistake);
    return name;
}

double gb_answer_number(gb_answer_reader *r, const cJSON *object, const char *member, bool required,
                        double most)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!item && !required) return 0;
    if (!item || !cJSON_IsNumber(item)) {
        gb_answer_refuse(r, member, item ? "not a number" : "missing");
        return 0;
    }
    if (!(item->valuedouble >= 0 && item->valuedouble <= most)) {
        gb_answer_refuse(r, member, "out of range");
        return 0;
    }
    return item->valuedouble;
}

int gb_answer_int(gb_answer_reader *r, const cJSON *object, const char *member, bool required)
{
    return (int)gb_answer_number(r, object, member, required, 1e9);
}

uint64_t gb_answer_bytes(gb_answer_reader *r, const cJSON *object, const char *member)
{
    return (uint64_t)gb_answer_number(r, object, member, false, 9007199254740991.0);
}

bool gb_answer_flag(gb_answer_reader *r, const cJSON *object, const char *member)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!cJSON_IsBool(item))
        gb_answer_refuse(r, member, item ? "neither true nor false" : "missing");
    return cJSON_IsTrue(item);
}

const cJSON *gb_answer_list(gb_answer_reader *r, const cJSON *object, const char *member,
                            unsigned *count)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    *count = 0;
    if (!cJSON_IsArray(item))
        gb_answer_refuse(r, member, item ? "not a list" : "missing");
    else
        *count = (unsigned)cJSON_GetArraySize(item);
    if (*count > MOST_ENTRIES) gb_answer_refuse(r, member, "more than 1000 entries");
    return r->failed ? NULL : item;
}

uint64_t gb_answer_limit(gb_answer_reader *r, const cJSON *object, const char *member)
{
    uint64_t limit = 0;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!cJSON_IsString(item) || !gb_size_parse(item->valuestring, &limit, NULL))
        gb_answer_refuse(r, member, item ? "not a size in a string" : "missing");
    return limit;
}

/* Values of axes stand in CSV files, in lists on command lines and in keys like "n=1;bins=2|cpu".
 */
static bool is_word(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (!isgraph((unsigned char)*c) || strchr("\"'`,;|=", *c)) return false;
    }
    return true;
}

char **gb_answer_strings(gb_answer_reader *r, const cJSON *object, const char *member)
{
    unsigned count;
    const cJSON *list = gb_answer_list(r, object, member, &count);
    char **strings = gb_answer_allocate(r, (size_t)count + 1, sizeof *strings);
    if (!strings) return NULL;
    const cJSON *item = NULL;
    unsigned i = 0;
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) break;
        if (!cJSON_IsString(item) || strlen(item->valuestring) >= GB_MAX_TEXT)
            gb_answer_refuse(r, member, "an entry that is no short string");
        else if (!is_word(item->valuestring))
            gb_answer_refuse(r, member, "an entry with blanks, quotes, commas or other separators");
        else
            strings[i++] = gb_answer_copy(r, item->valuestring);
    }
    return strings;
}
