/* A primitive for tests of the exploration of schedules: n threads, each of which puts its number
 * into a container without locks and says what it took out; right and wrong variants. */
#ifndef GB_TESTS_LOCKFREE_H
#define GB_TESTS_LOCKFREE_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const gb_variant lockfree_push, lockfree_stack, lockfree_untagged, lockfree_spin_lock,
    lockfree_unlocked, lockfree_nobody, lockfree_moody;

gb_status lockfree_open(const gb_params *params, uint64_t seed, const gb_device *device,
                        gb_problem **out, gb_error *error);
void lockfree_close(gb_problem *problem);
gb_status lockfree_poison(gb_job *job, gb_stream stream);
gb_status lockfree_check(gb_job *job, gb_stream stream);

#ifdef __cplusplus
}
#endif
#endif
