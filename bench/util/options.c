/* getopt_long driven by one table, with messages that name the nearest known option. */
#include "bench/util/options.h"

#include "bench/util/arena.h"
#include "bench/util/exit_status.h"
#include "bench/util/nearest.h"
#include "common/text/number.h"
#include "common/text/size.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CODE_HELP = 256, CODE_FIRST };

/* ---- entries of a table ---------------------------------------------------------------------- */

gb_option gb_option_flag(const char *name, const char *help, bool *to)
{
    return (gb_option){.name = name, .help = help, .kind = GB_OPTION_IS_FLAG, .to = {.flag = to}};
}

static gb_option with_argument(gb_option_kind kind, const char *name, const char *argument,
                               const char *help)
{
    return (gb_option){.name = name, .argument = argument, .help = help, .kind = kind};
}

gb_option gb_option_text(const char *name, const char *argument, const char *help, const char **to)
{
    gb_option option = with_argument(GB_OPTION_IS_TEXT, name, argument, help);
    option.to.text = to;
    return option;
}

gb_option gb_option_list(const char *name, const char *argument, const char *help, const char **to,
                         unsigned *count, unsigned most)
{
    gb_option option = with_argument(GB_OPTION_IS_LIST, name, argument, help);
    option.to.text = to;
    option.count = count;
    option.most = most;
    return option;
}

gb_option gb_option_size(const char *name, const char *argument, const char *help, uint64_t *to,
                         uint64_t least, uint64_t most)
{
    gb_option option = with_argument(GB_OPTION_IS_SIZE, name, argument, help);
    option.to.size = to;
    option.least = least;
    option.most = most;
    return option;
}

gb_option gb_option_part(const char *name, const char *argument, const char *help, double *to)
{
    gb_option option = with_argument(GB_OPTION_IS_PART, name, argument, help);
    option.to.part = to;
    return option;
}

gb_option gb_option_word(const char *name, const char *argument, const char *help, unsigned *to,
                         const char *const *words)
{
    gb_option option = with_argument(GB_OPTION_IS_WORD, name, argument, help);
    option.to.word = to;
    option.words = words;
    option.stride = sizeof *words;
    return option;
}

gb_option gb_option_entry(const char *name, const char *help, unsigned *to,
                          const char *const *words, size_t stride)
{
    gb_option option = gb_option_word(name, NULL, help, to, words);
    option.stride = stride;
    return option;
}

gb_option gb_option_choice(const char *name, const char *help, unsigned *to,
                           const char *const *words)
{
    gb_option option = gb_option_word(name, NULL, help, to, words);
    option.kind = GB_OPTION_IS_CHOICE;
    return option;
}

gb_option gb_option_special(const char *name, const char *argument, const char *help,
                            gb_option_take *take, void *to)
{
    gb_option option = with_argument(GB_OPTION_IS_SPECIAL, name, argument, help);
    option.to.special = to;
    option.take = take;
    return option;
}

gb_option gb_option_device(const char **to)
{
    return gb_option_text("device", "auto|all|N,...|simt|opencl|python",
                          "the device: auto (default) is the first usable GPU, else simt; N is an "
                          "index or a UUID, several work together",
                          to);
}

const char gb_worker_help[] =
    "start this worker (e.g. through ssh), or those of a folder, instead of all others";

gb_option gb_option_worker(const char **to)
{
    return gb_option_text("worker", "COMMAND|DIR", gb_worker_help, to);
}

static bool be_verbose(void *to, const char *option, const char *argument, gb_error *error)
{
    (void)to, (void)option, (void)argument, (void)error;
    setenv("GPUBENCH_VERBOSE", "1", 1);
    return true;
}

gb_option gb_option_verbose(const char *help)
{
    return gb_option_special("verbose", NULL, help, be_verbose, NULL);
}

/* ---- the help text --------------------------------------------------------------------------- */

static unsigned count_options(const gb_option *options)
{
    unsigned count = 0;
    while (options[count].name)
        count++;
    return count;
}

/* A word's number i; NULL behind the last. */
static const char *word_of(const gb_option *option, size_t i)
{
    return *(const char *const *)((const char *)option->words + i * option->stride);
}

/* " text|csv", "[=side-by-side]", or "" of an option that takes nothing. */
static const char *argument_of(gb_arena *arena, const gb_option *option)
{
    if (option->argument) return gb_arena_printf(arena, " %s", option->argument);
    const char *text = "";
    for (size_t i = 0; option->words && word_of(option, i); i++)
        text = gb_arena_printf(arena, "%s%s%s", text, i ? "|" : "", word_of(option, i));
    if (!option->words) return text;
    return gb_arena_printf(arena, option->kind == GB_OPTION_IS_CHOICE ? "[=%s]" : " %s", text);
}

static void print_help(gb_arena *arena, const gb_command_help *help, const gb_option *options)
{
    const unsigned count = count_options(options);
    const char **shown = gb_arena_alloc(arena, (count + 1) * sizeof *shown);
    int width = 0;
    for (unsigned i = 0; i <= count; i++) {
        shown[i] = i < count ? gb_arena_printf(arena, "%s%s", options[i].name,
                                               argument_of(arena, &options[i]))
                             : "help";
        if ((int)strlen(shown[i]) > width) width = (int)strlen(shown[i]);
    }
    printf("usage: gpubench %s\n\n%s\noptions:\n", help->usage, help->summary);
    for (unsigned i = 0; i <= count; i++)
        printf("  --%-*s  %s\n", width, shown[i], i < count ? options[i].help : "this text");
    if (help->examples) printf("\nexamples:\n%s", help->examples);
}

/* ---- options that there are not ----------------------------------------------------------------
 */

/* How many known options begin with what was given: getopt_long takes a unique beginning. */
static unsigned count_beginnings(const char *name, const char *const *names)
{
    unsigned count = 0;
    for (; *names; names++)
        count += strncmp(*names, name, strlen(name)) == 0;
    return count;
}

/* Says what is wrong with the option that getopt_long has just refused. */
static void refuse(gb_arena *arena, const char *command, const char *given, int code,
                   const struct option *known, unsigned count)
{
    const char **names = gb_arena_alloc(arena, (count + 2) * sizeof *names);
    names[0] = "help";
    for (unsigned i = 0; i < count; i++)
        names[i + 1] = known[i].name;

    char name[64];
    const char *bare = given + strspn(given, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    unsigned index = (unsigned)(code - CODE_FIRST);
    const char *nearest = gb_nearest(name, names);
    fprintf(stderr, "gpubench %s: ", command);
    if (code >= CODE_FIRST && index < count && known[index].has_arg == required_argument)
        fprintf(stderr, "--%s needs an argument", known[index].name);
    else if (code >= CODE_HELP)
        fprintf(stderr, "--%s takes no argument", name);
    else if (strncmp(given, "--", 2) == 0 && count_beginnings(name, names) > 1)
        fprintf(stderr, "--%s is the beginning of more than one option", name);
    else if (nearest)
        fprintf(stderr, "unknown option %.60s (did you mean --%s?)", given, nearest);
    else
        fprintf(stderr, "unknown option %.60s", given);
    fprintf(stderr, "; `gpubench %s --help` lists the options\n", command);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool add_to_list(const char *command, const gb_option *option, const char *argument)
{
    if (*option->count < option->most) {
        option->to.text[(*option->count)++] = argument;
        return true;
    }
    fprintf(stderr, "gpubench %s: --%s may be given %" PRIu64 " times at most\n", command,
            option->name, option->most);
    return false;
}

static bool take_size(const char *command, const gb_option *option, const char *argument)
{
    uint64_t size;
    const char *why = "";
    if (!gb_size_parse(argument, &size, &why)) {
        fprintf(stderr, "gpubench %s: --%s %s: %s\n", command, option->name, argument, why);
        return false;
    }
    if (size < option->least || size > option->most) {
        fprintf(stderr, "gpubench %s: --%s must be from %" PRIu64 " to %" PRIu64 "\n", command,
                option->name, option->least, option->most);
        return false;
    }
    *option->to.size = size;
    return true;
}

static bool take_part(const char *command, const gb_option *option, const char *argument)
{
    char number[32];
    double part;
    const size_t length = strlen(argument);
    const bool percent = length > 0 && argument[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - percent), argument);
    if (length < sizeof number && gb_number_parse(number, &part)) {
        if (percent) part /= 100;
        if (part >= 0 && part < 1) {
            *option->to.part = part;
            return true;
        }
    }
    fprintf(stderr,
            "gpubench %s: --%s %.60s: takes a number from 0 to 1 or a percentage, such as 0.02 or "
            "2%%\n",
            command, option->name, argument);
    return false;
}

static bool take_word(const char *command, const gb_option *option, const char *argument)
{
    for (unsigned i = 0; word_of(option, i); i++) {
        if (strcmp(word_of(option, i), argument) != 0) continue;
        *option->to.word = i;
        return true;
    }
    fprintf(stderr, "gpubench %s: --%s %.60s: found \"%.60s\", allowed are ", command, option->name,
            argument, argument);
    for (unsigned i = 0; word_of(option, i); i++)
        fprintf(stderr, "%s%s", i ? (word_of(option, i + 1) ? ", " : " and ") : "",
                word_of(option, i));
    fputc('\n', stderr);
    return false;
}

/* False, with a message, if the argument is refused. */
static bool take(const char *command, const gb_option *option, const char *argument)
{
    gb_error error = {GB_OK, ""};
    switch (option->kind) {
    case GB_OPTION_IS_FLAG:
        *option->to.flag = true;
        return true;
    case GB_OPTION_IS_TEXT:
        *option->to.text = argument;
        return true;
    case GB_OPTION_IS_LIST:
        return add_to_list(command, option, argument);
    case GB_OPTION_IS_SIZE:
        return take_size(command, option, argument);
    case GB_OPTION_IS_PART:
        return take_part(command, option, argument);
    case GB_OPTION_IS_WORD:
        return take_word(command, option, argument);
    case GB_OPTION_IS_CHOICE:
        *option->to.word = 1;
        if (!argument) return true;
        if (!take_word(command, option, argument)) return false;
        *option->to.word += 2;
        return true;
    case GB_OPTION_IS_SPECIAL:
        break;
    }
    if (option->take(option->to.special, option->name, argument, &error)) return true;
    fprintf(stderr, "gpubench %s: %s\n", command, error.text);
    return false;
}

/* ---- the command line ------------------------------------------------------------------------ */

/* The table of `count` options as getopt_long wants it, with --help behind them. */
static struct option *describe(gb_arena *arena, const gb_option *options, unsigned count)
{
    struct option *known = gb_arena_alloc(arena, (count + 2) * sizeof *known);
    for (unsigned i = 0; i < count; i++) {
        known[i].name = options[i].name;
        known[i].has_arg = options[i].kind == GB_OPTION_IS_CHOICE    ? optional_argument
                           : options[i].argument || options[i].words ? required_argument
                                                                     : no_argument;
        known[i].val = (int)(CODE_FIRST + i);
    }
    known[count] = (struct option){"help", no_argument, NULL, CODE_HELP};
    return known;
}

static bool parse(gb_arena *arena, int argc, char **argv, const gb_command_help *help,
                  const gb_option *options, int *status)
{
    const unsigned count = count_options(options);
    const struct option *known = describe(arena, options, count);
    opterr = 0;
    optind = 0; /* getopt_long starts anew */
    *status = GB_EXIT_USAGE;
    for (int code; (code = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (code == 'h' || code == CODE_HELP) {
            print_help(arena, help, options);
            *status = GB_EXIT_OK;
            return false;
        }
        if (code >= CODE_FIRST) {
            if (take(argv[0], &options[code - CODE_FIRST], optarg)) continue;
            return false;
        }
        const char letter[3] = {'-', (char)optopt, '\0'};
        const bool is_letter = optopt > 0 && optopt < CODE_HELP;
        refuse(arena, argv[0], is_letter ? letter : argv[optind - 1], optopt, known, count);
        return false;
    }
    return true;
}

bool gb_options_parse(int argc, char **argv, const gb_command_help *help, const gb_option *options,
                      int *status)
{
    gb_arena arena = {0};
    const bool goes_on = parse(&arena, argc, argv, help, options, status);
    gb_arena_free(&arena);
    return goes_on;
}
