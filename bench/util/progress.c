/* Progress: what is going on and how long it will take, at most ten times a second. */
#include "bench/util/progress.h"

#include "bench/util/clock.h"
#include "bench/util/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double show_every_s = 0.1;

const char *gb_duration(double seconds, char text[32])
{
    unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
    if (whole < 60)
        snprintf(text, 32, "%lu s", whole);
    else if (whole < 3600)
        snprintf(text, 32, "%lu min %02lu s", whole / 60, whole % 60);
    else
        snprintf(text, 32, "%lu h %02lu min", whole / 3600, whole % 3600 / 60);
    return text;
}

void gb_progress_start(gb_progress *progress, size_t points, double weight)
{
    const char *verbose = getenv("GPUBENCH_VERBOSE");
    *progress = (gb_progress){.points = points, .weight = weight, .begun = gb_now()};
    /* The worker's log, forwarded, would tear a line that is rewritten. */
    progress->terminal = gb_is_terminal(stderr) && !(verbose && *verbose);
}

void gb_progress_clear(gb_progress *progress)
{
    if (progress->shown) fputs("\r\033[K", stderr);
    progress->shown = false;
}

/* Seconds left, from what the done rows took and the others are expected to take relative to
 * them; negative while there is nothing to go by. */
static double time_left(const gb_progress *progress)
{
    if (!(progress->weight_done > 0)) return -1;
    double elapsed = gb_now() - progress->begun;
    return elapsed / progress->weight_done * (progress->weight - progress->weight_done);
}

static void show(gb_progress *progress, const char *doing)
{
    double now = gb_now();
    if (!progress->terminal || now - progress->shown_at < show_every_s) return;
    progress->shown_at = now;
    char line[640], left[32];
    int used = snprintf(line, sizeof line, "[%zu/%zu]", progress->point, progress->points);
    double seconds = time_left(progress);
    if (seconds >= 0)
        used += snprintf(line + used, sizeof line - (size_t)used, " %s left",
                         gb_duration(seconds, left));
    if (progress->sm_clock_mhz > 0)
        used +=
            snprintf(line + used, sizeof line - (size_t)used, " %.0f MHz", progress->sm_clock_mhz);
    if (progress->temperature_c > 0)
        used +=
            snprintf(line + used, sizeof line - (size_t)used, " %.0f C", progress->temperature_c);
    snprintf(line + used, sizeof line - (size_t)used, " %s %s", doing, progress->point_text);
    const unsigned columns = gb_terminal_columns(stderr);
    fprintf(stderr, "\r%.*s\033[K", columns ? (int)columns - 1 : 79, line);
    fflush(stderr);
    progress->shown = true;
}

void gb_progress_point(gb_progress *progress, const char *text)
{
    progress->point++;
    progress->point_begun = gb_now();
    snprintf(progress->point_text, sizeof progress->point_text, "%s", text);
    for (char *at = progress->point_text; *at; at++) {
        if (*at == ';') *at = ' ';
    }
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

void gb_progress_row(gb_progress *progress, double weight)
{
    progress->weight_done += weight;
}

void gb_progress_point_done(gb_progress *progress, const char *summary)
{
    if (progress->terminal) return;
    char left[32];
    double seconds = time_left(progress);
    fprintf(stderr, "[%zu/%zu] %s: %s, %.3g s", progress->point, progress->points,
            progress->point_text, summary, gb_now() - progress->point_begun);
    if (progress->sm_clock_mhz > 0) fprintf(stderr, ", %.0f MHz", progress->sm_clock_mhz);
    if (progress->temperature_c > 0) fprintf(stderr, ", %.0f C", progress->temperature_c);
    if (seconds >= 0.5) fprintf(stderr, ", %s left", gb_duration(seconds, left));
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
