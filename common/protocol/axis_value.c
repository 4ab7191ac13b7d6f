/* Reading the value of an axis, and the words for what is allowed. */
#include "common/protocol/axis_value.h"

#include "common/text/kept.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool no_memory(gb_value_mistake *mistake)
{
    mistake->no_memory = true;
    snprintf(mistake->allowed, sizeof mistake->allowed, "not enough memory");
    return false;
}

static bool keep(gb_value *value, const char *text, gb_value_mistake *mistake)
{
    value->text = gb_text_kept(text);
    return value->text || no_memory(mistake);
}

bool gb_axis_value_of_size(uint64_t size, gb_value *value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, size);
    *value = (gb_value){.size = size, .text = gb_text_kept(digits)};
    return value->text != NULL;
}

static bool parse_size(const gb_axis_range *range, const char *text, gb_value *value,
                       gb_value_mistake *mistake)
{
    uint64_t size;
    const char *why = NULL;
    if (gb_size_parse(text, &size, &why) && size >= range->min && size <= range->max) {
        return gb_axis_value_of_size(size, value) || no_memory(mistake);
    }
    const bool example = range->min <= 4096 && 4096 <= range->max;
    snprintf(mistake->allowed, sizeof mistake->allowed,
             "a whole number from %" PRIu64 " to %" PRIu64 " is allowed%s%s%s%s", range->min,
             range->max, example ? ", e.g. 4096 or 4Ki" : "", why ? " (" : "", why ? why : "",
             why ? ")" : "");
    return false;
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
    if (*name && strlen(text) < GB_MAX_VALUE && !gb_text_unprintable(text))
        return keep(value, text, mistake);
    if (*name) {
        snprintf(mistake->allowed, sizeof mistake->allowed,
                 "what follows the colon is at most %zu bytes of UTF-8 without control characters",
                 (size_t)GB_MAX_VALUE - 1 - strlen(*name));
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
    mistake->no_name = mistake->no_memory = false;
    mistake->allowed[0] = '\0';
    return range->type == GB_AXIS_SIZE ? parse_size(range, text, value, mistake)
                                       : parse_name(range, text, value, mistake);
}
