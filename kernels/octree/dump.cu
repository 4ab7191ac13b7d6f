/* A copy of a variant's tree in host memory. */
#include "kernels/octree/dump.h"

#include "common/cuda/grid.cuh"

#include <stdlib.h>

static gb_status copy_out(oc_host_tree *tree, int which, const uint32_t **array, uint64_t words,
                          gb_error *error)
{
    if (!*array) return GB_OK;
    void *copy = malloc(words * 4 + 4);
    tree->copied[which] = copy;
    if (!copy) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a copy of the tree");
    GB_TRY(cudaMemcpy(copy, *array, words * 4, cudaMemcpyDeviceToHost), error);
    *array = static_cast<const uint32_t *>(copy);
    return GB_OK;
}

gb_status oc_host_tree_of(gb_job *job, oc_host_tree *tree)
{
    const oc_state *state = static_cast<const oc_state *>(job->state);
    const uint64_t n = job->problem->shape.n;
    *tree = {};
    GB_TRY(cudaDeviceSynchronize(), &job->error);
    gb_status status = state->view(job, &tree->view);
    if (status != GB_OK || tree->view.on_host) return status;
    oc_view *view = &tree->view;
    status = copy_out(tree, 0, &view->slot, view->cells * OC_SLOTS, &job->error);
    if (status == GB_OK) status = copy_out(tree, 1, &view->next, n, &job->error);
    if (status == GB_OK) status = copy_out(tree, 2, &view->order, n, &job->error);
    if (status == GB_OK) status = copy_out(tree, 3, &view->first, (n + 31) / 32, &job->error);
    view->on_host = true;
    return status;
}

void oc_host_tree_free(oc_host_tree *tree)
{
    for (void *copy : tree->copied)
        free(copy);
    *tree = {};
}
