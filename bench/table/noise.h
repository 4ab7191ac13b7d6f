/* What equal runs on a device differ by, as a table. */
#ifndef GB_TABLE_NOISE_H
#define GB_TABLE_NOISE_H

#include "bench/rows/noise.h"
#include "bench/table/render.h"

/* Whether a path is that of what `gpubench run --aa` found: a file called noise.csv. */
bool gb_is_noise_file(const char *path);

/* Whether two classes stand in one table: they are of one device and from one file. */
bool gb_noise_beside(const gb_noise_class *a, const gb_noise_class *b);
/* The classes that stand in a table with one of them, one a line. Everything lives in the arena. */
gb_table gb_noise_table(gb_arena *arena, const gb_noise *noise, const gb_noise_class *of);

#endif
