/* Variant growable-ordered: the growable array, pushed onto in the order of the input. */
#include "kernels/dynamic-array/growable/growable_ordered.cuh"
#include "kernels/dynamic-array/growable/state.cuh"

static gb_status prepare(gb_job *job)
{
    gb_status status = da_growable_prepare_mapped(job);
    da_growable_state *a = static_cast<da_growable_state *>(job->state);
    if (status != GB_OK) return status;
    const uint64_t bytes = gb_order_scratch_bytes(gb_order_tiles<uint32_t>(job->problem->shape.n));
    status = gb_cuda_malloc(&a->scratch, bytes, "the look-back's words", &job->error);
    if (status == GB_OK) GB_TRY(cudaMemset(a->scratch, 0, bytes), &job->error);
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    GB_TRY(gb_push_kept_in_order(gb_growable_view_of(a->array), p->in, p->shape.n, da_test_of(p),
                                 static_cast<gb_order_scratch *>(a->scratch),
                                 (unsigned)gb_order_tiles<uint32_t>(p->shape.n),
                                 (unsigned)job->device->sms, gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return da_shape_of(params).blocks ? "it takes a block a tile: use grid full" : NULL;
}

extern "C" {
const gb_variant da_growable_ordered = {
    "growable-ordered",  "growable, in the order of the input: look-back on two levels",
    "gpubench",          GB_STABLE,
    unsupported,         prepare,
    da_growable_reset,   run,
    da_growable_cleanup,
};
}
