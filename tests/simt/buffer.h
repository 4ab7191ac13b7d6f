/* Device memory with a length, for tests: freed at the end of its scope, copied as vectors. */
#ifndef GB_TESTS_SIMT_BUFFER_H
#define GB_TESTS_SIMT_BUFFER_H

#include "common/cuda/device.cuh"

#include <stdlib.h>
#include <vector>

template <class T> struct buffer {
    T *at;
    size_t count;

    explicit buffer(size_t count_, int byte = 0) : at(NULL), count(count_)
    {
        if (cudaMalloc(&at, count * sizeof(T)) || cudaMemset(at, byte, count * sizeof(T))) abort();
    }
    explicit buffer(const std::vector<T> &values) : buffer(values.size())
    {
        if (cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice)) abort();
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    ~buffer() { (void)cudaFree(at); }

    std::vector<T> read() const
    {
        std::vector<T> values(count);
        if (cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost)) abort();
        return values;
    }
};

#endif
