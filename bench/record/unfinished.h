/* NAME.unfinished.json: the samples of rows that a run had begun and not finished when it was
 * interrupted, and under which circumstances they were taken. --resume goes on from them. */
#ifndef GB_RECORD_UNFINISHED_H
#define GB_RECORD_UNFINISHED_H

#include "bench/record/results.h"

/* A row that is not finished. */
typedef struct gb_unfinished_row {
    char *point, *variant, *cache; /* as the samples file has them (gb_row_point_text) */
    double *samples;
    unsigned count;
    double spent_s; /* in its requests, but for those of its last opening */
    char started_utc[24], instance[GB_MAX_TEXT];
    gb_reading reading;
    cJSON *sittings; /* [{"run_id","samples"}]: who took them, in order */
} gb_unfinished_row;

typedef struct gb_unfinished {
    cJSON *circumstances; /* of this run */
    gb_unfinished_row *rows;
    size_t count, capacity;
    bool there; /* there is a file */
} gb_unfinished;

/* With resume (output->setup) reads what an earlier run kept, less the rows that are there by now.
 * A file of other circumstances (device, worker, driver, way of measuring) is renamed to
 * NAME.RUN_ID.unfinished.json: note then says so, and which they are. False and *error if the file
 * is damaged. Free it in any case. */
bool gb_unfinished_begin(gb_unfinished *u, const gb_output *output, const gb_session *session,
                         char *note, size_t capacity, gb_error *error);
void gb_unfinished_free(gb_unfinished *u);

/* Takes a row's samples out; false: there are none. *row is the caller's to free. */
bool gb_unfinished_take(gb_unfinished *u, const char *point, const char *variant, const char *cache,
                        gb_unfinished_row *row);
/* Puts a row in, which becomes u's: also where false is returned, for want of memory. */
bool gb_unfinished_put(gb_unfinished *u, gb_unfinished_row *row);
void gb_unfinished_row_free(gb_unfinished_row *row);

/* Of all rows, their samples. */
size_t gb_unfinished_samples(const gb_unfinished *u);

/* Writes the file, whole and onto the disk; without rows it is removed. False and *error. */
bool gb_unfinished_write(gb_unfinished *u, const gb_output *output, gb_error *error);

#endif
