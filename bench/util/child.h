/* Child processes with three pipes: starting them without a shell, ending them with their whole
 * group, and putting how they ended into words. */
#ifndef GB_UTIL_CHILD_H
#define GB_UTIL_CHILD_H

#include "common/text/error.h"

#include <sys/types.h>

typedef struct gb_child {
    pid_t pid;        /* also its process group and session; 0: ended and reaped */
    int in, out, err; /* the driver's ends: its stdin, stdout, stderr; non-blocking; -1: closed */
    double kill_limit_s; /* for its end after SIGKILL; then nobody waits for it any more */
    bool terminated;     /* it ended of a SIGTERM, which nobody here had sent */
    bool out_of_time;    /* it ended because of a limit on CPU time (ulimit -t) */
} gb_child;

/* Splits a command at blanks; '...' and "..." keep blanks, and nothing else is special. Returns a
 * NULL-terminated list in one block (free it), or NULL and *error if it is empty or a quote stays
 * open. */
char **gb_command_split(const char *command, gb_error *error);

/* Starts argv[0] (looked for on PATH) in a session of its own, so that a Ctrl-C on the terminal
 * reaches the driver alone. False and *error if it cannot be started. */
bool gb_child_start(gb_child *child, char *const argv[], gb_error *error);

/* True once the child has ended, also while others hold its pipes open. It stays to be ended. */
bool gb_child_gone(const gb_child *child);

/* True while the child is stopped (SIGSTOP): it does not end, and does not go on. */
bool gb_child_stopped(const gb_child *child);

/* Closes the child's stdin, gives it wait_s seconds to end by itself, then asks its process group
 * to end (SIGTERM), kills it two seconds later, and reaps it. Writes how it ended ("exit status 3",
 * "ended by signal 11 (Segmentation fault)", "killed", or that it does not even end of that: a
 * device's driver can hold a process) into words. Returns true if it ended by itself with exit
 * status 0. */
bool gb_child_end(gb_child *child, double wait_s, char *words, size_t capacity);

/* Asks several to end, all at once, and kills after grace_s seconds those that have not; the
 * process groups of all of them go with them. Reaped they are by gb_child_end. */
void gb_children_end(gb_child *const *children, unsigned count, double grace_s);

#endif
