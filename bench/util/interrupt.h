/* Ctrl-C and SIGTERM: the first asks the run to end cleanly, the second ends it at once. */
#ifndef GB_UTIL_INTERRUPT_H
#define GB_UTIL_INTERRUPT_H

#include <signal.h>
#include <sys/types.h>

/* The signal that asked for an end; 0 while none did. */
extern volatile sig_atomic_t gb_interrupted;

/* Handles SIGINT, SIGTERM, SIGHUP and, where CPU time is limited, SIGXCPU from here on. System
 * calls that wait return EINTR. */
void gb_interrupt_install(void);

/* Waits for a child, to which it passes on, as a SIGTERM and once, that somebody asked for an end,
 * whether that was before or comes while it waits. *status as of waitpid. 0 or an errno. */
int gb_interrupt_wait(pid_t child, int *status);

#endif
