/* The page of `gpubench report`: its sections. */
#ifndef GB_REPORT_PAGE_H
#define GB_REPORT_PAGE_H

#include "bench/claims/claims.h"
#include "bench/rows/papers.h"
#include "bench/rows/sides.h"

#include <stdio.h>

typedef struct gb_report {
    gb_sides sides;   /* the results and what is known of the runs behind them */
    gb_papers papers; /* in the order of their sections; what is of none comes after */
    gb_claims claims;
    gb_noise noise; /* of devices that were measured several times */
    char **figures; /* the SVG files, NULL-terminated; NULL: none are wanted */
    size_t figure_count, figures_put;
    const char *style, *script; /* text of the page's own */
    FILE *file;
    gb_error *error;
} gb_report;

/* Writes the whole page. False and *error if a file that it takes in cannot be read. */
bool gb_report_write(gb_report *report);

#endif
