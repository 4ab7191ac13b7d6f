/* Conditions on rows: "n<=50k; dist=cube,plummer; variant!=copy". */
#ifndef GB_ROWS_TERMS_H
#define GB_ROWS_TERMS_H

#include "bench/rows/rows.h"

typedef struct gb_term {
    /* an axis, experiment, primitive, variant, device, cache, scope, or runs: gpu, or cpu where no
     * limit of the device's memory stands beside a rate */
    const char *name;
    enum { GB_IS, GB_IS_NOT, GB_BELOW, GB_AT_MOST, GB_ABOVE, GB_AT_LEAST } relation;
    const char *values; /* separated by commas: one of them; sizes as in configs */
} gb_term;

typedef struct gb_terms {
    gb_term *items;
    size_t count, capacity;
} gb_terms;

/* Adds the terms of a text, which are separated by semicolons; "" has none. False and *why, a
 * sentence, if it is none. Texts live in the arena. */
bool gb_terms_parse(gb_arena *arena, const char *text, gb_terms *terms, const char **why);

/* Whether all hold of a row of that set. A term on an axis that the set does not have never does.
 */
bool gb_terms_hold(gb_arena *arena, const gb_terms *terms, const gb_result_set *set,
                   const gb_result_row *row);

/* Whether one holds of a value. */
bool gb_term_holds(gb_arena *arena, const gb_term *term, const char *value);

/* The first term with that name; NULL if there is none. */
const gb_term *gb_terms_find(const gb_terms *terms, const char *name);

#endif
