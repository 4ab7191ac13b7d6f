/* Which devices there are, and what their runs are called. */
#include "bench/commands/run_devices.h"

#include "bench/record/host.h"
#include "bench/worker/offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DIGITS = 8 };

/* Those that can be used, the others left out; returns how many. */
static size_t take_usable(gb_offer *offers, size_t count, bool any_backend)
{
    size_t usable = 0;
    for (size_t i = 0; i < count; i++) {
        const bool gpu = any_backend || strcmp(offers[i].catalogue->backend, "cuda") == 0;
        if (gpu && offers[i].device->usable) offers[usable++] = offers[i];
    }
    return usable;
}

static bool others_have(const gb_offer *offers, size_t count, size_t at, bool slug)
{
    for (size_t i = 0; i < count; i++) {
        const gb_catalogue_device *a = offers[i].device, *b = offers[at].device;
        if (i != at && strcmp(slug ? a->slug : a->name, slug ? b->slug : b->name) == 0) return true;
    }
    return false;
}

static const char *index_text(gb_arena *arena, const gb_offer *offer)
{
    return gb_arena_printf(arena, "%d", offer->device->index);
}

/* "1a2b3c4d", or the index. */
static const char *digits_of(gb_arena *arena, const gb_offer *offer)
{
    const char *uuid = offer->device->uuid;
    const size_t length = strlen(uuid);
    if (!length || gb_anonymous()) return index_text(arena, offer);
    return gb_arena_printf(arena, "%s", length > DIGITS ? uuid + length - DIGITS : uuid);
}

static bool is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static const char *place_of(gb_run_command *c, const gb_offer *offers, size_t count, size_t at)
{
    const char *slug = gb_arena_strdup(&c->arena, offers[at].device->slug);
    const char *longer =
        gb_arena_printf(&c->arena, "%s-%s", slug, digits_of(&c->arena, &offers[at]));
    const char *there = gb_arena_printf(&c->arena, "%s/%s", c->out ? c->out : "results", longer);
    return others_have(offers, count, at, true) || is_folder(there) ? longer : slug;
}

static gb_run_device device_of(gb_run_command *c, const gb_offer *offers, size_t count, size_t at)
{
    const gb_offer *offer = &offers[at];
    /* All in the arena: the catalogues do not live as long. */
    const char *number = index_text(&c->arena, offer);
    const char *uuid = gb_arena_strdup(&c->arena, offer->device->uuid);
    const bool several = others_have(offers, count, at, false);
    return (gb_run_device){.spec = *uuid ? uuid : number,
                           .name = gb_arena_printf(&c->arena, "%s%s%s%s", offer->device->name,
                                                   several ? " (" : "", several ? number : "",
                                                   several ? ")" : ""),
                           .place = place_of(c, offers, count, at)};
}

gb_run_device *gb_run_devices(gb_run_command *c, size_t *count)
{
    gb_asked asked;
    gb_error error = {GB_OK, ""};
    if (!gb_asked_all(&asked, c->worker, &c->under, &error)) {
        fprintf(stderr, "gpubench run: %s\n", error.text);
        return NULL;
    }
    const bool named =
        c->worker && asked.count == 1 && strcmp(asked.list[0].command, c->worker) == 0;
    gb_offer *offers = gb_offers(asked.list, asked.count, count);
    *count = take_usable(offers, *count, named);
    gb_run_device *devices = gb_arena_alloc(&c->arena, (*count + 1) * sizeof *devices);
    for (size_t i = 0; i < *count; i++)
        devices[i] = device_of(c, offers, *count, i);
    if (*count == 0) {
        devices[(*count)++] = (gb_run_device){.name = "the one device that there is"};
    }
    free(offers);
    gb_asked_free(&asked);
    return devices;
}
