/* The data of the planted mistakes, how one is run, and the checker, which sees the output alone.
 */
#include "tests/worker/primitives/planted/planted.cuh"
#include "tests/worker/primitives/planted/planted.h"

#include "common/random.h"

#include <stdlib.h>
#include <string.h>

struct gb_problem {
    unsigned host_in[planted_words];
    unsigned *in, *out; /* device memory, planted_words each */
};

static const size_t words_bytes = planted_words * sizeof(unsigned);
static const size_t scratch_bytes = planted_scratch_words * sizeof(unsigned);

static const gb_planted *planted_of(const gb_job *job)
{
    return reinterpret_cast<const gb_planted *>(job->variant);
}

void planted_close(gb_problem *problem)
{
    if (!problem) return;
    cudaFree(problem->in);
    cudaFree(problem->out);
    free(problem);
}

static gb_status fill(gb_problem *problem, uint64_t seed, gb_error *error)
{
    for (unsigned i = 0; i < planted_words; i++)
        problem->host_in[i] = 1 + gb_random(seed, 0, i).word[0] % 65535;
    GB_TRY(cudaMalloc(&problem->in, words_bytes), error);
    GB_TRY(cudaMalloc(&problem->out, words_bytes), error); /* planted: out */
    GB_TRY(cudaMemcpy(problem->in, problem->host_in, words_bytes, cudaMemcpyHostToDevice), error);
    return GB_OK;
}

gb_status planted_open(const gb_params *, uint64_t seed, const gb_device *, gb_problem **out,
                       gb_error *error)
{
    gb_problem *problem = static_cast<gb_problem *>(calloc(1, sizeof *problem));
    *out = NULL;
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
    const gb_status status = fill(problem, seed, error);
    if (status != GB_OK) {
        planted_close(problem);
        return status;
    }
    *out = problem;
    return GB_OK;
}

gb_status planted_poison(gb_job *job, gb_stream stream)
{
    GB_TRY(cudaMemsetAsync(job->problem->out, 0xff, words_bytes, gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

/* ---- one job --------------------------------------------------------------------------------- */

gb_status planted_prepare(gb_job *job)
{
    unsigned *scratch;
    GB_TRY(cudaMalloc(&scratch, scratch_bytes), &job->error);
    job->state = scratch;
    return GB_OK;
}

void planted_cleanup(gb_job *job)
{
    cudaFree(job->state);
}

gb_status planted_reset(gb_job *job, gb_stream stream)
{
    if (planted_of(job)->kind == planted_not_cleared) return GB_OK;
    GB_TRY(cudaMemsetAsync(job->state, 0, scratch_bytes, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

gb_status planted_run(gb_job *job, gb_stream stream)
{
    const gb_planted *p = planted_of(job);
    return gb_cuda_status(launch(p->kernel, dim3(p->blocks), dim3(p->threads), p->shared_bytes,
                                 gb_cuda_stream(stream), (const unsigned *)job->problem->in,
                                 job->problem->out, static_cast<unsigned *>(job->state)),
                          "its kernel", &job->error);
}

const char *planted_unsupported(const gb_params *, const gb_device *device)
{
    if (strcmp(device->backend, "simt") == 0) return NULL;
    return "a mistake that would hang or damage a GPU; the simt device alone runs it";
}

/* ---- the checker ----------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const unsigned x = *static_cast<const unsigned *>(a), y = *static_cast<const unsigned *>(b);
    return (x > y) - (x < y);
}

gb_status planted_check(gb_job *job, gb_stream stream)
{
    const gb_planted *p = planted_of(job);
    unsigned got[planted_words], expected[planted_words];
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    GB_TRY(cudaMemcpy(got, job->problem->out, words_bytes, cudaMemcpyDeviceToHost), &job->error);
    const unsigned count = p->expect(job->problem->host_in, expected);
    if (p->kind == planted_any_order) {
        qsort(got, count, sizeof *got, by_value);
        qsort(expected, count, sizeof *expected, by_value);
    }
    for (unsigned i = 0; i < count; i++)
        if (got[i] != expected[i])
            return gb_fail(&job->error, GB_WRONG, "word %u%s is %u, not %u", i,
                           p->kind == planted_any_order ? " in order of value" : "", got[i],
                           expected[i]);
    return GB_OK;
}
