/* Names of the files of figures that are drawn together, no two alike. */
#ifndef GB_PLOT_NAMES_H
#define GB_PLOT_NAMES_H

#include "bench/util/arena.h"

#include <stddef.h>

/* What may tell a figure from another of the same name, in the order in which it is tried: what it
 * was measured on, where it is from, which script draws it. */
enum { GB_PLOT_OF_DEVICES, GB_PLOT_OF_PLACE, GB_PLOT_OF_SCRIPT, GB_PLOT_APART };

typedef struct gb_plot_name {
    const char *name;                 /* without folder and ending */
    const char *apart[GB_PLOT_APART]; /* any text, "" or NULL: it says nothing */
} gb_plot_name;

/* Figures of one name get, all of them, the first behind it that each has and no two have alike, as
 * lower-case letters, digits and "-"; where there is none, all that they have; and a number where
 * even that is not enough. So a figure's name hangs on which others there are, not on their order.
 * The new names live in the arena. */
void gb_plot_names_tell_apart(gb_arena *arena, gb_plot_name *names, size_t count);

#endif
