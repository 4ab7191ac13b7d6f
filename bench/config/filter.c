/* --filter expressions: a recursive-descent parser into a small tree, and its evaluation. */
#include "bench/config/filter.h"

#include "bench/util/nearest.h"
#include "bench/util/quoted.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_TERMS = 1000 };

typedef enum node_kind { AND, OR, NOT, COMPARE } node_kind;
typedef enum operation { EQUAL, UNEQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL } operation;

struct gb_filter {
    node_kind kind;
    gb_filter *left, *right; /* NOT uses left alone */
    int axis;                /* COMPARE: index of the axis, -1: the variant */
    operation op;
    bool is_size;
    uint64_t size;    /* of a size axis */
    int variant;      /* of the variant */
    const char *text; /* of a name axis */
};

typedef struct parser {
    const char *text, *at;
    const gb_catalogue_primitive *primitive;
    gb_error *error;
    unsigned depth, terms;
} parser;

static gb_filter *parse_or(parser *p);

/* Says what is wrong at a place in the text. Always NULL, so that callers can return it. */
static gb_filter *refuse(parser *p, const char *at, const char *format, ...) GB_PRINTF(3, 4);

static gb_filter *refuse(parser *p, const char *at, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    gb_fail(p->error, GB_UNSUPPORTED, "--filter '%.80s': column %zu: %s", p->text,
            (size_t)(at - p->text) + 1, what);
    return NULL;
}

static void skip_blanks(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool accept(parser *p, const char *token)
{
    skip_blanks(p);
    size_t length = strlen(token);
    if (strncmp(p->at, token, length) != 0) return false;
    p->at += length;
    return true;
}

static gb_filter *make(parser *p, node_kind kind, gb_filter *left, gb_filter *right)
{
    gb_filter *node = calloc(1, sizeof *node);
    if (!node) {
        gb_filter_free(left);
        gb_filter_free(right);
        return refuse(p, p->at, "not enough memory");
    }
    node->kind = kind;
    node->left = left;
    node->right = right;
    return node;
}

/* Reads a bare or quoted word into word. False after an error. */
static bool read_word(parser *p, char word[GB_MAX_VALUE], const char *expected)
{
    skip_blanks(p);
    const char *begin = p->at, *end;
    if (*begin == '\'' || *begin == '"') {
        end = gb_quoted_read(begin, word, GB_MAX_VALUE);
        if (!end) return refuse(p, begin, "a quote that is never closed"), false;
        p->at = end;
        return true;
    }
    end = begin + strcspn(begin, "()!=<>&|'\" \t\r\n");
    if (end == begin) {
        if (*begin)
            refuse(p, begin, "found \"%.20s\" where %s belongs", begin, expected);
        else
            refuse(p, begin, "it ends where %s belongs", expected);
        return false;
    }
    p->at = end;
    size_t length = (size_t)(end - begin);
    if (length >= GB_MAX_VALUE) return refuse(p, begin, "a word this long matches nothing"), false;
    memcpy(word, begin, length);
    word[length] = '\0';
    return true;
}

static bool read_operation(parser *p, operation *op)
{
    static const struct {
        const char *token;
        operation op;
    } tokens[] = {{"==", EQUAL}, {"!=", UNEQUAL}, {"<=", LESS_EQUAL}, {">=", GREATER_EQUAL},
                  {"=", EQUAL},  {"<", LESS},     {">", GREATER}};
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        if (accept(p, tokens[i].token)) {
            *op = tokens[i].op;
            return true;
        }
    }
    if (*p->at)
        refuse(p, p->at, "found \"%.20s\"; a comparison is one of = == != < <= > >=", p->at);
    else
        refuse(p, p->at, "it ends where a comparison (= == != < <= > >=) belongs");
    return false;
}

/* All names that may stand left of a comparison, and the one nearest to what was found. */
static gb_filter *refuse_name(parser *p, const char *at, const char *name)
{
    const char *names[GB_MAX_AXES + 2] = {"variant"};
    for (unsigned i = 0; i < p->primitive->axis_count; i++)
        names[i + 1] = p->primitive->axes[i].name;
    char hint[256], known[256];
    return refuse(p, at, "%s has no axis \"%.60s\"%s; a comparison begins with one of: %s",
                  p->primitive->name, name, gb_did_you_mean(hint, sizeof hint, name, names),
                  gb_join_names(known, sizeof known, names));
}

static bool read_variant_value(parser *p, const char *at, const char *word, gb_filter *node)
{
    node->variant = gb_catalogue_variant_index(p->primitive, word);
    if (node->variant >= 0) return true;
    const char **names = calloc((size_t)p->primitive->variant_count + 1, sizeof *names);
    for (unsigned i = 0; names && i < p->primitive->variant_count; i++)
        names[i] = p->primitive->variants[i].name;
    char hint[256];
    refuse(p, at, "%s has no variant \"%.60s\"%s; `gpubench list variants` shows them",
           p->primitive->name, word, gb_did_you_mean(hint, sizeof hint, word, names));
    free(names);
    return false;
}

/* A size is compared, not run: it may lie outside the axis's range ("bins >= 0"). */
static bool read_axis_value(parser *p, const char *at, const char *word, gb_filter *node)
{
    const gb_catalogue_axis *axis = &p->primitive->axes[node->axis];
    if (node->is_size) {
        const char *why;
        if (gb_size_parse(word, &node->size, &why)) return true;
        refuse(p, at, "%s is compared with a size such as 4096, 32M or 16Ki, found \"%.60s\" (%s)",
               axis->name, word, why);
        return false;
    }
    gb_value value;
    gb_error reason;
    if (!gb_axis_parse_value(axis, word, &value, &reason)) {
        refuse(p, at, "%s: %s", axis->name, reason.text);
        return false;
    }
    node->text = value.text;
    return true;
}

static bool read_comparison(parser *p, gb_filter *node)
{
    char word[GB_MAX_VALUE];
    skip_blanks(p);
    const char *at = p->at;
    if (!read_word(p, word, "an axis or \"variant\"")) return false;
    node->axis = gb_catalogue_axis_index(p->primitive, word);
    if (node->axis < 0 && strcmp(word, "variant") != 0) return refuse_name(p, at, word), false;
    node->is_size = node->axis >= 0 && p->primitive->axes[node->axis].type == GB_AXIS_SIZE;

    skip_blanks(p);
    at = p->at;
    if (!read_operation(p, &node->op)) return false;
    if (!node->is_size && node->op != EQUAL && node->op != UNEQUAL) {
        refuse(p, at, "%s is a name: it can be compared by =, == and != only",
               node->axis < 0 ? "variant" : p->primitive->axes[node->axis].name);
        return false;
    }

    skip_blanks(p);
    at = p->at;
    if (!read_word(p, word, "a value")) return false;
    return node->axis < 0 ? read_variant_value(p, at, word, node)
                          : read_axis_value(p, at, word, node);
}

static gb_filter *parse_term(parser *p)
{
    gb_filter *node = NULL;
    skip_blanks(p);
    const char *at = p->at;
    if (++p->depth > MAX_DEPTH) return refuse(p, at, "nested more than %d deep", MAX_DEPTH);
    if (accept(p, "(")) {
        node = parse_or(p);
        if (node && !accept(p, ")")) {
            gb_filter_free(node);
            node = refuse(p, at, "this parenthesis is open where column %zu expects && or || or )",
                          (size_t)(p->at - p->text) + 1);
        }
    } else if (accept(p, "!")) {
        gb_filter *term = parse_term(p);
        if (term) node = make(p, NOT, term, NULL);
    } else {
        if (++p->terms > MAX_TERMS) return refuse(p, at, "more than %d comparisons", MAX_TERMS);
        node = make(p, COMPARE, NULL, NULL);
        if (node && !read_comparison(p, node)) {
            gb_filter_free(node);
            node = NULL;
        }
    }
    p->depth--;
    return node;
}

static gb_filter *parse_and(parser *p)
{
    gb_filter *left = parse_term(p);
    while (left && accept(p, "&&")) {
        gb_filter *right = parse_term(p);
        if (!right) {
            gb_filter_free(left);
            return NULL;
        }
        left = make(p, AND, left, right);
    }
    return left;
}

static gb_filter *parse_or(parser *p)
{
    gb_filter *left = parse_and(p);
    while (left && accept(p, "||")) {
        gb_filter *right = parse_and(p);
        if (!right) {
            gb_filter_free(left);
            return NULL;
        }
        left = make(p, OR, left, right);
    }
    return left;
}

gb_filter *gb_filter_parse(const char *text, const gb_catalogue_primitive *primitive,
                           gb_error *error)
{
    parser p = {.text = text, .at = text, .primitive = primitive, .error = error};
    gb_filter *filter = parse_or(&p);
    if (!filter) return NULL;
    skip_blanks(&p);
    if (*p.at == '\0') return filter;
    gb_filter_free(filter);
    return refuse(&p, p.at, "found \"%.20s\" where && or || belongs", p.at);
}

static bool compare(uint64_t a, operation op, uint64_t b)
{
    switch (op) {
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case LESS:
        return a < b;
    case LESS_EQUAL:
        return a <= b;
    case GREATER:
        return a > b;
    case GREATER_EQUAL:
        return a >= b;
    }
    return false;
}

/* The value of the expression, or of its negation. Negation is carried down to the comparisons,
 * because for an undecided variant both a comparison and its opposite count as true. */
static bool evaluate(const gb_filter *node, const gb_params *point, int variant, bool negate)
{
    switch (node->kind) {
    case NOT:
        return evaluate(node->left, point, variant, !negate);
    case AND:
    case OR:
        if ((node->kind == AND) != negate)
            return evaluate(node->left, point, variant, negate) &&
                   evaluate(node->right, point, variant, negate);
        return evaluate(node->left, point, variant, negate) ||
               evaluate(node->right, point, variant, negate);
    case COMPARE:
        break;
    }
    bool truth;
    if (node->axis < 0) {
        if (variant < 0) return true;
        truth = (variant == node->variant) == (node->op == EQUAL);
    } else if (node->is_size) {
        truth = compare(point->value[node->axis].size, node->op, node->size);
    } else {
        truth = (strcmp(point->value[node->axis].text, node->text) == 0) == (node->op == EQUAL);
    }
    return truth != negate;
}

bool gb_filter_passes(const gb_filter *filter, const gb_params *point, int variant)
{
    return !filter || evaluate(filter, point, variant, false);
}

void gb_filter_free(gb_filter *filter)
{
    if (!filter) return;
    gb_filter_free(filter->left);
    gb_filter_free(filter->right);
    free(filter);
}
