/* gpubench scaling: how variants scale over the GPUs that run them together, and what a model says
 * of more GPUs. The latter is experimental. */
#include "bench/scaling/scaling.h"
#include "bench/commands/commands.h"
#include "bench/commands/scaling_plot.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"
#include "common/text/number.h"

#include <getopt.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "scaling RESULTS... [options]",
    .summary =
        "How variants scale over the GPUs that run them together (the axis `gpus`): times, "
        "speed-up\n"
        "and efficiency beside what does the same alone on one GPU, the part of the time that is "
        "no\n"
        "work, and the efficiency that memory and links allow. Experimental: a model of few terms\n"
        "(a GPU's work on its share, latency, bytes over the link) says what more GPUs would "
        "take;\n"
        "each such number is marked as projected, and for each that was measured stands what "
        "fewer\n"
        "GPUs would have let expect. --AXIS VALUE[,VALUE...] chooses rows, such as --n 512Mi.\n"
        "docs/scaling.md says what it rests on.\n",
    .examples =
        "  gpubench scaling results/nvidia-h100-80gb-hbm3/under/gpus-2/radix-sort-multi.csv\n"
        "  gpubench scaling my-results --variant peers --onto 16 --format csv\n"
        "  gpubench scaling my-results/stencil-multi.csv --radius 1 --plot scaling.svg\n"};

typedef struct scaling_command {
    gb_arena arena; /* of the options */
    gb_sides sides;
    gb_scaling_book book;
    gb_scaling scaling;
    gb_choices chosen;
    const gb_option *options; /* its own, without those of axes */
    const char *plot;
    unsigned format;
} scaling_command;

/* A number of seconds, or of bytes/s. */
static bool take_number(void *to, const char *option, const char *argument, gb_error *error)
{
    double number;
    if (gb_number_parse(argument, &number) && number >= 0) {
        *(double *)to = number;
        return true;
    }
    gb_fail(error, GB_WRONG, "--%s %.40s: a number from 0 up is allowed, such as 2.5e-6 or 355e9",
            option, argument);
    return false;
}

/* "4,8,64" */
static bool take_targets(void *to, const char *option, const char *argument, gb_error *error)
{
    gb_scaling *scaling = to;
    double number;
    char word[16];
    scaling->target_count = 0;
    for (const char *at = argument;; at++) {
        const size_t length = strcspn(at, ",");
        if (length < sizeof word) memcpy(word, at, length);
        word[length < sizeof word ? length : 0] = '\0';
        if (!gb_number_parse(word, &number) || number < 2 || number > 65536 ||
            number != (double)(unsigned)number ||
            scaling->target_count == GB_SCALING_MOST_TARGETS) {
            gb_fail(error, GB_WRONG,
                    "--%s %.40s: numbers of GPUs from 2 to 65536 are allowed, such as 4,8,64, %d "
                    "at most",
                    option, argument, GB_SCALING_MOST_TARGETS);
            return false;
        }
        scaling->targets[scaling->target_count++] = (unsigned)number;
        at += length;
        if (!*at) return true;
    }
}

/* Some of the operands have what was chosen. */
static bool check_choices(scaling_command *c, gb_error *error)
{
    for (size_t i = 0; i < c->sides.operand_count; i++)
        if (gb_choices_check(&c->chosen, &c->sides.operands[i], c->options, error)) {
            *error = (gb_error){GB_OK, ""};
            return true;
        }
    return false;
}

static int scale(scaling_command *c, char **paths, size_t count)
{
    gb_error error = {GB_OK, ""};
    bool good = gb_sides_load(&c->sides, paths, count, &error) && check_choices(c, &error) &&
                gb_scaling_load(&c->arena, &c->book, &error);
    if (good) {
        c->scaling.sides = &c->sides;
        c->scaling.book = &c->book;
        c->scaling.chosen = &c->chosen;
        good = gb_scaling_find(&c->scaling, &error);
    }
    if (good && c->plot) {
        good = gb_scaling_plot(&c->sides.arena, &c->scaling, c->plot, &error);
    } else if (good) {
        gb_scaling_output output = {&c->sides.arena, stdout};
        gb_exporter_begin(&gb_scaling_exporters[c->format], &output);
        gb_scaling_exporters[c->format].item(&output, &c->scaling);
        gb_exporter_end(&gb_scaling_exporters[c->format], &output);
    }
    if (!good) fprintf(stderr, "gpubench scaling: %s\n", error.text);
    return good ? GB_EXIT_OK : GB_EXIT_USAGE;
}

int gb_command_scaling(int argc, char **argv)
{
    scaling_command c = {
        .scaling = {.said = {.latency_s = -1}, .targets = {4, 8, 64}, .target_count = 3}};
    gb_chooser chooser = {&c.arena, &c.chosen};
    int status;
    const gb_option own[] = {
        gb_option_special("onto", "N[,N...]", "numbers of GPUs to project to (default: 4,8,64)",
                          take_targets, &c.scaling),
        gb_option_special("alpha", "SECONDS", "latency between GPUs (default: as measured)",
                          take_number, &c.scaling.said.latency_s),
        gb_option_special("beta", "BYTES/S",
                          "what a GPU sends while it gets (default: as measured)", take_number,
                          &c.scaling.said.bytes_per_s),
        gb_option_text("plot", "FILE", "draw efficiency over GPUs: a .svg, .pdf, .png or .eps",
                       &c.plot),
        gb_choice_option("cache", "warm|cold", "only rows with this cache mode", &chooser),
        gb_choice_option("scope", "device|host-to-host", "only rows that time this", &chooser),
        gb_choice_variant(&chooser),
        gb_choice_option("experiment", "NAME", "only these experiments, separated by commas",
                         &chooser),
        gb_exporter_option("how to write it (default: text)", gb_scaling_exporters, &c.format),
        gb_option_no_pager(),
        {0}};
    c.options = own;
    if (gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv),
                         &status)) {
        if (optind >= argc) {
            fputs("gpubench scaling: name result files or folders of runs on several GPUs, such as "
                  "results/nvidia-h100-80gb-hbm3/under/gpus-2; --help says more\n",
                  stderr);
            status = GB_EXIT_USAGE;
        } else {
            status = scale(&c, argv + optind, (size_t)(argc - optind));
        }
    }
    gb_sides_free(&c.sides);
    gb_arena_free(&c.arena);
    return status;
}
