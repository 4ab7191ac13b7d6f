/* Radix sort over several GPUs as the CUDA and simt workers see it. */
#include "kernels/radix-sort-multi/radix_sort_multi.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &ms_single, &ms_nccl, &ms_nccl_merge, &ms_peers, &ms_peers_copies, NULL,
};

const gb_primitive gb_primitive_radix_sort_multi = {
    .name = "radix-sort-multi",
    .title = "Radix sort over several GPUs: keys into order, a run a GPU",
    .unit = "keys",
    .axes = ms_axes,
    .axis_count = MS_AXES,
    .variants = variants,
    .invalid = ms_invalid,
    .mistake = ms_mistake,
    .work = ms_work,
    .open = ms_open,
    .close = ms_close,
    .poison = ms_poison,
    .check = ms_check,
    .redone = ms_redone,
};
