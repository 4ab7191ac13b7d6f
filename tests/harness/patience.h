/* By how much tests that assert a time may miss it: 1, or more in builds that are slow on purpose.
 */
#ifndef GB_TESTS_HARNESS_PATIENCE_H
#define GB_TESTS_HARNESS_PATIENCE_H

#include <stdlib.h>

static inline double patience(void)
{
    const char *factor = getenv("TEST_PATIENCE");
    return factor && atof(factor) > 1 ? atof(factor) : 1;
}

#endif
