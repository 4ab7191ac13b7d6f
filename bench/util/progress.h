/* Progress on stderr: on a terminal one line that is rewritten, in a log one line a point. */
#ifndef GB_UTIL_PROGRESS_H
#define GB_UTIL_PROGRESS_H

#include "bench/util/block.h"
#include "common/text/error.h"

#include <stddef.h>

enum { GB_PROGRESS_LINE = 640 };

typedef struct gb_progress {
    bool terminal;
    bool shown;      /* a line stands on the terminal and has to be cleared before other output */
    char title[160]; /* of what, where it is one of several: "2/5 octree"; "" */
    size_t points, point;
    double left_s; /* expected; negative: there is nothing to go by */
    double begun, shown_at, point_begun;
    double sm_clock_mhz, temperature_c; /* last known; 0: not */
    char point_text[256];
    gb_block figure; /* above the line; the terminal alone has it */
} gb_progress;

/* title: what this is, where it is one of several ("2/5 octree"), or "". points: how many will be
 * begun. */
void gb_progress_start(gb_progress *progress, const char *title, size_t points);
/* A point begins; text names it. */
void gb_progress_point(gb_progress *progress, const char *text);
/* So many of so many samples of a variant are taken (wanted 0: what it is doing instead). */
void gb_progress_sample(gb_progress *progress, const char *variant, unsigned taken, unsigned wanted,
                        const char *doing);
/* The point is done; summary goes to the log ("5 ok, 1 unsupported"). */
void gb_progress_point_done(gb_progress *progress, const char *summary);
/* Puts lines (malloc, taken over) above the line, in the place of those that are there; NULL: none.
 * They move on below whatever is printed in between. */
void gb_progress_figure(gb_progress *progress, char *text);
/* Prints a line of its own to stderr. */
void gb_progress_note(gb_progress *progress, const char *format, ...) GB_PRINTF(2, 3);
/* Removes the line from the terminal, and what the terminal wrote for a Ctrl-C, and the figure
 * until there is a line again. */
void gb_progress_clear(gb_progress *progress);

/* The line as a terminal of so many columns shows it (0: 80), after elapsed_s: no longer than three
 * less, so that "^C" still has room in it. What matters least is left out first. doing: "VARIANT
 * 3/50". Returns line. */
char *gb_progress_line(const gb_progress *progress, const char *doing, double elapsed_s,
                       unsigned columns, char line[GB_PROGRESS_LINE]);

/* "45 s", "3 min 20 s", "1 h 05 min". Returns text. */
const char *gb_duration(double seconds, char text[32]);

#endif
