/* The sorts of sort.h with the signatures of cub::DeviceRadixSort, so that a program changes a
 * namespace: gpubench::DeviceRadixSort::SortKeys(temp, bytes, in, out, n). As there, a call with
 * d_temp_storage NULL says how many bytes it needs, and one with them queues the sort.
 *
 * Not as there: arrays are aligned to 16 bytes and temporary storage to 256 (what cudaMalloc gives
 * is), else cudaErrorInvalidValue comes back, and rs_sort_error says why; keys have 32 or 64 bits,
 * values 4, 8 or 16 bytes; there are no keys with a decomposer; a DoubleBuffer saves no temporary
 * storage, and its result is always in the other buffer. Equal keys keep their order, as CUB's do.
 *
 * C++17, with the CUDA runtime's headers; linked with libgpubench. */
#ifndef GB_SORT_HPP
#define GB_SORT_HPP

#include "sort.h"

#if defined(GB_ARCH) && !defined(__CUDACC__)
#include "common/simt/simt.h" /* gpubench's own tests: kernels on the CPU */
#else
#include <cuda_runtime_api.h>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gpubench
{

/* Two arrays, one of which holds the data. cub::DoubleBuffer may be passed as well. */
template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;

    DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

namespace detail
{

template <class Key> constexpr rs_type sort_type()
{
    static_assert(std::is_arithmetic<Key>::value && (sizeof(Key) == 4 || sizeof(Key) == 8),
                  "keys are integers or floats of 32 or 64 bits");
    if (std::is_floating_point<Key>::value) return sizeof(Key) == 4 ? RS_F32 : RS_F64;
    if (std::is_signed<Key>::value) return sizeof(Key) == 4 ? RS_I32 : RS_I64;
    return sizeof(Key) == 4 ? RS_U32 : RS_U64;
}

inline cudaError_t sort_code(rs_status status)
{
    if (status == RS_OK) return cudaSuccess;
    return status == RS_CUDA ? cudaErrorUnknown : cudaErrorInvalidValue;
}

inline cudaError_t sort_request(void *temp, std::size_t &bytes, rs_sort_request &r,
                                cudaStream_t stream)
{
    if (temp) return sort_code(rs_sort(&r, temp, bytes, stream));
    std::uint64_t needed = 0;
    const rs_status status = rs_sort_scratch(&r, &needed);
    bytes = static_cast<std::size_t>(needed ? needed : 1);
    return sort_code(status);
}

/* The bits as sort.h has them: no bits at all are those from 1 to 1. */
template <class Key, class Count>
rs_sort_request sort_keys_request(const Key *in, Key *out, Count n, bool descending, int begin_bit,
                                  int end_bit)
{
    static_assert(std::is_integral<Count>::value, "num_items is an integer");
    const bool none = begin_bit == 0 && end_bit == 0;
    rs_sort_request r = {};
    r.keys_in = in;
    r.keys_out = out;
    r.n = static_cast<std::uint64_t>(n);
    r.type = sort_type<Key>();
    r.descending = descending;
    r.stable = 1;
    r.begin_bit = static_cast<unsigned>(none ? 1 : begin_bit);
    r.end_bit = static_cast<unsigned>(none ? 1 : end_bit);
    return r;
}

template <class Key, class Value, class Count>
rs_sort_request sort_pairs_request(const Key *keys_in, Key *keys_out, const Value *values_in,
                                   Value *values_out, Count n, bool descending, int begin_bit,
                                   int end_bit)
{
    static_assert(std::is_trivially_copyable<Value>::value &&
                      (sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16),
                  "values are copied as 4, 8 or 16 bytes");
    rs_sort_request r = sort_keys_request(keys_in, keys_out, n, descending, begin_bit, end_bit);
    r.payload_in = values_in;
    r.payload_out = values_out;
    r.payload_bytes = sizeof(Value);
    return r;
}

template <class Key, class Count>
cudaError_t sort_keys(void *temp, std::size_t &bytes, const Key *in, Key *out, Count n,
                      bool descending, int begin_bit, int end_bit, cudaStream_t stream)
{
    rs_sort_request r = sort_keys_request(in, out, n, descending, begin_bit, end_bit);
    return sort_request(temp, bytes, r, stream);
}

template <class Key, class Value, class Count>
cudaError_t sort_pairs(void *temp, std::size_t &bytes, const Key *keys_in, Key *keys_out,
                       const Value *values_in, Value *values_out, Count n, bool descending,
                       int begin_bit, int end_bit, cudaStream_t stream)
{
    rs_sort_request r = sort_pairs_request(keys_in, keys_out, values_in, values_out, n, descending,
                                           begin_bit, end_bit);
    return sort_request(temp, bytes, r, stream);
}

template <class Buffer> void sort_swap(const void *temp, cudaError_t code, Buffer &buffer)
{
    if (temp && code == cudaSuccess) buffer.selector ^= 1;
}

} // namespace detail

struct DeviceRadixSort {
#define GB_SORT_BOTH(name, descending)                                                         \
    template <class Key, class Count>                                                          \
    static cudaError_t SortKeys##name(void *d_temp_storage, std::size_t &temp_storage_bytes,   \
                                      const Key *d_keys_in, Key *d_keys_out, Count num_items,  \
                                      int begin_bit = 0, int end_bit = sizeof(Key) * 8,        \
                                      cudaStream_t stream = nullptr)                           \
    {                                                                                          \
        return detail::sort_keys(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,    \
                                 num_items, descending, begin_bit, end_bit, stream);           \
    }                                                                                          \
    template <template <class> class Buffer, class Key, class Count>                           \
    static cudaError_t SortKeys##name(void *d_temp_storage, std::size_t &temp_storage_bytes,   \
                                      Buffer<Key> &d_keys, Count num_items, int begin_bit = 0, \
                                      int end_bit = sizeof(Key) * 8,                           \
                                      cudaStream_t stream = nullptr)                           \
    {                                                                                          \
        const cudaError_t code = detail::sort_keys(                                            \
            d_temp_storage, temp_storage_bytes, static_cast<const Key *>(d_keys.Current()),    \
            d_keys.Alternate(), num_items, descending, begin_bit, end_bit, stream);            \
        detail::sort_swap(d_temp_storage, code, d_keys);                                       \
        return code;                                                                           \
    }                                                                                          \
    template <class Key, class Value, class Count>                                             \
    static cudaError_t SortPairs##name(                                                        \
        void *d_temp_storage, std::size_t &temp_storage_bytes, const Key *d_keys_in,           \
        Key *d_keys_out, const Value *d_values_in, Value *d_values_out, Count num_items,       \
        int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr)       \
    {                                                                                          \
        return detail::sort_pairs(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,   \
                                  d_values_in, d_values_out, num_items, descending, begin_bit, \
                                  end_bit, stream);                                            \
    }                                                                                          \
    template <template <class> class Buffer, class Key, class Value, class Count>              \
    static cudaError_t SortPairs##name(                                                        \
        void *d_temp_storage, std::size_t &temp_storage_bytes, Buffer<Key> &d_keys,            \
        Buffer<Value> &d_values, Count num_items, int begin_bit = 0,                           \
        int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr)                          \
    {                                                                                          \
        const cudaError_t code = detail::sort_pairs(                                           \
            d_temp_storage, temp_storage_bytes, static_cast<const Key *>(d_keys.Current()),    \
            d_keys.Alternate(), static_cast<const Value *>(d_values.Current()),                \
            d_values.Alternate(), num_items, descending, begin_bit, end_bit, stream);          \
        detail::sort_swap(d_temp_storage, code, d_keys);                                       \
        detail::sort_swap(d_temp_storage, code, d_values);                                     \
        return code;                                                                           \
    }
    GB_SORT_BOTH(, false)
    GB_SORT_BOTH(Descending, true)
#undef GB_SORT_BOTH
};

} // namespace gpubench

#endif
