/* gpubench run: measures what configs describe. */
#include "bench/commands/commands.h"
#include "bench/commands/run_table.h"
#include "bench/compare/equal_runs.h"
#include "bench/config/find.h"
#include "bench/config/other_worker.h"
#include "bench/measure/plan.h"
#include "bench/measure/summary.h"
#include "bench/record/meta.h"
#include "bench/record/totals.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/shell.h"
#include "common/text/limits.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
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
                "  gpubench run configs/*.json --resume\n"};

typedef struct run_command {
    const char *device, *out, *filter, *samples, *worker;
    bool resume, retry, quick, full, dry_run, requests, aa;
    int argc; /* the whole command line, as it was given */
    char **argv;
    gb_session session;
    gb_arena arena; /* of the configs' paths */
    gb_config **configs;
    gb_estimate *estimates; /* of each config */
    size_t config_count;
    char folder[1024];
    char *command; /* the whole command line as one text */
    bool stop;     /* there is no use in going on with the next config */
} run_command;

/* --worker, once. */
static bool take_worker(void *to, const char *option, const char *argument, gb_error *error)
{
    run_command *c = to;
    (void)option;
    if (c->worker) {
        gb_fail(error, GB_WRONG,
                "--worker is given twice: a run has one worker; start another run beside it, with "
                "its own --out");
        return false;
    }
    c->worker = argument;
    return true;
}

/* True and *status if the command ends here. */
static bool parse(run_command *c, int argc, char **argv, int *status)
{
    const gb_option options[] = {
        gb_option_device(&c->device),
        gb_option_text("out", "DIR", "where results go (default: results/DEVICE)", &c->out),
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
        gb_option_special("worker", "COMMAND", gb_worker_help, take_worker, c),
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
    if (optind < argc) return false;
    fputs("gpubench run: which config? `gpubench list configs` shows those that come along; "
          "`gpubench run --help` the options\n",
          stderr);
    return true;
}

/* Loads all configs, so that a mistake in the last one is found before the first one runs. */
static bool load(run_command *c, char **paths, size_t count)
{
    bool simt = strcmp(c->session.catalogue->backend, "simt") == 0;
    gb_config_options how = {
        .quick = c->quick || (simt && !c->full), .samples = c->samples, .filter = c->filter};
    c->configs = calloc(count, sizeof(gb_config *));
    for (size_t i = 0; c->configs && i < count; i++) {
        gb_error error = {GB_OK, ""};
        const char *path = gb_config_find(&c->arena, paths[i], &error);
        gb_config *config = path ? gb_config_load(path, c->session.catalogue, &how, &error) : NULL;
        if (!config) {
            fprintf(stderr, "gpubench run: %s\n", error.text);
            return false;
        }
        c->configs[c->config_count++] = config;
        if (*config->small && !c->dry_run && !c->requests)
            fprintf(stderr,
                    "gpubench run: note: %s does not say how large: %s%s; --full runs it whole\n",
                    config->path, config->small,
                    c->quick ? "" : ", since the kernels run on the CPU");
        for (size_t j = 0; j < i; j++) {
            if (strcmp(c->configs[j]->name, config->name) != 0) continue;
            fprintf(stderr,
                    "gpubench run: %s and %s are both named \"%s\" and would write the same "
                    "files: run them apart, with different --out\n",
                    c->configs[j]->path, config->path, config->name);
            return false;
        }
    }
    return c->configs != NULL;
}

/* Has the worker look at all points: of values that cannot be right (an argument that is none, a
 * file that cannot be read where the worker is) it knows alone. True and the exit status if one is
 * not. */
static bool points_mistaken(run_command *c, int *status)
{
    c->estimates = calloc(c->config_count + 1, sizeof *c->estimates);
    for (size_t i = 0; i < c->config_count; i++) {
        gb_error error = {GB_CRASHED, "out of memory"};
        const gb_config *config = c->configs[i];
        gb_estimate *estimate = c->estimates ? &c->estimates[i] : NULL;
        *status = GB_EXIT_NO_DEVICE;
        if (!estimate || !gb_estimate_make(estimate, &c->session, config, &error)) {
            fprintf(stderr, "gpubench run: %s\n", error.text);
            return true;
        }
        if (estimate->mistaken == SIZE_MAX) continue;
        fprintf(stderr, "gpubench run: %s: %s\n", config->path,
                estimate->reasons[estimate->mistaken]);
        *status = GB_EXIT_USAGE;
        return true;
    }
    return false;
}

static int print_plans(run_command *c)
{
    for (size_t i = 0; i < c->config_count; i++) {
        if (i) putchar('\n');
        gb_plan_print(stdout, c->configs[i], &c->session, &c->estimates[i],
                      gb_run_rows_left(c->configs[i], NULL));
    }
    return GB_EXIT_OK;
}

static int print_requests(run_command *c)
{
    for (size_t i = 0; i < c->config_count; i++) {
        if (gb_requests_print(stdout, c->configs[i], &c->session)) continue;
        fputs("gpubench run: out of memory\n", stderr);
        return GB_EXIT_FAILED;
    }
    return GB_EXIT_OK;
}

/* How to go on with rows that are still to be measured, or with a meta file still to be written. */
static void print_remedy(const run_command *c, const char *how, size_t left)
{
    fprintf(stderr, "%s with %zu rows to go; this goes on where it ended:\n", how, left);
    gb_resume_command_print(c->argc, c->argv);
}

/* "2/5 octree": which config of how many; "" of one alone. */
static const char *title_of(const run_command *c, const gb_config *config, char title[160])
{
    size_t at = 0;
    while (c->configs[at] != config)
        at++;
    *title = 0;
    if (c->config_count > 1)
        snprintf(title, 160, "%zu/%zu %.100s", at + 1, c->config_count, config->name);
    return title;
}

/* The rows and what follows from them: warnings, the table, the files, how to go on. */
static void print_end(run_command *c, const gb_output *output, const gb_run_totals *totals)
{
    gb_warnings_print(output, &c->session, totals);
    /* Of one point alone, the rows said it all; equal runs are set side by side at the end. */
    if (!c->stop && !c->aa && totals->rows[GB_OK] && output->setup.config->point_count > 1)
        gb_run_table_print(output->files.csv);
    gb_summary_print(output, &c->session, totals);
    fflush(stdout);
}

/* Runs one config whose files are open; returns the exit status it asks for. */
static int run_open(run_command *c, gb_meta *meta, gb_output *output, const gb_estimate *estimate)
{
    static const char *const states[] = {[GB_RUN_COMPLETE] = "complete",
                                         [GB_RUN_INTERRUPTED] = "interrupted",
                                         [GB_RUN_BROKEN] = "broken"};
    gb_error error = {GB_OK, ""};
    gb_run_totals totals = {0};
    const gb_config *config = output->setup.config;
    if (!gb_meta_begin(meta, output->files.meta, c->resume, &error) ||
        !gb_meta_write(meta, output, &c->session, &totals, "running", &error)) {
        fprintf(stderr, "gpubench run: %s\n", error.text);
        c->stop = true;
        print_remedy(c, gb_interrupted ? "interrupted" : "stopped",
                     gb_run_rows_left(config, output));
        return gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_FAILED;
    }
    char moved[512], title[160];
    if (gb_meta_moved(meta, &c->session, moved, sizeof moved))
        fprintf(stderr,
                "gpubench run: note: %s, where the rows so far of %s were measured; --out and no "
                "--resume gives each its own file\n",
                moved, config->name);
    gb_run_end end =
        gb_run_config(&c->session, output, estimate, title_of(c, config, title), &totals, &error);
    if (end == GB_RUN_BROKEN) fprintf(stderr, "gpubench run: %s\n", error.text);
    bool written = gb_meta_write(meta, output, &c->session, &totals, states[end], &error);
    if (!written) fprintf(stderr, "gpubench run: %s\n", error.text);
    cJSON_Delete(totals.medians);
    cJSON_Delete(totals.kernels);
    c->stop = end != GB_RUN_COMPLETE || !written;
    print_end(c, output, &totals);
    if (c->stop)
        print_remedy(c, end == GB_RUN_INTERRUPTED ? "interrupted" : "stopped",
                     gb_run_rows_left(config, NULL) - totals.resumed - totals.rows[GB_OK] -
                         totals.rows[GB_UNSUPPORTED] - totals.failed);
    if (end == GB_RUN_INTERRUPTED) return GB_EXIT_INTERRUPTED;
    return c->stop || totals.failed || output->failed_before ? GB_EXIT_FAILED : GB_EXIT_OK;
}

static int run_config(run_command *c, gb_meta *meta, const gb_config *config,
                      const gb_estimate *estimate)
{
    char run_id[32];
    gb_run_id(run_id);
    gb_output_setup setup = {.config = config,
                             .device = c->session.device,
                             .backend = c->session.catalogue->backend,
                             .copy_bytes_per_s = c->session.copy_bytes_per_s,
                             .blocks_per_s = c->session.blocks_per_s,
                             .folder = c->folder,
                             .run_id = run_id,
                             .command = c->command,
                             .worker_spec = c->worker,
                             .device_spec = c->device,
                             .resume = c->resume,
                             .retry = c->retry};
    static gb_output output; /* one at a time, and large */
    gb_error error = {GB_OK, ""};
    if (!gb_output_open(&output, &setup, &error)) {
        fprintf(stderr, "gpubench run: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    int status = run_open(c, meta, &output, estimate);
    gb_output_close(&output);
    return status;
}

/* All configs; the worst exit status of any. An interrupt, a full disk or the loss of the worker
 * ends them at once. */
static int run_configs(run_command *c)
{
    gb_meta meta;
    int worst = GB_EXIT_OK;
    gb_meta_start(&meta, c->argc, c->argv);
    for (size_t i = 0; i < c->config_count && !c->stop; i++) {
        int status = run_config(c, &meta, c->configs[i], &c->estimates[i]);
        if (status > worst) worst = status;
    }
    gb_meta_free(&meta);
    return worst;
}

/* All configs several times, each time by a fresh worker: what they differ by is noise. */
static int run_equal(run_command *c)
{
    char results[sizeof c->folder];
    int worst = GB_EXIT_OK;
    gb_error error = {GB_OK, ""};
    memcpy(results, c->folder, sizeof results);
    for (int pass = 0; pass < GB_AA_PASSES; pass++) {
        if (!gb_aa_folder(c->folder, sizeof c->folder, results, pass)) {
            fprintf(stderr, "gpubench run: --out: the folder's name is too long for --aa\n");
            return GB_EXIT_USAGE;
        }
        if (pass > 0 && !gb_session_restart(&c->session, &error)) {
            fprintf(stderr, "gpubench run: %s\n", error.text);
            return GB_EXIT_NO_DEVICE;
        }
        const int status = run_configs(c);
        if (status > worst) worst = status;
        if (c->stop) return worst;
    }
    if (gb_aa_settle(results, stdout, &error)) return worst;
    fprintf(stderr, "gpubench run: --aa: %s\n", error.text);
    return worst > GB_EXIT_FAILED ? worst : GB_EXIT_FAILED;
}

/* Variants that the worker has not itself are measured by another one beside the driver. */
static void find_other(run_command *c)
{
    bool wanted = false;
    for (size_t i = 0; i < c->config_count; i++)
        wanted |= gb_other_wanted(c->configs[i]);
    if (wanted && !c->worker) gb_other_find(&c->session);
    if (*c->session.no_other)
        fprintf(stderr, "gpubench run: note: variants of other workers stay unsupported: %s\n",
                c->session.no_other);
}

static int run_command_on_device(run_command *c, char **paths, size_t count)
{
    gb_error error = {GB_OK, ""};
    if (!gb_session_find(&c->session, c->device, c->worker, &error)) {
        fprintf(stderr, "gpubench run: %s\n", error.text);
        return GB_EXIT_NO_DEVICE;
    }
    int status;
    if (!load(c, paths, count)) return GB_EXIT_USAGE;
    int length = c->out
                     ? snprintf(c->folder, sizeof c->folder, "%s", c->out)
                     : snprintf(c->folder, sizeof c->folder, "results/%s", c->session.device->slug);
    if (length <= 0 || (size_t)length >= sizeof c->folder) {
        fprintf(stderr, "gpubench run: --out: a folder's name has 1 to %zu bytes, this one %d\n",
                sizeof c->folder - 1, length);
        return GB_EXIT_USAGE;
    }
    if (points_mistaken(c, &status)) return status;
    if (c->requests) return print_requests(c);
    find_other(c);
    gb_interrupt_install();
    /* Rows go to stdout while others are measured: who reads only the first lines ends nothing. */
    signal(SIGPIPE, SIG_IGN);
    if (!gb_session_select(&c->session, &error)) {
        if (gb_interrupted) return GB_EXIT_INTERRUPTED;
        fprintf(stderr, "gpubench run: %s\n", error.text);
        return GB_EXIT_NO_DEVICE;
    }
    if (c->dry_run) return print_plans(c);
    return c->aa ? run_equal(c) : run_configs(c);
}

int gb_command_run(int argc, char **argv)
{
    run_command c = {0};
    int status;
    /* Kept before getopt reorders it, with the program's own name in front. */
    c.argv = calloc((size_t)argc + 2, sizeof *c.argv);
    if (!c.argv) gb_memory_gone("gpubench run", ((size_t)argc + 2) * sizeof *c.argv);
    c.argv[c.argc++] = program_invocation_name;
    for (int i = 0; i < argc; i++)
        c.argv[c.argc++] = argv[i];
    c.command = gb_shell_line((const char *const *)c.argv, (size_t)c.argc);
    if (!parse(&c, argc, argv, &status))
        status = run_command_on_device(&c, argv + optind, (size_t)(argc - optind));
    for (size_t i = 0; i < c.config_count; i++) {
        if (c.estimates) gb_estimate_free(&c.estimates[i]);
        gb_config_free(c.configs[i]);
    }
    free(c.estimates);
    gb_session_close(&c.session);
    gb_arena_free(&c.arena);
    free(c.configs);
    free(c.argv);
    free(c.command);
    return status;
}
