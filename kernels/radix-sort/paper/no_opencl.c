/* The variants in OpenCL in workers that have none: listed, and refused with the way to them. */
#include "kernels/radix-sort/paper/first_call.h"

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

const gb_variant rs_opencl_lsd1_first_call = {
    .name = "opencl-lsd1-first-call",
    .summary = "opencl-lsd1 in a process of its own, from its start to its end",
    .origin = RS_FIRST_CALL_ORIGIN,
    .flags = RS_FIRST_CALL_FLAGS | GB_ELSEWHERE,
    .unsupported = unsupported,
    .differs = RS_FIRST_CALL_DIFFERS,
};
