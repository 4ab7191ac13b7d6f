/* Bodies as text: numbers, lines of words between blanks, and CSV. */
#include "kernels/octree/formats/format.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { EXCERPT = 40 };

/* ---- numbers --------------------------------------------------------------------------------- */

/* A decimal number; without strspn, strtod would take hexadecimals as well. */
bool oc_is_number(const oc_file *file, const char *text, double *value)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    const char *bare = text + strspn(text, "+-");
    char *end;
    bool word = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word |= strcasecmp(bare, words[i]) == 0;
    if (!*text || (!word && strspn(text, "0123456789+-.eE") != strlen(text))) return false;
    *value = strtod_l(text, &end, file->c_locale);
    return *end == '\0';
}

/* What a text that is no number looks like, for the message. */
static const char *advice(const char *text)
{
    if (strchr(text, ';')) return "; do semicolons separate the columns? Commas have to";
    if (strchr(text, ',')) return "; numbers have a point, and blanks stand between them";
    return "";
}

gb_status oc_parse(const oc_file *file, int axis, const char *text, float *value, gb_error *error)
{
    double number;
    if (!oc_is_number(file, text, &number))
        return oc_refuse_line(file, error, "its %c is '%.*s', which is no decimal number%s",
                              oc_axis_names[axis], EXCERPT, text, advice(text));
    *value = (float)number;
    if (isfinite(*value)) return GB_OK;
    return oc_refuse_line(file, error,
                          "its %c is '%.*s'; coordinates must be finite numbers that a float holds "
                          "(up to 3.4e38)",
                          oc_axis_names[axis], EXCERPT, text);
}

/* ---- lines of words -------------------------------------------------------------------------- */

gb_status oc_next_line(oc_file *file, bool *found, gb_error *error)
{
    size_t length = 0;
    int c;
    *found = false;
    file->number++;
    while ((c = getc_unlocked(file->stream)) != EOF && c != '\n') {
        if (c == '\0') return oc_refuse_line(file, error, "it has a NUL byte; is this text?");
        if (length == OC_LINE - 1)
            return oc_refuse_line(file, error, "it is longer than 64 KiB; is this text?");
        file->line[length++] = (char)c;
    }
    if (ferror(file->stream)) return oc_cannot_read(file, error);
    *found = c != EOF || length > 0;
    while (length > 0 && strchr(" \t\r", file->line[length - 1]))
        length--;
    file->line[length] = '\0';
    return GB_OK;
}

unsigned oc_split(char *line, char **words, unsigned most)
{
    static const char blanks[] = " \t\r\v\f";
    unsigned count = 0;
    for (char *at = line + strspn(line, blanks); *at; at += strspn(at, blanks)) {
        if (count < most) words[count] = at;
        count++;
        at += strcspn(at, blanks);
        if (*at) *at++ = '\0';
    }
    return count;
}

/* The next line that has a body. */
static gb_status next_words(oc_file *file, char **words, unsigned *count, gb_error *error)
{
    for (;;) {
        bool found;
        gb_status status = oc_next_line(file, &found, error);
        if (status != GB_OK) return status;
        if (!found) return oc_too_few(file, file->next, error);
        *count = oc_split(file->line, words, OC_WORDS);
        if (*count > 0 && (!file->comment || words[0][0] != file->comment)) return GB_OK;
    }
}

gb_status oc_read_words(oc_file *file, float xyz[3], gb_error *error)
{
    char *words[OC_WORDS];
    unsigned count = 0;
    gb_status status = next_words(file, words, &count, error);
    if (status != GB_OK) return status;
    if (file->columns == 0) file->columns = count;
    if (count != file->columns || count < 3)
        return oc_refuse_line(file, error, "%u words instead of %u%s", count,
                              file->columns < 3 ? 3 : file->columns,
                              count == 1 && strchr(words[0], ',')
                                  ? "; commas separate them: its name should end in .csv"
                              : count == 1 && !file->begun
                                  ? "; if this is a molecule's XYZ (a count, a comment, lines that "
                                    "begin with an element): that is not read"
                                  : "");
    file->begun = true;
    for (int c = 0; c < 3 && status == GB_OK; c++)
        status = oc_parse(file, c, words[file->column[c]], &xyz[c], error);
    return status;
}

gb_status oc_begin_xyz(oc_file *file, gb_error *error)
{
    char mark[3];
    if (fread(mark, 1, sizeof mark, file->stream) < sizeof mark ||
        memcmp(mark, "\xEF\xBB\xBF", sizeof mark) != 0)
        if (fseeko(file->stream, 0, SEEK_SET) != 0) return oc_cannot_read(file, error);
    file->comment = '#';
    file->read = oc_read_words;
    return GB_OK;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static char *trim(char *field)
{
    field += strspn(field, " \t");
    size_t length = strlen(field);
    while (length > 0 && strchr(" \t", field[length - 1]))
        field[--length] = '\0';
    return field;
}

/* The columns that a first row names. */
static gb_status read_header(oc_file *file, const gb_csv_row *row, gb_error *error)
{
    const char *twice = gb_csv_twice(row->fields, row->count);
    if (twice) return oc_refuse_line(file, error, "two columns are called '%.40s'", twice);
    for (int c = 0; c < 3; c++) {
        const char name[2] = {oc_axis_names[c], '\0'};
        size_t found = 0;
        for (size_t i = 0; i < row->count; i++) {
            if (strcasecmp(trim(row->fields[i]), name) != 0) continue;
            file->column[c] = (unsigned)i;
            found++;
        }
        if (found == 0)
            return oc_refuse_line(file, error,
                                  "the columns' names lack %s; name three columns x, y and z, or "
                                  "begin with the first body's numbers",
                                  name);
        if (found > 1) return oc_refuse_line(file, error, "two columns are called %s", name);
    }
    return GB_OK;
}

/* Looks at the first row; *header: it has names. */
static gb_status begin_rows(oc_file *file, const gb_csv_row *row, bool *header, gb_error *error)
{
    double value;
    file->begun = true;
    *header = !oc_is_number(file, trim(row->fields[0]), &value);
    if (*header) return read_header(file, row, error);
    if (row->count == 3) return GB_OK;
    return oc_refuse_line(file, error,
                          row->count < 3
                              ? "%zu numbers, and a body has three, separated by commas"
                              : "%zu columns without names, and x, y and z are three (decimal "
                                "commas?); name the columns in a first line",
                          row->count);
}

static gb_status read_row(oc_file *file, float xyz[3], gb_error *error)
{
    gb_csv_row row;
    gb_status status = GB_OK;
    for (bool header = true; header && status == GB_OK;) {
        const gb_csv_step step = gb_csv_next(file->csv, &row, error);
        if (step == GB_CSV_END) return oc_too_few(file, file->next, error);
        if (step != GB_CSV_ROW) return GB_NO_INPUT;
        file->number = row.line;
        header = false;
        if (!file->begun) status = begin_rows(file, &row, &header, error);
    }
    for (int c = 0; c < 3 && status == GB_OK; c++)
        status = oc_parse(file, c, trim(row.fields[file->column[c]]), &xyz[c], error);
    return status;
}

gb_status oc_begin_csv(oc_file *file, gb_error *error)
{
    file->read = read_row;
    file->csv = gb_csv_open(file->stream, file->shown, GB_NO_INPUT, error);
    return file->csv ? GB_OK : GB_NO_INPUT;
}
