/* RFC 4180 in both directions. A file is read whole and cut into fields in place. */
#include "common/text/csv.h"

#include "common/text/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What no result file comes near; beyond it a file is something else, and only takes memory. */
enum { MOST_MIB = 1024, MOST_ROW = 1 << 20, MOST_COLUMNS = 1000 };

/* The fields of all rows, one after another. */
typedef struct fields {
    char **list;
    size_t count, capacity;
} fields;

static bool push(fields *all, char *field)
{
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? all->capacity * 2 : 256;
        char **list = realloc(all->list, capacity * sizeof *list);
        if (!list) return false;
        all->list = list;
        all->capacity = capacity;
    }
    all->list[all->count++] = field;
    return true;
}

typedef enum { ROW_COMPLETE, ROW_TORN, ROW_BAD, ROW_NO_MEMORY } row_end;

typedef struct cutter {
    char *at, *end;
    fields *all;
    size_t line;     /* of at */
    const char *why; /* of ROW_BAD */
} cutter;

static row_end bad(cutter *c, const char *why)
{
    c->why = why;
    return ROW_BAD;
}

/* Moves behind a quoted field, whose text it leaves between c->at as it was and *to. */
static row_end cut_quoted(cutter *c, char **to)
{
    const size_t first_line = c->line;
    *to = c->at++;
    for (; c->at < c->end; c->at++) {
        if (*c->at == '"') {
            if (c->at + 1 >= c->end || c->at[1] != '"') break;
            c->at++;
        }
        c->line += *c->at == '\n';
        *(*to)++ = *c->at;
    }
    if (c->at++ < c->end) return ROW_COMPLETE;
    /* No row is torn in its second line: this quote swallows all the good rows behind it. */
    return c->line > first_line ? bad(c, "a quote that is never closed") : ROW_TORN;
}

/* Moves behind a field and what ends it, a comma or a line end, which is left in *stop. */
static row_end cut_field(cutter *c, char *stop)
{
    char *field = c->at, *to;
    if (c->at < c->end && *c->at == '"') {
        row_end quoted = cut_quoted(c, &to);
        if (quoted != ROW_COMPLETE) return quoted;
    } else {
        c->at += strcspn(c->at, ",\n\r\""); /* stops at a NUL, too: the one behind the text */
        if (c->at > c->end) c->at = c->end;
        to = c->at;
        if (c->at < c->end && *c->at == '\0') return bad(c, "a NUL byte");
    }
    if (c->at >= c->end) return ROW_TORN;
    *stop = *c->at++;
    if (*stop == '\r') {
        if (c->at >= c->end) return ROW_TORN;
        if (*c->at == '\n') *stop = *c->at++;
    }
    if (*stop == '"') return bad(c, "a quote inside a field that does not begin with one");
    if (*stop != ',' && *stop != '\n')
        return bad(c, "text after a closing quote, or a lone carriage return");
    *to = '\0';
    if (strlen(field) != (size_t)(to - field)) return bad(c, "a NUL byte");
    return push(c->all, field) ? ROW_COMPLETE : ROW_NO_MEMORY;
}

/* Cuts one row off: pushes its fields, moves behind its line end. Torn if the text ends first. */
static row_end cut_row(cutter *c)
{
    char *end = c->end, stop;
    const size_t before = c->all->count;
    bool cut_short = c->end - c->at > MOST_ROW;
    if (cut_short) c->end = c->at + MOST_ROW;
    row_end result;
    do {
        result = cut_field(c, &stop);
        if (result == ROW_COMPLETE && c->all->count - before > MOST_COLUMNS)
            result = bad(c, "more than 1000 fields");
    } while (result == ROW_COMPLETE && stop == ',');
    c->end = end;
    if (result == ROW_TORN && cut_short) return bad(c, "a row of more than 1 MiB");
    c->line += result == ROW_COMPLETE;
    return result;
}

/* Cuts the whole text; false and *error on a malformed row that is not the last. */
static bool cut(gb_csv *csv, const char *path, size_t size, fields *all, gb_error *error)
{
    cutter c = {.at = csv->storage, .end = csv->storage + size, .all = all, .line = 1};
    if (size >= 3 && memcmp(c.at, "\xEF\xBB\xBF", 3) == 0) c.at += 3;
    while (c.at < c.end) {
        const size_t line = c.line, before = all->count;
        char found[64];
        row_end result = cut_row(&c);
        const size_t got = all->count - before;
        if (result == ROW_COMPLETE && csv->columns == 0) csv->columns = got;
        if (result == ROW_COMPLETE && got != csv->columns) {
            snprintf(found, sizeof found, "%zu fields instead of %zu", got, csv->columns);
            result = c.at == c.end && got < csv->columns ? ROW_TORN : bad(&c, found);
        }
        if (result == ROW_NO_MEMORY) gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        if (result == ROW_BAD)
            gb_fail(error, GB_CRASHED, "%s:%zu: %s; repair or remove the line", path, line, c.why);
        if (result == ROW_TORN) all->count = before;
        if (result != ROW_COMPLETE) return result == ROW_TORN;
        csv->complete_bytes = (size_t)(c.at - csv->storage);
    }
    return true;
}

/* No two columns of one name: a reader would take one of them for the other. */
static bool check_header(const gb_csv *csv, const char *path, gb_error *error)
{
    for (size_t i = 0; i < csv->columns; i++) {
        if (gb_csv_column(csv, csv->header[i]) == (int)i) continue;
        gb_fail(error, GB_CRASHED, "%s:1: two columns are called '%.60s'", path, csv->header[i]);
        return false;
    }
    return true;
}

gb_csv *gb_csv_parse(char *text, size_t size, const char *path, gb_error *error)
{
    gb_csv *csv = calloc(1, sizeof *csv);
    fields all = {0};
    if (!csv) {
        gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        free(text);
        return NULL;
    }
    csv->storage = text;
    bool good = cut(csv, path, size, &all, error);
    csv->header = all.list;
    good = good && check_header(csv, path, error);
    if (good && csv->columns) {
        csv->row_count = all.count / csv->columns - 1;
        csv->rows = malloc((csv->row_count + 1) * sizeof *csv->rows);
        if (!csv->rows) {
            gb_fail(error, GB_CRASHED, "%s: out of memory", path);
            good = false;
        }
        for (size_t i = 0; good && i < csv->row_count; i++)
            csv->rows[i] = all.list + (i + 1) * csv->columns;
    }
    if (good) return csv;
    gb_csv_free(csv);
    return NULL;
}

gb_csv *gb_csv_read(const char *path, gb_error *error)
{
    size_t size;
    char *text =
        gb_file_read(path, "a result file", (size_t)MOST_MIB << 20, &size, GB_CRASHED, error);
    return text ? gb_csv_parse(text, size, path, error) : NULL;
}

void gb_csv_free(gb_csv *csv)
{
    if (!csv) return;
    free(csv->header);
    free(csv->rows);
    free(csv->storage);
    free(csv);
}

int gb_csv_column(const gb_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->columns; i++) {
        if (strcmp(csv->header[i], name) == 0) return (int)i;
    }
    return -1;
}

const char *gb_csv_field(const gb_csv *csv, size_t row, const char *column)
{
    int at = gb_csv_column(csv, column);
    return at < 0 ? "" : csv->rows[row][at];
}

void gb_csv_put(FILE *file, const char *field, bool first)
{
    if (!first) putc(',', file);
    if (!strpbrk(field, ",\"\r\n")) {
        fputs(field, file);
        return;
    }
    putc('"', file);
    for (; *field; field++) {
        if (*field == '"') putc('"', file);
        putc(*field, file);
    }
    putc('"', file);
}
