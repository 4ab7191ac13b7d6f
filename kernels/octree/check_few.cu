/* A tree of few bodies comes to the host, where the CPU compares it with its own. */
#include "common/cuda/device.cuh"
#include "kernels/octree/check.h"

#include <stdlib.h>

/* `words` of an array of a view; *copy is malloc's. An array that is not there stays so. */
static gb_status copy_out(const uint32_t **array, uint64_t words, uint32_t **copy, gb_error *error)
{
    if (!*array) return GB_OK;
    *copy = (uint32_t *)malloc(words * 4 + 4);
    if (!*copy) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to compare trees");
    GB_TRY(cudaMemcpy(*copy, *array, words * 4, cudaMemcpyDeviceToHost), error);
    *array = *copy;
    return GB_OK;
}

static gb_status compare_view(const gb_problem *p, const oc_body *bodies, const oc_view *view,
                              const oc_stats *stats, gb_error *error)
{
    const uint64_t n = p->shape.n;
    oc_view host = *view;
    uint32_t *copies[4] = {NULL, NULL, NULL, NULL};
    gb_status status = GB_OK;
    if (!view->on_host) {
        status = copy_out(&host.slot, view->cells * OC_SLOTS, &copies[0], error);
        if (status == GB_OK) status = copy_out(&host.next, n, &copies[1], error);
        if (status == GB_OK) status = copy_out(&host.order, n, &copies[2], error);
        if (status == GB_OK) status = copy_out(&host.first, (n + 31) / 32, &copies[3], error);
    }
    if (status == GB_OK) status = oc_compare_with_cpu(p, bodies, &host, stats, error);
    for (uint32_t *copy : copies)
        free(copy);
    return status;
}

gb_status oc_judge_few(const gb_problem *problem, const oc_view *view, const oc_stats *stats,
                       gb_error *error)
{
    const uint64_t n = problem->shape.n;
    oc_body *bodies = (oc_body *)malloc((n + 1) * sizeof *bodies);
    if (!bodies) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to compare trees");
    cudaError_t code =
        cudaMemcpy(bodies, problem->bodies, n * sizeof *bodies, cudaMemcpyDeviceToHost);
    gb_status status = gb_cuda_status(code, "the bodies", error);
    if (status == GB_OK && problem->host_bodies &&
        memcmp(problem->host_bodies, bodies, n * sizeof *bodies) != 0)
        status = gb_fail(error, GB_WRONG, "the host's copy of the bodies was overwritten");
    if (status == GB_OK) status = compare_view(problem, bodies, view, stats, error);
    free(bodies);
    return status;
}
