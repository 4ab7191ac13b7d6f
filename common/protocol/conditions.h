/* The words for what a run is measured in: with its data in the cache or not, with its transfers or
 * not. Configs, the protocol and result files have the same. */
#ifndef GB_PROTOCOL_CONDITIONS_H
#define GB_PROTOCOL_CONDITIONS_H

#include "common/gpubench.h"

/* "warm", "cold". */
const char *gb_cache_name(bool cold);
/* "device", "host-to-host". */
const char *gb_scope_name(gb_scope scope);
/* False if the text, which may be NULL, is neither; cold and scope may be NULL. */
bool gb_cache_parse(const char *text, bool *cold);
bool gb_scope_parse(const char *text, gb_scope *scope);

#endif
