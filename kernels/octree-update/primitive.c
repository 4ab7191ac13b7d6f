/* The update of octrees as the worker sees it: its variants. */
#include "kernels/octree-update/octree_update.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &ou_burtscher_pingali_tuned, &ou_octreebuild_lf_tuned, &ou_morton, &ou_update, NULL,
};

const gb_primitive gb_primitive_octree_update = {
    .name = "octree-update",
    .title = "Octrees of bodies that moved a little: updated, and built from scratch",
    .unit = "bodies",
    .axes = ou_axes,
    .axis_count = OU_AXES,
    .variants = variants,
    .invalid = ou_invalid,
    .work = ou_work,
    .open = ou_open,
    .close = ou_close,
    .poison = ou_poison,
    .check = ou_check,
    .dumps = ou_dumps,
};
