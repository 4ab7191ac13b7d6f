/* A primitive that no worker has: what to tell people. */
#ifndef GB_WORKER_LACKING_H
#define GB_WORKER_LACKING_H

#include "bench/worker/asking.h"

/* Says that none has it: what was probably meant, how to go on, who was asked and where they lie.
 * Always false; GB_WRONG, or GB_UNSUPPORTED where one outside does not answer, which may have it.
 */
bool gb_primitive_refuse(const gb_described *workers, size_t count, const char *primitive,
                         gb_error *error);

#endif
