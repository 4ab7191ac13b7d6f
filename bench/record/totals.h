/* What came of a run. */
#ifndef GB_RECORD_TOTALS_H
#define GB_RECORD_TOTALS_H

#include "bench/record/results.h"

enum { GB_NOTED_FAILURES = 10 };

typedef struct gb_run_totals {
    size_t points;                /* of which something was measured */
    size_t left_out;              /* points that would not have ended in time */
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

#endif
