/* Adding a column to a table. */
#include "bench/record/widen.h"

#include "common/protocol/columns.h"

#include <stdlib.h>
#include <string.h>

/* A row as a line, with a field behind the one at `behind`. */
static void put_row(FILE *file, char *const *row, size_t columns, int behind, const char *field)
{
    for (size_t i = 0; i < columns; i++) {
        gb_csv_put(file, row[i], i == 0);
        if ((int)i == behind) gb_csv_put(file, field, false);
    }
    putc('\n', file);
}

gb_csv *gb_results_widen(gb_csv *csv, const char *path, char **text, gb_error *error)
{
    const char *name = gb_column_name(GB_COLUMN_UNDER);
    const int behind = gb_csv_column(csv, gb_column_name(GB_COLUMN_INSTANCE));
    *text = NULL;
    if (behind < 0 || gb_csv_column(csv, name) >= 0) return csv;
    size_t size = 0;
    char *copy = NULL;
    FILE *file = open_memstream(text, &size);
    if (file) {
        put_row(file, csv->header, csv->columns, behind, name);
        for (size_t i = 0; i < csv->row_count; i++)
            put_row(file, csv->rows[i], csv->columns, behind, "");
    }
    gb_csv_free(csv);
    if (file && fclose(file) == 0) copy = malloc(size + 1);
    if (copy) return gb_csv_parse(memcpy(copy, *text, size + 1), size, path, error);
    gb_fail(error, GB_CRASHED, "out of memory while reading %s", path);
    return NULL;
}
