/* From a point's words to C types. */
#include "kernels/dynamic-array-multi/multi.h"

#include <string.h>

static bool is(const gb_params *params, unsigned axis, const char *word)
{
    return strcmp(params->value[axis].text, word) == 0;
}

dm_shape dm_shape_of(const gb_params *params)
{
    const uint64_t gpus = params->value[DM_GPUS].size, each = params->value[DM_N].size;
    const uint64_t n = is(params, DM_SCALING, "weak") ? each * gpus : each;
    return (dm_shape){.gpus = (unsigned)gpus,
                      .n = n,
                      .kept = (n * params->value[DM_KEEP].size + 99) / 100,
                      .granule = params->value[DM_GRANULE].size,
                      .sorted = is(params, DM_DIST, "sorted"),
                      .uneven = is(params, DM_SHARE, "uneven")};
}
