/* Folders for what is needed until a command ends. */
#ifndef GB_UTIL_TEMPORARY_H
#define GB_UTIL_TEMPORARY_H

#include "bench/util/arena.h"
#include "common/text/error.h"

#include <stdbool.h>

/* Makes a folder gpubench-WHAT-... where TMPDIR says, else in /tmp; the caller removes it. NULL and
 * *error if it cannot. */
const char *gb_temporary_folder(gb_arena *arena, const char *what, gb_error *error);
/* Fills *error by errno: that folder, or what belongs into it, cannot be made. Always false. */
bool gb_temporary_refused(const char *folder, gb_error *error);

#endif
