/* The words for what a run is measured in. */
#include "common/protocol/conditions.h"

#include <string.h>

static const char *const caches[] = {"warm", "cold"};
static const char *const scopes[] = {
    [GB_SCOPE_DEVICE] = "device", [GB_SCOPE_HOST_TO_HOST] = "host-to-host"};

/* Which of two words the text is; 2: neither. */
static unsigned which(const char *const words[2], const char *text)
{
    unsigned i = 0;
    while (i < 2 && !(text && strcmp(text, words[i]) == 0))
        i++;
    return i;
}

const char *gb_cache_name(bool cold)
{
    return caches[cold];
}

const char *gb_scope_name(gb_scope scope)
{
    return scopes[scope];
}

bool gb_cache_parse(const char *text, bool *cold)
{
    const unsigned found = which(caches, text);
    if (found == 2) return false;
    if (cold) *cold = found == 1;
    return true;
}

bool gb_scope_parse(const char *text, gb_scope *scope)
{
    const unsigned found = which(scopes, text);
    if (found == 2) return false;
    if (scope) *scope = (gb_scope)found;
    return true;
}
