/* Empties the CPU's caches, so that a cold sample of a variant that runs there is cold,
 * and tells whether a warm one would show. */
#include "common/worker/host_cache.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 64 };

/* What a core reads from memory in a second, rather too little than too much. */
static const double core_bytes_s = 10e9;

/* One buffer a process: the caches are the process's too. */
static volatile unsigned char *buffer;
static size_t buffer_bytes;

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
    return (double)footprint <= 4 * bytes && run_s <= 100 * bytes / core_bytes_s;
}

gb_status gb_host_cache_prepare(gb_error *error)
{
    if (buffer) return GB_OK;
    size_t bytes = 2 * gb_host_cache_bytes();
    buffer = malloc(bytes);
    if (!buffer) {
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "no host memory for emptying the CPU's cache (%zu bytes)", bytes);
    }
    buffer_bytes = bytes;
    return GB_OK;
}

void gb_host_cache_evict(void)
{
    if (!buffer) return;
    memset((void *)buffer, 0, buffer_bytes);
    for (size_t i = 0; i < buffer_bytes; i += LINE_BYTES)
        (void)buffer[i];
}

void gb_host_cache_free(void)
{
    free((void *)buffer);
    buffer = NULL;
    buffer_bytes = 0;
}
