/* Exploring schedules: an open case is verified under many of them, and the cases take turns, so
 * that a bug that only one case has does not wait for all schedules of the others. */
#include "bench/check/explore.h"

#include "bench/check/course.h"
#include "bench/util/interrupt.h"
#include "common/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* How many blocks take turns: with more than one a race between blocks shows, with one the whole
 * chance is for those within. */
static const unsigned residents[] = {2, 1, 4};
enum { RESIDENTS = sizeof residents / sizeof *residents };

/* ---- which schedules there are --------------------------------------------------------------- */

/* 2 to the power of `least` to `most`, each as likely. */
static unsigned draw_chance(uint32_t word, unsigned least, unsigned most)
{
    return 1u << (least + word % (most - least + 1));
}

gb_schedule gb_schedule_draw(const gb_schedule_space *space, uint64_t i)
{
    static const gb_policy policies[] = {GB_POLICY_RANDOM, GB_POLICY_PRIORITY, GB_POLICY_UNFAIR};
    const unsigned known = space->has_policy ? 1 : space->unfair ? 3 : 2;
    const gb_random4 numbers = gb_random(space->seed, 1, i), more = gb_random(space->seed, 2, i);
    gb_schedule schedule = {
        .policy = space->has_policy ? space->policy : policies[(i - 1) % known],
        .seed = numbers.word[0],
        .resident = residents[(i - 1) / known % RESIDENTS],
    };
    if (space->hooks && more.word[1] % 4) schedule.weak = draw_chance(more.word[2], 4, 10);
    if (schedule.policy == GB_POLICY_PRIORITY) {
        /* it has points, not chances: in half of the schedules fewer kinds of them */
        schedule.preempt_atomic = GB_PREEMPT_ALWAYS;
        if (space->hooks) schedule.preempt_volatile = GB_PREEMPT_ALWAYS;
        if (space->hooks && more.word[0] % 2) schedule.preempt_plain = GB_PREEMPT_ALWAYS;
        return schedule;
    }
    schedule.preempt_atomic = draw_chance(numbers.word[1], 2, 10);
    if (!space->hooks) return schedule;
    schedule.preempt_volatile = draw_chance(numbers.word[2], 2, 10);
    if (more.word[0] % 4) schedule.preempt_plain = draw_chance(numbers.word[3], 0, 8);
    return schedule;
}

/* ---- one variant ----------------------------------------------------------------------------- */

static const uint64_t UNSUPPORTED = UINT64_MAX;

typedef struct exploration {
    gb_check *c;
    gb_link link;
    const char *variant;
    gb_scope scope;
    const gb_params *cases;
    size_t count;
    uint64_t *verified; /* by case: under how many schedules; UNSUPPORTED: it cannot run */
    uint64_t schedules, runs;
    gb_check_refusals refusals;
    /* the first failure */
    bool failed;
    size_t failed_case;
    uint64_t failed_at;
    gb_error error;
} exploration;

static gb_schedule schedule_at(const exploration *e, uint64_t i)
{
    return e->c->has_one_schedule ? e->c->one_schedule : gb_schedule_draw(&e->c->space, i);
}

static bool stopped(const exploration *e)
{
    return e->failed || e->c->broken || gb_interrupted;
}

static void fail(exploration *e, size_t at, uint64_t schedule, gb_status status,
                 const gb_error *error)
{
    if (gb_interrupted || e->failed) return;
    e->failed = true;
    e->failed_case = at;
    e->failed_at = schedule;
    e->error = *error;
    e->error.status = status;
}

/* Closes the job of a case; what shows only when its memory is freed counts as well. */
static void close_case(exploration *e, size_t at, uint64_t schedule, unsigned job)
{
    gb_error error = {GB_OK, ""};
    if (!gb_worker_alive(e->c->session.worker)) return;
    gb_status status = gb_job_close(&e->link, job, gb_check_limit_s, &error);
    if (status != GB_OK) fail(e, at, schedule, status, &error);
}

/* One case under the schedules from first to last that have so many resident blocks. */
static void explore_case(exploration *e, size_t at, uint64_t first, uint64_t last, unsigned blocks)
{
    bool open = false;
    unsigned job = 0;
    gb_work work;
    uint64_t i = first;
    for (; i <= last && !stopped(e) && e->verified[at] != UNSUPPORTED; i++) {
        const gb_schedule schedule = schedule_at(e, i);
        if (schedule.resident != blocks) continue;
        gb_error error = {GB_OK, ""};
        gb_progress_sample(&e->c->progress, e->variant, (unsigned)e->runs,
                           (unsigned)(e->count * e->schedules), NULL);
        gb_status status = gb_job_schedule(&e->link, &schedule, gb_check_limit_s, &error);
        if (status == GB_OK && !open) {
            gb_job_request request = {.variant = e->variant,
                                      .params = &e->cases[at],
                                      .seed = e->c->seed,
                                      .scope = e->scope};
            status = gb_job_open(&e->link, &request, gb_check_limit_s, &job, &work, NULL, &error);
            open = status == GB_OK;
            if (status == GB_UNSUPPORTED) {
                e->verified[at] = UNSUPPORTED;
                gb_check_refuse(&e->refusals, error.text);
                return;
            }
        }
        if (status == GB_OK)
            status = gb_job_verify(&e->link, job, gb_check_limit_s, NULL, NULL, &error);
        e->runs++;
        gb_course_done(e->c);
        if (status != GB_OK) fail(e, at, i, status, &error);
        e->verified[at] += status == GB_OK;
    }
    if (open) close_case(e, at, e->failed ? e->failed_at : i - 1, job);
}

/* All cases under schedules 1, 2-3, 4-7, ...: a case is opened a few times, not once a schedule. */
static void explore(exploration *e)
{
    for (uint64_t first = 1; first <= e->schedules && !stopped(e); first *= 2) {
        const uint64_t last = 2 * first - 1 < e->schedules ? 2 * first - 1 : e->schedules;
        for (size_t at = 0; at < e->count && !stopped(e); at++) {
            if (e->c->has_one_schedule) {
                explore_case(e, at, 1, 1, e->c->one_schedule.resident);
                continue;
            }
            for (unsigned r = 0; r < RESIDENTS; r++)
                explore_case(e, at, first, last, residents[r]);
        }
    }
}

/* ---- the report ------------------------------------------------------------------------------ */

/* Whether a worker without a past fails the same way. */
static bool fails_alone(exploration *e)
{
    gb_error error = {GB_OK, ""};
    if (!gb_session_restart(&e->c->session, &error)) return false;
    uint64_t verified = 0;
    exploration again = *e;
    again.failed = false;
    again.verified = &verified;
    again.cases = &e->cases[e->failed_case];
    again.count = again.schedules = 1;
    again.c->progress.shown = false;
    explore_case(&again, 0, e->failed_at, e->failed_at, schedule_at(e, e->failed_at).resident);
    e->link.next_job = again.link.next_job;
    return again.failed && again.error.status == e->error.status;
}

static void report_failure(exploration *e)
{
    gb_check *c = e->c;
    char note[64] = "";
    const gb_schedule schedule = schedule_at(e, e->failed_at);
    c->failures++;
    if (!c->has_one_schedule)
        snprintf(note, sizeof note, " (schedule %" PRIu64 " of %" PRIu64 ")", e->failed_at,
                 e->schedules);
    gb_check_print_failure(c, e->link.primitive, e->variant, &e->cases[e->failed_case], &schedule,
                           note, &e->error);
    if (!c->has_one_schedule && !fails_alone(e) && !gb_interrupted)
        printf("    (a fresh worker does not fail so: it depends on what ran before, or on the "
               "clock;\n"
               "    the whole check, run again, may show it again)\n");
    if (!gb_check_revive(c)) c->broken = true;
}

static void print_summary(const exploration *e)
{
    size_t ok = 0;
    for (size_t at = 0; at < e->count; at++)
        ok += e->verified[at] == e->schedules;
    e->c->ran += e->runs;
    gb_progress_clear(&e->c->progress);
    e->c->passed += ok > 0 && !e->failed && !stopped(e);
    printf("%s %s/%s: ",
           e->failed    ? "FAILED"
           : stopped(e) ? "stopped"
           : ok > 0     ? "passed"
                        : "untested",
           e->link.primitive->name, e->variant);
    if (e->failed && !e->c->has_one_schedule)
        printf("fails under schedule %" PRIu64 " of %" PRIu64 ", in run %" PRIu64, e->failed_at,
               e->schedules, e->runs);
    else if (e->failed)
        printf("fails under this schedule, in run %" PRIu64, e->runs);
    else if (stopped(e))
        printf("after %" PRIu64 " runs", e->runs);
    else if (e->c->has_one_schedule)
        printf("%zu ok under this schedule", ok);
    else
        printf("%zu ok under %" PRIu64 " schedule%s", ok, e->schedules,
               e->schedules == 1 ? "" : "s");
    gb_check_print_refusals(&e->refusals);
    putchar('\n');
    fflush(stdout);
}

void gb_explore_variant(gb_check *c, const gb_catalogue_primitive *primitive,
                        const gb_catalogue_variant *variant, const gb_params *cases, size_t count)
{
    exploration e = {.c = c,
                     .link = {.session = &c->session, .primitive = primitive},
                     .variant = variant->name,
                     .scope = gb_check_scope(variant),
                     .cases = cases,
                     .count = count,
                     .verified = calloc(count + 1, sizeof(uint64_t)),
                     .schedules = gb_course_units(c, variant, 1)};
    if (!e.verified) {
        gb_progress_note(&c->progress, "gpubench check: out of memory");
        c->broken = true;
        return;
    }
    explore(&e);
    if (e.failed) report_failure(&e);
    print_summary(&e);
    free(e.verified);
}
