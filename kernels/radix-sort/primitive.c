/* Radix sort as the CUDA and simt workers see it: its variants. */
#include "kernels/radix-sort/variants.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &rs_cpu_lsd1, /* on the CPU */
    &rs_cpu_lsd1_operators,
    &rs_cpu_lsd8,
    &rs_cpu_parallel,
    &rs_cpu_qsort,
    &rs_lsd1, /* on the device */
    &rs_lsd1_first_call,
    &rs_lsd1_unpadded,
    &rs_lsd4,
    &rs_lsd8,
    &rs_small,
    &rs_onesweep,
    &rs_hybrid,
    &rs_onesweep_out_of_core,
    &rs_cub_radix_sort,
    &rs_cub_radix_sort_latest,
    &rs_opencl_lsd1, /* in another worker */
    &rs_opencl_lsd1_first_call,
    NULL,
};

const gb_primitive gb_primitive_radix_sort = RS_PRIMITIVE(variants);
