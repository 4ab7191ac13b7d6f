/* The inside of finding points: what is said of them. */
#ifndef GB_GENERATIONS_WORDS_H
#define GB_GENERATIONS_WORDS_H

#include "bench/generations/generations.h"

/* Adds a name to a list, each once. */
void gb_generation_name(gb_arena *arena, const char **list, const char *name);
/* Takes devices that have a point out of a list of their labels. */
void gb_generation_drop_names(gb_arena *arena, const char **list, const gb_generation *found);

/* Fills unit, held, differing, unnormalised, left_out of a generation, and the differences of its
 * points. too_far, lacking: devices of which there are other sizes alone, or results without an
 * axis. */
void gb_generation_put_words(gb_arena *arena, gb_generation *found, const gb_table_layout *layout,
                             const char *too_far, const char *lacking);

#endif
