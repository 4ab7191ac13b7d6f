/* What the exit statuses of gpubench mean. */
#ifndef GB_UTIL_EXIT_STATUS_H
#define GB_UTIL_EXIT_STATUS_H

typedef enum gb_exit {
    GB_EXIT_OK = 0,            /* all points ok or unsupported */
    GB_EXIT_FAILED = 1,        /* some point failed */
    GB_EXIT_USAGE = 2,         /* command line or config; nothing was run */
    GB_EXIT_NO_DEVICE = 3,     /* no such device or worker */
    GB_EXIT_SLOWER = 4,        /* --fail-on met */
    GB_EXIT_INTERRUPTED = 130, /* SIGINT or SIGTERM */
} gb_exit;

#endif
