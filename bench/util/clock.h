/* What time it is: for measuring how long something takes, and for people. */
#ifndef GB_UTIL_CLOCK_H
#define GB_UTIL_CLOCK_H

/* Seconds of the monotonic clock. */
double gb_now(void);
/* "2025-01-31T23:59:59Z" */
void gb_utc_now(char text[24]);

#endif
