/* gpubench check: the cases of variants, one after the other. */
#include "bench/check/check.h"
#include "bench/check/course.h"
#include "bench/check/explore.h"
#include "bench/config/cases.h"
#include "bench/util/exit_status.h"
#include "bench/util/interrupt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one case of one variant ---------------------------------------------------------------- */

static gb_status check_case(gb_check *c, gb_link *link, const gb_catalogue_variant *variant,
                            const gb_params *params, gb_error *error)
{
    gb_job_request request = {.variant = variant->name,
                              .params = params,
                              .seed = c->seed,
                              .scope = gb_check_scope(variant)};
    unsigned job;
    gb_work work;
    if (gb_session_too_used(&c->session, variant->fresh_worker) &&
        !gb_session_restart(&c->session, error))
        return GB_CRASHED;
    gb_session_use(&c->session, variant->fresh_worker);
    gb_status status = gb_job_open(link, &request, gb_check_limit_s, &job, &work, NULL, error);
    if (status != GB_OK) return status;
    status = gb_job_verify(link, job, gb_check_limit_s, NULL, NULL, error);
    if (!gb_worker_alive(c->session.worker)) return status;
    /* A defect that shows when memory is freed counts as well; the first one is reported. */
    gb_error late = {GB_OK, ""};
    gb_status closed = gb_job_close(link, job, gb_check_limit_s, &late);
    if (status != GB_OK || closed == GB_OK) return status;
    *error = late;
    return closed;
}

/* ---- variants and primitives ---------------------------------------------------------------- */

static void check_variant(gb_check *c, const gb_catalogue_primitive *primitive,
                          const gb_catalogue_variant *about, const gb_params *cases, size_t count)
{
    const char *variant = about->name;
    gb_link link = {.session = &c->session, .primitive = primitive};
    gb_check_refusals refusals = {0};
    size_t ok = 0, failed = 0;
    for (size_t i = 0; i < count && !gb_interrupted && !c->broken; i++) {
        gb_error error = {GB_OK, ""};
        gb_progress_sample(&c->progress, variant, (unsigned)i, (unsigned)count, NULL);
        gb_status status = check_case(c, &link, about, &cases[i], &error);
        if (gb_interrupted) break;
        ok += status == GB_OK;
        if (status == GB_UNSUPPORTED) gb_check_refuse(&refusals, error.text);
        if (status != GB_OK && status != GB_UNSUPPORTED) {
            failed++;
            c->failures++;
            error.status = status;
            gb_check_print_failure(c, primitive, variant, &cases[i], NULL, "", &error);
        }
        if (!gb_check_revive(c)) c->broken = true;
        gb_course_done(c);
    }
    gb_progress_clear(&c->progress);
    const size_t known = ok + refusals.count + failed;
    c->ran += ok + failed;
    c->passed += ok > 0 && !failed;
    printf("%s %s/%s: %zu ok",
           failed   ? "FAILED"
           : ok > 0 ? "passed"
                    : "untested",
           primitive->name, variant, ok);
    if (failed) printf(", %zu failed", failed);
    if (known < count) printf(", %zu not run", count - known);
    gb_check_print_refusals(&refusals);
    putchar('\n');
    fflush(stdout);
}

bool gb_check_is_chosen(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return count == 0;
}

/* The cases that were asked for, as far as they can be right, or the nasty ones. */
static gb_params *cases_of(gb_check *c, const gb_catalogue_primitive *primitive, size_t *count,
                           gb_error *error)
{
    gb_link link = {.session = &c->session, .primitive = primitive};
    *count = c->case_count;
    if (*count == 0) return gb_check_cases(primitive, c->seed, c->quick, count, error);
    gb_params *cases = gb_check_cases_named(primitive, c->cases, *count, error);
    if (cases && gb_check_cases_right(&link, cases, *count, error)) return cases;
    free(cases);
    return NULL;
}

/* Whether a variant is to be checked; one that is known to fail only if it was named. */
static bool is_wanted(const gb_check *c, const gb_catalogue_variant *variant)
{
    return gb_check_is_chosen(c->variants, c->variant_count, variant->name) &&
           !(variant->known_to_fail && c->variant_count == 0);
}

/* Plans the primitive's variants, and leaves its cases in *cases. */
static bool plan_primitive(gb_check *c, unsigned index, gb_params **cases, size_t *count,
                           gb_error *error)
{
    const gb_catalogue_primitive *primitive = &c->session.catalogue->primitives[index];
    *cases = cases_of(c, primitive, count, error);
    for (unsigned i = 0; *cases && i < primitive->variant_count; i++) {
        const gb_catalogue_variant *variant = &primitive->variants[i];
        if (is_wanted(c, variant)) gb_course_plan(c, index, gb_course_units(c, variant, *count));
    }
    return *cases != NULL;
}

static void check_primitive(gb_check *c, unsigned index, const gb_params *cases, size_t count)
{
    const gb_catalogue_primitive *primitive = &c->session.catalogue->primitives[index];
    for (unsigned i = 0; i < primitive->variant_count && !gb_interrupted && !c->broken; i++) {
        const gb_catalogue_variant *variant = &primitive->variants[i];
        if (!gb_check_is_chosen(c->variants, c->variant_count, variant->name)) continue;
        if (!is_wanted(c, variant)) {
            printf("left out %s/%s: known to fail; --variant %s runs it\n", primitive->name,
                   variant->name, variant->name);
            continue;
        }
        gb_course_variant(c, index, primitive->name, gb_course_units(c, variant, count));
        if (c->schedules || c->has_one_schedule)
            gb_explore_variant(c, primitive, variant, cases, count);
        else
            check_variant(c, primitive, variant, cases, count);
        gb_course_end(c);
    }
}

/* The cases of a primitive, none of one that was not named. */
typedef struct primitive_cases {
    gb_params *cases;
    size_t count;
} primitive_cases;

/* Plans everything, so that it can be said how much it is; then goes through it. */
static bool check_all(gb_check *c, const char *const *names, size_t count, primitive_cases *of,
                      gb_error *error)
{
    const gb_catalogue *catalogue = c->session.catalogue;
    for (unsigned i = 0; i < catalogue->primitive_count; i++) {
        if (!catalogue->primitives[i].from_config &&
            gb_check_is_chosen(names, count, catalogue->primitives[i].name) &&
            !plan_primitive(c, i, &of[i].cases, &of[i].count, error))
            return false;
    }
    gb_course_begin(c);
    for (unsigned i = 0; i < catalogue->primitive_count; i++)
        if (of[i].cases) check_primitive(c, i, of[i].cases, of[i].count);
    return true;
}

int gb_check_primitives(gb_check *c, const char *const *names, size_t count)
{
    const unsigned primitives = c->session.catalogue->primitive_count;
    gb_error error = {GB_OUT_OF_MEMORY, "out of memory"};
    primitive_cases *of = calloc(primitives + 1, sizeof *of);
    bool good = gb_remaining_begin(&c->course.remaining, primitives, false) && of &&
                check_all(c, names, count, of, &error);
    for (unsigned i = 0; of && i < primitives; i++)
        free(of[i].cases);
    free(of);
    gb_remaining_free(&c->course.remaining);
    if (!good) {
        fprintf(stderr, "gpubench check: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    if (gb_interrupted) return GB_EXIT_INTERRUPTED;
    gb_check_say_unseen(c);
    if (c->ran == 0 && !c->broken) {
        fputs("gpubench check: nothing was tested: no variant could run any case, which is no "
              "success; choose other cases or variants\n",
              stderr);
        return GB_EXIT_FAILED;
    }
    return c->failures || c->broken ? GB_EXIT_FAILED : GB_EXIT_OK;
}
