/* The axes of the update and the work of a point. */
#include "kernels/octree-update/octree_update.h"

#include <stdlib.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

const gb_axis ou_axes[OU_AXES] = {
    [OU_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many bodies",
              .fallback = "1M",
              .small = "4k",
              .min = 0,
              .max = (uint64_t)1 << 28,
              .nasty = LIST("0", "1", "2", "31", "32", "33", "97", "1023", "1025", "4093", "8193",
                            "20011")},
    [OU_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help = "where the bodies were, and in which order in memory",
                 .fallback = "plummer",
                 .names = LIST(OC_DISTS),
                 .nasty = LIST(OC_DISTS)},
    [OU_LEAF] = OC_LEAF_AXIS,
    [OU_POOL] = OC_POOL_AXIS("bodies"),
    [OU_MOVED] = {.name = "moved",
                  .type = GB_AXIS_NAME,
                  .help = "how far a body has moved at most along each axis, in edges of the cells "
                          "that so many would have if they filled the cube evenly",
                  .fallback = "1e-3",
                  .names = LIST("0", "1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1", "1"),
                  .nasty = LIST("1e-3", "1", "0", "1e-1", "1e-2")},
};

gb_params ou_tree_params(const gb_params *params)
{
    const gb_value *value = params->value;
    return oc_params_of(value[OU_N], value[OU_DIST], value[OU_LEAF], value[OU_POOL]);
}

ou_shape ou_shape_of(const gb_params *params)
{
    const gb_params tree = ou_tree_params(params);
    return (ou_shape){.bodies = oc_shape_of(&tree),
                      .moved = strtod(params->value[OU_MOVED].text, NULL)};
}

const char *ou_invalid(const gb_params *params)
{
    const gb_params tree = ou_tree_params(params);
    return oc_invalid(&tree);
}

/* Every body is read once. A build writes it into a slot; an update need not. */
gb_work ou_work(const gb_params *params)
{
    const uint64_t n = params->value[OU_N].size;
    return (gb_work){.items = n, .bytes = 16 * n, .footprint = 32 * n};
}
