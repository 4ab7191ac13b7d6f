/* The end of a run, in words. */
#include "bench/measure/summary.h"

#include "bench/record/totals.h"
#include "bench/util/shell.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t measured_rows(const gb_run_totals *totals)
{
    size_t rows = 0;
    for (int i = 0; i < GB_STATUS_COUNT; i++)
        rows += totals->rows[i];
    return rows;
}

void gb_summary_print(const gb_output *output, const gb_session *session,
                      const gb_run_totals *totals)
{
    const char *between = "";
    char device[GB_SESSION_DEVICE];
    printf("%s on %s: ", output->setup.config->name, gb_session_device(session, device));
    for (int i = 0; i < GB_STATUS_COUNT; i++) {
        if (totals->rows[i] == 0) continue;
        printf("%s%zu %s", between, totals->rows[i], gb_status_name((gb_status)i));
        between = ", ";
    }
    if (measured_rows(totals) == 0) printf("nothing to measure");
    if (totals->resumed) printf(" (%zu rows were there already", totals->resumed);
    if (totals->resumed && output->failed_before)
        printf(", %zu of them failed: --retry measures them again", output->failed_before);
    printf("%s\n  %s\n  %s\n  %s\n", totals->resumed ? ")" : "", output->files.csv,
           output->files.samples, output->files.meta);
    fputs("  next: ", stdout);
    gb_shell_put(stdout, program_invocation_name);
    fputs(" table ", stdout);
    gb_shell_put(stdout, output->files.csv);
    putchar('\n');
}

/* How many rows carry a flag, which is one bit. */
static size_t flagged(const gb_run_totals *totals, unsigned flag)
{
    return totals->flags[__builtin_ctz(flag)];
}

/* A warning about the rows with a flag, if there are any; what may end in how much, "" if unknown.
 */
static void warn(const gb_run_totals *totals, unsigned flag, const char *what, const char *how_much,
                 const char *remedy)
{
    size_t rows = flagged(totals, flag);
    if (rows)
        fprintf(stderr, "warning: %zu of %zu rows %s%s: %s\n", rows, totals->rows[GB_OK], what,
                how_much, remedy);
}

static void warn_of_times(const gb_run_totals *totals, const gb_measure *measure)
{
    char how_much[128];
    int used = snprintf(how_much, sizeof how_much, " (95%% interval wider than %.3g%% of the mean",
                        100 * measure->max_rel_ci);
    if (totals->widest_ci < 1)
        snprintf(how_much + used, sizeof how_much - (size_t)used, ", up to %.3g%%)",
                 100 * totals->widest_ci);
    else if (isfinite(totals->widest_ci))
        snprintf(how_much + used, sizeof how_much - (size_t)used, "; some would reach 0)");
    else
        snprintf(how_much + used, sizeof how_much - (size_t)used,
                 "; that of one sample is unknown)");
    warn(totals, GB_FLAG_UNSTABLE, "are unstable", how_much,
         measure->automatic
             ? "raise max_samples or time_limit_s, or lock the clocks (nvidia-smi -lgc)"
             : "take more samples (--samples auto), or lock the clocks (nvidia-smi -lgc)");
    warn(totals, GB_FLAG_OUTLIERS, "have outliers", "",
         "see whether something else uses the device or the CPU; the median hardly feels them");
    warn(totals, GB_FLAG_DRIFT, "drift", " (later samples are slower or faster than earlier ones)",
         "warm up longer (measure.warmup) or lock the clocks (nvidia-smi -lgc)");
    snprintf(how_much, sizeof how_much,
             " (samples resemble those before: their 95%% interval should be up to %.2g times as "
             "wide)",
             totals->widening);
    warn(totals, GB_FLAG_AUTOCORRELATED, "are autocorrelated", how_much,
         "lock the clocks (nvidia-smi -lgc), warm up longer (measure.warmup), or let more variants "
         "take turns (\"order\":\"interleaved\"); --samples auto allows for it");
}

/* Times of whole processes hold what any process takes. */
static void note_processes(const gb_config *config)
{
    const gb_catalogue_primitive *primitive = config->primitive;
    bool any = false;
    for (unsigned i = 0; i < config->variant_count; i++)
        any |= primitive->variants[config->variants[i]].process;
    if (any && primitive->process_s > 0)
        fprintf(stderr,
                "note: times are those of whole processes: one that ends at once takes %.3g ms "
                "here, which is part of each\n",
                1e3 * primitive->process_s);
}

void gb_warnings_print(const gb_output *output, const gb_session *session,
                       const gb_run_totals *totals)
{
    if (totals->replaced)
        fprintf(stderr,
                "warning: %zu workers died and were replaced: the rows that say crashed or "
                "timeout tell why (--verbose shows the workers' log, --resume --retry tries them "
                "again)\n",
                totals->replaced);
    char reasons[sizeof totals->throttle + 4];
    snprintf(reasons, sizeof reasons, " (%s)", totals->throttle);
    warn(totals, GB_FLAG_THROTTLED, "were throttled", reasons,
         "let the device cool, raise its power limit, or lock lower clocks (nvidia-smi -lgc)");
    warn(totals, GB_FLAG_REDONE, "were done anew", " (what the variant had gone by did not hold)",
         "compare them with the variant that counts or votes first");
    warn(totals, GB_FLAG_UNGATED, "are ungated", " (the host's launching is in their times)",
         "see the worker's log (--verbose), and whether a profiler or a debugger looks on");
    if (totals->rows[GB_OK]) note_processes(output->setup.config);
    if (strcmp(session->catalogue->backend, "simt") != 0) {
        warn_of_times(totals, &output->setup.config->measure);
        return;
    }
    size_t unstable = flagged(totals, GB_FLAG_UNSTABLE),
           outliers = flagged(totals, GB_FLAG_OUTLIERS), drift = flagged(totals, GB_FLAG_DRIFT),
           autocorrelated = flagged(totals, GB_FLAG_AUTOCORRELATED);
    if (unstable + outliers + drift + autocorrelated)
        fprintf(stderr,
                "note: %zu rows vary by more than asked, %zu have outliers, %zu drift, %zu are "
                "autocorrelated: so it is with the simt device, whose times say nothing about a "
                "GPU\n",
                unstable, outliers, drift, autocorrelated);
}

void gb_resume_command_print(int argc, char *const *argv)
{
    bool given = false;
    for (int i = 2; i < argc; i++)
        given |= strcmp(argv[i], "--resume") == 0;
    for (int i = 0; i < argc; i++) {
        fputs(i ? " " : "  ", stderr);
        gb_shell_put(stderr, argv[i]);
        /* Directly behind the command, where a "--" further on cannot make it an operand. */
        if (i == 1 && !given) fputs(" --resume", stderr);
    }
    fputc('\n', stderr);
}
