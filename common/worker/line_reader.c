/* Reads lines from a file descriptor, up to a limit, and recovers from longer ones. */
#include "common/worker/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 1 << 16 };

bool gb_line_reader_init(gb_line_reader *reader, int fd, size_t limit)
{
    *reader = (gb_line_reader){.fd = fd, .limit = limit, .data = malloc(FIRST_CAPACITY)};
    if (!reader->data) return false;
    reader->capacity = FIRST_CAPACITY;
    return true;
}

void gb_line_reader_free(gb_line_reader *reader)
{
    free(reader->data);
    reader->data = NULL;
    reader->capacity = reader->begin = reader->end = 0;
}

/* Makes room for at least one more byte and a NUL behind the data. */
static bool make_room(gb_line_reader *reader)
{
    if (reader->begin > 0) {
        memmove(reader->data, reader->data + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    if (reader->end + 1 < reader->capacity) return true;
    size_t capacity = 2 * reader->capacity;
    char *data = realloc(reader->data, capacity);
    if (!data) {
        errno = ENOMEM;
        return false;
    }
    reader->data = data;
    reader->capacity = capacity;
    return true;
}

/* Reads what is there; false on failure. At the end of the input sets at_end. */
static bool read_more(gb_line_reader *reader)
{
    if (!make_room(reader)) return false;
    for (;;) {
        ssize_t got =
            read(reader->fd, reader->data + reader->end, reader->capacity - 1 - reader->end);
        if (got > 0) reader->end += (size_t)got;
        if (got == 0) reader->at_end = true;
        if (got >= 0) return true;
        if (errno != EINTR) return false;
    }
}

gb_line_result gb_line_reader_next(gb_line_reader *reader, char **line, size_t *length)
{
    bool skipping = false; /* the line is too long: only its end matters */
    size_t searched = 0;   /* bytes after begin without a line end */
    for (;;) {
        char *start = reader->data + reader->begin;
        size_t available = reader->end - reader->begin;
        char *newline =
            available > searched ? memchr(start + searched, '\n', available - searched) : NULL;
        size_t got = newline ? (size_t)(newline - start) : available;
        bool complete = newline || (reader->at_end && (got > 0 || skipping));
        if (complete) {
            reader->begin += newline ? got + 1 : got;
            if (skipping || got > reader->limit) return GB_LINE_TOO_LONG;
            start[got] = '\0';
            *line = start;
            *length = got;
            return GB_LINE;
        }
        if (reader->at_end) return GB_LINE_END;
        searched = available;
        if (available > reader->limit || skipping) {
            skipping = true;
            reader->begin = reader->end;
            searched = 0;
        }
        if (!read_more(reader)) return GB_LINE_FAILED;
    }
}
