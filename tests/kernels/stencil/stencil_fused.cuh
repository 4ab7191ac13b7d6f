/* What unit tests of the marching stencils, tma and temporal, share. */
#ifndef GB_TESTS_KERNELS_STENCIL_STENCIL_FUSED_CUH
#define GB_TESTS_KERNELS_STENCIL_STENCIL_FUSED_CUH

#include "kernels/stencil/fused/fused.h"
#include "tests/kernels/stencil/stencil_device.cuh"

/* Every kernel that there is. */
typedef struct pair {
    int radius;
    unsigned fused; /* steps a sweep */
} pair;
static const pair pairs[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {1, 2},
                             {2, 2}, {3, 2}, {1, 3}, {2, 3}, {1, 4}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static inline bool fits_into(const fused_kernel *kernel, const st_shape *shape, uint64_t bytes)
{
    gb_device with = device;
    fused_plan plan;
    with.shared_optin = bytes;
    return kernel->plan(shape, &with, &plan);
}

/* The least shared memory that a kernel's smallest tile fits into. */
static inline uint64_t least_shared(const fused_kernel *kernel, const st_shape *shape)
{
    uint64_t no = 0, yes = (uint64_t)1 << 20;
    assert_true(fits_into(kernel, shape, yes));
    while (yes - no > 1) {
        const uint64_t half = (no + yes) / 2;
        if (fits_into(kernel, shape, half))
            yes = half;
        else
            no = half;
    }
    return yes;
}

#endif
