/* The variants lsd1 and lsd1-unpadded: the OpenCL paper's sort, a bit a pass. */
#include "kernels/radix-sort/paper/lsd1.cuh"
#include "kernels/radix-sort/variants.h"

static gb_status prepare(gb_job *job)
{
    return lsd1_open(job, rs_position_bytes(job->problem->shape.n));
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return lsd1_run(job, true, stream);
}

static gb_status run_unpadded(gb_job *job, gb_stream stream)
{
    return lsd1_run(job, false, stream);
}

extern "C" const gb_variant rs_lsd1 = {
    "lsd1",
    "a bit a pass: predicate, hierarchical scan, scatter",
    "radix sort paper, model and section 4",
    GB_STABLE,
    rs_no_wide_payload,
    prepare,
    NULL,
    run,
    lsd1_close,
    "the text has no code: the model's three steps, in CUDA where it has OpenCL; the scan's "
    "levels, bytes as predicates and how many keys a thread takes are ours",
    NULL,
};

extern "C" const gb_variant rs_lsd1_unpadded = {
    "lsd1-unpadded",
    "lsd1 without padding against bank conflicts in the scan",
    "radix sort paper, model and section 4",
    GB_STABLE,
    rs_no_wide_payload,
    prepare,
    NULL,
    run_unpadded,
    lsd1_close,
    "as lsd1 does, and in lacking the text's padding",
    NULL,
};
