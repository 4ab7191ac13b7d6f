/* The partitions of multipartition.h in C++, with typed arrays and bin functions of a program's
 * own:
 *
 *     struct DecadeOf { __device__ unsigned operator()(float x) const { ... } };
 *     gpubench::DeviceMultipartition::PartitionKeys(nullptr, bytes, in, out, offsets, n, bins,
 *                                                   DecadeOf{});
 *     cudaMalloc(&temp, bytes);
 *     gpubench::DeviceMultipartition::PartitionKeys(temp, bytes, in, out, offsets, n, bins,
 *                                                   DecadeOf{}, stream);
 *
 * As in CUB, a call with d_temp_storage NULL says how many bytes it needs, and one with them queues
 * the partition. Keys are of any type of 4 or 8 bytes that can be copied as bytes, values of 4, 8
 * or 16; arrays, of num_items elements each, are aligned to 16 bytes and do not overlap, temporary
 * storage to 256 (what cudaMalloc gives is). d_offsets: num_bins + 1 numbers that are written,
 * where each bin begins, and num_items. The Stable... ones keep the input's order within a bin.
 *
 * A bin function is one of the library's (ByRange, ByModulo, ByHash, BySplitters: of unsigned
 * integers), or any object that can be called on the device with a key and gives an integer: the
 * bin. It is copied as bytes (at most 128, aligned to 16 at most) and compiled into the kernels, by
 * nvcc, as the library's own functions are, for each type of keys, size of values, and kind of
 * order: some ten seconds each. It is called several times for a key, and also with a key all of
 * whose bits are 0; a bin that is not below num_bins counts as the last. What it reads lives until
 * the partition has run.
 *
 * cudaSuccess comes back, or cudaErrorInvalidValue (a mistake in the call), cudaErrorNotSupported
 * (the method cannot do it) or cudaErrorUnknown (a call of the CUDA runtime failed);
 * gpubench::PartitionError says why. Nothing was queued then, but for the last.
 *
 * C++17, with the CUDA runtime's headers; linked with libgpubench. */
#ifndef GB_MULTIPARTITION_HPP
#define GB_MULTIPARTITION_HPP

#include "kernels/multipartition/multipartition.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__) || defined(GB_ARCH)
/* The engine is compiled here, in a name space of its own; not so what it stands on, and what that
 * and the engine include of others. */
#if defined(__CUDACC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20012 /* of functions that are the compiler's own */
#pragma nv_diag_suppress 177   /* of kernels that no method of these takes */
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "common/cuda/clock.cuh"
#include "common/cuda/current_device.cuh"
#include "common/cuda/grid.cuh"
#include "common/cuda/grid_barrier.cuh"
#include "common/cuda/scan.cuh"
#include "common/cuda/search.cuh"
#include "common/cuda/turns.cuh"
#include "common/cuda/warp.cuh"
#include "common/distributions.h"
#include "common/random.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__CUDACC__)
/* common/simt/ declares it once, outside of all name spaces. */
#undef GB_DYNAMIC_SHARED
#define GB_DYNAMIC_SHARED() static_assert(true, "")
#endif

/* As common/text/error.c, of which a program has nothing: its words are our own, and need no
 * taming. */
extern "C" inline __attribute__((__visibility__("hidden"))) gb_status
gb_fail(gb_error *error, gb_status status, const char *format, ...)
{
    if (!error) return status;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

namespace gpubench
{
namespace engine
{
#include "kernels/multipartition/partition/by_function.cuh"
} // namespace engine
} // namespace gpubench
#pragma GCC diagnostic pop
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif
#else
#include <cuda_runtime_api.h>
#endif

namespace gpubench
{

/* The library's functions (multipartition.h): of unsigned integers of 32 or 64 bits. */
struct ByRange {
};
struct ByModulo {
};
struct ByHash {
};
/* d_limits: num_bins - 1 ascending keys in device memory; NULL where there is one bin. */
template <class Key> struct BySplitters {
    const Key *d_limits;
};
template <class Key> BySplitters(const Key *) -> BySplitters<Key>;

/* What may be said besides: how to go about it, what is known of the keys, and the salt, as in
 * mp_request. */
struct PartitionOptions {
    mp_method method = MP_AUTO; /* of the kind that is called: stable or not */
    mp_keys keys = MP_KEYS_ANY;
    std::uint32_t salt = 0;
};

namespace detail
{

inline const char *&partition_sentence()
{
    static thread_local const char *sentence = "";
    return sentence;
}

inline cudaError_t partition_code(mp_status status, const char *sentence)
{
    if (status == MP_OK) return cudaSuccess;
    partition_sentence() = sentence;
    if (status == MP_UNSUPPORTED) return cudaErrorNotSupported;
    return status == MP_CUDA ? cudaErrorUnknown : cudaErrorInvalidValue;
}

/* Whether a function is the library's; then `in` tells a request so. */
template <class Function> struct partition_function {
    static constexpr bool library = false;
};
template <mp_function_kind KIND> struct partition_function_of {
    static constexpr bool library = true;
    template <class Key, class Function> static void in(mp_request &r, const Function &function)
    {
        static_assert(std::is_integral<Key>::value && std::is_unsigned<Key>::value,
                      "the library's functions are of unsigned integers");
        r.function = KIND;
        if constexpr (KIND == MP_SPLITTERS) {
            static_assert(std::is_same<Function, BySplitters<Key>>::value,
                          "limits are of the keys' type");
            r.limits = function.d_limits;
        }
    }
};
template <> struct partition_function<ByRange> : partition_function_of<MP_RANGE> {
};
template <> struct partition_function<ByModulo> : partition_function_of<MP_MODULO> {
};
template <> struct partition_function<ByHash> : partition_function_of<MP_HASH> {
};
template <class Key>
struct partition_function<BySplitters<Key>> : partition_function_of<MP_SPLITTERS> {
};

template <class Key, int PAYLOAD, bool STABLE, class Function>
cudaError_t partition(void *temp, std::size_t &bytes, mp_request &r, const Function &function,
                      cudaStream_t stream)
{
    std::uint64_t size = bytes;
    mp_status status;
    const char *sentence;
    if constexpr (partition_function<Function>::library) {
        partition_function<Function>::template in<Key>(r, function);
        status = temp ? mp_partition(&r, temp, size, stream) : mp_partition_scratch(&r, &size);
        sentence = mp_partition_error();
    } else {
#if defined(__CUDACC__) || defined(GB_ARCH)
        static_assert(std::is_trivially_copyable<Function>::value && sizeof(Function) <= 128 &&
                          alignof(Function) <= 16,
                      "a bin function is copied as bytes, at most 128 of them");
        static thread_local gb_error error;
        status = engine::mp_run_by_function < Key, PAYLOAD,
        STABLE ? engine::MP_STABLE_METHODS
               : engine::MP_UNSTABLE_METHODS >
                     (&r, function, temp != nullptr, temp, &size, stream, &error);
        sentence = error.text;
#else
        static_assert(sizeof(Function) == 0, "functions of your own are compiled by nvcc");
        (void)stream;
#endif
    }
    if (!temp) bytes = static_cast<std::size_t>(size ? size : 1);
    return partition_code(status, sentence);
}

template <class Key, class Count>
mp_request partition_request(const Key *in, Key *out, std::uint64_t *offsets, Count n,
                             std::uint32_t bins, bool stable, const PartitionOptions &options)
{
    static_assert(std::is_trivially_copyable<Key>::value && (sizeof(Key) == 4 || sizeof(Key) == 8),
                  "keys are copied as 4 or 8 bytes");
    static_assert(std::is_integral<Count>::value, "num_items is an integer");
    mp_request r = {};
    r.keys_in = in;
    r.keys_out = out;
    r.offsets = offsets;
    r.n = static_cast<std::uint64_t>(n);
    r.key_bytes = sizeof(Key);
    r.bins = bins;
    r.method = options.method;
    r.stable = stable;
    r.keys = options.keys;
    r.salt = options.salt;
    return r;
}

template <bool STABLE, class Key, class Count, class Function>
cudaError_t partition_keys(void *temp, std::size_t &bytes, const Key *in, Key *out,
                           std::uint64_t *offsets, Count n, std::uint32_t bins,
                           const Function &function, cudaStream_t stream,
                           const PartitionOptions &options)
{
    mp_request r = partition_request(in, out, offsets, n, bins, STABLE, options);
    return partition<Key, 0, STABLE>(temp, bytes, r, function, stream);
}

template <bool STABLE, class Key, class Value, class Count, class Function>
cudaError_t partition_pairs(void *temp, std::size_t &bytes, const Key *keys_in, Key *keys_out,
                            const Value *values_in, Value *values_out, std::uint64_t *offsets,
                            Count n, std::uint32_t bins, const Function &function,
                            cudaStream_t stream, const PartitionOptions &options)
{
    static_assert(std::is_trivially_copyable<Value>::value &&
                      (sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16),
                  "values are copied as 4, 8 or 16 bytes");
    mp_request r = partition_request(keys_in, keys_out, offsets, n, bins, STABLE, options);
    r.payload_in = values_in;
    r.payload_out = values_out;
    r.payload_bytes = sizeof(Value);
    return partition<Key, sizeof(Value), STABLE>(temp, bytes, r, function, stream);
}

} // namespace detail

/* Why the calling thread's last failed call of DeviceMultipartition failed: a sentence, valid until
 * its next call. */
inline const char *PartitionError()
{
    return detail::partition_sentence();
}

struct DeviceMultipartition {
#define GB_PARTITION_BOTH(name, stable)                                                            \
    template <class Key, class Count, class Function>                                              \
    static cudaError_t name##Keys(void *d_temp_storage, std::size_t &temp_storage_bytes,           \
                                  const Key *d_keys_in, Key *d_keys_out, std::uint64_t *d_offsets, \
                                  Count num_items, std::uint32_t num_bins, Function function,      \
                                  cudaStream_t stream = nullptr,                                   \
                                  const PartitionOptions &options = PartitionOptions())            \
    {                                                                                              \
        return detail::partition_keys<stable>(d_temp_storage, temp_storage_bytes, d_keys_in,       \
                                              d_keys_out, d_offsets, num_items, num_bins,          \
                                              function, stream, options);                          \
    }                                                                                              \
    template <class Key, class Value, class Count, class Function>                                 \
    static cudaError_t name##Pairs(                                                                \
        void *d_temp_storage, std::size_t &temp_storage_bytes, const Key *d_keys_in,               \
        Key *d_keys_out, const Value *d_values_in, Value *d_values_out, std::uint64_t *d_offsets,  \
        Count num_items, std::uint32_t num_bins, Function function, cudaStream_t stream = nullptr, \
        const PartitionOptions &options = PartitionOptions())                                      \
    {                                                                                              \
        return detail::partition_pairs<stable>(d_temp_storage, temp_storage_bytes, d_keys_in,      \
                                               d_keys_out, d_values_in, d_values_out, d_offsets,   \
                                               num_items, num_bins, function, stream, options);    \
    }
    GB_PARTITION_BOTH(Partition, false)
    GB_PARTITION_BOTH(StablePartition, true)
#undef GB_PARTITION_BOTH
};

} // namespace gpubench

#endif
