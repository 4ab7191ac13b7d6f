/* Variant planes (2.5-D): a tile of the x-y plane marches along z. The plane at hand lies in shared
 * memory with its halo, a thread's columns in registers, the next planes are on their way there. */
#include "kernels/stencil/march/planes.cuh"

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return st_one_step_own_block(params);
}

/* Two planes ahead, as far as 128 registers allow: each is 16 KB on its way to a multiprocessor,
 * where the bandwidth (18 bytes read a nanosecond) times the latency under load (700 ns) is 13 KB.
 */
template <class Tile> struct planes_of {
    static constexpr int AHEAD = Tile::RADIUS < 4 ? 2 : 1;
    static st_blocks blocks() { return st_planes_blocks<Tile, AHEAD, ST_MARCH_BLOCKS>(); }
};

extern "C" const gb_variant st_planes = {
    "planes",
    "2.5-D: the plane in shared memory, columns in registers, four cells a load",
    "gpubench",
    0,
    unsupported,
    st_open_tiles<planes_of>,
    NULL,
    st_plan_run,
    st_plan_cleanup,
};
