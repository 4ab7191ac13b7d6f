/* 3-D star stencils as the CUDA and simt workers see them: their variants. */
#include "kernels/stencil/variants.h"

/* One a line, so that a new one is one line. */
/* clang-format off */
static const gb_variant *const variants[] = {
    &st_cpu,
    &st_cpu_parallel,
    &st_cpu_copy,
    &st_copy,
    &st_base_as_printed,
    &st_csl_as_printed,
    &st_comp_as_printed,
    &st_base,
    &st_csl,
    &st_comp,
    &st_z_loop,
    &st_z_loop_registers,
    &st_z_loop_registers_csl,
    &st_planes,
    &st_async_copy,
    &st_tma,
    &st_temporal,
    NULL,
};
/* clang-format on */

const gb_primitive gb_primitive_stencil = {
    .name = "stencil",
    .title = "Stencils: 3-D stars of radius 1 to 4",
    .unit = "cells",
    .axes = st_axes,
    .axis_count = ST_AXES,
    .variants = variants,
    .invalid = st_invalid,
    .work = st_work,
    .open = st_open,
    .close = st_close,
    .upload = st_upload,
    .download = st_download,
    .poison = st_poison,
    .check = st_check,
    .honours_memory_limit = true,
};
