/* Progress of a check: the time that units took, for each primitive, is what the others will. */
#include "bench/check/course.h"

#include "bench/util/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of a case on the simt device, over all primitives and variants: the 2921 cases of `check --quick`
 * take 45 s of a CPU's time, and up to three times as long where others use it. */
static const double simt_case_s = 0.02;

uint64_t gb_course_units(const gb_check *c, const gb_catalogue_variant *variant, size_t cases)
{
    return cases * (c->schedules && !variant->host ? c->schedules : 1);
}

void gb_course_plan(gb_check *c, unsigned primitive, uint64_t units)
{
    gb_remaining_plan(&c->course.remaining, primitive, (double)units, 1);
    c->course.units += units;
    c->course.variants++;
}

void gb_course_begin(gb_check *c)
{
    gb_course *course = &c->course;
    char time[32];
    fprintf(stderr, "gpubench check: %zu variant%s, %" PRIu64 " %s%s", course->variants,
            course->variants == 1 ? "" : "s", course->units, c->schedules ? "run" : "case",
            course->units == 1 ? "" : "s");
    const double seconds = (double)course->units * simt_case_s;
    if (strcmp(c->session.catalogue->backend, "simt") == 0 && !c->schedules && seconds >= 1)
        fprintf(stderr, ": about %s (a rough guess from their number)", gb_duration(seconds, time));
    putc('\n', stderr);
    gb_progress_start(&c->progress, "", course->variants);
    course->at = gb_now();
}

/* Takes units as done, in the time since this was last done. */
static void take(gb_course *course, uint64_t units)
{
    const double now = gb_now();
    gb_remaining_done(&course->remaining, course->primitive, (double)units, 1, now - course->at);
    course->at = now;
    course->left -= units;
}

void gb_course_variant(gb_check *c, unsigned primitive, const char *name, uint64_t units)
{
    c->course.primitive = primitive;
    c->course.left = units;
    gb_progress_point(&c->progress, name);
}

void gb_course_done(gb_check *c)
{
    if (c->course.left) take(&c->course, 1);
    c->progress.left_s = gb_remaining_s(&c->course.remaining);
}

void gb_course_end(gb_check *c)
{
    take(&c->course, c->course.left);
    c->progress.left_s = gb_remaining_s(&c->course.remaining);
}
