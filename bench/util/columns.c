/* Aligned columns: rows are kept until all widths are known. */
#include "bench/util/columns.h"

#include "bench/util/terminal.h"
#include "common/text/limits.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* Characters of UTF-8 text; all that the lists hold are one column wide. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static const char *cell(const gb_columns *columns, size_t row, size_t column)
{
    return columns->cells[row * columns->count + column];
}

static void print_row(FILE *file, const gb_columns *columns, size_t row, const int *widths,
                      int indent)
{
    int blanks = indent; /* owed before the next text, so that no line ends in blanks */
    for (size_t i = 0; i < columns->count; i++) {
        const char *text = row == SIZE_MAX ? columns->headers[i] : cell(columns, row, i);
        if (*text) {
            fprintf(file, "%*s%s", blanks, "", text);
            blanks = 0;
        }
        blanks += widths[i] - width_of(text) + 2;
    }
}

void gb_columns_print(FILE *file, const gb_columns *columns, int indent)
{
    int *widths = calloc(columns->count, sizeof *widths);
    if (!widths) gb_memory_gone("gpubench", columns->count * sizeof *widths);
    for (size_t i = 0; i < columns->count; i++) {
        widths[i] = width_of(columns->headers[i]);
        for (size_t row = 0; row < columns->rows; row++) {
            int width = width_of(cell(columns, row, i));
            if (width > widths[i]) widths[i] = width;
        }
    }
    bool bold = gb_use_colour(file);
    if (bold) fputs("\033[1m", file);
    print_row(file, columns, SIZE_MAX, widths, indent);
    fputs(bold ? "\033[0m\n" : "\n", file);
    for (size_t row = 0; row < columns->rows; row++) {
        print_row(file, columns, row, widths, indent);
        fputc('\n', file);
    }
    free(widths);
}

void gb_columns_free(gb_columns *columns)
{
    for (size_t i = 0; i < columns->rows * columns->count; i++)
        free(columns->cells[i]);
    free(columns->cells);
    free(columns);
}
