/* A point's data: the bodies, as kernels/octree makes them, and the radius. */
#include "kernels/octree-neighbours/neighbours.cuh"

#include <stdlib.h>

/* ---- the radius ------------------------------------------------------------------------------ */

enum { RADIUS_THREADS = 256, RADIUS_SAMPLES = 128 };

/* A block a body: the square of its distance from its k-th nearest other body, found bit by bit. */
static __global__ void __launch_bounds__(RADIUS_THREADS)
    nn_find_radius(const float4 *bodies, uint64_t n, unsigned k, unsigned samples, float *out)
{
    __shared__ unsigned count;
    const uint64_t self = blockIdx.x * n / samples;
    const float4 body = bodies[self];
    unsigned bits = 0; /* the largest number with fewer than k bodies up to it, as far as tried */
    for (unsigned bit = 1u << 30; bit; bit >>= 1) {
        const float tried = __uint_as_float((bits | bit) - 1);
        unsigned mine = 0;
        if (threadIdx.x == 0) count = 0;
        __syncthreads();
        for (uint64_t i = threadIdx.x; i < n; i += RADIUS_THREADS)
            if (i != self && nn_distance2(bodies[i], body) <= tried) mine++;
        if (mine) atomicAdd(&count, mine);
        __syncthreads();
        if (count < k) bits |= bit;
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = __uint_as_float(bits);
}

static int by_value(const void *a, const void *b)
{
    const float x = *static_cast<const float *>(a), y = *static_cast<const float *>(b);
    return (x > y) - (x < y);
}

static gb_status find_radius(nn_problem *p, gb_error *error)
{
    const uint64_t n = p->shape.bodies.n;
    const unsigned samples = n < RADIUS_SAMPLES ? (unsigned)n : (unsigned)RADIUS_SAMPLES;
    const unsigned k = n > p->shape.k ? p->shape.k : (unsigned)n - 1;
    float host[RADIUS_SAMPLES], *device;
    gb_status status = gb_cuda_malloc((void **)&device, sizeof host, "radii", error);
    if (status != GB_OK) return status;
    cudaError_t code = launch(nn_find_radius, dim3(samples), dim3(RADIUS_THREADS), 0, 0,
                              static_cast<const float4 *>(p->tree->bodies), n, k, samples, device);
    if (code == cudaSuccess)
        code = cudaMemcpy(host, device, samples * sizeof *host, cudaMemcpyDeviceToHost);
    (void)cudaFree(device);
    GB_TRY(code, error);
    qsort(host, samples, sizeof *host, by_value);
    p->radius = sqrtf(host[samples / 2]);
    return GB_OK;
}

/* ---- opening and closing --------------------------------------------------------------------- */

gb_status nn_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    const gb_params tree = nn_tree_params(params);
    *out = NULL;
    nn_problem *p = (nn_problem *)calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = nn_shape_of(params);
    gb_status status = oc_open(&tree, seed, device, &p->tree, error);
    if (status == GB_OK && p->shape.bodies.n > 1) status = find_radius(p, error);
    if (status == GB_OK)
        *out = reinterpret_cast<gb_problem *>(p);
    else
        nn_close(reinterpret_cast<gb_problem *>(p));
    return status;
}

void nn_close(gb_problem *problem)
{
    nn_problem *p = reinterpret_cast<nn_problem *>(problem);
    if (!p) return;
    oc_close(p->tree);
    free(p);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static bool does(const nn_shape *shape, nn_stage what)
{
    return shape->stage == what || shape->stage == NN_BOTH;
}

static uint64_t found_bytes(const nn_shape *shape)
{
    return shape->bodies.n * (shape->find == NN_NEAREST ? 4 * shape->k : sizeof(nn_met));
}

gb_status nn_found_open(gb_job *job, nn_state *state)
{
    const nn_shape *shape = &nn_problem_of(job)->shape;
    void *memory;
    const gb_status status =
        gb_cuda_malloc(&memory, found_bytes(shape) + 16, "the neighbours", &job->error);
    if (status != GB_OK) return status;
    if (shape->find == NN_NEAREST)
        state->found.nearest = static_cast<uint32_t *>(memory);
    else
        state->found.within = static_cast<nn_met *>(memory);
    return GB_OK;
}

void nn_found_close(nn_state *state)
{
    (void)cudaFree(state->found.nearest);
    (void)cudaFree(state->found.within);
}

static gb_status poison_found(gb_job *job, gb_stream stream)
{
    const nn_found *found = &static_cast<const nn_state *>(job->state)->found;
    void *memory =
        found->nearest ? static_cast<void *>(found->nearest) : static_cast<void *>(found->within);
    GB_TRY(cudaMemsetAsync(memory, OC_POISON, found_bytes(&nn_problem_of(job)->shape),
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

gb_status nn_poison(gb_job *job, gb_stream stream)
{
    const nn_state *state = static_cast<const nn_state *>(job->state);
    const nn_shape *shape = &nn_problem_of(job)->shape;
    gb_status status = does(shape, NN_QUERIES) ? poison_found(job, stream) : GB_OK;
    if (status == GB_OK && does(shape, NN_BUILD) && state->poison)
        status = state->poison(job, stream);
    return status;
}

gb_status nn_ask_once(gb_job *job)
{
    const nn_stages *stages = static_cast<const nn_state *>(job->state)->stages;
    gb_status status = poison_found(job, NULL);
    if (status == GB_OK) status = stages->queries(job, 0, &job->error);
    if (status == GB_OK) GB_TRY(cudaDeviceSynchronize(), &job->error);
    return status;
}

gb_status nn_queue(gb_job *job, gb_stream stream)
{
    const nn_stages *stages = static_cast<const nn_state *>(job->state)->stages;
    const nn_shape *shape = &nn_problem_of(job)->shape;
    cudaStream_t on = gb_cuda_stream(stream);
    gb_status status = GB_OK;
    if (does(shape, NN_BUILD) && stages->build) status = stages->build(job, on, &job->error);
    if (status == GB_OK && does(shape, NN_QUERIES) && shape->bodies.n)
        status = stages->queries(job, on, &job->error);
    return status;
}

gb_status nn_queue_before(gb_job *job)
{
    const nn_stages *stages = static_cast<const nn_state *>(job->state)->stages;
    cudaStream_t on = gb_cuda_stream(job->stream);
    if (nn_problem_of(job)->shape.stage != NN_QUERIES || !stages->build) return GB_OK;
    const gb_status status = stages->build(job, on, &job->error);
    if (status == GB_OK) GB_TRY(cudaStreamSynchronize(on), &job->error);
    return status;
}
