/* Partitioning by a function of your own, in C++: what to include, and the two calls it takes.
 *
 *   nvcc -std=c++17 multipartition_function_example.cu $(pkg-config --cflags --libs gpubench)
 *
 * A million measurements, each with the number of what was measured, go to the bins of their
 * decades, those of a decade in their order, and are looked at on the host. */
#include <gpubench/multipartition.hpp>

#if defined(GB_ARCH) && !defined(__CUDACC__)
#include "common/simt/simt.h" /* gpubench's own tests: kernels on the CPU */
#else
#include <cuda_runtime.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <vector>

/* 0.0001 and less is in bin 0, 0.001 and less in bin 1, ... */
struct decade {
    __host__ __device__ unsigned operator()(float x) const
    {
        unsigned bin = 0;
        for (float limit = 1e-4f; bin < 7 && x > limit; limit *= 10)
            bin++;
        return bin;
    }
};

static void need(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "multipartition_function_example: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void need_partition(cudaError_t code)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "multipartition_function_example: %s\n", gpubench::PartitionError());
    exit(1);
}

template <class T> static T *device_array(size_t count, const T *from = nullptr)
{
    void *array;
    need(cudaMalloc(&array, count * sizeof(T)), "memory");
    if (from) need(cudaMemcpy(array, from, count * sizeof(T), cudaMemcpyHostToDevice), "a copy");
    return static_cast<T *>(array);
}

template <class T> static std::vector<T> host_array(const T *from, size_t count)
{
    std::vector<T> array(count);
    need(cudaMemcpy(array.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "a copy");
    return array;
}

int main()
{
    const unsigned n = 1000000, bins = 8;
    std::vector<float> measured(n);
    std::vector<unsigned> number(n);
    for (unsigned i = 0; i < n; i++) {
        measured[i] = 1e-5f;
        for (unsigned k = i * 2654435761u >> 29; k > 0; k--)
            measured[i] *= 10;
        measured[i] *= (float)(i % 9 + 1);
        number[i] = i;
    }
    const float *keys_in = device_array(n, measured.data());
    const unsigned *values_in = device_array(n, number.data());
    float *keys_out = device_array<float>(n);
    unsigned *values_out = device_array<unsigned>(n);
    uint64_t *offsets = device_array<uint64_t>(bins + 1);

    using gpubench::DeviceMultipartition;
    size_t bytes = 0;
    need_partition(DeviceMultipartition::StablePartitionPairs(
        nullptr, bytes, keys_in, keys_out, values_in, values_out, offsets, n, bins, decade{}));
    void *temp = device_array<char>(bytes);
    need_partition(DeviceMultipartition::StablePartitionPairs(
        temp, bytes, keys_in, keys_out, values_in, values_out, offsets, n, bins, decade{}));

    const std::vector<uint64_t> begins = host_array(offsets, bins + 1);
    const std::vector<float> keys = host_array(keys_out, n);
    const std::vector<unsigned> values = host_array(values_out, n);
    unsigned wrong = begins[bins] != n;
    for (unsigned b = 0; b < bins; b++)
        for (uint64_t i = begins[b]; i < begins[b + 1]; i++) {
            wrong += decade{}(keys[i]) != b || measured[values[i]] != keys[i];
            wrong += i > begins[b] && values[i - 1] >= values[i]; /* in the input's order */
        }
    printf("%u measurements in %u decades, %u wrong; the last decade has %llu\n", n, bins, wrong,
           (unsigned long long)(begins[bins] - begins[bins - 1]));
    return wrong != 0;
}
