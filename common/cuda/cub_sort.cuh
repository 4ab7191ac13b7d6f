/* CUB's device-wide radix sort for the variants that are built on it. CUB comes with the CUDA
 * Toolkit; the simt build has none, so there every point of these variants is unsupported.
 *
 * The same sort can be had in several ways that its user chooses among, and of which the fastest is
 * not known beforehand (gb_variant.instance): CUDA 13.0's kernel for ascending 32-bit keys takes 74
 * registers where the count has 32 bits and 56 where it has 64, and is a sixth slower for it.
 *
 * A file that defines GB_CUB_LATEST before this header is compiled with the headers of a newer CCCL
 * (scripts/setup.sh --cccl) and holds the same variants on that; without these headers they are
 * unsupported. */
#ifndef GB_CUDA_CUB_SORT_CUH
#define GB_CUDA_CUB_SORT_CUH

#include "common/cuda/device.cuh"

#include <stdio.h>
#include <string.h>
#include <type_traits>

/* Whether this file is compiled with CUB. GB_CCCL_LATEST: the build has found a newer one. */
#if defined(__CUDACC__) && (!defined(GB_CUB_LATEST) || defined(GB_CCCL_LATEST))
#define GB_HAS_CUB 1
#else
#define GB_HAS_CUB 0
#endif

#if defined(GB_CUB_LATEST)
#define GB_NEEDS_CUB                                                                       \
    "needs a newer CUB than the CUDA Toolkit's, built in: scripts/setup.sh --cccl, make, " \
    "for GPUs from Turing on"
#define GB_CUB_ORIGIN "NVIDIA CUB (CCCL, the newest)"
#else
#define GB_NEEDS_CUB "needs CUB, which is part of the CUDA Toolkit"
#define GB_CUB_ORIGIN "NVIDIA CUB (CUDA Toolkit)"
#endif

/* CUDA 11 is there for GPUs before Turing, none of which holds 2^32 elements twice: without code
 * for more of them CUB, the longest to compile, takes half the time. */
#if defined(__CUDACC__) && CUDART_VERSION < 12000
#define GB_CUB_MOST UINT32_MAX
#else
#define GB_CUB_MOST UINT64_MAX
#endif

/* Why these sorts cannot do this many elements on the device; NULL if they can. */
static inline const char *gb_cub_refuses(const gb_device *device, uint64_t n)
{
    if (!GB_HAS_CUB || strcmp(device->backend, "cuda") != 0) return GB_NEEDS_CUB;
    if (n > GB_CUB_MOST)
        return "at most 2^32 - 1 elements in a worker that CUDA 11 built: CUDA 12 has no limit";
    return NULL;
}

/* CUB's sorts take minutes to compile. With -DGB_CUB_FEW, for builds that measure nothing, there
 * are those alone of unsigned 32-bit keys, by themselves or with as much beside, and gb_cub_open
 * refuses the others. */
template <class Key, class Value = Key> constexpr bool gb_cub_is_built()
{
#if defined(GB_CUB_FEW)
    return std::is_same<Key, uint32_t>::value && sizeof(Value) == 4;
#else
    return true;
#endif
}

#if GB_HAS_CUB
#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>

/* How a sort is called. The count's type decides with how many bits CUB computes. In place: the
 * input, a copy of which is restored before each run, may be overwritten (cub::DoubleBuffer). */
typedef struct gb_cub_way {
    bool wide;     /* a 64-bit count */
    bool in_place; /* with a DoubleBuffer */
} gb_cub_way;

/* The i-th way to sort n elements; false beyond the last. may_overwrite: in place, too. */
static inline bool gb_cub_way_of(uint64_t n, bool may_overwrite, unsigned i, gb_cub_way *way)
{
#if CUDART_VERSION >= 12000
    const unsigned counts = n <= INT32_MAX ? 2 : 1;
#else
    const unsigned counts = 1;
#endif
    *way = gb_cub_way();
    way->wide = CUDART_VERSION >= 12000 && (counts == 1 || i % 2 == 1);
    way->in_place = i >= counts;
    return i < counts * (may_overwrite ? 2u : 1u);
}

/* "CUB 3.0.1, 64-bit count, in place", until the next call of this thread. */
static inline const char *gb_cub_way_name(const gb_cub_way *way)
{
    static thread_local char name[64];
    snprintf(name, sizeof name, "CUB %d.%d.%d, %s-bit count%s", CUB_VERSION / 100000,
             CUB_VERSION / 100 % 1000, CUB_VERSION % 100, way->wide ? "64" : "32",
             way->in_place ? ", DoubleBuffer" : "");
    return name;
}

/* A sort: what, how, and CUB's memory. All arrays are in device memory. */
typedef struct gb_cub_sort {
    const void *keys_in, *values_in; /* values: NULL where there are none */
    void *keys_out, *values_out;
    size_t key_bytes, value_bytes;
    uint64_t n;
    int begin_bit, end_bit; /* of the keys' images */
    gb_cub_way way;
    /* gb_cub_sort_as of the types: without memory it tells how much is needed, else it sorts. */
    cudaError_t (*sort)(struct gb_cub_sort *sort, cudaStream_t stream);
    void *memory;
    size_t bytes;
    void *spare_keys, *spare_values; /* in place: as large as the input */
    bool ends_in_second; /* in place: CUB leaves its result in the second array of each pair */
} gb_cub_sort;

/* In place: which arrays a sort begins in, so that it ends in the output. */
static inline void *gb_cub_first(const gb_cub_sort *s, void *spare, void *out)
{
    return s->ends_in_second ? spare : out;
}
static inline void *gb_cub_second(const gb_cub_sort *s, void *spare, void *out)
{
    return s->ends_in_second ? out : spare;
}

/* Calls sort with the count in the type that the way asks for. */
template <class Sort> static cudaError_t gb_cub_counted(const gb_cub_sort *s, Sort sort)
{
#if CUDART_VERSION >= 12000
    return s->way.wide ? sort(s->n) : sort((int)s->n);
#else
    return sort((unsigned)s->n); /* gb_cub_refuses has seen to more */
#endif
}

/* Whether a sort by no bits at all (one bin) is to be copied by us: CUB before version 2 leaves the
 * output as it was, later versions copy. In place there is nothing to copy. */
static inline bool gb_cub_only_copies(const gb_cub_sort *s)
{
    return CUB_VERSION < 200000 && s->memory && !s->way.in_place && s->begin_bit == s->end_bit;
}

/* value_bytes: 0 where there are none. */
static inline cudaError_t gb_cub_copy(const gb_cub_sort *s, size_t key_bytes, size_t value_bytes,
                                      cudaStream_t stream)
{
    const cudaError_t code = cudaMemcpyAsync(s->keys_out, s->keys_in, s->n * key_bytes,
                                             cudaMemcpyDeviceToDevice, stream);
    return code != cudaSuccess || value_bytes == 0
               ? code
               : cudaMemcpyAsync(s->values_out, s->values_in, s->n * value_bytes,
                                 cudaMemcpyDeviceToDevice, stream);
}

template <bool DESCENDING, class Key>
static cudaError_t gb_cub_sort_keys(gb_cub_sort *s, cudaStream_t stream)
{
    if (gb_cub_only_copies(s)) return gb_cub_copy(s, sizeof(Key), 0, stream);
    const Key *in = static_cast<const Key *>(s->keys_in);
    Key *out = static_cast<Key *>(s->keys_out), *spare = static_cast<Key *>(s->spare_keys);
    cub::DoubleBuffer<Key> both(static_cast<Key *>(gb_cub_first(s, spare, out)),
                                static_cast<Key *>(gb_cub_second(s, spare, out)));
    const cudaError_t code = gb_cub_counted(s, [&](auto count) {
        using sorts = cub::DeviceRadixSort;
        if constexpr (!gb_cub_is_built<Key>())
            return cudaErrorNotSupported;
        else if constexpr (DESCENDING)
            return s->way.in_place ? sorts::SortKeysDescending(s->memory, s->bytes, both, count,
                                                               s->begin_bit, s->end_bit, stream)
                                   : sorts::SortKeysDescending(s->memory, s->bytes, in, out, count,
                                                               s->begin_bit, s->end_bit, stream);
        else
            return s->way.in_place ? sorts::SortKeys(s->memory, s->bytes, both, count, s->begin_bit,
                                                     s->end_bit, stream)
                                   : sorts::SortKeys(s->memory, s->bytes, in, out, count,
                                                     s->begin_bit, s->end_bit, stream);
    });
    if (s->way.in_place) s->ends_in_second = both.Current() == gb_cub_second(s, spare, out);
    return code;
}

template <bool DESCENDING, class Key, class Value>
static cudaError_t gb_cub_sort_pairs(gb_cub_sort *s, cudaStream_t stream)
{
    if (gb_cub_only_copies(s)) return gb_cub_copy(s, sizeof(Key), sizeof(Value), stream);
    const Key *in = static_cast<const Key *>(s->keys_in);
    const Value *with = static_cast<const Value *>(s->values_in);
    Key *out = static_cast<Key *>(s->keys_out), *spare = static_cast<Key *>(s->spare_keys);
    Value *with_out = static_cast<Value *>(s->values_out);
    cub::DoubleBuffer<Key> both(static_cast<Key *>(gb_cub_first(s, spare, out)),
                                static_cast<Key *>(gb_cub_second(s, spare, out)));
    cub::DoubleBuffer<Value> both_with(
        static_cast<Value *>(gb_cub_first(s, s->spare_values, s->values_out)),
        static_cast<Value *>(gb_cub_second(s, s->spare_values, s->values_out)));
    const cudaError_t code = gb_cub_counted(s, [&](auto count) {
        using sorts = cub::DeviceRadixSort;
        if constexpr (!gb_cub_is_built<Key, Value>())
            return cudaErrorNotSupported;
        else if constexpr (DESCENDING)
            return s->way.in_place
                       ? sorts::SortPairsDescending(s->memory, s->bytes, both, both_with, count,
                                                    s->begin_bit, s->end_bit, stream)
                       : sorts::SortPairsDescending(s->memory, s->bytes, in, out, with, with_out,
                                                    count, s->begin_bit, s->end_bit, stream);
        else
            return s->way.in_place ? sorts::SortPairs(s->memory, s->bytes, both, both_with, count,
                                                      s->begin_bit, s->end_bit, stream)
                                   : sorts::SortPairs(s->memory, s->bytes, in, out, with, with_out,
                                                      count, s->begin_bit, s->end_bit, stream);
    });
    if (s->way.in_place) s->ends_in_second = both.Current() == gb_cub_second(s, spare, out);
    return code;
}

/* Untimed, before each run: in place the input's copy. */
static inline cudaError_t gb_cub_restore(const gb_cub_sort *s, cudaStream_t stream)
{
    if (!s->way.in_place) return cudaSuccess;
    cudaError_t code = cudaMemcpyAsync(gb_cub_first(s, s->spare_keys, s->keys_out), s->keys_in,
                                       s->n * s->key_bytes, cudaMemcpyDeviceToDevice, stream);
    if (code == cudaSuccess && s->values_in)
        code = cudaMemcpyAsync(gb_cub_first(s, s->spare_values, s->values_out), s->values_in,
                               s->n * s->value_bytes, cudaMemcpyDeviceToDevice, stream);
    return code;
}

/* Allocates what a sort needs, all of it counted as the job's. */
static inline gb_status gb_cub_open(gb_job *job, gb_cub_sort *s)
{
    const cudaError_t asked = s->sort(s, NULL);
    if (asked == cudaErrorNotSupported)
        return gb_fail(&job->error, GB_UNSUPPORTED,
                       "this worker was built without CUB's sorts of such types (-DGB_CUB_FEW)");
    GB_TRY(asked, &job->error);
    /* not 0 bytes: without memory CUB would be asked for the size again, not for the work */
    gb_status status = gb_job_malloc(job, &s->memory, s->bytes + 1, "the sort's scratch");
    if (status != GB_OK || !s->way.in_place) return status;
    status =
        gb_job_malloc(job, &s->spare_keys, s->n * s->key_bytes + 1, "the second array of keys");
    if (status == GB_OK && s->values_in)
        status = gb_job_malloc(job, &s->spare_values, s->n * s->value_bytes + 1,
                               "the second array of values");
    if (status != GB_OK) return status;
    /* One sort shows where CUB leaves its result, which hangs on the number of passes. */
    GB_TRY(gb_cub_restore(s, NULL), &job->error);
    GB_TRY(s->sort(s, NULL), &job->error);
    GB_TRY(cudaStreamSynchronize(NULL), &job->error);
    return GB_OK;
}

static inline void gb_cub_close(gb_cub_sort *s)
{
    (void)cudaFree(s->memory);
    (void)cudaFree(s->spare_keys);
    (void)cudaFree(s->spare_values);
}
#endif
#endif
