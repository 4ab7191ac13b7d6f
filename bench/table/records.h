/* What tables show, for programs: a record a cell. docs/results.md has the columns. */
#ifndef GB_TABLE_RECORDS_H
#define GB_TABLE_RECORDS_H

#include "bench/table/build.h"

/* Where records are written to. Start from {0} with the first two set. */
typedef struct gb_records_output {
    gb_arena *arena;
    FILE *file;
    const char **axes; /* of all experiments, each once: columns */
    size_t axis_count, axis_capacity;
    struct cJSON *json; /* what is written at the end; NULL of CSV */
} gb_records_output;

/* Makes room for the axes of an experiment. */
void gb_records_know(gb_records_output *output, const gb_result_set *set);

/* A header; the records of a table (gb_table.records); what is still to be written. */
void gb_records_begin_csv(gb_records_output *output);
void gb_records_put_csv(gb_records_output *output, const gb_table *table);
void gb_records_begin_json(gb_records_output *output);
void gb_records_put_json(gb_records_output *output, const gb_table *table);
void gb_records_end_json(gb_records_output *output);

#endif
