/* A primitive whose variants fail in every way that kernels and their hosts can: out = 2 in + 1, or
 * not. How each ends is in expected.csv. */
#ifndef GB_FAULTS_H
#define GB_FAULTS_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* faults.cu */
gb_status faults_open(const gb_params *params, uint64_t seed, const gb_device *device,
                      gb_problem **out, gb_error *error);
void faults_close(gb_problem *problem);
gb_status faults_poison(gb_job *job, gb_stream stream);
gb_status faults_check(gb_job *job, gb_stream stream);

extern const gb_variant faults_good, faults_wrong;
/* kernels.cu */
extern const gb_variant faults_endless, faults_endless_late, faults_illegal_address,
    faults_misaligned, faults_trap, faults_assert, faults_stack_overflow, faults_too_many_threads,
    faults_too_much_shared, faults_async, faults_poison_context;
/* memory.cu */
extern const gb_variant faults_heap_good, faults_heap_counted, faults_heap_null,
    faults_memory_taken, faults_memory_leaked, faults_memory_kept;
/* host.c */
extern const gb_variant faults_host_endless, faults_host_crash, faults_host_exit, faults_host_abort;

#ifdef __cplusplus
}
#endif
#endif
