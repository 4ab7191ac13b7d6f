/* Reading the value of an axis, and the words for what is allowed. */
#include "common/protocol/axis_value.h"

#include "common/text/size.h"
#include "common/text/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool parse_size(const gb_axis_range *range, const char *text, gb_value *value,
                       gb_value_mistake *mistake)
{
    uint64_t size;
    const char *why = NULL;
    if (gb_size_parse(text, &size, &why) && size >= range->min && size <= range->max) {
        value->size = size;
        snprintf(value->text, sizeof value->text, "%" PRIu64, size);
        return true;
    }
    const bool example = range->min <= 4096 && 4096 <= range->max;
    snprintf(mistake->allowed, sizeof mistake->allowed,
             "a whole number from %" PRIu64 " to %" PRIu64 " is allowed%s%s%s%s", range->min,
             range->max, example ? ", e.g. 4096 or 4Ki" : "", why ? " (" : "", why ? why : "",
             why ? ")" : "");
    return false;
}

static bool is_plain(const char *text)
{
    for (; *text; text++) {
        if (!isgraph((unsigned char)*text) || strchr("\",'", *text)) return false;
    }
    return true;
}

/* Whether text is the name, or, of a name that takes an argument, the name and some argument. */
static bool fits(const char *name, const char *text)
{
    const size_t length = strlen(name);
    if (length == 0 || name[length - 1] != ':') return strcmp(text, name) == 0;
    return strncmp(text, name, length) == 0 && text[length] != '\0';
}

static bool parse_name(const gb_axis_range *range, const char *text, gb_value *value,
                       gb_value_mistake *mistake)
{
    const char *const *name = range->names;
    while (*name && !fits(*name, text))
        name++;
    if (*name && strlen(text) < sizeof value->text && is_plain(text)) {
        strcpy(value->text, text);
        return true;
    }
    if (*name) {
        snprintf(mistake->allowed, sizeof mistake->allowed,
                 "what follows the colon is at most %zu characters without blanks, quotes and "
                 "commas",
                 sizeof value->text - 1 - strlen(*name));
        return false;
    }
    char names[256];
    mistake->no_name = true;
    snprintf(mistake->allowed, sizeof mistake->allowed, "allowed: %s",
             gb_join_names(names, sizeof names, range->names));
    return false;
}

bool gb_axis_value_parse(const gb_axis_range *range, const char *text, gb_value *value,
                         gb_value_mistake *mistake)
{
    gb_value_mistake unheard;
    if (!mistake) mistake = &unheard;
    memset(value, 0, sizeof *value);
    mistake->no_name = false;
    mistake->allowed[0] = '\0';
    return range->type == GB_AXIS_SIZE ? parse_size(range, text, value, mistake)
                                       : parse_name(range, text, value, mistake);
}
