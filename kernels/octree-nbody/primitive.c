/* The octree in an n-body step as the worker sees it: its variants. */
#include "kernels/octree-nbody/octree_nbody.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &nb_direct,
    &nb_burtscher_pingali,
    &nb_morton,
    NULL,
};

const gb_primitive gb_primitive_octree_nbody = {
    .name = "octree-nbody",
    .title = "Octree in an n-body step: the tree, the sums of its cells, the force on every body",
    .unit = "bodies",
    .axes = nb_axes,
    .axis_count = NB_AXES,
    .variants = variants,
    .invalid = nb_invalid,
    .mistake = nb_mistake,
    .work = nb_work,
    .open = nb_open,
    .close = nb_close,
    .poison = nb_poison,
    .check = nb_check,
    .dumps = nb_dumps,
};
