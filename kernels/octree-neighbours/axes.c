/* The axes of the neighbours and the work of a point. */
#include "kernels/octree-neighbours/octree_neighbours.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const finds[] = {[NN_NEAREST] = "nearest", [NN_WITHIN] = "within", NULL};
static const char *const stages[] = {
    [NN_BUILD] = "build", [NN_QUERIES] = "queries", [NN_BOTH] = "both", NULL};

const gb_axis nn_axes[NN_AXES] = {
    [NN_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many bodies; each asks for its neighbours",
              .fallback = "1M",
              .small = "4k",
              .min = 0,
              .max = (uint64_t)1 << 28,
              .nasty = LIST("0", "1", "2", "31", "32", "33", "97", "1023", "1025", "4093")},
    [NN_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help =
                     "where the bodies are, and in which order in memory; file:PATH as in octree",
                 .fallback = "plummer",
                 .names = LIST(OC_DISTS, "file:"),
                 .nasty = LIST(OC_DISTS)},
    [NN_LEAF] = OC_LEAF_AXIS,
    [NN_POOL] = OC_POOL_AXIS("bodies"),
    [NN_FIND] = {.name = "find",
                 .type = GB_AXIS_NAME,
                 .help =
                     "nearest: the k nearest other bodies; within: all others within the radius "
                     "in which half of the bodies have k",
                 .fallback = "nearest",
                 .names = finds,
                 .nasty = LIST("nearest", "within")},
    [NN_K] = {.name = "k",
              .type = GB_AXIS_SIZE,
              .help = "neighbours",
              .fallback = "16",
              .min = 1,
              .max = NN_MOST,
              .nasty = LIST("16", "1", "7", "32")},
    [NN_STAGE] = {.name = "stage",
                  .type = GB_AXIS_NAME,
                  .help = "what is timed: the build of what is searched, the queries, or both",
                  .fallback = "queries",
                  .names = stages,
                  .nasty = LIST("queries", "both", "build")},
};

gb_params nn_tree_params(const gb_params *params)
{
    const gb_value *value = params->value;
    return oc_params_of(value[NN_N], value[NN_DIST], value[NN_LEAF], value[NN_POOL]);
}

nn_shape nn_shape_of(const gb_params *params)
{
    const gb_params tree = nn_tree_params(params);
    return (nn_shape){.bodies = oc_shape_of(&tree),
                      .find = (nn_find)oc_index_of(finds, params->value[NN_FIND].text),
                      .stage = (nn_stage)oc_index_of(stages, params->value[NN_STAGE].text),
                      .k = (unsigned)params->value[NN_K].size};
}

const char *nn_invalid(const gb_params *params)
{
    const gb_params tree = nn_tree_params(params);
    return oc_invalid(&tree);
}

const char *nn_mistake(const gb_params *params)
{
    const gb_params tree = nn_tree_params(params);
    return oc_mistake(&tree);
}

/* Every body is read once, and what is found is written: k numbers, or how many there are. */
gb_work nn_work(const gb_params *params)
{
    const nn_shape shape = nn_shape_of(params);
    const uint64_t n = shape.bodies.n, found = shape.find == NN_NEAREST ? 4 * shape.k : 8;
    return (gb_work){.items = n,
                     .bytes = (16 + (shape.stage == NN_BUILD ? 0 : found)) * n,
                     .footprint = (16 + found) * n};
}
