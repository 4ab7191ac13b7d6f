/* Which worker serves which device: see the header for the rule. */
#include "bench/worker/offers.h"

#include "common/text/limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "13.0" -> 13000, "12.10" -> 12010; what is no version is older than any. */
static long version_of(const char *toolkit)
{
    char *end;
    unsigned long major = strtoul(toolkit, &end, 10);
    unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return major < 1000 && minor < 1000 ? (long)(1000 * major + minor) : 0;
}

static bool same_backend(const gb_catalogue *a, const gb_catalogue *b)
{
    return strcmp(a->backend, b->backend) == 0;
}

/* Devices without a UUID are told apart by their index. */
static bool same_device(const gb_catalogue_device *a, const gb_catalogue_device *b)
{
    if (*a->uuid || *b->uuid) return strcmp(a->uuid, b->uuid) == 0;
    return a->index == b->index;
}

/* The device as another worker of the same back-end describes it; NULL if that one has it not. */
static const gb_catalogue_device *find_in(const gb_catalogue *catalogue, const gb_offer *offer)
{
    if (!catalogue || !same_backend(catalogue, offer->catalogue)) return NULL;
    for (unsigned i = 0; i < catalogue->device_count; i++)
        if (same_device(&catalogue->devices[i], offer->device)) return &catalogue->devices[i];
    return NULL;
}

/* Below 0: the first is better; 0: what comes first is. */
static long compare(const gb_catalogue *a, const gb_catalogue_device *x, const gb_catalogue *b,
                    const gb_catalogue_device *y)
{
    if (x->usable != y->usable) return x->usable ? -1 : 1;
    if ((x->code != 0) != (y->code != 0)) return x->code ? -1 : 1;
    return version_of(b->toolkit) - version_of(a->toolkit);
}

/* ---- why ------------------------------------------------------------------------------------- */

/* Appends to the offer's reason; what does not fit is cut. */
static void say(gb_offer *offer, const char *format, ...) GB_PRINTF(2, 3);

static void say(gb_offer *offer, const char *format, ...)
{
    size_t used = strlen(offer->why);
    va_list args;
    va_start(args, format);
    vsnprintf(offer->why + used, sizeof offer->why - used, format, args);
    va_end(args);
}

/* "CUDA 13.0"; of other back-ends, and of Python, the toolkit's own words ("torch 2.11"). */
static const char *toolkit_of(const gb_catalogue *catalogue, char *text, size_t capacity)
{
    const bool cuda = strcmp(catalogue->backend, "cuda") == 0 && version_of(catalogue->toolkit) > 0;
    snprintf(text, capacity, "%s%.60s", cuda ? "CUDA " : "", catalogue->toolkit);
    return text;
}

/* A worker's reason without what it adds in brackets and the advice behind it. */
static int first_words(const char *reason)
{
    size_t bracket = strcspn(reason, "(;");
    while (bracket > 0 && reason[bracket - 1] == ' ')
        bracket--;
    return (int)bracket;
}

/* What the worker that was taken has for the device. */
static void say_what_serves(gb_offer *offer)
{
    char toolkit[80];
    const gb_catalogue_device *device = offer->device;
    toolkit_of(offer->catalogue, toolkit, sizeof toolkit);
    if (device->code == device->arch && device->code)
        say(offer, "%s has machine code for sm_%d", toolkit, device->arch / 10);
    else if (device->code)
        say(offer, "%s has machine code for sm_%d, which sm_%d runs", toolkit, device->code / 10,
            device->arch / 10);
    else if (device->ptx)
        say(offer, "%s has PTX of sm_%d, which the GPU's driver compiles for sm_%d", toolkit,
            device->ptx / 10, device->arch / 10);
    else
        say(offer, "%s has PTX, which the GPU's driver compiles for sm_%d", toolkit,
            device->arch / 10);
}

/* Why another worker of this back-end was not taken. */
static void say_what_does_not(gb_offer *offer, const gb_described *other)
{
    char name[200], toolkit[80];
    const gb_catalogue *catalogue = other->catalogue;
    const gb_catalogue_device *device = find_in(catalogue, offer);
    gb_worker_short_name(other->command, name, sizeof name);
    toolkit_of(catalogue, toolkit, sizeof toolkit);
    say(offer, "%s%s (%s) ", *offer->why ? "; " : "", name, toolkit);
    if (!device)
        say(offer, "does not see it");
    else if (!device->usable)
        say(offer, "has %.*s", first_words(device->reason), device->reason);
    else if (!device->code && offer->device->code)
        say(offer, "has PTX only");
    else if (version_of(catalogue->toolkit) < version_of(offer->catalogue->toolkit))
        say(offer, "is older");
    else
        say(offer, "is another of the same kind");
}

static void explain(gb_offer *offer, const gb_described *workers, size_t count)
{
    if (!offer->device->usable)
        say(offer, "%s", *offer->device->reason ? offer->device->reason : "no reason given");
    else if (strcmp(offer->catalogue->backend, "cuda") == 0)
        say_what_serves(offer);
    for (size_t i = 0; i < count; i++) {
        if (i == offer->worker || !workers[i].catalogue) continue;
        if (same_backend(workers[i].catalogue, offer->catalogue))
            say_what_does_not(offer, &workers[i]);
    }
    if (!*offer->why) say(offer, "no other worker has it");
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The workers that answered, in the order in which their devices are listed: back-ends as they
 * come, in each the newest toolkit first. Returns how many. */
static size_t order_workers(const gb_described *workers, size_t count, size_t *order)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const gb_catalogue *catalogue = workers[i].catalogue;
        if (!catalogue) continue;
        size_t at = length++;
        for (; at > 0; at--) {
            const gb_catalogue *before = workers[order[at - 1]].catalogue;
            if (!same_backend(before, catalogue) ||
                version_of(before->toolkit) >= version_of(catalogue->toolkit))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return length;
}

static bool is_listed(const gb_offer *list, size_t length, const gb_offer *offer)
{
    for (size_t i = 0; i < length; i++)
        if (same_backend(list[i].catalogue, offer->catalogue) &&
            same_device(list[i].device, offer->device))
            return true;
    return false;
}

static bool is_taken(const gb_offer *list, size_t length, const gb_offer *offer)
{
    for (size_t i = 0; i < length; i++)
        if (same_backend(list[i].catalogue, offer->catalogue) && list[i].index == offer->index)
            return true;
    return false;
}

/* The offer, of the first worker that knows the device, becomes that of the best one. */
static void take_best(gb_offer *offer, const gb_described *workers, const size_t *order,
                      size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const gb_catalogue *catalogue = workers[order[i]].catalogue;
        const gb_catalogue_device *device = find_in(catalogue, offer);
        if (!device || compare(catalogue, device, offer->catalogue, offer->device) >= 0) continue;
        offer->worker = order[i];
        offer->catalogue = catalogue;
        offer->device = device;
    }
}

gb_offer *gb_offers(const gb_described *workers, size_t count, size_t *offers)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (workers[i].catalogue) most += workers[i].catalogue->device_count;
    *offers = 0;
    gb_offer *list = most ? calloc(most, sizeof *list) : NULL;
    size_t *order = calloc(count + 1, sizeof *order);
    if (!order || (most && !list)) gb_memory_gone("gpubench", (most + 1) * sizeof *list);
    size_t length = list ? order_workers(workers, count, order) : 0;
    for (size_t i = 0; i < length; i++) {
        const gb_catalogue *catalogue = workers[order[i]].catalogue;
        for (unsigned j = 0; j < catalogue->device_count; j++) {
            gb_offer offer = {.worker = order[i],
                              .catalogue = catalogue,
                              .device = &catalogue->devices[j],
                              .index = catalogue->devices[j].index};
            if (is_listed(list, *offers, &offer)) continue;
            if (is_taken(list, *offers, &offer)) offer.index = -1;
            take_best(&offer, workers, order, length);
            explain(&offer, workers, count);
            list[(*offers)++] = offer;
        }
    }
    free(order);
    return list;
}

bool gb_offer_is_called(const gb_offer *offer, const char *text, bool named)
{
    char index[16];
    snprintf(index, sizeof index, "%d", offer->index);
    if (offer->index >= 0 && strcmp(text, index) == 0)
        return named || strcmp(offer->catalogue->backend, "cuda") == 0;
    return *offer->device->uuid && strcmp(text, offer->device->uuid) == 0;
}
