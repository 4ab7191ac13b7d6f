/* What unit tests of the stencils on a device share: the device, random numbers, points, jobs. */
#ifndef GB_TESTS_KERNELS_STENCIL_STENCIL_DEVICE_CUH
#define GB_TESTS_KERNELS_STENCIL_STENCIL_DEVICE_CUH

#include "common/text/kept.h"
#include "kernels/stencil/problem.h"
#include "kernels/stencil/variants.h"
#include "tests/harness/device.cuh"

/* Random numbers of a test: number i of stream `what`, below `limit`. */
static inline unsigned draw(uint64_t what, uint64_t i, unsigned limit)
{
    return gb_random(what, 0, i).word[0] % limit;
}

static inline gb_params point(unsigned x, unsigned y, unsigned z, unsigned radius,
                              const char *block, unsigned steps, unsigned fused)
{
    gb_params params;
    memset(&params, 0, sizeof params);
    params.value[ST_X].size = x;
    params.value[ST_Y].size = y;
    params.value[ST_Z].size = z;
    params.value[ST_RADIUS].size = radius;
    params.value[ST_BLOCK].text = gb_text_kept(block);
    params.value[ST_STEPS].size = steps;
    params.value[ST_FUSED].size = fused;
    return params;
}

/* A job of a variant at a point, its data made. */
static inline void open_job(gb_job *job, const gb_variant *variant, const gb_params *params,
                            uint64_t seed)
{
    gb_error error;
    memset(job, 0, sizeof *job);
    job->variant = variant;
    job->params = params;
    job->device = &device;
    const char *reason = variant->unsupported(params, &device);
    if (reason) fail_msg("%s: %s", variant->name, reason);
    assert_int_equal(st_open(params, seed, &device, &job->problem, &error), GB_OK);
    if (variant->prepare(job) != GB_OK) fail_msg("%s: %s", variant->name, job->error.text);
}

static inline void close_job(gb_job *job)
{
    if (job->variant->cleanup) job->variant->cleanup(job);
    st_close(job->problem);
}

/* Poisons and runs as the worker's `verify` does, transfers included, and returns the verdict. */
static inline gb_status verify(gb_job *job)
{
    const bool transfers = st_result_is_locked(job);
    gb_status status = st_poison(job, NULL);
    if (status == GB_OK && transfers) status = st_upload(job, NULL);
    if (status == GB_OK) status = job->variant->run(job, NULL);
    if (status == GB_OK && transfers) status = st_download(job, NULL);
    return status == GB_OK ? st_check(job, NULL) : status;
}

/* A variant is right at a point. */
static inline void passes(const gb_variant *variant, const gb_params *params, uint64_t seed)
{
    const gb_value *value = params->value;
    gb_job job;
    open_job(&job, variant, params, seed);
    if (verify(&job) != GB_OK)
        fail_msg("%s: box %ux%ux%u, radius %u, block %s, steps %u: %s", variant->name,
                 (unsigned)value[ST_X].size, (unsigned)value[ST_Y].size, (unsigned)value[ST_Z].size,
                 (unsigned)value[ST_RADIUS].size, value[ST_BLOCK].text,
                 (unsigned)value[ST_STEPS].size, job.error.text);
    close_job(&job);
}

/* A variant cannot run a point on a device, and its reason says so. */
static inline void says(const gb_variant *variant, const gb_params *params, const gb_device *on,
                        const char *fragment)
{
    const char *reason = variant->unsupported(params, on);
    if (!reason || !strstr(reason, fragment))
        fail_msg("%s: said %s, not ...%s...", variant->name, reason ? reason : "nothing", fragment);
}

static inline int64_t element_of(const gb_problem *p, int x, int y, int z)
{
    return p->layout.origin + z * p->layout.plane + y * p->layout.pitch + x;
}

#endif
