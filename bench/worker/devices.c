/* Choosing a device. What each worker can serve is asked, never guessed from its name or from this
 * machine's drivers. */
#include "bench/worker/devices.h"

#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/worker/offers.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fresh worker is tried for so often, with pauses that double from the first: 3.1 s in all. */
enum { START_ATTEMPTS = 6, FIRST_PAUSE_MS = 100 };
/* What a context takes for itself varies by less than this part of the memory. */
static const double memory_slack = 0.01, memory_wait_s = 10;

/* The search for a device: what is wanted, and what each worker asked so far had to say. */
typedef struct search {
    const char *spec;
    bool automatic;
    bool named; /* the worker was named by --worker */
    char notes[400];
} search;

/* Appends to the notes; what does not fit is cut, and says so. */
static void note(search *s, const char *format, ...) GB_PRINTF(2, 3);

static void note(search *s, const char *format, ...)
{
    size_t used = strlen(s->notes);
    if (used && used + 2 < sizeof s->notes) used = strlen(strcat(s->notes, "; "));
    va_list args;
    va_start(args, format);
    int length = vsnprintf(s->notes + used, sizeof s->notes - used, format, args);
    va_end(args);
    if (length > 0 && (size_t)length >= sizeof s->notes - used)
        strcpy(s->notes + sizeof s->notes - 4, "...");
}

/* Whether this device is one that was asked for. An index is CUDA's, unless --worker has said whose
 * it is. "auto" takes any device of a named worker, else GPUs through CUDA, and simt because it
 * comes after all of them; OpenCL has other kernels and is taken by name alone. */
static bool is_wanted(const search *s, const gb_offer *offer)
{
    const char *backend = offer->catalogue->backend;
    bool cuda = strcmp(backend, "cuda") == 0;
    if (s->automatic) return s->named || cuda || strcmp(backend, "simt") == 0;
    if (strcmp(s->spec, backend) == 0) return true;
    char index[16];
    snprintf(index, sizeof index, "%d", offer->index);
    if (offer->index >= 0 && strcmp(s->spec, index) == 0) return s->named || cuda;
    return *offer->device->uuid && strcmp(s->spec, offer->device->uuid) == 0;
}

/* The first wanted and usable device; NULL, and a note of each that cannot be used, if there is
 * none. */
static const gb_offer *choose(search *s, const gb_described *workers, const gb_offer *offers,
                              size_t count, bool *unusable)
{
    for (size_t i = 0; i < count; i++) {
        const gb_offer *offer = &offers[i];
        if (!is_wanted(s, offer)) continue;
        if (offer->device->usable) return offer;
        char name[200];
        *unusable = true;
        note(s, "%s: device %d (%s) is not usable: %s",
             gb_worker_short_name(workers[offer->worker].command, name, sizeof name),
             offer->device->index, offer->device->name, offer->why);
    }
    return NULL;
}

/* Notes why a worker has no wanted device. */
static void note_absence(search *s, const gb_described *worker)
{
    char name[200];
    gb_worker_short_name(worker->command, name, sizeof name);
    const gb_catalogue *catalogue = worker->catalogue;
    if (!catalogue) {
        note(s, "%s: %s", name, worker->error.text);
    } else if (*catalogue->reason) {
        note(s, "%s: %s", name, catalogue->reason);
    } else if (!s->automatic) {
        note(s, "%s has", name);
        for (unsigned i = 0; i < catalogue->device_count; i++) {
            size_t used = strlen(s->notes);
            const gb_catalogue_device *device = &catalogue->devices[i];
            snprintf(s->notes + used, sizeof s->notes - used, "%s %s %d (%s%s%s)", i ? "," : "",
                     catalogue->backend, device->index, device->name, *device->uuid ? ", " : "",
                     device->uuid);
        }
    } else if (catalogue->device_count == 0) {
        note(s, "%s: it has no device", name);
    } else {
        note(s, "%s: its devices are taken by name alone (--device %s)", name, catalogue->backend);
    }
}

/* The session gets the worker that was chosen and its catalogue. */
static void take(gb_session *session, const gb_offer *offer, gb_described *worker)
{
    session->worker = worker->running;
    session->catalogue = worker->catalogue;
    session->device = offer->device;
    snprintf(session->command, sizeof session->command, "%s", worker->command);
    worker->running = NULL;
    worker->catalogue = NULL;
}

/* Asks workers of one kind, all of them: the device may be served by several. True if one serves
 * the wanted device, and the session then holds both. */
static bool try_workers(search *s, gb_session *session, char *const *commands, size_t count)
{
    gb_described *workers = gb_commands_describe(commands, count);
    size_t offer_count;
    gb_offer *offers = workers ? gb_offers(workers, count, &offer_count) : NULL;
    bool unusable = false;
    const gb_offer *offer = offers ? choose(s, workers, offers, offer_count, &unusable) : NULL;
    if (offer)
        take(session, offer, &workers[offer->worker]);
    else
        for (size_t i = 0; workers && i < count; i++)
            if (!unusable || !workers[i].catalogue || *workers[i].catalogue->reason)
                note_absence(s, &workers[i]);
    free(offers);
    gb_described_free(workers, count);
    return session->worker != NULL;
}

/* A note of a back-end that was asked for by name, where no worker's name says it. */
static void note_missing_opencl(search *s, char **commands)
{
    if (strcmp(s->spec, "opencl") != 0) return;
    for (; *commands; commands++)
        if (strstr(*commands, "gpubench-opencl")) return;
    note(s, "there is no gpubench-opencl here: install opencl-headers and ocl-icd-opencl-dev, run "
            "make again");
}

/* Workers of a kind whose name says the wanted back-end first, so that "simt" need not wait for
 * CUDA. */
static bool try_kinds(search *s, gb_session *session, char **commands)
{
    for (unsigned round = 0; round < 2; round++) {
        size_t count;
        for (char **first = commands; *first; first += count) {
            bool likely = s->automatic;
            for (count = 0; first[count] && gb_worker_same_kind(*first, first[count]); count++)
                likely |= strstr(first[count], s->spec) != NULL;
            if (likely == (round == 0) && try_workers(s, session, first, count)) return true;
        }
    }
    return false;
}

/* Says that the automatic choice fell on the CPU, and why: nothing may fall back in silence. */
static void say_simt(const search *s)
{
    fprintf(stderr,
            "gpubench: no usable GPU (%s); using simt, the CUDA kernels on this CPU: its answers "
            "are verified, but its times are no GPU times (--device simt says that on purpose)\n",
            *s->notes ? s->notes : "there is no gpubench-cuda beside gpubench");
}

static bool find(search *s, gb_session *session, const char *command, gb_error *error)
{
    if (command) {
        if (strlen(command) >= sizeof session->command) {
            gb_fail(error, GB_UNSUPPORTED, "--worker: more than %zu bytes",
                    sizeof session->command - 1);
            return false;
        }
        if (try_workers(s, session, (char *[]){(char *)command}, 1)) return true;
    } else {
        char **commands = gb_worker_commands();
        bool none = !commands || !*commands;
        bool found = !none && try_kinds(s, session, commands);
        if (!found && !none) note_missing_opencl(s, commands);
        gb_worker_commands_free(commands);
        if (found) return true;
        if (none) return gb_worker_refuse_none(error);
    }
    gb_fail(error, GB_UNSUPPORTED, "%s%.60s%s: %s; `gpubench info` shows the devices",
            s->automatic ? "no usable device" : "no usable device \"", s->automatic ? "" : s->spec,
            s->automatic ? "" : "\"", s->notes);
    return false;
}

static cJSON *select_device(gb_worker *worker, int index, bool measure, gb_error *error)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "select");
    cJSON_AddNumberToObject(request, "device", index);
    if (!measure) cJSON_AddFalseToObject(request, "ceilings");
    cJSON *answer = gb_worker_ask_ok(worker, request, error);
    cJSON_Delete(request);
    return answer;
}

/* A number of an answer that is above zero; else 0. */
static double positive(const cJSON *answer, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(answer, name);
    return cJSON_IsNumber(item) && item->valuedouble > 0 ? item->valuedouble : 0;
}

bool gb_session_find(gb_session *session, const char *spec, const char *command, gb_error *error)
{
    memset(session, 0, sizeof *session);
    search s = {.spec = spec ? spec : "auto", .named = command != NULL};
    s.automatic = strcmp(s.spec, "auto") == 0;
    if (!find(&s, session, command, error)) return false;
    if (s.automatic && !s.named && strcmp(session->catalogue->backend, "simt") == 0) say_simt(&s);
    return true;
}

bool gb_session_select(gb_session *session, gb_error *error)
{
    session->ceilings = select_device(session->worker, session->device->index, true, error);
    if (!session->ceilings) return false;
    const cJSON *ceilings = cJSON_GetObjectItemCaseSensitive(session->ceilings, "ceilings");
    session->copy_bytes_per_s = positive(ceilings, "copy_bytes_per_s");
    session->blocks_per_s = positive(ceilings, "blocks_per_s");
    session->memory_free_bytes = positive(session->ceilings, "memory_free_bytes");
    return true;
}

bool gb_session_open(gb_session *session, const char *spec, const char *command, gb_error *error)
{
    if (!gb_session_find(session, spec, command, error)) return false;
    if (gb_session_select(session, error)) return true;
    gb_session_close(session);
    return false;
}

/* The session's device in a fresh worker's catalogue: by UUID, for indexes may have moved. */
static const gb_catalogue_device *find_again(const gb_catalogue_device *device,
                                             const gb_catalogue *catalogue)
{
    for (unsigned i = 0; i < catalogue->device_count; i++) {
        const gb_catalogue_device *other = &catalogue->devices[i];
        bool same =
            *device->uuid ? strcmp(other->uuid, device->uuid) == 0 : other->index == device->index;
        if (same && other->usable) return other;
    }
    return NULL;
}

bool gb_session_lacks_memory(const gb_session *session, double free_bytes)
{
    return session->memory_free_bytes > 0 && free_bytes > 0 &&
           free_bytes < (1 - memory_slack) * session->memory_free_bytes;
}

/* Where a queue or a name for many hosts chooses, a new worker may come up on another. */
static bool is_elsewhere(const gb_session *session, const gb_catalogue *catalogue)
{
    const char *first = session->catalogue->host;
    return *first && *catalogue->host && strcmp(first, catalogue->host) != 0;
}

/* Rows of one run are of one device: another of the same make is no replacement. */
static void refuse_other_device(const gb_session *session, const gb_catalogue *catalogue,
                                gb_error *error)
{
    const char *first = session->catalogue->host, *now = catalogue->host;
    if (is_elsewhere(session, catalogue))
        gb_fail(error, GB_CRASHED,
                "%s: the new worker runs on %.100s, the one before ran on %.100s with device %s: "
                "have --worker name the host (srun --nodelist=%.100s), or hold it with salloc",
                session->command, now, first, session->device->name, first);
    else
        gb_fail(error, GB_CRASHED, "%s: device %s is gone after a restart of the worker",
                session->command, session->device->name);
}

/* One attempt at a fresh worker; the answer to `select`, or NULL and *error. */
static cJSON *start_again(gb_session *session, gb_error *error)
{
    gb_worker *worker;
    gb_catalogue *catalogue = gb_worker_describe(session->command, &worker, error);
    if (!catalogue) return NULL;
    const gb_catalogue_device *device =
        is_elsewhere(session, catalogue) ? NULL : find_again(session->device, catalogue);
    cJSON *answer = NULL;
    if (device)
        answer = select_device(worker, device->index, false, error);
    else
        refuse_other_device(session, catalogue, error);
    gb_catalogue_free(catalogue);
    if (answer)
        session->worker = worker; /* catalogue and ceilings stay those of the first worker */
    else
        gb_worker_stop(worker);
    return answer;
}

/* Waits while the killed worker's memory is still taken, as the answer to `select` or to
 * `telemetry` says. What does not come back belongs to others: it is not waited for again. */
static bool await_memory(gb_session *session, double free_bytes, gb_error *error)
{
    double begun = gb_now(), first = free_bytes;
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "telemetry");
    bool alive = true;
    while (alive && gb_session_lacks_memory(session, free_bytes) && !gb_interrupted &&
           gb_now() - begun < memory_wait_s) {
        poll(NULL, 0, 100);
        cJSON *answer = gb_worker_ask_ok(session->worker, request, error);
        free_bytes = positive(answer, "memory_free_bytes");
        alive = answer != NULL;
        cJSON_Delete(answer);
    }
    cJSON_Delete(request);
    if (!alive || !gb_session_lacks_memory(session, first)) return alive;
    bool back = !gb_session_lacks_memory(session, free_bytes);
    snprintf(session->note, sizeof session->note,
             "%.3g of %.3g GB of device memory were still taken when the new worker came; %s after "
             "%.1f s",
             (session->memory_free_bytes - first) * 1e-9, session->memory_free_bytes * 1e-9,
             back ? "they were free"
                  : "they are not back (another process? `nvidia-smi` shows them), rows may say "
                    "out_of_memory because of that",
             gb_now() - begun);
    if (!back) session->memory_free_bytes = free_bytes;
    return true;
}

bool gb_session_too_used(const gb_session *session, bool wants_fresh)
{
    return session->used_up || (session->used && wants_fresh);
}

void gb_session_use(gb_session *session, bool wants_fresh)
{
    session->used = true;
    session->used_up = wants_fresh;
}

bool gb_session_restart(gb_session *session, gb_error *error)
{
    gb_worker_stop(session->worker);
    session->worker = NULL;
    session->used = session->used_up = false;
    session->note[0] = 0;
    double begun = gb_now();
    gb_error why = {GB_OK, ""};
    for (int attempt = 1;; attempt++) {
        cJSON *answer = start_again(session, &why);
        double free_bytes = positive(answer, "memory_free_bytes");
        cJSON_Delete(answer);
        if (answer && attempt > 1)
            snprintf(
                session->note, sizeof session->note,
                "a new worker was there at attempt %d, %.1f s after the old one; before: %.200s",
                attempt, gb_now() - begun, why.text);
        if (answer && await_memory(session, free_bytes, &why)) return true;
        gb_worker_stop(session->worker);
        session->worker = NULL;
        if (gb_interrupted || attempt == START_ATTEMPTS) {
            gb_fail(error, GB_CRASHED, "no new worker in %d attempts within %.1f s: %.400s",
                    attempt, gb_now() - begun, why.text);
            return false;
        }
        poll(NULL, 0, FIRST_PAUSE_MS << (attempt - 1));
    }
}

void gb_session_close(gb_session *session)
{
    if (session->other) gb_session_close(session->other);
    free(session->other);
    gb_worker_stop(session->worker);
    gb_catalogue_free(session->catalogue);
    cJSON_Delete(session->ceilings);
    memset(session, 0, sizeof *session);
}
