/* The page of `gpubench report`: its sections. */
#ifndef GB_REPORT_PAGE_H
#define GB_REPORT_PAGE_H

#include "bench/claims/claims.h"
#include "bench/generations/generations.h"
#include "bench/rows/gpus.h"
#include "bench/rows/papers.h"
#include "bench/rows/sides.h"
#include "bench/standings/standings.h"

#include <stdio.h>

/* A figure that `gpubench plot` drew. */
typedef struct gb_report_figure {
    const char *name;   /* of its files, without folder and ending */
    const char *wide;   /* the SVG for screens */
    const char *narrow; /* the same as a column of a paper, for phones; NULL: there is none */
    const char *data;   /* the folder of what it shows (--keep-data); need not be there */
    const char *id;     /* on the page; NULL: not shown yet */
} gb_report_figure;

/* A primitive over generations of GPUs. */
typedef struct gb_report_generation {
    const char *name;  /* of its figure, where that is drawn */
    const char *title; /* the same */
    gb_generation found;
} gb_report_generation;

typedef struct gb_report {
    gb_sides sides;   /* the results and what is known of the runs behind them */
    gb_papers papers; /* in the order of their sections; what is of none comes after */
    gb_claims claims;
    gb_noise noise; /* of devices that were measured several times */
    gb_contests contests;
    gb_peers peers;
    gb_owners owners;
    const char *no_owners;  /* why no worker says whose a variant is; NULL: they do */
    const char **important; /* names of figures that the summary shows if they are drawn */
    size_t important_count;
    gb_report_generation *generations; /* those with points of several devices */
    size_t generation_count, generation_capacity;
    gb_results printed; /* what they have of papers and others */
    gb_gpus gpus;
    gb_report_figure *figures;
    size_t figure_count;
    const char *style, *script; /* text of the page's own */
    FILE *file;
    gb_error *error;
} gb_report;

/* Reads plots/report.json: which figures stand in the summary. False and *error. */
bool gb_report_choose(gb_report *report, gb_error *error);

/* Writes the whole page. False and *error if a file that it takes in cannot be read. */
bool gb_report_write(gb_report *report);

#endif
