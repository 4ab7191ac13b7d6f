/* The variants of radix sort in the order in which they are listed. */
#ifndef GB_RADIX_SORT_VARIANTS_H
#define GB_RADIX_SORT_VARIANTS_H

#include "kernels/radix-sort/radix_sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CPU, plain C: any worker can have them */
extern const gb_variant rs_cpu_lsd1, rs_cpu_lsd1_operators, rs_cpu_lsd8, rs_cpu_parallel,
    rs_cpu_qsort;
/* CUDA and simt */
extern const gb_variant rs_lsd1_first_call;
extern const gb_variant rs_lsd1, rs_lsd1_unpadded, rs_lsd4, rs_lsd8, rs_small, rs_onesweep,
    rs_hybrid;
extern const gb_variant rs_onesweep_out_of_core;
extern const gb_variant rs_cub_radix_sort, rs_cub_radix_sort_latest;
/* OpenCL */
extern const gb_variant rs_opencl_lsd1, rs_opencl_lsd1_first_call;

/* What the primitive is in every worker, but for the list of variants. */
#define RS_PRIMITIVE(variant_list)                                                            \
    {                                                                                         \
        .name = "radix-sort", .title = RS_TITLE, .unit = "keys", .axes = rs_axes,             \
        .axis_count = RS_AXES, .variants = (variant_list), .invalid = rs_invalid,             \
        .mistake = rs_mistake, .work = rs_work, .open = rs_open, .close = rs_close,           \
        .upload = rs_upload, .download = rs_download, .poison = rs_poison, .check = rs_check, \
        .honours_memory_limit = true, .run_fresh = rs_run_fresh,                              \
    }

#ifdef __cplusplus
}
#endif
#endif
