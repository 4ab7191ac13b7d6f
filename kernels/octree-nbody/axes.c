/* The axes of the n-body step and the work of a point. */
#include "kernels/octree-nbody/octree_nbody.h"

#include <stdlib.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const stages[] = {
    [NB_BUILD] = "build", [NB_SUMS] = "sums", [NB_FORCE] = "force", [NB_STEP] = "step", NULL};

const gb_axis nb_axes[NB_AXES] = {
    [NB_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many bodies",
              .fallback = "1M",
              .small = "4k",
              .min = 0,
              .max = (uint64_t)1 << 28,
              .nasty = LIST("0", "1", "2", "31", "32", "33", "97", "1023", "1025", "4093")},
    [NB_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help =
                     "where the bodies are, and in which order in memory; file:PATH as in octree",
                 .fallback = "plummer",
                 .names = LIST(OC_DISTS, "file:"),
                 .nasty = LIST(OC_DISTS)},
    [NB_LEAF] = OC_LEAF_AXIS,
    [NB_POOL] = OC_POOL_AXIS("bodies"),
    [NB_THETA] = {.name = "theta",
                  .type = GB_AXIS_NAME,
                  .help =
                      "opening angle: a cell is taken for a point where its edge by its distance "
                      "is smaller; 0: never",
                  .fallback = "0.5",
                  .names = LIST("0", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"),
                  .nasty = LIST("0.5", "0", "1", "0.3")},
    [NB_STAGE] = {.name = "stage",
                  .type = GB_AXIS_NAME,
                  .help =
                      "what is timed: the tree's build, the sums of its cells, the force on all "
                      "bodies, or a step of all three",
                  .fallback = "step",
                  .names = stages,
                  .nasty = LIST("step", "build", "sums", "force")},
};

gb_params nb_tree_params(const gb_params *params)
{
    const gb_value *value = params->value;
    return oc_params_of(value[NB_N], value[NB_DIST], value[NB_LEAF], value[NB_POOL]);
}

nb_shape nb_shape_of(const gb_params *params)
{
    const gb_params tree = nb_tree_params(params);
    return (nb_shape){.bodies = oc_shape_of(&tree),
                      .stage = (nb_stage)oc_index_of(stages, params->value[NB_STAGE].text),
                      .theta = strtod(params->value[NB_THETA].text, NULL)};
}

const char *nb_invalid(const gb_params *params)
{
    const gb_params tree = nb_tree_params(params);
    return oc_invalid(&tree);
}

const char *nb_mistake(const gb_params *params)
{
    const gb_params tree = nb_tree_params(params);
    return oc_mistake(&tree);
}

/* Every body is read once; of a build it stands in one slot, of a force it has four words. What is
 * between depends on where the bodies are. */
gb_work nb_work(const gb_params *params)
{
    const nb_shape shape = nb_shape_of(params);
    const uint64_t n = shape.bodies.n;
    const uint64_t written = shape.stage == NB_BUILD ? 4 : shape.stage == NB_SUMS ? 0 : 16;
    return (gb_work){.items = n, .bytes = (16 + written) * n, .footprint = 32 * n};
}
