/* Times in a program's output. */
#include "kernels/command/pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TIMES = 100000, MOST_DIGITS = 60 };
/* Two clocks, and digits that were rounded. */
static const double clock_slack = 1.1, clock_slack_s = 1e-3;

bool command_pattern(regex_t *pattern, const char *text, int groups, gb_error *error)
{
    char why[160];
    const int code = regcomp(pattern, text, REG_EXTENDED | REG_NEWLINE);
    if (code) {
        (void)regerror(code, pattern, why, sizeof why);
        gb_fail(error, GB_UNSUPPORTED, "\"%.100s\" is no POSIX extended regular expression: %s",
                text, why);
        return false;
    }
    if (strstr(text, "\\d"))
        gb_fail(error, GB_UNSUPPORTED,
                "\"%.100s\": there is no \\d in a POSIX extended regular expression: write [0-9]",
                text);
    else if (groups >= 0 && pattern->re_nsub != (size_t)groups)
        gb_fail(error, GB_UNSUPPORTED,
                "\"%.100s\" has %zu groups in parentheses; exactly one is allowed, which finds the "
                "number",
                text, pattern->re_nsub);
    else
        return true;
    regfree(pattern);
    return false;
}

/* The time that a group has found. */
static gb_status read_time(const char *text, regmatch_t group, double unit, double *seconds,
                           gb_error *error)
{
    char digits[MOST_DIGITS + 1], *end = digits;
    const size_t length = group.rm_so < 0 ? 0 : (size_t)(group.rm_eo - group.rm_so);
    if (length > 0)
        snprintf(digits, sizeof digits, "%.*s", (int)(length < MOST_DIGITS ? length : MOST_DIGITS),
                 text + group.rm_so);
    const double value = length > 0 ? strtod(digits, &end) : -1;
    *seconds = value * unit;
    if (length > 0 && end != digits && !*end && isfinite(*seconds) && value >= 0) return GB_OK;
    return gb_fail(error, GB_CRASHED, "time.pattern found \"%s\" in its output, which is no time",
                   length > 0 ? digits : "");
}

gb_status command_times(const regex_t *pattern, const char *text, double unit, double most_s,
                        double **times, size_t *count, gb_error *error)
{
    regmatch_t match[2];
    double sum = 0;
    gb_status status = GB_OK;
    *count = 0;
    *times = NULL;
    for (int flags = 0;
         status == GB_OK && *count < MOST_TIMES && regexec(pattern, text, 2, match, flags) == 0;
         flags = REG_NOTBOL) {
        double seconds, *more = realloc(*times, (*count + 1) * sizeof *more);
        if (!more) {
            status = gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for times");
            break;
        }
        *times = more;
        status = read_time(text, match[1], unit, &seconds, error);
        (*times)[(*count)++] = seconds;
        sum += seconds;
        text += match[0].rm_eo;
        if (match[0].rm_eo == match[0].rm_so && *text) text++;
        if (!*text) break;
    }
    if (status == GB_OK && *count == 0)
        status = gb_fail(error, GB_CRASHED, "time.pattern is not in its output");
    if (status == GB_OK && sum > clock_slack * most_s + clock_slack_s)
        status = gb_fail(error, GB_CRASHED,
                         "it tells times of %.3g s in all, and ran for %.3g s: is \"unit\" right?",
                         sum, most_s);
    if (status == GB_OK) return GB_OK;
    free(*times);
    *times = NULL;
    *count = 0;
    return status;
}
