/* Ctrl-C and SIGTERM: the first asks the run to end cleanly, the second ends it at once. */
#ifndef GB_UTIL_INTERRUPT_H
#define GB_UTIL_INTERRUPT_H

#include <signal.h>

/* The signal that asked for an end; 0 while none did. */
extern volatile sig_atomic_t gb_interrupted;

/* Handles SIGINT, SIGTERM, SIGHUP and, where CPU time is limited, SIGXCPU from here on. System
 * calls that wait return EINTR. */
void gb_interrupt_install(void);

#endif
