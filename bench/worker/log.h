/* The last lines that a worker wrote to its stderr, for messages about its end. */
#ifndef GB_WORKER_LOG_H
#define GB_WORKER_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum { GB_LOG_LINES = 20, GB_LOG_WIDTH = 240 };

/* A ring of lines; all zero is an empty one. Longer lines are cut. */
typedef struct gb_worker_log {
    char lines[GB_LOG_LINES][GB_LOG_WIDTH];
    unsigned long count;     /* lines ever completed */
    char line[GB_LOG_WIDTH]; /* the line being received */
    size_t used;
    bool verbose; /* repeat every line on the driver's stderr */
} gb_worker_log;

void gb_worker_log_take(gb_worker_log *log, const char *bytes, size_t count);
/* Appends to text (capacity bytes with its NUL) as many of the last lines as fit, in order. */
void gb_worker_log_append(gb_worker_log *log, char *text, size_t capacity);

#endif
