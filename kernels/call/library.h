/* Functions of a shared library, found before anything runs, with errors for people. */
#ifndef GB_CALL_LIBRARY_H
#define GB_CALL_LIBRARY_H

#include "common/text/error.h"

/* Loads the library, by its path and nothing else. It stays loaded as long as the process. NULL and
 * *error if there is none, if it is none for this machine, or if what it needs itself is missing.
 */
void *call_library(const char *path, gb_error *error);
/* A function of it; NULL and *error. */
void *call_function(void *library, const char *path, const char *name, gb_error *error);

#endif
