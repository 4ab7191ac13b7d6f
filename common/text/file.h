/* Reading a whole file that somebody named: only if it is one, and only up to a size. */
#ifndef GB_TEXT_FILE_H
#define GB_TEXT_FILE_H

#include "common/text/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The whole file with a NUL behind it, which the caller frees, and its length (without the NUL).
 * Files and pipes are read, folders and devices refused; a pipe that nobody writes to is not waited
 * for. NULL and *error (with this status; it names the file, and what it should have been: "a
 * config") if it cannot be read or has more than most bytes. */
char *gb_file_read(const char *path, const char *what, size_t most, size_t *length,
                   gb_status status, gb_error *error);

/* The rest of the first line of a file that begins with key, behind the separator, without blanks
 * and a quote before it and what stands behind another quote: "model name" of /proc/cpuinfo. Lines
 * are looked at up to 511 bytes. False if there is none. */
bool gb_file_find_line(const char *path, const char *key, char separator, char *text,
                       size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
