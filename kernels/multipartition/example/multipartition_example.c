/* Partitioning keys in a program of your own, in C: what to include, and the few calls it takes.
 *
 *   cc multipartition_example.c $(pkg-config --cflags --libs gpubench)
 *
 * A million keys, each with the position that it comes from, go to the bins between 99 limits, and
 * are looked at on the host. The request is queued twice, as in a program that does it again and
 * again: scratch is asked for once. */
#include <gpubench/multipartition.h>

#if defined(GB_ARCH)
#include "common/simt/simt.h" /* gpubench's own tests: kernels on the CPU */
#else
#include <cuda_runtime_api.h>
#endif

#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 1000000, BINS = 100 };

static void need(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "multipartition_example: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void need_partition(mp_status status)
{
    if (status == MP_OK) return;
    fprintf(stderr, "multipartition_example: %s\n", mp_partition_error());
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
    fprintf(stderr, "multipartition_example: no host memory\n");
    exit(1);
}

/* How many of the limits are <= key: the bin that it belongs to. */
static uint32_t bin_of(const uint32_t *limits, uint32_t key)
{
    uint32_t bin = 0;
    while (bin < BINS - 1 && limits[bin] <= key)
        bin++;
    return bin;
}

int main(void)
{
    uint32_t *keys = (uint32_t *)host_array(4 * KEYS), *from = (uint32_t *)host_array(4 * KEYS);
    uint32_t limits[BINS - 1], *found, *origins;
    uint64_t offsets[BINS + 1], bytes, wrong = 0;
    for (uint32_t i = 0; i < KEYS; i++) {
        keys[i] = i * 2654435761u; /* all different */
        from[i] = i;
    }
    for (uint32_t b = 0; b < BINS - 1; b++)
        limits[b] = (b + 1) * (b + 1) * 400000u; /* ever wider bins */

    mp_request request = {0};
    request.keys_in = device_array(keys, 4 * KEYS);
    request.payload_in = device_array(from, 4 * KEYS);
    request.keys_out = device_array(NULL, 4 * KEYS);
    request.payload_out = device_array(NULL, 4 * KEYS);
    request.offsets = (uint64_t *)device_array(NULL, sizeof offsets);
    request.limits = device_array(limits, sizeof limits);
    request.n = KEYS;
    request.key_bytes = request.payload_bytes = 4;
    request.function = MP_SPLITTERS;
    request.bins = BINS;

    mp_method method;
    const char *gpu;
    need_partition(mp_partition_choose(&request, &method, &gpu));
    request.method = method; /* else it is looked up every time */
    need_partition(mp_partition_scratch(&request, &bytes));
    void *scratch = device_array(NULL, bytes);
    for (int again = 0; again < 2; again++)
        need_partition(mp_partition(&request, scratch, bytes, NULL));

    found = (uint32_t *)host_array(4 * KEYS);
    origins = (uint32_t *)host_array(4 * KEYS);
    need(cudaMemcpy(found, request.keys_out, 4 * KEYS, cudaMemcpyDeviceToHost), "the keys");
    need(cudaMemcpy(origins, request.payload_out, 4 * KEYS, cudaMemcpyDeviceToHost), "origins");
    need(cudaMemcpy(offsets, request.offsets, sizeof offsets, cudaMemcpyDeviceToHost), "offsets");
    for (uint32_t b = 0; b < BINS; b++)
        for (uint64_t i = offsets[b]; i < offsets[b + 1]; i++)
            wrong += bin_of(limits, found[i]) != b || keys[origins[i]] != found[i];
    printf("%d keys in %d bins by method %d (measured on: %s), %llu wrong; the last bin has %llu\n",
           KEYS, BINS, (int)method, gpu, (unsigned long long)wrong,
           (unsigned long long)(offsets[BINS] - offsets[BINS - 1]));
    return wrong || offsets[BINS] != KEYS;
}
