/* Reads a worker's `describe` answer. Workers may be older, newer or at the other end of an ssh
 * connection, so everything is checked here and nothing needs to be checked again later. */
#include "bench/worker/catalogue.h"

#include "bench/util/version.h"
#include "bench/worker/answer_reader.h"
#include "common/protocol/columns.h"
#include "common/protocol/protocol.h"
#include "common/protocol/under.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_axis(gb_answer_reader *r, const cJSON *object, gb_catalogue_axis *axis)
{
    axis->name = gb_answer_name(r, object, "name");
    if (axis->name && gb_column_is_taken(axis->name))
        gb_answer_refuse(r, "name", "a column of result files has this name already");
    axis->help = gb_answer_text(r, object, "help", true);
    axis->fallback = gb_answer_text(r, object, "default", true);
    axis->small =
        gb_answer_text(r, object, cJSON_HasObjectItem(object, "small") ? "small" : "default", true);
    axis->nasty = gb_answer_strings(r, object, "nasty");
    char *type = gb_answer_text(r, object, "type", true);
    if (type && strcmp(type, "size") == 0) {
        axis->type = GB_AXIS_SIZE;
        axis->min = gb_answer_limit(r, object, "min");
        axis->max = gb_answer_limit(r, object, "max");
        if (axis->min > axis->max) gb_answer_refuse(r, "min", "above max");
    } else if (type && strcmp(type, "name") == 0) {
        axis->type = GB_AXIS_NAME;
        axis->names = gb_answer_strings(r, object, "names");
        if (axis->names && !axis->names[0]) gb_answer_refuse(r, "names", "an empty list");
    } else if (type) {
        gb_answer_refuse(r, "type", "neither \"size\" nor \"name\"");
    }
    free(type);
    if (r->failed) return;

    gb_value value;
    gb_error reason;
    if (!gb_axis_parse_value(axis, axis->fallback, &value, &reason))
        gb_answer_refuse(r, "default", reason.text);
    if (!gb_axis_parse_value(axis, axis->small, &value, &reason))
        gb_answer_refuse(r, "small", reason.text);
    for (char **nasty = axis->nasty; *nasty; nasty++) {
        if (!gb_axis_parse_value(axis, *nasty, &value, &reason))
            gb_answer_refuse(r, "nasty", reason.text);
    }
}

static void read_variant(gb_answer_reader *r, const cJSON *object, gb_catalogue_variant *variant)
{
    variant->name = gb_answer_name(r, object, "name");
    variant->summary = gb_answer_text(r, object, "summary", true);
    variant->origin = gb_answer_text(r, object, "origin", true);
    variant->differs = gb_answer_text(r, object, "differs", false);
    variant->stable = gb_answer_flag(r, object, "stable");
    variant->host = gb_answer_flag(r, object, "host");
    variant->cuda_only = gb_answer_flag(r, object, "cuda_only");
    variant->own_transfers =
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "own_transfers"));
    variant->elsewhere = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "elsewhere"));
    variant->fresh_worker = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "fresh_worker"));
    variant->known_to_fail =
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "known_to_fail"));
    variant->process = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "process"));
}

static void read_primitive(gb_answer_reader *r, const cJSON *object,
                           gb_catalogue_primitive *primitive)
{
    char where[sizeof r->where];
    strcpy(where, r->where);
    primitive->name = gb_answer_name(r, object, "name");
    primitive->title = gb_answer_text(r, object, "title", true);
    primitive->unit = gb_answer_text(r, object, "unit", true);
    primitive->from_config = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "from_config"));
    primitive->tunes = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "tunes"));
    primitive->process_s = gb_answer_number(r, object, "process_s", false, 1e9);

    unsigned count;
    const cJSON *item = NULL, *list = gb_answer_list(r, object, "axes", &count);
    if (count > GB_MAX_AXES) gb_answer_refuse(r, "axes", "too many of them");
    if (r->failed) return;
    primitive->axes = gb_answer_allocate(r, count, sizeof *primitive->axes);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = primitive->axis_count++;
        snprintf(r->where, sizeof r->where, "%.100s.axes[%u]", where, at);
        read_axis(r, item, &primitive->axes[at]);
        if (!r->failed && gb_catalogue_axis_index(primitive, primitive->axes[at].name) != (int)at)
            gb_answer_refuse(r, "name", "two axes share it");
    }

    strcpy(r->where, where);
    list = gb_answer_list(r, object, "variants", &count);
    if (r->failed) return;
    primitive->variants = gb_answer_allocate(r, count, sizeof *primitive->variants);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = primitive->variant_count++;
        snprintf(r->where, sizeof r->where, "%.100s.variants[%u]", where, at);
        read_variant(r, item, &primitive->variants[at]);
        if (!r->failed &&
            gb_catalogue_variant_index(primitive, primitive->variants[at].name) != (int)at)
            gb_answer_refuse(r, "name", "two variants share it");
    }

    strcpy(r->where, where);
    if (!cJSON_HasObjectItem(object, "dumps")) return;
    list = gb_answer_list(r, object, "dumps", &count);
    if (r->failed) return;
    primitive->dumps = gb_answer_allocate(r, count, sizeof *primitive->dumps);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = primitive->dump_count++;
        snprintf(r->where, sizeof r->where, "%.100s.dumps[%u]", where, at);
        primitive->dumps[at].name = gb_answer_name(r, item, "name");
        primitive->dumps[at].help = gb_answer_text(r, item, "help", true);
    }
    strcpy(r->where, where);
}

static void read_device(gb_answer_reader *r, const cJSON *object, gb_catalogue_device *device)
{
    device->index = gb_answer_int(r, object, "index", true);
    device->arch = gb_answer_int(r, object, "arch", false);
    device->sms = gb_answer_int(r, object, "sms", false);
    device->code = gb_answer_int(r, object, "code", false);
    device->ptx = gb_answer_int(r, object, "ptx", false);
    device->gpus = gb_answer_int(r, object, "gpus", false);
    if (device->gpus < 0 || device->gpus > GB_MOST_DEVICES)
        gb_answer_refuse(r, "gpus", "is no number of devices that there may be");
    device->name = gb_answer_text(r, object, "name", true);
    device->slug = gb_answer_name(r, object, "slug");
    device->uuid = gb_answer_text(r, object, "uuid", false);
    device->reason = gb_answer_text(r, object, "reason", false);
    device->memory_bytes = gb_answer_bytes(r, object, "memory_bytes");
    device->l2_bytes = gb_answer_bytes(r, object, "l2_bytes");
    device->shared_per_block_bytes = gb_answer_bytes(r, object, "shared_per_block_bytes");
    device->shared_optin_bytes = gb_answer_bytes(r, object, "shared_optin_bytes");
    device->sm_clock_max_mhz = gb_answer_number(r, object, "sm_clock_max_mhz", false, 1e6);
    device->mem_clock_max_mhz = gb_answer_number(r, object, "mem_clock_max_mhz", false, 1e6);
    device->usable = gb_answer_flag(r, object, "usable");
}

static void read_answer(gb_answer_reader *r, const cJSON *answer, gb_catalogue *catalogue)
{
    if (!cJSON_IsObject(answer)) {
        gb_answer_refuse(r, "", "not an object");
        return;
    }
    catalogue->protocol = gb_answer_int(r, answer, "protocol", true);
    catalogue->version = gb_answer_text(r, answer, "version", false);
    if (!r->failed && catalogue->protocol != GB_PROTOCOL_VERSION) {
        r->failed = true;
        gb_fail(r->error, GB_CRASHED,
                "the worker speaks protocol %d%s%.40s%s, this gpubench %s speaks %d: build it anew "
                "(`gpubench build DIR`, or `make` for those that come along)",
                catalogue->protocol, *catalogue->version ? " (gpubench " : "", catalogue->version,
                *catalogue->version ? ")" : "", GB_VERSION, GB_PROTOCOL_VERSION);
        return;
    }
    catalogue->backend = gb_answer_name(r, answer, "backend");
    catalogue->toolkit = gb_answer_text(r, answer, "toolkit", false);
    catalogue->driver = gb_answer_text(r, answer, "driver", false);
    catalogue->compiler = gb_answer_text(r, answer, "compiler", false);
    catalogue->flags = gb_answer_text(r, answer, "flags", false);
    catalogue->host = gb_answer_text(r, answer, "host", false);
    catalogue->reason = gb_answer_text(r, answer, "reason", false);
    catalogue->code = gb_answer_text(r, answer, "code", false);
    if (!r->failed && *catalogue->code && !gb_under_is_code(catalogue->code))
        gb_answer_refuse(r, "code", "no generation such as sm_35");
    catalogue->hooks = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "hooks"));

    unsigned count;
    const cJSON *item = NULL, *list = gb_answer_list(r, answer, "architectures", &count);
    catalogue->architectures = gb_answer_allocate(r, count, sizeof *catalogue->architectures);
    if (r->failed) return;
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        if (!cJSON_IsNumber(item))
            gb_answer_refuse(r, "architectures", "an entry that is no number");
        catalogue->architectures[catalogue->architecture_count++] = item->valueint;
    }

    list = gb_answer_list(r, answer, "devices", &count);
    catalogue->devices = gb_answer_allocate(r, count, sizeof *catalogue->devices);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = catalogue->device_count++;
        snprintf(r->where, sizeof r->where, "devices[%u]", at);
        read_device(r, item, &catalogue->devices[at]);
    }

    r->where[0] = '\0';
    list = gb_answer_list(r, answer, "primitives", &count);
    catalogue->primitives = gb_answer_allocate(r, count, sizeof *catalogue->primitives);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = catalogue->primitive_count++;
        snprintf(r->where, sizeof r->where, "primitives[%u]", at);
        read_primitive(r, item, &catalogue->primitives[at]);
        if (!r->failed && gb_catalogue_find(catalogue, catalogue->primitives[at].name) !=
                              &catalogue->primitives[at])
            gb_answer_refuse(r, "name", "two primitives share it");
    }
}

gb_catalogue *gb_catalogue_parse(const cJSON *answer, gb_error *error)
{
    gb_answer_reader r = {.error = error};
    gb_catalogue *catalogue = gb_answer_allocate(&r, 1, sizeof *catalogue);
    if (!catalogue) return NULL;
    read_answer(&r, answer, catalogue);
    if (!r.failed) return catalogue;
    gb_catalogue_free(catalogue);
    return NULL;
}

gb_catalogue *gb_catalogue_of_made(const cJSON *primitive, gb_error *error)
{
    gb_answer_reader r = {.error = error, .where = "primitive"};
    gb_catalogue *catalogue = gb_answer_allocate(&r, 1, sizeof *catalogue);
    if (!catalogue) return NULL;
    catalogue->primitives = gb_answer_allocate(&r, 1, sizeof *catalogue->primitives);
    if (catalogue->primitives) {
        catalogue->primitive_count = 1;
        catalogue->made = true;
        read_primitive(&r, primitive, catalogue->primitives);
    }
    if (!r.failed) return catalogue;
    gb_catalogue_free(catalogue);
    return NULL;
}

static void free_strings(char **strings)
{
    for (char **string = strings; string && *string; string++)
        free(*string);
    free(strings);
}

static void free_primitive(gb_catalogue_primitive *primitive)
{
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        gb_catalogue_axis *axis = &primitive->axes[i];
        free(axis->name);
        free(axis->help);
        free(axis->fallback);
        free(axis->small);
        free_strings(axis->names);
        free_strings(axis->nasty);
    }
    for (unsigned i = 0; i < primitive->variant_count; i++) {
        free(primitive->variants[i].name);
        free(primitive->variants[i].summary);
        free(primitive->variants[i].differs);
        free(primitive->variants[i].origin);
    }
    for (unsigned i = 0; i < primitive->dump_count; i++) {
        free(primitive->dumps[i].name);
        free(primitive->dumps[i].help);
    }
    free(primitive->dumps);
    free(primitive->axes);
    free(primitive->variants);
    free(primitive->name);
    free(primitive->title);
    free(primitive->unit);
}

gb_catalogue *gb_catalogue_keep(gb_catalogue *catalogue)
{
    catalogue->holders++;
    return catalogue;
}

void gb_catalogue_free(gb_catalogue *catalogue)
{
    if (!catalogue || catalogue->holders-- > 0) return;
    for (unsigned i = 0; i < catalogue->device_count; i++) {
        free(catalogue->devices[i].name);
        free(catalogue->devices[i].slug);
        free(catalogue->devices[i].uuid);
        free(catalogue->devices[i].reason);
    }
    for (unsigned i = 0; catalogue->primitives && i < catalogue->primitive_count; i++)
        free_primitive(&catalogue->primitives[i]);
    free(catalogue->architectures);
    free(catalogue->devices);
    free(catalogue->primitives);
    free(catalogue->version);
    free(catalogue->backend);
    free(catalogue->toolkit);
    free(catalogue->driver);
    free(catalogue->compiler);
    free(catalogue->flags);
    free(catalogue->host);
    free(catalogue->code);
    free(catalogue->reason);
    free(catalogue);
}
