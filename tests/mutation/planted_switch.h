/* Included before sources into which tests have planted mistakes (lib_planted.sh,
 * planted_switch.awk): those are made whose numbers are in the environment, GB_PLANTED, with blanks
 * between. */
#ifndef GB_TESTS_PLANTED_SWITCH_H
#define GB_TESTS_PLANTED_SWITCH_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One for the whole program. */
__attribute__((weak)) unsigned char gb_planted_on[1024];

/* In each object file, before main. */
__attribute__((constructor)) static void gb_planted_read(void)
{
    char *end;
    for (const char *at = getenv("GB_PLANTED"); at && *at; at = end) {
        const unsigned long number = strtoul(at, &end, 10);
        if (end == at) abort();
        if (number < sizeof gb_planted_on) gb_planted_on[number] = 1;
    }
}

#ifdef __cplusplus
}
#endif

#define gb_planted(number) (gb_planted_on[number])

#endif
