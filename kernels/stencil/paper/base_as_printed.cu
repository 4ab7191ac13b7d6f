/* Variants base-as-printed and csl-as-printed: codes 1 and 2 of the paper, term by term.
 *
 * What it prints, for radius 1 (code 2 is the same with __ldg(&...) around each read):
 *
 *     b[index] = coeff[0] * a[index] + coeff[1] * a[index-1] + coeff[2] * a[index+1] +
 *                coeff[3] * a[index-dimx] + coeff[4] * a[index+dimx] +
 *                coeff[5] * a[index+(dimx*dimy)] + coeff[6] * a[index-(dimx*dimy)];
 *
 * Larger radii go on with the same six terms at distance k = 2, 3, 4. The plane ahead comes before
 * the one behind, as in codes 1 and 2; code 3 has them the other way round.
 *
 * What it leaves open, as it was read here: index is an int; a and b are plain pointers; dimx and
 * dimy are those of the arrays, ghosts and padding included; coeff stands in constant memory, where
 * a kernel's arguments are, and has our order: the weight ahead at 6k, behind at 6k - 1. */
#include "kernels/stencil/paper/as_printed.cuh"

template <bool CSL> static __device__ __forceinline__ float st_printed_read(float *at)
{
    return CSL ? __ldg(at) : *at;
}

template <int R, bool CSL> static __global__ void printed_cell(st_printed task)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    const int z = (int)(blockIdx.z * blockDim.z + threadIdx.z);
    if (x >= task.shape.x || y >= task.shape.y || z >= task.shape.z) return;
    const int dimx = task.dimx, dimy = task.dimy;
    const int index = task.origin + z * (dimx * dimy) + y * dimx + x;
    float *const a = task.a;
    const float *const coeff = task.weights.w;
    float sum = coeff[0] * st_printed_read<CSL>(&a[index]);
#pragma unroll
    for (int k = 1; k <= R; k++)
        sum = sum + coeff[6 * k - 5] * st_printed_read<CSL>(&a[index - k]) +
              coeff[6 * k - 4] * st_printed_read<CSL>(&a[index + k]) +
              coeff[6 * k - 3] * st_printed_read<CSL>(&a[index - k * dimx]) +
              coeff[6 * k - 2] * st_printed_read<CSL>(&a[index + k * dimx]) +
              coeff[6 * k] * st_printed_read<CSL>(&a[index + k * (dimx * dimy)]) +
              coeff[6 * k - 1] * st_printed_read<CSL>(&a[index - k * (dimx * dimy)]);
    task.b[index] = sum;
}

template <bool CSL>
static gb_status sweep(gb_job *job, const float *from, float *to, unsigned, gb_stream stream)
{
    static void (*const kernels[ST_MAX_RADIUS])(st_printed) = {
        printed_cell<1, CSL>, printed_cell<2, CSL>, printed_cell<3, CSL>, printed_cell<4, CSL>};
    return st_printed_sweep(job, kernels[job->problem->shape.radius - 1], from, to, stream);
}

static gb_status run_base(gb_job *job, gb_stream stream)
{
    return st_run_sweeps(job, sweep<false>, stream);
}

static gb_status run_csl(gb_job *job, gb_stream stream)
{
    return st_run_sweeps(job, sweep<true>, stream);
}

extern "C" {
const gb_variant st_base_as_printed = {
    "base-as-printed",
    "a cell a thread, plain reads, in the order in which the paper prints them",
    "stencil paper, code 1",
    0,
    st_printed_unsupported,
    st_problem_device,
    NULL,
    run_base,
    NULL,
    "only radius 1 is printed: larger ones go on with the same six terms at each distance",
    NULL,
};
const gb_variant st_csl_as_printed = {
    "csl-as-printed",
    "the same, every read through the read-only path",
    "stencil paper, code 2",
    0,
    st_printed_unsupported,
    st_problem_device,
    NULL,
    run_csl,
    NULL,
    "only radius 1 is printed: larger ones go on with the same six terms at each distance",
    NULL,
};
}
