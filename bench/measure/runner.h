/* Running the plan of a config: points in order, their variants in turns, every row written the
 * moment it is known, workers replaced when they die. */
#ifndef GB_MEASURE_RUNNER_H
#define GB_MEASURE_RUNNER_H

#include "bench/measure/estimate.h"
#include "bench/record/totals.h"

typedef enum gb_run_end {
    GB_RUN_COMPLETE,
    GB_RUN_LIMITED,     /* as far as its time went: totals->left_out points were not begun */
    GB_RUN_INTERRUPTED, /* by a signal; rows known so far are on disk */
    GB_RUN_BROKEN       /* no worker or no disk to go on with */
} gb_run_end;

/* Rows that the plan asks for and that are not there yet. */
size_t gb_run_rows_left(const gb_config *config, const gb_output *output);

/* The rows of a point that the plan asks for, in all scopes: at most 4 * variant_count (what they
 * are, nothing of what came of them). False without memory. */
bool gb_run_rows_of(const gb_config *config, size_t point, gb_row *rows, size_t *count);

/* What draws the rows so far, between points, while the worker has nothing to do. */
typedef struct gb_live {
    /* Lines of characters (malloc) to stand above the progress; NULL: none for now, *note why if
     * people should know. */
    char *(*draw)(void *context, gb_error *note);
    void *context;
} gb_live;

/* How a run goes on. */
typedef struct gb_run_manner {
    const char *title;   /* which config of how many, for the progress ("2/5 octree"), or "" */
    const gb_live *live; /* NULL, or what draws on the terminal */
    double until;        /* points that would not end before (gb_now) are left out, but for the
                            first; 0: there is no such time */
    bool silent;         /* rows are not printed */
} gb_run_manner;

/* Runs, and prints the rows of every point on stdout when it ends. *error is filled with
 * GB_RUN_BROKEN. */
gb_run_end gb_run_config(gb_session *session, gb_output *output, const gb_estimate *estimate,
                         const gb_run_manner *manner, gb_run_totals *totals, gb_error *error);

#endif
