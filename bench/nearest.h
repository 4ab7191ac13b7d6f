/* Words for messages about unknown names: what was probably meant. */
#ifndef GB_NEAREST_H
#define GB_NEAREST_H

#include <stddef.h>

/* Writes ` (did you mean "word"?)` with the candidate nearest to word, or "" if none is near. A
 * candidate that ends in ':' keeps the argument that word gave. Returns text. candidates may be
 * NULL. */
const char *gb_did_you_mean(char *text, size_t capacity, const char *word,
                            const char *const *candidates);

#endif
