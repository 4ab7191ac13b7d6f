/* The set of devices: see set.h. */
#include "common/cuda/set.h"

#include "common/cuda/device.cuh"

static gb_set chosen;

void gb_set_choose(const int *devices, unsigned count)
{
    chosen.size = count < GB_MOST_RANKS ? count : (unsigned)GB_MOST_RANKS;
    for (unsigned i = 0; i < chosen.size; i++)
        chosen.device[i] = devices[i];
}

const gb_set *gb_set_now(void)
{
    static gb_set one;
    if (chosen.size) return &chosen;
#if defined(__CUDACC__)
    one.size = 1;
    if (cudaGetDevice(&one.device[0]) != cudaSuccess) one.device[0] = 0;
    (void)cudaGetLastError();
#else
    one.size = simt::config.devices;
    for (unsigned i = 0; i < one.size; i++)
        one.device[i] = (int)i;
#endif
    return &one;
}
