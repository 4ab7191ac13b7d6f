/* The back-end's inside, shared by backend.cu, timing.cu, evict.cu,
 * ceilings.cu and sweep.cu. */
#ifndef GB_CUDA_BACKEND_CUH
#define GB_CUDA_BACKEND_CUH

#include "common/cuda/device.cuh"
#include "common/worker/backend.h"

/* The gate's two words, in host memory that the device sees. */
struct gb_gate_words {
    unsigned open;    /* host to device: pass */
    unsigned expired; /* device to host: passed without being asked to */
};

struct gb_backend {
    gb_device device;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    volatile gb_gate_words *gate;        /* host address; NULL: no gate on this back-end */
    volatile gb_gate_words *gate_device; /* the same words as the device addresses them */
    uint4 *evict_buffer;                 /* evict_units; NULL until asked for */
    uint64_t evict_units;                /* of 16 bytes */
    unsigned *sink;                      /* one word: where kernels could store what they read */
};

/* timing.cu: makes and frees stream, events and gate. */
gb_status gb_timing_open(gb_backend *backend, gb_error *error);
void gb_timing_close(gb_backend *backend);
/* evict.cu: frees the evictor's buffer. */
void gb_evict_close(gb_backend *backend);

/* Launches of the kernels in sweep.cu. A tile is what one block moves; buffers are whole tiles of
 * 16-byte units. */
enum { GB_SWEEP_BLOCK = 256, GB_SWEEP_UNITS = 4, GB_SWEEP_TILE = GB_SWEEP_BLOCK * GB_SWEEP_UNITS };

/* Does nothing: what a launch costs. */
cudaError_t gb_launch_empty(cudaStream_t stream);
/* Reads the units; sink is one word that is practically never written. */
cudaError_t gb_launch_read(const uint4 *source, uint64_t units, unsigned *sink,
                           cudaStream_t stream);
/* Fills the units with a value. */
cudaError_t gb_launch_write(uint4 *target, uint64_t units, unsigned value, cudaStream_t stream);
cudaError_t gb_launch_copy(const uint4 *source, uint4 *target, uint64_t units, cudaStream_t stream);
/* Whether this executable has code that the current device can run; makes a context there. */
cudaError_t gb_probe_code(void);

#endif
