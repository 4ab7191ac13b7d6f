/* What a row of results/published/elsewhere must say, and what follows from it. */
#include "bench/rows/elsewhere_row.h"

#include "common/protocol/columns.h"
#include "common/protocol/conditions.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <string.h>

typedef struct reader {
    const char *path;
    const gb_csv *csv;
    size_t row;
    gb_error *error;
} reader;

static const char *text_of(const reader *r, gb_column column)
{
    return gb_csv_field(r->csv, r->row, gb_column_name(column));
}

static bool refuse(const reader *r, const char *column, const char *found, const char *allowed)
{
    gb_fail(r->error, GB_WRONG, "%s: data row %zu, column %s: found '%.60s'; allowed: %s", r->path,
            r->row + 1, column, found, allowed);
    return false;
}

static bool refuse_column(const reader *r, gb_column column, const char *allowed)
{
    return refuse(r, gb_column_name(column), text_of(r, column), allowed);
}

bool gb_is_elsewhere(const gb_csv *csv)
{
    return gb_csv_column(csv, gb_column_name(GB_COLUMN_KIND)) >= 0 &&
           gb_csv_column(csv, gb_column_name(GB_COLUMN_SOURCE)) >= 0 &&
           gb_csv_column(csv, gb_column_name(GB_COLUMN_PAPER)) < 0;
}

/* ---- what a row must say --------------------------------------------------------------------- */

static bool names_its_place(const reader *r)
{
    static const gb_column needed[] = {GB_COLUMN_SOURCE, GB_COLUMN_LOCATOR, GB_COLUMN_VARIANT,
                                       GB_COLUMN_DEVICE};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!*text_of(r, needed[i])) return refuse_column(r, needed[i], "a text that is not empty");
    const char *text = text_of(r, GB_COLUMN_YEAR);
    if (strlen(text) != 4 || strspn(text, "0123456789") != 4)
        return refuse_column(r, GB_COLUMN_YEAR, "the year in which it was printed, such as 2024");
    return true;
}

/* The number of axes that a row leaves blank, and the first of them. */
static size_t count_blank(const reader *r, int first_axis, int axis_end, int *first_blank)
{
    size_t blank = 0;
    for (int a = axis_end; a-- > first_axis;)
        if (!*r->csv->rows[r->row][a]) {
            blank++;
            *first_blank = a;
        }
    return blank;
}

static bool is_of_points(const reader *r, int first_axis, int axis_end)
{
    int first_blank = first_axis;
    const size_t blank = count_blank(r, first_axis, axis_end, &first_blank);
    if (strcmp(text_of(r, GB_COLUMN_KIND), "table") == 0)
        return blank == 0 || refuse(r, r->csv->header[first_blank], "",
                                    "a value; what is printed of no one point is of kind best");
    if (strcmp(text_of(r, GB_COLUMN_KIND), gb_best) != 0)
        return refuse_column(r, GB_COLUMN_KIND, "table or best");
    return blank > 0 || refuse_column(r, GB_COLUMN_KIND,
                                      "table where every axis has a value (best: over those "
                                      "that are blank)");
}

/* What rates, times and numbers of items can be, so that their quotients are numbers, too. */
static const double least_value = 1e-30, most_value = 1e30;

static bool is_possible(double value)
{
    return value >= least_value && value <= most_value;
}

/* How many items a row is about; 0: it does not say. */
static double items_of(const gb_csv *csv, size_t row)
{
    double items;
    const char *text = gb_csv_field(csv, row, gb_column_name(GB_COLUMN_ITEMS));
    return gb_number_parse(text, &items) && is_possible(items) ? items : 0;
}

static bool counts_items(const reader *r)
{
    const bool best = strcmp(text_of(r, GB_COLUMN_KIND), gb_best) == 0;
    const char *items = text_of(r, GB_COLUMN_ITEMS), *item = text_of(r, GB_COLUMN_ITEM);
    if (best && *items)
        return refuse_column(r, GB_COLUMN_ITEMS, "nothing where the best over axes is printed");
    if (!best && items_of(r->csv, r->row) == 0)
        return refuse_column(r, GB_COLUMN_ITEMS,
                             "how many items the row is about, such as "
                             "268435456");
    if (!best && !*item) return refuse_column(r, GB_COLUMN_ITEM, "what is counted, such as keys");
    return true;
}

static bool has_value(const reader *r)
{
    double value;
    const char *unit = text_of(r, GB_COLUMN_UNIT), *item = text_of(r, GB_COLUMN_ITEM);
    const bool is_time = strcmp(text_of(r, GB_COLUMN_QUANTITY), "time") == 0;
    if (strcmp(text_of(r, GB_COLUMN_STATUS), "ok") != 0)
        return refuse_column(r, GB_COLUMN_STATUS, "ok");
    if (!is_time && strcmp(text_of(r, GB_COLUMN_QUANTITY), "rate") != 0)
        return refuse_column(r, GB_COLUMN_QUANTITY, "rate or time");
    if (is_time && items_of(r->csv, r->row) == 0)
        return refuse_column(r, GB_COLUMN_QUANTITY, "rate where the best over axes is printed");
    if (!gb_number_parse(text_of(r, GB_COLUMN_VALUE), &value) || !is_possible(value))
        return refuse_column(r, GB_COLUMN_VALUE, "a number above 0, such as 5.631e-3");
    const char *spread = text_of(r, GB_COLUMN_CI95_REL);
    if (*spread && (!gb_number_parse(spread, &value) || !(value > 0) || !(value < 1)))
        return refuse_column(r, GB_COLUMN_CI95_REL, "a number between 0 and 1, or nothing");
    if (is_time && strcmp(unit, "s") != 0) return refuse_column(r, GB_COLUMN_UNIT, "s");
    const size_t length = strcspn(unit, "/");
    if (!is_time && (length == 0 || strcmp(unit + length, "/s") != 0 ||
                     (*item && (strlen(item) != length || strncmp(unit, item, length) != 0))))
        return refuse_column(r, GB_COLUMN_UNIT, "the item a second, such as keys/s");
    return true;
}

bool gb_elsewhere_check(const gb_csv *csv, size_t row, const char *path, int first_axis,
                        int axis_end, gb_error *error)
{
    const reader r = {path, csv, row, error};
    if (!names_its_place(&r) || !is_of_points(&r, first_axis, axis_end) || !counts_items(&r) ||
        !has_value(&r))
        return false;
    if (*text_of(&r, GB_COLUMN_SCOPE) && !gb_scope_parse(text_of(&r, GB_COLUMN_SCOPE), NULL))
        return refuse_column(&r, GB_COLUMN_SCOPE,
                             "device, host-to-host, or nothing where it is "
                             "not said");
    if (*text_of(&r, GB_COLUMN_CACHE) && !gb_cache_parse(text_of(&r, GB_COLUMN_CACHE), NULL))
        return refuse_column(&r, GB_COLUMN_CACHE, "cold, warm, or nothing where it is not said");
    return true;
}

void gb_elsewhere_complete(const gb_csv *csv, size_t row, gb_result_row *of)
{
    const double items = items_of(csv, row);
    double year = 0;
    gb_number_parse(gb_csv_field(csv, row, gb_column_name(GB_COLUMN_YEAR)), &year);
    of->said_cache = gb_csv_field(csv, row, gb_column_name(GB_COLUMN_CACHE));
    of->year = (int)year;
    if (items == 0) return;
    of->unit = gb_csv_field(csv, row, gb_column_name(GB_COLUMN_ITEM));
    if (of->rate > 0) {
        of->time_s = items / of->rate;
        of->time_lo_s = items / of->rate_hi;
        of->time_hi_s = items / of->rate_lo;
    } else {
        of->rate = items / of->time_s;
        of->rate_lo = items / of->time_hi_s;
        of->rate_hi = items / of->time_lo_s;
    }
}
