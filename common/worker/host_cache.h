/* Empties the CPU's caches, so that a cold sample of a variant that runs there is cold. */
#ifndef GB_WORKER_HOST_CACHE_H
#define GB_WORKER_HOST_CACHE_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the CPU's largest cache; as much as most have where the system does not tell. */
size_t gb_host_cache_bytes(void);
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
