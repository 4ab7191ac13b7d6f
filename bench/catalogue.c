/* Reads a worker's `describe` answer. Workers may be older, newer or at the other end of an ssh
 * connection, so everything is checked here and nothing needs to be checked again later. */
#include "bench/catalogue.h"

#include "bench/results.h"
#include "common/protocol.h"
#include "common/size.h"
#include "common/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any worker has: what looks names up takes time with the square of their number. */
enum { MOST_ENTRIES = 1000, MOST_TEXT = 8192 };

/* Where in the answer the reader stands, and the first thing that was wrong. */
typedef struct reader {
    gb_error *error;
    char where[160]; /* "primitives[0].axes[2]", "" at the top */
    bool failed;
} reader;

static void refuse(reader *r, const char *member, const char *what)
{
    if (r->failed) return;
    r->failed = true;
    gb_fail(
        r->error, GB_CRASHED,
        "the worker's description makes no sense: %s%s%s: %s; it was built from another version "
        "of gpubench: rebuild both together",
        r->where, *r->where && *member ? "." : "", member, what);
}

static void *allocate(reader *r, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) refuse(r, "", "not enough memory to read it");
    return memory;
}

static char *copy(reader *r, const char *text)
{
    char *copied = allocate(r, strlen(text) + 1, 1);
    return copied ? strcpy(copied, text) : NULL;
}

/* A printable string: these texts go into tables and CSV files. An absent one is
 * refused if required, else "". */
static char *text_of(reader *r, const cJSON *object, const char *member, bool required)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!item && !required) return copy(r, "");
    if (!item || !cJSON_IsString(item)) {
        refuse(r, member, item ? "not a string" : "missing");
        return NULL;
    }
    if (gb_text_unprintable(item->valuestring)) {
        refuse(r, member, "a control character, or a byte that is no UTF-8");
        return NULL;
    }
    if (strlen(item->valuestring) > MOST_TEXT) {
        refuse(r, member, "longer than 8192 bytes");
        return NULL;
    }
    if (required && !*item->valuestring) refuse(r, member, "an empty string");
    return copy(r, item->valuestring);
}

/* A name that serves as a CSV column, a command-line word, a file or a folder. */
static char *name_of(reader *r, const cJSON *object, const char *member)
{
    char *name = text_of(r, object, member, true);
    const char *mistake = name ? gb_name_mistake(name) : NULL;
    if (mistake) refuse(r, member, mistake);
    return name;
}

static double number_of(reader *r, const cJSON *object, const char *member, bool required,
                        double most)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!item && !required) return 0;
    if (!item || !cJSON_IsNumber(item)) {
        refuse(r, member, item ? "not a number" : "missing");
        return 0;
    }
    if (!(item->valuedouble >= 0 && item->valuedouble <= most)) {
        refuse(r, member, "out of range");
        return 0;
    }
    return item->valuedouble;
}

static int int_of(reader *r, const cJSON *object, const char *member, bool required)
{
    return (int)number_of(r, object, member, required, 1e9);
}

/* JSON numbers are exact below 2^53, which no device's memory reaches. */
static uint64_t bytes_of(reader *r, const cJSON *object, const char *member)
{
    return (uint64_t)number_of(r, object, member, false, 9007199254740991.0);
}

static bool flag_of(reader *r, const cJSON *object, const char *member)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!cJSON_IsBool(item)) refuse(r, member, item ? "neither true nor false" : "missing");
    return cJSON_IsTrue(item);
}

static const cJSON *list_of(reader *r, const cJSON *object, const char *member, unsigned *count)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    *count = 0;
    if (!cJSON_IsArray(item))
        refuse(r, member, item ? "not a list" : "missing");
    else
        *count = (unsigned)cJSON_GetArraySize(item);
    if (*count > MOST_ENTRIES) refuse(r, member, "more than 1000 entries");
    return r->failed ? NULL : item;
}

/* A limit of an axis: a decimal string, because JSON numbers end at 2^53. */
static uint64_t limit_of(reader *r, const cJSON *object, const char *member)
{
    uint64_t limit = 0;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!cJSON_IsString(item) || !gb_size_parse(item->valuestring, &limit, NULL))
        refuse(r, member, item ? "not a size in a string" : "missing");
    return limit;
}

/* Values of axes stand in CSV files, in lists on command lines and in keys like "n=1;bins=2|cpu".
 */
static bool is_word(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (!isgraph((unsigned char)*c) || strchr("\"'`,;|=", *c)) return false;
    }
    return true;
}

static char **strings_of(reader *r, const cJSON *object, const char *member)
{
    unsigned count;
    const cJSON *list = list_of(r, object, member, &count);
    char **strings = allocate(r, (size_t)count + 1, sizeof *strings);
    if (!strings) return NULL;
    const cJSON *item = NULL;
    unsigned i = 0;
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) break;
        if (!cJSON_IsString(item) || strlen(item->valuestring) >= GB_MAX_TEXT)
            refuse(r, member, "an entry that is no short string");
        else if (!is_word(item->valuestring))
            refuse(r, member, "an entry with blanks, quotes, commas or other separators");
        else
            strings[i++] = copy(r, item->valuestring);
    }
    return strings;
}

static void read_axis(reader *r, const cJSON *object, gb_catalogue_axis *axis)
{
    axis->name = name_of(r, object, "name");
    if (axis->name && gb_results_is_column(axis->name))
        refuse(r, "name", "a column of result files has this name already");
    axis->help = text_of(r, object, "help", true);
    axis->fallback = text_of(r, object, "default", true);
    axis->nasty = strings_of(r, object, "nasty");
    char *type = text_of(r, object, "type", true);
    if (type && strcmp(type, "size") == 0) {
        axis->type = GB_AXIS_SIZE;
        axis->min = limit_of(r, object, "min");
        axis->max = limit_of(r, object, "max");
        if (axis->min > axis->max) refuse(r, "min", "above max");
    } else if (type && strcmp(type, "name") == 0) {
        axis->type = GB_AXIS_NAME;
        axis->names = strings_of(r, object, "names");
        if (axis->names && !axis->names[0]) refuse(r, "names", "an empty list");
    } else if (type) {
        refuse(r, "type", "neither \"size\" nor \"name\"");
    }
    free(type);
    if (r->failed) return;

    gb_value value;
    gb_error reason;
    if (!gb_axis_parse_value(axis, axis->fallback, &value, &reason))
        refuse(r, "default", reason.text);
    for (char **nasty = axis->nasty; *nasty; nasty++) {
        if (!gb_axis_parse_value(axis, *nasty, &value, &reason)) refuse(r, "nasty", reason.text);
    }
}

static void read_variant(reader *r, const cJSON *object, gb_catalogue_variant *variant)
{
    variant->name = name_of(r, object, "name");
    variant->summary = text_of(r, object, "summary", true);
    variant->origin = text_of(r, object, "origin", true);
    variant->stable = flag_of(r, object, "stable");
    variant->host = flag_of(r, object, "host");
    variant->cuda_only = flag_of(r, object, "cuda_only");
    variant->own_transfers =
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "own_transfers"));
    variant->elsewhere = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "elsewhere"));
    variant->fresh_worker = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "fresh_worker"));
    variant->known_to_fail =
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "known_to_fail"));
}

static void read_primitive(reader *r, const cJSON *object, gb_catalogue_primitive *primitive)
{
    char where[sizeof r->where];
    strcpy(where, r->where);
    primitive->name = name_of(r, object, "name");
    primitive->title = text_of(r, object, "title", true);
    primitive->unit = text_of(r, object, "unit", true);

    unsigned count;
    const cJSON *item = NULL, *list = list_of(r, object, "axes", &count);
    if (count > GB_MAX_AXES) refuse(r, "axes", "too many of them");
    if (r->failed) return;
    primitive->axes = allocate(r, count, sizeof *primitive->axes);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = primitive->axis_count++;
        snprintf(r->where, sizeof r->where, "%.100s.axes[%u]", where, at);
        read_axis(r, item, &primitive->axes[at]);
        if (!r->failed && gb_catalogue_axis_index(primitive, primitive->axes[at].name) != (int)at)
            refuse(r, "name", "two axes share it");
    }

    strcpy(r->where, where);
    list = list_of(r, object, "variants", &count);
    if (r->failed) return;
    primitive->variants = allocate(r, count, sizeof *primitive->variants);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = primitive->variant_count++;
        snprintf(r->where, sizeof r->where, "%.100s.variants[%u]", where, at);
        read_variant(r, item, &primitive->variants[at]);
        if (!r->failed &&
            gb_catalogue_variant_index(primitive, primitive->variants[at].name) != (int)at)
            refuse(r, "name", "two variants share it");
    }

    strcpy(r->where, where);
    if (!cJSON_HasObjectItem(object, "dumps")) return;
    list = list_of(r, object, "dumps", &count);
    if (r->failed) return;
    primitive->dumps = allocate(r, count, sizeof *primitive->dumps);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = primitive->dump_count++;
        snprintf(r->where, sizeof r->where, "%.100s.dumps[%u]", where, at);
        primitive->dumps[at].name = name_of(r, item, "name");
        primitive->dumps[at].help = text_of(r, item, "help", true);
    }
    strcpy(r->where, where);
}

static void read_device(reader *r, const cJSON *object, gb_catalogue_device *device)
{
    device->index = int_of(r, object, "index", true);
    device->arch = int_of(r, object, "arch", false);
    device->sms = int_of(r, object, "sms", false);
    device->name = text_of(r, object, "name", true);
    device->slug = name_of(r, object, "slug");
    device->uuid = text_of(r, object, "uuid", false);
    device->reason = text_of(r, object, "reason", false);
    device->memory_bytes = bytes_of(r, object, "memory_bytes");
    device->l2_bytes = bytes_of(r, object, "l2_bytes");
    device->shared_per_block_bytes = bytes_of(r, object, "shared_per_block_bytes");
    device->shared_optin_bytes = bytes_of(r, object, "shared_optin_bytes");
    device->sm_clock_max_mhz = number_of(r, object, "sm_clock_max_mhz", false, 1e6);
    device->mem_clock_max_mhz = number_of(r, object, "mem_clock_max_mhz", false, 1e6);
    device->usable = flag_of(r, object, "usable");
}

static void read_answer(reader *r, const cJSON *answer, gb_catalogue *catalogue)
{
    if (!cJSON_IsObject(answer)) {
        refuse(r, "", "not an object");
        return;
    }
    catalogue->protocol = int_of(r, answer, "protocol", true);
    if (!r->failed && catalogue->protocol != GB_PROTOCOL_VERSION) {
        r->failed = true;
        gb_fail(r->error, GB_CRASHED,
                "the worker speaks protocol %d, this gpubench speaks %d: rebuild both together",
                catalogue->protocol, GB_PROTOCOL_VERSION);
        return;
    }
    catalogue->backend = name_of(r, answer, "backend");
    catalogue->toolkit = text_of(r, answer, "toolkit", false);
    catalogue->driver = text_of(r, answer, "driver", false);
    catalogue->compiler = text_of(r, answer, "compiler", false);
    catalogue->flags = text_of(r, answer, "flags", false);
    catalogue->reason = text_of(r, answer, "reason", false);
    catalogue->hooks = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "hooks"));

    unsigned count;
    const cJSON *item = NULL, *list = list_of(r, answer, "architectures", &count);
    catalogue->architectures = allocate(r, count, sizeof *catalogue->architectures);
    if (r->failed) return;
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        if (!cJSON_IsNumber(item)) refuse(r, "architectures", "an entry that is no number");
        catalogue->architectures[catalogue->architecture_count++] = item->valueint;
    }

    list = list_of(r, answer, "devices", &count);
    catalogue->devices = allocate(r, count, sizeof *catalogue->devices);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = catalogue->device_count++;
        snprintf(r->where, sizeof r->where, "devices[%u]", at);
        read_device(r, item, &catalogue->devices[at]);
    }

    r->where[0] = '\0';
    list = list_of(r, answer, "primitives", &count);
    catalogue->primitives = allocate(r, count, sizeof *catalogue->primitives);
    cJSON_ArrayForEach(item, list)
    {
        if (r->failed) return;
        unsigned at = catalogue->primitive_count++;
        snprintf(r->where, sizeof r->where, "primitives[%u]", at);
        read_primitive(r, item, &catalogue->primitives[at]);
        if (!r->failed && gb_catalogue_find(catalogue, catalogue->primitives[at].name) !=
                              &catalogue->primitives[at])
            refuse(r, "name", "two primitives share it");
    }
}

gb_catalogue *gb_catalogue_parse(const cJSON *answer, gb_error *error)
{
    reader r = {.error = error};
    gb_catalogue *catalogue = allocate(&r, 1, sizeof *catalogue);
    if (!catalogue) return NULL;
    read_answer(&r, answer, catalogue);
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
        free_strings(axis->names);
        free_strings(axis->nasty);
    }
    for (unsigned i = 0; i < primitive->variant_count; i++) {
        free(primitive->variants[i].name);
        free(primitive->variants[i].summary);
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

void gb_catalogue_free(gb_catalogue *catalogue)
{
    if (!catalogue) return;
    for (unsigned i = 0; i < catalogue->device_count; i++) {
        free(catalogue->devices[i].name);
        free(catalogue->devices[i].slug);
        free(catalogue->devices[i].uuid);
        free(catalogue->devices[i].reason);
    }
    for (unsigned i = 0; i < catalogue->primitive_count; i++)
        free_primitive(&catalogue->primitives[i]);
    free(catalogue->architectures);
    free(catalogue->devices);
    free(catalogue->primitives);
    free(catalogue->backend);
    free(catalogue->toolkit);
    free(catalogue->driver);
    free(catalogue->compiler);
    free(catalogue->flags);
    free(catalogue->reason);
    free(catalogue);
}
