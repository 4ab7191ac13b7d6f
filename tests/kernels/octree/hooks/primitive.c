/* The octree as the worker has it in which threads are left at every memory access: the builds
 * whose threads meet in the tree. */
#include "kernels/octree/octree.h"

static const gb_variant *const variants[] = {
    &oc_burtscher_pingali_as_published,
    &oc_octreebuild_lf_as_published,
    &oc_burtscher_pingali,
    &oc_burtscher_pingali_tuned,
    &oc_octreebuild_lf,
    &oc_octreebuild_lf_shared,
    &oc_octreebuild_lf_tuned,
    &oc_seeded,
    NULL,
};

const gb_primitive gb_primitive_octree = OC_PRIMITIVE(variants, .dumps = NULL);
