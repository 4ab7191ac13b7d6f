/* What data sheets say of GPUs, where results of several are set beside one another. */
#ifndef GB_ROWS_GPUS_H
#define GB_ROWS_GPUS_H

#include "bench/util/arena.h"
#include "common/text/csv.h"

#include <stdbool.h>

typedef struct gb_gpu {
    const char *device; /* as results name it */
    const char *alias;  /* further names of it, separated by ';'; "" if there are none */
    const char *architecture;
    /* 0: not said */
    double bytes_per_s;      /* of its memory */
    double flop_per_s;       /* in single precision, a fused multiply-add being two */
    double sms, sm_clock_hz; /* the highest clock that the vendor states */
    double l2_bytes;
    double power_w;            /* of the board */
    double compute_capability; /* 9.0; grows with the architecture */
    double year;               /* in which the vendor announced it */
} gb_gpu;

typedef struct gb_gpus {
    gb_gpu *items;
    size_t count;
} gb_gpus;

/* Whether a file is one of these, and no results. */
bool gb_is_gpus(const gb_csv *csv);

/* Reads a file of the folder results/published/ with the columns device, memory_bytes_per_s,
 * fp32_flop_per_s and source and perhaps alias, architecture, compute_capability, year, sms,
 * sm_clock_max_hz, l2_bytes and power_w. False and *error if it is missing, damaged, has a number
 * without a source or a name twice. Everything lives in the arena. */
bool gb_gpus_load(gb_arena *arena, const char *name, gb_gpus *gpus, gb_error *error);

/* NULL: it is not there. */
const gb_gpu *gb_gpu_find(const gb_gpus *gpus, const char *device);

#endif
