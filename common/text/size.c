/* Sizes as people write them, in both directions and without rounding. */
#include "common/text/size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* In the order in which equally short forms are preferred. */
static const struct {
    const char *suffix;
    uint64_t factor;
} units[] = {
    {"", 1},
    {"k", 1000},
    {"M", 1000000},
    {"G", 1000000000},
    {"Ki", UINT64_C(1) << 10},
    {"Mi", UINT64_C(1) << 20},
    {"Gi", UINT64_C(1) << 30},
};
enum { UNIT_COUNT = sizeof units / sizeof units[0] };

static bool refuse(const char **why, const char *sentence)
{
    if (why) *why = sentence;
    return false;
}

bool gb_size_parse(const char *text, uint64_t *size, const char **why)
{
    if (*text == '\0') return refuse(why, "it is empty");
    if (*text == '-' || *text == '+') return refuse(why, "a size has no sign");
    if (*text < '0' || *text > '9') return refuse(why, "a size begins with a digit");

    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) return refuse(why, "it does not fit in 64 bits");
        value = value * 10 + digit;
    }
    if (*at == '.' || *at == ',') return refuse(why, "a size has no fraction");

    for (unsigned i = 0; i < UNIT_COUNT; i++) {
        if (strcmp(at, units[i].suffix) != 0) continue;
        if (value > UINT64_MAX / units[i].factor) return refuse(why, "it does not fit in 64 bits");
        *size = value * units[i].factor;
        return true;
    }
    return refuse(why, "the suffixes are k, M, G (powers of ten) and Ki, Mi, Gi (powers of two)");
}

bool gb_size_same(const char *a, const char *b)
{
    uint64_t x, y;
    return strcmp(a, b) == 0 ||
           (gb_size_parse(a, &x, NULL) && gb_size_parse(b, &y, NULL) && x == y);
}

char *gb_size_format(uint64_t size, char *text, size_t capacity)
{
    size_t shortest = SIZE_MAX;
    for (unsigned i = 0; i < UNIT_COUNT; i++) {
        if (size % units[i].factor != 0 || (size == 0 && i > 0)) continue;
        char form[32];
        int length =
            snprintf(form, sizeof form, "%" PRIu64 "%s", size / units[i].factor, units[i].suffix);
        if ((size_t)length >= shortest) continue;
        shortest = (size_t)length;
        snprintf(text, capacity, "%s", form);
    }
    return text;
}
