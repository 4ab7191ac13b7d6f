/* gpubench check: every variant against its oracle, over inputs that are known to hurt. Here its
 * command line; check/run.c goes through the cases. */
#include "bench/check/check.h"
#include "bench/commands/commands.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "common/text/size.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCHEDULES = 1000000000 };

static const gb_command_help help = {
    .usage = "check [PRIMITIVE...] [options]",
    .summary = "Runs every variant on nasty inputs (sizes at borders, skew, duplicates), in which\n"
               "every two values of any two axes meet, and verifies each output in full.\n"
               "\n"
               "--schedules explores on the simt device in which orders the threads can run, and\n"
               "prints for a variant's first failure the command that replays it; docs/simt.md.\n",
    .examples = "  gpubench check --device simt --schedules 100\n"
                "  gpubench check multipartition --variant multisplit --case n=33,bins=7\n"};

/* ---- the command line ----------------------------------------------------------------------- */

/* --policy */
static bool take_policy(void *to, const char *option, const char *argument, gb_error *error)
{
    gb_schedule_space *space = to;
    space->has_policy = gb_policy_parse(argument, &space->policy);
    if (!space->has_policy)
        gb_fail(error, GB_WRONG, "--%s %.200s: it is none of random, priority, unfair, round-robin",
                option, argument);
    return space->has_policy;
}

/* --schedule */
static bool take_schedule(void *to, const char *option, const char *argument, gb_error *error)
{
    gb_check *c = to;
    gb_error why;
    c->has_one_schedule = gb_schedule_parse(argument, &c->one_schedule, &why);
    if (!c->has_one_schedule)
        gb_fail(error, GB_WRONG, "--%s %.200s: %s", option, argument, why.text);
    return c->has_one_schedule;
}

/* What no option can know alone; false and *status if they do not go together. */
static bool options_agree(gb_check *c, bool hooks, int *status)
{
    const char *mistake = NULL;
    if (c->schedules && c->has_one_schedule)
        mistake = "--schedules explores, --schedule replays: give one of them";
    else if (c->space.has_policy && !c->schedules)
        mistake = "--policy says which --schedules to explore: say how many";
    else if (hooks && c->worker)
        mistake = "--hooks means the worker gpubench-simt-hooks: leave out --worker";
    if (mistake) {
        fprintf(stderr, "gpubench check: %s\n", mistake);
        return false;
    }
    if (!hooks) return true;
    if (gb_check_find_hooks(c)) return true;
    *status = GB_EXIT_NO_DEVICE;
    fputs("gpubench check: --hooks: there is no gpubench-simt-hooks beside gpubench (or in "
          "GPUBENCH_WORKER_PATH); `make simt-hooks` builds it in gpubench's sources\n",
          stderr);
    return false;
}

/* True and *status if the command ends here. */
static bool parse(gb_check *c, int argc, char **argv, int *status)
{
    bool hooks = false;
    const gb_option options[] = {
        gb_option_device(&c->device),
        gb_option_list("variant", "NAME", "this variant alone (may be given more than once)",
                       c->variants, &c->variant_count, GB_CHECK_VARIANTS),
        gb_option_list("case", "n=33,bins=7,...",
                       "this input alone (may be given more than once); axes left out take their "
                       "defaults",
                       c->cases, &c->case_count, GB_CHECK_CASES),
        gb_option_size("seed", "S", "seed of inputs, of their choice and of schedules (default: 1)",
                       &c->seed, 0, UINT64_MAX),
        gb_option_size("schedules", "N", "simt: every case under N schedules, to the first failure",
                       &c->schedules, 1, MOST_SCHEDULES),
        gb_option_special("policy", "NAME",
                          "of the schedules: random, priority, unfair or round-robin", take_policy,
                          &c->space),
        gb_option_special("schedule", "policy=P,seed=S,...",
                          "simt: every case under this one schedule", take_schedule, c),
        gb_option_flag("hooks",
                       "simt: only with what `make simt-hooks` builds, which --schedules prefers",
                       &hooks),
        gb_option_flag("quick", "about a tenth of the cases", &c->quick),
        gb_option_worker(&c->worker),
        gb_option_verbose("show the worker's log: a failure's whole report"),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, status)) return true;
    *status = GB_EXIT_USAGE;
    return !options_agree(c, hooks, status);
}

/* Names that no primitive or variant has. */
static bool names_exist(const gb_check *c, const char *const *primitives, size_t count)
{
    const gb_catalogue *catalogue = c->session.catalogue;
    for (size_t i = 0; i < count; i++) {
        if (gb_catalogue_find(catalogue, primitives[i])) continue;
        fprintf(stderr,
                "gpubench check: no primitive is called \"%s\"; `gpubench list primitives` "
                "names them\n",
                primitives[i]);
        return false;
    }
    for (unsigned i = 0; i < c->variant_count; i++) {
        bool found = false;
        for (unsigned p = 0; p < catalogue->primitive_count; p++) {
            const gb_catalogue_primitive *primitive = &catalogue->primitives[p];
            found |= gb_check_is_chosen(primitives, count, primitive->name) &&
                     gb_catalogue_variant_index(primitive, c->variants[i]) >= 0;
        }
        if (found) continue;
        fprintf(stderr,
                "gpubench check: no variant is called \"%s\"; `gpubench list variants` names "
                "them\n",
                c->variants[i]);
        return false;
    }
    return true;
}

/* Whether the device can do what was asked of its schedules. */
static bool schedules_are_possible(gb_check *c)
{
    const gb_catalogue *catalogue = c->session.catalogue;
    if (!c->schedules && !c->has_one_schedule) return true;
    if (strcmp(catalogue->backend, "simt") != 0) {
        fputs("gpubench check: schedules need --device simt: a GPU schedules as it likes\n",
              stderr);
        return false;
    }
    const gb_schedule *one = &c->one_schedule;
    if (c->has_one_schedule && !catalogue->hooks && gb_schedule_needs_hooks(one)) {
        fputs("gpubench check: --schedule: volatile, plain and weak need --hooks (make "
              "simt-hooks)\n",
              stderr);
        return false;
    }
    c->space.seed = c->seed;
    c->space.hooks = catalogue->hooks;
    c->space.unfair = c->session.device->arch < 700; /* from Volta on lanes make progress alone */
    return true;
}

static int check_on_device(gb_check *c, const char *const *names, size_t count)
{
    gb_error error = {GB_OK, ""};
    const char *worker = c->hooks_worker ? c->hooks_worker : c->worker;
    if (!gb_session_find(&c->session, &(gb_wish){.device = c->device, .worker = worker}, &error) ||
        !gb_check_prefer_hooks(c, &error)) {
        fprintf(stderr, "gpubench check: %s\n", error.text);
        return GB_EXIT_NO_DEVICE;
    }
    if (!names_exist(c, names, count) || !schedules_are_possible(c)) return GB_EXIT_USAGE;
    gb_interrupt_install();
    if (!gb_session_select(&c->session, &error)) {
        fprintf(stderr, "gpubench check: %s\n", error.text);
        return gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_NO_DEVICE;
    }
    return gb_check_primitives(c, names, count);
}

int gb_command_check(int argc, char **argv)
{
    gb_check c = {.seed = 1, .argc = argc, .argv = argv};
    int status;
    if (!parse(&c, argc, argv, &status))
        status = check_on_device(&c, (const char *const *)argv + optind, (size_t)(argc - optind));
    gb_session_close(&c.session);
    free(c.hooks_worker);
    return status;
}
