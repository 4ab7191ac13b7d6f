/* The figure of results for which no script is made: plots/default.gp, whose head leaves to them
 * what it draws. */
#ifndef GB_PLOT_DEFAULT_H
#define GB_PLOT_DEFAULT_H

#include "bench/plot/script.h"
#include "bench/rows/select.h"

/* What such a figure shows at most, and what is left out beyond it, it says. */
enum { GB_PLOT_MOST_SERIES = 7, GB_PLOT_MOST_PANELS = 6 };

/* Fills a script whose head has the line `default`: along x the first axis that varies, a panel for
 * each value of the next, the other axes held at the value with the most rows (of several
 * the largest number, the first name), the fastest variants; values of x that are names, or fewer
 * than three, become categories. What counts are the rows that the choices and the preferences of
 * figures (warm cache, device scope) leave. Returns the set to draw: the same rows, in which an
 * axis that has one value at each value of one that is drawn has the value "like X". Everything
 * lives in the arena, or as long as the set. */
const gb_result_set *gb_plot_default_fill(gb_arena *arena, const gb_result_set *set,
                                          const gb_choices *chosen, gb_plot_script *script);

#endif
