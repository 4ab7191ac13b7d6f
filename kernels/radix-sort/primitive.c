/* Radix sort as the CUDA and simt workers see it: its variants. */
#include "kernels/radix-sort/variants.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &rs_lsd1,
    &rs_lsd1_unpadded,
    &rs_lsd4,
    &rs_lsd8,
    &rs_onesweep,
    &rs_onesweep_out_of_core,
    &rs_cub_radix_sort,
    &rs_opencl_lsd1,
    NULL,
};

const gb_primitive gb_primitive_radix_sort = {
    .name = "radix-sort",
    .title = RS_TITLE,
    .unit = "keys",
    .axes = rs_axes,
    .axis_count = RS_AXES,
    .variants = variants,
    .invalid = rs_invalid,
    .work = rs_work,
    .open = rs_open,
    .close = rs_close,
    .upload = rs_upload,
    .download = rs_download,
    .poison = rs_poison,
    .check = rs_check,
    .honours_memory_limit = true,
};
