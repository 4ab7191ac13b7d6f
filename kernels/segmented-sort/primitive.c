/* Segmented sort as the CUDA and simt workers see it: its variants. */
#include "kernels/segmented-sort/variants.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &sg_segmented,
    &sg_cub_segmented_sort,
    &sg_cub_segmented_sort_latest,
    &sg_cub_segmented_radix_sort,
    &sg_cub_segmented_radix_sort_latest,
    NULL,
};

const gb_primitive gb_primitive_segmented_sort = {
    .name = "segmented-sort",
    .title = "Segmented sort: the keys of each segment into order",
    .unit = "keys",
    .axes = sg_axes,
    .axis_count = SG_AXES,
    .variants = variants,
    .invalid = sg_invalid,
    .mistake = sg_mistake,
    .work = sg_work,
    .open = sg_open,
    .close = sg_close,
    .poison = sg_poison,
    .check = sg_check,
    .honours_memory_limit = true,
};
