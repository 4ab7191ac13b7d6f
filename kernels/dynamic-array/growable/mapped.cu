/* Variants whose memory comes while they run.
 *
 * growable-mapped: nothing is mapped at first. The host pushes the input in slices that fit
 * whatever passes, and maps the next piece while a slice is being pushed: mapping waits for no
 * kernel. growable-reserved: all that may be needed is mapped at once, then all is pushed: what
 * mapping costs. growable-resumed: the pool has a third of what is needed; what finds no memory is
 * noted, more is mapped, and it is pushed again, until everything has its place. */
#include "kernels/dynamic-array/growable/state.cuh"

enum : uint64_t {
    FIRST_PIECE = 128 << 20, /* bytes: takes longer to fill than to map */
    MOST_PIECE = 1024 << 20
};

/* How much the pool has when it has to grow: half as much more, as long as that is a piece of a
 * reasonable size; granules smaller than the default bring smaller pieces. */
static uint64_t next_size(const da_shape *shape, uint64_t mapped)
{
    const uint64_t few = 4 * shape->granule, least = few && few < FIRST_PIECE ? few : FIRST_PIECE;
    uint64_t piece = mapped / 2;
    if (piece < least) piece = least;
    if (piece > MOST_PIECE) piece = MOST_PIECE;
    return mapped + piece;
}

static gb_status map(gb_job *job, uint64_t bytes)
{
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    if (bytes > a->most_bytes) bytes = a->most_bytes;
    GB_TRY(gb_growable_pool_map(a->pool, bytes), &job->error);
    return GB_OK;
}

/* Elements that fit. */
static uint64_t elements_in(const gb_job *job, uint64_t bytes)
{
    const uint64_t granule = da_granule_bytes(&job->problem->shape);
    return bytes / granule * granule / 4;
}

static gb_status prepare(gb_job *job)
{
    return da_growable_prepare(job, false);
}

/* Nothing mapped but what is held, as growing by pieces would have left it. */
static gb_status reset(gb_job *job, gb_stream stream)
{
    const da_shape *shape = &job->problem->shape;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    GB_TRY(gb_growable_release(a->array, gb_cuda_stream(stream)), &job->error);
    GB_TRY(gb_growable_pool_unmap(a->pool), &job->error);
    uint64_t mapped = 0;
    while (elements_in(job, mapped) < shape->held)
        mapped = next_size(shape, mapped);
    gb_status status = mapped ? map(job, mapped) : GB_OK;
    return status == GB_OK ? da_growable_reset(job, stream) : status;
}

/* `again`: what that slice found no memory for. */
static cudaError_t push_slice(const gb_job *job, uint64_t from, uint64_t count, cudaStream_t stream,
                              bool again = false)
{
    const gb_problem *p = job->problem;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    return gb_push_kept<uint32_t, GB_PUSH_ANY>(gb_growable_view_of(a->array), p->in + from, count,
                                               da_test_of(p), stream, again);
}

static gb_status run_mapped(gb_job *job, gb_stream stream)
{
    const da_shape *shape = &job->problem->shape;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    uint64_t at_most = shape->held; /* elements, were everything kept that was pushed so far */
    for (uint64_t done = 0; done < shape->n;) {
        const uint64_t mapped = gb_growable_pool_mapped(a->pool), fit = elements_in(job, mapped);
        const uint64_t left = shape->n - done, room = fit > at_most ? fit - at_most : 0;
        const uint64_t slice = room < left ? room / 4 * 4 : left;
        if (slice) {
            GB_TRY(push_slice(job, done, slice, gb_cuda_stream(stream)), &job->error);
            done += slice;
            at_most += slice;
        }
        /* while that runs; never more than what is left could need */
        if (done < shape->n && mapped < a->most_bytes) {
            gb_status status = map(job, next_size(shape, mapped));
            if (status != GB_OK) return status;
        }
    }
    return GB_OK;
}

static gb_status run_reserved(gb_job *job, gb_stream stream)
{
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    gb_status status = map(job, a->most_bytes);
    if (status != GB_OK) return status;
    GB_TRY(push_slice(job, 0, job->problem->shape.n, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static gb_status run_resumed(gb_job *job, gb_stream stream)
{
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    const uint64_t n = job->problem->shape.n;
    uint64_t bytes = a->most_bytes / 3, unplaced = 0;
    gb_status status = map(job, bytes);
    if (status != GB_OK) return status;
    GB_TRY(push_slice(job, 0, n, gb_cuda_stream(stream)), &job->error);
    for (;;) {
        GB_TRY(gb_growable_unplaced(a->array, gb_cuda_stream(stream), &unplaced), &job->error);
        if (unplaced == 0) return GB_OK;
        if (bytes >= a->most_bytes)
            return gb_fail(&job->error, GB_OUT_OF_MEMORY, "the pool is too small");
        bytes += a->most_bytes / 3 + 1;
        status = map(job, bytes);
        if (status != GB_OK) return status;
        GB_TRY(push_slice(job, 0, n, gb_cuda_stream(stream), true), &job->error);
    }
}

#define VARIANT(name, text, summary, run)                                            \
    const gb_variant name = {text,    summary, "gpubench", GB_WAITS,           NULL, \
                             prepare, reset,   run,        da_growable_cleanup}

extern "C" {
VARIANT(da_growable_mapped, "growable-mapped",
        "growable, its memory mapped piece by piece as it fills", run_mapped);
VARIANT(da_growable_reserved, "growable-reserved",
        "growable, its memory mapped at once before the push", run_reserved);
VARIANT(da_growable_resumed, "growable-resumed",
        "growable that runs out of memory twice and goes on", run_resumed);
}
