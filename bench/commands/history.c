/* gpubench history: what was measured commit after commit, and which one made it slower. */
#include "bench/history/history.h"
#include "bench/commands/commands.h"
#include "bench/commands/history_plot.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"

#include <getopt.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "history DIR... [options]",
    .summary =
        "Reads the results of all runs in folders and below them, also those that later runs\n"
        "moved aside, orders them by their commits, and sets each run against the one before,\n"
        "as compare does: which commit made what slower, by how much, and whether it still is.\n"
        "Runs know the commit of the folder that their config lies in, else gpubench's own.\n"
        "--AXIS VALUE[,VALUE...] chooses rows, such as --bins 256.\n",
    .examples = "  gpubench run mine.json --out history/$(git rev-parse --short HEAD)\n"
                "  gpubench history history\n"
                "  gpubench history results/nvidia-h200 --experiment mine --plot mine.svg\n"
                "  gpubench history history --last 2 --fail-on slower --min-effect 3%\n"};

typedef enum fail_on { FAIL_ON_SLOWER, FAIL_ON_NONE } fail_on;

typedef struct history_command {
    gb_history history;
    gb_history_wishes wishes;
    gb_arena arena; /* of the options */
    gb_choices chosen;
    gb_noise noise;
    const char *noise_path, *plot;
    const gb_exporter *format;
    fail_on fail_on;
} history_command;

static bool read_all(history_command *c, char **paths, size_t count, gb_error *error)
{
    c->wishes.chosen = &c->chosen;
    if (!c->noise_path) c->wishes.beside = &c->noise;
    const bool none = c->noise_path && strcmp(c->noise_path, "none") == 0;
    if (!none) c->wishes.judging.noise = &c->noise;
    if (c->noise_path && !none && !gb_noise_load(&c->arena, c->noise_path, &c->noise, error))
        return false;
    return gb_history_read(&c->history, paths, count, &c->wishes, error);
}

/* Runs differ by more than chance within each: what that is on a device has to be measured. */
static void warn_noise(const history_command *c)
{
    for (size_t i = 0; i < c->history.count; i++) {
        const gb_history_series *s = &c->history.series[i];
        bool known = s->count < 2;
        for (size_t k = 0; k < c->noise.count && !known; k++)
            known = strcmp(c->noise.items[k].device, s->device) == 0;
        for (size_t k = 0; k < i && !known; k++) /* said of an earlier one */
            known = c->history.series[k].count > 1 &&
                    strcmp(c->history.series[k].device, s->device) == 0;
        if (!known)
            fprintf(stderr,
                    "gpubench history: note: what equal runs on %s differ by is not known, so that "
                    "%g %% is taken for the smallest effect: `gpubench run CONFIG --aa` measures "
                    "it, in the folder of the results\n",
                    s->device, 100 * c->wishes.judging.min_effect);
    }
}

static int show(history_command *c, char **paths, size_t count)
{
    gb_error error = {GB_OK, ""};
    if (!read_all(c, paths, count, &error)) goto failed;
    gb_history_output output = {
        .history = &c->history, .judging = &c->wishes.judging, .file = stdout};
    gb_exporter_begin(c->format, &output);
    for (size_t i = 0; i < c->history.count; i++)
        c->format->item(&output, &c->history.series[i]);
    gb_exporter_end(c->format, &output);
    fflush(stdout);
    if (c->wishes.judging.noise) warn_noise(c);
    if (c->plot && !gb_history_plot(&c->history, &c->chosen, c->plot, &error)) goto failed;
    return c->fail_on == FAIL_ON_SLOWER && c->history.still_slower ? GB_EXIT_SLOWER : GB_EXIT_OK;
failed:
    if (gb_interrupted) return GB_EXIT_INTERRUPTED;
    fprintf(stderr, "gpubench history: %s\n", error.text);
    return GB_EXIT_USAGE;
}

/* False, with the exit status in *status, if the command ends here. */
static bool parse(history_command *c, int argc, char **argv, int *status)
{
    static const char *const fails[] = {"slower", NULL};
    gb_chooser chooser = {&c->arena, &c->chosen};
    unsigned format = 0;
    gb_judging *judging = &c->wishes.judging;
    const gb_option own[] = {
        gb_option_size("last", "N", "only the last N runs of each experiment (default: all)",
                       &c->wishes.last, 1, 1000000),
        gb_option_part("alpha", "P", "chance of a false alarm in each run (default: 0.05)",
                       &judging->alpha),
        gb_option_part("min-effect", "PERCENT", "smaller differences do not matter (default: 1%)",
                       &judging->min_effect),
        gb_option_word("fail-on", NULL,
                       "exit status 4 if some row became slower, or failed, and still is",
                       &c->fail_on, fails),
        gb_exporter_option("how to write it (default: text)", gb_history_exporters, &format),
        gb_option_text("plot", "FILE", "draw it into FILE.svg, .pdf, .png or .eps, one experiment",
                       &c->plot),
        gb_option_text("noise", "FILE|none",
                       "what equal runs differ by (default: aa/noise.csv beside)", &c->noise_path),
        gb_choice_option("cache", "warm|cold", "only rows with this cache mode", &chooser),
        gb_choice_option("scope", "device|host-to-host", "only rows of this scope", &chooser),
        gb_choice_variant(&chooser),
        gb_choice_option("experiment", "NAME", "only these experiments, separated by commas",
                         &chooser),
        gb_option_no_pager(),
        {0}};
    if (!gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv), status))
        return false;
    c->format = &gb_history_exporters[format];
    return true;
}

int gb_command_history(int argc, char **argv)
{
    history_command c = {.wishes = {.judging = {.alpha = 0.05, .min_effect = 0.01}},
                         .fail_on = FAIL_ON_NONE};
    int status;
    gb_interrupt_install();
    if (parse(&c, argc, argv, &status)) {
        if (optind < argc) {
            status = show(&c, argv + optind, (size_t)(argc - optind));
        } else {
            fputs("gpubench history: name a folder with the results of several runs, such as "
                  "results/nvidia-h200; --help says more\n",
                  stderr);
            status = GB_EXIT_USAGE;
        }
    }
    gb_history_free(&c.history);
    gb_arena_free(&c.arena);
    return status;
}
