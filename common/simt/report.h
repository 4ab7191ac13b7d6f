/* Failed launches: their reports, and the way out of a block (report.cpp). */
#ifndef GB_SIMT_REPORT_H
#define GB_SIMT_REPORT_H

#include "common/simt/runtime.h"

namespace simt
{
/* The launch has failed, unless it had already: what happened is its report. In a block that is
 * running or has just ended; of the grid as a whole. */
void report_block(worker *w, cudaError_t code, const char *what);
void report_grid(job *j, cudaError_t code, const char *what);
/* Reports what happened and abandons the block. */
[[noreturn]] void fail(cudaError_t code, const char *what);
/* Fails because some other block has, or because time is up. */
[[noreturn]] void fail_halted(int halt);

static inline void check_halt(worker *w)
{
    const int halt = w->job->halt.load(std::memory_order_relaxed);
    if (__builtin_expect(halt != 0, 0)) fail_halted(halt);
}
} // namespace simt

#endif
