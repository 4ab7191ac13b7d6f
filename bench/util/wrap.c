/* Text for people in lines that fit. */
#include "bench/util/wrap.h"

#include "bench/util/terminal.h"
#include "common/text/limits.h"
#include "common/text/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A terminal narrower than this is taken to be as wide: nothing can be read in less. */
enum { LEAST_COLUMNS = 20 };

size_t gb_word_columns(const char *text)
{
    size_t longest = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " "), columns = gb_text_columns_of(text, length);
        if (columns > longest) longest = columns;
        text += length;
    }
    return longest;
}

/* The bytes of a text that take so many columns. */
static size_t bytes_in(const char *text, size_t columns)
{
    size_t bytes = 0;
    while (text[bytes]) {
        const bool begins = ((unsigned char)text[bytes] & 0xC0) != 0x80;
        if (begins && columns-- == 0) break;
        bytes++;
    }
    return bytes;
}

size_t gb_take_line(const char **text, size_t columns)
{
    const char *line = *text;
    size_t bytes = bytes_in(line, columns ? columns : 1);
    if (line[bytes] && line[bytes] != ' ') { /* within a word */
        size_t blank = bytes;
        while (blank > 0 && line[blank - 1] != ' ')
            blank--;
        if (blank > strspn(line, " ")) bytes = blank;
    }
    *text = line + bytes + strspn(line + bytes, " ");
    while (bytes > 0 && line[bytes - 1] == ' ')
        bytes--;
    return bytes;
}

size_t gb_count_lines(const char *text, size_t columns)
{
    size_t lines = 0;
    do {
        (void)gb_take_line(&text, columns);
        lines++;
    } while (*text);
    return lines;
}

void gb_put_wrapped(FILE *file, const char *first, const char *text, size_t indent, size_t columns)
{
    size_t before = gb_text_columns(first);
    fputs(first, file);
    for (;;) {
        /* paths and options are not broken: who copies them wants them whole */
        const size_t room = columns > before ? columns - before : 0,
                     word = gb_text_columns_of(text, strcspn(text, " "));
        const char *line = text;
        fwrite(line, 1, gb_take_line(&text, room > word ? room : word), file);
        putc('\n', file);
        if (!*text) return;
        fprintf(file, "%*s", (int)indent, "");
        before = indent;
    }
}

void gb_put_line(FILE *file, size_t indent, const char *format, ...)
{
    static const char blanks[] = "        ";
    const size_t before = indent < sizeof blanks ? indent : sizeof blanks - 1;
    char *text;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) gb_memory_gone("gpubench", 0);
    gb_put_wrapped(file, blanks + sizeof blanks - 1 - before, text, before + 2,
                   gb_page_columns(file, SIZE_MAX));
    free(text);
}

bool gb_narrow(size_t *widths, const size_t *least, size_t count, size_t room)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += widths[i];
    while (sum > room) {
        size_t widest = count;
        for (size_t i = 0; i < count; i++)
            if (widths[i] > least[i] && (widest == count || widths[i] > widths[widest])) widest = i;
        if (widest == count) return false;
        widths[widest]--;
        sum--;
    }
    return true;
}

size_t gb_page_columns(FILE *file, size_t otherwise)
{
    const size_t columns = gb_terminal_columns(file);
    if (columns == 0) return otherwise;
    return columns > LEAST_COLUMNS ? columns : LEAST_COLUMNS;
}
