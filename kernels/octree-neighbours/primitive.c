/* The neighbours as the worker sees them: their variants. */
#include "kernels/octree-neighbours/octree_neighbours.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &nn_direct,
    &nn_grid,
    &nn_morton,
    NULL,
};

const gb_primitive gb_primitive_octree_neighbours = {
    .name = "octree-neighbours",
    .title = "Neighbours by an octree: of every body the k nearest, or all within a radius",
    .unit = "bodies",
    .axes = nn_axes,
    .axis_count = NN_AXES,
    .variants = variants,
    .invalid = nn_invalid,
    .mistake = nn_mistake,
    .work = nn_work,
    .open = nn_open,
    .close = nn_close,
    .poison = nn_poison,
    .check = nn_check,
};
