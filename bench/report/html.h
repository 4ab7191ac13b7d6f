/* The pieces of an HTML page: text, tables and files inside it. */
#ifndef GB_REPORT_HTML_H
#define GB_REPORT_HTML_H

#include "bench/table/render.h"

/* Text with what HTML would take for markup written out. */
void gb_html_text(FILE *file, const char *text);
/* The same between two pieces of markup. */
void gb_html_element(FILE *file, const char *begin, const char *text, const char *end);

/* A table with its title, caption, panels and notes; a panel is a <table class="sortable
 * stubs-2">, of whose columns the first two name the row (html_table.c). Numbers of a column stand
 * with their points below one another, what follows them (an interval, a mark) in a column of its
 * own. level: of the heading that the title becomes; 0: none. */
void gb_html_table(gb_arena *arena, FILE *file, const gb_table *table, int level);

/* A link that holds a whole file, compressed by gzip where there is one, for saving it under its
 * name. False and *error if it cannot be read. */
bool gb_html_file(FILE *file, const char *path, gb_error *error);

#endif
