/* From rows and a layout to a table of ready text. */
#ifndef GB_TABLE_BUILD_H
#define GB_TABLE_BUILD_H

#include "bench/table/layout.h"
#include "bench/table/render.h"
#include "common/stats/two.h"

/* What a cell says, for programs: a value in SI units with its 95 % interval, and where it is from.
 */
typedef struct gb_table_record {
    const gb_result_set *set; /* that the table is of */
    const char *const *axis;  /* the set's axes */
    const char *label;        /* as the table calls the variant or ratio */
    const char *variant;      /* the row's; of a ratio that which is above */
    const char *over;         /* of a ratio the variant below, or gb_layout_limit; else "" */
    const char *device;       /* as the results name it */
    const char *quantity;     /* "rate", "time", "ratio" */
    const char *unit;         /* "keys/s", "s", "1" */
    const gb_result_row *row; /* whose cache, scope, status, samples and flags it has */
    bool elsewhere;           /* others printed it */
    gb_ratio value;   /* value: 0 where the status is not ok; lo, hi: 0 where there is none */
    const char *note; /* why there is none, what is assumed; "" */
} gb_table_record;

/* Printed rows to set beside measured ones where they are about the same points. */
typedef struct gb_table_printed {
    const gb_result_set *paper;      /* what the paper prints; NULL: nothing */
    const gb_result_set **elsewhere; /* what others print (bench/rows/elsewhere.h) */
    size_t elsewhere_count;
} gb_table_printed;

/* Fills a table with one slice of a set that has all axes the layout draws. printed: NULL is none.
 * Everything lives in the arena. */
void gb_table_build(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                    const gb_slice *slice, const gb_table_printed *printed, gb_table *table);
/* Adds to it what its cells say, in the order of the points. */
void gb_table_add_records(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                          const gb_slice *slice, const gb_table_printed *printed, gb_table *table);

#endif
