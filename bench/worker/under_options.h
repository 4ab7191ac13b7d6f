/* The conditions of a device on command lines. */
#ifndef GB_WORKER_UNDER_OPTIONS_H
#define GB_WORKER_UNDER_OPTIONS_H

#include "bench/util/options.h"
#include "common/protocol/under.h"

/* --code sm_35 */
gb_option gb_option_code(gb_under *under);
/* --multiprocessors N */
gb_option gb_option_multiprocessors(gb_under *under);
/* --shared-kib N */
gb_option gb_option_shared_kib(gb_under *under);

/* The options that ask for these conditions, as words: "--multiprocessors", "64". Returns how many;
 * they live as long as *under and numbers. */
enum { GB_UNDER_OPTIONS = 6, GB_UNDER_NUMBERS = 2 };
size_t gb_under_as_options(const gb_under *under, const char *words[GB_UNDER_OPTIONS],
                           char numbers[GB_UNDER_NUMBERS][16]);

#endif
