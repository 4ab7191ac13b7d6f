/* What the kernels that march along z share: how the box is cut into columns of tiles and chunks of
 * planes, and the sums that a thread keeps of its cells while planes arrive. */
#ifndef GB_STENCIL_MARCH_CUH
#define GB_STENCIL_MARCH_CUH

#include <limits.h>

#include "common/cuda/device.cuh"
#include "kernels/stencil/variants.h"

#include <stdlib.h>

/* ---- the cut --------------------------------------------------------------------------------- */

/* Block number b has tile b % tiles_x, b / tiles_x % tiles_y of the x-y plane and walks over chunk
 * number b / (tiles_x * tiles_y). All blocks that are resident together begin at once and go at one
 * pace, so that what two neighbours both read is still in the L2 when the second one comes. */
typedef struct st_march {
    int x, y, z; /* cells of the box */
    unsigned tiles_x, tiles_y, chunks;
    int chunk; /* planes of a chunk; the last one may have fewer */
    int64_t pitch, plane, origin;
} st_march;

/* Where a block stands: its first column, row and plane, and the plane behind its last. */
typedef struct st_stand {
    int x, y, first, last;
} st_stand;

static __device__ __forceinline__ st_stand st_stand_of(const st_march &march, int tile_x,
                                                       int tile_y)
{
    const unsigned row = blockIdx.x / march.tiles_x, chunk = row / march.tiles_y;
    const int first = (int)chunk * march.chunk;
    return {(int)(blockIdx.x % march.tiles_x) * tile_x, (int)(row % march.tiles_y) * tile_y, first,
            march.z - first < march.chunk ? march.z : first + march.chunk};
}

/* Cuts a box into tiles of tile_x * tile_y cells and into that number of chunks which is done
 * soonest if `slots` blocks run at a time: waves * (planes of a chunk + restart). A chunk begins
 * and ends with r planes more that it reads and does not write, half the bytes of others, and with
 * a wait for memory, about as long as a plane takes: restart is r + 2 planes. Few chunks repeat
 * little; many fill the device where the tiles alone would not, or would leave the last wave half
 * empty. No chunk is of more than `most` planes. */
static inline st_march st_march_of(const st_shape *shape, const st_layout *layout, unsigned tile_x,
                                   unsigned tile_y, uint64_t slots, int most = INT_MAX)
{
    st_march march = {};
    march.x = shape->x;
    march.y = shape->y;
    march.z = shape->z;
    march.tiles_x = ((unsigned)shape->x + tile_x - 1) / tile_x;
    march.tiles_y = ((unsigned)shape->y + tile_y - 1) / tile_y;
    march.pitch = layout->pitch;
    march.plane = layout->plane;
    march.origin = layout->origin;
    const uint64_t columns = (uint64_t)march.tiles_x * march.tiles_y;
    uint64_t best = UINT64_MAX;
    for (int chunks = 1; chunks <= shape->z; chunks++) {
        const int chunk = (shape->z + chunks - 1) / chunks;
        if (chunk > most || (chunks > 1 && chunk == march.chunk)) continue;
        const unsigned needed = (unsigned)((shape->z + chunk - 1) / chunk);
        const uint64_t waves = (columns * needed + slots - 1) / slots;
        const uint64_t cost = waves * (uint64_t)(chunk + shape->radius + 2);
        if (cost >= best) continue;
        best = cost;
        march.chunk = chunk;
        march.chunks = needed;
    }
    return march;
}

/* ---- a job ----------------------------------------------------------------------------------- */

typedef void (*st_kernel)(const float *from, float *to, st_march march, st_weights weights);

/* What blocks of a kernel are. */
typedef struct st_blocks {
    st_kernel kernel;
    dim3 threads;
    size_t shared_bytes;     /* dynamic */
    unsigned tile_x, tile_y; /* cells of a plane that a block writes */
    int enough;      /* blocks that keep a multiprocessor busy, even if it has room for more */
    int most_planes; /* of a chunk */
} st_blocks;

/* A job's state: what each of its sweeps launches. */
typedef struct st_plan {
    st_blocks blocks;
    st_march march;
    dim3 grid;
} st_plan;

static inline gb_status st_plan_make(st_plan *plan, const st_shape *shape, const st_layout *layout,
                                     const gb_device *device, const st_blocks *blocks,
                                     gb_error *error)
{
    const dim3 threads = blocks->threads;
    const gb_status status = gb_allow_shared(blocks->kernel, blocks->shared_bytes, error);
    if (status != GB_OK) return status;
    int resident = 0;
    GB_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, blocks->kernel,
                                                         (int)(threads.x * threads.y * threads.z),
                                                         blocks->shared_bytes),
           error);
    if (resident > blocks->enough) resident = blocks->enough;
    const uint64_t slots =
        (uint64_t)(device->sms > 0 ? device->sms : 1) * (uint64_t)(resident > 0 ? resident : 1);
    plan->blocks = *blocks;
    plan->march =
        st_march_of(shape, layout, blocks->tile_x, blocks->tile_y, slots, blocks->most_planes);
    const st_march *march = &plan->march;
    const uint64_t count = (uint64_t)march->tiles_x * march->tiles_y * march->chunks;
    plan->grid = dim3((unsigned)count);
    if (count <= INT32_MAX) return GB_OK;
    return gb_fail(error, GB_OUT_OF_MEMORY,
                   "%llu blocks, and a grid has at most %d: choose a larger block",
                   (unsigned long long)count, INT32_MAX);
}

/* prepare() of a variant that marches: the point's arrays and the plan. */
static inline gb_status st_plan_open(gb_job *job, const st_blocks &blocks)
{
    gb_status status = st_problem_device(job);
    if (status != GB_OK) return status;
    const gb_problem *problem = job->problem;
    st_plan *plan = static_cast<st_plan *>(calloc(1, sizeof(st_plan)));
    if (!plan) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job's state");
    job->state = plan;
    return st_plan_make(plan, &problem->shape, &problem->layout, job->device, &blocks, &job->error);
}

/* run() and cleanup(). */
static inline gb_status st_plan_sweep(gb_job *job, const float *from, float *to, unsigned,
                                      gb_stream stream)
{
    const st_plan *plan = static_cast<const st_plan *>(job->state);
    GB_TRY(launch(plan->blocks.kernel, plan->grid, plan->blocks.threads, plan->blocks.shared_bytes,
                  gb_cuda_stream(stream), from, to, plan->march, job->problem->weights),
           &job->error);
    return GB_OK;
}

static inline gb_status st_plan_run(gb_job *job, gb_stream stream)
{
    return st_run_sweeps(job, st_plan_sweep, stream);
}

static inline void st_plan_cleanup(gb_job *job)
{
    free(job->state);
    job->state = NULL;
}

#endif
