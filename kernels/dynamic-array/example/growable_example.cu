/* A growing array in a program of your own: what to include, and the few calls it takes.
 *
 *   nvcc growable_example.cu $(pkg-config --cflags --libs gpubench)
 *
 * Numbers from 0 to 999 999 are looked at; multiples of 3 are pushed, first by divergent threads
 * one at a time, then in bulk. The pool has memory for a part of them at first, so that growing and
 * going on after it are seen too. */
#include <gpubench/growable_bulk.cuh>

#include <stdio.h>
#include <stdlib.h>
#include <vector>

/* Inside a kernel: any thread may push whenever it likes. */
__global__ void push_multiples(gb_growable_view array, unsigned from, unsigned to)
{
    for (unsigned i = from + blockIdx.x * blockDim.x + threadIdx.x; i < to;
         i += gridDim.x * blockDim.x)
        if (i % 3 == 0) gb_push_back(array, i);
}

struct multiple_of_3 {
    __device__ bool operator()(unsigned i) const { return i % 3 == 0; }
};

static void need(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "growable_example: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

int main()
{
    const unsigned half = 500000, all = 1000000, granule = 64 << 10;
    std::vector<unsigned> numbers(all - half), found;
    unsigned *input;
    for (unsigned i = half; i < all; i++)
        numbers[i - half] = i;
    need(cudaMalloc((void **)&input, 4 * (all - half)), "the input");
    need(cudaMemcpy(input, numbers.data(), 4 * (all - half), cudaMemcpyHostToDevice), "the input");

    gb_growable_pool *pool;
    gb_growable *array;
    need(gb_growable_pool_create(&pool, 64 << 20, granule), "a pool");
    need(gb_growable_pool_map(pool, 16 * granule), "memory behind a part of it");
    need(gb_growable_create(&array, pool, 4, all, 4096), "an array");
    const gb_growable_view view = gb_growable_view_of(array);

    need(gb_growable_launch(push_multiples, 32, 256, (cudaStream_t)0, view, 0u, half), "a push");
    need(gb_push_kept<unsigned, GB_PUSH_ANY>(view, input, all - half, multiple_of_3(), 0),
         "a push in bulk");

    uint64_t size = 0, unplaced = 0;
    need(gb_growable_size(array, 0, &size), "the size");
    need(gb_growable_unplaced(array, 0, &unplaced), "what has no memory yet");
    printf("%llu elements, %llu of them without memory\n", (unsigned long long)size,
           (unsigned long long)unplaced);

    /* more memory; what found none is pushed again, and nothing else moves */
    need(gb_growable_pool_map(pool, 64 << 20), "more memory");
    need(gb_push_kept<unsigned, GB_PUSH_ANY>(view, input, all - half, multiple_of_3(), 0, true),
         "pushing again");
    need(gb_growable_unplaced(array, 0, &unplaced), "what has no memory yet");

    found.resize(size);
    need(gb_growable_copy(array, 0, size, found.data(), 0), "the elements");
    unsigned long long sum = 0, expected = 0;
    for (unsigned i = 0; i < all; i += 3)
        expected += i;
    for (unsigned i : found)
        sum += i;
    printf("%llu elements, %llu without memory, their sum is %s\n", (unsigned long long)size,
           (unsigned long long)unplaced, sum == expected ? "right" : "wrong");
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
    cudaFree(input);
    return sum == expected && unplaced == 0 ? 0 : 1;
}
