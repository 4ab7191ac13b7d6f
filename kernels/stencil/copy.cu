/* Variant copy: every cell is read once and written once, and nothing computed: what a sweep over
 * memory costs at least.
 *
 * 8 bytes a cell. A block copies the groups of 16 bytes of one row; a thread holds several at a
 * time, all loaded before any is stored, so that enough bytes are in flight. Where steps are fused
 * it makes as many sweeps as whoever fuses them. */
#include "common/cuda/device.cuh"
#include "kernels/stencil/variants.h"

enum { BLOCK = 256, GROUPS = 4, CELLS = 4 /* of a group */ };

static __device__ void copy_group(const float *from, float *to, int first, int cells)
{
    for (int x = first; x < cells && x < first + CELLS; x++)
        to[x] = from[x];
}

/* blockIdx.x: a tile of BLOCK * GROUPS groups along x; y: rows of a plane; z: planes. */
static __global__ void __launch_bounds__(BLOCK)
    copy_rows(st_layout layout, int cells, const float *from, float *to)
{
    const int64_t row =
        layout.origin + (int64_t)blockIdx.z * layout.plane + (int64_t)blockIdx.y * layout.pitch;
    const float4 *const source = reinterpret_cast<const float4 *>(from + row);
    float4 *const target = reinterpret_cast<float4 *>(to + row);
    const int first = (int)(blockIdx.x * BLOCK * GROUPS + threadIdx.x), whole = cells / CELLS;
    float4 group[GROUPS];
#pragma unroll
    for (int i = 0; i < GROUPS; i++)
        if (first + i * BLOCK < whole) group[i] = source[first + i * BLOCK];
#pragma unroll
    for (int i = 0; i < GROUPS; i++) {
        const int at = first + i * BLOCK;
        if (at < whole)
            target[at] = group[i];
        else if (at == whole)
            copy_group(from + row, to + row, whole * CELLS, cells);
    }
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return st_own_block(params);
}

static gb_status sweep(gb_job *job, const float *from, float *to, unsigned, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const unsigned tile = BLOCK * GROUPS * CELLS;
    const dim3 grid(((unsigned)p->shape.x + tile - 1) / tile, (unsigned)p->shape.y,
                    (unsigned)p->shape.z);
    GB_TRY(launch(copy_rows, grid, dim3(BLOCK), 0, gb_cuda_stream(stream), p->layout, p->shape.x,
                  from, to),
           &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return st_run_sweeps(job, sweep, stream);
}

extern "C" {
bool st_copies(const gb_variant *variant)
{
    return variant->run == run || variant->prepare == st_cpu_copy.prepare;
}

const gb_variant st_copy = {
    "copy",      "reads and writes every cell once: the ceiling of one step a sweep",
    "gpubench",  0,
    unsupported, st_problem_device,
    NULL,        run,
    NULL,
};
}
