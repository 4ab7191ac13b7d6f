/* Variants static and static-warp: all memory reserved beforehand, places by atomicAdd. What
 * growing is measured against; static is the paper's lower bound. */
#include "common/cuda/warp.cuh"
#include "kernels/dynamic-array/static/static.cuh"
#include "kernels/dynamic-array/variants.cuh"

/* One atomic addition an element, as the paper has it. ptxas makes one a warp of it. */
static __global__ void push_each(const uint32_t *__restrict__ in, uint64_t n, uint32_t limit,
                                 uint32_t *__restrict__ out, unsigned long long *size)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const uint32_t e = in[i];
        if (e < limit) out[atomicAdd(size, 1ull)] = e;
    }
}

/* Four elements a lane, one atomic addition for the warp's 128. Every lane of a warp takes part in
 * each of its turns. */
static __global__ void push_warps(const uint32_t *__restrict__ in, uint64_t n, uint32_t limit,
                                  uint32_t *__restrict__ out, unsigned long long *size)
{
    enum { GROUP = 4 * GB_WARP };
    const uint64_t warps = gb_stride() / GB_WARP;
    for (uint64_t w = gb_first() / GB_WARP; w * GROUP < n; w += warps) {
        const uint64_t i = w * GROUP + 4 * gb_lane();
        uint32_t e[4];
        if (i + 4 <= n) {
            const uint4 four = __ldcs(reinterpret_cast<const uint4 *>(in + i));
            e[0] = four.x, e[1] = four.y, e[2] = four.z, e[3] = four.w;
        } else {
            for (int k = 0; k < 4; k++)
                e[k] = i + k < n ? in[i + k] : limit;
        }
        unsigned kept[4], count = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            kept[k] = __ballot_sync(GB_FULL_MASK, e[k] < limit);
            count += __popc(kept[k]);
        }
        unsigned long long place = 0;
        if (gb_lane() == 0 && count) place = atomicAdd(size, (unsigned long long)count);
        place = __shfl_sync(GB_FULL_MASK, place, 0);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (e[k] < limit) out[place + __popc(kept[k] & gb_lanes_below())] = e[k];
            place += __popc(kept[k]);
        }
    }
}

static gb_status run_each(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_static_state *a = static_cast<const da_static_state *>(job->state);
    dim3 block, grid = da_grid_of(job, &block);
    GB_TRY(launch(push_each, grid, block, 0, gb_cuda_stream(stream), p->in, p->shape.n,
                  (uint32_t)p->shape.kept, a->out, a->size),
           &job->error);
    return GB_OK;
}

static gb_status run_warps(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_static_state *a = static_cast<const da_static_state *>(job->state);
    dim3 block, grid = da_grid_of(job, &block);
    GB_TRY(launch(push_warps, grid, block, 0, gb_cuda_stream(stream), p->in, p->shape.n,
                  (uint32_t)p->shape.kept, a->out, a->size),
           &job->error);
    return GB_OK;
}

extern "C" {
const gb_variant da_static = {
    "static",
    "memory reserved beforehand, one atomicAdd an element: the paper's lower bound",
    "Meneses, section 3",
    0,
    NULL,
    da_static_prepare,
    da_static_reset,
    run_each,
    da_static_cleanup,
    "the text has no code of its bound: a counter of 64 bits, any grid",
    NULL,
};
const gb_variant da_static_warp = {
    "static-warp",
    "memory reserved beforehand, one atomicAdd a warp and 128 elements",
    "gpubench",
    0,
    NULL,
    da_static_prepare,
    da_static_reset,
    run_warps,
    da_static_cleanup,
};
}
