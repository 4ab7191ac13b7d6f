/* What a check says of a failure, and going on behind one. */
#include "bench/check/check.h"
#include "bench/config/cases.h"
#include "bench/util/shell.h"
#include "bench/worker/under_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const double gb_check_limit_s = 300;

/* The options that choose the worker, as the user gave them. */
static void print_worker(const gb_check *c)
{
    if (c->hooks_worker) printf(" --hooks");
    if (c->worker) {
        printf(" --worker ");
        gb_shell_put(stdout, c->worker);
    }
    printf(" --device ");
    gb_shell_put(stdout, c->device ? c->device : "auto");
    char numbers[GB_UNDER_NUMBERS][16];
    const char *words[GB_UNDER_OPTIONS];
    const size_t count = gb_under_as_options(&c->under, words, numbers);
    for (size_t i = 0; i < count; i++)
        printf(" %s", words[i]);
}

void gb_check_print_failure(gb_check *c, const gb_catalogue_primitive *primitive,
                            const char *variant, const gb_params *params,
                            const gb_schedule *schedule, const char *note, const gb_error *error)
{
    char text[GB_CASE_TEXT], order[GB_SCHEDULE_TEXT];
    gb_progress_clear(&c->progress);
    printf("%s %s/%s: %s%s\n    ", gb_status_name(error->status), primitive->name, variant,
           error->text, note);
    gb_shell_put(stdout, program_invocation_name);
    printf(" check %s", primitive->name);
    print_worker(c);
    printf(" --variant %s --case ", variant);
    gb_shell_put(stdout, gb_check_case_format(primitive, params, text, sizeof text));
    printf(" --seed %" PRIu64, c->seed);
    if (schedule) printf(" --schedule %s", gb_schedule_format(schedule, order));
    putchar('\n');
    fflush(stdout);
}

void gb_check_refuse(gb_check_refusals *refusals, const char *reason)
{
    if (refusals->count++ == 0)
        snprintf(refusals->reason, sizeof refusals->reason, "%s", reason);
    else
        refusals->others += strcmp(refusals->reason, reason) != 0;
}

void gb_check_print_refusals(const gb_check_refusals *refusals)
{
    if (refusals->count == 0) return;
    printf(", %zu unsupported: %s", refusals->count, refusals->reason);
    if (refusals->others) printf(" (%zu of them for other reasons)", refusals->others);
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
