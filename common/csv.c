/* RFC 4180 in both directions. A file is read whole and cut into fields in place. */
#include "common/csv.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The whole file with a 0 behind it. */
static char *read_file(const char *path, size_t *size, gb_error *error)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, capacity = 0;
    while (file) {
        if (capacity - used < 2) {
            capacity = capacity ? capacity * 2 : 1 << 16;
            char *grown = realloc(text, capacity);
            if (!grown) break;
            text = grown;
        }
        size_t got = fread(text + used, 1, capacity - used - 1, file);
        used += got;
        if (got == 0 && !ferror(file)) {
            fclose(file);
            text[used] = 0;
            *size = used;
            return text;
        }
        if (got == 0) break;
    }
    gb_fail(error, GB_CRASHED, "%s: cannot be read: %s", path, strerror(errno));
    free(text);
    if (file) fclose(file);
    return NULL;
}

typedef enum { ROW_COMPLETE, ROW_TORN, ROW_BAD, ROW_NO_MEMORY } row_end;

/* Cuts one row out of [*at, end): pushes its fields, moves *at behind its line end and adds its
 * line ends to *line. Torn if the text ends first. On ROW_BAD, *why is the reason. */
static row_end cut_row(char **at, char *end, fields *all, size_t *line, const char **why)
{
    char *from = *at;
    for (;;) {
        char *field = from, *to = from;
        if (from < end && *from == '"') {
            from++;
            for (;; from++) {
                if (from >= end) return ROW_TORN;
                if (*from == '"') {
                    if (from + 1 >= end || from[1] != '"') break;
                    from++;
                }
                if (*from == '\n') ++*line;
                *to++ = *from;
            }
            from++;
        } else {
            while (from < end && *from != ',' && *from != '\n' && *from != '\r' && *from != '"')
                from++;
            to = from;
        }
        if (from >= end) return ROW_TORN;
        char stop = *from++;
        if (stop == '\r') {
            if (from >= end) return ROW_TORN;
            if (*from == '\n') stop = *from++;
        }
        if (stop != ',' && stop != '\n') {
            *why = stop == '"' ? "a quote inside a field that does not begin with one"
                               : "text after a closing quote, or a lone carriage return";
            return ROW_BAD;
        }
        *to = 0;
        if (!push(all, field)) return ROW_NO_MEMORY;
        if (stop == '\n') {
            ++*line;
            *at = from;
            return ROW_COMPLETE;
        }
    }
}

/* Cuts the whole text; false and *error on a malformed row that is not the last. */
static bool cut(gb_csv *csv, const char *path, size_t size, fields *all, gb_error *error)
{
    char *begin = csv->storage, *end = begin + size, *at = begin;
    if (size >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0) at += 3;
    size_t line = 1;
    while (at < end) {
        size_t first = line, before = all->count;
        const char *why = NULL;
        char found[64];
        row_end result = cut_row(&at, end, all, &line, &why);
        size_t got = all->count - before;
        if (csv->columns == 0 && result == ROW_COMPLETE) csv->columns = got;
        if (result == ROW_COMPLETE && got != csv->columns) {
            if (at == end && got < csv->columns) result = ROW_TORN;
            snprintf(found, sizeof found, "%zu fields instead of %zu", got, csv->columns);
            why = found;
        }
        if (result == ROW_NO_MEMORY) {
            gb_fail(error, GB_CRASHED, "%s: out of memory", path);
            return false;
        }
        if (result == ROW_TORN) {
            all->count = before;
            break;
        }
        if (why) {
            gb_fail(error, GB_CRASHED, "%s:%zu: %s; repair or remove the line", path, first, why);
            return false;
        }
        csv->complete_bytes = (size_t)(at - begin);
    }
    return true;
}

gb_csv *gb_csv_read(const char *path, gb_error *error)
{
    gb_csv *csv = calloc(1, sizeof *csv);
    fields all = {0};
    size_t size = 0;
    if (!csv) {
        gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        return NULL;
    }
    csv->storage = read_file(path, &size, error);
    bool good = csv->storage && cut(csv, path, size, &all, error);
    csv->header = all.list;
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
