/* Fibers: a stack and the place where it stopped, switched to and from by hand. */
#ifndef GB_SIMT_FIBER_H
#define GB_SIMT_FIBER_H

#include "common/simt/sanitizers.h"

#include <stddef.h>

#if !defined(__x86_64__) && !defined(GB_SIMT_UCONTEXT)
#define GB_SIMT_UCONTEXT 1
#endif
#if defined(GB_SIMT_UCONTEXT)
#include <ucontext.h>
#else
extern "C" void simt_switch_stack(void **save, void *load);
#endif

namespace simt
{
struct fiber {
#if defined(GB_SIMT_UCONTEXT)
    ucontext_t context;
#else
    void *stack_pointer;
#endif
    char *mapping;      /* NULL: an OS thread's own stack */
    const void *bottom; /* the usable part of the stack, for the sanitizers */
    size_t size;
    void *fake_stack; /* AddressSanitizer's */
    void *tsan;       /* ThreadSanitizer's */
};

/* Makes the running OS thread's own stack something to switch from and back to. */
void fiber_adopt_thread(fiber *f);
/* The next switch to f calls entry(), which never returns. The stack is made on the first call;
 * number staggers the stacks' tops, which would else share a few cache sets. False: no memory. */
bool fiber_start(fiber *f, unsigned number, void (*entry)());
/* Unmaps the stack. */
void fiber_free(fiber *f);

#if defined(GB_SIMT_ASAN)
extern __thread fiber *came_from;
#endif

/* The first act of an entry(). */
static inline void fiber_arrived(fiber *f)
{
#if defined(GB_SIMT_ASAN)
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(f->fake_stack, &bottom, &size);
    if (came_from && !came_from->bottom) {
        came_from->bottom = bottom;
        came_from->size = size;
    }
#endif
    (void)f;
}

/* Leaves `from`, which is running, and goes on where `to` stopped. */
static inline void fiber_switch(fiber *from, fiber *to)
{
#if defined(GB_SIMT_ASAN)
    came_from = from;
    __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size);
#endif
#if defined(GB_SIMT_TSAN)
    __tsan_switch_to_fiber(to->tsan, 1 /* no happens-before */);
#endif
#if defined(GB_SIMT_UCONTEXT)
    (void)swapcontext(&from->context, &to->context);
#else
    simt_switch_stack(&from->stack_pointer, to->stack_pointer);
#endif
    fiber_arrived(from);
}
} // namespace simt

#endif
