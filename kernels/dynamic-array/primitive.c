/* The dynamic array as the worker sees it: its variants. */
#include "kernels/dynamic-array/dynamic_array.h"

static const gb_variant *const variants[] = {
    /* one a line, so that a new one is one line */
    &da_cpu,
    &da_cpu_lockfree,
    &da_lfvector_cas,
    &da_lfvector_busy_wait,
    &da_lfvector_busy_wait_hoisted,
    &da_lfvector_busy_wait_grid,
    &da_lfvector_busy_wait_acquire,
    &da_static,
    &da_static_warp,
    &da_static_tile,
    &da_cub_select,
    &da_cub_select_latest,
    &da_growable,
    &da_growable_push,
    &da_growable_ordered,
    &da_growable_readable,
    &da_growable_mapped,
    &da_growable_reserved,
    &da_growable_resumed,
    &da_ggarray,
    NULL,
};

const gb_primitive gb_primitive_dynamic_array = {
    .name = "dynamic-array",
    .title = "Dynamic array: push_back by all threads",
    .unit = "kept elements",
    .axes = da_axes,
    .axis_count = DA_AXES,
    .variants = variants,
    .invalid = da_invalid,
    .mistake = da_invalid,
    .work = da_work,
    .open = da_open,
    .close = da_close,
    .poison = da_poison,
    .check = da_check,
};
