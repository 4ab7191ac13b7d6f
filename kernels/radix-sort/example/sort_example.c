/* Sorting in a program of your own, in C: what to include, and the few calls it takes.
 *
 *   cc sort_example.c $(pkg-config --cflags --libs gpubench)
 *
 * A million floats, each with the position that it comes from, are sorted in descending order, and
 * are looked at on the host. The request is queued twice, as in a program that does it again and
 * again: scratch is asked for once. */
#include <gpubench/sort.h>

#if defined(GB_ARCH)
#include "common/simt/simt.h" /* gpubench's own tests: kernels on the CPU */
#else
#include <cuda_runtime_api.h>
#endif

#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 1000000 };

static void need(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "sort_example: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void need_sort(rs_status status)
{
    if (status == RS_OK) return;
    fprintf(stderr, "sort_example: %s\n", rs_sort_error());
    exit(1);
}

static void *device_array(const void *from, size_t bytes)
{
    void *array;
    need(cudaMalloc(&array, bytes), "memory");
    if (from) need(cudaMemcpy(array, from, bytes, cudaMemcpyHostToDevice), "a copy");
    return array;
}

static void *host_array(size_t bytes)
{
    void *array = malloc(bytes);
    if (array) return array;
    fprintf(stderr, "sort_example: no host memory\n");
    exit(1);
}

int main(void)
{
    float *keys = (float *)host_array(4 * KEYS), *found = (float *)host_array(4 * KEYS);
    uint32_t *from = (uint32_t *)host_array(4 * KEYS), *origins = (uint32_t *)host_array(4 * KEYS);
    uint64_t bytes, wrong = 0;
    for (uint32_t i = 0; i < KEYS; i++) {
        const int32_t drawn = (int32_t)(i * 2654435761u) / 4096; /* many come more than once */
        keys[i] = drawn ? (float)drawn / 16 : i & 1 ? -0.0f : 0.0f;
        from[i] = i;
    }

    rs_sort_request request = {0};
    request.keys_in = device_array(keys, 4 * KEYS);
    request.payload_in = device_array(from, 4 * KEYS);
    request.keys_out = device_array(NULL, 4 * KEYS);
    request.payload_out = device_array(NULL, 4 * KEYS);
    request.n = KEYS;
    request.type = RS_F32;
    request.payload_bytes = 4;
    request.descending = 1;
    request.stable = 1;

    need_sort(rs_sort_scratch(&request, &bytes));
    void *scratch = device_array(NULL, bytes);
    for (int again = 0; again < 2; again++)
        need_sort(rs_sort(&request, scratch, bytes, NULL));

    need(cudaMemcpy(found, request.keys_out, 4 * KEYS, cudaMemcpyDeviceToHost), "the keys");
    need(cudaMemcpy(origins, request.payload_out, 4 * KEYS, cudaMemcpyDeviceToHost), "origins");
    for (uint32_t i = 0; i < KEYS; i++) {
        wrong += origins[i] >= KEYS || keys[origins[i]] != found[i];
        if (i == 0) continue;
        wrong += found[i - 1] < found[i];
        wrong += found[i - 1] == found[i] && origins[i - 1] >= origins[i]; /* in their order */
    }
    printf("%d floats from %g down to %g with %.1f MB of scratch, %llu wrong\n", KEYS, found[0],
           found[KEYS - 1], 1e-6 * (double)bytes, (unsigned long long)wrong);
    return wrong != 0;
}
