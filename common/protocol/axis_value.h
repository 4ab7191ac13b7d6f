/* The value of an axis as people write it, read by driver and worker with one rule. */
#ifndef GB_PROTOCOL_AXIS_VALUE_H
#define GB_PROTOCOL_AXIS_VALUE_H

#include "common/gpubench.h"

/* What an axis allows, whoever describes it. */
typedef struct gb_axis_range {
    gb_axis_type type;
    uint64_t min, max;        /* GB_AXIS_SIZE: both inclusive */
    const char *const *names; /* GB_AXIS_NAME: NULL-terminated; "distinct:" takes an argument */
} gb_axis_range;

/* Why a text is no value of the axis. */
typedef struct gb_value_mistake {
    bool no_name;      /* it is none of the names: another may have been meant */
    bool no_memory;    /* it may be allowed: there was no memory to keep it */
    char allowed[384]; /* "a whole number from 1 to 8 is allowed", to stand behind what was found */
} gb_value_mistake;

/* Reads a value: a whole number within the limits, or one of the names, with its argument where it
 * takes one. An argument may be a path: it is any UTF-8 that can be printed, of at most
 * GB_MAX_VALUE bytes with its name, and where values are separated by something it stands in
 * quotes. False and *mistake (may be NULL) if the text is none. */
bool gb_axis_value_parse(const gb_axis_range *range, const char *text, gb_value *value,
                         gb_value_mistake *mistake);
/* The value of a size, as it stands; false without memory. */
bool gb_axis_value_of_size(uint64_t size, gb_value *value);

#endif
