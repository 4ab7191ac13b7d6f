/* RFC 4180 in both directions. Rows are cut into fields in place, in a buffer that holds the
 * longest row that is allowed, or in the whole text. */
#include "common/text/csv.h"

#include "common/text/file.h"
#include "common/text/kind.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What no result file comes near; beyond it a file is something else, and only takes memory. */
#ifndef GB_CSV_MOST_ROW
#define GB_CSV_MOST_ROW (1 << 20)
#endif
enum { MOST_MIB = 1024, MOST_ROW = GB_CSV_MOST_ROW, MOST_COLUMNS = 1000, BUFFER = 2 * MOST_ROW };

typedef struct field_list {
    char **list;
    size_t count, capacity;
} field_list;

struct gb_csv_stream {
    FILE *file; /* NULL: nothing is behind end */
    const char *path;
    char *path_copy;
    gb_status status;
    char *buffer;    /* BUFFER bytes; NULL: the text is somebody else's */
    char *at, *end;  /* what is not cut yet; a NUL stands at end */
    char *limit;     /* of the row that is being cut: end, or MOST_ROW bytes before it */
    uint64_t line;   /* of at */
    size_t columns;  /* of the first row; 0: none was read */
    const char *why; /* of ROW_BAD */
    char width[96];  /* what that says of another width */
    field_list fields;
};

static bool push(field_list *all, char *field)
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

/* ---- cutting a row --------------------------------------------------------------------------- */

typedef enum { ROW_COMPLETE, ROW_TORN, ROW_BAD, ROW_NO_MEMORY } row_end;

static row_end bad(gb_csv_stream *s, const char *why)
{
    s->why = why;
    return ROW_BAD;
}

static row_end too_long(gb_csv_stream *s)
{
    return bad(s, "a row of more than 1 MiB");
}

/* Moves behind a quoted field, whose text it leaves between s->at as it was and *to. */
static row_end cut_quoted(gb_csv_stream *s, char **to)
{
    const uint64_t first_line = s->line;
    *to = s->at++;
    for (; s->at < s->limit; s->at++) {
        if (*s->at == '"') {
            if (s->at + 1 >= s->limit || s->at[1] != '"') break;
            s->at++;
        }
        s->line += *s->at == '\n';
        *(*to)++ = *s->at;
    }
    if (s->at++ < s->limit) return ROW_COMPLETE;
    s->at = s->limit;
    if (s->limit < s->end) return too_long(s);
    /* No row is torn in its second line: this quote swallows all the good rows behind it. */
    return s->line > first_line ? bad(s, "a quote that is never closed") : ROW_TORN;
}

/* Moves behind a field and what ends it, which is left in *stop: a comma, a line end, or a NUL for
 * the end of the text. */
static row_end cut_field(gb_csv_stream *s, char *stop)
{
    char *field = s->at, *to;
    if (s->at < s->limit && *s->at == '"') {
        row_end quoted = cut_quoted(s, &to);
        if (quoted != ROW_COMPLETE) return quoted;
    } else {
        s->at += strcspn(s->at, ",\n\r\""); /* stops at a NUL, too: the one behind the text */
        if (s->at > s->limit) s->at = s->limit;
        to = s->at;
        if (s->at < s->limit && *s->at == '\0') return bad(s, "a NUL byte");
    }
    if (s->at >= s->limit && s->limit < s->end) return too_long(s);
    *stop = s->at < s->limit ? *s->at++ : '\0';
    if (*stop == '\r' && s->at >= s->limit && s->limit < s->end) return too_long(s);
    if (*stop == '\r' && s->at >= s->limit)
        *stop = '\0';
    else if (*stop == '\r' && *s->at == '\n')
        *stop = *s->at++;
    if (*stop == '"') return bad(s, "a quote inside a field that does not begin with one");
    if (*stop && *stop != ',' && *stop != '\n')
        return bad(s, "text after a closing quote, or a lone carriage return");
    *to = '\0';
    if (strlen(field) != (size_t)(to - field)) return bad(s, "a NUL byte");
    return push(&s->fields, field) ? ROW_COMPLETE : ROW_NO_MEMORY;
}

/* Cuts one row off: its fields, without its line end. */
static row_end cut_row(gb_csv_stream *s, bool *unterminated)
{
    char stop = '\n';
    row_end result;
    s->fields.count = 0;
    s->limit = s->end - s->at > MOST_ROW ? s->at + MOST_ROW : s->end;
    do {
        result = cut_field(s, &stop);
        if (result == ROW_COMPLETE && s->fields.count > MOST_COLUMNS)
            result = bad(s, "more than 1000 fields");
    } while (result == ROW_COMPLETE && stop == ',');
    *unterminated = stop == '\0';
    s->line += result == ROW_COMPLETE && stop == '\n';
    return result;
}

/* ---- a row at a time ------------------------------------------------------------------------- */

static bool fail(const gb_csv_stream *s, gb_error *error, const char *why)
{
    gb_fail(error, s->status, "%s: %s", s->path, why);
    return false;
}

/* Sees to it that a whole row lies in the buffer, if it is no longer than allowed. */
static bool fill(gb_csv_stream *s, gb_error *error)
{
    const size_t left = (size_t)(s->end - s->at);
    if (!s->file || left > MOST_ROW) return true;
    memmove(s->buffer, s->at, left);
    errno = 0;
    const size_t room = BUFFER - 1 - left, got = fread(s->buffer + left, 1, room, s->file);
    s->at = s->buffer;
    s->end = s->buffer + left + got;
    *s->end = '\0';
    if (got == room) return true;
    const bool failed = ferror(s->file);
    s->file = NULL;
    return !failed || fail(s, error, strerror(errno ? errno : EIO));
}

/* Begins at the text's first byte: looks what it is, and passes a byte order mark. */
static bool begin(gb_csv_stream *s, gb_error *error)
{
    const size_t size = (size_t)(s->end - s->at);
    const char *kind = gb_kind_of_no_text(s->at, size);
    s->line = 1;
    if (kind) return fail(s, error, kind);
    if (size >= 3 && memcmp(s->at, "\xEF\xBB\xBF", 3) == 0) s->at += 3;
    return true;
}

/* What is wrong with a first row of one field; NULL: nothing. */
static const char *why_no_first(const char *field)
{
    if (!*field) return "the first line is empty; the table begins with it";
    if (strchr(field, ';')) return "';' separates the columns; a comma has to";
    if (strchr(field, '\t')) return "tabs separate the columns; a comma has to";
    return NULL;
}

/* Whether a row has as many fields as the first one. */
static row_end check_width(gb_csv_stream *s)
{
    const size_t got = s->fields.count;
    const bool last = s->at == s->end; /* fill leaves none at the buffer's end but the last */
    if (s->columns == 0) {
        const char *why = got == 1 ? why_no_first(s->fields.list[0]) : NULL;
        s->columns = got;
        return why ? bad(s, why) : ROW_COMPLETE;
    }
    if (got == s->columns) return ROW_COMPLETE;
    snprintf(s->width, sizeof s->width, "%zu fields instead of %zu%s", got, s->columns,
             s->columns > 1 && got == 2 * s->columns
                 ? " (are these decimal commas? A point has to stand there)"
                 : "");
    return last && got < s->columns ? ROW_TORN : bad(s, s->width);
}

static bool is_empty_line(const gb_csv_stream *s)
{
    return s->columns > 1 && s->fields.count == 1 && !*s->fields.list[0];
}

gb_csv_step gb_csv_next(gb_csv_stream *s, gb_csv_row *row, gb_error *error)
{
    row_end result;
    do {
        if (!fill(s, error)) return GB_CSV_BAD;
        if (s->at == s->end) return GB_CSV_END;
        *row = (gb_csv_row){.line = s->line};
        result = cut_row(s, &row->unterminated);
    } while (result == ROW_COMPLETE && is_empty_line(s));
    row->fields = s->fields.list;
    row->count = s->fields.count;
    if (result == ROW_COMPLETE) result = check_width(s);
    if (result == ROW_COMPLETE) return GB_CSV_ROW;
    if (result == ROW_NO_MEMORY) (void)fail(s, error, "out of memory");
    if (result == ROW_BAD)
        gb_fail(error, s->status, "%s:%" PRIu64 ": %s; repair or remove the line", s->path,
                row->line, s->why);
    if (result == ROW_TORN)
        gb_fail(error, s->status,
                "%s:%" PRIu64 ": the file ends within this row; is it complete, and are all quotes "
                "closed?",
                s->path, row->line);
    s->at = s->end;
    s->file = NULL;
    return result == ROW_TORN ? GB_CSV_TORN : GB_CSV_BAD;
}

gb_csv_stream *gb_csv_open(FILE *file, const char *path, gb_status status, gb_error *error)
{
    gb_csv_stream *s = calloc(1, sizeof *s);
    if (s) {
        *s = (gb_csv_stream){.file = file, .status = status};
        s->path = s->path_copy = strdup(path);
        s->buffer = s->at = s->end = malloc(BUFFER);
    }
    if (!s || !s->path || !s->buffer) {
        gb_fail(error, status, "%s: out of memory", path);
        gb_csv_close(s);
        return NULL;
    }
    if (fill(s, error) && begin(s, error)) return s;
    gb_csv_close(s);
    return NULL;
}

void gb_csv_close(gb_csv_stream *s)
{
    if (!s) return;
    free(s->fields.list);
    free(s->buffer);
    free(s->path_copy);
    free(s);
}

const char *gb_csv_twice(char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0) return names[i];
    return NULL;
}

/* ---- a table --------------------------------------------------------------------------------- */

/* Reads all rows of the text that s lies over; their fields join *all. */
static bool take_rows(gb_csv *csv, gb_csv_stream *s, field_list *all, gb_error *error)
{
    gb_csv_row row;
    gb_error why = {GB_OK, ""};
    for (;;) {
        const gb_csv_step step = gb_csv_next(s, &row, &why);
        if (step == GB_CSV_TORN) csv->torn_line = row.line;
        if (step == GB_CSV_BAD) gb_fail(error, why.status, "%s", why.text);
        if (step != GB_CSV_ROW) return step != GB_CSV_BAD;
        for (size_t i = 0; i < row.count; i++)
            if (!push(all, row.fields[i])) return fail(s, error, "out of memory");
        csv->columns = row.count;
        csv->complete_bytes = (size_t)(s->at - csv->storage);
        csv->unterminated = row.unterminated;
        if (!row.unterminated) csv->terminated_bytes = csv->complete_bytes;
    }
}

/* No two columns of one name: a reader would take one of them for the other. Of a header that may
 * have been cut the last name may be no name yet. */
static bool check_header(const gb_csv *csv, const gb_csv_stream *s, gb_error *error)
{
    if (csv->terminated_bytes == 0) return true;
    const char *twice = gb_csv_twice(csv->header, csv->columns);
    if (twice) gb_fail(error, s->status, "%s:1: two columns are called '%.60s'", s->path, twice);
    return !twice;
}

/* Begins of the rows. */
static bool index_rows(gb_csv *csv, const gb_csv_stream *s, const field_list *all, gb_error *error)
{
    if (csv->columns == 0) return true;
    csv->row_count = all->count / csv->columns - 1;
    csv->rows = malloc((csv->row_count + 1) * sizeof *csv->rows);
    if (!csv->rows) return fail(s, error, "out of memory");
    for (size_t i = 0; i < csv->row_count; i++)
        csv->rows[i] = all->list + (i + 1) * csv->columns;
    return true;
}

gb_csv *gb_csv_parse(char *text, size_t size, const char *path, gb_error *error)
{
    gb_csv *csv = calloc(1, sizeof *csv);
    if (!csv) {
        gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        free(text);
        return NULL;
    }
    gb_csv_stream s = {.path = path, .status = GB_CRASHED, .at = text, .end = text + size};
    field_list all = {0};
    csv->storage = text;
    bool good = begin(&s, error) && take_rows(csv, &s, &all, error);
    csv->header = all.list;
    good = good && check_header(csv, &s, error) && index_rows(csv, &s, &all, error);
    free(s.fields.list);
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

/* ---- writing --------------------------------------------------------------------------------- */

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

void gb_csv_put_number(FILE *file, double value, bool present)
{
    putc(',', file);
    if (present) fprintf(file, "%.9g", value);
}

void gb_csv_put_positive(FILE *file, double value)
{
    gb_csv_put_number(file, value, value > 0);
}
