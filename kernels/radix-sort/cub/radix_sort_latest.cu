/* Baseline: the same on the newest CUB. */
#define GB_CUB_LATEST
#include "kernels/radix-sort/cub/radix_sort.cu"
