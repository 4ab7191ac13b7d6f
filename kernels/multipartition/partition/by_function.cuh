/* The engine with a bin function of a program's own: a second kind of digit beside mp_digit, whose
 * function is compiled into every kernel that asks for a key's bin. multipartition.hpp is its
 * user. */
#ifndef GB_MULTIPARTITION_BY_FUNCTION_CUH
#define GB_MULTIPARTITION_BY_FUNCTION_CUH

#include "kernels/multipartition/partition/partition.cuh"
#include "kernels/multipartition/partition/request.cuh"

/* A value as its bytes: what can be copied, but not made from nothing or assigned (a lambda), goes
 * into all that has a digit. */
template <class T> struct mp_kept {
    alignas(T) unsigned char bytes[sizeof(T)];
    __host__ __device__ const T &get() const { return *reinterpret_cast<const T *>(bytes); }
};

/* The bin of a key whose bits are those of a Named. A bin that there is not counts as the last. */
template <class Function, class Named> struct mp_bin_by_function {
    struct {
        uint32_t bins;
    } data; /* as boundaries.cuh looks for it */
    mp_kept<Function> function;

    template <class Key> __device__ __forceinline__ uint32_t operator()(Key key) const
    {
        static_assert(sizeof(Key) == sizeof(Named), "the bits of one are the other's");
        mp_kept<Named> named;
        memcpy(named.bytes, &key, sizeof key);
        const auto bin = function.get()(named.get());
        if constexpr (sizeof bin > sizeof(uint32_t))
            return (uint64_t)bin < data.bins ? (uint32_t)bin : data.bins - 1;
        else
            return (uint32_t)bin < data.bins ? (uint32_t)bin : data.bins - 1;
    }
};

template <class Function, class Named> struct mp_digit_by_function {
    mp_bin_by_function<Function, Named> bin;
    unsigned shift, mask;
    unsigned digits;
};

template <class Function, class Named>
static mp_digit_by_function<Function, Named> mp_digit_by(const Function &function, uint32_t bins)
{
    mp_digit_by_function<Function, Named> digit;
    digit.bin.data.bins = bins;
    memcpy(digit.bin.function.bytes, &function, sizeof function);
    digit.shift = 0;
    digit.mask = ~0u;
    digit.digits = bins;
    return digit;
}

/* What the kernels ask of a digit (elements.cuh, partition.cuh). */
template <int ITEMS, class Key, class Function, class Named>
__device__ __forceinline__ void mp_digits_of(const mp_digit_by_function<Function, Named> &digit,
                                             const Key (&key)[ITEMS], unsigned (&out)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        out[i] = mp_part_of(digit, digit.bin(key[i]));
}

template <class Function, class Named>
static mp_bin_by_function<Function, Named>
function_of(const mp_digit_by_function<Function, Named> &whole)
{
    return whole.bin;
}

/* A request's partition by this function: its method is one of METHODS, of one kind. */
template <class Named, int PAYLOAD, unsigned METHODS, class Function>
static gb_status mp_partition_by_function(const mp_request *r, const Function &function,
                                          const gb_device *device, void *scratch,
                                          cudaStream_t stream, uint64_t *bytes, gb_error *error)
{
    mp_scratch_map map;
    const gb_status status =
        mp_partition_by<typename mp_key_of<sizeof(Named)>::type, PAYLOAD / 4, METHODS>(
            r, mp_digit_by<Function, Named>(function, r->bins), device, scratch, stream, &map,
            error);
    *bytes = map.used;
    return status;
}

/* *r with a method that can do it on this device: the one asked for; else as was measured for the
 * functions that the library has, or where such a function leaves less room, another one. *bytes:
 * of scratch. */
template <class Named, int PAYLOAD, unsigned METHODS, class Function>
static mp_status mp_resolve_by_function(mp_request *r, const Function &function, gb_device *device,
                                        uint64_t *bytes, gb_error *error)
{
    static const mp_method others[2][3] = {
        {MP_UNSTABLE_TWO_PASS, MP_UNSTABLE_COUNTED, MP_UNSTABLE},
        {MP_STABLE_TWO_PASS, MP_STABLE_DRAWN_THREE_PASS, MP_STABLE}};
    *bytes = 0;
    mp_status status = mp_check_sizes(r, error);
    if (status != MP_OK || r->n == 0) return status;
    if (gb_current_device(device, error) != GB_OK) return MP_CUDA;
    const bool any = r->method == MP_AUTO;
    if (any) {
        status = mp_partition_choose(r, &r->method, NULL);
        if (status == MP_CUDA) return mp_fails(error, status, "%s", mp_partition_error());
    }
    gb_status found = mp_partition_by_function<Named, PAYLOAD, METHODS>(r, function, device, NULL,
                                                                        0, bytes, error);
    for (const mp_method other : others[(METHODS & MP_STABLE_METHODS) != 0]) {
        if (found == GB_OK || !any) break;
        r->method = other;
        found = mp_partition_by_function<Named, PAYLOAD, METHODS>(r, function, device, NULL, 0,
                                                                  bytes, error);
    }
    return found == GB_OK ? MP_OK : MP_UNSUPPORTED;
}

/* mp_partition_scratch (scratch NULL and `queues` false: *bytes is set) and mp_partition. */
template <class Named, int PAYLOAD, unsigned METHODS, class Function>
static mp_status mp_run_by_function(const mp_request *request, const Function &function,
                                    bool queues, void *scratch, uint64_t *bytes,
                                    cudaStream_t stream, gb_error *error)
{
    mp_request r = *request;
    gb_device device;
    uint64_t needed;
    mp_status status =
        mp_resolve_by_function<Named, PAYLOAD, METHODS>(&r, function, &device, &needed, error);
    if (!queues) {
        *bytes = status == MP_OK ? needed : 0;
        return status;
    }
    if (status == MP_OK) status = mp_check_arrays(&r, error);
    if (status == MP_OK) status = mp_check_scratch(scratch, *bytes, needed, error);
    if (status != MP_OK) return status;
    if (r.n == 0)
        return gb_cuda_status(cudaMemsetAsync(r.offsets, 0, 8 * ((size_t)r.bins + 1), stream),
                              "the bins' offsets", error) == GB_OK
                   ? MP_OK
                   : MP_CUDA;
    return mp_partition_by_function<Named, PAYLOAD, METHODS>(&r, function, &device, scratch, stream,
                                                             &needed, error) == GB_OK
               ? MP_OK
               : MP_CUDA;
}

#endif
