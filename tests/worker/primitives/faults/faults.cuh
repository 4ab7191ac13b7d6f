/* What the variants in CUDA C++ share: the data of a point, and the right way to compute it. */
#ifndef GB_FAULTS_CUH
#define GB_FAULTS_CUH

#include "tests/worker/primitives/faults/faults.h"

#include "common/cuda/device.cuh"

struct gb_problem {
    uint64_t n;
    unsigned *in, *out; /* device memory, n each */
    unsigned *host;     /* n: the output, for the check */
    uint64_t seed;
};

/* Queues the right computation; with `wrong`, all but the last element. */
gb_status faults_compute(gb_job *job, gb_stream stream, bool wrong);

#endif
