/* Reads lines from a file descriptor, up to a limit, and recovers from longer ones. */
#ifndef GB_WORKER_LINE_READER_H
#define GB_WORKER_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gb_line_reader {
    int fd;
    size_t limit; /* the longest line, without its end */
    char *data;   /* capacity bytes; begin..end are read but not yet given out */
    size_t capacity, begin, end;
    bool at_end;
} gb_line_reader;

typedef enum gb_line_result {
    GB_LINE,          /* a line */
    GB_LINE_TOO_LONG, /* a line over the limit was skipped */
    GB_LINE_END,      /* the input ended */
    GB_LINE_FAILED    /* read failed (errno) or there is no memory (ENOMEM) */
} gb_line_result;

/* False without memory. The caller frees the reader; the descriptor stays the caller's. */
bool gb_line_reader_init(gb_line_reader *reader, int fd, size_t limit);
/* The next line, without its end and NUL-terminated; it lives until the next call. A last line
 * without an end counts. */
gb_line_result gb_line_reader_next(gb_line_reader *reader, char **line, size_t *length);
void gb_line_reader_free(gb_line_reader *reader);

#endif
