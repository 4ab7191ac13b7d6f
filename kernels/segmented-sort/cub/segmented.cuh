/* What the variants on CUB's two segmented sorts share. Each can be had with a copy of the input
 * that it may overwrite (cub::DoubleBuffer) or without: two instances (common/cuda/cub_sort.cuh).
 *
 * A Sorter calls one of them: keys<DESCENDING> and pairs<DESCENDING> of (memory, bytes, n,
 * segments, offsets, stream, arrays...), arrays being DoubleBuffers or input and output by turns.
 */
#ifndef GB_SEGMENTED_SORT_CUB_SEGMENTED_CUH
#define GB_SEGMENTED_SORT_CUB_SEGMENTED_CUH

#include "common/cuda/cub_sort.cuh"
#include "kernels/segmented-sort/variants.h"

#include <stdlib.h>

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return gb_cub_refuses(device, sg_shape_of(params).sort.n);
}

#if GB_HAS_CUB

/* CUB's sort of all keys, as common/cuda/cub_sort.cuh has it, and where segments begin. */
typedef struct sg_cub_sort {
    gb_cub_sort sort;
    const uint32_t *offsets;
    int segments;
} sg_cub_sort;

static const char *instance(const gb_params *, unsigned i)
{
    static thread_local char name[64];
    if (i > 1) return NULL;
    snprintf(name, sizeof name, "CUB %d.%d.%d%s", CUB_VERSION / 100000, CUB_VERSION / 100 % 1000,
             CUB_VERSION % 100, i ? ", DoubleBuffer" : "");
    return name;
}

/* A pair of arrays of which CUB begins in the first. */
template <class T> static cub::DoubleBuffer<T> both_of(const gb_cub_sort *s, void *spare, void *out)
{
    return cub::DoubleBuffer<T>(static_cast<T *>(gb_cub_first(s, spare, out)),
                                static_cast<T *>(gb_cub_second(s, spare, out)));
}

template <class Sorter, bool DESCENDING, class Key>
static cudaError_t sort_keys(gb_cub_sort *s, cudaStream_t stream)
{
    const sg_cub_sort *segmented = reinterpret_cast<const sg_cub_sort *>(s);
    const Key *in = static_cast<const Key *>(s->keys_in);
    Key *out = static_cast<Key *>(s->keys_out);
    if (!s->way.in_place)
        return Sorter::template keys<DESCENDING>(s->memory, s->bytes, (int)s->n,
                                                 segmented->segments, segmented->offsets, stream,
                                                 in, out);
    cub::DoubleBuffer<Key> both = both_of<Key>(s, s->spare_keys, out);
    const cudaError_t code = Sorter::template keys<DESCENDING>(
        s->memory, s->bytes, (int)s->n, segmented->segments, segmented->offsets, stream, both);
    s->ends_in_second = both.Current() == gb_cub_second(s, s->spare_keys, out);
    return code;
}

template <class Sorter, bool DESCENDING, class Key>
static cudaError_t sort_pairs(gb_cub_sort *s, cudaStream_t stream)
{
    const sg_cub_sort *segmented = reinterpret_cast<const sg_cub_sort *>(s);
    const Key *in = static_cast<const Key *>(s->keys_in);
    const uint32_t *with = static_cast<const uint32_t *>(s->values_in);
    Key *out = static_cast<Key *>(s->keys_out);
    uint32_t *with_out = static_cast<uint32_t *>(s->values_out);
    if (!s->way.in_place)
        return Sorter::template pairs<DESCENDING>(s->memory, s->bytes, (int)s->n,
                                                  segmented->segments, segmented->offsets, stream,
                                                  in, out, with, with_out);
    cub::DoubleBuffer<Key> both = both_of<Key>(s, s->spare_keys, out);
    cub::DoubleBuffer<uint32_t> both_with = both_of<uint32_t>(s, s->spare_values, with_out);
    const cudaError_t code =
        Sorter::template pairs<DESCENDING>(s->memory, s->bytes, (int)s->n, segmented->segments,
                                           segmented->offsets, stream, both, both_with);
    s->ends_in_second = both.Current() == gb_cub_second(s, s->spare_keys, out);
    return code;
}

typedef cudaError_t (*typed_sort)(gb_cub_sort *, cudaStream_t);

static cudaError_t not_built(gb_cub_sort *, cudaStream_t)
{
    return cudaErrorNotSupported;
}

template <class Sorter, class Key> static typed_sort sort_of_type(const rs_shape *shape)
{
    if constexpr (!gb_cub_is_built<Key>())
        return not_built;
    else if (shape->payload)
        return shape->descending ? sort_pairs<Sorter, true, Key> : sort_pairs<Sorter, false, Key>;
    else
        return shape->descending ? sort_keys<Sorter, true, Key> : sort_keys<Sorter, false, Key>;
}

template <class Sorter> static typed_sort sort_of(const rs_shape *shape)
{
    switch (shape->type) {
    case RS_U64:
        return sort_of_type<Sorter, uint64_t>(shape);
    case RS_I32:
        return sort_of_type<Sorter, int32_t>(shape);
    case RS_F32:
        return sort_of_type<Sorter, float>(shape);
    default:
        return sort_of_type<Sorter, uint32_t>(shape);
    }
}

template <class Sorter> static gb_status prepare(gb_job *job)
{
    gb_status status = sg_problem_device(job);
    if (status != GB_OK) return status;
    sg_cub_sort *state = (sg_cub_sort *)calloc(1, sizeof *state);
    job->state = state;
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    const sg_problem *p = sg_problem_of(job->problem);
    const rs_shape *shape = &p->shape.sort;
    gb_cub_sort *sort = &state->sort;
    state->offsets = p->offsets;
    state->segments = (int)p->segments;
    sort->keys_in = p->sort.keys_in;
    sort->keys_out = p->sort.keys_out;
    sort->values_in = p->sort.payload_in;
    sort->values_out = p->sort.payload_out;
    sort->key_bytes = rs_key_bytes(shape->type);
    sort->value_bytes = shape->payload ? sizeof(uint32_t) : 0;
    sort->n = shape->n;
    sort->sort = sort_of<Sorter>(shape);
    sort->way.in_place = job->instance == 1;
    if (shape->n == 0) return GB_OK;
    return gb_cub_open(job, sort);
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    const gb_cub_sort *sort = &static_cast<sg_cub_sort *>(job->state)->sort;
    if (sort->n == 0) return GB_OK;
    GB_TRY(gb_cub_restore(sort, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    gb_cub_sort *sort = &static_cast<sg_cub_sort *>(job->state)->sort;
    if (sort->n == 0) return GB_OK;
    GB_TRY(sort->sort(sort, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    sg_cub_sort *state = static_cast<sg_cub_sort *>(job->state);
    if (!state) return;
    gb_cub_close(&state->sort);
    free(state);
    job->state = NULL;
}

#else

static gb_status run(gb_job *job, gb_stream)
{
    return gb_fail(&job->error, GB_UNSUPPORTED, GB_NEEDS_CUB);
}
template <class Sorter> static constexpr gb_status (*prepare)(gb_job *) = NULL;
static gb_status (*const reset)(gb_job *, gb_stream) = NULL;
static void (*const cleanup)(gb_job *) = NULL;
static const char *(*const instance)(const gb_params *, unsigned) = NULL;

#endif
#endif
