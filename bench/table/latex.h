/* Tables as LaTeX floats that fit the column of a paper, or its page. */
#ifndef GB_TABLE_LATEX_H
#define GB_TABLE_LATEX_H

#include "bench/table/render.h"

/* Writes the table as one float or several, with caption and label: `table`, as wide as a column
 * (GB_LATEX_COLUMN points), where all of it fits, else `table*`, as wide as the page of a
 * two-column article (GB_LATEX_PAGE), or what table->paper asks for. Panels that are too wide are
 * split into parts of their columns, what is too high for a page goes on in a further float. The
 * text is \small or \footnotesize of a document of 10 pt. It needs the packages array and booktabs.
 */
enum { GB_LATEX_COLUMN = 240, GB_LATEX_PAGE = 505, GB_LATEX_HIGH = 520 };
void gb_table_write_latex(gb_arena *arena, const gb_table *table, FILE *file);

#endif
