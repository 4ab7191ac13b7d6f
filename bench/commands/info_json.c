/* `gpubench info --json`. */
#include "bench/commands/commands.h"
#include "bench/commands/info.h"
#include "bench/util/version.h"
#include "bench/worker/offers.h"
#include "common/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>

/* Unknown is absent. */
static void add_text(cJSON *object, const char *name, const char *text)
{
    if (*text) cJSON_AddStringToObject(object, name, text);
}

static cJSON *describe_device(const gb_catalogue_device *device)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "index", device->index);
    add_text(object, "name", device->name);
    add_text(object, "slug", device->slug);
    add_text(object, "uuid", device->uuid);
    gb_device_add_facts(object, device);
    cJSON_AddBoolToObject(object, "usable", device->usable);
    if (device->code) cJSON_AddNumberToObject(object, "code", device->code);
    if (device->ptx) cJSON_AddNumberToObject(object, "ptx", device->ptx);
    add_text(object, "reason", device->reason);
    return object;
}

static cJSON *describe_worker(const gb_described *worker)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "command", worker->command);
    const gb_catalogue *catalogue = worker->catalogue;
    if (!catalogue) {
        cJSON_AddStringToObject(object, "error", worker->error.text);
        return object;
    }
    add_text(object, "version", catalogue->version);
    add_text(object, "backend", catalogue->backend);
    add_text(object, "toolkit", catalogue->toolkit);
    add_text(object, "driver", catalogue->driver);
    add_text(object, "compiler", catalogue->compiler);
    add_text(object, "flags", catalogue->flags);
    add_text(object, "host", catalogue->host);
    add_text(object, "reason", catalogue->reason);
    add_text(object, "code", catalogue->code);
    cJSON_AddItemToObject(
        object, "architectures",
        cJSON_CreateIntArray(catalogue->architectures, (int)catalogue->architecture_count));
    cJSON *primitives = cJSON_AddArrayToObject(object, "primitives");
    for (unsigned i = 0; i < catalogue->primitive_count; i++)
        cJSON_AddItemToArray(primitives, cJSON_CreateString(catalogue->primitives[i].name));
    cJSON *devices = cJSON_AddArrayToObject(object, "devices");
    for (unsigned i = 0; i < catalogue->device_count; i++)
        cJSON_AddItemToArray(devices, describe_device(&catalogue->devices[i]));
    return object;
}

/* Each device once, with the worker that would be taken (none if it can be used by none) and why.
 */
static cJSON *describe_offers(const gb_described *workers, size_t count)
{
    cJSON *list = cJSON_CreateArray();
    size_t offer_count;
    gb_offer *offers = gb_offers(workers, gb_info_own_workers(workers, count), &offer_count);
    for (size_t i = 0; i < offer_count; i++) {
        const gb_offer *offer = &offers[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "backend", offer->catalogue->backend);
        if (offer->index >= 0) cJSON_AddNumberToObject(object, "index", offer->index);
        add_text(object, "name", offer->device->name);
        add_text(object, "uuid", offer->device->uuid);
        if (offer->device->usable)
            cJSON_AddStringToObject(object, "command", workers[offer->worker].command);
        cJSON_AddStringToObject(object, "why", offer->why);
        cJSON_AddItemToArray(list, object);
    }
    free(offers);
    return list;
}

void gb_info_print_json(const gb_described *workers, size_t count, const gb_session *session,
                        const cJSON *telemetry, const gb_instrument *instrument)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", GB_VERSION);
    cJSON_AddNumberToObject(root, "protocol", GB_PROTOCOL_VERSION);
    cJSON *list = cJSON_AddArrayToObject(root, "workers");
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, describe_worker(&workers[i]));
    cJSON_AddItemToObject(root, "devices", describe_offers(workers, count));
    if (session) {
        cJSON *selected = cJSON_AddObjectToObject(root, "selected");
        cJSON_AddStringToObject(selected, "command", session->command);
        cJSON_AddItemToObject(selected, "device", describe_device(session->device));
        char under[GB_UNDER_TEXT];
        add_text(selected, "under", gb_under_format(&session->under, under));
        const cJSON *ceilings = cJSON_GetObjectItemCaseSensitive(session->ceilings, "ceilings");
        if (ceilings) cJSON_AddItemToObject(selected, "ceilings", cJSON_Duplicate(ceilings, true));
        cJSON *set = session->set.size ? cJSON_AddArrayToObject(selected, "devices") : NULL;
        for (unsigned i = 0; i < session->set.size; i++)
            cJSON_AddItemToArray(set, describe_device(session->set.device[i]));
        if (session->links)
            cJSON_AddItemToObject(selected, "links", cJSON_Duplicate(session->links, true));
        if (cJSON_GetArraySize(session->tuning))
            cJSON_AddItemToObject(selected, "tuning", cJSON_Duplicate(session->tuning, true));
        cJSON *state = cJSON_Duplicate(telemetry, true);
        cJSON_DeleteItemFromObjectCaseSensitive(state, "cmd");
        cJSON_DeleteItemFromObjectCaseSensitive(state, "ok");
        if (state) cJSON_AddItemToObject(selected, "telemetry", state);
        cJSON_AddItemToObject(selected, "instrument", gb_instrument_json(instrument));
    }
    char *text = cJSON_Print(root);
    if (text) puts(text);
    cJSON_free(text);
    cJSON_Delete(root);
}
