/* Reading a table, and saying what was left out. */
#include "bench/util/csv_load.h"

#include "common/protocol/measured.h"

#include <inttypes.h>
#include <stdio.h>

gb_csv *gb_csv_load(const char *path, gb_error *error)
{
    gb_csv *csv = gb_csv_read(path, error);
    if (!csv) return NULL;
    gb_rows_settle(csv);
    if (csv->torn_line)
        fprintf(stderr,
                "note: %s:%" PRIu64 ": the last row is torn, and left out (was a run killed, or is "
                "the file still being copied?)\n",
                path, csv->torn_line);
    return csv;
}
