/* Text from outside: what may be shown, and what may be a name. */
#include "common/text/text.h"

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at text (RFC 3629: shortest form, no surrogates); 0 if it is none.
 */
static unsigned decode(const char *text, uint32_t *character)
{
    const unsigned char *at = (const unsigned char *)text;
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    for (unsigned more = 0; more < 4; more++) {
        if ((at[0] & forms[more].mask) != forms[more].lead) continue;
        uint32_t value = at[0] & (unsigned char)~forms[more].mask;
        for (unsigned i = 1; i <= more; i++) {
            if ((at[i] & 0xC0) != 0x80) return 0; /* stops at the NUL too */
            value = value << 6 | (at[i] & 0x3F);
        }
        *character = value;
        bool surrogate = value >= 0xD800 && value <= 0xDFFF;
        return value >= forms[more].least && value <= 0x10FFFF && !surrogate ? more + 1 : 0;
    }
    return 0;
}

static bool printable(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
    bool separator = c == 0x2028 || c == 0x2029;
    bool reorders = c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                    (c >= 0x2066 && c <= 0x2069);
    return !control && !separator && !reorders;
}

const char *gb_text_unprintable(const char *text)
{
    uint32_t character;
    for (unsigned bytes; *text; text += bytes) {
        bytes = decode(text, &character);
        if (!bytes || !printable(character)) return text;
    }
    return NULL;
}

void gb_text_tame(char *text)
{
    char *out = text;
    for (const char *in = text; *in;) {
        if (*in == '\n' || *in == '\r') {
            in += strspn(in, "\r\n ");
            if (!*in) break;
            *out++ = ';'; /* in the place of the line end, the blank in that of one after it */
            if (in - out >= 1) *out++ = ' ';
            continue;
        }
        uint32_t character;
        unsigned bytes = decode(in, &character);
        if (bytes && printable(character)) {
            memmove(out, in, bytes);
            out += bytes;
        } else {
            *out++ = '?';
        }
        in += bytes ? bytes : 1;
    }
    *out = '\0';
}

const char *gb_name_mistake(const char *name)
{
    if (*name == '\0') return "it is empty";
    if (*name == '.' || *name == '-') return "the first character is neither '.' nor '-'";
    if (strnlen(name, GB_MOST_NAME + 1) > GB_MOST_NAME) return "at most 100 characters are allowed";
    for (; *name; name++) {
        if (!isalnum((unsigned char)*name) && !strchr("-_.", *name))
            return "letters, digits, '-', '_' and '.' are allowed";
    }
    return NULL;
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

size_t gb_text_columns_of(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += begins_character(text[i]);
    return columns;
}

size_t gb_text_columns(const char *text)
{
    return gb_text_columns_of(text, strlen(text));
}

char *gb_text_cut(char *text, size_t columns)
{
    for (char *at = text; *at; at++) {
        if (!begins_character(*at) || columns-- > 0) continue;
        *at = 0;
        break;
    }
    return text;
}

size_t gb_text_lines(const char *text)
{
    size_t lines = 0;
    while ((text = strchr(text, '\n'))) {
        text++;
        lines++;
    }
    return lines;
}

bool gb_text_ends(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

bool gb_text_lists(const char *list, const char *name)
{
    const size_t length = strlen(name);
    while (*list) {
        const size_t width = strcspn(list, ";");
        if (width == length && memcmp(list, name, length) == 0) return true;
        list += width + (list[width] == ';');
    }
    return false;
}

const char *gb_join_names(char *text, size_t capacity, const char *const *names)
{
    size_t used = 0;
    text[0] = '\0';
    for (; names && *names; names++) {
        const char *argument = gb_text_ends(*names, ":") ? "..." : "";
        if (used + strlen(*names) + sizeof ", ...:..., ..." > capacity) {
            snprintf(text + used, capacity - used, ", ...");
            break;
        }
        used += (size_t)snprintf(text + used, capacity - used, "%s%s%s", used ? ", " : "", *names,
                                 argument);
    }
    return text;
}
