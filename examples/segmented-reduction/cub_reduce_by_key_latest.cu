/* Baseline: the same on the newest CUB. */
#define GB_CUB_LATEST
#include "cub_reduce_by_key.cu"
