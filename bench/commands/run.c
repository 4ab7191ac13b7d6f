/* gpubench run: measures what configs describe. */
#include "bench/commands/run.h"
#include "bench/commands/commands.h"
#include "bench/commands/run_live.h"
#include "bench/commands/run_watch.h"
#include "bench/util/child.h"
#include "bench/util/options.h"
#include "bench/util/shell.h"
#include "bench/worker/under_options.h"
#include "common/text/limits.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "run CONFIG... [options]",
    .summary =
        "Measures every point and variant of the configs, verified before and after, and\n"
        "writes a row to DIR/NAME.csv the moment it is known. CONFIG is a file, or the name\n"
        "of one that comes along, such as multipartition.\n",
    .examples = "  gpubench run configs/multipartition.json --dry-run\n"
                "  gpubench run configs/multipartition.json --device simt --filter 'bins <= 64'\n"
                "  gpubench run configs/*.json --resume\n"
                "  gpubench run mine/mine.json --watch\n"};

/* --worker, once. */
static bool take_worker(void *to, const char *option, const char *argument, gb_error *error)
{
    gb_run_command *c = to;
    (void)option;
    if (c->worker) {
        gb_fail(
            error, GB_WRONG,
            "--worker is given twice: a run has one worker, or those of one folder; start another "
            "run beside it, with its own --out");
        return false;
    }
    c->worker = argument;
    return true;
}

/* Whether what else is asked for goes with --all-devices. False, with the reason on stderr. */
static bool all_devices_fit(const gb_run_command *c, size_t configs)
{
    const char *why = NULL;
    if (c->device)
        why = "and --device exclude each other";
    else if (c->watch || c->requests)
        why = "goes neither with --watch nor with --requests: both are about one device";
    else if (c->all_devices > 1 && c->live)
        why = "=side-by-side and --live exclude each other: both want the terminal's end";
    else if (c->all_devices > 1 && c->aa)
        why =
            "=side-by-side and --aa exclude each other: noise is measured with one device at work";
    else
        return gb_run_exports_fit(&c->exports, configs, "those of all devices");
    fprintf(stderr, "gpubench run: --all-devices%s%s\n", *why == '=' ? "" : " ", why);
    return false;
}

/* True and *status if the command ends here. */
static bool parse(gb_run_command *c, int argc, char **argv, int *status)
{
    static const char *const ways[] = {"side-by-side", NULL};
    const gb_option options[] = {
        gb_option_device(&c->device),
        gb_option_code(&c->under),
        gb_option_choice("all-devices",
                         "on every GPU of this host: one after another, or at once unless they "
                         "disturb each other",
                         &c->all_devices, ways),
        gb_option_multiprocessors(&c->under),
        gb_option_shared_kib(&c->under),
        gb_option_text(
            "out", "DIR",
            "where results go (default: results/DEVICE, with conditions below its under/)",
            &c->out),
        gb_option_flag("resume", "go on where an earlier run ended; its rows are kept", &c->resume),
        gb_option_flag("retry", "with --resume: measure failed rows again", &c->retry),
        gb_option_flag(
            "quick", "the configs' quick sections, small where they name no size (default on simt)",
            &c->quick),
        gb_option_flag("full", "the whole configs, on the simt device too", &c->full),
        gb_option_flag("dry-run", "print the plan; run and write nothing", &c->dry_run),
        gb_option_flag("requests", "print the rows as requests of the worker protocol; run nothing",
                       &c->requests),
        gb_option_text("filter", "EXPR",
                       "only points and variants like 'bins >= 64 && variant != cpu'", &c->filter),
        gb_option_text("samples", "N|auto", "so many samples a row instead of the configs'",
                       &c->samples),
        gb_option_flag("aa", "everything three times, into DIR/aa: what equal runs differ by",
                       &c->aa),
        gb_run_export_option(&c->exports),
        gb_option_flag("live", "draw on the terminal, between points, what there is so far",
                       &c->live),
        gb_option_text("library", "FILE", "the shared library of configs of primitive call",
                       &c->library),
        gb_option_flag("watch",
                       "measure again whenever the config, its sources or the worker change",
                       &c->watch),
        gb_option_list("watch-also", "FILE", "with --watch: or this file; may be given again",
                       c->also, &c->also_count, sizeof c->also / sizeof *c->also),
        gb_option_special("worker", "COMMAND|DIR", gb_worker_help, take_worker, c),
        gb_option_verbose("show the worker's log"),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, status)) return true;
    *status = GB_EXIT_USAGE;
    if (c->quick && c->full) {
        fputs("gpubench run: --quick and --full exclude each other\n", stderr);
        return true;
    }
    if (c->retry && !c->resume) {
        fputs("gpubench run: --retry goes with --resume, whose failed rows it measures again\n",
              stderr);
        return true;
    }
    if (c->watch && (c->aa || c->dry_run || c->requests)) {
        fputs("gpubench run: --watch measures again and again: not with --aa, --dry-run or "
              "--requests\n",
              stderr);
        return true;
    }
    if (c->all_devices && !all_devices_fit(c, (size_t)(argc - optind))) return true;
    if (c->live && !gb_run_live_possible()) return true;
    if (optind < argc)
        return !gb_run_exports_fit(&c->exports, (size_t)(argc - optind),
                                   c->aa ? "the three runs of --aa" : NULL);
    fputs("gpubench run: which config? `gpubench list configs` shows those that come along; "
          "`gpubench run --help` the options\n",
          stderr);
    return true;
}

/* ---- again and again ------------------------------------------------------------------------- */

typedef struct watched_run {
    gb_run_command *command;
    char **paths;
    size_t count;
} watched_run;

/* What a config was measured by: the first word of the worker's command, where that is a file. */
static void tell_worker(FILE *told, const char *command)
{
    gb_error error;
    char **words = gb_command_split(command, &error);
    if (words && strchr(words[0], '/')) fprintf(told, "file %s\n", words[0]);
    free(words);
}

static int run_round(void *context, bool first, FILE *told)
{
    const watched_run *w = context;
    gb_run_command *c = w->command;
    c->resume = c->resume && first;
    c->retry = c->retry && first;
    c->again = !first;
    const int status = gb_run_here(c, w->paths, w->count);
    for (size_t i = 0; i < c->count; i++) {
        const gb_run_item *item = &c->items[i];
        if (item->session) tell_worker(told, item->session->command);
        gb_run_tell_made(item, told);
        if (item->config && status != GB_EXIT_INTERRUPTED)
            fprintf(told, "results %s/%s.csv\n", item->folder, item->config->name);
    }
    gb_run_sessions_free(&c->sessions); /* the workers end before the process does */
    return status;
}

static int run_watched(gb_run_command *c, char **paths, size_t count)
{
    watched_run context = {c, paths, count};
    const gb_watch_wishes wishes = {
        .configs = paths, .config_count = count, .also = c->also, .also_count = c->also_count};
    return gb_run_watch(&wishes, run_round, &context);
}

int gb_command_run(int argc, char **argv)
{
    gb_run_command c = {0};
    int status;
    /* Kept before getopt reorders it, with the program's own name in front. */
    c.argv = calloc((size_t)argc + 2, sizeof *c.argv);
    if (!c.argv) gb_memory_gone("gpubench run", ((size_t)argc + 2) * sizeof *c.argv);
    c.argv[c.argc++] = program_invocation_name;
    for (int i = 0; i < argc; i++)
        c.argv[c.argc++] = argv[i];
    c.command = gb_shell_line((const char *const *)c.argv, (size_t)c.argc);
    if (!parse(&c, argc, argv, &status)) {
        char **paths = argv + optind;
        const size_t count = (size_t)(argc - optind);
        status = c.watch         ? run_watched(&c, paths, count)
                 : c.all_devices ? gb_run_all_devices(&c, paths, count)
                                 : gb_run_here(&c, paths, count);
    }
    gb_run_free_items(&c);
    gb_run_sessions_free(&c.sessions);
    gb_arena_free(&c.arena);
    free(c.argv);
    free(c.command);
    return status;
}
