/* What another program prints. */
#ifndef GB_UTIL_CAPTURE_H
#define GB_UTIL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

/* Runs argv[0] (looked for on PATH), with nothing on its stdin, and reads what it prints on stdout,
 * up to most bytes, for at most limit_s seconds. *text: what there is, with a NUL behind it, which
 * the caller frees; never NULL. False if it cannot be started, fails, prints more or takes longer.
 */
bool gb_capture(char *const argv[], double limit_s, size_t most, char **text);

#endif
