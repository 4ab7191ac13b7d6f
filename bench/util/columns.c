/* Aligned columns: rows are kept until all widths are known. */
#include "bench/util/columns.h"

#include "bench/util/terminal.h"
#include "bench/util/wrap.h"
#include "common/text/limits.h"
#include "common/text/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* GAP: blanks between columns. ENOUGH: columns of a terminal that a column of words can do with.
 * BELOW: how far further lines of a row are indented. HEADER: as the number of a row. */
enum { GAP = 2, ENOUGH = 24, BELOW = 4 };
static const size_t HEADER = SIZE_MAX;

struct gb_columns {
    const char *const *headers;
    size_t count;
    char **cells; /* rows * count */
    size_t rows, capacity;
};

gb_columns *gb_columns_new(const char *const *headers)
{
    gb_columns *columns = calloc(1, sizeof *columns);
    if (!columns) gb_memory_gone("gpubench", sizeof *columns);
    columns->headers = headers;
    while (headers[columns->count])
        columns->count++;
    return columns;
}

void gb_columns_add(gb_columns *columns, const char *const *texts)
{
    if (columns->rows == columns->capacity) {
        size_t capacity = columns->capacity ? columns->capacity * 2 : 16;
        char **cells = realloc(columns->cells, capacity * columns->count * sizeof *cells);
        if (!cells) gb_memory_gone("gpubench", capacity * columns->count * sizeof *cells);
        columns->cells = cells;
        columns->capacity = capacity;
    }
    char **row = columns->cells + columns->rows * columns->count;
    for (size_t i = 0; i < columns->count; i++)
        if (!(row[i] = strdup(texts[i]))) gb_memory_gone("gpubench", strlen(texts[i]) + 1);
    columns->rows++;
}

static const char *cell(const gb_columns *columns, size_t row, size_t column)
{
    return row == HEADER ? columns->headers[column] : columns->cells[row * columns->count + column];
}

/* ---- how wide -------------------------------------------------------------------------------- */

/* How a list is written. A row that is too long for a terminal has several lines, each with some of
 * the columns; those after the first are indented. */
typedef struct shape {
    size_t *widths, *least;
    size_t
        *begins; /* the first column of each line, and behind the last line the number of columns */
    size_t lines, indent;
    const char **rest; /* of each cell of a row, what is still to be written */
} shape;

/* The widest text of a column, by a measure of it. */
static size_t widest(const gb_columns *columns, size_t column, size_t (*measure)(const char *))
{
    size_t width = measure(columns->headers[column]);
    for (size_t row = 0; row < columns->rows; row++) {
        const size_t this = measure(cell(columns, row, column));
        if (this > width) width = this;
    }
    return width;
}

/* Room for the texts of so many columns beside one another. */
static size_t room_of(size_t line, size_t count)
{
    const size_t gaps = (count - 1) * GAP;
    return line > gaps ? line - gaps : 1;
}

/* Divides the columns into lines by what they can do with, and gives each as much of its line as
 * its text needs. */
static void divide(shape *s, size_t count, size_t page)
{
    s->lines = 0;
    for (size_t first = 0, next; first < count; first = next) {
        const size_t indent = s->indent + (first ? BELOW : 0),
                     line = page > indent ? page - indent : 1;
        size_t width = s->least[first];
        for (next = first + 1; next < count; next++) {
            if (width + GAP + s->least[next] > line) break;
            width += GAP + s->least[next];
        }
        s->begins[s->lines++] = first;
        if (!gb_narrow(s->widths + first, s->least + first, next - first,
                       room_of(line, next - first)))
            s->widths[first] = line; /* one word that is longer */
    }
    s->begins[s->lines] = count;
}

static void find_shape(const gb_columns *columns, shape *s, size_t page)
{
    for (size_t i = 0; i < columns->count; i++) {
        const size_t word = widest(columns, i, gb_word_columns);
        s->widths[i] = widest(columns, i, gb_text_columns);
        s->least[i] = word > ENOUGH ? word : ENOUGH;
        if (s->least[i] > s->widths[i]) s->least[i] = s->widths[i];
    }
    divide(s, columns->count, page);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* As much of some cells as fits into their columns. Returns whether something is left. */
static bool put_cells(FILE *file, const shape *s, size_t first, size_t end, size_t indent)
{
    size_t blanks = indent; /* owed before the next text, so that no line ends in blanks */
    bool more = false;
    for (size_t i = first; i < end; i++) {
        const char *text = s->rest[i];
        const size_t bytes = gb_take_line(&s->rest[i], s->widths[i]);
        if (bytes > 0) {
            fprintf(file, "%*s", (int)blanks, "");
            fwrite(text, 1, bytes, file);
            blanks = 0;
        }
        const size_t width = gb_text_columns_of(text, bytes);
        blanks += (s->widths[i] > width ? s->widths[i] - width : 0) + GAP;
        more |= *s->rest[i] != '\0';
    }
    return more;
}

static bool is_blank(const shape *s, size_t first, size_t end)
{
    while (first < end && !*s->rest[first])
        first++;
    return first == end;
}

static void put_row(FILE *file, const gb_columns *columns, const shape *s, size_t row)
{
    const bool bold = row == HEADER && gb_use_colour(file);
    for (size_t i = 0; i < columns->count; i++)
        s->rest[i] = cell(columns, row, i);
    if (bold) fputs("\033[1m", file);
    for (size_t l = 0; l < s->lines; l++) {
        const size_t first = s->begins[l], end = s->begins[l + 1];
        if (l > 0 && is_blank(s, first, end)) continue;
        if (l > 0) putc('\n', file);
        while (put_cells(file, s, first, end, s->indent + (l ? BELOW : 0)))
            putc('\n', file);
    }
    fputs(bold ? "\033[0m\n" : "\n", file);
}

void gb_columns_print(FILE *file, const gb_columns *columns, int indent)
{
    const size_t count = columns->count, bytes = (3 * count + 1) * sizeof(size_t);
    shape s = {.indent = (size_t)indent};
    s.widths = calloc(1, bytes);
    s.rest = calloc(count, sizeof *s.rest);
    if (!s.widths || !s.rest) gb_memory_gone("gpubench", bytes);
    s.least = s.widths + count;
    s.begins = s.least + count;
    find_shape(columns, &s, gb_page_columns(file, SIZE_MAX));
    put_row(file, columns, &s, HEADER);
    for (size_t row = 0; row < columns->rows; row++)
        put_row(file, columns, &s, row);
    free(s.widths);
    free(s.rest);
}

void gb_columns_free(gb_columns *columns)
{
    for (size_t i = 0; i < columns->rows * columns->count; i++)
        free(columns->cells[i]);
    free(columns->cells);
    free(columns);
}
