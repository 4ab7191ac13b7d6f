/* A figure in characters of results that are still being written, drawn by a process of its own: it
 * costs this one no memory, and cannot hold it up for long. */
#ifndef GB_PLOT_APART_H
#define GB_PLOT_APART_H

#include "bench/plot/target.h"
#include "common/text/error.h"

/* The first figure that a result file has, or that whose script is named (NULL: any), as lines of
 * characters, which the caller frees. screen: format "dumb", with its size, that no figure exceeds:
 * of one with more panels than there is room for the last are shown. NULL and *error if
 * there is none, it cannot be drawn, or somebody asked for an end (interrupt.h). */
char *gb_plot_apart(const char *csv, const char *figure, const gb_plot_target *screen,
                    gb_error *error);

#endif
