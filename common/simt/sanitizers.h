/* What the sanitizers must be told about fibers and shared memory; nothing in other builds.
 *
 * ThreadSanitizer: compile the kernels with -fsanitize=thread and this runtime without it but with
 * -DGB_SIMT_TSAN. Each fiber then is one of its threads, switched without a happens-before edge;
 * only launches, barriers and __syncwarp order memory accesses. */
#ifndef GB_SIMT_SANITIZERS_H
#define GB_SIMT_SANITIZERS_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GB_SIMT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GB_SIMT_ASAN 1
#endif

#if defined(GB_SIMT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(GB_SIMT_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace simt
{
/* Signals may switch threads, and thread-local storage may be overwritten, only where no sanitizer
 * keeps its own books. */
#if defined(GB_SIMT_ASAN) || defined(GB_SIMT_TSAN)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/* ThreadSanitizer finds no race between two CUDA threads that share a fiber. */
#if defined(GB_SIMT_TSAN)
constexpr bool fibers_are_shared = false;
#else
constexpr bool fibers_are_shared = true;
#endif

static inline void happens_before(void *event)
{
#if defined(GB_SIMT_TSAN)
    __tsan_release(event);
#endif
    (void)event;
}

static inline void happens_after(void *event)
{
#if defined(GB_SIMT_TSAN)
    __tsan_acquire(event);
#endif
    (void)event;
}
} // namespace simt

#endif
