/* Which figures results have: of each experiment and dump those whose scripts draw it, or the one
 * that any experiment has; and what their files are called. */
#ifndef GB_PLOT_FIGURES_H
#define GB_PLOT_FIGURES_H

#include "bench/plot/script.h"
#include "bench/rows/select.h"

/* A figure: of a slice of measured rows, with a paper's beside, of a dump, or of a primitive over
 * generations of GPUs. */
typedef struct gb_plot_figure {
    const gb_plot_script *script;
    const char *shown; /* the script's name, for messages */
    const char *name;  /* of the file, without folder and ending; no two alike */
    const gb_result_set *set, *paper;
    const gb_slice *slice;
    const gb_dump_file *dump;        /* NULL: of rows */
    const gb_generation *generation; /* NULL: of something else */
    size_t source;                   /* which of the results' sets and dumps it is of */
    bool fallback;                   /* to be drawn only where nothing else of that source is */
    bool drawn;                      /* by the caller; or could be, in a file */
} gb_plot_figure;

typedef struct gb_plot_figures {
    gb_arena *arena; /* where all of it lives */
    gb_results *results;
    const gb_choices *chosen;
    const char *only; /* the script, "multipartition-bins" or "default"; NULL: all */
    const char *published_file;
    bool no_published;
    bool no_generations; /* figures of these results alone */
    /* what gb_plot_figures_find fills */
    gb_plot_figure *items;
    size_t count, capacity;
    const char **scripts; /* the names of those there are for the results; no two alike */
    size_t script_count, script_capacity;
    bool tried; /* some script draws such results */
    gb_results **papers;
    size_t paper_count, paper_capacity;
    gb_results printed; /* what is printed anywhere, for figures over generations */
    bool has_printed;
    const char **followed; /* scripts over generations that were looked at */
    size_t followed_count, followed_capacity;
    size_t planned;       /* sets and dumps that were looked at */
    const char *left_out; /* what was said last */
    gb_error *error;
} gb_plot_figures;

/* Finds them all, in the order of the results; says on stderr what a script leaves out, and why.
 * False and *error. */
bool gb_plot_figures_find(gb_plot_figures *f, gb_error *error);
void gb_plot_figures_free(gb_plot_figures *f);

/* Scripts whose names begin as a primitive's: those that come along, then those of other names that
 * lie beside the config of a measured set (NULL: none). NULL-terminated. */
char **gb_plot_scripts_of(gb_arena *arena, const char *primitive, const gb_result_set *set);

/* Whether a figure is not to be drawn, for another of the same results was. */
bool gb_plot_is_needless(const gb_plot_figures *f, const gb_plot_figure *figure);

/* Says that what a script draws is left out for a choice that one of several experiments or figures
 * cannot meet; false: something else is wrong. */
bool gb_plot_leave_out(gb_plot_figures *f, const char *script, const gb_error *error);

#endif
