/* Variant async-copy: the march of planes, with planes that arrive in shared memory by themselves
 * (cp.async): no register holds what is on its way, so more planes can be. */
#include "kernels/stencil/async_copy.cuh"

/* Tiles as those of planes. Six planes of 128 x 16 cells with the widest halo are 78 KB: two blocks
 * are resident where a multiprocessor has 164 KB or more, one where it has 100. */
enum { ST_RING = 6, ST_ASYNC_THREADS = 256, ST_ASYNC_ROWS = 2, ST_ASYNC_BLOCKS = 2 };

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    if (device->arch < 800) return "needs cp.async (Ampere, sm_80)";
    const char *reason = st_own_block(params);
    return reason ? reason : st_no_fusing(params);
}

template <int R, int LANES> static gb_status open_lanes(gb_job *job)
{
    typedef st_tile<R, LANES, ST_ASYNC_THREADS / LANES, ST_ASYNC_ROWS> tile;
    return st_plan_open(job, st_async_copy_blocks<tile, ST_RING, ST_ASYNC_BLOCKS>());
}

template <int R> static gb_status open_radius(gb_job *job)
{
    switch (st_lanes_for(&job->problem->shape, ST_ASYNC_THREADS, ST_ASYNC_ROWS)) {
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

extern "C" const gb_variant st_async_copy = {
    "async-copy",
    "planes, copied to a ring in shared memory beside all other work (cp.async)",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    st_plan_run,
    st_plan_cleanup,
};
