/* Commands for people to copy. */
#ifndef GB_UTIL_SHELL_H
#define GB_UTIL_SHELL_H

#include <stddef.h>
#include <stdio.h>

/* Writes a word as a shell takes it: in quotes where blanks, quotes and the like stand in it. */
void gb_shell_put(FILE *file, const char *word);
/* Words as one command with blanks between. The caller frees it; NULL without memory. */
char *gb_shell_line(const char *const *words, size_t count);

#endif
