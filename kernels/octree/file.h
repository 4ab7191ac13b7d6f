/* Bodies from a file (dist=file:PATH), read in pieces, so that a file may be larger than the host's
 * memory. What is wrong with a file is said with its name and the line, or the body and its byte.
 */
#ifndef GB_OCTREE_FILE_H
#define GB_OCTREE_FILE_H

#include "common/text/error.h"
#include "kernels/octree/cells.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open file of bodies. Two formats, told apart by the name's end:
 *
 *   .f32, .bin  x, y, z of each body as little-endian 32-bit IEEE 754 numbers, nothing else: 12
 *               bytes a body
 *   .csv        a line a body: x, y, z separated by commas, blanks around them allowed. A first
 *               line that is no number names the columns: x, y and z are then taken from where it
 *               names them, and others are left alone. Empty lines are skipped.
 *
 * Numbers are decimal, with a point whatever the locale. */
typedef struct oc_file oc_file;

/* Opens a file that must hold at least n bodies; a relative path is relative to the working folder
 * of the process. *file is NULL after a failure, which is GB_UNSUPPORTED with *error. */
gb_status oc_file_open(const char *path, uint64_t n, oc_file **file, gb_error *error);
/* Reads the next `count` bodies, in the file's order, with mass 1. That a CSV file has fewer than
 * n is found here. */
gb_status oc_file_read(oc_file *file, oc_body *bodies, uint64_t count, gb_error *error);
/* NULL is allowed. */
void oc_file_close(oc_file *file);

#ifdef __cplusplus
}
#endif
#endif
