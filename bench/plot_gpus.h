/* What data sheets say of GPUs, for figures that set results of several beside one another. */
#ifndef GB_PLOT_GPUS_H
#define GB_PLOT_GPUS_H

#include "bench/arena.h"

#include <stdbool.h>

typedef struct gb_plot_gpu {
    const char *device; /* as results name it */
    double bytes_per_s; /* of its memory; 0: not said */
    double flop_per_s;  /* in single precision, a fused multiply-add being two; 0: not said */
} gb_plot_gpu;

typedef struct gb_plot_gpus {
    gb_plot_gpu *items;
    size_t count;
} gb_plot_gpus;

/* Reads a file of the folder plots/ with the columns device, memory_bytes_per_s, fp32_flop_per_s
 * and source. False and *error if it is missing, damaged or has a number without a source.
 * Everything lives in the arena. */
bool gb_plot_gpus_load(gb_arena *arena, const char *name, gb_plot_gpus *gpus, gb_error *error);

/* NULL: it is not there. */
const gb_plot_gpu *gb_plot_gpu_find(const gb_plot_gpus *gpus, const char *device);

#endif
