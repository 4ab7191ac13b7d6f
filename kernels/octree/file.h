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

/* An open file of bodies. The formats are told apart by the name's end:
 *
 *   .f32, .bin  x, y, z of each body as little-endian 32-bit IEEE 754 numbers, nothing else: 12
 *               bytes a body
 *   .csv        RFC 4180 (common/text/csv.h), blanks around numbers allowed. A first line that is
 *               no number names the columns: x, y and z are taken from where it names them, and
 *               others are left alone. Without names there are three columns.
 *   .xyz        a line a body: x, y, z and whatever else, separated by blanks or tabs, as many on
 *               each line. Empty lines and those that begin with # are skipped.
 *   .npy        NumPy's array of n x 3 float32 or float64, in either byte order and in C or Fortran
 *               order
 *   .ply        the vertices' x, y, z, in text or binary of either byte order; the vertices stand
 *               first and have no lists
 *   .pcd        the points' x, y, z (Point Cloud Library), ascii or binary; not binary_compressed
 *
 * Numbers in text are decimal, with a point whatever the locale. */
typedef struct oc_file oc_file;

/* Opens a file that must hold at least n bodies; a relative path is relative to the working folder
 * of the process. *file is NULL after a failure, which is GB_NO_INPUT with *error. */
gb_status oc_file_open(const char *path, uint64_t n, oc_file **file, gb_error *error);
/* Reads the next `count` bodies, in the file's order, with mass 1. That a file whose head does not
 * say how many it holds has fewer than n is found here. */
gb_status oc_file_read(oc_file *file, oc_body *bodies, uint64_t count, gb_error *error);
/* NULL is allowed. */
void oc_file_close(oc_file *file);

/* Whether n bodies can be read, as far as the file's head and its first OC_FILE_LOOK bodies tell.
 * What was found good of a file is remembered until it changes. */
enum { OC_FILE_LOOK = 1 << 20 };
gb_status oc_file_look(const char *path, uint64_t n, gb_error *error);

#ifdef __cplusplus
}
#endif
#endif
