/* What the files of the checker share. */
#ifndef GB_OCTREE_MULTI_CHECK_H
#define GB_OCTREE_MULTI_CHECK_H

#include "kernels/octree-multi/parts.cuh"

/* What the host knows of an output that is judged. */
typedef struct om_judged {
    const om_problem *problem;
    unsigned ranks;
    om_part part[GB_MOST_RANKS];       /* of each rank */
    uint64_t begin[GB_MOST_RANKS + 1]; /* bodies of all ranks before */
    const om_top *top;                 /* a copy on the host, the same of all ranks */
} om_judged;

/* check_few.cu: whether the whole tree of few bodies, put together on the host, is the CPU's. */
gb_status om_compare_with_cpu(const om_judged *judged, gb_error *error);

#endif
