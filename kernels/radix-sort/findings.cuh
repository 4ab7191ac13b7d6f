/* What a check of a sort finds on the device: cleared, added up by its blocks, and fetched. */
#ifndef GB_RADIX_SORT_FINDINGS_CUH
#define GB_RADIX_SORT_FINDINGS_CUH

#include "common/cuda/grid.cuh"
#include "kernels/radix-sort/problem.h"

/* An index of findings where there is no such element. */
static const uint64_t RS_NO_DEFECT = ~(uint64_t)0;

/* Adds a block's part to the findings; all GB_GRID_THREADS threads of the block call it. */
static __device__ void rs_add_up(const rs_hash *mine, rs_findings *findings)
{
    __shared__ unsigned long long part[3][GB_GRID_THREADS];
    part[0][threadIdx.x] = mine->a;
    part[1][threadIdx.x] = mine->b;
    part[2][threadIdx.x] = mine->ordered;
    for (unsigned half = GB_GRID_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int k = 0; k < 3; k++)
                part[k][threadIdx.x] += part[k][threadIdx.x + half];
    }
    if (threadIdx.x == 0) {
        atomicAdd(reinterpret_cast<unsigned long long *>(&findings->sum.a), part[0][0]);
        atomicAdd(reinterpret_cast<unsigned long long *>(&findings->sum.b), part[1][0]);
        atomicAdd(reinterpret_cast<unsigned long long *>(&findings->sum.ordered), part[2][0]);
    }
}

/* Makes the device's findings those of nothing seen. */
static inline gb_status rs_findings_clear(rs_findings *on_device, gb_error *error)
{
    const rs_findings nothing = {{0, 0, 0}, RS_NO_DEFECT, RS_NO_DEFECT};
    GB_TRY(cudaMemcpy(on_device, &nothing, sizeof nothing, cudaMemcpyHostToDevice), error);
    return GB_OK;
}

static inline gb_status rs_findings_fetch(const rs_findings *on_device, rs_findings *findings,
                                          gb_error *error)
{
    GB_TRY(cudaMemcpy(findings, on_device, sizeof *findings, cudaMemcpyDeviceToHost), error);
    return GB_OK;
}

#endif
