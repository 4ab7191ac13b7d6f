/* The inside of checking a block of `gpubench table`. */
#ifndef GB_TESTS_DELIVERY_DOCUMENT_TABLE_H
#define GB_TESTS_DELIVERY_DOCUMENT_TABLE_H

#include "tests/delivery/document_numbers.h"

#include "common/stats/two.h"

/* What a cell turned out to be: for the remarks below the table. */
typedef struct seen_cell {
    const char *label, *source;
    const gb_result_row *row; /* of a variant; NULL: a ratio */
    gb_ratio ratio;
} seen_cell;

/* One table of a block: its caption, and what its lines so far have said. */
typedef struct table_check {
    document *d;
    const block *b;
    size_t line; /* which is looked at */
    gb_results results, published;
    const gb_result_set *set, *paper; /* paper: NULL: none */
    gb_table_layout layout;
    gb_choices chosen;                             /* of the command */
    const char *held[GB_MAX_AXES], *cache, *scope; /* by the caption; NULL: it does not say */
    bool drawn[GB_MAX_AXES];
    const char *at[GB_MAX_AXES]; /* where the cell stands; NULL: no head says it */
    seen_cell *seen;
    size_t seen_count, seen_capacity;
} table_check;

/* A line of cells, or a column of them. */
typedef struct shown_series {
    const char *label, *source;  /* source: of which device; NULL: of the caption's */
    const char *of, *over;       /* over: NULL unless a ratio */
    const char *printed_for;     /* of a ratio: whose `over` a paper prints; NULL: it is measured */
    const gb_choices *held;      /* NULL: nowhere */
    const gb_choices *over_held; /* of a ratio: the same of `over`, before `held` */
    const char *per;             /* of a ratio: the axis that divides it; NULL: none */
} shown_series;

/* What a label means; without `of` if nothing. */
shown_series series_of_label(table_check *c, const char *head);
/* Looks up a cell of a series at c->at. */
void check_cell(table_check *c, const shown_series *s, const char *text);
/* Whether a text begins with a ratio and its interval, as tables print it; *text moves behind. */
bool takes_ratio(const char **text, const gb_ratio *ratio);
/* Whether tables call a device so. */
bool is_source(const char *source, const char *device);
/* Whether a row is one of those that the caption and the choices leave. */
bool is_in_slice(const table_check *c, const gb_result_row *row);
/* "64x4x1/2048": a row's values of the axes over which it is the best. */
const char *best_of_row(table_check *c, const gb_result_row *row);

#endif
