/* Stage 2 of Multipartition, version "buffer-per-warp": see buffer_per_warp.cu. */
#ifndef GB_MULTIPARTITION_BUFFER_PER_WARP_CUH
#define GB_MULTIPARTITION_BUFFER_PER_WARP_CUH

#include "kernels/multipartition/paper/ranges.cuh"

enum {
    MP_BUFFER = 32, /* keys a buffer holds: what one warp writes at once */
    MP_BPW_THREADS = 512,
    MP_BPW_ITEMS = 8,         /* keys a thread takes each round; half as many with payload */
    MP_BPW_BLOCKS_PER_SM = 3, /* at most; what the registers are budgeted for */
    MP_BPW_LEAST_KEYS = 8192  /* a range's, at least: two rounds */
};

/* Shared memory of one bin: the buffer (or two, with payload), its fill count, its place. 136 bytes
 * for keys alone: 361 bins in 48 KiB. */
static inline uint64_t mp_bpw_bytes_per_bin(bool payload)
{
    return MP_BUFFER * 4 * (payload ? 2 : 1) + 8;
}

/* Most bins whose buffers fit in a block's shared memory. */
static inline uint32_t mp_bpw_max_bins(uint64_t shared_per_block, bool payload)
{
    return (uint32_t)(shared_per_block / mp_bpw_bytes_per_bin(payload));
}

gb_status mp_bpw_prepare(gb_job *job);
gb_status mp_bpw_run(gb_job *job, gb_stream stream);
void mp_ranges_cleanup(gb_job *job);

/* large.cu: the other version. */
enum { MP_LARGE_COUNTER_BYTES = 4 };
static inline uint32_t mp_large_max_bins(uint64_t shared_per_block)
{
    return (uint32_t)(shared_per_block / MP_LARGE_COUNTER_BYTES);
}
gb_status mp_large_prepare(gb_job *job);
gb_status mp_large_run(gb_job *job, gb_stream stream);

#endif
