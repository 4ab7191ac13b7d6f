/* Stands in for libnvidia-ml.so.1: one GPU, whose answers are set through fake_nvml, and which can
 * refuse. The prototypes are those of NVIDIA's published NVML API reference. */
#include "tests/worker/nvml/fake_nvml.h"

#include <stdio.h>
#include <string.h>

struct fake_nvml fake_nvml = {.bus_id = "0000:1b:00.0"};

enum { SUCCESS = 0, NOT_FOUND = 6, NOT_SUPPORTED = 3 };

int nvmlInit_v2(void)
{
    fake_nvml.opened++;
    return fake_nvml.init_code;
}

int nvmlShutdown(void)
{
    fake_nvml.closed++;
    return SUCCESS;
}

const char *nvmlErrorString(int code)
{
    return code == 9 ? "Driver Not Loaded" : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char *text, unsigned capacity)
{
    return snprintf(text, capacity, "%s", fake_nvml.driver) < (int)capacity ? SUCCESS
                                                                            : NOT_SUPPORTED;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device)
{
    if (strcmp(id, fake_nvml.bus_id) != 0) return NOT_FOUND;
    *device = &fake_nvml;
    return SUCCESS;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
    if (device != &fake_nvml || fake_nvml.refuses) return NOT_SUPPORTED;
    *mhz = type == 1 ? 1305 : type == 2 ? 3201 : 0;
    return SUCCESS;
}

int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *mhz)
{
    if (device != &fake_nvml || fake_nvml.refuses) return NOT_SUPPORTED;
    *mhz = type == 1 ? 1980 : type == 2 ? 3202 : 0;
    return SUCCESS;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    if (device != &fake_nvml || sensor != 0 || fake_nvml.refuses) return NOT_SUPPORTED;
    *celsius = 47;
    return SUCCESS;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    if (device != &fake_nvml || fake_nvml.refuses) return NOT_SUPPORTED;
    *milliwatts = 312500;
    return SUCCESS;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    if (device != &fake_nvml || fake_nvml.refuses) return NOT_SUPPORTED;
    *reasons = fake_nvml.reasons;
    return SUCCESS;
}
