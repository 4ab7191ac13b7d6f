/* Variant direct: no tree; every body is pulled by every other one, at whatever opening angle,
 * whose positions a block reads together (Nyland, Harris, Prins 2007, "Fast N-body simulation with
 * CUDA"). What the others' errors are held against, and how much a tree saves. */
#include "kernels/octree-nbody/nbody.cuh"

#include <stdlib.h>

enum { THREADS = 256, ITEMS = 2, MOST_BODIES = 1 << 21 };

typedef struct direct {
    nb_state state;
    float4 *force; /* n */
} direct;

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const nb_shape shape = nb_shape_of(params);
    if (shape.stage != NB_FORCE && shape.stage != NB_STEP)
        return "it has no tree: stage must be force, or step, which is the force alone";
    if (shape.bodies.n > MOST_BODIES)
        return gb_reason("all pairs of more than %d bodies take too long", MOST_BODIES);
    return NULL;
}

/* A thread has ITEMS bodies, THREADS apart. A tile's pull is summed by itself: fewer bits are lost
 * than if each went to all. */
static __global__ void __launch_bounds__(THREADS)
    nb_pull_all(const float4 *bodies, uint32_t n, float eps2, float4 *out)
{
    __shared__ float4 tile[THREADS];
    float3 body[ITEMS];
    float4 force[ITEMS];
    const uint32_t first = blockIdx.x * (THREADS * ITEMS) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t b = first + (unsigned)i * THREADS;
        const float4 at = bodies[b < n ? b : n - 1];
        body[i] = make_float3(at.x, at.y, at.z);
        force[i] = make_float4(0, 0, 0, 0);
    }
    for (uint32_t from = 0; from < n; from += THREADS) {
        float4 sum[ITEMS];
        const uint32_t mine = from + threadIdx.x;
        __syncthreads();
        tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            sum[i] = make_float4(0, 0, 0, 0);
#pragma unroll 8
        for (int k = 0; k < THREADS; k++) { /* what is no body has no mass */
            const float4 at = tile[k];
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                nb_pull(at, body[i], eps2, &sum[i]);
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            nb_add(&force[i], sum[i]);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t b = first + (unsigned)i * THREADS;
        if (b < n) out[b] = nb_without_itself(force[i], bodies[b].w, eps2);
    }
}

static gb_status view(gb_job *job, nb_view *view)
{
    view->force = static_cast<const direct *>(job->state)->force;
    return GB_OK;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const uint64_t n = nb_problem_of(job)->shape.bodies.n;
    GB_TRY(cudaMemsetAsync(static_cast<const direct *>(job->state)->force, OC_POISON,
                           n * sizeof(float4), gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    const uint64_t n = nb_problem_of(job)->shape.bodies.n;
    direct *d = (direct *)calloc(1, sizeof *d);
    if (!d) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for forces");
    job->state = d;
    d->state.view = view;
    d->state.poison = poison;
    return gb_cuda_malloc((void **)&d->force, n * sizeof(float4) + 16, "the bodies' forces",
                          &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const nb_problem *p = nb_problem_of(job);
    const uint32_t n = (uint32_t)p->shape.bodies.n, of_block = THREADS * ITEMS;
    if (n == 0) return GB_OK;
    GB_TRY(launch(nb_pull_all, dim3((n + of_block - 1) / of_block), dim3(THREADS), 0,
                  gb_cuda_stream(stream), static_cast<const float4 *>(p->tree->bodies), n, p->eps2,
                  static_cast<const direct *>(job->state)->force),
           &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    direct *d = static_cast<direct *>(job->state);
    if (!d) return;
    (void)cudaFree(d->force);
    free(d);
    job->state = NULL;
}

extern "C" const gb_variant nb_direct = {
    "direct",
    "no tree: all pairs, through tiles in shared memory",
    "Nyland, Harris, Prins 2007",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
    "two bodies a thread, and a tile's pull is summed by itself",
    NULL,
};
