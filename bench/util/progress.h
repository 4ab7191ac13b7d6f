/* Progress on stderr: on a terminal one line that is rewritten, in a log one line a point. */
#ifndef GB_UTIL_PROGRESS_H
#define GB_UTIL_PROGRESS_H

#include "common/text/error.h"

#include <stddef.h>

typedef struct gb_progress {
    bool terminal;
    bool shown; /* a line stands on the terminal and has to be cleared before other output */
    size_t points, point;
    double weight, weight_done; /* of all rows, and of those done: their expected seconds */
    double begun, point_begun, shown_at;
    double sm_clock_mhz, temperature_c; /* last known; 0: not */
    char point_text[256];
} gb_progress;

/* points: how many will be begun. weight: the sum of what gb_progress_row will be told. */
void gb_progress_start(gb_progress *progress, size_t points, double weight);
/* A point begins; text names it. */
void gb_progress_point(gb_progress *progress, const char *text);
/* So many of so many samples of a variant are taken (wanted 0: what it is doing instead). */
void gb_progress_sample(gb_progress *progress, const char *variant, unsigned taken, unsigned wanted,
                        const char *doing);
/* A row is done. */
void gb_progress_row(gb_progress *progress, double weight);
/* The point is done; summary goes to the log ("5 ok, 1 unsupported"). */
void gb_progress_point_done(gb_progress *progress, const char *summary);
/* Prints a line of its own to stderr. */
void gb_progress_note(gb_progress *progress, const char *format, ...) GB_PRINTF(2, 3);
/* Removes the line from the terminal. */
void gb_progress_clear(gb_progress *progress);

/* "45 s", "3 min 20 s", "1 h 05 min". Returns text. */
const char *gb_duration(double seconds, char text[32]);

#endif
