/* From a point's words to C types. */
#include "kernels/multipartition-multi/multi.h"

#include <string.h>

static bool is(const gb_params *params, unsigned axis, const char *word)
{
    return strcmp(params->value[axis].text, word) == 0;
}

mpm_shape mpm_shape_of(const gb_params *params)
{
    const uint64_t gpus = params->value[MPM_GPUS].size, n = params->value[MPM_N].size;
    return (mpm_shape){.all = {.n = is(params, MPM_SCALING, "weak") ? n * gpus : n,
                               .bins = (uint32_t)params->value[MPM_BINS].size,
                               .function = MP_RANGE,
                               .payload_bytes = is(params, MPM_PAYLOAD, "u32") ? 4 : 0,
                               .key_bytes = is(params, MPM_TYPE, "u64") ? 8 : 4},
                       .gpus = (unsigned)gpus,
                       .uneven = is(params, MPM_SHARE, "uneven")};
}
