/* Every method of the partition is captured into a CUDA graph, and the graph replayed on other
 * keys: a call that allocates or waits would end the capture.
 *
 *   nvcc multipartition_graph_example.cu $(pkg-config --cflags --libs gpubench) */
#include <gpubench/multipartition.h>

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define NEED(call)                                                                        \
    do {                                                                                  \
        const cudaError_t code = (call);                                                  \
        if (code != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(code)); \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

static std::vector<uint32_t> made(size_t n, uint32_t seed)
{
    std::vector<uint32_t> keys(n);
    for (size_t i = 0; i < n; i++)
        keys[i] = ((uint32_t)i * 2654435761u ^ seed) * 2246822519u;
    return keys;
}

/* 0 if the output of a replay is what it should be. */
static int wrong(const mp_request &r, const std::vector<uint32_t> &keys)
{
    std::vector<uint32_t> out(r.n);
    std::vector<uint64_t> offsets(r.bins + 1), counts(r.bins), sums(r.bins), found(r.bins);
    NEED(cudaMemcpy(out.data(), r.keys_out, 4 * r.n, cudaMemcpyDeviceToHost));
    NEED(cudaMemcpy(offsets.data(), r.offsets, 8 * offsets.size(), cudaMemcpyDeviceToHost));
    for (const uint32_t key : keys) {
        const uint32_t bin = (uint32_t)(((uint64_t)key * r.bins) >> 32);
        counts[bin]++;
        sums[bin] += (uint64_t)key * key + key;
    }
    uint64_t begin = 0;
    for (uint32_t b = 0; b < r.bins; begin += counts[b++]) {
        if (offsets[b] != begin) return 1;
        for (uint64_t i = begin; i < begin + counts[b]; i++)
            found[b] += (uint64_t)out[i] * out[i] + out[i];
        if (found[b] != sums[b]) return 1;
    }
    return offsets[r.bins] != r.n;
}

static int test(mp_method method, size_t n, uint32_t bins)
{
    mp_request r = {};
    void *keys_in, *scratch = NULL;
    uint64_t bytes;
    r.n = n;
    r.key_bytes = 4;
    r.bins = bins;
    r.method = method;
    if (mp_partition_scratch(&r, &bytes) != MP_OK) {
        printf("method %d, n = %zu, %u bins: left out: %s\n", (int)method, n, bins,
               mp_partition_error());
        return 0;
    }
    NEED(cudaMalloc(&keys_in, 4 * n + 16));
    NEED(cudaMalloc(&r.keys_out, 4 * n + 16));
    NEED(cudaMalloc((void **)&r.offsets, 8 * ((size_t)bins + 1)));
    NEED(cudaMalloc(&scratch, bytes));
    r.keys_in = keys_in;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    NEED(cudaStreamCreate(&stream));
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const mp_status status = mp_partition(&r, scratch, bytes, stream);
    NEED(cudaStreamEndCapture(stream, &graph));
    if (status != MP_OK) {
        fprintf(stderr, "method %d: %s\n", (int)method, mp_partition_error());
        return 1;
    }
    NEED(cudaGraphInstantiate(&ready, graph, 0));
    int failures = 0;
    for (uint32_t seed = 1; seed <= 3; seed++) {
        const std::vector<uint32_t> keys = made(n, seed);
        NEED(cudaMemcpy(keys_in, keys.data(), 4 * n, cudaMemcpyHostToDevice));
        NEED(cudaGraphLaunch(ready, stream));
        NEED(cudaStreamSynchronize(stream));
        failures += wrong(r, keys);
    }
    printf("method %d, n = %zu, %u bins: %s\n", (int)method, n, bins, failures ? "WRONG" : "right");
    NEED(cudaGraphExecDestroy(ready));
    NEED(cudaGraphDestroy(graph));
    NEED(cudaStreamDestroy(stream));
    for (void *memory : {keys_in, r.keys_out, (void *)r.offsets, scratch})
        NEED(cudaFree(memory));
    return failures;
}

int main()
{
    int failures = 0;
    for (int method = MP_AUTO; method < MP_METHODS; method++)
        for (const size_t n : {(size_t)1000, (size_t)1000003, (size_t)10000019})
            for (const uint32_t bins : {2u, 256u, 5000u})
                failures += test((mp_method)method, n, bins);
    return failures != 0;
}
