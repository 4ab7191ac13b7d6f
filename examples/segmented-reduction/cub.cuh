/* What the baselines of CUB share: the types they are instantiated for, their scratch, their names.
 */
#ifndef SR_CUB_CUH
#define SR_CUB_CUH

#include "segmented_reduction.h"

#include "common/cuda/cub_sort.cuh"

#if GB_HAS_CUB

#include <stdlib.h>

/* A call of CUB: without memory it tells how many bytes it needs, else it queues its work. */
typedef struct sr_cub {
    cudaError_t (*call)(struct sr_cub *cub, cudaStream_t stream);
    const gb_problem *problem;
    unsigned instance;
    void *memory;
    size_t bytes;
    void *own[3]; /* device memory of the variant's own, or NULL */
} sr_cub;

static inline gb_status sr_cub_allocate(gb_job *job, sr_cub *cub)
{
    GB_TRY(cub->call(cub, NULL), &job->error);
    /* not 0 bytes: without memory CUB would be asked for the size again, not for the work */
    return gb_job_malloc(job, &cub->memory, cub->bytes + 1, "CUB's scratch");
}

/* The job's state, to be filled before sr_cub_allocate. */
static inline sr_cub *sr_cub_new(gb_job *job)
{
    sr_cub *cub = static_cast<sr_cub *>(calloc(1, sizeof *cub));
    job->state = cub;
    if (!cub) {
        (void)gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
        return NULL;
    }
    cub->problem = job->problem;
    cub->instance = job->instance;
    return cub;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    sr_cub *cub = static_cast<sr_cub *>(job->state);
    if (job->problem->shape.segments == 0) return GB_OK;
    GB_TRY(cub->call(cub, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    sr_cub *cub = static_cast<sr_cub *>(job->state);
    if (!cub) return;
    (void)cudaFree(cub->memory);
    for (void *memory : cub->own)
        (void)cudaFree(memory);
    free(cub);
    job->state = NULL;
}

/* "CUB 3.0.1, what", until the next call of this thread. */
static inline const char *sr_cub_name(const char *what)
{
    static thread_local char name[96];
    snprintf(name, sizeof name, "CUB %d.%d.%d, %s", CUB_VERSION / 100000, CUB_VERSION / 100 % 1000,
             CUB_VERSION % 100, what);
    return name;
}

#else

static gb_status run(gb_job *job, gb_stream)
{
    return gb_fail(&job->error, GB_UNSUPPORTED, GB_NEEDS_CUB);
}
static gb_status (*const prepare)(gb_job *) = NULL;
static void (*const cleanup)(gb_job *) = NULL;
static const char *(*const instance)(const gb_params *, unsigned) = NULL;

#endif

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return gb_cub_refuses(device, params->value[SR_N].size);
}

#endif
