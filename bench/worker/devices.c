/* Sessions: a worker on its device, from the first start to the last. */
#include "bench/worker/devices.h"

#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/worker/provide.h"
#include "bench/worker/tuning.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fresh worker is tried for so often, with pauses that double from the first: 3.1 s in all. */
enum { START_ATTEMPTS = 6, FIRST_PAUSE_MS = 100 };
/* What a context takes for itself varies by less than this part of the memory. */
static const double memory_slack = 0.01, memory_wait_s = 10;

/* A worker that knows nothing of such a limit answers without it, as if all were well. what: for
 * people; cannot: said then. */
static bool has_limit(const cJSON *answer, const char *name, unsigned wanted, const char *what,
                      const char *cannot, gb_error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(answer, name);
    if (!wanted || (cJSON_IsNumber(item) && item->valuedouble == (double)wanted)) return true;
    if (cJSON_IsNumber(item))
        gb_fail(error, GB_CRASHED, "the worker was asked for %u %s and has taken %.9g", wanted,
                what, item->valuedouble);
    else
        gb_fail(error, GB_UNSUPPORTED, "%s", cannot);
    return false;
}

static bool is_limited(const cJSON *answer, const gb_under *under, gb_error *error)
{
    return has_limit(
               answer, "multiprocessors", under->multiprocessors, "multiprocessors",
               "this worker cannot use a part of a device's multiprocessors (--multiprocessors); "
               "those of this gpubench for CUDA 12.4 or newer and for simt can",
               error) &&
           has_limit(answer, "shared_kib", under->shared_kib, "KiB of shared memory a block",
                     "this worker cannot let blocks have less shared memory (--shared-kib); those "
                     "of this gpubench for CUDA and for simt can",
                     error);
}

/* What is selected: the devices, the first one before all, as the worker numbers them. */
typedef struct selection {
    int index[GB_MOST_DEVICES];
    unsigned count;
    const gb_under *under;
} selection;

static cJSON *indexes_of(const selection *what)
{
    return cJSON_CreateIntArray(what->index, (int)what->count);
}

/* Likewise one that knows nothing of several devices has taken the first alone. */
static bool has_set(const cJSON *answer, const selection *what, gb_error *error)
{
    if (what->count < 2) return true;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(answer, "devices");
    cJSON *wanted = indexes_of(what);
    const bool same = cJSON_Compare(item, wanted, true);
    cJSON_Delete(wanted);
    if (!item)
        gb_fail(error, GB_UNSUPPORTED,
                "this worker cannot use several devices together (--device); that of this gpubench "
                "for CUDA can");
    else if (!same)
        gb_fail(error, GB_CRASHED, "the worker has taken other devices than it was asked for");
    return same;
}

static cJSON *request_of(const selection *what)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "select");
    cJSON_AddNumberToObject(request, "device", what->index[0]);
    if (what->count > 1) cJSON_AddItemToObject(request, "devices", indexes_of(what));
    if (what->under->multiprocessors)
        cJSON_AddNumberToObject(request, "multiprocessors", what->under->multiprocessors);
    if (what->under->shared_kib)
        cJSON_AddNumberToObject(request, "shared_kib", what->under->shared_kib);
    return request;
}

static cJSON *select_device(gb_worker *worker, const selection *what, bool measure, gb_error *error)
{
    cJSON *request = request_of(what);
    if (!measure) cJSON_AddFalseToObject(request, "ceilings");
    cJSON *answer = gb_worker_ask_ok(worker, request, error);
    cJSON_Delete(request);
    if (!answer || (is_limited(answer, what->under, error) && has_set(answer, what, error)))
        return answer;
    cJSON_Delete(answer);
    return NULL;
}

static selection selection_of(const gb_session *session)
{
    selection what = {.index = {session->device->index}, .count = 1, .under = &session->under};
    for (unsigned i = 0; i < session->set.size; i++)
        what.index[i] = session->set.device[i]->index;
    if (session->set.size) what.count = session->set.size;
    return what;
}

cJSON *gb_select_request(const gb_session *session)
{
    const selection what = selection_of(session);
    return request_of(&what);
}

/* A number of an answer that is above zero; else 0. */
static double positive(const cJSON *answer, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(answer, name);
    return cJSON_IsNumber(item) && item->valuedouble > 0 ? item->valuedouble : 0;
}

void gb_session_take(gb_session *session, gb_asked *asked, const gb_worker_choice *choice)
{
    gb_described *worker = &asked->list[choice->worker];
    memset(session, 0, sizeof *session);
    session->worker = worker->running;
    session->catalogue = gb_catalogue_keep(worker->catalogue);
    session->device = choice->device;
    session->set = choice->set;
    session->under = choice->under;
    snprintf(session->command, sizeof session->command, "%s", worker->command);
    worker->running = NULL;
}

bool gb_session_find(gb_session *session, const gb_wish *wish, gb_error *error)
{
    gb_asked asked = {0};
    gb_worker_choice choice;
    memset(session, 0, sizeof *session);
    const bool found = gb_worker_choose(&asked, wish, &choice, error);
    if (found) gb_session_take(session, &asked, &choice);
    if (found) fputs(choice.note, stderr);
    gb_asked_free(&asked);
    return found;
}

bool gb_session_select(gb_session *session, gb_error *error)
{
    const selection what = selection_of(session);
    session->ceilings = select_device(session->worker, &what, true, error);
    if (!session->ceilings) return false;
    const cJSON *ceilings = cJSON_GetObjectItemCaseSensitive(session->ceilings, "ceilings");
    session->copy_bytes_per_s = positive(ceilings, "copy_bytes_per_s");
    session->blocks_per_s = positive(ceilings, "blocks_per_s");
    session->memory_free_bytes = positive(session->ceilings, "memory_free_bytes");
    if (gb_session_tune(session, error)) return true;
    cJSON_Delete(session->ceilings);
    cJSON_Delete(session->tuning);
    cJSON_Delete(session->tuning_requests);
    session->ceilings = session->tuning = session->tuning_requests = NULL;
    return false;
}

bool gb_session_open(gb_session *session, const gb_wish *wish, gb_error *error)
{
    if (!gb_session_find(session, wish, error)) return false;
    if (gb_session_select(session, error)) return true;
    gb_session_close(session);
    return false;
}

bool gb_session_measure_links(gb_session *session, gb_error *error)
{
    if (session->links) return true;
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "links");
    cJSON *answer = gb_worker_ask(session->worker, request, gb_worker_limit_s(), error);
    cJSON_Delete(request);
    const char *why = answer ? "the answer has none" : error->text;
    const cJSON *reason = cJSON_GetObjectItemCaseSensitive(answer, "reason");
    if (cJSON_IsString(reason)) why = reason->valuestring;
    session->links = cJSON_DetachItemFromObjectCaseSensitive(answer, "links");
    if (!cJSON_IsObject(session->links)) {
        cJSON_Delete(session->links);
        session->links = cJSON_CreateObject();
        cJSON_AddStringToObject(session->links, "reason", why);
    }
    const bool alive = answer && gb_worker_alive(session->worker);
    if (answer && !alive) gb_fail(error, GB_CRASHED, "%.400s", why);
    cJSON_Delete(answer);
    return alive;
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

/* The same devices again, in the same order. */
static bool select_again(const gb_session *session, const gb_catalogue *catalogue, selection *what)
{
    if (is_elsewhere(session, catalogue)) return false;
    *what = selection_of(session);
    for (unsigned i = 0; i < what->count; i++) {
        const gb_catalogue_device *device =
            find_again(session->set.size ? session->set.device[i] : session->device, catalogue);
        if (!device) return false;
        what->index[i] = device->index;
    }
    return true;
}

/* What the worker before this one had made, and was told. */
static bool provide_anew(gb_session *session, gb_error *error)
{
    const cJSON *description = session->provided;
    session->provided = NULL;
    if (gb_session_provide_again(session, description, error) &&
        (!session->tuning || gb_session_tune(session, error)))
        return true;
    session->provided = description; /* for the next attempt */
    gb_worker_stop(session->worker);
    session->worker = NULL;
    return false;
}

/* One that was built anew meanwhile may be another one. */
static bool has_same_code(const gb_session *session, const gb_catalogue *catalogue, gb_error *error)
{
    if (strcmp(session->catalogue->code, catalogue->code) == 0) return true;
    gb_fail(error, GB_CRASHED, "%s: the new worker has %s%s, the one before had %s%s",
            session->command, *catalogue->code ? "the code of " : "no old code", catalogue->code,
            *session->catalogue->code ? "the code of " : "no old code", session->catalogue->code);
    return false;
}

/* One attempt at a fresh worker; the answer to `select`, or NULL and *error. */
static cJSON *start_again(gb_session *session, gb_error *error)
{
    gb_worker *worker;
    gb_catalogue *catalogue = gb_worker_describe(session->command, &worker, error);
    if (!catalogue) return NULL;
    selection what;
    const bool there = select_again(session, catalogue, &what);
    const bool same = has_same_code(session, catalogue, error);
    cJSON *answer = NULL;
    if (same && there)
        answer = select_device(worker, &what, false, error);
    else if (same)
        refuse_other_device(session, catalogue, error);
    gb_catalogue_free(catalogue);
    if (!answer) {
        gb_worker_stop(worker);
        return NULL;
    }
    session->worker = worker; /* catalogue and ceilings stay those of the first worker */
    if (provide_anew(session, error)) return answer;
    cJSON_Delete(answer);
    return NULL;
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

char *gb_session_device(const gb_session *session, char text[GB_SESSION_DEVICE])
{
    char words[GB_UNDER_TEXT];
    const bool plain = gb_under_none(&session->under);
    snprintf(text, GB_SESSION_DEVICE, "%.150s%s%s%s", session->device->name, plain ? "" : " (",
             gb_under_words(&session->under, words), plain ? "" : ")");
    return text;
}

void gb_session_rest(gb_session *session)
{
    gb_worker_stop(session->worker);
    session->worker = NULL;
    session->used = session->used_up = false;
    if (session->other) gb_session_rest(session->other);
}

bool gb_session_wake(gb_session *session, gb_error *error)
{
    if (!session->worker && !gb_session_restart(session, error)) return false;
    return session->ceilings || gb_session_select(session, error);
}

void gb_session_close(gb_session *session)
{
    if (session->other) gb_session_close(session->other);
    free(session->other);
    gb_worker_stop(session->worker);
    gb_catalogue_free(session->catalogue);
    cJSON_Delete(session->ceilings);
    cJSON_Delete(session->links);
    cJSON_Delete(session->tuning);
    cJSON_Delete(session->tuning_requests);
    memset(session, 0, sizeof *session);
}
