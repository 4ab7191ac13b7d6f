// A kernel that exists, and the functions around it: y = 2 x + y. It needs nothing of gpubench.
//
//     nvcc -O3 -arch=native -shared -Xcompiler -fPIC -o libsaxpy.so saxpy.cu
//     gpubench run saxpy.json --library ./libsaxpy.so
#include <cstdint>
#include <cstring>
#include <vector>

struct saxpy {
    int64_t n = 0, block = 256;
    float *x = nullptr, *y = nullptr;
    std::vector<float> host;
};

__global__ void saxpy_kernel(int64_t n, const float *x, float *y)
{
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i] + y[i];
}

extern "C" {
int saxpy_reset(void *state, void *stream) // before every run, untimed: y is eaten
{
    saxpy *s = (saxpy *)state;
    return cudaMemcpyAsync(s->y, s->x, 4 * s->n, cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
}
int saxpy_setup(void **state, int count, const char *const names[], const int64_t values[], void *)
{
    saxpy *s = new saxpy;
    for (int i = 0; i < count; i++)
        (strcmp(names[i], "n") == 0 ? s->n : s->block) = values[i];
    s->host.resize(s->n);
    for (int64_t i = 0; i < s->n; i++)
        s->host[i] = float(i % 1000);
    *state = s;
    if (cudaMalloc(&s->x, 4 * s->n) || cudaMalloc(&s->y, 4 * s->n)) return 1;
    return cudaMemcpy(s->x, s->host.data(), 4 * s->n, cudaMemcpyHostToDevice);
}
int saxpy_run(void *state, void *stream) // the timed part: only what it queues on the stream
{
    saxpy *s = (saxpy *)state;
    saxpy_kernel<<<(s->n + s->block - 1) / s->block, s->block, 0, (cudaStream_t)stream>>>(
        s->n, s->x, s->y);
    return cudaGetLastError();
}
int saxpy_check(void *state, void *stream)
{
    saxpy *s = (saxpy *)state;
    cudaStreamSynchronize((cudaStream_t)stream);
    if (cudaMemcpy(s->host.data(), s->y, 4 * s->n, cudaMemcpyDeviceToHost)) return 2;
    for (int64_t i = 0; i < s->n; i++)
        if (s->host[i] != 3 * float(i % 1000)) return 1;
    return 0;
}
void saxpy_cleanup(void *state)
{
    saxpy *s = (saxpy *)state;
    cudaFree(s->x);
    cudaFree(s->y);
    delete s;
}
}
