/* From the data of a figure to its file. */
#ifndef GB_PLOT_DRAW_H
#define GB_PLOT_DRAW_H

#include "bench/plot/target.h"
#include "bench/util/arena.h"
#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Has gnuplot run a script on folder/data.gp (data.h), looks whether what it drew is whole, and
 * puts it where the target says; until then nothing there changes. Leaves in the folder what was
 * there. False and *error: GB_UNSUPPORTED if the figure does not fit on a screen of characters. */
bool gb_plot_draw(gb_arena *arena, const char *folder, const char *script,
                  const gb_plot_target *target, gb_error *error);

/* Whether a drawing of a format ("svg", "pdf", "png", "eps", or "dumb", pages of so many lines) has
 * its beginning and its end: gnuplot's exit status does not say so, it is 0 on a full disk, too.
 * text has a NUL behind its size bytes. */
bool gb_plot_is_whole(const char *format, int lines, const char *text, size_t size);

#endif
