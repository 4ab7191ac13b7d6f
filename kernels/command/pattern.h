/* What is looked for in a program's output: POSIX extended regular expressions. */
#ifndef GB_COMMAND_PATTERN_H
#define GB_COMMAND_PATTERN_H

#include "common/text/error.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* Compiles an expression with so many groups in parentheses (-1: any). False and *error. */
bool command_pattern(regex_t *pattern, const char *text, int groups, gb_error *error);

/* The numbers that the pattern's group finds in a text, in its order, times `unit`: *times is a
 * list of *count, which the caller frees. GB_CRASHED and *error, and nothing to free, if there is
 * none, if one is no time, or if they are more than `most_s` together: no part is longer than the
 * whole. */
gb_status command_times(const regex_t *pattern, const char *text, double unit, double most_s,
                        double **times, size_t *count, gb_error *error);

#endif
