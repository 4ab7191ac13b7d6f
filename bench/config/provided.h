/* Primitives that a worker makes from what a config says (`provide`, docs/protocol.md): what is
 * sent to it. What a kind of primitive may say beyond what every config may, the worker alone
 * knows. */
#ifndef GB_CONFIG_PROVIDED_H
#define GB_CONFIG_PROVIDED_H

#include "bench/config/config.h"

/* Makes the description of the primitive of a config, length bytes of text and a NUL. library:
 * --library, in the place of the config's, NULL: none is given. *description is the caller's; NULL
 * where the config's primitive is none that is made, or the text is none that gb_config_parse will
 * take. False and *error on a mistake. */
bool gb_provided_describe(const char *path, const char *text, size_t length, const char *library,
                          cJSON **description, gb_error *error);

/* Whether it is for the CPU alone ("on": "host", and unless said otherwise of programs). */
bool gb_provided_on_host(const cJSON *description);

/* Puts before a worker's reason where in the config the thing is that it is about, by its path
 * ("variants[1].library"). */
void gb_provided_blame(const char *path, const char *text, const char *where, gb_error *error);

/* Tries the amounts of a description ("items", "bytes") at all points. False and *error if one is
 * more than can be told. */
bool gb_provided_check_amounts(const cJSON *description, const gb_config *config, gb_error *error);

#endif
