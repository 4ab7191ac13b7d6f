/* What a process may have at most: named in messages about what it could not get, and looked after
 * when a program begins. */
#ifndef GB_TEXT_LIMITS_H
#define GB_TEXT_LIMITS_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GB_LIMIT_TEXT = 256 };

/* The limit that a call may have met, by its errno, and what to do: for EAGAIN that of processes
 * (ulimit -u, the control group's pids.max), for ENOMEM of memory (ulimit -v and -d), for EMFILE of
 * open files, for EFBIG of a file's size. In parentheses behind a blank, for the end of a message;
 * "" for any other reason. Returns text. */
const char *gb_limit_behind(int reason, char text[GB_LIMIT_TEXT]);
/* The same of a limit on memory that is in force; "" if none is. */
const char *gb_limit_on_memory(char text[GB_LIMIT_TEXT]);

/* For a thread that pthread_create refused with code: *error says that it (what: "thread 2 of 4")
 * could not be started and for want of what. Returns its status: GB_OUT_OF_MEMORY where a stack for
 * it is what there is no memory for, else GB_CRASHED. */
gb_status gb_thread_refused(int code, const char *what, gb_error *error);

/* For what can do nothing without: says on stderr that the program (named so) lacks memory, how
 * much and what limits it, and ends the process with exit status 1. */
void gb_memory_gone(const char *program, size_t bytes) __attribute__((noreturn));

/* The first thing a program does: a write beyond `ulimit -f` fails from here on instead of ending
 * the process, and a stack that is small (`ulimit -s`) may grow as far as the hard limit lets it,
 * its own and those of threads. False and *error if that is not far enough. */
bool gb_limits_begin(gb_error *error);

#ifdef __cplusplus
}
#endif
#endif
