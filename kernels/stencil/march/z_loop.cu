/* Variants z-loop, z-loop-registers, z-loop-registers-csl: a thread walks along z inside the kernel
 * (the paper's future work; the combination with registers is Nasciutti and Panetta's). The block
 * is the axis's, with one thread in z.
 *
 * z-loop reads all 6r + 1 cells anew; what it gains is that its planes follow each other on one
 * multiprocessor, so that the L1 still has them. With registers, a thread keeps the 2r + 1 cells
 * of its column and reads one new cell a plane. */
#include "kernels/stencil/march/march.cuh"

#include <limits.h>

enum {
    ST_LOOP_MOST_THREADS = 1024,
    /* Blocks that walk far drift apart, and what two neighbours read is read from memory twice: 32
     * planes were the best of 32, 64, 128 and 256 on an H200. */
    ST_LOOP_PLANES = 32
};
/* The block of auto. */
static const st_block auto_block = {128, 4, 1};

/* Plain, or through the read-only path. */
template <bool CSL> __device__ __forceinline__ float st_read(const float *at)
{
    return CSL ? __ldg(at) : *at;
}

/* What the neighbours in x and y, and the cell itself (value: centre), give to its sum. */
template <int R, bool CSL>
__device__ __forceinline__ float st_plane_sum(const float *at, float centre, int64_t pitch,
                                              const st_weights &weights)
{
    float sum = weights.w[0] * centre;
#pragma unroll
    for (int k = 1; k <= R; k++) {
        sum += weights.w[6 * k - 5] * st_read<CSL>(at - k);
        sum += weights.w[6 * k - 4] * st_read<CSL>(at + k);
        sum += weights.w[6 * k - 3] * st_read<CSL>(at - k * pitch);
        sum += weights.w[6 * k - 2] * st_read<CSL>(at + k * pitch);
    }
    return sum;
}

template <int R>
__global__ void __launch_bounds__(ST_LOOP_MOST_THREADS)
    st_z_loop_kernel(const float *from, float *to, st_march march, st_weights weights)
{
    const st_stand stand = st_stand_of(march, (int)blockDim.x, (int)blockDim.y);
    const int x = stand.x + (int)threadIdx.x, y = stand.y + (int)threadIdx.y;
    if (x >= march.x || y >= march.y) return;
    int64_t at = march.origin + stand.first * march.plane + y * march.pitch + x;
    for (int z = stand.first; z < stand.last; z++, at += march.plane) {
        float sum = st_plane_sum<R, false>(from + at, from[at], march.pitch, weights);
#pragma unroll
        for (int k = 1; k <= R; k++) {
            sum += weights.w[6 * k - 1] * from[at - k * march.plane];
            sum += weights.w[6 * k] * from[at + k * march.plane];
        }
        to[at] = sum;
    }
}

/* The thread's column in a queue of 2r + 1 registers, which moves on by a cell with every plane;
 * the compiler writes the body out several times and moves little. */
template <int R, bool CSL>
static __device__ __forceinline__ void st_walk(const float *from, float *to, const st_march &march,
                                               const st_weights &weights)
{
    const st_stand stand = st_stand_of(march, (int)blockDim.x, (int)blockDim.y);
    const int x = stand.x + (int)threadIdx.x, y = stand.y + (int)threadIdx.y;
    if (x >= march.x || y >= march.y) return;
    int64_t at = march.origin + stand.first * march.plane + y * march.pitch + x;
    float queue[2 * R + 1]; /* of plane z + d at R + d */
    queue[0] = 0;
#pragma unroll
    for (int d = -R; d < R; d++)
        queue[R + d + 1] = st_read<CSL>(from + at + d * march.plane);
    for (int z = stand.first; z < stand.last; z++, at += march.plane) {
#pragma unroll
        for (int d = 0; d < 2 * R; d++)
            queue[d] = queue[d + 1];
        queue[2 * R] = st_read<CSL>(from + at + R * march.plane);
        float sum = st_plane_sum<R, CSL>(from + at, queue[R], march.pitch, weights);
#pragma unroll
        for (int k = 1; k <= R; k++) {
            sum += weights.w[6 * k - 1] * queue[R - k];
            sum += weights.w[6 * k] * queue[R + k];
        }
        to[at] = sum;
    }
}

template <int R>
__global__ void __launch_bounds__(ST_LOOP_MOST_THREADS)
    st_registers_kernel(const float *from, float *to, st_march march, st_weights weights)
{
    st_walk<R, false>(from, to, march, weights);
}

template <int R>
__global__ void __launch_bounds__(ST_LOOP_MOST_THREADS)
    st_registers_csl_kernel(const float *__restrict__ from, float *__restrict__ to, st_march march,
                            st_weights weights)
{
    st_walk<R, true>(from, to, march, weights);
}

/* ---- the variants ---------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const st_block block = st_shape_of(params).block;
    if (block.x && block.z != 1)
        return gb_reason("a thread walks along z itself: its block has 1 thread in z, not %u",
                         block.z);
    return st_no_fusing(params);
}

static gb_status open_walk(gb_job *job, const st_kernel (&kernels)[ST_MAX_RADIUS])
{
    const st_shape *shape = &job->problem->shape;
    const st_block block = st_block_or(shape, auto_block);
    return st_plan_open(job, {kernels[shape->radius - 1], dim3(block.x, block.y), 0, block.x,
                              block.y, INT_MAX, ST_LOOP_PLANES});
}

static gb_status prepare_z_loop(gb_job *job)
{
    return open_walk(
        job, {st_z_loop_kernel<1>, st_z_loop_kernel<2>, st_z_loop_kernel<3>, st_z_loop_kernel<4>});
}

static gb_status prepare_registers(gb_job *job)
{
    return open_walk(job, {st_registers_kernel<1>, st_registers_kernel<2>, st_registers_kernel<3>,
                           st_registers_kernel<4>});
}

static gb_status prepare_registers_csl(gb_job *job)
{
    return open_walk(job, {st_registers_csl_kernel<1>, st_registers_csl_kernel<2>,
                           st_registers_csl_kernel<3>, st_registers_csl_kernel<4>});
}

extern "C" {
const gb_variant st_z_loop = {
    "z-loop",
    "a thread walks along z and reads all cells from global memory",
    "Stencils across GPU generations, future work",
    0,
    unsupported,
    prepare_z_loop,
    NULL,
    st_plan_run,
    st_plan_cleanup,
    "the text only names a loop along z",
    NULL,
};

const gb_variant st_z_loop_registers = {
    "z-loop-registers",
    "a thread walks along z and keeps its column in registers",
    "Stencils across GPU generations, future work",
    0,
    unsupported,
    prepare_registers,
    NULL,
    st_plan_run,
    st_plan_cleanup,
    "the text only names the reuse of registers",
    NULL,
};

const gb_variant st_z_loop_registers_csl = {
    "z-loop-registers-csl",
    "as z-loop-registers, read through the read-only path",
    "Stencils across GPU generations, future work; Nasciutti and Panetta",
    0,
    unsupported,
    prepare_registers_csl,
    NULL,
    st_plan_run,
    st_plan_cleanup,
    "the text only names the reuse of registers",
    NULL,
};
}
