/* Running the plan of a config: points in order, their variants in turns, every row written the
 * moment it is known, workers replaced when they die. */
#ifndef GB_RUNNER_H
#define GB_RUNNER_H

#include "bench/estimate.h"
#include "bench/progress.h"
#include "bench/results.h"

typedef enum gb_run_end {
    GB_RUN_COMPLETE,
    GB_RUN_INTERRUPTED, /* by a signal; rows known so far are on disk */
    GB_RUN_BROKEN       /* no worker or no disk to go on with */
} gb_run_end;

enum { GB_NOTED_FAILURES = 10 };

/* What came of it. */
typedef struct gb_run_totals {
    size_t points;                /* of which something was measured */
    size_t rows[GB_STATUS_COUNT]; /* by status */
    size_t flags[GB_FLAG_COUNT];
    size_t resumed;  /* rows that were there already */
    size_t replaced; /* workers that died */
    size_t failed;   /* rows neither ok nor unsupported */
    double busy_s;   /* the workers' own */
    double rest_s;   /* nobody had anything to do, as the config asks */
    double wait_s;   /* the driver waited for answers */
    double sync_s;   /* the driver waited for the disk */
    unsigned long requests;
    double widest_ci; /* the largest relative half width */
    double widening;  /* the most by which autocorrelation widens an interval */
    char throttle[128];
    cJSON *kernels; /* of the ok rows' variants, and what their machine code needs; likewise */
    cJSON *medians; /* of the ok rows, with their intervals; gb_run_config makes it, the caller
                       deletes it */
} gb_run_totals;

/* Rows that the plan asks for and that are not there yet. */
size_t gb_run_rows_left(const gb_config *config, const gb_output *output);

/* The rows of a point that the plan asks for, in all scopes: at most 4 * variant_count (what they
 * are, nothing of what came of them). False without memory. */
bool gb_run_rows_of(const gb_config *config, size_t point, gb_row *rows, size_t *count);

/* Runs. *error is filled with GB_RUN_BROKEN. */
gb_run_end gb_run_config(gb_session *session, gb_output *output, const gb_estimate *estimate,
                         gb_run_totals *totals, gb_error *error);

#endif
