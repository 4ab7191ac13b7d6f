/* The terminal that a stream is. */
#ifndef GB_UTIL_TERMINAL_H
#define GB_UTIL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Whether a stream is a terminal on which a line can be rewritten: not in a log, not TERM=dumb. */
bool gb_is_terminal(FILE *file);
/* Its width in columns and its height in lines, as it says itself, else as COLUMNS and LINES do;
 * 0: the stream is no terminal, or nobody says. */
unsigned gb_terminal_columns(FILE *file);
unsigned gb_terminal_lines(FILE *file);
/* From here on what is said of the stream with this descriptor is said of that terminal, where its
 * text will be shown (bench/util/pager.h); -1: no longer. */
void gb_terminal_behind(int descriptor, int terminal);
/* Whether to colour: such a terminal, and no NO_COLOR (no-color.org). */
bool gb_use_colour(FILE *file);

#endif
