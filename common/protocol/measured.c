/* Judging the rows of result files. */
#include "common/protocol/measured.h"

#include "common/protocol/columns.h"
#include "common/protocol/conditions.h"
#include "common/protocol/under.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* "2026-01-31T23:59:59Z" */
static bool is_time(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    if (strlen(text) != sizeof form - 1) return false;
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != form[i]) return false;
    return true;
}

void gb_rows_settle(gb_csv *csv)
{
    static const char *const last = "started_utc";
    if (!csv->unterminated) return;
    if (csv->row_count > 0) {
        const int at = gb_csv_column(csv, last);
        if (at < 0 || at + 1 != (int)csv->columns) return;
        if (is_time(csv->rows[csv->row_count - 1][at])) return;
        csv->row_count--;
        csv->torn_line = csv->row_count + 2;
    } else {
        /* The header of a run that was killed at once. */
        csv->columns = 0;
        csv->torn_line = 1;
    }
    csv->complete_bytes = csv->terminated_bytes;
    csv->unterminated = false;
}

typedef struct judge {
    const gb_csv *csv;
    size_t row;
    const char *path;
    gb_status status;
    gb_error *error;
} judge;

static const char *text_of(const judge *j, gb_column column)
{
    return gb_csv_field(j->csv, j->row, gb_column_name(column));
}

static bool refuse(const judge *j, gb_column column, const char *what)
{
    gb_fail(j->error, j->status, "%s: data row %zu, column %s: '%.80s' %s", j->path, j->row + 1,
            gb_column_name(column), text_of(j, column), what);
    return false;
}

/* A number; *value is NAN for a blank. */
static bool finite_number(const judge *j, gb_column column, double *value)
{
    const char *text = text_of(j, column);
    *value = NAN;
    if (!*text) return true;
    return gb_number_parse(text, value) || refuse(j, column, "is not a finite decimal number");
}

/* One that is not below 0. */
static bool number(const judge *j, gb_column column, double *value)
{
    if (!finite_number(j, column, value)) return false;
    return !(*value < 0) || refuse(j, column, "is below 0");
}

static bool numbers(const judge *j)
{
    static const gb_column counts[] = {GB_COLUMN_SAMPLES, GB_COLUMN_ITEMS, GB_COLUMN_SEED};
    static const gb_column other[] = {
        GB_COLUMN_TIME_MEAN_S,   GB_COLUMN_TIME_MEDIAN_S,  GB_COLUMN_TIME_MIN_S,
        GB_COLUMN_TIME_MAX_S,    GB_COLUMN_TIME_SD_S,      GB_COLUMN_RATE,
        GB_COLUMN_LIMIT_RATE,    GB_COLUMN_LIMIT_FRACTION, GB_COLUMN_SM_CLOCK_MHZ,
        GB_COLUMN_MEM_CLOCK_MHZ, GB_COLUMN_TEMPERATURE_C,  GB_COLUMN_POWER_W};
    static const gb_column ends[][2] = {{GB_COLUMN_TIME_CI95_LO_S, GB_COLUMN_TIME_CI95_HI_S},
                                        {GB_COLUMN_RATE_CI95_LO, GB_COLUMN_RATE_CI95_HI},
                                        {GB_COLUMN_TIME_MIN_S, GB_COLUMN_TIME_MAX_S}};
    double value, high;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (!number(j, counts[i], &value)) return false;
        if (floor(value) < value) return refuse(j, counts[i], "is not a whole number");
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (!number(j, other[i], &value)) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        /* The interval of a few samples that are far apart may begin below 0. */
        if (!finite_number(j, ends[i][0], &value) || !number(j, ends[i][1], &high)) return false;
        if (value > high) return refuse(j, ends[i][0], "is above the upper end");
    }
    return true;
}

bool gb_row_schema_check(const gb_csv *csv, size_t row, const char *path, gb_status status,
                         gb_error *error)
{
    const char *schema = gb_csv_field(csv, row, gb_column_name(GB_COLUMN_SCHEMA));
    if (strcmp(schema, GB_RESULT_SCHEMA) == 0) return true;
    gb_fail(error, status,
            "%s: data row %zu has schema '%.80s'; this gpubench reads schema " GB_RESULT_SCHEMA,
            path, row + 1, schema);
    return false;
}

bool gb_row_check(const gb_csv *csv, size_t row, const char *path, gb_status status,
                  gb_error *error)
{
    const judge j = {csv, row, path, status, error};
    gb_status told;
    if (!gb_row_schema_check(csv, row, path, status, error)) return false;
    if (!gb_status_parse(text_of(&j, GB_COLUMN_STATUS), &told)) {
        char known[128];
        gb_fail(error, status, "%s: data row %zu: unknown status '%.80s'; a status is %s", path,
                row + 1, text_of(&j, GB_COLUMN_STATUS), gb_status_list(known, sizeof known));
        return false;
    }
    const char *cache = text_of(&j, GB_COLUMN_CACHE), *scope = text_of(&j, GB_COLUMN_SCOPE);
    if (*cache && !gb_cache_parse(cache, NULL))
        return refuse(&j, GB_COLUMN_CACHE, "is neither cold nor warm");
    if (*scope && !gb_scope_parse(scope, NULL))
        return refuse(&j, GB_COLUMN_SCOPE, "is neither device nor host-to-host");
    gb_under under;
    if (!gb_under_parse(text_of(&j, GB_COLUMN_UNDER), &under))
        return refuse(&j, GB_COLUMN_UNDER,
                      "is no condition of a device, such as code=sm_35;multiprocessors=64");
    return numbers(&j);
}
