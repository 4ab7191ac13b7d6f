/* Reading the clocks. */
#include "bench/util/clock.h"

#include <time.h>

double gb_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void gb_utc_now(char text[24])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
