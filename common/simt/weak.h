/* The order in which other blocks see a block's stores (weak.cpp); nothing in builds without hooks.
 *
 * PTX promises no order between accesses to different addresses but by fences and barriers (NVIDIA,
 * "PTX ISA", Memory Consistency Model; Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the
 * NVIDIA PTX Memory Consistency Model", ASPLOS 2019). With configuration.weak some stores to device
 * memory therefore stay behind: their block sees them, others later, and in another order. And some
 * plain loads find what was there before. Whatever shows is allowed there; docs/simt.md has the
 * model, and what it leaves out. */
#ifndef GB_SIMT_WEAK_H
#define GB_SIMT_WEAK_H

#include "common/simt/machine.h"

namespace simt
{
struct job;
struct memory_range {
    uintptr_t begin, end;
};

#if defined(GB_SIMT_HOOKS)

extern bool weak_order;   /* stores of this launch may stay behind */
extern bool weak_touched; /* something is to be put right before anybody else looks */

/* What a kernel does, told just before it does it: plain accesses; strong ones, which are volatile
 * or atomic; a read-modify-write, or a store that is not to stay behind. Of any number of bytes. */
void weak_load(const void *at, size_t bytes);
void weak_store(void *at, size_t bytes);
void weak_strong_load(const void *at, size_t bytes);
void weak_strong_store(void *at, size_t bytes);
void weak_update(void *at, size_t bytes);

/* Fences of the calling thread, as far as the block or beyond. */
void weak_fence();
void weak_fence_block();
/* The same for all threads of a block that meet, and for lanes of a warp: `among` of those from
 * thread `first` on. */
void weak_meet(worker *w);
void weak_meet_warp(worker *w, unsigned first, unsigned among);

/* Before the scheduler, and after what a thread was told to do. */
void weak_settle();

/* A launch begins whose stores may stay behind, and any ends; `memory` is the device's, in order of
 * address. May throw std::bad_alloc. */
void weak_begin(const job *j, const memory_range *memory, size_t count);
void weak_end();
/* The calling worker's block begins and ends. */
void weak_begin_block(worker *w, unsigned number);
void weak_end_block(worker *w);
/* Another worker goes on, the calling one does again. */
void weak_leave();
void weak_return(worker *w);
/* The device's heap. */
void weak_heap_allocated(void *at, size_t bytes);
void weak_heap_freed(void *at);

#else

constexpr bool weak_order = false, weak_touched = false;
inline void weak_load(const void *, size_t) {}
inline void weak_store(void *, size_t) {}
inline void weak_strong_load(const void *, size_t) {}
inline void weak_update(void *, size_t) {}
inline void weak_fence() {}
inline void weak_fence_block() {}
inline void weak_meet(worker *) {}
inline void weak_meet_warp(worker *, unsigned, unsigned) {}
inline void weak_settle() {}
inline void weak_begin(const job *, const memory_range *, size_t) {}
inline void weak_end() {}
inline void weak_begin_block(worker *, unsigned) {}
inline void weak_end_block(worker *) {}
inline void weak_leave() {}
inline void weak_return(worker *) {}
inline void weak_heap_allocated(void *, size_t) {}
inline void weak_heap_freed(void *) {}

#endif
} // namespace simt

#endif
