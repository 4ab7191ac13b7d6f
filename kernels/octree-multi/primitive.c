/* The octree over several GPUs as the worker sees it: its variants. */
#include "kernels/octree-multi/octree_multi.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &om_single,
    &om_nccl,
    &om_peers,
    NULL,
};

const gb_primitive gb_primitive_octree_multi = {
    .name = "octree-multi",
    .title = "Octree over several GPUs: bodies go to ranges of a curve, trees meet in a top",
    .unit = "bodies",
    .axes = om_axes,
    .axis_count = OM_AXES,
    .variants = variants,
    .invalid = om_invalid,
    .mistake = om_mistake,
    .work = om_work,
    .open = om_open,
    .close = om_close,
    .poison = om_poison,
    .check = om_check,
};
