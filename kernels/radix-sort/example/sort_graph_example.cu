/* Every kind of sort is captured into a CUDA graph, and the graph replayed on other keys: a call
 * that allocates or waits would end the capture.
 *
 *   nvcc -std=c++17 sort_graph_example.cu $(pkg-config --cflags --libs gpubench) */
#include <gpubench/sort.h>

#include <cuda_runtime.h>

#include <algorithm>
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

/* Keys of 32 bits or, if they are wide, of 64. */
static std::vector<uint64_t> made(size_t n, uint64_t seed, bool wide)
{
    std::vector<uint64_t> keys(n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = (i * 0x9E3779B97F4A7C15ull ^ seed) * 0xD1B54A32D192ED03ull;
        keys[i] = wide ? key : key >> 32;
    }
    return keys;
}

/* An array whose elements have `bytes` bytes, of the low ones of numbers. */
static std::vector<unsigned char> packed(const std::vector<uint64_t> &numbers, size_t bytes)
{
    std::vector<unsigned char> all(numbers.size() * bytes);
    for (size_t i = 0; i < numbers.size(); i++)
        for (size_t b = 0; b < bytes && b < 8; b++)
            all[i * bytes + b] = (unsigned char)(numbers[i] >> 8 * b);
    return all;
}

static uint64_t number(const std::vector<unsigned char> &all, size_t i, size_t bytes)
{
    uint64_t number = 0;
    for (size_t b = 0; b < bytes && b < 8; b++)
        number |= (uint64_t)all[i * bytes + b] << 8 * b;
    return number;
}

/* 0 if the output of a replay is what it should be; payload i is i. */
static int wrong(const rs_sort_request &r, const std::vector<uint64_t> &keys)
{
    const size_t key_bytes = r.type == RS_U64 ? 8 : 4, n = r.n;
    std::vector<unsigned char> out(n * key_bytes), payload(n * r.payload_bytes);
    NEED(cudaMemcpy(out.data(), r.keys_out, out.size(), cudaMemcpyDeviceToHost));
    if (r.payload_bytes)
        NEED(cudaMemcpy(payload.data(), r.payload_out, payload.size(), cudaMemcpyDeviceToHost));
    std::vector<uint64_t> right = keys;
    std::sort(right.begin(), right.end());
    for (size_t i = 0; i < n; i++) {
        if (number(out, i, key_bytes) != right[i]) return 1;
        if (!r.payload_bytes) continue;
        const uint64_t from = number(payload, i, r.payload_bytes);
        if (from >= n || keys[from] != right[i]) return 1;
    }
    return 0;
}

static int test(rs_type type, unsigned payload_bytes, bool stable, size_t n)
{
    const bool wide = type == RS_U64;
    const size_t key_bytes = wide ? 8 : 4;
    std::vector<uint64_t> numbers(n);
    for (size_t i = 0; i < n; i++)
        numbers[i] = i;
    const std::vector<unsigned char> payload = packed(numbers, payload_bytes);
    void *keys_in, *payload_in, *scratch = NULL;
    uint64_t bytes;
    rs_sort_request r = {};
    r.n = n;
    r.type = type;
    r.payload_bytes = payload_bytes;
    r.stable = stable;
    NEED(cudaMalloc(&keys_in, n * key_bytes));
    NEED(cudaMalloc(&r.keys_out, n * key_bytes));
    NEED(cudaMalloc(&payload_in, n * payload_bytes + 1));
    NEED(cudaMalloc(&r.payload_out, n * payload_bytes + 1));
    NEED(cudaMemcpy(payload_in, payload.data(), payload.size(), cudaMemcpyHostToDevice));
    r.keys_in = keys_in;
    r.payload_in = payload_in;
    if (rs_sort_scratch(&r, &bytes) != RS_OK) {
        fprintf(stderr, "%s\n", rs_sort_error());
        return 1;
    }
    NEED(cudaMalloc(&scratch, bytes));
    NEED(cudaMemset(scratch, 0xa5, bytes));
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    NEED(cudaStreamCreate(&stream));
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const rs_status status = rs_sort(&r, scratch, bytes, stream);
    NEED(cudaStreamEndCapture(stream, &graph));
    if (status != RS_OK) {
        fprintf(stderr, "%s\n", rs_sort_error());
        return 1;
    }
    NEED(cudaGraphInstantiate(&ready, graph, 0));
    int failures = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const std::vector<uint64_t> keys = made(n, seed, wide);
        const std::vector<unsigned char> in = packed(keys, key_bytes);
        NEED(cudaMemcpy(keys_in, in.data(), in.size(), cudaMemcpyHostToDevice));
        NEED(cudaGraphLaunch(ready, stream));
        NEED(cudaStreamSynchronize(stream));
        failures += wrong(r, keys);
    }
    printf("keys of %zu bytes, payload of %u, %s, n = %zu: %s\n", key_bytes, payload_bytes,
           stable ? "stable" : "not stable", n, failures ? "WRONG" : "right");
    NEED(cudaGraphExecDestroy(ready));
    NEED(cudaGraphDestroy(graph));
    NEED(cudaStreamDestroy(stream));
    for (void *memory : {keys_in, r.keys_out, payload_in, r.payload_out, scratch})
        NEED(cudaFree(memory));
    return failures;
}

int main()
{
    int failures = 0;
    for (const rs_type type : {RS_U32, RS_U64})
        for (const unsigned payload : {0u, 4u, 8u, 16u})
            for (const bool stable : {false, true})
                for (const size_t n : {(size_t)1000, (size_t)1000003, (size_t)10000019})
                    failures += test(type, payload, stable, n);
    return failures != 0;
}
