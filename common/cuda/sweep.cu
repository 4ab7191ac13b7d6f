/* Kernels that sweep over memory in 16-byte accesses: they measure bandwidth (ceilings.cu, and the
 * variant `copy` of kernels/null) and empty the cache (evict.cu). */
#include "common/cuda/sweep.cuh"

/* Four independent accesses a thread, a block's stride apart: with full occupancy that is more than
 * latency x bandwidth of every device so far (an H200 needs about 5 MB in flight, this asks for
 * 17 MB). One tile a block and no loop over tiles, so that loads are issued before any is used. */

__global__ void __launch_bounds__(GB_SWEEP_BLOCK) gb_sweep_read(const uint4 *source, unsigned *sink)
{
    const uint4 *tile = source + (uint64_t)blockIdx.x * GB_SWEEP_TILE + threadIdx.x;
    unsigned mixed = 0;
#pragma unroll
    for (int i = 0; i < GB_SWEEP_UNITS; i++) {
        uint4 unit = tile[i * GB_SWEEP_BLOCK];
        mixed ^= unit.x ^ unit.y ^ unit.z ^ unit.w;
    }
    /* The compiler cannot know that swept buffers hold one repeated word, whose mix is 0. */
    if (mixed == 0x9E3779B9u) *sink = mixed;
}

__global__ void __launch_bounds__(GB_SWEEP_BLOCK) gb_sweep_write(uint4 *target, unsigned value)
{
    uint4 *tile = target + (uint64_t)blockIdx.x * GB_SWEEP_TILE + threadIdx.x;
    const uint4 unit = {value, value, value, value};
#pragma unroll
    for (int i = 0; i < GB_SWEEP_UNITS; i++)
        tile[i * GB_SWEEP_BLOCK] = unit;
}

__global__ void __launch_bounds__(GB_SWEEP_BLOCK) gb_sweep_copy(const uint4 *source, uint4 *target)
{
    const uint64_t first = (uint64_t)blockIdx.x * GB_SWEEP_TILE + threadIdx.x;
    uint4 unit[GB_SWEEP_UNITS];
#pragma unroll
    for (int i = 0; i < GB_SWEEP_UNITS; i++)
        unit[i] = source[first + i * GB_SWEEP_BLOCK];
#pragma unroll
    for (int i = 0; i < GB_SWEEP_UNITS; i++)
        target[first + i * GB_SWEEP_BLOCK] = unit[i];
}

/* What is left of a copy behind its last whole tile, byte by byte. */
__global__ void __launch_bounds__(GB_SWEEP_BLOCK)
    gb_sweep_copy_rest(const unsigned char *source, unsigned char *target, unsigned bytes)
{
    for (unsigned i = threadIdx.x; i < bytes; i += GB_SWEEP_BLOCK)
        target[i] = source[i];
}

__global__ void gb_sweep_nothing() {}

static dim3 sweep_grid(uint64_t units)
{
    return dim3((unsigned)(units / GB_SWEEP_TILE));
}

cudaError_t gb_launch_blocks(uint64_t blocks, cudaStream_t stream)
{
    return launch(gb_sweep_nothing, dim3((unsigned)blocks), dim3(32), 0, stream);
}

cudaError_t gb_launch_empty(cudaStream_t stream)
{
    return gb_launch_blocks(1, stream);
}

cudaError_t gb_launch_read(const uint4 *source, uint64_t units, unsigned *sink, cudaStream_t stream)
{
    return launch(gb_sweep_read, sweep_grid(units), dim3(GB_SWEEP_BLOCK), 0, stream, source, sink);
}

cudaError_t gb_launch_write(uint4 *target, uint64_t units, unsigned value, cudaStream_t stream)
{
    return launch(gb_sweep_write, sweep_grid(units), dim3(GB_SWEEP_BLOCK), 0, stream, target,
                  value);
}

cudaError_t gb_launch_copy(const uint4 *source, uint4 *target, uint64_t units, cudaStream_t stream)
{
    return launch(gb_sweep_copy, sweep_grid(units), dim3(GB_SWEEP_BLOCK), 0, stream, source,
                  target);
}

cudaError_t gb_launch_copy_bytes(const void *source, void *target, uint64_t bytes,
                                 cudaStream_t stream)
{
    const uint64_t tile_bytes = GB_SWEEP_TILE * sizeof(uint4), rest = bytes % tile_bytes;
    const uint64_t whole = bytes - rest;
    cudaError_t code = cudaSuccess;
    if (whole)
        code = gb_launch_copy(static_cast<const uint4 *>(source), static_cast<uint4 *>(target),
                              whole / sizeof(uint4), stream);
    if (rest && code == cudaSuccess)
        code = launch(gb_sweep_copy_rest, dim3(1), dim3(GB_SWEEP_BLOCK), 0, stream,
                      static_cast<const unsigned char *>(source) + whole,
                      static_cast<unsigned char *>(target) + whole, rest);
    return code;
}

cudaError_t gb_probe_code(void)
{
#if defined(__CUDACC__)
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, gb_sweep_nothing);
#else
    return cudaSuccess; /* the code is this process's own */
#endif
}

int gb_probe_generation(void)
{
    cudaFuncAttributes attributes;
    const cudaError_t code = cudaFuncGetAttributes(&attributes, gb_sweep_nothing);
    return code == cudaSuccess ? 10 * attributes.ptxVersion : 0;
}
