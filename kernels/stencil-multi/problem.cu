/* A point's data: ranks, and the arrays of each. */
#include "kernels/stencil-multi/problem.h"

#include "common/cuda/grid.cuh"

#include <new>
#include <stdlib.h>

static uint64_t bytes_of(const stm_slab *slab)
{
    return (uint64_t)slab->layout.total * sizeof(float);
}

/* From one field to the other in a rank's window. */
static uint64_t field_bytes(const stm_slab *slab)
{
    return (bytes_of(slab) + 255) / 256 * 256;
}

float *stm_field(const stm_problem *p, unsigned rank, unsigned field)
{
    const stm_slab slab = stm_slab_of_rank(&p->whole, p->gpus, rank);
    return reinterpret_cast<float *>(p->fields.at[rank] + field * field_bytes(&slab));
}

/* ---- filling --------------------------------------------------------------------------------- */

static __global__ void fill(stm_slab slab, uint64_t seed, bool poisoned, uint32_t *array)
{
    for (uint64_t i = gb_first(); i < (uint64_t)slab.layout.total; i += gb_stride()) {
        const stm_place place = stm_place_of(&slab, (int64_t)i);
        const bool cell = place.kind == STM_OWN || place.kind == STM_FOREIGN;
        array[i] = poisoned && cell ? st_poison_bits : stm_initial_bits(seed, &place);
    }
}

gb_status stm_fill(const gb_device *device, const stm_slab *slab, uint64_t seed, bool poisoned,
                   float *array, cudaStream_t stream, gb_error *error)
{
    GB_TRY(launch(fill, gb_grid(device, (uint64_t)slab->layout.total), dim3(GB_GRID_THREADS), 0,
                  stream, *slab, seed, poisoned, reinterpret_cast<uint32_t *>(array)),
           error);
    return GB_OK;
}

/* Poison into all cells of planes [from, upto) of the slab: boundary and padding are what the
 * checker judges. */
static __global__ void poison_cells(stm_slab slab, int from, int upto, uint32_t *array)
{
    const uint64_t y = (uint64_t)slab.shape.y, rows = y * (uint64_t)(upto - from);
    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        uint32_t *cell = array + slab.layout.origin +
                         (from + (int64_t)(row / y)) * slab.layout.plane +
                         (int64_t)(row % y) * slab.layout.pitch;
        for (int x = (int)threadIdx.x; x < slab.shape.x; x += (int)blockDim.x)
            cell[x] = st_poison_bits;
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static void close_ranks(stm_problem *p)
{
    if (!p->comm) return;
    for (unsigned i = 0; p->part && i < p->comm->locals; i++)
        gb_comm_free(p->comm, i, p->part[i].box.input);
    if (p->lent) {
        gb_comm_window_close(p->comm, &p->fields);
    } else {
        for (unsigned i = 0; i < p->comm->locals; i++)
            gb_comm_free(p->comm, i, p->fields.at[p->comm->first + i]);
        p->fields = {};
    }
    delete[] p->part;
    p->part = NULL;
    gb_comm_close(p->comm);
    p->comm = NULL;
}

static gb_status make_fields(stm_problem *p, gb_error *error)
{
    uint64_t bytes[GB_MOST_RANKS] = {};
    for (unsigned i = 0; i < p->comm->locals; i++)
        bytes[i] = 2 * field_bytes(&p->part[i].slab);
    if (p->lent) return gb_comm_window_open(p->comm, bytes, "the fields", &p->fields, error);
    gb_status status = GB_OK;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        void *at = NULL;
        status = gb_comm_malloc(p->comm, i, &at, bytes[i], "the fields", error);
        p->fields.at[p->comm->first + i] = static_cast<unsigned char *>(at);
    }
    return status;
}

/* Arrays of the i-th local rank. */
static gb_status make_part(stm_problem *p, unsigned i, gb_error *error)
{
    stm_part *part = &p->part[i];
    const gb_rank *rank = &p->comm->local[i];
    void *input = NULL;
    gb_status status =
        gb_comm_malloc(p->comm, i, &input, bytes_of(&part->slab), "the input", error);
    part->box.input = static_cast<float *>(input);
    if (status == GB_OK) status = gb_comm_enter(p->comm, i, error);
    if (status == GB_OK)
        status = stm_fill(&rank->device, &part->slab, p->seed, false, part->box.input, NULL, error);
    for (unsigned f = 0; f < 2 && status == GB_OK; f++) {
        part->box.field[f] = stm_field(p, rank->rank, f);
        status =
            stm_fill(&rank->device, &part->slab, p->seed, true, part->box.field[f], NULL, error);
    }
    if (status == GB_OK) GB_TRY(cudaDeviceSynchronize(), error);
    return status;
}

static gb_status open_ranks(stm_problem *p, gb_error *error)
{
    p->lent = !gb_comm_refusal(p->gpus, GB_NEEDS_PEERS);
    gb_status status =
        gb_comm_open(p->device, p->gpus, p->lent ? GB_NEEDS_PEERS : 0, &p->comm, error);
    if (status != GB_OK) return status;
    p->part = new (std::nothrow) stm_part[p->comm->locals]();
    if (!p->part) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for slabs");
    for (unsigned i = 0; i < p->comm->locals; i++) {
        stm_part *part = &p->part[i];
        part->slab = stm_slab_of_rank(&p->whole, p->gpus, p->comm->local[i].rank);
        part->box.shape = part->slab.shape;
        part->box.layout = part->slab.layout;
        part->box.weights = p->weights;
        part->box.seed = p->seed;
        part->box.device = &p->comm->local[i].device;
    }
    status = make_fields(p, error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = make_part(p, i, error);
    return status == GB_OK ? gb_comm_enter(p->comm, 0, error) : status;
}

gb_status stm_problem_ranks(gb_job *job)
{
    stm_problem *p = stm_problem_of(job->problem);
    if (p->comm) return GB_OK;
    const gb_status status = open_ranks(p, &job->error);
    if (status != GB_OK) close_ranks(p);
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

gb_status stm_open(const gb_params *params, uint64_t seed, const gb_device *device,
                   gb_problem **out, gb_error *error)
{
    *out = NULL;
    stm_problem *p = new (std::nothrow) stm_problem();
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->gpus = stm_gpus_of(params);
    p->whole = stm_whole_of(params);
    p->weights = st_weights_of(p->whole.radius);
    p->seed = seed;
    p->device = device;
    p->alone_params = stm_alone_params(params);
    *out = reinterpret_cast<gb_problem *>(p);
    return GB_OK;
}

gb_status stm_problem_alone(gb_problem *problem, const gb_params **params, gb_problem **alone,
                            gb_error *error)
{
    stm_problem *p = stm_problem_of(problem);
    gb_status status = GB_OK;
    if (!p->alone) status = st_open(&p->alone_params, p->seed, p->device, &p->alone, error);
    *params = &p->alone_params;
    *alone = p->alone;
    return status;
}

void stm_close(gb_problem *problem)
{
    stm_problem *p = stm_problem_of(problem);
    stm_checker_close(p);
    close_ranks(p);
    if (p->alone) st_close(p->alone);
    delete p;
}

/* ---- poison ---------------------------------------------------------------------------------- */

static gb_status poison_part(const stm_problem *p, unsigned i, gb_error *error)
{
    const stm_part *part = &p->part[i];
    const stm_slab *slab = &part->slab;
    const gb_rank *rank = &p->comm->local[i];
    const int before = slab->first < slab->ghosts ? slab->first : slab->ghosts;
    const int left = slab->whole - slab->first - slab->shape.z;
    const int behind = left < slab->ghosts ? left : slab->ghosts;
    const gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    for (float *array : part->box.field)
        GB_TRY(launch(poison_cells, dim3((unsigned)rank->device.sms * GB_GRID_BLOCKS_PER_SM),
                      dim3(GB_GRID_THREADS), 0, rank->stream, *slab, -before,
                      slab->shape.z + behind, reinterpret_cast<uint32_t *>(array)),
               error);
    return GB_OK;
}

gb_status stm_poison(gb_job *job, gb_stream stream)
{
    const stm_problem *p = stm_problem_of(job->problem);
    gb_job *alone = stm_alone_job(job);
    if (alone) {
        const gb_status status = st_poison(alone, stream);
        job->error = alone->error;
        return status;
    }
    gb_status status = gb_comm_fork(p->comm, stream, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = poison_part(p, i, &job->error);
    return gb_comm_end(p->comm, stream, status, &job->error);
}
