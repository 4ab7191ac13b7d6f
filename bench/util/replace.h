/* Writing a file whole or not at all. */
#ifndef GB_UTIL_REPLACE_H
#define GB_UTIL_REPLACE_H

#include "common/text/error.h"

#include <stddef.h>

/* Writes text to path so that it is there whole or not at all, whatever happens: beside it, onto
 * the disk, then renamed, with the permissions of the file that was there. Where path leads is for
 * destination.h to say: a link stays one, and a pipe or a device is written to. */
bool gb_files_replace(const char *path, const char *text, size_t size, gb_error *error);

#endif
