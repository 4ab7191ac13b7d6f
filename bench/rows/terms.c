/* Conditions on rows. */
#include "bench/rows/terms.h"

#include "common/text/number.h"
#include "common/text/size.h"

#include <math.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* NAN where it is none. */
static double number_of(const char *text)
{
    uint64_t size;
    double number;
    if (gb_size_parse(text, &size, NULL)) return (double)size;
    return gb_number_parse(text, &number) ? number : NAN;
}

/* One term of length bytes. */
static bool parse_term(gb_arena *arena, const char *text, size_t length, gb_term *term,
                       const char **why)
{
    static const struct {
        const char *sign;
        int relation;
    } signs[] = {{"!=", GB_IS_NOT}, {"<=", GB_AT_MOST}, {">=", GB_AT_LEAST},
                 {"=", GB_IS},      {"<", GB_BELOW},    {">", GB_ABOVE}};
    enum { SIGNS = sizeof signs / sizeof *signs };
    const size_t name = strcspn(text, "!<>=");
    size_t s = 0;
    while (s < SIGNS &&
           (name >= length || strncmp(text + name, signs[s].sign, strlen(signs[s].sign)) != 0))
        s++;
    *why = gb_arena_printf(arena,
                           "found '%s'; terms like n<=50k or dist=cube,plummer are allowed, with ; "
                           "between",
                           gb_arena_trimmed(arena, text, length));
    if (s == SIGNS) return false;
    const size_t begin = name + strlen(signs[s].sign);
    term->name = gb_arena_trimmed(arena, text, name);
    term->relation = signs[s].relation;
    term->values = begin < length ? gb_arena_trimmed(arena, text + begin, length - begin) : "";
    if (!*term->name || !*term->values) return false;
    if (term->relation == GB_IS || term->relation == GB_IS_NOT) return true;
    *why = gb_arena_printf(arena, "found '%s'; <, <=, > and >= need one number, such as n<=50k",
                           gb_arena_trimmed(arena, text, length));
    return !isnan(number_of(term->values));
}

bool gb_terms_parse(gb_arena *arena, const char *text, gb_terms *terms, const char **why)
{
    while (*text) {
        const size_t length = strcspn(text, ";");
        terms->items = gb_arena_grow(arena, terms->items, terms->count, &terms->capacity,
                                     sizeof *terms->items);
        if (!parse_term(arena, text, length, &terms->items[terms->count], why)) return false;
        terms->count++;
        text += length + (text[length] == ';');
    }
    return true;
}

/* ---- holding --------------------------------------------------------------------------------- */

static bool lists(gb_arena *arena, const char *list, const char *value)
{
    while (*list) {
        const size_t length = strcspn(list, ",");
        if (gb_size_same(gb_arena_trimmed(arena, list, length), value)) return true;
        list += length + (list[length] == ',');
    }
    return false;
}

bool gb_term_holds(gb_arena *arena, const gb_term *term, const char *value)
{
    const double a = number_of(value), b = number_of(term->values);
    switch (term->relation) {
    case GB_IS:
        return lists(arena, term->values, value);
    case GB_IS_NOT:
        return !lists(arena, term->values, value);
    case GB_BELOW:
        return a < b;
    case GB_AT_MOST:
        return a <= b;
    case GB_ABOVE:
        return a > b;
    default:
        return a >= b;
    }
}

/* What a row has of that name; NULL: nothing. */
static const char *value_of(const gb_result_set *set, const gb_result_row *row, const char *name)
{
    const int axis = gb_result_axis(set, name);
    if (axis >= 0) return row->axis[axis];
    const struct {
        const char *name, *value;
    } others[] = {{"experiment", set->experiment},
                  {"primitive", set->primitive},
                  {"variant", row->variant},
                  {"device", gb_row_model(row)},
                  {"cache", row->cache},
                  {"scope", row->scope},
                  {"runs", *row->limit_kind ? "gpu" : "cpu"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, name) == 0) return others[i].value;
    return NULL;
}

bool gb_terms_hold(gb_arena *arena, const gb_terms *terms, const gb_result_set *set,
                   const gb_result_row *row)
{
    for (size_t i = 0; i < terms->count; i++) {
        const char *value = value_of(set, row, terms->items[i].name);
        if (!value || !gb_term_holds(arena, &terms->items[i], value)) return false;
    }
    return true;
}

const gb_term *gb_terms_find(const gb_terms *terms, const char *name)
{
    for (size_t i = 0; i < terms->count; i++)
        if (strcmp(terms->items[i].name, name) == 0) return &terms->items[i];
    return NULL;
}
