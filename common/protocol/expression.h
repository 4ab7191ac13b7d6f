/* Amounts as a config says them of its own axes: "n", "12 * n", "8 * rows * columns + 4 * rows".
 * Read by driver and worker with one rule. */
#ifndef GB_PROTOCOL_EXPRESSION_H
#define GB_PROTOCOL_EXPRESSION_H

#include "common/gpubench.h"

/* What may be named: the axes of a primitive, in the order of a point's values. */
typedef struct gb_expression_axes {
    const char *names[GB_MAX_AXES];
    gb_axis_type types[GB_MAX_AXES];
    unsigned count;
} gb_expression_axes;

/* Reads a sum of products of sizes (12, 4Ki) and axes of sizes, blanks between them as one likes;
 * no parentheses, and nothing that could become negative. With a point *value is what it amounts to
 * there; without (NULL) it is left alone. False and *error (what was found, where, what is allowed)
 * if the text is none, or amounts to more than 2^53, the exact range of numbers in JSON. */
bool gb_expression_value(const char *text, const gb_expression_axes *axes, const gb_params *point,
                         uint64_t *value, gb_error *error);

#endif
