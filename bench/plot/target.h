/* How a figure is drawn, and into what. */
#ifndef GB_PLOT_TARGET_H
#define GB_PLOT_TARGET_H

#include <stdbool.h>

typedef struct gb_plot_target {
    const char *format; /* "svg", "pdf", "png", "eps" or "dumb" (the terminal) */
    const char *output; /* the file */
    const char *common; /* path of plots/common.gp */
    int columns, lines; /* of the terminal */
    bool colour;        /* of the terminal */
    double print_wide;  /* how wide it is printed, in points; 0: it is for the screen */
    bool untitled;      /* no title and subtitle, as none in print has */
} gb_plot_target;

#endif
