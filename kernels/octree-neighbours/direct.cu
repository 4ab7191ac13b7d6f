/* Variant direct: nothing is built; every query meets every body, through tiles in shared memory.
 */
#include "kernels/octree-neighbours/neighbours.cuh"

#include <stdlib.h>

enum { THREADS = 128, MOST_BODIES = 1 << 20 };

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const nn_shape shape = nn_shape_of(params);
    if (shape.stage != NN_QUERIES) return "it builds nothing: stage must be queries";
    if (shape.bodies.n > MOST_BODIES)
        return gb_reason("all pairs of more than %d bodies take too long", MOST_BODIES);
    return NULL;
}

template <class Query>
static __global__ void __launch_bounds__(THREADS)
    nn_meet_all(const float4 *bodies, uint32_t n, float radius, unsigned k, nn_found found)
{
    __shared__ float4 tile[THREADS];
    GB_DYNAMIC_SHARED();
    const uint32_t self = blockIdx.x * THREADS + threadIdx.x;
    const float4 at = bodies[self < n ? self : n - 1];
    Query query;
    query.begin(radius, k, gb_shared_memory, found, self);
    for (uint32_t from = 0; from < n; from += THREADS) {
        const uint32_t count = n - from < THREADS ? n - from : (uint32_t)THREADS;
        __syncthreads();
        if (threadIdx.x < count) tile[threadIdx.x] = bodies[from + threadIdx.x];
        __syncthreads();
        for (uint32_t i = 0; i < count; i++)
            if (from + i != self) query.meet(nn_distance2(tile[i], at), from + i);
    }
    if (self < n) query.end(self, found);
}

template <class Query>
static gb_status queue_as(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const nn_problem *p = nn_problem_of(job);
    const uint32_t n = (uint32_t)p->shape.bodies.n;
    GB_TRY(launch(nn_meet_all<Query>, dim3((n + THREADS - 1) / THREADS), dim3(THREADS),
                  (size_t)Query::SHARED * p->shape.k * THREADS, stream,
                  static_cast<const float4 *>(p->tree->bodies), n, p->radius, p->shape.k,
                  static_cast<const nn_state *>(job->state)->found),
           error);
    return GB_OK;
}

static gb_status queue_queries(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    return nn_problem_of(job)->shape.find == NN_NEAREST ? queue_as<nn_nearest>(job, stream, error)
                                                        : queue_as<nn_within>(job, stream, error);
}

static const nn_stages stages = {NULL, queue_queries};

static gb_status prepare(gb_job *job)
{
    nn_state *s = (nn_state *)calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for queries");
    job->state = s;
    s->stages = &stages;
    const gb_status status = gb_allow_shared(
        nn_meet_all<nn_nearest>, (size_t)nn_nearest::SHARED * NN_MOST * THREADS, &job->error);
    return status == GB_OK ? nn_found_open(job, s) : status;
}

static void cleanup(gb_job *job)
{
    nn_state *s = static_cast<nn_state *>(job->state);
    if (!s) return;
    nn_found_close(s);
    free(s);
    job->state = NULL;
}

extern "C" const gb_variant nn_direct = {
    "direct",    "nothing is built: every query meets every body, through tiles in shared memory",
    "gpubench",  0,
    unsupported, prepare,
    NULL,        nn_queue,
    cleanup,
};
