/* Finding the other worker of a run: by what each says of itself. */
#include "bench/config/other_worker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gb_other_wanted(const gb_config *config)
{
    for (unsigned i = 0; i < config->variant_count; i++)
        if (config->primitive->variants[config->variants[i]].elsewhere) return true;
    return false;
}

/* The variant in another worker's catalogue, if that one runs it and takes the same points; NULL
 * if not. */
static const gb_catalogue_variant *find_variant(const gb_catalogue *catalogue,
                                                const gb_catalogue_primitive *primitive,
                                                const char *name)
{
    const gb_catalogue_primitive *other = gb_catalogue_find(catalogue, primitive->name);
    if (!other || other->axis_count != primitive->axis_count) return NULL;
    for (unsigned i = 0; i < primitive->axis_count; i++)
        if (strcmp(other->axes[i].name, primitive->axes[i].name) != 0) return NULL;
    const int at = gb_catalogue_variant_index(other, name);
    return at >= 0 && !other->variants[at].elsewhere ? &other->variants[at] : NULL;
}

bool gb_other_runs(const gb_session *session, const gb_catalogue_primitive *primitive,
                   unsigned variant)
{
    const gb_catalogue_variant *own = &primitive->variants[variant];
    return session->other && own->elsewhere &&
           find_variant(session->other->catalogue, primitive, own->name);
}

/* Whether a worker runs any of the variants that the session's has not. */
static bool is_of_use(const gb_session *session, const gb_catalogue *catalogue)
{
    for (unsigned i = 0; i < session->catalogue->primitive_count; i++) {
        const gb_catalogue_primitive *primitive = &session->catalogue->primitives[i];
        for (unsigned j = 0; j < primitive->variant_count; j++)
            if (primitive->variants[j].elsewhere &&
                find_variant(catalogue, primitive, primitive->variants[j].name))
                return true;
    }
    return false;
}

/* A UUID without the word by which an interface begins it: GPU-6ba7b810-... and
 * opencl-6ba7b810-... are one device. "" if there is no such word. */
static const char *bare_uuid(const gb_catalogue_device *device)
{
    const char *dash = strchr(device->uuid, '-');
    return dash ? dash + 1 : "";
}

static const gb_catalogue_device *find_device(const gb_session *session,
                                              const gb_catalogue *catalogue)
{
    const char *wanted = bare_uuid(session->device);
    for (unsigned i = 0; *wanted && i < catalogue->device_count; i++)
        if (strcmp(bare_uuid(&catalogue->devices[i]), wanted) == 0) return &catalogue->devices[i];
    return NULL;
}

/* Adds to why there is none; what does not fit is cut. */
static void note(gb_session *session, const char *format, ...) GB_PRINTF(2, 3);

static void note(gb_session *session, const char *format, ...)
{
    size_t used = strlen(session->no_other);
    va_list args;
    if (used && used + 2 < sizeof session->no_other) used = strlen(strcat(session->no_other, "; "));
    va_start(args, format);
    vsnprintf(session->no_other + used, sizeof session->no_other - used, format, args);
    va_end(args);
}

/* Takes the worker if it is of use and has the device, else notes why not. */
static void consider(gb_session *session, gb_described *worker)
{
    char name[200];
    gb_catalogue *catalogue = worker->catalogue;
    gb_worker_short_name(worker->command, name, sizeof name);
    if (!catalogue) {
        note(session, "%s: %s", name, worker->error.text);
        return;
    }
    if (!is_of_use(session, catalogue)) return;
    const gb_catalogue_device *device = find_device(session, catalogue);
    if (device && device->usable) {
        gb_session *other = calloc(1, sizeof *other);
        if (!other) return;
        snprintf(other->command, sizeof other->command, "%s", worker->command);
        other->catalogue = catalogue;
        other->device = device;
        worker->catalogue = NULL;
        session->other = other;
        session->no_other[0] = '\0';
    } else if (device) {
        note(session, "%s cannot use this device: %s", name, device->reason);
    } else if (*catalogue->reason) {
        note(session, "%s: %s", name, catalogue->reason);
    } else {
        note(session, "%s sees no device with the UUID of this one", name);
    }
}

void gb_other_find(gb_session *session, const char *config)
{
    gb_executables found;
    gb_asked asked = {0};
    gb_error error;
    if (strcmp(session->catalogue->backend, "cuda") != 0) return;
    if (!gb_under_none(&session->under)) {
        note(session, "no other worker can use the device under the same conditions");
        return;
    }
    if (!gb_executables_find(&found, NULL, config, "", &error)) note(session, "%s", error.text);
    const gb_kind own = gb_worker_kind(session->command);
    for (size_t i = 0; i < found.count && !session->other; i++) {
        if (found.list[i].kind == own) continue;
        const size_t at = gb_asked_index(&asked, &found.list[i]);
        consider(session, &asked.list[at]);
        gb_asked_rest(&asked);
    }
    gb_asked_free(&asked);
    gb_executables_free(&found);
    if (!session->other && !*session->no_other)
        note(session, "there is no gpubench-opencl here: install opencl-headers and "
                      "ocl-icd-opencl-dev, run make again");
}
