/* Writing to disks that fill up, fail or are taken away. */
#ifndef GB_UTIL_DISK_H
#define GB_UTIL_DISK_H

#include "common/text/error.h"

#include <stddef.h>

enum { GB_PATH_SIZE = 4096 };

/* Waits until the names in a folder are on the disk. */
bool gb_files_sync_folder(const char *folder, gb_error *error);

/* The folder of a path; "." if it names none. Returns folder. */
const char *gb_folder_of(const char *path, char folder[GB_PATH_SIZE + 16]);

/* write() until all is written, without SIGPIPE and EINTR. Returns how much was; less than size:
 * errno says why. */
size_t gb_write_all(int fd, const char *text, size_t size);
/* Fills *error: what could not be done to path ("written"), the reason (an errno), how much room
 * was wanted (0: unknown) and is there, and what to do. Returns false. */
bool gb_disk_fail(gb_error *error, const char *path, const char *done, int reason, size_t wanted);

#endif
