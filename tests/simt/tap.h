/* Results in TAP for the tests of the simt device. */
#ifndef GB_TESTS_SIMT_TAP_H
#define GB_TESTS_SIMT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failures;

/* One result; the format names what was tested. */
__attribute__((format(printf, 2, 3))) static bool ok(bool passed, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%sok %d - ", passed ? "" : "not ", ++tap_count);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    if (!passed) tap_failures++;
    fflush(stdout);
    return passed;
}

/* Prints the plan; the program's exit status. */
static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failures != 0;
}

#endif
