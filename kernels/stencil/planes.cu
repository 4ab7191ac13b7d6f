/* Variant planes (2.5-D): a tile of the x-y plane marches along z. The plane at hand lies in shared
 * memory with its halo, a thread's columns in registers, the next planes are on their way there. */
#include "kernels/stencil/planes.cuh"

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const char *reason = st_own_block(params);
    return reason ? reason : st_no_fusing(params);
}

/* Tiles of 128 x 16: 256 of them cover the 2048 x 256 cells of the paper's largest plane, and two
 * are resident on a multiprocessor, so that 128 of an H200's 132 march in one wave. */
static gb_status prepare(gb_job *job)
{
    switch (job->problem->shape.radius) {
    case 1:
        return st_planes_open<st_tile<1, 32, 8, 2>, 2, 2>(job);
    case 2:
        return st_planes_open<st_tile<2, 32, 8, 2>, 2, 2>(job);
    case 3:
        return st_planes_open<st_tile<3, 32, 8, 2>, 2, 2>(job);
    default:
        return st_planes_open<st_tile<4, 32, 8, 2>, 1, 2>(job);
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
