/* Variant cub-select-latest: the same on the newest CUB. */
#define GB_CUB_LATEST
#include "kernels/dynamic-array/cub/select.cu"
