/* Words that hold what would separate them: 'a, b' or "a, b", the quote doubled where it is meant
 * itself. */
#ifndef GB_UTIL_QUOTED_H
#define GB_UTIL_QUOTED_H

#include <stddef.h>

/* Reads the quoted word that begins at `at`, with either quote, into capacity bytes. Returns the
 * place behind its closing quote; NULL if it is not closed, or is longer. */
const char *gb_quoted_read(const char *at, char *word, size_t capacity);
/* Writes a word so that it is read as one: in quotes where it is empty or has a quote, a blank or
 * one of special. Cut where it is longer than capacity; returns the length that it needs. */
size_t gb_quoted_write(char *text, size_t capacity, const char *word, const char *special);

#endif
