/* Variant planes (2.5-D): a tile of the x-y plane marches along z. The plane at hand lies in shared
 * memory with its halo, a thread's columns in registers, the next planes are on their way there. */
#include "kernels/stencil/planes.cuh"

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const char *reason = st_own_block(params);
    return reason ? reason : st_no_fusing(params);
}

/* 256 threads of two rows each, two blocks on a multiprocessor: tiles of 128 x 16 cells, or higher
 * ones. 256 of them cover the 2048 x 256 cells of the paper's largest plane, so that an H200 (132
 * multiprocessors) marches through it in one wave. Two planes ahead, as far as 128 registers allow:
 * each is 16 KB on its way to a multiprocessor, where the bandwidth (18 bytes read a nanosecond)
 * times the latency under load (700 ns) is 13 KB. */
enum { ST_PLANES_THREADS = 256, ST_PLANES_ROWS = 2, ST_PLANES_BLOCKS = 2 };

template <int R, int LANES> static gb_status open_lanes(gb_job *job)
{
    typedef st_tile<R, LANES, ST_PLANES_THREADS / LANES, ST_PLANES_ROWS> tile;
    return st_plan_open(job, st_planes_blocks < tile, R < 4 ? 2 : 1, ST_PLANES_BLOCKS > ());
}

template <int R> static gb_status open_radius(gb_job *job)
{
    switch (st_lanes_for(&job->problem->shape, ST_PLANES_THREADS, ST_PLANES_ROWS)) {
    case 8:
        return open_lanes<R, 8>(job);
    case 16:
        return open_lanes<R, 16>(job);
    default:
        return open_lanes<R, 32>(job);
    }
}

static gb_status prepare(gb_job *job)
{
    switch (job->problem->shape.radius) {
    case 1:
        return open_radius<1>(job);
    case 2:
        return open_radius<2>(job);
    case 3:
        return open_radius<3>(job);
    default:
        return open_radius<4>(job);
    }
}

extern "C" const gb_variant st_planes = {
    "planes",
    "2.5-D: the plane in shared memory, columns in registers, four cells a load",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    st_plan_run,
    st_plan_cleanup,
};
