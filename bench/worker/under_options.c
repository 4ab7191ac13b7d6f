/* From options to conditions, and back. */
#include "bench/worker/under_options.h"

#include "common/text/size.h"

#include <stdio.h>

enum { MOST_MULTIPROCESSORS = 100000, MOST_KIB = 100000 };

static bool take_code(void *to, const char *option, const char *argument, gb_error *error)
{
    gb_under *under = to;
    if (gb_under_is_code(argument)) {
        snprintf(under->code, sizeof under->code, "%s", argument);
        return true;
    }
    gb_fail(error, GB_WRONG, "--%s %.60s: takes a generation of GPUs, such as sm_35", option,
            argument);
    return false;
}

/* A number from 1 to `most`; takes: what the option takes, for people. */
static bool take_number(unsigned *to, unsigned most, const char *takes, const char *option,
                        const char *argument, gb_error *error)
{
    uint64_t number;
    if (gb_size_parse(argument, &number, NULL) && number >= 1 && number <= most) {
        *to = (unsigned)number;
        return true;
    }
    gb_fail(error, GB_WRONG, "--%s %.60s: takes %s", option, argument, takes);
    return false;
}

static bool take_multiprocessors(void *to, const char *option, const char *argument,
                                 gb_error *error)
{
    gb_under *under = to;
    return take_number(&under->multiprocessors, MOST_MULTIPROCESSORS,
                       "how many multiprocessors of the device are used, from 1 on", option,
                       argument, error);
}

static bool take_shared_kib(void *to, const char *option, const char *argument, gb_error *error)
{
    gb_under *under = to;
    return take_number(&under->shared_kib, MOST_KIB,
                       "how many KiB of shared memory a block may have, such as 99", option,
                       argument, error);
}

gb_option gb_option_code(gb_under *under)
{
    return gb_option_special("code", "sm_NN",
                             "run the code of an old generation, by a worker of `make old-code`",
                             take_code, under);
}

gb_option gb_option_multiprocessors(gb_under *under)
{
    return gb_option_special("multiprocessors", "N",
                             "use so many of the device's multiprocessors alone",
                             take_multiprocessors, under);
}

gb_option gb_option_shared_kib(gb_under *under)
{
    return gb_option_special("shared-kib", "N",
                             "let a block have so many KiB of shared memory at most",
                             take_shared_kib, under);
}

size_t gb_under_as_options(const gb_under *under, const char *words[GB_UNDER_OPTIONS],
                           char numbers[GB_UNDER_NUMBERS][16])
{
    size_t count = 0;
    if (*under->code) {
        words[count++] = "--code";
        words[count++] = under->code;
    }
    if (under->multiprocessors) {
        snprintf(numbers[0], 16, "%u", under->multiprocessors);
        words[count++] = "--multiprocessors";
        words[count++] = numbers[0];
    }
    if (under->shared_kib) {
        snprintf(numbers[1], 16, "%u", under->shared_kib);
        words[count++] = "--shared-kib";
        words[count++] = numbers[1];
    }
    return count;
}
