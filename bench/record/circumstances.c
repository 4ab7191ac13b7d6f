/* What samples of one row must have in common, besides what a result file's rows have. */
#include "bench/record/circumstances.h"

#include "bench/config/other_worker.h"
#include "bench/record/host.h"
#include "bench/util/child.h"
#include "bench/util/version.h"
#include "common/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "1234 bytes of 1700000000.5": which executable a command starts; "" where that is not known, as
 * behind ssh. */
static const char *executable_of(const char *command, char text[64])
{
    gb_error error;
    struct stat status;
    char **words = gb_command_split(command, &error);
    *text = 0;
    if (words && strchr(words[0], '/') && stat(words[0], &status) == 0)
        snprintf(text, 64, "%lld bytes of %lld.%09ld", (long long)status.st_size,
                 (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    free(words);
    return text;
}

static void add(cJSON *object, const char *before, const char *name, const char *text)
{
    char key[64];
    snprintf(key, sizeof key, "%s%s", before, name);
    cJSON_AddStringToObject(object, key, text);
}

static void add_worker(cJSON *object, const char *before, const gb_session *session)
{
    const gb_catalogue *catalogue = session->catalogue;
    char executable[64];
    add(object, before, "backend", catalogue->backend);
    add(object, before, "toolkit", catalogue->toolkit);
    add(object, before, "driver", catalogue->driver);
    add(object, before, "compiler", catalogue->compiler);
    add(object, before, "compiler flags", catalogue->flags);
    add(object, before, "worker", executable_of(session->command, executable));
    if (gb_anonymous()) return;
    add(object, before, "host", catalogue->host);
    add(object, before, "device's UUID", session->device->uuid);
    for (unsigned i = 1; i < session->set.size; i++) {
        char name[32];
        snprintf(name, sizeof name, "UUID of device %u", i);
        add(object, before, name, session->set.device[i]->uuid);
    }
}

cJSON *gb_circumstances_of(const gb_output *output, const gb_session *session)
{
    const gb_config *config = output->setup.config;
    const gb_measure *measure = &config->measure;
    cJSON *object = cJSON_CreateObject();
    char text[64], under[GB_UNDER_TEXT];
    add(object, "", "version", GB_VERSION);
    add(object, "", "primitive", config->primitive->name);
    add(object, "", "device", session->device->name);
    add_worker(object, "", session);
    if (session->other && gb_other_wanted(config)) add_worker(object, "other ", session->other);
    add(object, "", "conditions", gb_under_format(&output->setup.under, under));
    snprintf(text, sizeof text, "%" PRIu64, config->seed);
    add(object, "", "seed", text);
    add(object, "", "size", config->quick ? "quick" : "full");
    add(object, "", "scope", gb_scopes_name(measure));
    snprintf(text, sizeof text, "%" PRIu64, measure->device_memory);
    add(object, "", "device_memory", text);
    snprintf(text, sizeof text, "%u", measure->warmup);
    add(object, "", "warmup", text);
    snprintf(text, sizeof text, "%.9g", measure->rest);
    add(object, "", "rest", text);
    add(object, "", "order", measure->order == GB_ORDER_SEQUENTIAL ? "sequential" : "interleaved");
    return object;
}

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

bool gb_circumstances_differ(const cJSON *then, const cJSON *now, char *what, size_t capacity)
{
    const cJSON *const sides[] = {now, then};
    for (int i = 0; i < 2; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach(item, sides[i])
        {
            const char *name = item->string ? item->string : "";
            const char *was = text_of(then, name), *is = text_of(now, name);
            if (strcmp(was, is) == 0) continue;
            snprintf(what, capacity, "%.60s was '%.80s', is '%.80s'", name, was, is);
            gb_text_tame(what);
            return true;
        }
    }
    return false;
}
