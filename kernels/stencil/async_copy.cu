/* Variant async-copy: the march of planes, with planes that arrive in shared memory by themselves
 * (cp.async): no register holds what is on its way, so more planes can be. */
#include "kernels/stencil/async_copy.cuh"

enum { ST_RING = 6 };

/* Tiles as those of planes. Six planes of the widest halo are 78 KB: two blocks are resident where
 * a multiprocessor has 164 KB or more, one where it has 100. */
template <int R> struct st_async_tile : st_tile<R, 32, 8, 2> {
};

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    if (device->arch < 800) return "needs cp.async (Ampere, sm_80)";
    const char *reason = st_own_block(params);
    return reason ? reason : st_no_fusing(params);
}

static gb_status prepare(gb_job *job)
{
    switch (job->problem->shape.radius) {
    case 1:
        return st_async_copy_open<st_async_tile<1>, ST_RING, 2>(job);
    case 2:
        return st_async_copy_open<st_async_tile<2>, ST_RING, 2>(job);
    case 3:
        return st_async_copy_open<st_async_tile<3>, ST_RING, 2>(job);
    default:
        return st_async_copy_open<st_async_tile<4>, ST_RING, 2>(job);
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
