/* The points of a kernel where the scheduler may let other threads go first (scheduler.cpp);
 * barriers and warp operations, where a thread has to wait for others, are in collectives.h. */
#ifndef GB_SIMT_POINTS_H
#define GB_SIMT_POINTS_H

#include "common/simt/machine.h"

namespace simt
{
void at_atomic(const char *file, int line);
void at_pause(const char *file, int line);
void at_access(unsigned chance, const char *file, int line);
[[noreturn]] void at_trap(const char *file, int line);

/* Before a plain access that a function of these headers makes, which hooks do not see (hooks.cpp).
 */
#if defined(GB_SIMT_HOOKS)
void at_load(const void *at, size_t bytes);
void at_store(void *at, size_t bytes);
#else
inline void at_load(const void *, size_t) {}
inline void at_store(void *, size_t) {}
#endif

/* Before an atomic operation: other threads may come first. */
SIMT_UNSEEN void before_atomic(const char *file, int line)
{
    if (__builtin_expect(--here.budget < 0, 0)) at_atomic(file, line);
}

/* After one: a loop of atomics that change nothing is a spinning thread. */
SIMT_UNSEEN void after_atomic(bool changed)
{
    if (changed) here.idle = 0;
}
} // namespace simt

#endif
