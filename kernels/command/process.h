/* A program as a process of its own: started, timed, and what it has printed. */
#ifndef GB_COMMAND_PROCESS_H
#define GB_COMMAND_PROCESS_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>

/* How a process went. */
typedef struct command_end {
    double seconds; /* of the host's clock, from before its start to after its end */
    int status;     /* as of waitpid */
    bool too_much;  /* it was killed, for it printed more than is kept */
    char *output;   /* what it wrote to stdout and stderr, one text; the caller frees it */
} command_end;

/* Starts argv[0] (looked for on PATH if it has no slash) in a folder, without a shell, with an
 * empty standard input, and waits for its end. It belongs to this process's group, whose end is its
 * own. GB_CRASHED and *error, and nothing to free, if it cannot be started. */
gb_status command_run(const char *folder, char *const argv[], command_end *end, gb_error *error);

/* How it ended, in words, with the last lines that it printed: "exit status 3; it says: ...". GB_OK
 * for exit status 0, GB_UNSUPPORTED for 77, else GB_CRASHED. */
gb_status command_judge(const command_end *end, gb_error *error);

/* The median time of a process that ends at once; 0 if there is none to be had. */
double command_start_s(void);

#endif
