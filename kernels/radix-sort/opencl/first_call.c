/* Variant opencl-lsd1-first-call: opencl-lsd1 with all that a program does before and after it. */
#include "kernels/radix-sort/paper/first_call.h"
#include "kernels/radix-sort/opencl/data.h"

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const char *reason = rs_opencl_unsupported(params, device);
    return reason ? reason : rs_first_call_unsupported(params, device);
}

const gb_variant rs_opencl_lsd1_first_call = {
    .name = "opencl-lsd1-first-call",
    .summary = "opencl-lsd1 in a process of its own, from its start to its end",
    .origin = RS_FIRST_CALL_ORIGIN,
    .flags = RS_FIRST_CALL_FLAGS,
    .unsupported = unsupported,
    .prepare = rs_first_call_prepare,
    .reset = rs_first_call_reset,
    .run = rs_first_call_run,
    .cleanup = rs_first_call_cleanup,
    .differs = RS_FIRST_CALL_DIFFERS,
};
