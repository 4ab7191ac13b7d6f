/* What the commands' command lines share: one table describes the options for getopt_long, for the
 * help text, for what becomes of their arguments and for messages about mistakes. */
#ifndef GB_UTIL_OPTIONS_H
#define GB_UTIL_OPTIONS_H

#include "common/text/error.h"

#include <stdint.h>
#include <stdio.h>

/* Takes the argument of an option (without dashes; NULL if it takes none). False and *error, whose
 * text names the option, if it is refused. */
typedef bool gb_option_take(void *to, const char *option, const char *argument, gb_error *error);

/* What becomes of an argument, and where it goes (gb_option.to). */
typedef enum gb_option_kind {
    GB_OPTION_IS_FLAG,   /* true where it is given; it takes no argument */
    GB_OPTION_IS_TEXT,   /* the argument itself, which lives in argv */
    GB_OPTION_IS_LIST,   /* the same, but of an option that may be given more than once */
    GB_OPTION_IS_SIZE,   /* a whole number such as 7 or 32M, within limits */
    GB_OPTION_IS_PART,   /* from 0 up to, but not, 1; "5%" is 0.05 */
    GB_OPTION_IS_WORD,   /* which one of several words, by its number from 0 */
    GB_OPTION_IS_CHOICE, /* the same, from 2, of words that may be left out: then 1 */
    GB_OPTION_IS_SPECIAL /* what a function makes of it */
} gb_option_kind;

/* Made by the functions below. */
typedef struct gb_option {
    const char *name;     /* long name without dashes; NULL ends a table */
    const char *argument; /* what it takes, as the help prints it ("DIR"); NULL: nothing, but of a
                           * word all those allowed ("text|csv") */
    const char *help;     /* one line */
    gb_option_kind kind;
    union {
        bool *flag;
        const char **text; /* of a list the first */
        uint64_t *size;
        double *part;
        unsigned *word;
        void *special;
    } to;
    unsigned *count;          /* of a list */
    uint64_t least, most;     /* of a size; of a list most alone */
    const char *const *words; /* of a word: the first, */
    size_t stride;            /* and bytes from one to the next */
    gb_option_take *take;     /* of what is special */
} gb_option;

/* Entries of a table, which is local to the function that has the destinations. What a destination
 * holds before is the default; of an option given more than once the last one counts, but for
 * lists.
 */
gb_option gb_option_flag(const char *name, const char *help, bool *to);
gb_option gb_option_text(const char *name, const char *argument, const char *help, const char **to);
/* to: room for `most` texts, of which *count are there. */
gb_option gb_option_list(const char *name, const char *argument, const char *help, const char **to,
                         unsigned *count, unsigned most);
gb_option gb_option_size(const char *name, const char *argument, const char *help, uint64_t *to,
                         uint64_t least, uint64_t most);
gb_option gb_option_part(const char *name, const char *argument, const char *help, double *to);
/* to: an enum without negative values will do. argument: NULL for all the words, "text|csv". words:
 * NULL-terminated. */
gb_option gb_option_word(const char *name, const char *argument, const char *help, unsigned *to,
                         const char *const *words);
/* The same of a table: words points to the name in its first entry, stride is the bytes from an
 * entry to the next. One whose name is NULL ends it. */
gb_option gb_option_entry(const char *name, const char *help, unsigned *to,
                          const char *const *words, size_t stride);
/* An option that may stand alone, *to being 1 then, or have one of the words behind "=", 2 and so
 * on.
 */
gb_option gb_option_choice(const char *name, const char *help, unsigned *to,
                           const char *const *words);
gb_option gb_option_special(const char *name, const char *argument, const char *help,
                            gb_option_take *take, void *to);

/* Entries that several commands have. */
gb_option gb_option_device(const char **to);
gb_option gb_option_worker(const char **to);
extern const char gb_worker_help[]; /* of --worker */
/* --verbose, which lets the workers' log through to stderr. */
gb_option gb_option_verbose(const char *help);

typedef struct gb_command_help {
    const char *usage;    /* "run CONFIG... [options]" */
    const char *summary;  /* one or more lines, each ending in a line feed */
    const char *examples; /* lines, each ending in a line feed */
} gb_command_help;

/* Takes a command's options from its argv (argv[0] is the command's name): true, with the operands
 * in argv[optind] to argv[argc - 1], or false, with the exit status in *status, if the command ends
 * here: --help, which is added to the table, was printed to stdout, or the first mistake to stderr.
 * Uses getopt_long: options and operands may be mixed, "--" ends the options. */
bool gb_options_parse(int argc, char **argv, const gb_command_help *help, const gb_option *options,
                      int *status);

#endif
