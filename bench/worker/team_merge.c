/* One answer of several members' answers. */
#include "bench/worker/team.h"

#include "common/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static cJSON *item_of(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(item_of(object, name));
    return text ? text : "";
}

static void replace(cJSON *object, const char *name, cJSON *item)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, name);
    cJSON_AddItemToObject(object, name, item);
}

/* ---- answers and refusals -------------------------------------------------------------------- */

cJSON *gb_members_begin_answer(const cJSON *request)
{
    static const char *const echoed[] = {"job", "seq", NULL};
    const char *cmd = cJSON_GetStringValue(item_of(request, "cmd"));
    cJSON *answer = cJSON_CreateObject();
    cJSON_AddStringToObject(answer, "cmd", cmd ? cmd : "");
    cJSON_AddTrueToObject(answer, "ok");
    for (const char *const *name = echoed; *name; name++)
        if (cJSON_IsNumber(item_of(request, *name)))
            cJSON_AddNumberToObject(answer, *name, item_of(request, *name)->valuedouble);
    return answer;
}

void gb_members_refuse(cJSON *answer, const char *status, const char *format, ...)
{
    char reason[640];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    gb_text_tame(reason); /* it ends up in a table's cell */
    replace(answer, "ok", cJSON_CreateFalse());
    replace(answer, "status", cJSON_CreateString(status));
    replace(answer, "reason", cJSON_CreateString(reason));
}

static bool refused(const cJSON *answer)
{
    return !cJSON_IsTrue(item_of(answer, "ok"));
}

/* Whether all of them refuse, and say the same. */
static bool agree(cJSON *const *answers, unsigned count)
{
    for (unsigned r = 0; r < count; r++)
        if (!refused(answers[r]) ||
            strcmp(text_of(answers[r], "status"), text_of(answers[0], "status")) != 0 ||
            strcmp(text_of(answers[r], "reason"), text_of(answers[0], "reason")) != 0)
            return false;
    return true;
}

/* Members that know the output to be wrong: whatever kept the others from saying so, that is what
 * is to be told. NULL: there is none. */
static cJSON *merge_wrong(cJSON **answers, unsigned count)
{
    for (unsigned r = 0; r < count; r++) {
        if (strcmp(text_of(answers[r], "verdict"), "wrong") != 0) continue;
        cJSON *answer = cJSON_Duplicate(answers[r], true);
        char reason[600];
        snprintf(reason, sizeof reason, "rank %u: %.500s", r, text_of(answers[r], "reason"));
        replace(answer, "reason", cJSON_CreateString(reason));
        replace(answer, "fatal", cJSON_CreateTrue());
        return answer;
    }
    return NULL;
}

/* The refusal of a member as that of the team. Where others have done what it could not, or nobody
 * knows what they have done, the team goes no further. */
static cJSON *merge_refusals(cJSON **answers, unsigned count, unsigned first)
{
    const bool same = agree(answers, count);
    bool all = true, fatal = false;
    for (unsigned r = 0; r < count; r++) {
        all = all && refused(answers[r]);
        fatal = fatal || cJSON_IsTrue(item_of(answers[r], "fatal"));
    }
    cJSON *answer = cJSON_Duplicate(answers[same ? 0 : first], true);
    if (!same)
        gb_members_refuse(answer, text_of(answers[first], "status"), "rank %u: %.600s", first,
                          text_of(answers[first], "reason"));
    if (fatal || !all) replace(answer, "fatal", cJSON_CreateTrue());
    return answer;
}

/* ---- what goes together ---------------------------------------------------------------------- */

typedef enum choice { LARGEST, LEAST } choice;

/* Of those that say a number, the largest or the least. */
static void merge_number(cJSON **answers, unsigned count, const char *name, choice how)
{
    bool any = false;
    double found = 0;
    for (unsigned r = 0; r < count; r++) {
        const cJSON *item = item_of(answers[r], name);
        if (!cJSON_IsNumber(item)) continue;
        const double value = item->valuedouble;
        if (!any || (how == LARGEST ? value > found : value < found)) found = value;
        any = true;
    }
    if (any) replace(answers[0], name, cJSON_CreateNumber(found));
}

static void merge_flag(cJSON **answers, unsigned count, const char *name)
{
    for (unsigned r = 1; r < count; r++)
        if (cJSON_IsTrue(item_of(answers[r], name))) replace(answers[0], name, cJSON_CreateTrue());
}

/* A run has ended when it has for all. */
static void merge_times(cJSON **answers, unsigned count)
{
    cJSON *times = item_of(answers[0], "times_s");
    for (unsigned r = 1; r < count && times; r++) {
        const cJSON *others = item_of(answers[r], "times_s"),
                    *other = others ? others->child : NULL;
        for (cJSON *item = times->child; item && other; item = item->next, other = other->next)
            if (other->valuedouble > item->valuedouble)
                cJSON_SetNumberValue(item, other->valuedouble);
    }
}

/* Wrong if any is, which then says why. */
static void merge_verdicts(cJSON **answers, unsigned count)
{
    for (unsigned r = 0; r < count && count > 1; r++) {
        if (strcmp(text_of(answers[r], "verdict"), "wrong") != 0) continue;
        char reason[600];
        snprintf(reason, sizeof reason, "rank %u: %.500s", r, text_of(answers[r], "reason"));
        replace(answers[0], "verdict", cJSON_CreateString("wrong"));
        replace(answers[0], "reason", cJSON_CreateString(reason));
        return;
    }
}

/* What keeps the clocks of any of them down. */
static void merge_throttle(cJSON **answers, unsigned count)
{
    cJSON *list = item_of(answers[0], "throttle");
    for (unsigned r = 1; r < count && list; r++) {
        const cJSON *item;
        cJSON_ArrayForEach(item, item_of(answers[r], "throttle"))
        {
            bool known = false;
            for (const cJSON *k = list->child; k; k = k->next)
                known = known || cJSON_Compare(k, item, true);
            if (!known) cJSON_AddItemToArray(list, cJSON_Duplicate(item, true));
        }
    }
}

cJSON *gb_members_merge(cJSON **answers, unsigned count, unsigned first)
{
    cJSON *answer = NULL;
    for (unsigned r = 0; r < count && !answer && count > 1; r++)
        if (refused(answers[r])) {
            answer = merge_wrong(answers, count);
            if (!answer) answer = merge_refusals(answers, count, first);
        }
    if (!answer) {
        merge_times(answers, count);
        merge_verdicts(answers, count);
        merge_throttle(answers, count);
        merge_number(answers, count, "busy_s", LARGEST);
        merge_number(answers, count, "temperature_c", LARGEST);
        merge_number(answers, count, "sm_clock_mhz", LEAST);
        merge_number(answers, count, "mem_clock_mhz", LEAST);
        merge_number(answers, count, "memory_free_bytes", LEAST);
        merge_flag(answers, count, "ungated");
        merge_flag(answers, count, "redone");
        answer = answers[0];
        answers[0] = NULL;
    }
    for (unsigned r = 0; r < count; r++)
        cJSON_Delete(answers[r]);
    return answer;
}

/* ---- describe -------------------------------------------------------------------------------- */

/* Where a member is, for messages: "rank 1 (node7)". */
static const char *where(const cJSON *description, unsigned rank, char text[160])
{
    const char *host = text_of(description, "host");
    snprintf(text, 160, "rank %u%s%.100s%s", rank, *host ? " (" : "", host, *host ? ")" : "");
    return text;
}

static bool is_taken(const cJSON *const *taken, unsigned count, const cJSON *device)
{
    const char *uuid = text_of(device, "uuid");
    for (unsigned r = 0; r < count; r++)
        if (*uuid && strcmp(text_of(taken[r], "uuid"), uuid) == 0) return true;
    return false;
}

/* The first device of a member that can be used and that nobody has; the simt device is each
 * process's own. NULL, with why, if there is none. */
static const cJSON *choose(const cJSON *description, const cJSON *const *taken, unsigned rank,
                           char why[400])
{
    const bool shared = strcmp(text_of(description, "backend"), "simt") == 0;
    const cJSON *device, *devices = item_of(description, "devices");
    char member[160];
    snprintf(why, 400, "%s: %.200s", where(description, rank, member),
             *text_of(description, "reason") ? text_of(description, "reason") : "it has no device");
    cJSON_ArrayForEach(device, devices)
    {
        if (!cJSON_IsTrue(item_of(device, "usable")))
            snprintf(why, 400, "%s: %.200s", member, text_of(device, "reason"));
        else if (!shared && is_taken(taken, rank, device))
            snprintf(why, 400, "%s has no GPU of its own: other ranks have those that it sees",
                     member);
        else
            return device;
    }
    return NULL;
}

/* NULL, or why the members do not go together. */
static const char *misfit(const cJSON *one, const cJSON *other, unsigned rank, char why[400])
{
    static const char *const must[] = {"backend", "version", "code", NULL};
    char member[160];
    for (const char *const *name = must; *name; name++) {
        if (strcmp(text_of(one, *name), text_of(other, *name)) == 0) continue;
        snprintf(why, 400, "%s has %s \"%.60s\", rank 0 \"%.60s\": members are alike",
                 where(other, rank, member), *name, text_of(other, *name), text_of(one, *name));
        return why;
    }
    return NULL;
}

static const char *choose_all(cJSON *const *answers, unsigned count, const cJSON **taken,
                              char why[400])
{
    for (unsigned r = 0; r < count; r++) {
        if (misfit(answers[0], answers[r], r, why)) return why;
        taken[r] = choose(answers[r], taken, r, why);
        if (!taken[r]) return why;
        const char *name = text_of(taken[r], "name"), *first = text_of(taken[0], "name");
        const bool simt = strcmp(text_of(answers[0], "backend"), "simt") == 0;
        if (simt || strcmp(name, first) == 0) continue; /* simt's name is that of the host's CPU */
        snprintf(why, 400,
                 "GPUs that work together are of one make: that of rank 0 is %.100s, that of "
                 "rank %u %.100s",
                 first, r, name);
        return why;
    }
    return NULL;
}

/* The hosts of all, in the ranks' order, each once: "node1, node2". */
static void merge_hosts(cJSON **answers, unsigned count)
{
    char hosts[GB_MOST_DEVICES * 70] = "";
    for (unsigned r = 0; r < count; r++) {
        const char *host = text_of(answers[r], "host");
        bool known = !*host;
        for (unsigned k = 0; k < r; k++)
            known = known || strcmp(text_of(answers[k], "host"), host) == 0;
        const size_t length = strlen(hosts);
        if (!known)
            snprintf(hosts + length, sizeof hosts - length, "%s%.64s", length ? ", " : "", host);
    }
    if (*hosts) replace(answers[0], "host", cJSON_CreateString(hosts));
}

cJSON *gb_members_merge_descriptions(cJSON **answers, unsigned count, int *index)
{
    const cJSON *taken[GB_MOST_DEVICES] = {NULL};
    char why[400];
    const char *misfit = choose_all(answers, count, taken, why);
    cJSON *device = NULL, *devices = cJSON_CreateArray();
    const cJSON *first =
        taken[0] ? taken[0] : cJSON_GetArrayItem(item_of(answers[0], "devices"), 0);
    if (first) device = cJSON_Duplicate(first, true);
    if (device) {
        if (count > 1) cJSON_AddNumberToObject(device, "gpus", count);
        if (misfit) {
            replace(device, "usable", cJSON_CreateFalse());
            replace(device, "reason", cJSON_CreateString(misfit));
        }
        cJSON_AddItemToArray(devices, device);
    } else {
        replace(answers[0], "reason", cJSON_CreateString(misfit ? misfit : "it has no device"));
    }
    for (unsigned r = 0; r < count; r++) {
        const cJSON *item = item_of(taken[r], "index");
        index[r] = cJSON_IsNumber(item) ? item->valueint : 0;
    }
    merge_hosts(answers, count);
    cJSON *answer = answers[0];
    replace(answer, "devices", devices);
    for (unsigned r = 1; r < count; r++)
        cJSON_Delete(answers[r]);
    return answer;
}
