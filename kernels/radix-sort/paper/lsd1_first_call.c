/* Variant lsd1-first-call: lsd1 with all that a program does before and after it. */
#include "kernels/radix-sort/paper/first_call.h"

const gb_variant rs_lsd1_first_call = {
    .name = "lsd1-first-call",
    .summary = "lsd1 in a process of its own, from its start to its end",
    .origin = RS_FIRST_CALL_ORIGIN,
    .flags = RS_FIRST_CALL_FLAGS,
    .unsupported = rs_first_call_unsupported,
    .prepare = rs_first_call_prepare,
    .reset = rs_first_call_reset,
    .run = rs_first_call_run,
    .cleanup = rs_first_call_cleanup,
    .differs = RS_FIRST_CALL_DIFFERS,
};
