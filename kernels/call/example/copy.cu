// The kernel of the variant `copy` of null (common/cuda/sweep.cu) as a library: what calling costs
// shows where the two differ. From the top folder, with the flags of the worker:
//
//     nvcc -std=c++17 -O3 -lineinfo -I. -arch=native -shared -Xcompiler -fPIC -o libcopy.so
//         kernels/call/example/copy.cu
//     build/gpubench run kernels/call/example/copy*.json --library ./libcopy.so
#include "common/cuda/sweep.cu"

#include <cstdint>
#include <cstring>
#include <vector>

struct copy_state {
    int64_t bytes = 0;
    unsigned char *source = nullptr, *target = nullptr;
    std::vector<unsigned char> host;
};

extern "C" {
int copy_setup(void **state, int count, const char *const names[], const int64_t values[], void *)
{
    copy_state *s = new copy_state;
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], "bytes") == 0) s->bytes = values[i];
    s->host.resize(s->bytes);
    for (int64_t i = 0; i < s->bytes; i++)
        s->host[i] = (unsigned char)(i * 2654435761u >> 13 | 1);
    *state = s;
    if (cudaMalloc(&s->source, s->bytes) || cudaMalloc(&s->target, s->bytes)) return 1;
    return cudaMemcpy(s->source, s->host.data(), s->bytes, cudaMemcpyHostToDevice);
}
int copy_poison(void *state, void *stream)
{
    copy_state *s = (copy_state *)state;
    return cudaMemsetAsync(s->target, 0xA4, s->bytes, (cudaStream_t)stream);
}
int copy_run(void *state, void *stream)
{
    copy_state *s = (copy_state *)state;
    return gb_launch_copy_bytes(s->source, s->target, s->bytes, (cudaStream_t)stream);
}
int copy_check(void *state, void *stream)
{
    copy_state *s = (copy_state *)state;
    std::vector<unsigned char> got(s->bytes);
    cudaStreamSynchronize((cudaStream_t)stream);
    if (cudaMemcpy(got.data(), s->target, s->bytes, cudaMemcpyDeviceToHost)) return 2;
    return memcmp(got.data(), s->host.data(), s->bytes) != 0;
}
void copy_cleanup(void *state)
{
    copy_state *s = (copy_state *)state;
    cudaFree(s->source);
    cudaFree(s->target);
    delete s;
}
}
