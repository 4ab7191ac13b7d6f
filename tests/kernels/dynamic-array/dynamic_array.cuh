/* Growable arrays of tests: small granules, many of them. */
#ifndef GB_TESTS_KERNELS_DYNAMIC_ARRAY_DYNAMIC_ARRAY_CUH
#define GB_TESTS_KERNELS_DYNAMIC_ARRAY_DYNAMIC_ARRAY_CUH

#include "tests/harness/device.cuh"

#include "kernels/dynamic-array/growable/growable.h"

#include <vector>

enum { GRANULE = 1024, ELEMENTS = GRANULE / 4, GRANULES = 64 };

static inline gb_growable_pool *new_pool(unsigned mapped)
{
    gb_growable_pool *pool = NULL;
    assert_int_equal(gb_growable_pool_create(&pool, GRANULES * GRANULE, GRANULE), cudaSuccess);
    assert_int_equal(gb_growable_pool_map(pool, (size_t)mapped * GRANULE), cudaSuccess);
    return pool;
}

static inline gb_growable *new_array(gb_growable_pool *pool, size_t element)
{
    gb_growable *array = NULL;
    assert_int_equal(gb_growable_create(&array, pool, element, GRANULES * GRANULE / element, 1000),
                     cudaSuccess);
    return array;
}

static inline uint64_t size_of(gb_growable *array)
{
    uint64_t size = 0;
    assert_int_equal(gb_growable_size(array, 0, &size), cudaSuccess);
    return size;
}

/* 0 ... count - 1. */
static inline std::vector<unsigned> numbers(unsigned count)
{
    std::vector<unsigned> all(count);
    for (unsigned i = 0; i < count; i++)
        all[i] = i;
    return all;
}

/* A copy in device memory; cudaFree's. */
template <class E> static inline E *on_device(const std::vector<E> &elements)
{
    const size_t bytes = elements.size() * sizeof(E);
    E *copy;
    assert_int_equal(cudaMalloc(&copy, bytes), cudaSuccess);
    assert_int_equal(cudaMemcpy(copy, elements.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return copy;
}

#endif
