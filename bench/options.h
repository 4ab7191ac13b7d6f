/* What the commands' command lines share: one table describes the options for getopt_long, for the
 * help text and for the nearest known name in an error message. */
#ifndef GB_OPTIONS_H
#define GB_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct gb_option {
    const char *name;     /* long name without dashes; NULL ends a table */
    const char *argument; /* what it takes, as the help prints it ("DIR"); NULL: nothing */
    const char *help;     /* one line */
} gb_option;

typedef struct gb_command_help {
    const char *usage;        /* "run CONFIG... [options]" */
    const char *summary;      /* one or more lines, each ending in a line feed */
    const gb_option *options; /* --help is added */
    const char *examples;     /* lines, each ending in a line feed */
} gb_command_help;

/* Entries for the tables of commands that need a device. */
#define GB_OPTION_DEVICE                                                    \
    {                                                                       \
        "device", "auto|N|UUID|simt|opencl",                                \
            "the device: auto (default) is the first usable GPU, else simt" \
    }
#define GB_OPTION_WORKER                                                            \
    {                                                                               \
        "worker", "COMMAND",                                                        \
            "start this worker instead of those beside gpubench (e.g. through ssh)" \
    }

/* What gb_option_next returns besides an index into the table. */
enum {
    GB_OPTION_END = -1,  /* the operands are argv[optind] to argv[argc - 1] */
    GB_OPTION_HELP = -2, /* the help was printed to stdout: return GB_EXIT_OK */
    GB_OPTION_BAD = -3   /* the mistake was printed to stderr: return GB_EXIT_USAGE */
};

/* The next option of a command's argv (argv[0] is the command's name): its index in help->options,
 * with *argument its argument if it takes one, or one of the above. Uses getopt_long: options and
 * operands may be mixed, "--" ends the options. Set optind to 0 before the first call. */
int gb_option_next(int argc, char **argv, const gb_command_help *help, const char **argument);

/* Adds the argument of an option that may be given more than once to a list with room for `most`;
 * false, with a message, where it is full. command: argv[0]. */
bool gb_option_add(const char *command, const char *option, const char *argument, const char **list,
                   unsigned *count, unsigned most);

/* Prints the help text of a command. */
void gb_command_print_help(FILE *file, const gb_command_help *help);

/* Whether to colour what goes to this stream: a terminal, NO_COLOR unset or empty, TERM not dumb.*/
bool gb_use_colour(FILE *file);

#endif
