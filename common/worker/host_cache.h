/* Empties the CPU's caches, so that a cold sample of a variant that runs there is cold. */
#ifndef GB_WORKER_HOST_CACHE_H
#define GB_WORKER_HOST_CACHE_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates the buffer that the eviction sweeps over (twice the largest cache), once a process. */
gb_status gb_host_cache_prepare(gb_error *error);
/* Writes and then reads the buffer: neither earlier data nor dirty lines are left in the cache.
 * Does nothing unless prepared. */
void gb_host_cache_evict(void);
void gb_host_cache_free(void);

#ifdef __cplusplus
}
#endif
#endif
