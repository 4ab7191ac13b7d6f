/* gpubench compare: how the results of one device, toolkit or version stand against another's. */
#include "bench/commands.h"
#include "bench/compare_print.h"
#include "bench/options.h"

#include <getopt.h>
#include <string.h>

enum {
    ALPHA,
    MIN_EFFECT,
    FAIL_ON,
    FORMAT,
    PER,
    NOISE,
    ROWS,
    CACHE,
    SCOPE,
    VARIANT,
    EXPERIMENT,
    OWN_OPTIONS
};

static const gb_option own_options[] = {
    [ALPHA] = {"alpha", "P", "chance of a false alarm in all tests together (default: 0.05)"},
    [MIN_EFFECT] = {"min-effect", "PERCENT", "smaller differences do not matter (default: 1%)"},
    [FAIL_ON] = {"fail-on", "slower|unclear", "exit status 4 if a row is (with unclear: either)"},
    [FORMAT] = {"format", NULL /* of gb_compare_exporters */, "how to write it (default: text)"},
    [PER] = {"per", "sm-clock|bandwidth|watt", "divide rates by what the device has of it"},
    [NOISE] = {"noise", "FILE|none", "what equal runs differ by (default: aa/noise.csv beside)"},
    [ROWS] = {"rows", "N|all", "show so many of the rows that differ (default: 20)"},
    [CACHE] = {"cache", "warm|cold", "only rows with this cache mode"},
    [SCOPE] = {"scope", "device|host-to-host", "only rows of this scope"},
    [VARIANT] = {"variant", "NAME", "only these variants, separated by commas"},
    [EXPERIMENT] = {"experiment", "NAME", "only these experiments, separated by commas"},
    [OWN_OPTIONS] = {NULL, NULL, NULL}};

typedef struct compare_command {
    gb_sides sides;
    gb_arena arena; /* of the options */
    gb_choices chosen;
    gb_judging judging;
    gb_noise noise;
    const char *noise_path;
    const gb_exporter *format;
    long rows;
    bool fail_slower, fail_unclear;
    gb_comparison *comparisons;
    size_t count;
} compare_command;

/* ---- options --------------------------------------------------------------------------------- */

static void refuse(const char *option, const char *argument, const char *allowed)
{
    fprintf(stderr, "gpubench compare: --%s %.60s: found \"%.60s\", allowed are %s\n", option,
            argument, argument, allowed);
}

/* The number of the word in a list of `count`; -1 and a message if it is none of them. */
static int choose(gb_arena *arena, const char *option, const char *argument,
                  const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], argument) == 0) return i;
    refuse(option, argument, gb_arena_listed(arena, words, (size_t)count));
    return -1;
}

/* A number between 0 and 1, "5%" being 0.05. */
static bool take_part(const char *option, const char *argument, double *part)
{
    char number[32];
    const size_t length = strlen(argument);
    const bool percent = length > 0 && argument[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - percent), argument);
    if (length < sizeof number && gb_number_parse(number, part)) {
        if (percent) *part /= 100;
        if (*part >= 0 && *part < 1) return true;
    }
    fprintf(stderr,
            "gpubench compare: --%s %.60s: takes a number from 0 to 1 or a percentage, such "
            "as 0.02 or 2%%\n",
            option, argument);
    return false;
}

static bool take_rows(const char *argument, long *rows)
{
    double number;
    *rows = GB_ALL_ROWS;
    if (strcmp(argument, "all") == 0) return true;
    if (gb_number_parse(argument, &number) && number >= 0 && number <= 1e9) {
        *rows = (long)number;
        return true;
    }
    fprintf(stderr, "gpubench compare: --rows %.60s: takes how many, or all\n", argument);
    return false;
}

static bool take_option(compare_command *c, int option, const char *name, const char *argument)
{
    static const char *const fails[] = {"slower", "unclear"};
    int word;
    switch (option) {
    case ALPHA:
        return take_part(name, argument, &c->judging.alpha);
    case MIN_EFFECT:
        return take_part(name, argument, &c->judging.min_effect);
    case FAIL_ON:
        if ((word = choose(&c->arena, name, argument, fails, 2)) < 0) return false;
        c->fail_slower = true;
        c->fail_unclear = word == 1;
        return true;
    case FORMAT:
        c->format = gb_exporter_find(gb_compare_exporters, argument);
        if (c->format) return true;
        refuse(name, argument, gb_exporter_words(gb_compare_exporters, ", ", " and "));
        return false;
    case PER:
        if ((word = choose(&c->arena, name, argument, gb_view_names, GB_VIEW_COUNT)) < 0)
            return false;
        c->judging.view = (gb_view)word;
        return true;
    case NOISE:
        c->noise_path = argument;
        return true;
    case ROWS:
        return take_rows(argument, &c->rows);
    default:
        gb_choices_add(&c->arena, &c->chosen, name, argument);
        return true;
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The file that --noise names, else what lies beside the operands. */
static bool load_noise(compare_command *c, char **paths, size_t count, gb_error *error)
{
    gb_arena *arena = &c->sides.arena;
    if (c->noise_path && strcmp(c->noise_path, "none") == 0) return true;
    c->judging.noise = &c->noise;
    if (c->noise_path) return gb_noise_load(arena, c->noise_path, &c->noise, error);
    return gb_noise_load_beside(arena, paths, count, &c->noise, error);
}

/* The first side against each of the others. Published numbers are not set against those of the
 * same paper. */
static bool compare_all(compare_command *c, gb_error *error)
{
    gb_sides *sides = &c->sides;
    if (sides->count < 2) {
        gb_fail(error, GB_WRONG,
                "there is one side only, %s: name two result files or folders at "
                "least, such as results/nvidia-h200 and results/published",
                sides->count ? sides->items[0].label : "without any row");
        return false;
    }
    c->comparisons = gb_arena_alloc(&sides->arena, sides->count * sizeof *c->comparisons);
    size_t pairs = 0;
    for (size_t i = 1; i < sides->count; i++) {
        gb_comparison *comparison = &c->comparisons[c->count];
        gb_compare_join(sides, &sides->items[0], &sides->items[i], &c->chosen, comparison);
        gb_compare_judge(sides, &c->judging, comparison);
        pairs += comparison->pair_count;
        c->count++;
    }
    if (pairs > 0) return true;
    gb_fail(error, GB_WRONG,
            "no row of %s has a partner in the others: rows belong together that have the same "
            "experiment, variant and axes%s%s",
            sides->items[0].label, c->chosen.count ? ", here those that were chosen" : "",
            c->comparisons[0].simt_apart ? "; times of the simt device are never set beside a GPU's"
                                         : "");
    return false;
}

static void print_all(compare_command *c)
{
    gb_compare_output output = {
        .sides = &c->sides, .judging = &c->judging, .rows = c->rows, .file = stdout};
    gb_exporter_begin(c->format, &output);
    for (size_t i = 0; i < c->count; i++)
        c->format->item(&output, &c->comparisons[i]);
    gb_exporter_end(c->format, &output);
}

static int compare(compare_command *c, char **paths, size_t count)
{
    gb_error error = {GB_OK, ""};
    if (!gb_sides_load(&c->sides, paths, count, &error) || !load_noise(c, paths, count, &error) ||
        !compare_all(c, &error)) {
        fprintf(stderr, "gpubench compare: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    print_all(c);
    fflush(stdout);
    bool slower = false, unclear = false;
    for (size_t i = 0; i < c->count; i++) {
        const gb_comparison *comparison = &c->comparisons[i];
        if (comparison->pair_count) gb_compare_warn(&c->judging, comparison);
        slower |= comparison->verdicts[GB_SLOWER] || comparison->broken;
        unclear |= comparison->verdicts[GB_UNCLEAR] > 0;
    }
    const bool met = (c->fail_slower && slower) || (c->fail_unclear && unclear);
    return met ? GB_EXIT_SLOWER : GB_EXIT_OK;
}

int gb_command_compare(int argc, char **argv)
{
    compare_command c = {
        .judging = {.alpha = 0.05, .min_effect = 0.01}, .format = gb_compare_exporters, .rows = 20};
    const gb_command_help help = {
        .usage = "compare A B... [options]",
        .summary =
            "Sets rows of the same experiment, variant and axes beside one another: the ratio of\n"
            "their rates with its 95 % interval, and whether B is FASTER, SLOWER or the SAME, or\n"
            "whether that is UNCLEAR. A, B, ... are result files, folders of them, files of\n"
            "results/published, or \"published\" for all of these; the first is what the others\n"
            "are compared with. --AXIS VALUE[,VALUE...] chooses rows, such as --bins 256.\n",
        .options = own_options,
        .examples = "  gpubench compare results/nvidia-h200 results/nvidia-h100\n"
                    "  gpubench compare results/nvidia-h200 published --per bandwidth\n"
                    "  gpubench compare before/ after/ --fail-on slower --min-effect 2%\n"};
    gb_command_help parsed = help;
    gb_option *options = gb_choice_options(&c.arena, own_options, argc, argv);
    options[FORMAT].argument = gb_exporter_words(gb_compare_exporters, "|", "|");
    parsed.options = options;
    int status = GB_EXIT_OK;
    const char *argument;
    optind = 0;
    for (int option; (option = gb_option_next(argc, argv, &parsed, &argument)) != GB_OPTION_END;) {
        if (option == GB_OPTION_HELP) goto done;
        status = GB_EXIT_USAGE;
        if (option == GB_OPTION_BAD ||
            !take_option(&c, option, parsed.options[option].name, argument))
            goto done;
        status = GB_EXIT_OK;
    }
    if (optind >= argc) {
        fprintf(stderr, "gpubench compare: name what to compare: two result files or folders, such "
                        "as results/nvidia-h200 and published; --help says more\n");
        status = GB_EXIT_USAGE;
        goto done;
    }
    status = compare(&c, argv + optind, (size_t)(argc - optind));
done:
    gb_sides_free(&c.sides);
    gb_arena_free(&c.arena);
    return status;
}
