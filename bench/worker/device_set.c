/* Lists of devices: what they may say, which devices they mean, and which go together. */
#include "bench/worker/device_set.h"

#include <stdio.h>
#include <string.h>

/* An entry of a list. */
typedef struct entry {
    char text[64];
} entry;

/* The entry at *at, which moves behind it; false: there is none left. Empty where nothing stands
 * between two commas, and cut where it is longer than a UUID. */
static bool next_entry(const char **at, entry *found)
{
    if (!*at) return false;
    const size_t length = strcspn(*at, ",");
    snprintf(found->text, sizeof found->text, "%.*s", (int)length, *at);
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

static bool is_all(const char *spec)
{
    return strcmp(spec, "all") == 0;
}

bool gb_device_list_is(const char *spec)
{
    return is_all(spec) || strchr(spec, ',');
}

bool gb_device_list_check(const char *spec, gb_error *error)
{
    static const char *const words[] = {"all",    "auto",   "cuda", "simt",
                                        "opencl", "python", "host", NULL};
    const char *at = is_all(spec) ? NULL : spec;
    unsigned count = 0;
    for (entry e; next_entry(&at, &e); count++) {
        if (!*e.text) {
            gb_fail(error, GB_WRONG,
                    "--device %.100s: entry %u is empty; a list is of indexes or UUIDs, such as "
                    "0,1",
                    spec, count + 1);
            return false;
        }
        for (const char *const *word = words; *word; word++) {
            if (strcmp(e.text, *word) != 0) continue;
            gb_fail(error, GB_WRONG,
                    "--device %.100s: \"%s\" is no entry of a list, which has indexes or UUIDs, "
                    "such as 0,1",
                    spec, e.text);
            return false;
        }
    }
    if (count <= GB_MOST_DEVICES) return true;
    gb_fail(error, GB_WRONG, "--device: a list of %u devices; there may be %d", count,
            GB_MOST_DEVICES);
    return false;
}

/* ---- the devices ----------------------------------------------------------------------------- */

/* "0 (NVIDIA H200), 1 (NVIDIA H200)": what entries may call the devices. */
static const char *listed(bool named, const gb_offer *offers, size_t count, char text[400])
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < count && used < 400; i++) {
        if (offers[i].index < 0 || (!named && strcmp(offers[i].catalogue->backend, "cuda") != 0))
            continue;
        used += (size_t)snprintf(text + used, 400 - used, "%s%d (%.60s)", used ? ", " : "",
                                 offers[i].index, offers[i].device->name);
    }
    return text;
}

/* The offers of a list, in its order; false and *error as of gb_device_list_find. */
static bool resolve(const char *spec, bool named, const gb_offer *offers, size_t count,
                    const gb_offer *chosen[GB_MOST_DEVICES], unsigned *size, gb_error *error)
{
    const char *at = spec, *lacking = NULL;
    char missing[64];
    *size = 0;
    for (entry e; next_entry(&at, &e);) {
        const gb_offer *found = NULL;
        for (size_t i = 0; i < count && !found; i++)
            if (gb_offer_is_called(&offers[i], e.text, named)) found = &offers[i];
        if (found) {
            chosen[(*size)++] = found;
        } else if (!lacking) {
            snprintf(missing, sizeof missing, "%s", e.text);
            lacking = missing;
        }
    }
    if (!lacking) return true;
    if (*size) {
        char there[400];
        gb_fail(error, GB_UNSUPPORTED, "--device %.100s: there is no device %s; there are %s", spec,
                lacking, listed(named, offers, count, there));
    }
    return false;
}

/* All that can be used. Those beyond the most are left to the error. */
static bool take_all(bool named, const gb_offer *offers, size_t count,
                     const gb_offer *chosen[GB_MOST_DEVICES], unsigned *size, gb_error *error)
{
    *size = 0;
    for (size_t i = 0; i < count; i++) {
        if (!offers[i].device->usable ||
            (!named && strcmp(offers[i].catalogue->backend, "cuda") != 0))
            continue;
        if (*size == GB_MOST_DEVICES) {
            gb_fail(error, GB_UNSUPPORTED,
                    "--device all: there are more than %d devices; a list names some",
                    GB_MOST_DEVICES);
            return false;
        }
        chosen[(*size)++] = &offers[i];
    }
    return *size > 0;
}

/* What --device calls it. */
static const char *name_of(const gb_offer *offer, char text[64])
{
    if (offer->index >= 0)
        snprintf(text, 64, "%d", offer->index);
    else
        snprintf(text, 64, "%.60s", offer->device->uuid);
    return text;
}

/* Whether two of them go together, each of which can be used. */
static bool agree(const char *spec, const gb_described *workers, const gb_offer *a,
                  const gb_offer *b, gb_error *error)
{
    char first[64], second[64], one[128], other[128];
    name_of(a, first);
    name_of(b, second);
    if (strcmp(a->device->name, b->device->name) != 0) {
        gb_fail(error, GB_UNSUPPORTED,
                "--device %.100s: GPUs that work together are of one make, and %s is %.100s, %s is "
                "%.100s%s",
                spec, first, a->device->name, second, b->device->name,
                is_all(spec) ? ": list those of one" : "");
        return false;
    }
    if (a->worker == b->worker) return true;
    gb_fail(error, GB_UNSUPPORTED,
            "--device %.100s: GPUs that work together have one worker, and %s is served by %s, %s "
            "by %s",
            spec, first, gb_worker_short_name(workers[a->worker].command, one, sizeof one), second,
            gb_worker_short_name(workers[b->worker].command, other, sizeof other));
    return false;
}

static bool is_usable(const char *spec, const gb_offer *offer, gb_error *error)
{
    char name[64];
    if (offer->device->usable) return true;
    gb_fail(error, GB_UNSUPPORTED, "--device %.100s: device %s (%.100s) is not usable: %.300s",
            spec, name_of(offer, name), offer->device->name, offer->why);
    return false;
}

bool gb_device_list_find(const char *spec, bool named, const gb_described *workers,
                         const gb_offer *offers, size_t count, gb_device_set *set, size_t *worker,
                         gb_error *error)
{
    const gb_offer *chosen[GB_MOST_DEVICES];
    *set = (gb_device_set){.size = 0};
    if (is_all(spec) ? !take_all(named, offers, count, chosen, &set->size, error)
                     : !resolve(spec, named, offers, count, chosen, &set->size, error))
        return false;
    for (unsigned i = 0; i < set->size; i++) {
        if (!is_usable(spec, chosen[i], error) ||
            !agree(spec, workers, chosen[0], chosen[i], error))
            return false;
        set->device[i] = chosen[i]->device;
    }
    *worker = chosen[0]->worker;
    return true;
}

void gb_device_set_conditions(const gb_device_set *set, gb_under *under)
{
    under->gpus = under->ranks = 0;
    if (set->size < 2) return;
    for (unsigned i = 0; i < set->size; i++) {
        unsigned k = 0;
        while (set->device[k] != set->device[i])
            k++;
        under->gpus += k == i;
    }
    if (under->gpus < set->size) under->ranks = set->size;
}
