/* A part of a device's multiprocessors for all that a worker runs there. Each back-end implements
 * it as it does backend.h. */
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

#ifdef __cplusplus
}
#endif
#endif
