/* Variant async-copy: the march of planes, with planes that arrive in shared memory by themselves
 * (cp.async): no register holds what is on its way, so more planes can be. */
#include "kernels/stencil/march/async_copy.cuh"

/* Six planes of 128 x 16 cells with the widest halo are 78 KB: two blocks are resident where a
 * multiprocessor has 164 KB or more, one where it has 100. */
enum { ST_RING = 6 };

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    if (device->arch < 800) return "needs cp.async (Ampere, sm_80)";
    return st_one_step_own_block(params);
}

template <class Tile> struct rings_of {
    static st_blocks blocks() { return st_async_copy_blocks<Tile, ST_RING, ST_MARCH_BLOCKS>(); }
};

extern "C" const gb_variant st_async_copy = {
    "async-copy",
    "planes, copied to a ring in shared memory beside all other work (cp.async)",
    "gpubench",
    0,
    unsupported,
    st_open_tiles<rings_of>,
    NULL,
    st_plan_run,
    st_plan_cleanup,
};
