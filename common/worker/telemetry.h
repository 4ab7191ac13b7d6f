/* The selected device while it works: clocks, temperature, power, free memory (telemetry.c). */
#ifndef GB_WORKER_TELEMETRY_H
#define GB_WORKER_TELEMETRY_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

/* NVML, opened at the first call; NULL where there is none (said once on stderr) or no need. */
gb_nvml *gb_service_nvml(gb_service *service, const gb_backend_device *device);

void gb_handle_telemetry(gb_service *service, const cJSON *request, cJSON *answer);

#endif
