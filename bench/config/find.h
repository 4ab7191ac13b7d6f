/* Which file a config on the command line is: one that is there, or one of those that come along.
 */
#ifndef GB_CONFIG_FIND_H
#define GB_CONFIG_FIND_H

#include "bench/util/arena.h"
#include "common/text/error.h"

/* The path of a config: `given` where there is such a file, else of NAME, NAME.json, configs/NAME
 * or configs/NAME.json the file configs/NAME.json that comes with gpubench. NULL where there is
 * neither, with a message that says where was looked. The path lives as long as `given` and the
 * arena. */
const char *gb_config_find(gb_arena *arena, const char *given, gb_error *error);

#endif
