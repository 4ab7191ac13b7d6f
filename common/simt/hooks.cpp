/* A hooks build: every plain and volatile memory access of a kernel is a point where the scheduler
 * may switch threads, and where weak.cpp learns of it, without a change to the source.
 *
 * Compile the kernels with -DGB_SIMT_HOOKS -fsanitize=thread, and g++'s --param
 * tsan-distinguish-volatile=1 or clang++'s -mllvm -tsan-distinguish-volatile=1, so that the
 * compiler calls these functions at each access; compile this file and the rest of the runtime with
 * -DGB_SIMT_HOOKS alone; do not link libtsan. */
#if defined(GB_SIMT_HOOKS)

#include "common/simt/environment.h"

#include "common/simt/points.h"
#include "common/simt/weak.h"

namespace simt
{
static bool is_kernel()
{
    return here.thread && !here.inside;
}

void at_load(const void *at, size_t bytes)
{
    if (!is_kernel()) return;
    if (config.preempt_plain) at_access(config.preempt_plain, NULL, 0);
    if (weak_order) weak_load(at, bytes);
}

/* A plain write changes memory, so its thread is not one that spins. */
void at_store(void *at, size_t bytes)
{
    if (!is_kernel()) return;
    here.idle = 0;
    if (config.preempt_plain) at_access(config.preempt_plain, NULL, 0);
    if (weak_order) weak_store(at, bytes);
}

static void at_strong_load(const void *at, size_t bytes)
{
    if (!is_kernel()) return;
    if (config.preempt_volatile) at_access(config.preempt_volatile, NULL, 0);
    if (weak_order) weak_strong_load(at, bytes);
}

static void at_strong_store(void *at, size_t bytes)
{
    if (!is_kernel()) return;
    if (config.preempt_volatile) at_access(config.preempt_volatile, NULL, 0);
    if (weak_order) weak_strong_store(at, bytes);
}

/* An atomic load or store that a kernel writes out itself is like a volatile one, with half a fence
 * where it says so. */
template <class W> static W atomic_load(const volatile W *at, int order)
{
    at_strong_load(const_cast<const W *>(at), sizeof *at);
    const W value = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    if (weak_order && order != __ATOMIC_RELAXED) weak_fence();
    return value;
}

template <class W> static void atomic_store(volatile W *at, W value, int order)
{
    if (weak_order && order != __ATOMIC_RELAXED) weak_fence();
    at_strong_store(const_cast<W *>(at), sizeof *at);
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}
} // namespace simt

#define SIMT_HOOK(name, bytes, action)      \
    extern "C" void __tsan_##name(void *at) \
    {                                       \
        simt::action(at, bytes);            \
    }
#define SIMT_HOOKS(bytes)                                            \
    SIMT_HOOK(read##bytes, bytes, at_load)                           \
    SIMT_HOOK(write##bytes, bytes, at_store)                         \
    SIMT_HOOK(unaligned_read##bytes, bytes, at_load)                 \
    SIMT_HOOK(unaligned_write##bytes, bytes, at_store)               \
    SIMT_HOOK(volatile_read##bytes, bytes, at_strong_load)           \
    SIMT_HOOK(volatile_write##bytes, bytes, at_strong_store)         \
    SIMT_HOOK(unaligned_volatile_read##bytes, bytes, at_strong_load) \
    SIMT_HOOK(unaligned_volatile_write##bytes, bytes, at_strong_store)
SIMT_HOOKS(1)
SIMT_HOOKS(2)
SIMT_HOOKS(4)
SIMT_HOOKS(8)
SIMT_HOOKS(16)

extern "C" {
void __tsan_read_range(void *at, size_t bytes)
{
    simt::at_load(at, bytes);
}
void __tsan_write_range(void *at, size_t bytes)
{
    simt::at_store(at, bytes);
}
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    simt::at_store(to, bytes);
    return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    simt::at_store(to, bytes);
    return memmove(to, from, bytes);
}
void *__tsan_memset(void *at, int byte, size_t bytes)
{
    simt::at_store(at, bytes);
    return memset(at, byte, bytes);
}
int __tsan_atomic32_load(const volatile int *at, int order)
{
    return simt::atomic_load(at, order);
}
long __tsan_atomic64_load(const volatile long *at, int order)
{
    return simt::atomic_load(at, order);
}
void __tsan_atomic32_store(volatile int *at, int value, int order)
{
    simt::atomic_store(at, value, order);
}
void __tsan_atomic64_store(volatile long *at, long value, int order)
{
    simt::atomic_store(at, value, order);
}
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void *) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
}

#endif
