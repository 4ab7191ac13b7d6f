/* getopt_long driven by one table, with messages that name the nearest known option. */
#include "bench/options.h"

#include "bench/catalogue.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 32, CODE_HELP = 256, CODE_FIRST };

static unsigned count_options(const gb_command_help *help)
{
    unsigned count = 0;
    while (help->options && help->options[count].name)
        count++;
    return count < MOST_OPTIONS ? count : MOST_OPTIONS;
}

static int width_of(const gb_option *option)
{
    return (int)(strlen(option->name) + (option->argument ? strlen(option->argument) + 1 : 0));
}

void gb_command_print_help(FILE *file, const gb_command_help *help)
{
    static const gb_option help_option = {"help", NULL, "this text"};
    unsigned count = count_options(help);
    int width = width_of(&help_option);
    for (unsigned i = 0; i < count; i++) {
        if (width_of(&help->options[i]) > width) width = width_of(&help->options[i]);
    }
    fprintf(file, "usage: gpubench %s\n\n%s\noptions:\n", help->usage, help->summary);
    for (unsigned i = 0; i <= count; i++) {
        const gb_option *option = i < count ? &help->options[i] : &help_option;
        fprintf(file, "  --%s%s%s%*s  %s\n", option->name, option->argument ? " " : "",
                option->argument ? option->argument : "", width - width_of(option), "",
                option->help);
    }
    if (help->examples) fprintf(file, "\nexamples:\n%s", help->examples);
}

/* How many known options begin with what was given: getopt_long takes a unique beginning. */
static unsigned count_beginnings(const char *name, const char *const *names)
{
    unsigned count = 0;
    for (; *names; names++)
        count += strncmp(*names, name, strlen(name)) == 0;
    return count;
}

/* Says what is wrong with the option that getopt_long has just refused. */
static void refuse(const char *command, const char *given, int code, const struct option *known,
                   unsigned count)
{
    const char *names[MOST_OPTIONS + 2] = {"help"};
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

int gb_option_next(int argc, char **argv, const gb_command_help *help, const char **argument)
{
    struct option known[MOST_OPTIONS + 2];
    unsigned count = count_options(help);
    memset(known, 0, sizeof known);
    for (unsigned i = 0; i < count; i++) {
        known[i].name = help->options[i].name;
        known[i].has_arg = help->options[i].argument ? required_argument : no_argument;
        known[i].val = (int)(CODE_FIRST + i);
    }
    known[count] = (struct option){"help", no_argument, NULL, CODE_HELP};

    opterr = 0;
    int code = getopt_long(argc, argv, ":h", known, NULL);
    *argument = optarg;
    if (code == -1) return GB_OPTION_END;
    if (code == 'h' || code == CODE_HELP) {
        gb_command_print_help(stdout, help);
        return GB_OPTION_HELP;
    }
    if (code >= CODE_FIRST) return code - CODE_FIRST;

    const char *given = argv[optind - 1];
    char letter[3] = {'-', (char)optopt, '\0'};
    if (optopt > 0 && optopt < CODE_HELP) given = letter;
    refuse(argv[0], given, optopt, known, count);
    return GB_OPTION_BAD;
}

bool gb_option_add(const char *command, const char *option, const char *argument, const char **list,
                   unsigned *count, unsigned most)
{
    if (*count == most) {
        fprintf(stderr, "gpubench %s: --%s may be given %u times at most\n", command, option, most);
        return false;
    }
    list[(*count)++] = argument;
    return true;
}

bool gb_use_colour(FILE *file)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(file)) && !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;
}
