/* The pieces of an HTML page: text, tables, figures and files inside it. */
#ifndef GB_REPORT_HTML_H
#define GB_REPORT_HTML_H

#include "bench/table/render.h"

/* Text with what HTML would take for markup written out. */
void gb_html_text(FILE *file, const char *text);

/* A table with its title, caption, panels and notes; a panel is a <table class="sortable">. level:
 * of the heading that the title becomes; 0: none. */
void gb_html_table(gb_arena *arena, FILE *file, const gb_table *table, int level);

/* An SVG of gnuplot's as an element of the page, with a text for those who do not see it. number:
 * which of the page's figures it is, from 0; the marks for points are defined by the first alone.
 * False and *error if the file cannot be read or is no SVG. */
bool gb_html_svg(FILE *file, const char *path, const char *alt, size_t number, gb_error *error);

/* A link that holds a whole file, compressed by gzip where there is one, for saving it under its
 * name. False and *error if it cannot be read. */
bool gb_html_file(FILE *file, const char *path, gb_error *error);

#endif
