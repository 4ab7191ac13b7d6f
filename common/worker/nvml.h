/* Clocks, temperature and power of a GPU through NVML, which is opened at run time: a host without
 * it loses the telemetry and nothing else. */
#ifndef GB_WORKER_NVML_H
#define GB_WORKER_NVML_H

#include "common/text/error.h"

typedef struct gb_nvml gb_nvml;

enum { GB_MAX_THROTTLE = 8 };

/* What one GPU said; a negative number: it did not. */
typedef struct gb_telemetry {
    double sm_clock_mhz, mem_clock_mhz;
    double temperature_c;
    double power_w;
    bool throttle_known;
    const char *throttle[GB_MAX_THROTTLE]; /* static words: why the clocks are held down */
    size_t throttle_count;
} gb_telemetry;

/* Loads libnvidia-ml.so.1 and initialises it. NULL and *error if there is none. */
gb_nvml *gb_nvml_open(gb_error *error);
void gb_nvml_close(gb_nvml *nvml);

/* The driver's version ("580.159.04"); false if unknown. */
bool gb_nvml_driver_version(const gb_nvml *nvml, char *text, size_t capacity);
/* Highest clocks of the GPU at a PCI bus id ("0000:1b:00.0"); negative: unknown. */
void gb_nvml_max_clocks(const gb_nvml *nvml, const char *pci_bus_id, double *sm_mhz,
                        double *mem_mhz);
/* The GPU's state now. */
void gb_nvml_telemetry(const gb_nvml *nvml, const char *pci_bus_id, gb_telemetry *telemetry);

#endif
