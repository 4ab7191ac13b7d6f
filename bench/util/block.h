/* Lines that stand at the end of what a terminal shows, and are written anew in their place. */
#ifndef GB_UTIL_BLOCK_H
#define GB_UTIL_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct gb_block {
    char *text; /* whole lines; NULL: nothing */
    size_t lines;
    bool shown; /* it stands there, and the cursor in the line below it */
} gb_block;

/* Takes text (malloc) over; it must not be shown then. */
void gb_block_take(gb_block *block, char *text);
/* Shows it, from the beginning of a line on, unless it is or there is nothing. */
void gb_block_show(gb_block *block, FILE *terminal);
/* Removes it, with all that stands below it and what the cursor's line has. */
void gb_block_hide(gb_block *block, FILE *terminal);
void gb_block_free(gb_block *block);

#endif
