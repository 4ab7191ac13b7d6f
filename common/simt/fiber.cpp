/* Fibers on x86-64: twenty instructions; elsewhere, or with -DGB_SIMT_UCONTEXT: swapcontext, which
 * is several times slower because it saves the signal mask by a system call. */
#include "common/simt/fiber.h"

#include "common/simt/sanitizers.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

namespace simt
{
/* An overflowing stack runs into a page without access. */
static const size_t guard_bytes = 4096;
static const size_t stagger_bytes = 8192;
static const size_t stack_bytes = (sanitized ? 512 : 128) * 1024;

#if defined(GB_SIMT_ASAN)
__thread fiber *came_from;
#endif

#if !defined(GB_SIMT_UCONTEXT)
/* The callee-saved registers go on the old stack, those of the new one come off it. */
__asm__(".text\n"
        ".globl simt_switch_stack\n"
        ".type simt_switch_stack,@function\n"
        "simt_switch_stack:\n"
        "    endbr64\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size simt_switch_stack,.-simt_switch_stack\n");
#endif

static bool make_stack(fiber *f)
{
    const size_t bytes = guard_bytes + stack_bytes + stagger_bytes;
    void *mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return false;
    if (mprotect(mapping, guard_bytes, PROT_NONE)) {
        (void)munmap(mapping, bytes);
        return false;
    }
    f->mapping = static_cast<char *>(mapping);
    f->bottom = f->mapping + guard_bytes;
    f->size = stack_bytes + stagger_bytes;
#if defined(GB_SIMT_TSAN)
    f->tsan = __tsan_create_fiber(0);
#endif
    return true;
}

void fiber_adopt_thread(fiber *f)
{
#if defined(GB_SIMT_TSAN)
    f->tsan = __tsan_get_current_fiber();
#endif
    f->mapping = NULL;
    f->bottom = NULL;
}

bool fiber_start(fiber *f, unsigned number, void (*entry)())
{
    if (!f->mapping && !make_stack(f)) return false;
    char *top = f->mapping + guard_bytes + stack_bytes + number * 320 % stagger_bytes / 64 * 64;
#if defined(GB_SIMT_UCONTEXT)
    (void)getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->mapping + guard_bytes;
    f->context.uc_stack.ss_size = (size_t)(top - (f->mapping + guard_bytes));
    f->context.uc_link = NULL;
    makecontext(&f->context, entry, 0);
#else
    /* As if entry had been called: a return address that is never used, entry itself for the
     * switch's ret, and six registers. */
    void **sp = reinterpret_cast<void **>(top);
    *--sp = NULL;
    *--sp = reinterpret_cast<void *>(entry);
    sp -= 6;
    memset(sp, 0, 6 * sizeof *sp);
    f->stack_pointer = sp;
#endif
#if defined(GB_SIMT_ASAN)
    /* what an abandoned run left poisoned */
    ASAN_UNPOISON_MEMORY_REGION(f->bottom, f->size);
#endif
    f->fake_stack = NULL;
    return true;
}

void fiber_free(fiber *f)
{
    if (!f->mapping) return;
#if defined(GB_SIMT_TSAN)
    __tsan_destroy_fiber(f->tsan);
#endif
    (void)munmap(f->mapping, guard_bytes + stack_bytes + stagger_bytes);
    f->mapping = NULL;
}
} // namespace simt
