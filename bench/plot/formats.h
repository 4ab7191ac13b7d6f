/* In which formats and how wide figures are drawn, as `gpubench plot` is told. */
#ifndef GB_PLOT_FORMATS_H
#define GB_PLOT_FORMATS_H

#include "common/text/error.h"

enum { GB_PLOT_SVG, GB_PLOT_PDF, GB_PLOT_PNG, GB_PLOT_EPS, GB_PLOT_FORMATS };
extern const char *const gb_plot_format_names[GB_PLOT_FORMATS];

/* How wide a figure is printed: a column of a paper, or its page. */
typedef struct gb_plot_width {
    const char *name;
    double points; /* 1/72 inch */
} gb_plot_width;

/* "svg,pdf", the argument of an option: sets those named and no others; false and *error if one is
 * none. */
bool gb_plot_parse_formats(const char *option, const char *list, bool wanted[GB_PLOT_FORMATS],
                           gb_error *error);
/* The format that a file's ending names: "figure.svg", the argument of an option; NULL and *error
 * if it names none. */
const char *gb_plot_format_of(const char *option, const char *path, gb_error *error);
/* "column", the argument of an option; NULL and *error if there is none of that name. */
const gb_plot_width *gb_plot_parse_width(const char *option, const char *name, gb_error *error);

#endif
