/* Empties the CPU's caches, so that a cold sample of a variant that runs there is cold,
 * and tells whether a warm one would show. */
#ifndef GB_WORKER_HOST_CACHE_H
#define GB_WORKER_HOST_CACHE_H

#include "common/gpubench.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the CPU's largest cache; as much as most have where the system does not tell. */
size_t gb_host_cache_bytes(void);
/* Whether a run of run_s seconds on the CPU, over footprint bytes, can be quicker by 1 % or more
 * for what its own last run left in the cache: data of many times its size leave nothing there, and
 * what is there saves no more than the time in which one core reads it from memory. */
bool gb_host_cache_helps(uint64_t footprint, double run_s);
/* Allocates the buffer that the eviction sweeps over (twice the largest cache) and starts a thread
 * a core for it, once a process. */
gb_status gb_host_cache_prepare(gb_error *error);
/* Reads the buffer on all cores: neither earlier data nor dirty lines are left in a cache, shared
 * or a core's own. Does nothing unless prepared. */
void gb_host_cache_evict(void);
void gb_host_cache_free(void);

#ifdef __cplusplus
}
#endif
#endif
