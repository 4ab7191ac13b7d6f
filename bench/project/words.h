/* What tables and messages say alike. */
#ifndef GB_PROJECT_WORDS_H
#define GB_PROJECT_WORDS_H

#include "bench/project/project.h"

/* Milliseconds with three digits, "" for none; a factor. */
const char *gb_ms_text(gb_arena *arena, double seconds);
const char *gb_factor_text(gb_arena *arena, double factor);
/* What becomes of a primitive, a sentence. */
const char *gb_verdict_text(gb_arena *arena, const gb_verdict_of *verdict);

#endif
