/* Radix sort as the OpenCL worker sees it: the same point, the same list of variants, of which it
 * runs the one in OpenCL and those on the CPU. */
#include "kernels/radix-sort/variants.h"

static const char *needs_cuda(const gb_params *params, const gb_device *device)
{
    (void)params;
    (void)device;
    return "needs CUDA: run it with --device 0 or simt";
}

/* A variant that other workers run, so that one config can name it beside ours. */
#define ELSEWHERE(identifier, called, claims)                                     \
    static const gb_variant identifier = {.name = called,                         \
                                          .summary = "CUDA: see `gpubench list`", \
                                          .origin = "the CUDA and simt workers",  \
                                          .flags = claims | GB_ELSEWHERE,         \
                                          .unsupported = needs_cuda}

ELSEWHERE(lsd1, "lsd1", GB_STABLE);
ELSEWHERE(lsd1_first_call, "lsd1-first-call", GB_STABLE | GB_OWN_TRANSFERS | GB_HOST_CLOCK);
ELSEWHERE(lsd1_unpadded, "lsd1-unpadded", GB_STABLE);
ELSEWHERE(lsd4, "lsd4", GB_STABLE);
ELSEWHERE(lsd8, "lsd8", GB_STABLE);
ELSEWHERE(small, "small", GB_STABLE);
ELSEWHERE(onesweep, "onesweep", GB_STABLE);
ELSEWHERE(hybrid, "hybrid", 0);
ELSEWHERE(onesweep_out_of_core, "onesweep-out-of-core", GB_STABLE | GB_OWN_TRANSFERS);
ELSEWHERE(cub_radix_sort, "cub-radix-sort", GB_STABLE | GB_CUDA_ONLY);
ELSEWHERE(cub_radix_sort_latest, "cub-radix-sort-latest", GB_STABLE | GB_CUDA_ONLY);

/* In the order of variants.h. */
static const gb_variant *const variants[] = {
    &rs_cpu_lsd1,
    &rs_cpu_lsd1_operators,
    &rs_cpu_lsd8,
    &rs_cpu_parallel,
    &rs_cpu_qsort,
    &lsd1,
    &lsd1_first_call,
    &lsd1_unpadded,
    &lsd4,
    &lsd8,
    &small,
    &onesweep,
    &hybrid,
    &onesweep_out_of_core,
    &cub_radix_sort,
    &cub_radix_sort_latest,
    &rs_opencl_lsd1,
    &rs_opencl_lsd1_first_call,
    NULL,
};

const gb_primitive gb_primitive_radix_sort = RS_PRIMITIVE(variants);
