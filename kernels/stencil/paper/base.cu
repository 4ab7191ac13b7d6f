/* Variants base and csl: the paper's first two kernels, well made: a cell a thread, every neighbour
 * read from global memory. In the order in which the paper prints the reads: base_as_printed.cu.
 *
 * base reads through plain pointers. They are neither const nor __restrict__: with both, the
 * compiler may prove that nobody writes what is read and take the read-only path by itself, and
 * base would be csl. csl takes that path explicitly, every read by __ldg. (From Pascal on both go
 * through the same L1, and the paper finds them equal there.)
 *
 * 6r + 1 reads a cell; 8 bytes a cell where the caches hold what is read again, up to (6r + 2) * 4
 * where they hold nothing. */
#include "common/cuda/device.cuh"
#include "kernels/stencil/variants.h"

/* The blocks of auto, radius 1..4: the best on an H200, or within 0.5 % of it and good for short
 * rows too (stencil-tuning). */
static const st_block auto_blocks[ST_MAX_RADIUS] = {
    {128, 2, 1}, {128, 2, 1}, {64, 8, 1}, {64, 8, 1}};

template <bool read_only> static __device__ __forceinline__ float read(float *at)
{
    return read_only ? __ldg(at) : *at;
}

/* a and b: cell (0, 0, 0). */
template <int R, bool read_only>
static __global__ void one_cell(st_shape shape, int pitch, int64_t plane, st_weights weights,
                                float *a, float *b)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    const int z = (int)(blockIdx.z * blockDim.z + threadIdx.z);
    if (x >= shape.x || y >= shape.y || z >= shape.z) return;
    /* Unsigned, for a factor of 32 bits then costs one instruction. */
    const uint64_t index =
        (unsigned)z * (uint64_t)plane + (unsigned)y * (uint64_t)(unsigned)pitch + (unsigned)x;
    float *const own = a + index;
    float sum = weights.w[0] * read<read_only>(own);
    /* From afar, what lies ahead first: the L1 has that the least often. */
#pragma unroll
    for (int k = R; k > 0; k--) {
        sum = sum + weights.w[6 * k] * read<read_only>(own + k * plane) +
              weights.w[6 * k - 1] * read<read_only>(own - k * plane) +
              weights.w[6 * k - 2] * read<read_only>(own + k * pitch) +
              weights.w[6 * k - 3] * read<read_only>(own - k * pitch) +
              weights.w[6 * k - 4] * read<read_only>(own + k) +
              weights.w[6 * k - 5] * read<read_only>(own - k);
    }
    b[index] = sum;
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return st_no_fusing(params);
}

static unsigned blocks(int cells, unsigned threads)
{
    return ((unsigned)cells + threads - 1) / threads;
}

template <bool read_only>
static gb_status sweep(gb_job *job, const float *from, float *to, unsigned, gb_stream stream)
{
    static void (*const kernels[ST_MAX_RADIUS])(st_shape, int, int64_t, st_weights, float *,
                                                float *) = {
        one_cell<1, read_only>, one_cell<2, read_only>, one_cell<3, read_only>,
        one_cell<4, read_only>};
    const gb_problem *p = job->problem;
    const st_block block = st_block_or(&p->shape, auto_blocks[p->shape.radius - 1]);
    const dim3 grid(blocks(p->shape.x, block.x), blocks(p->shape.y, block.y),
                    blocks(p->shape.z, block.z));
    GB_TRY(launch(kernels[p->shape.radius - 1], grid, dim3(block.x, block.y, block.z), 0,
                  gb_cuda_stream(stream), p->shape, (int)p->layout.pitch, p->layout.plane,
                  p->weights, const_cast<float *>(from) + p->layout.origin, to + p->layout.origin),
           &job->error);
    return GB_OK;
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
const gb_variant st_base = {
    "base",
    "a cell a thread, plain reads, far neighbours first",
    "stencil paper, code 1",
    0,
    unsupported,
    st_problem_device,
    NULL,
    run_base,
    NULL,
    "far neighbours are read and added first, z before y before x, ahead before behind; addresses "
    "are 64-bit, where an int index is printed; block auto is the fastest, not 32x1x1",
    NULL,
};
const gb_variant st_csl = {
    "csl",
    "a cell a thread, every read through the read-only path, far neighbours first",
    "stencil paper, code 2",
    0,
    unsupported,
    st_problem_device,
    NULL,
    run_csl,
    NULL,
    "far neighbours are read and added first, z before y before x, ahead before behind; addresses "
    "are 64-bit, where an int index is printed; block auto is the fastest, not 32x1x1",
    NULL,
};
}
