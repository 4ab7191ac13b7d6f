/* An SVG that gnuplot drew, as an element of a page: smaller, and with its series marked. */
#ifndef GB_REPORT_SVG_H
#define GB_REPORT_SVG_H

#include "bench/util/arena.h"

#include <stdbool.h>
#include <stdio.h>

enum { GB_SVG_MOST_DEPTH = 64 }; /* elements inside one another */

typedef struct gb_svg_attribute {
    const char *name, *value; /* the value as it stands in the file, with its entities */
} gb_svg_attribute;

/* A begin or an end of an element, or text between. An element without content has both. */
typedef struct gb_svg_node {
    enum { GB_SVG_BEGIN, GB_SVG_END, GB_SVG_TEXT } kind;
    const char *name; /* of the element; of text the text, without blanks at its ends */
    gb_svg_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    size_t partner; /* of a begin its end, and the other way round */
    bool gone;      /* is not written; what is inside is, unless it is gone, too */
} gb_svg_node;

/* What gnuplot drew for one part of a `plot` command: a curve with its points, or bars. */
typedef struct gb_svg_series {
    const char *label; /* its title, without entities; "" if it has none */
    size_t begin;      /* the node */
    size_t panel;      /* which `plot` command of the script, from 0 */
    double *x, *y;     /* of the marks of its points or of the tops of its bars, in their order */
    size_t count, capacity;
    const char *points; /* what they stand for, for the page's script (points.h); NULL: unknown */
} gb_svg_series;

typedef struct gb_svg {
    gb_svg_node *nodes;
    size_t count, capacity;
    gb_svg_series *series;
    size_t series_count, series_capacity;
} gb_svg;

/* Reads one. False and *error if the file cannot be read or is none, or is cut. Everything lives in
 * the arena; start from {0}. */
bool gb_svg_read(gb_arena *arena, const char *path, gb_svg *svg, gb_error *error);
/* The value of an attribute; "" if the element does not have it. */
const char *gb_svg_attribute_of(const gb_svg_node *node, const char *name);
/* The numbers of a text such as "translate(1,2) scale(3)" that begins with a word: `most` of them
 * at most. Returns how many there are; 0 where it begins otherwise. */
size_t gb_svg_numbers(const char *text, const char *word, double *numbers, size_t most);
/* Text without entities. */
const char *gb_svg_plain(gb_arena *arena, const char *text);

/* Writes it as an element of that class, with a text for those who do not see it; each series is a
 * <g class="series"> with a <title> and what it stands for. The page's style says what a
 * figure's elements inherit (fill: none; stroke: currentColor), and its marks are defined once, by
 * gb_svg_put_marks. Coordinates are rounded to a tenth. */
void gb_svg_put(gb_arena *arena, FILE *file, gb_svg *svg, const char *class, const char *alt);
/* Writes the definitions of gnuplot's marks, which every figure of the page refers to. */
void gb_svg_put_marks(FILE *file, const gb_svg *svg);

#endif
