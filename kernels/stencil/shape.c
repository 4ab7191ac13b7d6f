/* From a point's words to C types, and where its cells lie. */
#include "kernels/stencil/stencil.h"

#include <string.h>

/* One to four digits; what follows them, or NULL where there are none. */
static const char *parse_threads(const char *text, unsigned *threads)
{
    const char *at = text;
    *threads = 0;
    while (*at >= '0' && *at <= '9' && at - text < 4)
        *threads = *threads * 10 + (unsigned)(*at++ - '0');
    return at > text ? at : NULL;
}

/* "32x8x1", or zeros for anything else. */
static st_block parse_block(const char *text)
{
    st_block block = {0, 0, 0};
    const char *at = parse_threads(text, &block.x);
    at = at && *at == 'x' ? parse_threads(at + 1, &block.y) : NULL;
    at = at && *at == 'x' ? parse_threads(at + 1, &block.z) : NULL;
    return at && *at == 0 ? block : (st_block){0, 0, 0};
}

st_shape st_shape_of(const gb_params *params)
{
    return (st_shape){.x = (int)params->value[ST_X].size,
                      .y = (int)params->value[ST_Y].size,
                      .z = (int)params->value[ST_Z].size,
                      .radius = (int)params->value[ST_RADIUS].size,
                      .block = parse_block(params->value[ST_BLOCK].text),
                      .steps = (unsigned)params->value[ST_STEPS].size,
                      .fused = (unsigned)params->value[ST_FUSED].size};
}

st_layout st_layout_of(const st_shape *shape)
{
    const int64_t pitch = ((int64_t)shape->x + ST_PAD - 1) / ST_PAD * ST_PAD + ST_PAD;
    const int64_t plane = pitch * (shape->y + 2 * (int64_t)shape->radius);
    return (st_layout){.pitch = pitch,
                       .plane = plane,
                       .origin = shape->radius * (plane + pitch) + ST_PAD,
                       .total = plane * (shape->z + 2 * (int64_t)shape->radius) + ST_PAD};
}

/* Weights fall off with the distance, as those of a smooth kernel do, and differ by a hundredth and
 * more from each other, so that two that were mistaken for one another are seen. */
st_weights st_weights_of(int radius)
{
    st_weights weights;
    double raw[ST_MAX_COEFFICIENTS] = {0}, sum = 0;
    memset(&weights, 0, sizeof weights);
    for (int i = 0; i <= 6 * radius; i++) {
        const int distance = (i + 5) / 6;
        raw[i] = i == 0 ? 1.0 : (0.6 + 0.01 * i) / (6.0 * distance);
        sum += raw[i];
    }
    for (int i = 0; i <= 6 * radius; i++)
        weights.w[i] = (float)(raw[i] / sum);
    return weights;
}

unsigned st_sweeps(const st_shape *shape)
{
    return (shape->steps + shape->fused - 1) / shape->fused;
}

unsigned st_sweep_steps(const st_shape *shape, unsigned sweep)
{
    const unsigned left = shape->steps - sweep * shape->fused;
    return left < shape->fused ? left : shape->fused;
}

unsigned st_result(const st_shape *shape)
{
    return (st_sweeps(shape) - 1) % 2;
}

st_block st_block_or(const st_shape *shape, st_block own)
{
    return shape->block.x ? shape->block : own;
}

const char *st_own_block(const gb_params *params)
{
    if (st_shape_of(params).block.x == 0) return NULL;
    return "this variant's blocks are of its own shape: leave the axis block at auto";
}

const char *st_no_fusing(const gb_params *params)
{
    if (params->value[ST_FUSED].size == 1) return NULL;
    return "one time step a sweep: only temporal fuses more (leave the axis fused at 1)";
}

const char *st_one_step_own_block(const gb_params *params)
{
    const char *reason = st_own_block(params);
    return reason ? reason : st_no_fusing(params);
}
