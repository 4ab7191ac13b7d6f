/* A hooks build: every plain and volatile memory access of a kernel is a point where the scheduler
 * may switch threads, without a change to the source.
 *
 * Compile the kernels with -DGB_SIMT_HOOKS -fsanitize=thread, and g++'s --param
 * tsan-distinguish-volatile=1 or clang++'s -mllvm -tsan-distinguish-volatile=1, so that the
 * compiler calls these functions at each access; compile this file and the rest of the runtime with
 * -DGB_SIMT_HOOKS alone; do not link libtsan. */
#if defined(GB_SIMT_HOOKS)

#include "common/simt/environment.h"

#include "common/simt/points.h"

static void plain()
{
    if (simt::config.preempt_plain && simt::here.thread && !simt::here.inside)
        simt::at_access(simt::config.preempt_plain, NULL, 0);
}

/* A plain write changes memory, so its thread is not one that spins. */
static void plain_write()
{
    simt::here.idle = 0;
    plain();
}

static void volatile_access()
{
    if (simt::config.preempt_volatile && simt::here.thread && !simt::here.inside)
        simt::at_access(simt::config.preempt_volatile, NULL, 0);
}

#define SIMT_HOOK(name, action)           \
    extern "C" void __tsan_##name(void *) \
    {                                     \
        action();                         \
    }
#define SIMT_HOOKS(bytes)                                      \
    SIMT_HOOK(read##bytes, plain)                              \
    SIMT_HOOK(write##bytes, plain_write)                       \
    SIMT_HOOK(unaligned_read##bytes, plain)                    \
    SIMT_HOOK(unaligned_write##bytes, plain_write)             \
    SIMT_HOOK(volatile_read##bytes, volatile_access)           \
    SIMT_HOOK(volatile_write##bytes, volatile_access)          \
    SIMT_HOOK(unaligned_volatile_read##bytes, volatile_access) \
    SIMT_HOOK(unaligned_volatile_write##bytes, volatile_access)
SIMT_HOOKS(1)
SIMT_HOOKS(2)
SIMT_HOOKS(4)
SIMT_HOOKS(8)
SIMT_HOOKS(16)

extern "C" {
void __tsan_read_range(void *, size_t)
{
    plain();
}
void __tsan_write_range(void *, size_t)
{
    plain_write();
}
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    plain_write();
    return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    plain_write();
    return memmove(to, from, bytes);
}
void *__tsan_memset(void *at, int byte, size_t bytes)
{
    plain_write();
    return memset(at, byte, bytes);
}
/* An atomic load or store that a kernel writes out itself is like a volatile one. */
int __tsan_atomic32_load(const volatile int *at, int)
{
    volatile_access();
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
long __tsan_atomic64_load(const volatile long *at, int)
{
    volatile_access();
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
void __tsan_atomic32_store(volatile int *at, int value, int)
{
    volatile_access();
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}
void __tsan_atomic64_store(volatile long *at, long value, int)
{
    volatile_access();
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void *) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
}

#endif
