/* Atomic operations, with exactly the types that CUDA has them for, so that what compiles here
 * compiles there. Each is a point where the scheduler may let other threads go first. */
#ifndef GB_SIMT_ATOMICS_H
#define GB_SIMT_ATOMICS_H

#include "common/simt/points.h"
#include "common/simt/weak.h"

namespace simt
{
/* *at = update(*at) in one step; returns what was there. */
template <class T, class Update>
SIMT_INLINE T read_modify_write(T *at, Update update, const char *file, int line)
{
    before_atomic(file, line);
    weak_update(at, sizeof *at);
    T before, after;
    __atomic_load(at, &before, __ATOMIC_SEQ_CST);
    do
        after = update(before);
    while (
        !__atomic_compare_exchange(at, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    /* bits, as the hardware sees them, also of floats: NOLINTNEXTLINE(bugprone-suspicious-*) */
    after_atomic(memcmp(&before, &after, sizeof before) != 0);
    return before;
}
} // namespace simt

#define SIMT_ATOMIC(name, T, new_value)                                 \
    SIMT_INLINE T name(T *at, T value, SIMT_PLACE)                      \
    {                                                                   \
        return simt::read_modify_write(                                 \
            at, [value](T old) -> T { return new_value; }, file, line); \
    }
#define SIMT_ATOMIC_INTEGERS(name, new_value) \
    SIMT_ATOMIC(name, int, new_value)         \
    SIMT_ATOMIC(name, unsigned, new_value)    \
    SIMT_ATOMIC(name, unsigned long long, new_value)

/* The commonest one is a single instruction. */
#define SIMT_ATOMIC_ADD(T)                                      \
    SIMT_INLINE T atomicAdd(T *at, T value, SIMT_PLACE)         \
    {                                                           \
        simt::before_atomic(file, line);                        \
        simt::weak_update(at, sizeof *at);                      \
        simt::after_atomic(value != 0);                         \
        return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST); \
    }
SIMT_ATOMIC_ADD(int)
SIMT_ATOMIC_ADD(unsigned)
SIMT_ATOMIC_ADD(unsigned long long)
SIMT_ATOMIC(atomicAdd, float, old + value)
#if GB_ARCH >= 600
SIMT_ATOMIC(atomicAdd, double, old + value)
#endif

SIMT_ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)value))
SIMT_ATOMIC(atomicSub, unsigned, old - value)
SIMT_ATOMIC_INTEGERS(atomicMin, value < old ? value : old)
SIMT_ATOMIC(atomicMin, long long, value < old ? value : old)
SIMT_ATOMIC_INTEGERS(atomicMax, old < value ? value : old)
SIMT_ATOMIC(atomicMax, long long, old < value ? value : old)
SIMT_ATOMIC_INTEGERS(atomicAnd, old &value)
SIMT_ATOMIC_INTEGERS(atomicOr, old | value)
SIMT_ATOMIC_INTEGERS(atomicXor, old ^ value)
SIMT_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
SIMT_ATOMIC_INTEGERS(atomicExch, ((void)old, value))
SIMT_ATOMIC(atomicExch, float, ((void)old, value))

#define SIMT_ATOMIC_CAS(T)                                                                  \
    SIMT_INLINE T atomicCAS(T *at, T expected, T desired, SIMT_PLACE)                       \
    {                                                                                       \
        simt::before_atomic(file, line);                                                    \
        simt::weak_update(at, sizeof *at);                                                  \
        T old = expected;                                                                   \
        const bool swapped = __atomic_compare_exchange(at, &old, &desired, false,           \
                                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        simt::after_atomic(swapped &&expected != desired);                                  \
        return old;                                                                         \
    }
SIMT_ATOMIC_CAS(int)
SIMT_ATOMIC_CAS(unsigned)
SIMT_ATOMIC_CAS(unsigned long long)
#if GB_ARCH >= 700
SIMT_ATOMIC_CAS(unsigned short)
#endif

#undef SIMT_ATOMIC
#undef SIMT_ATOMIC_INTEGERS
#undef SIMT_ATOMIC_ADD
#undef SIMT_ATOMIC_CAS

SIMT_INLINE void __threadfence()
{
    simt::weak_fence();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINE void __threadfence_system()
{
    simt::weak_fence();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINE void __threadfence_block()
{
    simt::weak_fence_block();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#endif
