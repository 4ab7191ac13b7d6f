/* Drawing whatever a file or a layout asks for. */
#ifndef GB_FUZZ_TABLES_H
#define GB_FUZZ_TABLES_H

#include "bench/table/build.h"

/* Makes every table of a set with a layout (NULL: the plain one) in every format; dies unless each
 * is printable text. Messages must begin with about, or be about the experiment. */
void fuzz_draw(gb_arena *arena, const gb_result_set *set, const gb_table_layout *layout);

#endif
