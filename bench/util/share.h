/* What comes with gpubench and is read at run time, where it lies: published numbers, table
 * layouts, plot scripts, configs. */
#ifndef GB_UTIL_SHARE_H
#define GB_UTIL_SHARE_H

#include "bench/util/arena.h"

/* The path of a file that comes with gpubench ("plots/common.gp", "results/published/x.csv"):
 * looked for in $GPUBENCH_SHARE alone if that is set, else in the current folder, beside the
 * executable, one folder up (a build folder in a checkout) and in ../share/gpubench (installed).
 * NULL if there is none. */
char *gb_share_find(gb_arena *arena, const char *relative);
/* The folders that gb_share_find looks in, for messages. */
char *gb_share_places(gb_arena *arena);
/* The same without the current folder, for what is not only read but run. */
char *gb_share_find_own(gb_arena *arena, const char *relative);
char *gb_share_own_places(gb_arena *arena);
/* The files of a folder whose names start and end so, sorted; NULL-terminated, never NULL. folder
 * may be NULL: none. */
char **gb_folder_list(gb_arena *arena, const char *folder, const char *prefix, const char *suffix);
/* The same, from the first place that has that folder. */
char **gb_share_list(gb_arena *arena, const char *folder, const char *prefix, const char *suffix);

#endif
