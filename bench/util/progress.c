/* Progress: what is going on and how long it will take, at most ten times a second. */
#include "bench/util/progress.h"

#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/util/terminal.h"
#include "common/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double show_every_s = 0.1;

/* In whole seconds; brief: for a line that has no room. */
static const char *duration(double seconds, bool brief, char text[32])
{
    const unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
    if (whole < 60)
        snprintf(text, 32, brief ? "%lus" : "%lu s", whole);
    else if (whole < 3600)
        snprintf(text, 32, brief ? "%lum%02lus" : "%lu min %02lu s", whole / 60, whole % 60);
    else
        snprintf(text, 32, brief ? "%luh%02lum" : "%lu h %02lu min", whole / 3600,
                 whole % 3600 / 60);
    return text;
}

const char *gb_duration(double seconds, char text[32])
{
    return duration(seconds, false, text);
}

/* "45s", "3m20s", "1h05m". */
static const char *short_duration(double seconds, char text[32])
{
    return duration(seconds, true, text);
}

void gb_progress_start(gb_progress *progress, const char *title, size_t points)
{
    const char *verbose = getenv("GPUBENCH_VERBOSE");
    *progress = (gb_progress){.points = points, .left_s = -1, .begun = gb_now()};
    snprintf(progress->title, sizeof progress->title, "%s", title);
    /* The worker's log, forwarded, would tear a line that is rewritten. */
    progress->terminal = gb_is_terminal(stderr) && !(verbose && *verbose);
}

void gb_progress_clear(gb_progress *progress)
{
    if (progress->shown || (progress->terminal && gb_interrupted)) fputs("\r\033[K", stderr);
    progress->shown = false;
    gb_block_hide(&progress->figure, stderr);
}

void gb_progress_figure(gb_progress *progress, char *text)
{
    gb_progress_clear(progress);
    gb_block_take(&progress->figure, text);
    if (progress->terminal) gb_block_show(&progress->figure, stderr);
    fflush(stderr);
}

/* ---- the line -------------------------------------------------------------------------------- */

/* How much is done, 0 to 1: of the time, where it is known how much is left, else of the points. */
static double part_done(const gb_progress *progress, double elapsed_s)
{
    const size_t before = progress->point ? progress->point - 1 : 0;
    if (progress->left_s >= 0 && elapsed_s + progress->left_s > 0)
        return elapsed_s / (elapsed_s + progress->left_s);
    return progress->points ? (double)before / (double)progress->points : 0;
}

enum { NARROW = 60, WIDE = 100 };

/* "[====>     ] " where there is room for it, else "". */
static void put_bar(const gb_progress *progress, double elapsed_s, unsigned columns, char bar[48])
{
    const int width = columns >= WIDE ? 20 : columns > NARROW ? 10 : 0;
    const int done = (int)(part_done(progress, elapsed_s) * width + 0.5);
    *bar = 0;
    if (width)
        snprintf(bar, 48, "[%.*s%.*s] ", done, "====================", width - done,
                 "                    ");
}

/* "2/5 octree ", without the name where there is no room for it. */
static void put_title(const gb_progress *progress, unsigned columns, char title[168])
{
    const int length =
        (int)(columns >= WIDE ? strlen(progress->title) : strcspn(progress->title, " "));
    snprintf(title, 168, "%.*s%s", length, progress->title, length ? " " : "");
}

static void put_times(const gb_progress *progress, double elapsed_s, char times[96])
{
    char elapsed[32], left[32];
    if (progress->left_s >= 0)
        snprintf(times, 96, "%s, %s left", short_duration(elapsed_s, elapsed),
                 short_duration(progress->left_s, left));
    else
        snprintf(times, 96, "%s", short_duration(elapsed_s, elapsed));
}

/* Adds text behind a blank if it fits; else as much of it as is worth it: least columns. */
static void add(char line[GB_PROGRESS_LINE], const char *text, size_t room, size_t least)
{
    const size_t used = strlen(line), taken = gb_text_columns(line);
    if (!*text || taken + 1 + least > room) return;
    snprintf(line + used, GB_PROGRESS_LINE - used, " %s", text);
    gb_text_cut(line, room);
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' ';)
        line[--length] = 0;
}

char *gb_progress_line(const gb_progress *progress, const char *doing, double elapsed_s,
                       unsigned columns, char line[GB_PROGRESS_LINE])
{
    char bar[48], title[168], times[96], device[64] = "";
    const size_t room = (columns ? columns : 80) - (columns == 0 || columns > 3 ? 3 : columns);
    put_title(progress, columns ? columns : 80, title);
    put_bar(progress, elapsed_s, columns ? columns : 80, bar);
    put_times(progress, elapsed_s, times);
    snprintf(line, GB_PROGRESS_LINE, "%s%s%zu/%zu %s", title, bar, progress->point,
             progress->points, times);
    gb_text_cut(line, room);
    /* The point makes room for what is going on in it. */
    const size_t needed = gb_text_columns(doing) + 1, taken = gb_text_columns(line);
    if (taken + needed < room) add(line, progress->point_text, room - needed, 8);
    add(line, doing, room, 8);
    if (progress->sm_clock_mhz > 0 && progress->temperature_c > 0)
        snprintf(device, sizeof device, "%.0f MHz %.0f C", progress->sm_clock_mhz,
                 progress->temperature_c);
    add(line, device, room, strlen(device));
    return line;
}

static void show(gb_progress *progress, const char *doing)
{
    char line[GB_PROGRESS_LINE];
    const double now = gb_now();
    if (!progress->terminal || now - progress->shown_at < show_every_s) return;
    progress->shown_at = now;
    gb_block_show(&progress->figure, stderr);
    fprintf(stderr, "\r%s\033[K",
            gb_progress_line(progress, doing, now - progress->begun, gb_terminal_columns(stderr),
                             line));
    fflush(stderr);
    progress->shown = true;
}

/* ---- points ---------------------------------------------------------------------------------- */

void gb_progress_point(gb_progress *progress, const char *text)
{
    progress->point++;
    progress->point_begun = gb_now();
    snprintf(progress->point_text, sizeof progress->point_text, "%s", text);
}

void gb_progress_sample(gb_progress *progress, const char *variant, unsigned taken, unsigned wanted,
                        const char *doing)
{
    char text[160];
    if (wanted)
        snprintf(text, sizeof text, "%s %u/%u", variant, taken, wanted);
    else
        snprintf(text, sizeof text, "%s %s", variant, doing);
    show(progress, text);
}

void gb_progress_point_done(gb_progress *progress, const char *summary)
{
    if (progress->terminal) return;
    char left[32];
    fprintf(stderr, "[%zu/%zu] %s: %s, %.3g s", progress->point, progress->points,
            progress->point_text, summary, gb_now() - progress->point_begun);
    if (progress->sm_clock_mhz > 0) fprintf(stderr, ", %.0f MHz", progress->sm_clock_mhz);
    if (progress->temperature_c > 0) fprintf(stderr, ", %.0f C", progress->temperature_c);
    if (progress->left_s >= 0.5) fprintf(stderr, ", %s left", gb_duration(progress->left_s, left));
    putc('\n', stderr);
}

void gb_progress_note(gb_progress *progress, const char *format, ...)
{
    gb_progress_clear(progress);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
}
