/* The variants of segmented sort in the order in which they are listed. */
#ifndef GB_SEGMENTED_SORT_VARIANTS_H
#define GB_SEGMENTED_SORT_VARIANTS_H

#include "kernels/segmented-sort/segmented_sort.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const gb_variant sg_segmented;
extern const gb_variant sg_cub_segmented_sort, sg_cub_segmented_sort_latest;
extern const gb_variant sg_cub_segmented_radix_sort, sg_cub_segmented_radix_sort_latest;

#ifdef __cplusplus
}
#endif
#endif
