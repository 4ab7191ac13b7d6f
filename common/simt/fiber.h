/* Fibers: a stack and the place where it stopped, switched to and from by hand. */
#ifndef GB_SIMT_FIBER_H
#define GB_SIMT_FIBER_H

#include <stddef.h>

#if !defined(__x86_64__) && !defined(GB_SIMT_UCONTEXT)
#define GB_SIMT_UCONTEXT 1
#endif
#if defined(GB_SIMT_UCONTEXT)
#include <ucontext.h>
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
void fiber_switch(fiber *from, fiber *to);
/* The first act of an entry(). */
void fiber_arrived(fiber *f);
/* Unmaps the stack. */
void fiber_free(fiber *f);
} // namespace simt

#endif
