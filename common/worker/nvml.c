/* Clocks, temperature and power of a GPU through NVML, opened with dlopen. The prototypes and
 * constants below are those of NVIDIA's published NVML API reference; nothing of its header is
 * needed to build. */
#include "common/worker/nvml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvml_device_opaque *nvml_device;

enum { NVML_SUCCESS = 0 };
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 };
enum { NVML_TEMPERATURE_GPU = 0 };

struct gb_nvml {
    void *library;
    int (*shutdown)(void);
    const char *(*error_string)(int);
    int (*driver_version)(char *text, unsigned capacity);
    int (*by_pci_bus_id)(const char *id, nvml_device *device);
    int (*clock)(nvml_device device, int type, unsigned *mhz);
    int (*max_clock)(nvml_device device, int type, unsigned *mhz);
    int (*temperature)(nvml_device device, int sensor, unsigned *celsius);
    int (*power)(nvml_device device, unsigned *milliwatts);
    int (*throttle)(nvml_device device, unsigned long long *reasons);
};

/* The reasons that mean "slower than asked". Left out: idle (0x1) and clocks that a person set
 * (0x2 applications clocks, 0x100 display clocks). */
static const struct {
    unsigned long long bit;
    const char *word;
} throttle_reasons[] = {
    {0x04, "power-cap"},        {0x08, "hw-slowdown"},         {0x10, "sync-boost"},
    {0x20, "thermal-slowdown"}, {0x40, "hw-thermal-slowdown"}, {0x80, "hw-power-brake"},
};

/* POSIX lets dlsym's object pointer be used as a function pointer; ISO C has no cast for it. */
static void load(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
}

#define LOAD(nvml, member, name) load((nvml)->library, name, &(nvml)->member, sizeof(nvml)->member)

gb_nvml *gb_nvml_open(gb_error *error)
{
    gb_nvml *nvml = calloc(1, sizeof *nvml);
    if (!nvml) {
        gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
        return NULL;
    }
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!nvml->library) {
        const char *why = dlerror();
        gb_fail(error, GB_UNSUPPORTED, "%s", why ? why : "libnvidia-ml.so.1 cannot be loaded");
        free(nvml);
        return NULL;
    }
    int (*init)(void) = NULL;
    load(nvml->library, "nvmlInit_v2", &init, sizeof init);
    LOAD(nvml, shutdown, "nvmlShutdown");
    LOAD(nvml, error_string, "nvmlErrorString");
    LOAD(nvml, driver_version, "nvmlSystemGetDriverVersion");
    LOAD(nvml, by_pci_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
    LOAD(nvml, clock, "nvmlDeviceGetClockInfo");
    LOAD(nvml, max_clock, "nvmlDeviceGetMaxClockInfo");
    LOAD(nvml, temperature, "nvmlDeviceGetTemperature");
    LOAD(nvml, power, "nvmlDeviceGetPowerUsage");
    LOAD(nvml, throttle, "nvmlDeviceGetCurrentClocksEventReasons");
    if (!nvml->throttle) LOAD(nvml, throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");

    int code = init ? init() : -1;
    if (code != NVML_SUCCESS) {
        const char *why =
            init && nvml->error_string ? nvml->error_string(code) : "it lacks nvmlInit_v2";
        gb_fail(error, GB_UNSUPPORTED, "libnvidia-ml.so.1 does not start: %s", why);
        dlclose(nvml->library);
        free(nvml);
        return NULL;
    }
    return nvml;
}

void gb_nvml_close(gb_nvml *nvml)
{
    if (!nvml) return;
    if (nvml->shutdown) (void)nvml->shutdown();
    dlclose(nvml->library);
    free(nvml);
}

bool gb_nvml_driver_version(const gb_nvml *nvml, char *text, size_t capacity)
{
    return nvml->driver_version && nvml->driver_version(text, (unsigned)capacity) == NVML_SUCCESS &&
           text[0];
}

static bool find(const gb_nvml *nvml, const char *pci_bus_id, nvml_device *device)
{
    return nvml->by_pci_bus_id && nvml->by_pci_bus_id(pci_bus_id, device) == NVML_SUCCESS;
}

static double ask_clock(int (*clock)(nvml_device, int, unsigned *), nvml_device device, int type)
{
    unsigned mhz = 0;
    return clock && clock(device, type, &mhz) == NVML_SUCCESS ? (double)mhz : -1.0;
}

void gb_nvml_max_clocks(const gb_nvml *nvml, const char *pci_bus_id, double *sm_mhz,
                        double *mem_mhz)
{
    nvml_device device;
    *sm_mhz = *mem_mhz = -1.0;
    if (!find(nvml, pci_bus_id, &device)) return;
    *sm_mhz = ask_clock(nvml->max_clock, device, NVML_CLOCK_SM);
    *mem_mhz = ask_clock(nvml->max_clock, device, NVML_CLOCK_MEM);
}

void gb_nvml_telemetry(const gb_nvml *nvml, const char *pci_bus_id, gb_telemetry *telemetry)
{
    *telemetry = (gb_telemetry){-1.0, -1.0, -1.0, -1.0, false, {NULL}, 0};
    nvml_device device;
    if (!find(nvml, pci_bus_id, &device)) return;
    telemetry->sm_clock_mhz = ask_clock(nvml->clock, device, NVML_CLOCK_SM);
    telemetry->mem_clock_mhz = ask_clock(nvml->clock, device, NVML_CLOCK_MEM);
    unsigned number = 0;
    if (nvml->temperature &&
        nvml->temperature(device, NVML_TEMPERATURE_GPU, &number) == NVML_SUCCESS)
        telemetry->temperature_c = (double)number;
    if (nvml->power && nvml->power(device, &number) == NVML_SUCCESS)
        telemetry->power_w = 1e-3 * (double)number;
    unsigned long long reasons = 0;
    if (nvml->throttle && nvml->throttle(device, &reasons) == NVML_SUCCESS) {
        telemetry->throttle_known = true;
        for (size_t i = 0; i < sizeof throttle_reasons / sizeof throttle_reasons[0]; i++) {
            if (reasons & throttle_reasons[i].bit)
                telemetry->throttle[telemetry->throttle_count++] = throttle_reasons[i].word;
        }
    }
}
