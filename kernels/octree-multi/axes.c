/* The axes of the octree over several GPUs and the work of a point. */
#include "kernels/octree-multi/octree_multi.h"

#include <string.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* SPARE_BODIES: room beside the share, so that few bodies may all go to one rank. */
enum { SPARE_CELLS = 4096, SPARE_BODIES = 1 << 19 };
static const uint64_t MOST_BODIES = (uint64_t)1 << 30;

const gb_axis om_axes[OM_AXES] = {
    [OM_GPUS] = GB_GPUS_AXIS,
    [OM_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many bodies",
              .fallback = "1M",
              .small = "4k",
              .min = 0,
              .max = (uint64_t)1 << 30,
              .nasty = LIST("0", "1", "2", "31", "32", "33", "97", "1023", "1025", "4093", "8193",
                            "20011", "65537")},
    [OM_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help = "where the bodies are, and in which order in memory; duplicates:K puts K "
                         "on a position",
                 .fallback = "plummer",
                 .names = LIST(OC_DISTS, "duplicates:"),
                 .nasty = LIST(OC_DISTS, "duplicates:1000000")},
    [OM_LEAF] = OC_LEAF_AXIS,
    [OM_POOL] = OC_POOL_AXIS("bodies that there is room for"),
    [OM_ROOM] = {.name = "room",
                 .type = GB_AXIS_SIZE,
                 .help = "bodies that a rank has memory for after the exchange, of a hundred of an "
                         "even share",
                 .fallback = "125",
                 .min = 100,
                 .max = 6400,
                 .nasty = LIST("125", "100")},
    [OM_SCALING] = GB_SCALING_AXIS("whether n is of all GPUs together (strong) or of each (weak)",
                                   gb_scaling_names),
    [OM_SHARE] = GB_SHARE_AXIS("how bodies lie over the GPUs at first"),
};

/* The point as kernels/octree has it: n bodies of all ranks. */
static gb_params of_one_tree(const gb_params *params, uint64_t n)
{
    const gb_value *value = params->value, all = {.size = n};
    return oc_params_of(all, value[OM_DIST], value[OM_LEAF], value[OM_POOL]);
}

static uint64_t bodies_of(const gb_params *params)
{
    const bool weak = strcmp(params->value[OM_SCALING].text, "weak") == 0;
    return params->value[OM_N].size * (weak ? params->value[OM_GPUS].size : 1);
}

om_shape om_shape_of(const gb_params *params)
{
    const gb_params one = of_one_tree(params, bodies_of(params));
    om_shape shape = {.gpus = (unsigned)params->value[OM_GPUS].size,
                      .uneven = strcmp(params->value[OM_SHARE].text, "uneven") == 0,
                      .bodies = oc_shape_of(&one)};
    const uint64_t n = shape.bodies.n, even = (n + shape.gpus - 1) / shape.gpus;
    shape.room = even * params->value[OM_ROOM].size / 100 + SPARE_BODIES;
    if (shape.room > n) shape.room = n;
    shape.bodies.pool = shape.room * params->value[OM_POOL].size / 100 + SPARE_CELLS;
    if (shape.bodies.pool > OC_MOST_CELLS) shape.bodies.pool = OC_MOST_CELLS;
    return shape;
}

uint64_t om_share_begin(const om_shape *shape, unsigned r)
{
    return gb_share_begin(shape->bodies.n, shape->gpus, r, shape->uneven);
}

const char *om_invalid(const gb_params *params)
{
    const uint64_t n = bodies_of(params);
    const gb_params one = of_one_tree(params, n);
    if (n > MOST_BODIES)
        return gb_reason("%llu bodies on %llu GPUs are more than 2^30 together",
                         (unsigned long long)params->value[OM_N].size,
                         (unsigned long long)params->value[OM_GPUS].size);
    return oc_invalid(&one);
}

const char *om_mistake(const gb_params *params)
{
    const gb_params one = of_one_tree(params, 0);
    return oc_invalid(&one);
}

/* Every body is read where it lies at first, and stands in one slot of its owner's. */
gb_work om_work(const gb_params *params)
{
    const om_shape shape = om_shape_of(params);
    const uint64_t n = shape.bodies.n, even = (n + shape.gpus - 1) / shape.gpus;
    uint64_t most = 0;
    for (unsigned r = 0; r < shape.gpus; r++) {
        const uint64_t share = om_share_begin(&shape, r + 1) - om_share_begin(&shape, r);
        if (share > most) most = share;
    }
    return (gb_work){.items = n, .bytes = 16 * most + 4 * even, .footprint = 32 * even};
}
