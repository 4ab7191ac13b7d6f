/* gpubench check: the cases of variants, one after the other. */
#include "bench/check.h"
#include "bench/check_cases.h"
#include "bench/commands.h"
#include "bench/explore.h"
#include "bench/interrupt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_TEXT = 2048 };
const double gb_check_limit_s = 300;

/* ---- one case of one variant ---------------------------------------------------------------- */

/* The options that choose the worker, as the user gave them. */
static void print_worker(const gb_check *c)
{
    /* A command may hold either kind of quote, as gb_worker_start takes them, but seldom both. */
    const char *quote = c->worker && strchr(c->worker, '\'') ? "\"" : "'";
    if (c->hooks_worker)
        printf(" --hooks");
    else if (c->worker)
        printf(" --worker %s%s%s", quote, c->worker, quote);
    printf(" --device %s", c->device ? c->device : "auto");
}

void gb_check_print_failure(gb_check *c, const gb_catalogue_primitive *primitive,
                            const char *variant, const gb_params *params,
                            const gb_schedule *schedule, const char *note, const gb_error *error)
{
    char text[CASE_TEXT], order[GB_SCHEDULE_TEXT];
    gb_progress_clear(&c->progress);
    printf("%s %s/%s: %s%s\n    ", gb_status_name(error->status), primitive->name, variant,
           error->text, note);
    printf("%s check %s", program_invocation_name, primitive->name);
    print_worker(c);
    printf(" --variant %s --case '%s' --seed %" PRIu64, variant,
           gb_check_case_format(primitive, params, text, sizeof text), c->seed);
    if (schedule) printf(" --schedule %s", gb_schedule_format(schedule, order));
    putchar('\n');
    fflush(stdout);
}

bool gb_check_revive(gb_check *c)
{
    gb_error error = {GB_OK, ""};
    if (c->session.worker && gb_worker_alive(c->session.worker)) return true;
    if (gb_session_restart(&c->session, &error)) return true;
    gb_progress_note(&c->progress, "gpubench check: %s", error.text);
    return false;
}

gb_scope gb_check_scope(const gb_catalogue_variant *variant)
{
    return variant->own_transfers ? GB_SCOPE_HOST_TO_HOST : GB_SCOPE_DEVICE;
}

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
    status = gb_job_verify(link, job, gb_check_limit_s, NULL, error);
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
    size_t ok = 0, unsupported = 0, failed = 0;
    for (size_t i = 0; i < count && !gb_interrupted && !c->broken; i++) {
        gb_error error = {GB_OK, ""};
        gb_progress_sample(&c->progress, variant, (unsigned)i, (unsigned)count, NULL);
        gb_status status = check_case(c, &link, about, &cases[i], &error);
        if (gb_interrupted) break;
        ok += status == GB_OK;
        unsupported += status == GB_UNSUPPORTED;
        if (status != GB_OK && status != GB_UNSUPPORTED) {
            failed++;
            c->failures++;
            error.status = status;
            gb_check_print_failure(c, primitive, variant, &cases[i], NULL, "", &error);
        }
        if (!gb_check_revive(c)) c->broken = true;
    }
    gb_progress_clear(&c->progress);
    printf("%s %s/%s: %zu ok", failed ? "FAILED" : "passed", primitive->name, variant, ok);
    if (unsupported) printf(", %zu unsupported", unsupported);
    if (failed) printf(", %zu failed", failed);
    if (ok + unsupported + failed < count)
        printf(", %zu not run", count - ok - unsupported - failed);
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

static bool check_primitive(gb_check *c, const gb_catalogue_primitive *primitive, gb_error *error)
{
    size_t count = c->case_count;
    gb_params *cases = count ? gb_check_cases_named(primitive, c->cases, count, error)
                             : gb_check_cases(primitive, c->seed, c->quick, &count, error);
    if (!cases) return false;
    snprintf(c->progress.point_text, sizeof c->progress.point_text, "%s", primitive->name);
    for (unsigned i = 0; i < primitive->variant_count && !gb_interrupted && !c->broken; i++) {
        const gb_catalogue_variant *variant = &primitive->variants[i];
        if (!gb_check_is_chosen(c->variants, c->variant_count, variant->name)) continue;
        if (variant->known_to_fail && c->variant_count == 0) {
            printf("left out %s/%s: known to fail; --variant %s runs it\n", primitive->name,
                   variant->name, variant->name);
            continue;
        }
        if (c->schedules || c->has_one_schedule)
            gb_explore_variant(c, primitive, variant, cases, count);
        else
            check_variant(c, primitive, variant, cases, count);
    }
    free(cases);
    return true;
}

int gb_check_primitives(gb_check *c, const char *const *names, size_t count)
{
    const gb_catalogue *catalogue = c->session.catalogue;
    gb_error error = {GB_OK, ""};
    for (unsigned i = 0; i < catalogue->primitive_count; i++) {
        const gb_catalogue_primitive *primitive = &catalogue->primitives[i];
        if (!gb_check_is_chosen(names, count, primitive->name)) continue;
        if (!check_primitive(c, primitive, &error)) {
            fprintf(stderr, "gpubench check: %s\n", error.text);
            return GB_EXIT_USAGE;
        }
    }
    if (gb_interrupted) return GB_EXIT_INTERRUPTED;
    return c->failures || c->broken ? GB_EXIT_FAILED : GB_EXIT_OK;
}
