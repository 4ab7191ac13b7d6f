/* Where temporary folders are made. */
#include "bench/util/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gb_temporary_refused(const char *folder, gb_error *error)
{
    gb_fail(error, GB_WRONG, "cannot create %s: %s (TMPDIR names another place)", folder,
            strerror(errno));
    return false;
}

const char *gb_temporary_folder(gb_arena *arena, const char *what, gb_error *error)
{
    const char *place = getenv("TMPDIR");
    char *folder =
        gb_arena_printf(arena, "%s/gpubench-%s-XXXXXX", place && *place ? place : "/tmp", what);
    if (mkdtemp(folder)) return folder;
    gb_temporary_refused(folder, error);
    return NULL;
}
