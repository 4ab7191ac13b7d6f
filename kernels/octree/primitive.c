/* The octree as the worker sees it: its variants. */
#include "kernels/octree/dump.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &oc_cpu,
    &oc_cpu_parallel,
    &oc_burtscher_pingali_as_published,
    &oc_octreebuild_lf_as_published,
    &oc_burtscher_pingali,
    &oc_octreebuild_lf,
    &oc_octreebuild_lf_shared,
    &oc_pool_clear,
    &oc_burtscher_pingali_tuned,
    &oc_octreebuild_lf_tuned,
    &oc_morton,
    &oc_morton_regions,
    &oc_seeded,
    &oc_auto,
    NULL,
};

const gb_primitive gb_primitive_octree = OC_PRIMITIVE(variants, .dumps = oc_dumps);
