/* Faults, threads that poll without an intrinsic, and launches without progress (signals.cpp). */
#ifndef GB_SIMT_SIGNALS_H
#define GB_SIMT_SIGNALS_H

#include "common/simt/runtime.h"

namespace simt
{
struct signal_stack;
/* Makes bad addresses in kernels on this OS thread failures of the launch. */
signal_stack *catch_signals();
void release_signals(signal_stack *stack);
/* Watches all busy workers from now on; an error if there is no thread for it. */
cudaError_t start_watchdog();
/* Puts a new worker into workers[]. */
void add_worker(worker *w);
/* Ends the job, NULL: none, when it makes no progress for config.timeout_s. */
void watch_job(job *j);
} // namespace simt

#endif
