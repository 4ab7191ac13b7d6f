/* gpubench check: every variant against its oracle, over inputs that are known to hurt. Here its
 * command line; check/run.c goes through the cases. */
#include "bench/check/targets.h"
#include "bench/commands/commands.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/worker/under_options.h"
#include "common/text/size.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCHEDULES = 1000000000 };

static const gb_command_help help = {
    .usage = "check [PRIMITIVE|CONFIG|DIR...] [options]",
    .summary = "Runs every variant on nasty inputs (sizes at borders, skew, duplicates), in which\n"
               "every two values of any two axes meet, and verifies each output in full.\n"
               "\n"
               "--schedules explores on the simt device in which orders the threads can run, and\n"
               "prints for a variant's first failure the command that replays it; docs/simt.md.\n",
    .examples = "  gpubench check saxpy/ --schedules 100\n"
                "  gpubench check --device simt --schedules 100\n"
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

/* What no option can know alone; false if they do not go together. */
static bool options_agree(const gb_check *c)
{
    const char *mistake = NULL;
    if (c->schedules && c->has_one_schedule)
        mistake = "--schedules explores, --schedule replays: give one of them";
    else if (c->space.has_policy && !c->schedules)
        mistake = "--policy says which --schedules to explore: say how many";
    else if (c->hooks && c->worker && !gb_is_folder(c->worker))
        mistake = "--hooks means the worker gpubench-simt-hooks: leave out --worker";
    if (mistake) fprintf(stderr, "gpubench check: %s\n", mistake);
    return !mistake;
}

/* True and *status if the command ends here. */
static bool parse(gb_check *c, int argc, char **argv, int *status)
{
    const gb_option options[] = {
        gb_option_device(&c->device),
        gb_option_code(&c->under),
        gb_option_multiprocessors(&c->under),
        gb_option_shared_kib(&c->under),
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
                       &c->hooks),
        gb_option_flag("quick", "about a tenth of the cases", &c->quick),
        gb_option_worker(&c->worker),
        gb_option_verbose("show the worker's log: a failure's whole report"),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, status)) return true;
    *status = GB_EXIT_USAGE;
    return !options_agree(c);
}

static bool has_variant(const gb_check_targets *targets, const char *name)
{
    for (size_t i = 0; i < targets->count; i++) {
        const gb_check_group *group = &targets->groups[i];
        const gb_catalogue *catalogue = targets->asked.list[group->choice.worker].catalogue;
        for (unsigned p = 0; p < catalogue->primitive_count; p++) {
            const gb_catalogue_primitive *primitive = &catalogue->primitives[p];
            if (gb_check_is_chosen(group->names, group->count, primitive->name) &&
                gb_catalogue_variant_index(primitive, name) >= 0)
                return true;
        }
    }
    return false;
}

static bool variants_exist(const gb_check *c, const gb_check_targets *targets)
{
    for (unsigned i = 0; i < c->variant_count; i++) {
        if (has_variant(targets, c->variants[i])) continue;
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

/* What one worker has of what was asked for. */
static int check_group(gb_check *c, gb_check_targets *targets, const gb_check_group *group)
{
    gb_error error = {GB_OK, ""};
    c->worker = group->worker;
    c->failures = c->passed = c->ran = 0;
    c->broken = false;
    gb_session_take(&c->session, &targets->asked, &group->choice);
    gb_asked_rest(&targets->asked);
    if (!gb_check_prefer_hooks(c, &error)) {
        fprintf(stderr, "gpubench check: %s\n", error.text);
        return GB_EXIT_NO_DEVICE;
    }
    if (!schedules_are_possible(c)) return GB_EXIT_USAGE;
    gb_interrupt_install();
    if (gb_session_wake(&c->session, &error))
        return gb_check_primitives(c, group->names, group->count);
    fprintf(stderr, "gpubench check: %s\n", error.text);
    return gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_NO_DEVICE;
}

/* One worker after the other; the worst exit status. */
static int check_targets(gb_check *c, char *const *operands, size_t count,
                         gb_check_targets *targets)
{
    gb_error error = {GB_OK, ""};
    if (!gb_check_targets_find(targets, c, operands, count, &error)) {
        fprintf(stderr, "gpubench check: %s\n", error.text);
        return error.status == GB_WRONG ? GB_EXIT_USAGE : GB_EXIT_NO_DEVICE;
    }
    if (!variants_exist(c, targets)) return GB_EXIT_USAGE;
    int worst = GB_EXIT_OK;
    for (size_t i = 0; i < targets->count && !gb_interrupted && worst != GB_EXIT_USAGE; i++) {
        const int status = check_group(c, targets, &targets->groups[i]);
        if (status > worst) worst = status;
        gb_session_close(&c->session);
        free(c->hooks_worker);
        c->hooks_worker = NULL;
    }
    return worst;
}

int gb_command_check(int argc, char **argv)
{
    gb_check c = {.seed = 1, .argc = argc, .argv = argv};
    gb_check_targets targets = {0};
    int status;
    if (!parse(&c, argc, argv, &status))
        status = check_targets(&c, argv + optind, (size_t)(argc - optind), &targets);
    gb_check_targets_free(&targets);
    return status;
}
