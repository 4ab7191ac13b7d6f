/* A point's parameters as the protocol writes them. */
#ifndef GB_WORKER_PARAMS_H
#define GB_WORKER_PARAMS_H

#include "common/gpubench.h"

#include <cjson/cJSON.h>

/* Reads a JSON object of strings, one for every axis of the primitive and nothing else. False and
 * *error (what was found, what is allowed) if it is anything else. */
bool gb_params_parse(const gb_primitive *primitive, const cJSON *object, gb_params *params,
                     gb_error *error);

/* Whether two points have the same values. */
bool gb_params_equal(const gb_primitive *primitive, const gb_params *a, const gb_params *b);

/* Text from outside for use in a message: cut to 60 characters, unprintable ones as '?'. Returns
 * buffer. */
enum { GB_EXCERPT = 64 };
const char *gb_excerpt(const char *text, char buffer[GB_EXCERPT]);

#endif
