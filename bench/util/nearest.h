/* Words for messages about unknown names: what was probably meant. */
#ifndef GB_UTIL_NEAREST_H
#define GB_UTIL_NEAREST_H

#include <stddef.h>

/* The candidate (NULL-terminated list) nearest to word by edit distance; NULL if none is near
 * enough to be what was meant. */
const char *gb_nearest(const char *word, const char *const *candidates);

/* Writes ` (did you mean "word"?)` with the candidate nearest to word, or "" if none is near. A
 * candidate that ends in ':' keeps the argument that word gave. Returns text. candidates may be
 * NULL. */
const char *gb_did_you_mean(char *text, size_t capacity, const char *word,
                            const char *const *candidates);

#endif
