/* What the path of a result file says: its folder, whether it is an earlier run's, whether it was
 * read before. */
#ifndef GB_ROWS_PATHS_H
#define GB_ROWS_PATHS_H

#include "bench/util/arena.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Whether a file is NAME.RUN_ID.csv: the results of an earlier run, which a later one moved aside.
 */
bool gb_result_is_moved_aside(const char *path);

/* The folder of a result file, "." where it names none; a folder is its own, without slashes at its
 * end. */
char *gb_result_folder(gb_arena *arena, const char *path);
/* Its full path, by which folders are known to be the same. */
char *gb_result_home(gb_arena *arena, const char *path);

/* Files and folders that were read. */
typedef struct gb_seen {
    const char *path;
    dev_t device;
    ino_t number;
} gb_seen;

typedef struct gb_files_seen {
    gb_seen *items;
    size_t count, capacity;
} gb_files_seen;

/* The path under which a file or folder was noted before; NULL: it was not, and is now. */
const char *gb_seen_before(gb_arena *arena, gb_files_seen *seen, const char *path,
                           const struct stat *info);

#endif
