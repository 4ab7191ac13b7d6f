/* An array whose memory was reserved beforehand: what the variants on it share. */
#ifndef GB_DYNAMIC_ARRAY_STATIC_CUH
#define GB_DYNAMIC_ARRAY_STATIC_CUH

#include "common/cuda/device.cuh"
#include "kernels/dynamic-array/dynamic_array.h"

typedef struct da_static_state {
    da_state state;
    uint32_t *out;            /* device: room elements */
    uint64_t room;            /* held + n, and slack to whole groups of 16 bytes */
    unsigned long long *size; /* device: places reserved */
    void *scratch;            /* device: of a library */
    size_t scratch_bytes;
} da_static_state;

gb_status da_static_prepare(gb_job *job);
gb_status da_static_reset(gb_job *job, gb_stream stream);
void da_static_cleanup(gb_job *job);

#endif
