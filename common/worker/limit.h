/* A part of a device's multiprocessors, or of its shared memory, for all that a worker runs there.
 * Each back-end implements it as it does backend.h. */
#ifndef GB_WORKER_LIMIT_H
#define GB_WORKER_LIMIT_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Has kernels of this process run on so many multiprocessors of the device alone, whatever launches
 * them from now on, and the device's sms say so; 0: on all of them again. To be called while no
 * device is open. *granted: how many it has, by the device's own word. GB_UNSUPPORTED and *error,
 * which names the numbers that can be had, where not exactly so many can be; no limit is then left.
 */
gb_status gb_backend_limit(int index, unsigned multiprocessors, unsigned *granted, gb_error *error);
/* The limit that is in force; 0: none. */
unsigned gb_backend_limited(void);

/* Has blocks of this process's kernels ask for so many bytes of shared memory at most, and the
 * device's shared_optin say so; a launch with more dynamic shared memory fails. 0: as many as the
 * device has. To be called while no device is open. GB_UNSUPPORTED and *error where the device has
 * not so many, or a block has as many without asking; no limit is then left. */
gb_status gb_backend_limit_shared(int index, uint64_t bytes, gb_error *error);
/* The limit that is in force; 0: none. */
uint64_t gb_backend_limited_shared(void);

#ifdef __cplusplus
}
#endif
#endif
