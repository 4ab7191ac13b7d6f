/* The threads of a block take turns, and in deterministic mode the workers do (scheduler.cpp). What
 * kernels call is in points.h. */
#ifndef GB_SIMT_SCHEDULER_H
#define GB_SIMT_SCHEDULER_H

#include "common/simt/runtime.h"

namespace simt
{
/* A fiber for a thread that starts; NULL: no memory. */
fiber *take_fiber(worker *w, const task *t);
/* Says that, and what limits it. Returns text. */
enum { lack_bytes = 384 };
const char *lack_of_stack(char text[lack_bytes]);
/* Leaves the calling thread, which waits or is ready, and goes on with a ready one. */
void switch_away(worker *w);
/* Makes the calling thread ready and lets others go first. */
void yield_turn(worker *w);
/* Deterministic mode: gives the right to run to some worker in turn. */
void pass_baton(worker *w, bool leaving);
/* Deterministic mode: a point where that may happen, and does at some of them. */
void maybe_pass_baton(worker *w);
/* Once the turns are seeded. */
void seed_baton(worker *w);
} // namespace simt

#endif
