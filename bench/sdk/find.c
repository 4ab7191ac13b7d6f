/* Finding the SDK. */
#include "bench/sdk/find.h"

#include "bench/util/share.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Without "..", as it is shown to people; NULL of NULL. */
static const char *folder_of(gb_arena *arena, char *file)
{
    if (!file) return NULL;
    *strrchr(file, '/') = '\0';
    char whole[PATH_MAX];
    return realpath(file, whole) ? gb_arena_strdup(arena, whole) : file;
}

gb_status gb_sdk_find(gb_arena *arena, gb_sdk *sdk, gb_error *error)
{
    static const char *const places[] = {"sdk/primitive.mk", "scripts/sdk/primitive.mk", NULL};
    char *found = NULL;
    for (unsigned i = 0; places[i] && !found; i++)
        found = gb_share_find_own(arena, places[i]);
    if (!found)
        return gb_fail(error, GB_UNSUPPORTED,
                       "the SDK, with which kernels are built, is not here (looked for "
                       "sdk/primitive.mk in: %s): a bundle has none; `make install` in gpubench's "
                       "sources brings it along, and so does Debian's package libgpubench-dev",
                       gb_share_own_places(arena));
    sdk->folder = folder_of(arena, found);
    sdk->libraries = folder_of(arena, gb_share_find_own(arena, "sdk.mk"));
    return GB_OK;
}
