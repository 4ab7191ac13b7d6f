/* The end of a run, in words. */
#include "bench/run_summary.h"

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
    printf("%s on %s: ", output->setup.config->name, session->device->name);
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
    printf("  next: %s table %s\n", program_invocation_name, output->files.csv);
}

static void warn(size_t rows, size_t all, const char *what, const char *remedy)
{
    fprintf(stderr, "warning: %zu of %zu rows %s: %s\n", rows, all, what, remedy);
}

void gb_warnings_print(const gb_output *output, const gb_session *session,
                       const gb_run_totals *totals)
{
    const size_t *flags = totals->flags;
    const gb_measure *measure = &output->setup.config->measure;
    size_t all = totals->rows[GB_OK], unstable = flags[1], outliers = flags[2], drift = flags[3];
    char what[256];
    if (totals->replaced)
        fprintf(stderr,
                "warning: %zu workers died and were replaced: the rows that say crashed or "
                "timeout tell why (--verbose shows the workers' log, --resume --retry tries them "
                "again)\n",
                totals->replaced);
    if (flags[0]) {
        snprintf(what, sizeof what, "were throttled (%s)", totals->throttle);
        warn(flags[0], all, what,
             "let the device cool, raise its power limit, or lock lower clocks (nvidia-smi -lgc)");
    }
    if (strcmp(session->catalogue->backend, "simt") == 0) {
        if (unstable + outliers + drift)
            fprintf(stderr,
                    "note: %zu rows vary by more than asked, %zu have outliers, %zu drift: so it "
                    "is with the simt device, whose times say nothing about a GPU\n",
                    unstable, outliers, drift);
        return;
    }
    if (unstable) {
        snprintf(what, sizeof what, "are unstable (95%% interval wider than %.3g%% of the mean",
                 100 * measure->max_rel_ci);
        size_t used = strlen(what);
        if (isfinite(totals->widest_ci))
            snprintf(what + used, sizeof what - used, ", up to %.3g%%)", 100 * totals->widest_ci);
        else
            snprintf(what + used, sizeof what - used, ")");
        warn(unstable, all, what,
             measure->automatic
                 ? "raise max_samples or time_limit_s, or lock the clocks (nvidia-smi -lgc)"
                 : "take more samples (--samples auto), or lock the clocks (nvidia-smi -lgc)");
    }
    if (outliers)
        warn(outliers, all, "have outliers",
             "see whether something else uses the device or the CPU; the median hardly feels them");
    if (drift)
        warn(drift, all, "drift (later samples are slower or faster than earlier ones)",
             "warm up longer (measure.warmup) or lock the clocks (nvidia-smi -lgc)");
}

/* One word of a command line as a shell wants it. */
static void print_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+.,/:@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, stderr);
        return;
    }
    fputc('\'', stderr);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*word, stderr);
    }
    fputc('\'', stderr);
}

void gb_resume_command_print(int argc, char *const *argv)
{
    bool given = false;
    for (int i = 2; i < argc; i++)
        given |= strcmp(argv[i], "--resume") == 0;
    for (int i = 0; i < argc; i++) {
        fputs(i ? " " : "  ", stderr);
        print_word(argv[i]);
        /* Directly behind the command, where a "--" further on cannot make it an operand. */
        if (i == 1 && !given) fputs(" --resume", stderr);
    }
    fputc('\n', stderr);
}
