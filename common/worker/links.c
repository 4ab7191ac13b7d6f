/* Answers `links`: what passes between the devices of the set. */
#include "common/worker/links.h"

#include "common/worker/request.h"

#include <stdlib.h>

/* Absent is not measured. */
static void add_measured(cJSON *object, const char *name, double value)
{
    if (value > 0) cJSON_AddNumberToObject(object, name, value);
}

static cJSON *describe_link(const gb_device_link *link)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "from", link->from);
    cJSON_AddNumberToObject(object, "to", link->to);
    cJSON_AddBoolToObject(object, "peer", link->peer);
    add_measured(object, "copy_bytes_per_s", link->copy_bytes_per_s);
    add_measured(object, "both_bytes_per_s", link->both_bytes_per_s);
    add_measured(object, "copy_s", link->copy_s);
    add_measured(object, "store_s", link->store_s);
    cJSON *sizes = link->nccl_s > 0 ? cJSON_AddArrayToObject(object, "nccl") : NULL;
    for (unsigned i = 0; sizes && i < GB_NCCL_SIZES; i++) {
        cJSON *size = cJSON_CreateObject();
        cJSON_AddNumberToObject(size, "bytes", (double)link->nccl_bytes[i]);
        add_measured(size, "bytes_per_s", link->nccl_bytes_per_s[i]);
        cJSON_AddItemToArray(sizes, size);
    }
    add_measured(object, "nccl_s", link->nccl_s);
    return object;
}

void gb_handle_links(gb_service *service, const cJSON *request, cJSON *answer)
{
    (void)request;
    if (!service->backend) {
        gb_refuse(answer, "protocol", "select a device first");
        return;
    }
    if (service->jobs) {
        gb_refuse(answer, "protocol", "close all jobs before links are measured");
        return;
    }
    gb_error error = {GB_OK, ""};
    gb_device_links links;
    const gb_status status = gb_backend_measure_links(service->backend, &links, &error);
    if (status != GB_OK) {
        gb_refuse_failure(service, answer, status, &error);
        return;
    }
    cJSON *object = cJSON_AddObjectToObject(answer, "links");
    cJSON_AddNumberToObject(object, "gpus", links.size);
    if (*links.nccl) cJSON_AddStringToObject(object, "nccl", links.nccl);
    if (*links.no_nccl) cJSON_AddStringToObject(object, "no_nccl", links.no_nccl);
    cJSON *pairs = cJSON_AddArrayToObject(object, "pairs");
    for (unsigned i = 0; i < links.size * (links.size - 1); i++)
        cJSON_AddItemToArray(pairs, describe_link(&links.list[i]));
    free(links.list);
}
