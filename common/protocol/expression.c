/* Amounts of a config: read and worked out in one go, for they are short. */
#include "common/protocol/expression.h"

#include "common/text/size.h"
#include "common/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const uint64_t most = (uint64_t)1 << 53;

typedef struct reading {
    const char *text, *at;
    const gb_expression_axes *axes;
    const gb_params *point; /* NULL: the text is read, and amounts to nothing */
    gb_error *error;
} reading;

static void skip_blanks(reading *r)
{
    r->at += strspn(r->at, " \t");
}

/* The word at this place, cut to fit; "" at anything that is none. Returns its length. */
static size_t word_at(const reading *r, char word[GB_MAX_TEXT])
{
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    snprintf(word, GB_MAX_TEXT, "%.*s", (int)(length < GB_MAX_TEXT ? length : GB_MAX_TEXT - 1),
             r->at);
    return length;
}

static bool refuse_word(const reading *r, const char *word, const char *why)
{
    const char *sizes[GB_MAX_AXES + 1] = {NULL};
    char known[256];
    unsigned count = 0;
    for (unsigned i = 0; i < r->axes->count; i++)
        if (r->axes->types[i] == GB_AXIS_SIZE) sizes[count++] = r->axes->names[i];
    gb_fail(r->error, GB_UNSUPPORTED,
            "found \"%.40s\" at character %zu, %s; sizes such as 12 or 4Ki%s%s are allowed, with + "
            "and * between them",
            word, (size_t)(r->at - r->text) + 1, why, count ? " and the axes " : "",
            gb_join_names(known, sizeof known, sizes));
    return false;
}

/* A size, or an axis. */
static bool read_factor(reading *r, uint64_t *value)
{
    char word[GB_MAX_TEXT];
    const char *why = NULL;
    const size_t length = word_at(r, word);
    *value = 1;
    if (length == 0)
        return refuse_word(r, *r->at ? (char[]){*r->at, '\0'} : "",
                           *r->at ? "which is neither" : "the end");
    unsigned axis = 0;
    while (axis < r->axes->count && strcmp(r->axes->names[axis], word) != 0)
        axis++;
    if (axis < r->axes->count) {
        if (r->axes->types[axis] != GB_AXIS_SIZE) return refuse_word(r, word, "an axis of words");
        if (r->point) *value = r->point->value[axis].size;
    } else if (!isdigit((unsigned char)*word)) {
        return refuse_word(r, word, "which is no axis of this config");
    } else if (!gb_size_parse(word, value, &why)) {
        return refuse_word(r, word, why);
    }
    r->at += length;
    skip_blanks(r);
    return true;
}

static bool too_large(const reading *r)
{
    gb_fail(r->error, GB_UNSUPPORTED, "\"%.60s\" amounts to more than 2^53 at a point", r->text);
    return false;
}

static bool read_product(reading *r, uint64_t *value)
{
    if (!read_factor(r, value)) return false;
    while (*r->at == '*') {
        uint64_t factor;
        r->at++;
        skip_blanks(r);
        if (!read_factor(r, &factor)) return false;
        if (factor && *value > most / factor) return too_large(r);
        *value *= factor;
    }
    return *value <= most || too_large(r);
}

bool gb_expression_value(const char *text, const gb_expression_axes *axes, const gb_params *point,
                         uint64_t *value, gb_error *error)
{
    reading r = {.text = text, .at = text, .axes = axes, .point = point, .error = error};
    uint64_t sum = 0;
    for (bool more = true; more;) {
        uint64_t product;
        skip_blanks(&r);
        if (!read_product(&r, &product)) return false;
        sum += product;
        if (sum > most) return too_large(&r);
        more = *r.at == '+';
        r.at += more;
    }
    if (*r.at) {
        char word[GB_MAX_TEXT];
        return refuse_word(&r, word_at(&r, word) ? word : (char[]){*r.at, '\0'},
                           "where + or * or the end was expected");
    }
    if (point) *value = sum;
    return true;
}
