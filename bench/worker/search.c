/* Choosing a worker and its device. What each can serve is asked, never guessed from its name or
 * from this machine's drivers. */
#include "bench/worker/search.h"

#include "bench/util/version.h"
#include "bench/worker/device_set.h"
#include "bench/worker/lacking.h"
#include "bench/worker/offers.h"
#include "common/text/limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The search: what is wanted, and who was asked. */
typedef struct search {
    const gb_wish *wish;
    const char *spec;
    bool automatic;
    bool several;    /* a list of devices (device_set.h) */
    bool named;      /* one worker, by --worker */
    gb_error misfit; /* why a list was not taken of which some were there; "": none was */
    gb_asked *asked;
    gb_executables found;
    size_t *tried; /* those of the asked that have the primitive, or did not answer */
    size_t tried_count;
    bool any_has_it, any_answers;
    char notes[400];
} search;

/* Workers of these kinds (a bit each) are asked together; auto takes devices of these back-ends. */
typedef struct phase {
    unsigned kinds;
    const char *backends[3];
} phase;

#define KIND(k) (1u << GB_KIND_##k)

/* A worker in Python may have a GPU, one that is called otherwise anything. OpenCL has other
 * kernels and is taken by name alone: it is asked last, for what it has to say. */
static const phase automatic_phases[] = {
    {KIND(CUDA), {"cuda", "simt"}},
    {KIND(PYTHON) | KIND(OTHER), {"cuda"}},
    {KIND(SIMT) | KIND(OTHER), {"cuda", "simt"}},
    {KIND(PYTHON) | KIND(OTHER), {"python"}},
    {KIND(OPENCL), {NULL}},
};
/* What is made from a config is no CUDA that could be emulated: without a GPU the host calls it. */
static const phase made_phases[] = {
    {KIND(CUDA) | KIND(OTHER), {"cuda"}},
    {KIND(HOST) | KIND(OTHER), {"host"}},
};
enum { MOST_PHASES = 6 };

/* ---- who is asked --------------------------------------------------------------------------- */

/* For a device that is named: a phase for each kind, that of its back-end first. Returns how many.
 */
static size_t phases_by_name(const char *spec, phase phases[MOST_PHASES])
{
    static const struct {
        const char *backend;
        unsigned kind;
    } order[MOST_PHASES] = {{"cuda", KIND(CUDA)}, {"python", KIND(PYTHON)}, {"", KIND(OTHER)},
                            {"simt", KIND(SIMT)}, {"opencl", KIND(OPENCL)}, {"host", KIND(HOST)}};
    size_t count = 0;
    for (unsigned likely = 2; likely-- > 0;)
        for (size_t i = 0; i < MOST_PHASES; i++)
            if ((strcmp(order[i].backend, spec) == 0) == (likely == 1))
                phases[count++].kinds = order[i].kind;
    return count;
}

static bool has_primitive(const search *s, const gb_described *worker)
{
    return !s->wish->primitive ||
           (worker->catalogue && gb_catalogue_find(worker->catalogue, s->wish->primitive));
}

static bool was_tried(const search *s, size_t worker)
{
    for (size_t i = 0; i < s->tried_count; i++)
        if (s->tried[i] == worker) return true;
    return false;
}

/* Asks the workers of a phase. Their numbers, of those that have the primitive, go to members. */
static size_t ask_workers(search *s, const phase *in, size_t *members)
{
    size_t count = 0;
    for (size_t i = 0; i < s->found.count; i++) {
        if (!(in->kinds & 1u << s->found.list[i].kind)) continue;
        const size_t at = gb_asked_index(s->asked, &s->found.list[i]);
        const gb_described *worker = &s->asked->list[at];
        const bool has = has_primitive(s, worker);
        if (has) members[count++] = at;
        s->any_has_it |= has && worker->catalogue;
        s->any_answers |= worker->catalogue != NULL;
        if ((has || !worker->catalogue) && !was_tried(s, at)) s->tried[s->tried_count++] = at;
    }
    return count;
}

/* ---- one device ----------------------------------------------------------------------------- */

/* Whether this device is one that was asked for. "auto" takes any device of a worker that was
 * named, and of several "all" do so, which else are CUDA's. */
static bool is_wanted(const search *s, const phase *in, const gb_offer *offer)
{
    const char *backend = offer->catalogue->backend;
    if (s->automatic) {
        bool taken = s->named;
        for (size_t i = 0; in->backends[i]; i++)
            taken |= strcmp(in->backends[i], backend) == 0;
        return taken;
    }
    if (s->several) return s->named || strcmp(backend, "cuda") == 0;
    return strcmp(s->spec, backend) == 0 || gb_offer_is_called(offer, s->spec, s->named);
}

/* The workers side by side, as gb_offers takes them. The caller frees the list alone. */
static gb_described *side_by_side(const search *s, const size_t *members, size_t count)
{
    gb_described *list = calloc(count + 1, sizeof *list);
    if (!list) gb_memory_gone("gpubench", (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = s->asked->list[members[i]];
    return list;
}

static bool choose_one(const search *s, const phase *in, const gb_offer *offers, size_t count,
                       gb_worker_choice *choice)
{
    for (size_t i = 0; i < count; i++) {
        if (!offers[i].device->usable || !is_wanted(s, in, &offers[i])) continue;
        choice->worker = offers[i].worker;
        choice->device = offers[i].device;
        return true;
    }
    return false;
}

/* A set of one is that device as it is. */
static bool choose_set(search *s, const gb_described *workers, const gb_offer *offers, size_t count,
                       gb_worker_choice *choice)
{
    gb_device_set *set = &choice->set;
    gb_error misfit = {GB_OK, ""};
    if (!gb_device_list_find(s->spec, s->named, workers, offers, count, set, &choice->worker,
                             &misfit)) {
        if (!*s->misfit.text) s->misfit = misfit;
        return false;
    }
    choice->device = set->device[0];
    if (set->size < 2) set->size = 0;
    gb_device_set_conditions(set, &choice->under);
    return true;
}

/* The first wanted and usable device of these workers, or those of the list. */
static bool choose_among(search *s, const phase *in, const size_t *members, size_t count,
                         gb_worker_choice *choice)
{
    size_t offer_count;
    gb_described *workers = side_by_side(s, members, count);
    gb_offer *offers = gb_offers(workers, count, &offer_count);
    const bool found = s->several ? choose_set(s, workers, offers, offer_count, choice)
                                  : choose_one(s, in, offers, offer_count, choice);
    if (found) choice->worker = members[choice->worker];
    if (found && !choice->set.size && choice->device->gpus > 1) /* of a team (team.h) */
        choice->under.gpus = (unsigned)choice->device->gpus;
    free(offers);
    free(workers);
    return found;
}

/* "saxpy/gpubench-cuda" */
static const char *where(const gb_described *worker, char text[300])
{
    char name[128], folder[160];
    gb_worker_folder_of(worker->command, folder, sizeof folder);
    snprintf(text, 300, "%s%s%s", folder, *folder ? "/" : "",
             gb_worker_short_name(worker->command, name, sizeof name));
    return text;
}

/* Another worker of the back-end, in another place, has a primitive of this name as well. */
static void say_which(const search *s, const size_t *members, size_t count,
                      gb_worker_choice *choice)
{
    const gb_described *taken = &s->asked->list[choice->worker];
    char ours[300], others[300];
    for (size_t i = 0; i < count && s->wish->primitive; i++) {
        const gb_described *other = &s->asked->list[members[i]];
        if (other->home == taken->home ||
            strcmp(other->catalogue->backend, taken->catalogue->backend) != 0)
            continue;
        snprintf(choice->note, sizeof choice->note,
                 "gpubench: note: %.60s is that of %s%s; %s has a primitive of that name, too "
                 "(--worker takes it)\n",
                 s->wish->primitive, where(taken, ours),
                 taken->home == GB_HOME_CONFIG ? ", beside the config" : "", where(other, others));
        return;
    }
}

/* How a worker is built anew: those beside the driver come with it. */
static const char *how_to_build(const gb_described *worker, char text[300])
{
    char folder[200];
    const bool own = worker->home == GB_HOME_DRIVER;
    gb_worker_folder_of(worker->command, folder, sizeof folder);
    snprintf(text, 300, own ? "`make`" : "`gpubench build %s`", *folder ? folder : "DIR");
    return text;
}

/* The protocol is the same, so it serves; but it was built with headers of another gpubench. */
static void say_version(const search *s, gb_worker_choice *choice)
{
    const gb_described *worker = &s->asked->list[choice->worker];
    const char *version = worker->catalogue->version;
    const size_t used = strlen(choice->note);
    char path[300], how[300];
    if (!*version || strcmp(version, GB_VERSION) == 0) return;
    snprintf(choice->note + used, sizeof choice->note - used,
             "gpubench: note: the worker %s is of gpubench %.40s, this is %s: %s builds it anew\n",
             where(worker, path), version, GB_VERSION, how_to_build(worker, how));
}

/* One beside the config that does not answer may be the one that was meant. */
static void say_passed_over(const search *s, gb_worker_choice *choice)
{
    for (size_t i = 0; i < s->tried_count; i++) {
        const gb_described *worker = &s->asked->list[s->tried[i]];
        const size_t used = strlen(choice->note);
        char path[300];
        if (worker->catalogue || worker->home != GB_HOME_CONFIG) continue;
        snprintf(choice->note + used, sizeof choice->note - used,
                 "gpubench: note: %s, beside the config, is passed over: %.300s\n",
                 where(worker, path), worker->error.text);
    }
}

/* Those of an earlier place come first. */
static bool try_phase(search *s, const phase *in, gb_worker_choice *choice)
{
    size_t *members = calloc(2 * s->found.count + 1, sizeof *members);
    if (!members) gb_memory_gone("gpubench", (2 * s->found.count + 1) * sizeof *members);
    const size_t count = ask_workers(s, in, members);
    size_t *here = members + count;
    bool found = false;
    for (int home = 0; home < GB_HOME_COUNT && !found; home++) {
        size_t length = 0;
        for (size_t i = 0; i < count; i++)
            if ((int)s->asked->list[members[i]].home == home) here[length++] = members[i];
        found = choose_among(s, in, here, length, choice);
    }
    if (found) say_which(s, members, count, choice);
    free(members);
    return found;
}

/* ---- what they had to say ------------------------------------------------------------------- */

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

/* Notes the wanted devices that cannot be used; how many there are of this back-end. */
static size_t note_unusable(search *s, const gb_described *workers, size_t at,
                            const gb_offer *offers, size_t count)
{
    static const phase any = {0, {"cuda", "simt", NULL}};
    size_t unusable = 0;
    char name[200];
    for (size_t i = 0; i < count; i++) {
        if (offers[i].device->usable || !is_wanted(s, &any, &offers[i])) continue;
        unusable += strcmp(offers[i].catalogue->backend, workers[at].catalogue->backend) == 0;
        if (offers[i].worker == at)
            note(s, "%s: device %d (%s) is not usable: %s",
                 gb_worker_short_name(workers[at].command, name, sizeof name),
                 offers[i].device->index, offers[i].device->name, offers[i].why);
    }
    return unusable;
}

/* What those said that were tried before one of this back-end was taken; NULL: in vain. */
static void note_all(search *s, const char *taken)
{
    size_t offer_count;
    gb_described *workers = side_by_side(s, s->tried, s->tried_count);
    gb_offer *offers = gb_offers(workers, s->tried_count, &offer_count);
    for (size_t i = 0; i < s->tried_count; i++) {
        const gb_catalogue *catalogue = workers[i].catalogue;
        const char *backend = catalogue ? catalogue->backend : "";
        if (taken && (strcmp(backend, taken) == 0 || strcmp(backend, "python") == 0)) continue;
        const size_t unusable = catalogue ? note_unusable(s, workers, i, offers, offer_count) : 0;
        if (!unusable || *catalogue->reason) note_absence(s, &workers[i]);
    }
    free(offers);
    free(workers);
}

/* A note of a back-end that was asked for by name, where no worker's name says it. */
static void note_missing_opencl(search *s)
{
    if (strcmp(s->spec, "opencl") != 0 || s->wish->worker) return;
    for (size_t i = 0; i < s->found.count; i++)
        if (s->found.list[i].kind == GB_KIND_OPENCL) return;
    note(s, "there is no gpubench-opencl here: install opencl-headers and ocl-icd-opencl-dev, run "
            "make again");
}

/* Says that the automatic choice fell on the CPU, and why: nothing may fall back in silence. What
 * is in Python alone has nothing to fall back from. */
static bool say_cpu(search *s, gb_worker_choice *choice)
{
    const char *backend = s->asked->list[choice->worker].catalogue->backend;
    const bool simt = strcmp(backend, "simt") == 0, python = strcmp(backend, "python") == 0;
    if (!s->automatic || s->named || (!simt && !python)) return false;
    const size_t used = strlen(choice->note);
    note_all(s, backend);
    if (python && !*s->notes) return false;
    if (!*s->notes && s->wish->primitive)
        note(s, "no gpubench-cuda here has %.60s", s->wish->primitive);
    if (!*s->notes && s->wish->worker)
        note(s, "there is no gpubench-cuda in %.200s", s->wish->worker);
    snprintf(choice->note + used, sizeof choice->note - used,
             "gpubench: no usable GPU (%s); using %s: its answers are verified, but its times are "
             "no GPU times (--device %s says that on purpose)\n",
             *s->notes ? s->notes : "there is no gpubench-cuda beside gpubench",
             simt ? "simt, the CUDA kernels on this CPU" : "python, on this CPU", backend);
    return true;
}

/* The same of what is made from a config, unless it is for the host. */
static void say_host(search *s, gb_worker_choice *choice)
{
    const char *backend = s->asked->list[choice->worker].catalogue->backend;
    const size_t used = strlen(choice->note);
    if (!s->automatic || !s->wish->made || s->named || strcmp(backend, "host") != 0) return;
    note_all(s, backend);
    if (!*s->notes) note(s, "no gpubench-cuda here has %.60s", s->wish->primitive);
    snprintf(choice->note + used, sizeof choice->note - used,
             "gpubench: no usable GPU (%s); using host, this CPU itself: functions are called "
             "without a stream (\"on\": \"host\" in the config, or --device host, says that on "
             "purpose)\n",
             s->notes);
}

static void say_all(search *s, gb_worker_choice *choice)
{
    say_host(s, choice);
    say_version(s, choice);
    if (!say_cpu(s, choice)) say_passed_over(s, choice);
}

/* ---- the search ----------------------------------------------------------------------------- */

static bool try_phases(search *s, gb_worker_choice *choice)
{
    phase phases[MOST_PHASES] = {{0}};
    size_t count = sizeof automatic_phases / sizeof *automatic_phases;
    if (s->named)
        phases[0].kinds = ~0u, count = 1;
    else if (s->automatic && s->wish->made)
        memcpy(phases, made_phases, sizeof made_phases), count = 2;
    else if (s->automatic)
        memcpy(phases, automatic_phases, sizeof automatic_phases);
    else
        count = phases_by_name(s->several ? "cuda" : s->spec, phases);
    for (size_t i = 0; i < count; i++)
        if (try_phase(s, &phases[i], choice)) return true;
    return false;
}

/* By then all were asked. */
static bool refuse_primitive(search *s, gb_error *error)
{
    size_t *all = calloc(s->found.count + 1, sizeof *all);
    if (!all) gb_memory_gone("gpubench", (s->found.count + 1) * sizeof *all);
    for (size_t i = 0; i < s->found.count; i++)
        all[i] = gb_asked_index(s->asked, &s->found.list[i]);
    gb_described *workers = side_by_side(s, all, s->found.count);
    gb_primitive_refuse(workers, s->found.count, s->wish->primitive, error);
    free(workers);
    free(all);
    return false;
}

static bool refuse(search *s, gb_worker_choice *choice, gb_error *error)
{
    choice->lacking = s->wish->primitive && s->any_answers && !s->any_has_it;
    if (choice->lacking) return refuse_primitive(s, error);
    if (*s->misfit.text) {
        *error = s->misfit;
        return false;
    }
    note_all(s, NULL);
    note_missing_opencl(s);
    gb_fail(error, GB_UNSUPPORTED, "%s%.60s%s: %s; `gpubench info` shows the devices",
            s->automatic ? "no usable device" : "no usable device \"", s->automatic ? "" : s->spec,
            s->automatic ? "" : "\"", s->notes);
    return false;
}

/* Whether the wish's device can be a list, whatever there is. */
static bool is_list(const gb_wish *wish, gb_error *error)
{
    if (!gb_device_list_check(wish->device, error)) return false;
    if (!wish->under.multiprocessors && !wish->under.shared_kib) return true;
    gb_fail(error, GB_WRONG, "--%s is about one device alone, and --device %.100s about several",
            wish->under.multiprocessors ? "multiprocessors" : "shared-kib", wish->device);
    return false;
}

bool gb_worker_choose(gb_asked *asked, const gb_wish *wish, gb_worker_choice *choice,
                      gb_error *error)
{
    search s = {.wish = wish, .spec = wish->device ? wish->device : "auto", .asked = asked};
    s.automatic = strcmp(s.spec, "auto") == 0;
    s.several = gb_device_list_is(s.spec);
    *choice = (gb_worker_choice){.under = wish->under};
    if (s.several && !is_list(wish, error)) return false;
    asked->under = wish->under;
    bool good = gb_executables_find(&s.found, wish->worker, wish->config, wish->under.code, error);
    s.named = wish->worker && s.found.count == 1 && s.found.list[0].home == GB_HOME_NAMED &&
              strcmp(s.found.list[0].command, wish->worker) == 0;
    s.tried = calloc(s.found.count + 1, sizeof *s.tried);
    if (!s.tried) gb_memory_gone("gpubench", (s.found.count + 1) * sizeof *s.tried);
    if (good && s.found.count == 0)
        good = gb_worker_refuse_none(wish->worker, wish->under.code, error);
    else if (good && try_phases(&s, choice))
        say_all(&s, choice);
    else if (good)
        good = refuse(&s, choice, error);
    free(s.tried);
    gb_executables_free(&s.found);
    return good;
}
