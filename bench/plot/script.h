/* What a figure's gnuplot script asks for: the lines "# gpubench: KEY ..." at its head. They say
 * which rows the driver writes for it, so that a further figure needs no code. */
#ifndef GB_PLOT_SCRIPT_H
#define GB_PLOT_SCRIPT_H

#include "bench/generations/generations.h"
#include "bench/table/layout.h"

/* What the keys mean: plots/README.md. */

/* Variants that a script leaves out on purpose: "cpu-*". */
typedef struct gb_plot_leaves {
    const char **patterns; /* as the shell has them */
    size_t count, capacity;
} gb_plot_leaves;

typedef struct gb_plot_script {
    const char *path;
    const char *what; /* the file's name after the primitive's: "-bins" */
    const char *title, *x, *panels, *largest, *over, *per, *dump;
    gb_choices over_at; /* where `over` is taken, whatever the point is; may be empty */
    const char
        *primitive;   /* it is of this one alone; NULL: of any whose name its own begins with */
    const char *only; /* separated by blanks; NULL: of any experiment */
    bool limit, categories, profile, devices_together, generic; /* generic: the key default */
    size_t several_x; /* the fewest values of x that are worth a figure; 0: any */
    gb_plot_leaves leaves;
    const char *remark;         /* what else stands at its foot; "" */
    const char *assumed, *many; /* NULL without these lines */
    gb_layout_variant needs;    /* its name is NULL without that line */
    gb_layout_variant *published;
    size_t published_count;
    gb_gpus gpus; /* none without a line gpus */
    /* With the line generations: devices run along x, and these lines are followed over them. */
    bool generations;
    gb_generation_query query;
    /* path, paper, where, best_axes, scale_by and variants of this are filled; of generations the
     * variants stand in query.lines as well */
    gb_table_layout layout;
} gb_plot_script;

/* Reads a script's head. what: see above, must live as long. False and *error with the line of the
 * first mistake. Everything lives in the arena. */
bool gb_plot_script_load(gb_arena *arena, const char *path, const char *what,
                         gb_plot_script *script, gb_error *error);

/* Whether the script says of a variant that it draws it, or measures by it (over). */
bool gb_plot_script_lists(const gb_plot_script *script, const char *variant);
/* Whether it says of one that it leaves it out. */
bool gb_plot_script_leaves(const gb_plot_script *script, const char *variant);

#endif
