/* Baseline: the same on the newest CUB. */
#define GB_CUB_LATEST
#include "kernels/multipartition/cub/label_sort.cu"
