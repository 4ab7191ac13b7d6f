/* The axes of a primitive that is to be written, as somebody says them on a command line. */
#ifndef GB_SDK_AXES_H
#define GB_SDK_AXES_H

#include "bench/util/arena.h"
#include "common/gpubench.h"

typedef struct gb_new_axis {
    const char *name;
    bool size; /* whole numbers; else names */
    bool dist; /* distributions (common/distributions.h) */
    const char *const *values;
    size_t count;
    uint64_t least, most; /* of sizes */
} gb_new_axis;

typedef struct gb_new_axes {
    gb_new_axis axis[GB_MAX_AXES];
    unsigned count;
} gb_new_axes;

/* Reads "n=1M..64M,dist=uniform|zipf": values are separated by |, A..B is A, 2A, 4A and so on up to
 * B. An axis n, how many elements, is there first, whether it is named or not; one called dist has
 * distributions. False and *error, which says what is allowed. */
bool gb_new_axes_parse(gb_arena *arena, const char *text, gb_new_axes *axes, gb_error *error);

/* What the templates take for @AXES@, @AXIS_NAMES@ and @CONFIG_AXES@. */
const char *gb_new_axes_table(gb_arena *arena, const gb_new_axes *axes);
const char *gb_new_axes_names(gb_arena *arena, const gb_new_axes *axes);
const char *gb_new_axes_config(gb_arena *arena, const gb_new_axes *axes);

#endif
