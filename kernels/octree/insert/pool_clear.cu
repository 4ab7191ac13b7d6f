/* Variant pool-clear: no tree, only the clearing of all cells that there is memory for. What a
 * build that clears its pool beforehand pays for that; the others here write a cell when they take
 * it. */
#include "kernels/octree/insert/insert.cuh"

enum { THREADS = 256 };

static __global__ void clear(oc_insert t)
{
    uint4 *cells = reinterpret_cast<uint4 *>(t.slot);
    const uint4 empty = make_uint4(OC_EMPTY, OC_EMPTY, OC_EMPTY, OC_EMPTY);
    gb_wait_for_previous();
    for (uint64_t k = gb_first(); k < (uint64_t)t.pool * 2; k += gb_stride())
        cells[k] = empty;
}

static __global__ void find_dirty(oc_insert t, unsigned long long *first)
{
    for (uint64_t k = gb_first(); k < (uint64_t)t.pool * OC_SLOTS; k += gb_stride())
        if (t.slot[k] != OC_EMPTY) atomicMin(first, (unsigned long long)k);
}

static gb_status check(gb_job *job)
{
    const oc_insert *t = oc_insert_of(job);
    const uint64_t slots = (uint64_t)t->pool * OC_SLOTS;
    unsigned long long *device, first = ~0ull;
    gb_status status =
        gb_cuda_malloc((void **)&device, sizeof first, "the checker's word", &job->error);
    if (status != GB_OK) return status;
    cudaError_t code = cudaMemcpy(device, &first, sizeof first, cudaMemcpyHostToDevice);
    if (code == cudaSuccess)
        code = launch(find_dirty, gb_grid(job->device, slots), dim3(GB_GRID_THREADS), 0, 0, *t,
                      device);
    if (code == cudaSuccess)
        code = cudaMemcpy(&first, device, sizeof first, cudaMemcpyDeviceToHost);
    (void)cudaFree(device);
    GB_TRY(code, &job->error);
    if (first == ~0ull) return GB_OK;
    return gb_fail(&job->error, GB_WRONG, "slot %llu of %llu is not empty", first,
                   (unsigned long long)slots);
}

static gb_status prepare(gb_job *job)
{
    oc_insert_plan plan = {};
    plan.kernel = clear;
    plan.threads = THREADS;
    plan.check = check;
    return oc_insert_prepare(job, plan);
}

extern "C" {
const gb_variant oc_pool_clear = {
    "pool-clear",
    "no tree: clears the lists and every cell that there is memory for, which builds that clear "
    "ahead pay as well",
    "Burtscher and Pingali 2011",
    0,
    oc_one_body,
    prepare,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "it builds nothing: it is the clearing of all cells alone",
    NULL,
};
}
