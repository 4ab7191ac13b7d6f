/* Where a file that somebody named is written: whether there is one, what it is, what it leads to.
 */
#ifndef GB_UTIL_DESTINATION_H
#define GB_UTIL_DESTINATION_H

#include "bench/util/disk.h"
#include "common/text/error.h"

#include <stdbool.h>

typedef struct gb_destination {
    char path[GB_PATH_SIZE]; /* without symbolic links at its end */
    unsigned mode;           /* permissions of the file that is there; 0: none is */
    int fd; /* not -1: a pipe, a terminal, /dev/null or where stdout leads: written to, not
             * replaced; the caller closes it */
} gb_destination;

/* Finds it. A regular file, or what will be one, can be replaced: that to which a symbolic link
 * leads, never the link. Pipes and character devices are opened, and so is what this process has
 * open for writing (/dev/stdout, with stdout appended to a file). Folders, disks, sockets and pipes
 * that nobody reads are refused. False and *error. */
bool gb_destination_find(const char *path, gb_destination *place, gb_error *error);
/* The same without opening anything, for asking before the work is done; looks whether there could
 * be a file beside it, too. */
bool gb_destination_check(const char *path, gb_error *error);

#endif
