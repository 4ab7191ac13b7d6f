/* Answers `telemetry`, and opens NVML for whoever asks it. */
#include "common/worker/telemetry.h"

#include "common/worker/request.h"

#include <stdio.h>

gb_nvml *gb_service_nvml(gb_service *service, const gb_backend_device *device)
{
    if (!device->pci_bus_id[0]) return NULL;
    if (!service->nvml_tried) {
        gb_error error;
        service->nvml_tried = true;
        service->nvml = gb_nvml_open(&error);
        if (!service->nvml) {
            fprintf(stderr, "gpubench worker: no clocks, temperature or power: %s\n", error.text);
        }
    }
    return service->nvml;
}

static void add_if_known(cJSON *object, const char *name, double value)
{
    if (value >= 0) cJSON_AddNumberToObject(object, name, value);
}

void gb_handle_telemetry(gb_service *service, const cJSON *request, cJSON *answer)
{
    (void)request;
    if (!service->backend) {
        gb_refuse(answer, "protocol", "select a device first");
        return;
    }
    gb_add_free_memory(service, answer);
    gb_nvml *nvml = gb_service_nvml(service, &service->device);
    if (!nvml) return;
    gb_telemetry telemetry;
    gb_nvml_telemetry(nvml, service->device.pci_bus_id, &telemetry);
    add_if_known(answer, "sm_clock_mhz", telemetry.sm_clock_mhz);
    add_if_known(answer, "mem_clock_mhz", telemetry.mem_clock_mhz);
    add_if_known(answer, "temperature_c", telemetry.temperature_c);
    add_if_known(answer, "power_w", telemetry.power_w);
    if (telemetry.throttle_known) {
        cJSON *list = cJSON_AddArrayToObject(answer, "throttle");
        for (size_t i = 0; i < telemetry.throttle_count; i++)
            cJSON_AddItemToArray(list, cJSON_CreateString(telemetry.throttle[i]));
    }
}
