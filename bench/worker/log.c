/* Keeping the last lines of a worker's log, whatever bytes it writes. */
#include "bench/worker/log.h"

#include "common/text/text.h"

#include <stdio.h>
#include <string.h>

static void end_line(gb_worker_log *log)
{
    log->line[log->used] = 0;
    log->used = 0;
    gb_text_tame(log->line);
    strcpy(log->lines[log->count++ % GB_LOG_LINES], log->line);
    if (log->verbose) fprintf(stderr, "worker: %s\n", log->line);
}

void gb_worker_log_take(gb_worker_log *log, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n')
            end_line(log);
        else if (log->used + 1 < GB_LOG_WIDTH)
            log->line[log->used++] = bytes[i] ? bytes[i] : '\1'; /* a NUL would hide the rest */
    }
}

void gb_worker_log_append(gb_worker_log *log, char *text, size_t capacity)
{
    if (log->used) end_line(log);
    size_t used = strlen(text), room = capacity - used - 1, need = 0;
    unsigned long first = log->count;
    unsigned long oldest = first > GB_LOG_LINES ? first - GB_LOG_LINES : 0;
    const char *intro = "; the worker's log ends: ";
    if (room < strlen(intro)) return;
    room -= strlen(intro);
    while (first > oldest) {
        size_t length = strlen(log->lines[(first - 1) % GB_LOG_LINES]) + 3;
        if (need + length > room) break;
        need += length;
        first--;
    }
    if (first == log->count) return;
    strcat(text, intro);
    for (unsigned long i = first; i < log->count; i++) {
        if (i > first) strcat(text, " | ");
        strcat(text, log->lines[i % GB_LOG_LINES]);
    }
}
