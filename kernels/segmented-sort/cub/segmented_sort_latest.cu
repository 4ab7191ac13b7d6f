/* Baseline: the same on the newest CUB. */
#define GB_CUB_LATEST
#include "kernels/segmented-sort/cub/segmented_sort.cu"
