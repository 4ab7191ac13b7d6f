/* Trying a few rows on all devices at once before a config is run so. */
#include "bench/commands/run_beside.h"

#include "bench/measure/beside.h"
#include "bench/measure/display.h"
#include "bench/record/results.h"
#include "bench/rows/noise.h"
#include "bench/util/exit_status.h"
#include "bench/util/interrupt.h"
#include "common/protocol/conditions.h"
#include "common/text/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A config on all devices, as the runs will have it. */
typedef struct attempt {
    gb_run_command *c;
    const gb_run_device *devices;
    size_t count;
    gb_run_command *probes; /* one a device, with this config alone */
    gb_beside *besides;
    gb_run_beside *found;
} attempt;

static gb_run_item *item_of(const attempt *a, size_t device)
{
    return &a->probes[device].items[0];
}

static const char *name_of(const attempt *a)
{
    return item_of(a, 0)->config->name;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static bool load(attempt *a, char *path, int *status)
{
    for (size_t i = 0; i < a->count; i++) {
        gb_run_command *probe = &a->probes[i];
        const gb_run_command *c = a->c;
        *probe = (gb_run_command){.device = a->devices[i].spec,
                                  .place = a->devices[i].place,
                                  .out = c->out,
                                  .filter = c->filter,
                                  .samples = c->samples,
                                  .worker = c->worker,
                                  .library = c->library,
                                  .under = c->under,
                                  .quick = c->quick,
                                  .full = c->full,
                                  .dry_run = true};
        if (!gb_run_load(probe, &path, 1, status)) return false;
    }
    return true;
}

static void end(attempt *a)
{
    for (size_t i = 0; i < a->count; i++) {
        gb_run_free_items(&a->probes[i]);
        gb_run_sessions_free(&a->probes[i].sessions);
        gb_arena_free(&a->probes[i].arena);
    }
    free(a->probes);
    free(a->besides);
}

/* ---- what is told of it ---------------------------------------------------------------------- */

static void tell_all(const attempt *a, const char *why)
{
    a->found->at_once = !why;
    for (size_t i = 0; i < a->count; i++) {
        cJSON *told = a->found->told[i];
        cJSON_AddStringToObject(told, "how", why ? "one after another" : "side by side");
        if (why) cJSON_AddStringToObject(told, "why", why);
        cJSON *names = cJSON_AddArrayToObject(told, "devices");
        for (size_t k = 0; k < a->count; k++)
            cJSON_AddItemToArray(names, cJSON_CreateString(a->devices[k].name));
    }
}

/* Not at once, for a reason that no measurement gave. */
static void settle_for(const attempt *a, const char *why)
{
    fprintf(stderr, "%s: one device after another: %s\n", name_of(a), why);
    tell_all(a, why);
}

/* How far equal runs of such a row may lie apart on the device, by what was measured there before;
 * 0: nothing was. */
static double known_noise(const attempt *a, gb_arena *arena, size_t device, const gb_sentinel *row,
                          double time_s)
{
    gb_noise noise = {0};
    gb_error error;
    const gb_run_item *item = item_of(a, device);
    char *folder = item_of(a, device)->results;
    const gb_noise_row about = {.device = item->session->device->name,
                                .scope = gb_scope_name(GB_SCOPE_DEVICE),
                                .primitive = item->config->primitive->name,
                                .variant = item->config->primitive->variants[row->variant].name,
                                .time_s = time_s};
    if (!gb_noise_load_beside(arena, &folder, 1, &noise, &error)) return 0;
    const gb_noise_class *class = gb_noise_find(&noise, &about);
    return class ? class->floor : 0;
}

static void tell_row(cJSON *tried, const gb_config *config, const gb_sentinel *row,
                     const gb_beside_verdict *verdict)
{
    char point[GB_POINT_TEXT];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "variant", config->primitive->variants[row->variant].name);
    cJSON_AddStringToObject(
        object, "point",
        gb_row_point_text(config, &config->points[row->point], GB_SCOPE_DEVICE, point));
    cJSON_AddStringToObject(object, "cache", gb_cache_name(row->cold));
    cJSON_AddNumberToObject(object, "alone_s", verdict->alone_s);
    cJSON_AddNumberToObject(object, "again_s", verdict->again_s);
    cJSON_AddNumberToObject(object, "together_s", verdict->together_s);
    if (isfinite(verdict->difference))
        cJSON_AddNumberToObject(object, "difference", verdict->difference);
    cJSON_AddNumberToObject(object, "noise", verdict->noise);
    cJSON_AddItemToArray(tried, object);
}

/* A line each; the times as well where they differ by more than noise. */
static void say_row(const char *device, const gb_config *config, const gb_sentinel *row,
                    const gb_beside_verdict *verdict, bool differs)
{
    char point[GB_DISPLAY_POINT];
    gb_display display = {0};
    gb_display_begin(&display, config);
    fprintf(stderr, "  %s, %s, %s, %s: %+.2f %%, noise %.2f %%", device,
            config->primitive->variants[row->variant].name,
            gb_display_point(&display, &config->points[row->point], point),
            gb_cache_name(row->cold), 100 * verdict->difference, 100 * verdict->noise);
    if (differs)
        fprintf(stderr, ": disturbed; %.4g and %.4g s alone, %.4g s beside the others",
                verdict->alone_s, verdict->again_s, verdict->together_s);
    fputc('\n', stderr);
    gb_display_free(&display);
}

/* Judges what was sampled on a device; how many rows differ by more than noise. */
static size_t judge(const attempt *a, gb_arena *arena, size_t device)
{
    const gb_config *config = item_of(a, device)->config;
    const gb_beside *beside = &a->besides[device];
    cJSON *tried = cJSON_AddArrayToObject(a->found->told[device], "tried");
    size_t disturbed = 0;
    for (size_t i = 0; i < beside->count; i++) {
        const gb_sentinel *row = &beside->list[i];
        gb_beside_verdict verdict = gb_beside_judge(row);
        const double known = known_noise(a, arena, device, row, verdict.alone_s);
        if (known > verdict.noise) verdict.noise = known;
        const bool differs = !(fabs(verdict.difference) <= verdict.noise);
        disturbed += differs;
        tell_row(tried, config, row, &verdict);
        say_row(a->devices[device].name, config, row, &verdict, differs);
    }
    return disturbed;
}

static void judge_all(const attempt *a)
{
    gb_arena arena = {0};
    size_t disturbed = 0;
    fprintf(stderr, "%s: rows on %zu devices, alone and at once:\n", name_of(a), a->count);
    for (size_t i = 0; i < a->count; i++)
        disturbed += judge(a, &arena, i);
    gb_arena_free(&arena);
    if (disturbed) {
        settle_for(a, "they disturb each other, by more than noise");
        return;
    }
    fprintf(stderr, "%s: side by side on %zu devices: none disturbs another\n", name_of(a),
            a->count);
    tell_all(a, NULL);
}

/* ---- trying ---------------------------------------------------------------------------------- */

/* Has the workers of all devices there; false, with the reason on stderr, if one is not. */
static bool wake(attempt *a)
{
    int status;
    for (size_t i = 0; i < a->count; i++) {
        gb_run_item *item = item_of(a, i);
        if (!gb_run_wake(&a->probes[i], item, &status)) return false;
        a->besides[i] = (gb_beside){
            .session = item->session, .config = item->config, .estimate = &item->estimate};
    }
    return true;
}

static void sample(attempt *a)
{
    char why[sizeof a->besides->error.text + 256] = "";
    if (!wake(a)) {
        settle_for(a, "a device is not to be had");
        return;
    }
    if (gb_beside_measure(a->besides, a->count)) {
        judge_all(a);
        return;
    }
    for (size_t i = 0; i < a->count && !*why; i++)
        if (*a->besides[i].error.text)
            snprintf(why, sizeof why, "%.200s: %.400s", a->devices[i].name,
                     a->besides[i].error.text);
    settle_for(a, why);
}

bool gb_run_try_beside(gb_run_command *c, char *path, const gb_run_device *devices, size_t count,
                       gb_run_beside *found, int *status)
{
    attempt a = {.c = c, .devices = devices, .count = count, .found = found};
    a.probes = calloc(count, sizeof *a.probes);
    a.besides = calloc(count, sizeof *a.besides);
    *found = (gb_run_beside){.told = calloc(count, sizeof *found->told)};
    if (!a.probes || !a.besides || !found->told)
        gb_memory_gone("gpubench run", count * sizeof *a.probes);
    for (size_t i = 0; i < count; i++)
        found->told[i] = cJSON_CreateObject();
    const bool loaded = load(&a, path, status);
    const char *shares = loaded ? gb_beside_shares(item_of(&a, 0)->config) : NULL;
    if (shares)
        settle_for(&a, shares);
    else if (loaded)
        sample(&a);
    end(&a);
    if (gb_interrupted) *status = GB_EXIT_INTERRUPTED;
    return loaded && !gb_interrupted;
}

void gb_run_beside_free(gb_run_beside *found, size_t count)
{
    for (size_t i = 0; found->told && i < count; i++)
        cJSON_Delete(found->told[i]);
    free(found->told);
    *found = (gb_run_beside){0};
}
