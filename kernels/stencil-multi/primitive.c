/* 3-D star stencils on several GPUs: their variants. */
#include "kernels/stencil-multi/stencil_multi.h"

/* One a line, so that a new one is one line. */
/* clang-format off */
static const gb_variant *const variants[] = {
    &stm_single,
    &stm_single_temporal,
    &stm_nccl,
    &stm_nccl_temporal,
    &stm_peers,
    &stm_peers_temporal,
    NULL,
};
/* clang-format on */

const gb_primitive gb_primitive_stencil_multi = {
    .name = "stencil-multi",
    .title = "Stencils on several GPUs: 3-D stars of radius 1 to 4, slabs along z",
    .unit = "cells",
    .axes = stm_axes,
    .axis_count = STM_AXES,
    .variants = variants,
    .invalid = stm_invalid,
    .work = stm_work,
    .open = stm_open,
    .close = stm_close,
    .poison = stm_poison,
    .check = stm_check,
};
