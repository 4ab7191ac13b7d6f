/* What primitives of several GPUs have in common: how many ranks there may be, and how things lie
 * over them. For C and C++. */
#ifndef GB_COMM_RANKS_H
#define GB_COMM_RANKS_H

#include "common/cuda/set.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL if so many ranks can be had, else the reason (gb_reason). needs: bits of gb_comm_needs. */
enum gb_comm_needs {
    GB_NEEDS_PEERS = 1,  /* every device can load and store what every other one has */
    GB_NEEDS_NCCL = 2,   /* its library is here, and no two ranks share a device */
    GB_NEEDS_COPIES = 4, /* GB_BY_COPIES is that, not NCCL: all ranks are of this process */
    GB_NEEDS_CREW = 8    /* threads that queue for ranks side by side (gb_comm_each) */
};
const char *gb_comm_refusal(uint64_t ranks, unsigned needs);

/* ---- what primitives of several GPUs have in common -------------------------------------------
 */

/* Where rank r's share of n things begins, which reaches to that of r + 1: even shares, to one, or
 * uneven ones, of which some are empty where there are three and more. */
static inline uint64_t gb_share_begin(uint64_t n, unsigned size, unsigned r, bool uneven)
{
    static const unsigned weight[6] = {1, 0, 5, 4, 3, 2};
    uint64_t before = 0, all = 0;
    if (!uneven) return n / size * r + (n % size < r ? n % size : r);
    for (unsigned k = 0; k < size; k++) {
        const unsigned w = size == 2 ? k + 1 : weight[k % 6];
        if (k < r) before += w;
        all += w;
    }
    return all ? n / all * before + n % all * before / all : 0;
}

/* The axis `gpus`: how many ranks work on a point together. A primitive's first one. */
#define GB_GPUS_AXIS                                                                               \
    {                                                                                              \
        .name = "gpus", .type = GB_AXIS_SIZE, .help = "GPUs that share the work", .fallback = "2", \
        .min = 1, .max = GB_MOST_RANKS, .nasty = gb_gpus_nasty                                     \
    }
extern const char *const gb_gpus_nasty[]; /* 2, 3, 5, 1, 8 */

/* The axis `share`: how input lies over the ranks at first (gb_share_begin). */
#define GB_SHARE_AXIS(text)                                                        \
    {                                                                              \
        .name = "share", .type = GB_AXIS_NAME, .help = (text), .fallback = "even", \
        .names = gb_share_names, .nasty = gb_share_names                           \
    }
extern const char *const gb_share_names[]; /* even, uneven */

/* The axis `scaling`: whether sizes are of all ranks or of each; values: those to check with. */
#define GB_SCALING_AXIS(text, values)                                                  \
    {                                                                                  \
        .name = "scaling", .type = GB_AXIS_NAME, .help = (text), .fallback = "strong", \
        .names = gb_scaling_names, .nasty = (values)                                   \
    }
extern const char *const gb_scaling_names[]; /* strong, weak */

#ifdef __cplusplus
}
#endif
#endif
