/* Text for people in lines that fit: broken at words, in columns that are made narrower. Widths are
 * columns of a terminal; UTF-8 without wide or combining characters. */
#ifndef GB_UTIL_WRAP_H
#define GB_UTIL_WRAP_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Columns that the longest word of a text takes. */
size_t gb_word_columns(const char *text);

/* How many bytes the first line of a text has if it may take so many columns: broken at a blank,
 * within a word only where that is longer. *text moves to where the next line begins, at its end if
 * there is none. */
size_t gb_take_line(const char **text, size_t columns);
/* How many lines those are; at least one. */
size_t gb_count_lines(const char *text, size_t columns);

/* Writes a text in lines of at most so many columns, and a line feed; `first` stands before it, and
 * lines after the first are indented. */
void gb_put_wrapped(FILE *file, const char *first, const char *text, size_t indent, size_t columns);
/* A line of text with blanks before it. On a terminal that is too narrow it is broken, and goes on
 * two columns further to the right. */
void gb_put_line(FILE *file, size_t indent, const char *format, ...) GB_PRINTF(3, 4);

/* Makes columns narrower, the widest first, none narrower than its least, until they take no more
 * than `room` together. False if that cannot be: then all have their least. */
bool gb_narrow(size_t *widths, const size_t *least, size_t count, size_t room);

/* The width for people: that of the terminal which the file is, else what is said here. */
size_t gb_page_columns(FILE *file, size_t otherwise);

#endif
