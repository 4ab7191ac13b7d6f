/* Variant opencl-lsd1 in workers that have no OpenCL: listed, and refused with the way to it. */
#include "kernels/radix-sort/variants.h"

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    (void)params;
    (void)device;
    return "needs the OpenCL worker: run it with --device opencl";
}

const gb_variant rs_opencl_lsd1 = {
    .name = "opencl-lsd1",
    .summary = "the paper's sort in OpenCL: a bit a pass, predicate, scan, scatter",
    .origin = "radix sort paper, model and section 4",
    .flags = GB_STABLE | GB_ELSEWHERE,
    .unsupported = unsupported,
    .differs = "the text has no code: the model's three steps, its host side in C where it has "
               "Python; the scan's levels, bytes as predicates and how many keys a thread takes "
               "are ours",
};
