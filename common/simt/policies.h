/* Which of the ready threads of a block goes on, and where one is left for another (policies.cpp).
 */
#ifndef GB_SIMT_POLICIES_H
#define GB_SIMT_POLICIES_H

#include "common/simt/runtime.h"

namespace simt
{
/* A number below n: one stream in deterministic mode, else one a block. */
unsigned random_below(worker *w, unsigned n);
uint64_t mix(uint64_t x);
void seed_turns(uint64_t seed);
/* All threads of the block are ready. */
void start_ready(worker *w);
void make_ready(worker *w, task *t);
/* The same for lanes of one warp that have completed an operation. */
void make_warp_ready(worker *w, task *lanes, unsigned among);
/* Takes the one that goes on; there must be one. */
task *take_ready(worker *w);
/* The calling thread may be left at a point with this chance in 1/1024: whether it is, with its
 * priority changed where that is how the policy goes about it. */
bool draw_preemption(worker *w, unsigned chance);
/* The calling thread waits for others by polling. */
void lower_priority(worker *w);
/* A distance in points, drawn at every scale up to 2^bits alike. */
unsigned draw_distance(worker *w, unsigned bits);
/* The block's threads have spun for a while: somebody else has to run. */
bool is_spinning();
} // namespace simt

#endif
