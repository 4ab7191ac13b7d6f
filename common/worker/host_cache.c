/* Empties the CPU's caches, so that a cold sample of a variant that runs there is cold,
 * and tells whether a warm one would show. */
#include "common/worker/host_cache.h"

#include "common/worker/cpu_pool.h"

#include <stdlib.h>
#include <unistd.h>

enum { LINE_BYTES = 64 };

/* What a core reads from memory in a second, rather too little than too much. */
static const double core_bytes_s = 10e9;

/* One buffer a process: the caches are the process's too. */
static volatile unsigned char *buffer;
static size_t buffer_bytes;
static gb_pool *sweepers;
static unsigned sweeper_count;

size_t gb_host_cache_bytes(void)
{
    static const int levels[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                                 _SC_LEVEL2_CACHE_SIZE};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        long bytes = sysconf(levels[i]);
        if (bytes > 0) return (size_t)bytes;
    }
    return (size_t)64 << 20; /* not told (some virtual machines): as much as most CPUs have */
}

bool gb_host_cache_helps(uint64_t footprint, double run_s)
{
    const double bytes = (double)gb_host_cache_bytes();
    /* What a run finds again is its input, its output, and about as much of its own. */
    const double warm = 2 * (double)footprint < bytes ? 2 * (double)footprint : bytes;
    return (double)footprint <= 4 * bytes && run_s <= 100 * warm / core_bytes_s;
}

/* Every core sweeps over its share, and so over its own caches as well. */
static void sweep(void *context, unsigned thread)
{
    const size_t end = gb_pool_share(buffer_bytes, thread + 1, sweeper_count);
    (void)context;
    for (size_t i = gb_pool_share(buffer_bytes, thread, sweeper_count); i < end; i += LINE_BYTES)
        (void)buffer[i];
    gb_pool_barrier(sweepers);
}

gb_status gb_host_cache_prepare(gb_error *error)
{
    if (buffer) return GB_OK;
    buffer_bytes = 2 * gb_host_cache_bytes();
    buffer = gb_pool_allocate(buffer_bytes);
    if (!buffer) {
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "no host memory for emptying the CPU's cache (%zu bytes)", buffer_bytes);
    }
    sweeper_count = gb_pool_cores();
    gb_status status = gb_pool_open(sweeper_count, sweep, NULL, &sweepers, error);
    if (status != GB_OK) gb_host_cache_free();
    return status;
}

void gb_host_cache_evict(void)
{
    if (buffer) gb_pool_run(sweepers);
}

void gb_host_cache_free(void)
{
    gb_pool_close(sweepers);
    sweepers = NULL;
    free((void *)buffer);
    buffer = NULL;
    buffer_bytes = 0;
}
