/* Answers `provide`: finds who makes such a primitive, and keeps what was made. */
#include "common/worker/provide.h"

#include "common/worker/describe.h"
#include "common/worker/params.h"
#include "common/worker/request.h"

#include <stdlib.h>
#include <string.h>

/* All that were made: they live as long as the process. */
static gb_provided *kept;

static const gb_primitive *find_maker(const char *name)
{
    for (const gb_primitive *const *primitive = gb_registry; *primitive; primitive++)
        if ((*primitive)->provide && strcmp((*primitive)->name, name) == 0) return *primitive;
    return NULL;
}

static const gb_primitive *make(const gb_service *service, const gb_primitive *maker,
                                const cJSON *description, cJSON *answer)
{
    gb_provision provision = {.description = description};
    gb_backend_facts facts;
    gb_backend_describe(&facts);
    provision.device = service->device.info;
    strcpy(provision.device.backend, facts.backend);
    const gb_primitive *made = maker->provide(&provision);
    // cppcheck-suppress returnDanglingLifetime // what is made keeps nothing of the provision
    if (made) return made;
    gb_refuse(answer, gb_status_name(provision.error.status), "%s", provision.error.text);
    cJSON_AddStringToObject(answer, "path", provision.path);
    return NULL;
}

void gb_handle_provide(gb_service *service, const cJSON *request, cJSON *answer)
{
    const cJSON *description = cJSON_GetObjectItemCaseSensitive(request, "primitive");
    const char *name = gb_request_text(description, "primitive");
    const gb_primitive *maker = name ? find_maker(name) : NULL;
    char excerpt[GB_EXCERPT];
    if (!maker) {
        gb_refuse(answer, "protocol",
                  "\"primitive\" must be an object whose \"primitive\" is made from a config, not "
                  "\"%s\"",
                  gb_excerpt(name ? name : "", excerpt));
        return;
    }
    if (service->jobs) {
        gb_refuse(answer, "protocol", "close all jobs before another provide");
        return;
    }
    gb_provided *node = calloc(1, sizeof *node);
    if (!node) {
        gb_refuse(answer, "out_of_memory", "no host memory for a primitive");
        return;
    }
    node->primitive = make(service, maker, description, answer);
    if (!node->primitive) {
        free(node);
        return;
    }
    node->next = kept;
    service->provided = kept = node;
    cJSON_AddItemToObject(answer, "primitive", gb_describe_primitive(node->primitive));
}
