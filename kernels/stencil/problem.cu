/* A point's data: made on the device from the seed, kept on device or host as jobs ask, freed. */
#include "common/cuda/grid.cuh"
#include "common/worker/cpu_pool.h"
#include "kernels/stencil/problem.h"

#include <stdlib.h>

static uint64_t bytes_of(const gb_problem *problem)
{
    return (uint64_t)problem->layout.total * sizeof(float);
}

/* ---- filling --------------------------------------------------------------------------------- */

static __global__ void fill(st_shape shape, st_layout layout, uint64_t seed, bool poisoned,
                            uint32_t *array)
{
    for (uint64_t i = gb_first(); i < (uint64_t)layout.total; i += gb_stride()) {
        const st_place place = st_place_of(&shape, &layout, (int64_t)i);
        array[i] =
            poisoned && place.kind == ST_CELL ? st_poison_bits : st_initial_bits(seed, &place);
    }
}

/* Poison into the cells alone: ghosts and padding are what the checker judges. */
static __global__ void poison_cells(st_shape shape, st_layout layout, uint32_t *array)
{
    const uint64_t rows = (uint64_t)shape.y * (uint64_t)shape.z;
    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        uint32_t *cell = array + layout.origin + (int64_t)(row / (uint64_t)shape.y) * layout.plane +
                         (int64_t)(row % (uint64_t)shape.y) * layout.pitch;
        for (int x = (int)threadIdx.x; x < shape.x; x += (int)blockDim.x)
            cell[x] = st_poison_bits;
    }
}

gb_status st_fill(const gb_problem *problem, bool poisoned, float *array, gb_stream stream,
                  gb_error *error)
{
    GB_TRY(launch(fill, gb_grid(problem->device, (uint64_t)problem->layout.total),
                  dim3(GB_GRID_THREADS), 0, gb_cuda_stream(stream), problem->shape, problem->layout,
                  problem->seed, poisoned, reinterpret_cast<uint32_t *>(array)),
           error);
    return GB_OK;
}

/* ---- device memory --------------------------------------------------------------------------- */

static gb_status device_array(gb_job *job, float **array, bool poisoned, const char *what)
{
    const uint64_t bytes = bytes_of(job->problem);
    gb_status status = gb_job_charge(job, bytes, what);
    if (status != GB_OK || *array) return status;
    void *memory = NULL;
    status = gb_cuda_malloc(&memory, bytes, what, &job->error);
    *array = static_cast<float *>(memory);
    return status == GB_OK ? st_fill(job->problem, poisoned, *array, NULL, &job->error) : status;
}

static void free_device(gb_problem *problem)
{
    (void)cudaFree(problem->input);
    (void)cudaFree(problem->field[0]);
    (void)cudaFree(problem->field[1]);
    problem->input = problem->field[0] = problem->field[1] = NULL;
}

static gb_status charge_checker(gb_job *job)
{
    return gb_job_charge(job, st_checker_bytes(job->problem), "what the result is checked with");
}

gb_status st_problem_device(gb_job *job)
{
    gb_problem *p = job->problem;
    const bool fresh = !p->field[1];
    gb_status status = charge_checker(job);
    if (status == GB_OK) status = device_array(job, &p->input, false, "the input");
    if (status == GB_OK) status = device_array(job, &p->field[0], true, "the first field");
    if (status == GB_OK) status = device_array(job, &p->field[1], true, "the second field");
    if (status == GB_OK) GB_TRY(cudaDeviceSynchronize(), &job->error);
    if (status != GB_OK && fresh) free_device(p);
    return status;
}

/* ---- host memory ----------------------------------------------------------------------------- */

static void free_host(gb_problem *problem)
{
    free(problem->host_input);
    free(problem->host_field[0]);
    free(problem->host_field[1]);
    problem->host_input = problem->host_field[0] = problem->host_field[1] = NULL;
}

/* Made on the device, copied. */
static gb_status host_array(gb_problem *p, float **array, bool poisoned, gb_error *error)
{
    const uint64_t bytes = bytes_of(p);
    float *stage = NULL;
    *array = static_cast<float *>(gb_pool_allocate(bytes));
    if (!*array)
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "three arrays of %.3f GB of host memory are needed; choose a smaller x, y "
                       "or z",
                       1e-9 * (double)bytes);
    gb_status status = st_stage(p, &stage, error);
    if (status == GB_OK) status = st_fill(p, poisoned, stage, NULL, error);
    if (status == GB_OK)
        status = gb_cuda_status(cudaMemcpy(*array, stage, bytes, cudaMemcpyDeviceToHost),
                                "the input for the host", error);
    return status;
}

gb_status st_problem_host(gb_job *job)
{
    gb_problem *p = job->problem;
    gb_status status = charge_checker(job);
    if (status != GB_OK || p->host_field[1]) return status;
    status = host_array(p, &p->host_input, false, &job->error);
    if (status == GB_OK) status = host_array(p, &p->host_field[0], true, &job->error);
    if (status == GB_OK) status = host_array(p, &p->host_field[1], true, &job->error);
    if (status != GB_OK) free_host(p);
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

gb_status st_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    problem->shape = st_shape_of(params);
    problem->layout = st_layout_of(&problem->shape);
    problem->weights = st_weights_of(problem->shape.radius);
    problem->seed = seed;
    problem->device = device;
    gb_status status = st_checker_open(problem, error);
    if (status != GB_OK) {
        st_close(problem);
        return status;
    }
    *out = problem;
    return GB_OK;
}

void st_close(gb_problem *problem)
{
    if (!problem) return;
    st_checker_close(problem);
    free_host(problem);
    free_device(problem);
    if (problem->locked_input) (void)cudaFreeHost(problem->locked_input);
    if (problem->locked_result) (void)cudaFreeHost(problem->locked_result);
    free(problem);
}

/* ---- a run ----------------------------------------------------------------------------------- */

gb_status st_run_sweeps(gb_job *job, st_sweep *sweep, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const bool host = (job->variant->flags & GB_HOST) != 0;
    float *const *field = host ? p->host_field : p->field;
    const float *from = host ? p->host_input : p->input;
    gb_status status = GB_OK;
    for (unsigned s = 0; status == GB_OK && s < st_sweeps(&p->shape); s++) {
        status = sweep(job, from, field[s % 2], s, stream);
        from = field[s % 2];
    }
    return status;
}

/* ---- scope host-to-host ---------------------------------------------------------------------- */

static gb_status locked_array(gb_problem *p, float **array, const char *what, gb_error *error)
{
    void *memory = NULL;
    if (*array) return GB_OK;
    gb_status status = gb_cuda_malloc_host(&memory, bytes_of(p), what, error);
    *array = static_cast<float *>(memory);
    return status;
}

/* The first call makes the arrays, in the untimed run that precedes every sample. */
static gb_status need_locked(gb_job *job)
{
    gb_problem *p = job->problem;
    if (p->locked_input && p->locked_result) return GB_OK;
    gb_status status = locked_array(p, &p->locked_input, "the input", &job->error);
    if (status == GB_OK) status = locked_array(p, &p->locked_result, "the result", &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(p->locked_input, p->input, bytes_of(p), cudaMemcpyDeviceToHost), &job->error);
    return GB_OK;
}

gb_status st_upload(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    gb_status status = need_locked(job);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(p->input, p->locked_input, bytes_of(p), cudaMemcpyHostToDevice,
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

gb_status st_download(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    GB_TRY(cudaMemcpyAsync(p->locked_result, p->field[st_result(&p->shape)], bytes_of(p),
                           cudaMemcpyDeviceToHost, gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

/* ---- poison ---------------------------------------------------------------------------------- */

bool st_result_is_locked(const gb_job *job)
{
    return job->scope == GB_SCOPE_HOST_TO_HOST && !(job->variant->flags & GB_HOST);
}

static void poison_host(const gb_problem *p, float *array)
{
    for (int z = 0; z < p->shape.z; z++)
        for (int y = 0; y < p->shape.y; y++) {
            float *row = array + p->layout.origin + z * p->layout.plane + y * p->layout.pitch;
            for (int x = 0; x < p->shape.x; x++)
                memcpy(row + x, &st_poison_bits, sizeof st_poison_bits);
        }
}

gb_status st_poison(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    if (job->variant->flags & GB_HOST) {
        for (float *array : p->host_field)
            poison_host(p, array);
        return GB_OK;
    }
    for (float *array : p->field)
        GB_TRY(launch(poison_cells, dim3((unsigned)p->device->sms * GB_GRID_BLOCKS_PER_SM),
                      dim3(GB_GRID_THREADS), 0, gb_cuda_stream(stream), p->shape, p->layout,
                      reinterpret_cast<uint32_t *>(array)),
               &job->error);
    if (!st_result_is_locked(job)) return GB_OK;
    gb_status status = need_locked(job);
    if (status != GB_OK) return status;
    /* an earlier download may still be on its way */
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    memset(p->locked_result, 0xFF, bytes_of(p)); /* NaN */
    return GB_OK;
}
