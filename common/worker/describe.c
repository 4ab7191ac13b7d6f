/* Answers `describe`: what this worker is, which devices it can serve, which primitives it has. */
#include "common/worker/describe.h"

#include "common/protocol/protocol.h"
#include "common/text/text.h"
#include "common/worker/request.h"
#include "common/worker/telemetry.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* The build says which version this is; an analyser that compiles this file alone does not. */
#ifndef GB_VERSION
#define GB_VERSION ""
#endif

/* "NVIDIA H200" -> "nvidia-h200"; simt is called after what it is, for its name tells of the CPU.
 */
static void make_slug(const gb_device *device, char *slug, size_t capacity)
{
    if (strcmp(device->backend, "simt") == 0) {
        snprintf(slug, capacity, "simt");
        return;
    }
    size_t length = 0;
    for (const char *c = device->name; *c && length + 1 < capacity; c++) {
        bool kept =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (kept)
            slug[length++] = (char)tolower((unsigned char)*c);
        else if (length > 0 && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length > 0 && slug[length - 1] == '-')
        length--;
    slug[length] = '\0';
    if (length == 0) snprintf(slug, capacity, "unnamed-gpu");
}

static void add_decimal(cJSON *object, const char *name, uint64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    cJSON_AddStringToObject(object, name, digits);
}

static void add_texts(cJSON *object, const char *name, const char *const *texts)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (; texts && *texts; texts++)
        cJSON_AddItemToArray(list, cJSON_CreateString(*texts));
}

/* ---- devices --------------------------------------------------------------------------------- */

static cJSON *describe_device(gb_service *service, const gb_backend_device *device)
{
    cJSON *object = cJSON_CreateObject();
    const gb_device *info = &device->info;
    char slug[sizeof info->name];
    make_slug(info, slug, sizeof slug);
    cJSON_AddNumberToObject(object, "index", info->index);
    cJSON_AddStringToObject(object, "name", info->name);
    cJSON_AddStringToObject(object, "slug", slug);
    cJSON_AddStringToObject(object, "uuid", device->uuid);
    cJSON_AddNumberToObject(object, "arch", info->arch);
    cJSON_AddNumberToObject(object, "sms", info->sms);
    cJSON_AddNumberToObject(object, "memory_bytes", (double)info->memory_bytes);
    cJSON_AddNumberToObject(object, "l2_bytes", (double)info->l2_bytes);
    cJSON_AddNumberToObject(object, "shared_per_block_bytes", (double)info->shared_per_block);
    cJSON_AddNumberToObject(object, "shared_optin_bytes", (double)info->shared_optin);
    gb_nvml *nvml = gb_service_nvml(service, device);
    if (nvml) {
        double sm_mhz, mem_mhz;
        gb_nvml_max_clocks(nvml, device->pci_bus_id, &sm_mhz, &mem_mhz);
        if (sm_mhz >= 0) cJSON_AddNumberToObject(object, "sm_clock_max_mhz", sm_mhz);
        if (mem_mhz >= 0) cJSON_AddNumberToObject(object, "mem_clock_max_mhz", mem_mhz);
    }
    cJSON_AddBoolToObject(object, "usable", device->usable);
    if (device->code) cJSON_AddNumberToObject(object, "code", device->code);
    if (device->ptx) cJSON_AddNumberToObject(object, "ptx", device->ptx);
    if (!device->usable) cJSON_AddStringToObject(object, "reason", device->reason);
    return object;
}

static void describe_devices(gb_service *service, cJSON *answer)
{
    gb_error error = {GB_OK, ""};
    int count = gb_backend_device_count(&error);
    cJSON *list = cJSON_AddArrayToObject(answer, "devices");
    for (int i = 0; i < count; i++) {
        gb_backend_device device;
        if (gb_backend_device_info(i, &device, &error) == GB_OK)
            cJSON_AddItemToArray(list, describe_device(service, &device));
        else
            fprintf(stderr, "gpubench worker: device %d is left out: %s\n", i, error.text);
    }
    if (cJSON_GetArraySize(list) == 0) cJSON_AddStringToObject(answer, "reason", error.text);
}

/* The driver's own version where NVML tells it, and the CUDA version that it supports; of other
 * back-ends what they say. */
static void add_driver(gb_service *service, const gb_backend_facts *facts, cJSON *answer)
{
    const char *supports = facts->driver;
    const bool cuda = strcmp(facts->backend, "cuda") == 0 && strcmp(supports, "none") != 0;
    char version[64], text[128];
    if (cuda && service->nvml && gb_nvml_driver_version(service->nvml, version, sizeof version))
        snprintf(text, sizeof text, "%s (CUDA %s)", version, supports);
    else
        snprintf(text, sizeof text, "%s%s", cuda ? "CUDA " : "", supports);
    cJSON_AddStringToObject(answer, "driver", text);
}

/* ---- primitives ------------------------------------------------------------------------------ */

static cJSON *describe_axis(const gb_axis *axis)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", axis->name);
    cJSON_AddStringToObject(object, "type", axis->type == GB_AXIS_SIZE ? "size" : "name");
    cJSON_AddStringToObject(object, "help", axis->help);
    cJSON_AddStringToObject(object, "default", axis->fallback);
    if (axis->small) cJSON_AddStringToObject(object, "small", axis->small);
    if (axis->type == GB_AXIS_SIZE) {
        add_decimal(object, "min", axis->min);
        add_decimal(object, "max", axis->max);
    } else {
        add_texts(object, "names", axis->names);
    }
    add_texts(object, "nasty", axis->nasty);
    return object;
}

static cJSON *describe_variant(const gb_variant *variant)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", variant->name);
    cJSON_AddStringToObject(object, "summary", variant->summary);
    cJSON_AddStringToObject(object, "origin", variant->origin);
    if (variant->differs) cJSON_AddStringToObject(object, "differs", variant->differs);
    cJSON_AddBoolToObject(object, "stable", (variant->flags & GB_STABLE) != 0);
    cJSON_AddBoolToObject(object, "host", (variant->flags & GB_HOST) != 0);
    cJSON_AddBoolToObject(object, "cuda_only", (variant->flags & GB_CUDA_ONLY) != 0);
    if (variant->flags & GB_OWN_TRANSFERS) cJSON_AddTrueToObject(object, "own_transfers");
    if (variant->flags & GB_ELSEWHERE) cJSON_AddTrueToObject(object, "elsewhere");
    if (variant->flags & GB_FRESH_WORKER) cJSON_AddTrueToObject(object, "fresh_worker");
    if (variant->flags & GB_KNOWN_TO_FAIL) cJSON_AddTrueToObject(object, "known_to_fail");
    if (variant->flags & GB_PROCESS) cJSON_AddTrueToObject(object, "process");
    return object;
}

cJSON *gb_describe_primitive(const gb_primitive *primitive)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", primitive->name);
    cJSON_AddStringToObject(object, "title", primitive->title);
    cJSON_AddStringToObject(object, "unit", primitive->unit);
    if (primitive->provide) cJSON_AddTrueToObject(object, "from_config");
    if (primitive->tune) cJSON_AddTrueToObject(object, "tunes");
    if (primitive->process_s > 0)
        cJSON_AddNumberToObject(object, "process_s", primitive->process_s);
    cJSON *axes = cJSON_AddArrayToObject(object, "axes");
    for (unsigned i = 0; i < primitive->axis_count; i++)
        cJSON_AddItemToArray(axes, describe_axis(&primitive->axes[i]));
    cJSON *variants = cJSON_AddArrayToObject(object, "variants");
    for (const gb_variant *const *variant = primitive->variants; variant && *variant; variant++)
        cJSON_AddItemToArray(variants, describe_variant(*variant));
    cJSON *dumps = primitive->dumps ? cJSON_AddArrayToObject(object, "dumps") : NULL;
    for (const gb_dump *dump = primitive->dumps; dump && dump->name; dump++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", dump->name);
        cJSON_AddStringToObject(item, "help", dump->help);
        cJSON_AddItemToArray(dumps, item);
    }
    return object;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* The driver may sit on another host: its meta file says on which one the numbers arose. */
static void add_host(cJSON *answer)
{
    const char *anonymous = getenv("GPUBENCH_ANONYMOUS");
    struct utsname names;
    if ((anonymous && *anonymous) || uname(&names) != 0) return;
    if (*names.nodename && !gb_text_unprintable(names.nodename))
        cJSON_AddStringToObject(answer, "host", names.nodename);
}

void gb_handle_describe(gb_service *service, const cJSON *request, cJSON *answer)
{
    (void)request;
    gb_backend_facts facts;
    gb_backend_describe(&facts);
    cJSON_AddNumberToObject(answer, "protocol", GB_PROTOCOL_VERSION);
    cJSON_AddStringToObject(answer, "version", GB_VERSION);
    cJSON_AddStringToObject(answer, "backend", facts.backend);
    cJSON_AddStringToObject(answer, "toolkit", facts.toolkit);
    cJSON_AddStringToObject(answer, "compiler", facts.compiler);
    cJSON_AddStringToObject(answer, "flags", facts.flags);
    add_host(answer);
    if (facts.hooks) cJSON_AddTrueToObject(answer, "hooks");
    if (facts.old_code) {
        char generation[16];
        snprintf(generation, sizeof generation, "sm_%d", facts.old_code / 10);
        cJSON_AddStringToObject(answer, "code", generation);
    }
    cJSON *architectures = cJSON_AddArrayToObject(answer, "architectures");
    for (size_t i = 0; i < facts.architecture_count; i++)
        cJSON_AddItemToArray(architectures, cJSON_CreateNumber(facts.architectures[i]));
    describe_devices(service, answer);
    add_driver(service, &facts, answer);
    cJSON *primitives = cJSON_AddArrayToObject(answer, "primitives");
    for (const gb_primitive *const *primitive = gb_registry; *primitive; primitive++)
        cJSON_AddItemToArray(primitives, gb_describe_primitive(*primitive));
}
