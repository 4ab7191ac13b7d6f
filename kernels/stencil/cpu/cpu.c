/* The truth that every variant is held to, and variant cpu: the same, timed. One core, plain loops,
 * sums in double. */
#include "kernels/stencil/variants.h"

void st_oracle_step(const st_shape *shape, const st_weights *weights, const float *from, float *to)
{
    const st_layout layout = st_layout_of(shape);
    for (int z = 0; z < shape->z; z++) {
        for (int y = 0; y < shape->y; y++) {
            for (int x = 0; x < shape->x; x++) {
                const int64_t here = layout.origin + z * layout.plane + y * layout.pitch + x;
                double sum = (double)weights->w[0] * from[here];
                for (int k = 1; k <= shape->radius; k++) {
                    const float *w = weights->w + 6 * (k - 1);
                    sum += (double)w[1] * from[here - k];
                    sum += (double)w[2] * from[here + k];
                    sum += (double)w[3] * from[here - k * layout.pitch];
                    sum += (double)w[4] * from[here + k * layout.pitch];
                    sum += (double)w[5] * from[here - k * layout.plane];
                    sum += (double)w[6] * from[here + k * layout.plane];
                }
                to[here] = (float)sum;
            }
        }
    }
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    (void)device;
    const char *reason = st_no_fusing(params);
    return reason ? reason : st_own_block(params);
}

static gb_status sweep(gb_job *job, const float *from, float *to, unsigned number, gb_stream stream)
{
    (void)number;
    (void)stream;
    st_oracle_step(&job->problem->shape, &job->problem->weights, from, to);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return st_run_sweeps(job, sweep, stream);
}

const gb_variant st_cpu = {
    .name = "cpu",
    .summary = "plain loops on one core, accumulated in double: the oracle, timed",
    .origin = "gpubench",
    .flags = GB_HOST,
    .unsupported = unsupported,
    .prepare = st_problem_host,
    .run = run,
};
