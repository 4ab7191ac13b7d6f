/* Files of `gpubench dump` in memory: tables of what variants built, grouped by point. */
#ifndef GB_ROWS_DUMPS_H
#define GB_ROWS_DUMPS_H

#include "bench/util/arena.h"
#include "common/gpubench.h"
#include "common/text/csv.h"

/* The rows of one variant at one point, in the file's order. */
typedef struct gb_dump_table {
    const char *variant, *device;
    const char *axis[GB_MAX_AXES], *seed;
    size_t *rows; /* their numbers in the file */
    size_t row_count, row_capacity;
} gb_dump_table;

/* A file. */
typedef struct gb_dump_file {
    const char *name;   /* of the file, without folder and .csv: the figures carry it */
    const char *folder; /* where it lies, as it was named; "": here */
    const char *dump, *primitive;
    bool simt; /* some row is the simt device's */
    const char *axes[GB_MAX_AXES];
    unsigned axis_count;
    gb_csv *csv;
    size_t first_column; /* of the dump's own, which go on to the last */
    gb_dump_table *tables;
    size_t table_count, table_capacity;
} gb_dump_file;

/* Whether a file is one of these. */
bool gb_is_dump(const gb_csv *csv);
/* Groups the rows; csv must live as long. False and *error with what is wrong with the file. */
bool gb_dump_read(gb_arena *arena, const char *path, gb_csv *csv, gb_dump_file *file,
                  gb_error *error);

#endif
