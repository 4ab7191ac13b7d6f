/* The variants lsd4 and lsd8: four or eight bits a pass, with the memory's traffic of three reads
 * or writes of a key. */
#include "kernels/radix-sort/lsd_digits.cuh"
#include "kernels/radix-sort/variants.h"

template <unsigned BITS> static gb_status prepare(gb_job *job)
{
    return lsd_open(job, BITS, rs_position_bytes(job->problem->shape.n));
}

extern "C" const gb_variant rs_lsd4 = {
    "lsd4",
    "four bits a pass: histograms of tiles, scan, reordering within a block",
    "gpubench, after Ashkiani et al. 2017",
    GB_STABLE,
    rs_no_wide_payload,
    prepare<4>,
    NULL,
    lsd_run<4>,
    lsd_close,
    "it is a sort of our own that takes its steps from their multisplit",
    NULL,
};

extern "C" const gb_variant rs_lsd8 = {
    "lsd8",
    "eight bits a pass, otherwise as lsd4",
    "gpubench, after Ashkiani et al. 2017",
    GB_STABLE,
    rs_no_wide_payload,
    prepare<8>,
    NULL,
    lsd_run<8>,
    lsd_close,
    "it is a sort of our own that takes its steps from their multisplit",
    NULL,
};
