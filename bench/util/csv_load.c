/* Reading a table, and saying what was left out. */
#include "bench/util/csv_load.h"

#include "common/protocol/measured.h"

#include <inttypes.h>
#include <stdio.h>

/* csv may be NULL. */
static gb_csv *settled(gb_csv *csv, const char *path)
{
    if (!csv) return NULL;
    gb_rows_settle(csv);
    if (csv->torn_line)
        fprintf(stderr,
                "note: %s:%" PRIu64 ": the last row is torn, and left out (was a run killed, or is "
                "the file still being copied?)\n",
                path, csv->torn_line);
    return csv;
}

gb_csv *gb_csv_load(const char *path, gb_error *error)
{
    return settled(gb_csv_read(path, error), path);
}

gb_csv *gb_csv_load_text(char *text, size_t size, const char *path, gb_error *error)
{
    return settled(gb_csv_parse(text, size, path, error), path);
}
