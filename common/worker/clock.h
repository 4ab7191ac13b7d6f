/* The host's clock, for times of host work and for regions that run on the CPU. */
#ifndef GB_WORKER_CLOCK_H
#define GB_WORKER_CLOCK_H

#include <time.h>

/* Seconds of CLOCK_MONOTONIC since some fixed moment. */
static inline double gb_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
