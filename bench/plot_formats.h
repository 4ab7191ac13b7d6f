/* In which formats and how wide figures are drawn, as `gpubench plot` is told. */
#ifndef GB_PLOT_FORMATS_H
#define GB_PLOT_FORMATS_H

#include <stdbool.h>

enum { GB_PLOT_SVG, GB_PLOT_PDF, GB_PLOT_PNG, GB_PLOT_EPS, GB_PLOT_FORMATS };
extern const char *const gb_plot_format_names[GB_PLOT_FORMATS];

/* How wide a figure is printed: a column of a paper, or its page. */
typedef struct gb_plot_width {
    const char *name;
    double points; /* 1/72 inch */
} gb_plot_width;

/* "svg,pdf": sets those named and no others; false, with a message, if one is none. */
bool gb_plot_parse_formats(const char *list, bool wanted[GB_PLOT_FORMATS]);
/* "column"; NULL, with a message, if there is none of that name. */
const gb_plot_width *gb_plot_parse_width(const char *name);

#endif
