/* What a figure's gnuplot script asks for: the lines "# gpubench: KEY ..." at its head. They say
 * which rows the driver writes for it, so that a further figure needs no code. */
#ifndef GB_PLOT_SCRIPT_H
#define GB_PLOT_SCRIPT_H

#include "bench/rows/gpus.h"
#include "bench/table/layout.h"

/*   title TEXT               drawn above the figure
 *   x AXIS                   the axis that runs along x
 *   categories               the values along x are names, each with a place of its own
 *   panels AXIS              a panel for each of its values
 *   largest AXIS             hold this axis at the largest value measured
 *   where AXIS=VALUE ...     preferred values of the axes that are held; VALUE|VALUE: the first of
 *                            these that there is
 *   over VARIANT             how much faster than this one; what has no speed-up is left out
 *   paper FILE               published numbers to draw beside
 *   published VARIANT LABEL  what its published numbers are called, if not as the measured ones
 *   assumed TEXT             what is drawn rests on this, which no paper says: it stands at the
 * foot many REASON              why there are more series than can be told apart at a glance best
 * AXIS ...            draw the best over these axes scale-by UNIT AXIS VALUE=FACTOR ...   turn
 * items/s into UNIT by a factor for each value only EXPERIMENT ...      leave the figure out of
 * results of others, unless it is asked for several-x                leave the figure out where x
 * has one value, and panels where it has needs VARIANT[AXIS=VALUE,...]   leave the figure out where
 * this one was not measured (there) no-cache-resident        leave out rows with that flag gpus
 * FILE                what data sheets say of the devices: plots/FILE dump NAME                draw
 * such a file of `gpubench dump`; of the other keys title, panels and variant are for it profile
 * draw profiles (scripts/profile.sh), no measured rates variant NAME[AXIS=VALUE,...] [LABEL]   the
 * variants drawn first, in this order; held at values of axes of its own if it says so listed-only
 * draw no other variants limit                    draw the limit that the memory bandwidth sets
 *   default                  draw any results: they say what is along x and all the rest
 * (default.h)
 */
typedef struct gb_plot_script {
    const char *path;
    const char *what; /* the file's name after the primitive's: "-bins" */
    const char *title, *x, *panels, *largest, *over, *dump;
    const char *only; /* separated by blanks; NULL: of any experiment */
    bool limit, categories, profile, several_x, generic; /* generic: the key default */
    const char *remark;                                  /* what else stands at its foot; "" */
    const char *assumed, *many;                          /* NULL without these lines */
    gb_layout_variant needs;                             /* its name is NULL without that line */
    gb_layout_variant *published;
    size_t published_count;
    gb_gpus gpus; /* none without a line gpus */
    /* path, paper, where, best_axes, scale_by, variants and further_variants of this are filled */
    gb_table_layout layout;
} gb_plot_script;

/* Reads a script's head. what: see above, must live as long. False and *error with the line of the
 * first mistake. Everything lives in the arena. */
bool gb_plot_script_load(gb_arena *arena, const char *path, const char *what,
                         gb_plot_script *script, gb_error *error);

#endif
