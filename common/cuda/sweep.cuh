/* Launches of the kernels in sweep.cu: what ceilings are measured with, what empties the cache, and
 * what the primitive `null` shows as variants, so that a ceiling and its row are one kernel. */
#ifndef GB_CUDA_SWEEP_CUH
#define GB_CUDA_SWEEP_CUH

#include "common/cuda/device.cuh"

/* A tile is what one block moves; buffers are whole tiles of 16-byte units. */
enum { GB_SWEEP_BLOCK = 256, GB_SWEEP_UNITS = 4, GB_SWEEP_TILE = GB_SWEEP_BLOCK * GB_SWEEP_UNITS };

/* Does nothing: what a launch costs. */
cudaError_t gb_launch_empty(cudaStream_t stream);
/* So many blocks of 32 threads that do nothing, 1 to 2^31 - 1: what starting them costs. */
cudaError_t gb_launch_blocks(uint64_t blocks, cudaStream_t stream);
/* Reads the units; sink is one word that is practically never written. */
cudaError_t gb_launch_read(const uint4 *source, uint64_t units, unsigned *sink,
                           cudaStream_t stream);
/* Fills the units with a value. */
cudaError_t gb_launch_write(uint4 *target, uint64_t units, unsigned value, cudaStream_t stream);
cudaError_t gb_launch_copy(const uint4 *source, uint4 *target, uint64_t units, cudaStream_t stream);
/* Any number of bytes: whole tiles as above, and what is left by a second launch of one block. */
cudaError_t gb_launch_copy_bytes(const void *source, void *target, uint64_t bytes,
                                 cudaStream_t stream);
/* Whether this executable has code that the current device can run; makes a context there. */
cudaError_t gb_probe_code(void);
/* The generation that this code was compiled for (350) before it became the device's; 0: unknown.
 */
int gb_probe_generation(void);

#endif
