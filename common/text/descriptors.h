/* The first thing a program does: hold its standard descriptors, should it have been started
 * without.
 */
#ifndef GB_TEXT_DESCRIPTORS_H
#define GB_TEXT_DESCRIPTORS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whoever starts a program may have closed its stdin, stdout or stderr (`<&-`, a daemon, a batch
 * system). The next file it opens would get that number, and what is printed would lie in it. Opens
 * /dev/null for each that is closed, such that reading and writing fail as they would on a closed
 * one: a table that nobody can read is no success. False (errno) if that cannot be done; then
 * nothing may be opened. */
bool gb_descriptors_hold(void);

#ifdef __cplusplus
}
#endif
#endif
