/* Variant comp-as-printed: code 3 of the paper, line by line.
 *
 * What it prints, for radius 1; tx and ty are threadIdx.x + R and threadIdx.y + R:
 *
 *     __shared__ float ds_a[BY+2*R][BX+2*R];
 *     if (threadIdx.y < R) { ds_a[threadIdx.y][tx] = a[index-(R*dimx)];
 *                            ds_a[threadIdx.y + BY + R][tx] = a[index+(BY*dimx)]; }
 *     if (threadIdx.x < R) { ds_a[ty][threadIdx.x] = a[index-R];
 *                            ds_a[ty][threadIdx.x + BX + R] = a[index+BX]; }
 *     ds_a[ty][tx] = a[index];
 *     __syncthreads();
 *     b[index] = coeff[0] * ds_a[ty][tx] + coeff[1] * ds_a[ty][tx-1] + coeff[2] * ds_a[ty][tx+1] +
 *                coeff[3] * ds_a[ty-1][tx] + coeff[4] * ds_a[ty+1][tx] +
 *                coeff[5] * a[index-stride] + coeff[6] * a[index+stride];
 *
 * Larger radii go on with the same six terms at distance k = 2, 3, 4.
 *
 * Two departures, of which nothing is left at the paper's sizes if BY >= R. A block of fewer rows
 * than R leaves rows of the halo unread, so there the first `if` is a loop with a step of BY. And a
 * tile that the box cuts off reads only what is there; the paper's boxes are whole tiles.
 *
 * What it leaves open, as it was read here: base_as_printed.cu. */
#include "kernels/stencil/paper/as_printed.cuh"

/* Fills the tile. WHOLE: the box does not cut it off. */
template <int BX, int BY, int R, bool WHOLE>
static __device__ __forceinline__ void fill(float (&ds_a)[BY + 2 * R][BX + 2 * R],
                                            const st_printed &task, int index, int x, int y)
{
    const int tx = (int)threadIdx.x + R, ty = (int)threadIdx.y + R;
    const int dimx = task.dimx, end_x = task.shape.x + R, end_y = task.shape.y + R;
    float *const a = task.a;
    for (int row = (int)threadIdx.y, more = 0; row < R; row += BY, more += BY) {
        if (WHOLE || (x < end_x && y + more - R < end_y))
            ds_a[row][tx] = a[index - (R * dimx) + more * dimx];
        if (WHOLE || (x < end_x && y + more + BY < end_y))
            ds_a[row + BY + R][tx] = a[index + (BY * dimx) + more * dimx];
        if (BY >= R) break; /* an if, as printed */
    }
    if (threadIdx.x < R) {
        if (WHOLE || (x - R < end_x && y < end_y)) ds_a[ty][threadIdx.x] = a[index - R];
        if (WHOLE || (x + BX < end_x && y < end_y)) ds_a[ty][threadIdx.x + BX + R] = a[index + BX];
    }
    if (WHOLE || (x < end_x && y < end_y)) ds_a[ty][tx] = a[index];
}

template <int BX, int BY, int R> static __global__ void printed_tile(st_printed task)
{
    __shared__ float ds_a[BY + 2 * R][BX + 2 * R];
    const int x = (int)(blockIdx.x * BX + threadIdx.x), y = (int)(blockIdx.y * BY + threadIdx.y);
    const int tx = (int)threadIdx.x + R, ty = (int)threadIdx.y + R;
    const int dimx = task.dimx, stride = task.dimx * task.dimy;
    const int index = task.origin + (int)blockIdx.z * stride + y * dimx + x;
    if ((int)(blockIdx.x + 1) * BX <= task.shape.x && (int)(blockIdx.y + 1) * BY <= task.shape.y)
        fill<BX, BY, R, true>(ds_a, task, index, x, y);
    else
        fill<BX, BY, R, false>(ds_a, task, index, x, y);
    __syncthreads();

    if (x >= task.shape.x || y >= task.shape.y) return;
    const float *const a = task.a;
    const float *const coeff = task.weights.w;
    float sum = coeff[0] * ds_a[ty][tx];
#pragma unroll
    for (int k = 1; k <= R; k++)
        sum = sum + coeff[6 * k - 5] * ds_a[ty][tx - k] + coeff[6 * k - 4] * ds_a[ty][tx + k] +
              coeff[6 * k - 3] * ds_a[ty - k][tx] + coeff[6 * k - 2] * ds_a[ty + k][tx] +
              coeff[6 * k - 1] * a[index - k * stride] + coeff[6 * k] * a[index + k * stride];
    task.b[index] = sum;
}

/* ---- launches: a kernel for each block and radius -------------------------------------------- */

typedef struct printed_kernels {
    st_block block;
    void (*of_radius[ST_MAX_RADIUS])(st_printed task);
} printed_kernels;

template <int BX, int BY> static constexpr printed_kernels kernels_of()
{
    return {{BX, BY, 1},
            {printed_tile<BX, BY, 1>, printed_tile<BX, BY, 2>, printed_tile<BX, BY, 3>,
             printed_tile<BX, BY, 4>}};
}

/* The flat blocks of the axis. */
static const printed_kernels all_kernels[] = {
    kernels_of<32, 1>(),  kernels_of<32, 2>(),  kernels_of<32, 4>(),  kernels_of<32, 8>(),
    kernels_of<32, 16>(), kernels_of<32, 32>(), kernels_of<64, 1>(),  kernels_of<64, 2>(),
    kernels_of<64, 4>(),  kernels_of<64, 8>(),  kernels_of<64, 16>(), kernels_of<128, 1>(),
    kernels_of<128, 2>(), kernels_of<128, 4>(), kernels_of<128, 8>(), kernels_of<256, 1>(),
    kernels_of<256, 2>(), kernels_of<256, 4>(), kernels_of<512, 1>(), kernels_of<512, 2>(),
    kernels_of<1024, 1>()};

static const printed_kernels *find_kernels(const st_shape *shape)
{
    const st_block block = st_printed_block(shape);
    for (const printed_kernels &kernels : all_kernels)
        if (kernels.block.x == block.x && kernels.block.y == block.y && kernels.block.z == block.z)
            return &kernels;
    return NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const st_shape shape = st_shape_of(params);
    const char *reason = st_printed_unsupported(params, device);
    if (reason) return reason;
    return find_kernels(&shape) ? NULL
                                : "a tile of comp lies in one plane: choose a block with one "
                                  "thread along z (32x8x1)";
}

static gb_status sweep(gb_job *job, const float *from, float *to, unsigned, gb_stream stream)
{
    const st_shape *shape = &job->problem->shape;
    return st_printed_sweep(job, find_kernels(shape)->of_radius[shape->radius - 1], from, to,
                            stream);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return st_run_sweeps(job, sweep, stream);
}

extern "C" const gb_variant st_comp_as_printed = {
    "comp-as-printed",
    "a cell a thread, the block's x-y tile and its halo in shared memory, loaded as the paper "
    "prints it",
    "stencil paper, code 3",
    0,
    unsupported,
    st_problem_device,
    NULL,
    run,
    NULL,
    "only radius 1 is printed: larger ones go on with the same six terms at each distance; a block "
    "of fewer rows than the radius loads the halo's rows in a loop, where the printed condition "
    "leaves some unread; a tile that the box cuts off reads only what is there",
    NULL,
};
