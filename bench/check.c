/* gpubench check: every variant against its oracle, over inputs that are known to hurt. */
#include "bench/check_cases.h"
#include "bench/commands.h"
#include "bench/interrupt.h"
#include "bench/job.h"
#include "bench/nearest.h"
#include "bench/options.h"
#include "bench/progress.h"
#include "common/size.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE, VARIANT, CASE, SEED, SCHEDULES, QUICK, WORKER, VERBOSE, END };
enum { CASE_TEXT = 2048, MOST_VARIANTS = 256 };
static const double request_limit_s = 300;

static const gb_option options[] = {
    [DEVICE] = GB_OPTION_DEVICE,
    [VARIANT] = {"variant", "NAME", "this variant alone (may be given more than once)"},
    [CASE] = {"case", "n=33,bins=7,...", "this input alone; axes left out take their defaults"},
    [SEED] = {"seed", "S", "seed of the inputs and of their choice (default: 1)"},
    [SCHEDULES] = {"schedules", "N", "simt: repeat under N random schedules of the threads"},
    [QUICK] = {"quick", NULL, "about a tenth of the cases"},
    [WORKER] = GB_OPTION_WORKER,
    [VERBOSE] = {"verbose", NULL, "show the worker's log"},
    [END] = {NULL, NULL, NULL}};

static const gb_command_help help = {
    .usage = "check [PRIMITIVE...] [options]",
    .summary = "Runs every variant on nasty inputs (sizes at borders, skew, duplicates), in which\n"
               "every two values of any two axes meet, and verifies each output in full.\n",
    .options = options,
    .examples = "  gpubench check --device simt --schedules 20\n"
                "  gpubench check multipartition --variant multisplit --case n=33,bins=7\n"};

typedef struct check_command {
    const char *device, *one_case, *worker;
    const char *variants[MOST_VARIANTS];
    unsigned variant_count;
    uint64_t seed, schedules, schedule;
    bool quick;
    gb_session session;
    gb_progress progress;
    size_t failures;
    bool broken; /* the worker cannot be replaced */
} check_command;

/* ---- one case of one variant ---------------------------------------------------------------- */

static void print_failure(check_command *c, const gb_catalogue_primitive *primitive,
                          const char *variant, const gb_params *params, const gb_error *error)
{
    char text[CASE_TEXT];
    c->failures++;
    gb_progress_clear(&c->progress);
    printf("%s %s/%s: %s\n    ", gb_status_name(error->status), primitive->name, variant,
           error->text);
    if (c->schedule) printf("SIMT_POLICY=1 SIMT_PREEMPT=64 SIMT_SEED=%" PRIu64 " ", c->schedule);
    printf("%s check %s", program_invocation_name, primitive->name);
    /* A command may hold either kind of quote, as gb_worker_start takes them, but seldom both. */
    const char *quote = c->worker && strchr(c->worker, '\'') ? "\"" : "'";
    if (c->worker) printf(" --worker %s%s%s", quote, c->worker, quote);
    printf(" --device %s --variant %s --case '%s' --seed %" PRIu64 "\n",
           c->device ? c->device : "auto", variant,
           gb_check_case_format(primitive, params, text, sizeof text), c->seed);
    fflush(stdout);
}

static gb_status check_case(check_command *c, gb_link *link, const char *variant,
                            const gb_params *params, gb_error *error)
{
    gb_job_request request = {
        .variant = variant, .params = params, .seed = c->seed, .scope = GB_SCOPE_DEVICE};
    unsigned job;
    gb_work work;
    gb_status status = gb_job_open(link, &request, request_limit_s, &job, &work, error);
    if (status != GB_OK) return status;
    status = gb_job_verify(link, job, request_limit_s, error);
    if (!gb_worker_alive(c->session.worker)) return status;
    /* A defect that shows when memory is freed counts as well; the first one is reported. */
    gb_error late = {GB_OK, ""};
    gb_status closed = gb_job_close(link, job, request_limit_s, &late);
    if (status != GB_OK || closed == GB_OK) return status;
    *error = late;
    return closed;
}

/* ---- variants and primitives ---------------------------------------------------------------- */

static void check_variant(check_command *c, const gb_catalogue_primitive *primitive,
                          const char *variant, const gb_params *cases, size_t count)
{
    gb_link link = {.session = &c->session, .primitive = primitive};
    size_t ok = 0, unsupported = 0, failed = 0;
    for (size_t i = 0; i < count && !gb_interrupted && !c->broken; i++) {
        gb_error error = {GB_OK, ""};
        gb_progress_sample(&c->progress, variant, (unsigned)i, (unsigned)count, NULL);
        gb_status status = check_case(c, &link, variant, &cases[i], &error);
        if (gb_interrupted) break;
        ok += status == GB_OK;
        unsupported += status == GB_UNSUPPORTED;
        if (status != GB_OK && status != GB_UNSUPPORTED) {
            failed++;
            error.status = status;
            print_failure(c, primitive, variant, &cases[i], &error);
        }
        if (!gb_worker_alive(c->session.worker) && !gb_session_restart(&c->session, &error)) {
            gb_progress_note(&c->progress, "gpubench check: %s", error.text);
            c->broken = true;
        }
    }
    gb_progress_clear(&c->progress);
    printf("%s %s/%s: %zu ok", failed ? "FAILED" : "passed", primitive->name, variant, ok);
    if (unsupported) printf(", %zu unsupported", unsupported);
    if (failed) printf(", %zu failed", failed);
    if (ok + unsupported + failed < count)
        printf(", %zu not run", count - ok - unsupported - failed);
    if (c->schedule) printf(" (schedule %" PRIu64 ")", c->schedule);
    putchar('\n');
    fflush(stdout);
}

static bool is_chosen(const check_command *c, const char *variant)
{
    for (unsigned i = 0; i < c->variant_count; i++) {
        if (strcmp(c->variants[i], variant) == 0) return true;
    }
    return c->variant_count == 0;
}

static bool check_primitive(check_command *c, const gb_catalogue_primitive *primitive,
                            gb_error *error)
{
    gb_params one, *cases = &one;
    size_t count = 1;
    if (c->one_case) {
        if (!gb_check_case_parse(primitive, c->one_case, &one, error)) return false;
    } else {
        cases = gb_check_cases(primitive, c->seed, c->quick, &count, error);
        if (!cases) return false;
    }
    snprintf(c->progress.point_text, sizeof c->progress.point_text, "%s", primitive->name);
    for (unsigned i = 0; i < primitive->variant_count && !gb_interrupted && !c->broken; i++) {
        if (is_chosen(c, primitive->variants[i].name))
            check_variant(c, primitive, primitive->variants[i].name, cases, count);
    }
    if (cases != &one) free(cases);
    return true;
}

/* The primitives that were named, or all. Returns the exit status. */
static int check_primitives(check_command *c, char **names, size_t count)
{
    const gb_catalogue *catalogue = c->session.catalogue;
    gb_error error = {GB_OK, ""};
    for (unsigned i = 0; i < catalogue->primitive_count; i++) {
        const gb_catalogue_primitive *primitive = &catalogue->primitives[i];
        bool chosen = count == 0;
        for (size_t j = 0; j < count; j++)
            chosen |= strcmp(names[j], primitive->name) == 0;
        if (!chosen) continue;
        if (!check_primitive(c, primitive, &error)) {
            fprintf(stderr, "gpubench check: %s\n", error.text);
            return GB_EXIT_USAGE;
        }
    }
    if (gb_interrupted) return GB_EXIT_INTERRUPTED;
    return c->failures || c->broken ? GB_EXIT_FAILED : GB_EXIT_OK;
}

/* Each schedule needs a worker of its own: the simt device reads its environment at the start. */
static int check_schedules(check_command *c, char **names, size_t count)
{
    if (c->schedules == 0) return check_primitives(c, names, count);
    int worst = GB_EXIT_OK;
    for (c->schedule = 1; c->schedule <= c->schedules; c->schedule++) {
        char seed[24];
        gb_error error = {GB_OK, ""};
        snprintf(seed, sizeof seed, "%" PRIu64, c->schedule);
        setenv("SIMT_POLICY", "1", 1);
        setenv("SIMT_PREEMPT", "64", 1);
        setenv("SIMT_SEED", seed, 1);
        if (!gb_session_restart(&c->session, &error)) {
            fprintf(stderr, "gpubench check: %s\n", error.text);
            return GB_EXIT_NO_DEVICE;
        }
        int status = check_primitives(c, names, count);
        if (status > worst) worst = status;
        if (gb_interrupted || c->broken || status == GB_EXIT_USAGE) break;
    }
    return worst;
}

/* ---- the command line ----------------------------------------------------------------------- */

static bool parse_number(const char *option, const char *text, uint64_t *number)
{
    const char *why = "";
    if (gb_size_parse(text, number, &why)) return true;
    fprintf(stderr, "gpubench check: --%s %s: %s\n", option, text, why);
    return false;
}

/* True and *status if the command ends here. */
static bool parse(check_command *c, int argc, char **argv, int *status)
{
    const char *argument;
    int option;
    bool good = true;
    optind = 0;
    *status = GB_EXIT_USAGE;
    while (good && (option = gb_option_next(argc, argv, &help, &argument)) != GB_OPTION_END) {
        switch (option) {
        case DEVICE:
            c->device = argument;
            break;
        case VARIANT:
            if (c->variant_count < MOST_VARIANTS) c->variants[c->variant_count++] = argument;
            break;
        case CASE:
            c->one_case = argument;
            break;
        case SEED:
            good = parse_number("seed", argument, &c->seed);
            break;
        case SCHEDULES:
            good = parse_number("schedules", argument, &c->schedules);
            break;
        case QUICK:
            c->quick = true;
            break;
        case WORKER:
            c->worker = argument;
            break;
        case VERBOSE:
            setenv("GPUBENCH_VERBOSE", "1", 1);
            break;
        default:
            *status = option == GB_OPTION_HELP ? GB_EXIT_OK : GB_EXIT_USAGE;
            return true;
        }
    }
    return !good;
}

/* Names that no primitive or variant has. */
static bool names_exist(const check_command *c, char **primitives, size_t count)
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
            bool chosen = count == 0;
            for (size_t j = 0; j < count; j++)
                chosen |= strcmp(primitives[j], primitive->name) == 0;
            found |= chosen && gb_catalogue_variant_index(primitive, c->variants[i]) >= 0;
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

static int check_on_device(check_command *c, char **names, size_t count)
{
    gb_error error = {GB_OK, ""};
    if (!gb_session_find(&c->session, c->device, c->worker, &error)) {
        fprintf(stderr, "gpubench check: %s\n", error.text);
        return GB_EXIT_NO_DEVICE;
    }
    if (!names_exist(c, names, count)) return GB_EXIT_USAGE;
    if (c->schedules && strcmp(c->session.catalogue->backend, "simt") != 0) {
        fputs("gpubench check: --schedules needs --device simt: a GPU schedules as it likes\n",
              stderr);
        return GB_EXIT_USAGE;
    }
    gb_interrupt_install();
    if (!gb_session_select(&c->session, &error)) {
        fprintf(stderr, "gpubench check: %s\n", error.text);
        return gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_NO_DEVICE;
    }
    gb_progress_start(&c->progress, 0, 0);
    return check_schedules(c, names, count);
}

int gb_command_check(int argc, char **argv)
{
    check_command c = {.seed = 1};
    int status;
    if (!parse(&c, argc, argv, &status))
        status = check_on_device(&c, argv + optind, (size_t)(argc - optind));
    gb_session_close(&c.session);
    return status;
}
